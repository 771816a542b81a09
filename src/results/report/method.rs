//! `ReportMethod`: shows the settings with which a run compared documents as rows of a report.

use serde::Serialize;
use serde_json::Value;

use super::words::percent;

/// How documents were compared: the settings that are not off, by the keys of the summary. Empty if they are not
/// known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportMethod {
    rows: Vec<(String, String)>,
}

impl ReportMethod {
    /// * `settings`: the settings of a summary or of a saved result.
    pub fn of(settings: &impl Serialize) -> Self {
        let mut rows = Vec::new();
        if let Ok(Value::Object(settings)) = serde_json::to_value(settings) {
            settings.iter().for_each(|(key, value)| add(key, value, &mut rows));
        }
        Self { rows }
    }

    pub(super) fn rows(&self) -> &[(String, String)] {
        &self.rows
    }

    /// The kind of shingle weights, if shingles had weights.
    pub(super) fn weights(&self) -> Option<&str> {
        self.value("weights")
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.rows.iter().find(|(row, _)| row == key).map(|(_, value)| value.as_str())
    }

    /// The most important settings as a sentence without a full stop; `None` if the settings are not known.
    pub(super) fn sentence(&self) -> Option<String> {
        let (shingle, k) = (self.value("shingle")?, self.value("k")?);
        let unit = match shingle {
            "char" => "characters",
            "word" => "words",
            "line" => "lines",
            "sentence" => "sentences",
            "code" => "tokens of programs",
            "stopword" => "words after stop words",
            _ => "elements",
        };
        let mut text = match (self.value("match blocks"), self.value("match min matched")) {
            (Some(_), _) => "Copied blocks in and between documents".to_owned(),
            (None, Some(tokens)) => {
                let share =
                    self.value("match coverage").and_then(|share| share.parse().ok()).map_or(0.0, |share| share);
                format!("Copied passages of at least {tokens} tokens and {} of the shorter document", percent(share))
            }
            (None, None) if shingle == "set" => "Compared by the elements of sets".to_owned(),
            (None, None) if k == "1" => format!("Compared by their {unit}"),
            (None, None) => format!("Compared by runs of {k} {unit}"),
        };
        let folding = self.value("folding").unwrap_or_default();
        let ignored: Vec<&str> = folding.split(", ").filter_map(ignored).collect();
        if let Some((last, others)) = ignored.split_last() {
            let others = others.join(", ");
            let and = if others.is_empty() { "" } else { " and " };
            text += &format!(", without regard to {others}{and}{last}");
        }
        if self.value("all pairs").is_some() {
            text += ", each document with each other";
        }
        Some(text)
    }
}

/// The difference between texts that a folding ignores.
fn ignored(folding: &str) -> Option<&'static str> {
    Some(match folding {
        "ignore-quotes" => "quotations",
        "ignore-bibliography" => "bibliographies",
        "plagiarism" => "disguises",
        "lowercase" => "case",
        "strip-accents" => "accents",
        "fold-digits" => "digits",
        "strip-punctuation" => "punctuation",
        _ => return None,
    })
}

/// Adds the row of a setting, unless the setting is off or empty.
fn add(key: &str, value: &Value, rows: &mut Vec<(String, String)>) {
    let shown = match value {
        Value::Null | Value::Bool(false) => return,
        Value::Bool(true) => "yes".to_owned(),
        Value::Number(number) if key == "min_tokens" && number.as_u64() == Some(0) => return,
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => return,
        Value::Array(values) => values.iter().map(item).collect::<Vec<_>>().join(", "),
        Value::Object(inner) => {
            return inner.iter().for_each(|(name, value)| add(&format!("{key} {name}"), value, rows));
        }
    };
    rows.push((key.replace('_', " "), shown));
}

fn item(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(item).collect::<Vec<_>>().join(" … "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_off_is_left_out_and_lists_are_joined() {
        let settings = json!({
            "shingle": "word", "k": 3, "bag": false, "stop_words": null, "folding": ["nfkc", "lowercase"], "skip_lines": [],
            "ignore_between": [["<a>", "</a>"]], "all_pairs": true, "weights": "idf", "min_tokens": 0, "match": {"min_matched": 8}
        });
        let method = ReportMethod::of(&settings);
        let shown: Vec<String> = method.rows().iter().map(|(key, value)| format!("{key}: {value}")).collect();
        let expected = [
            "all pairs: yes",
            "folding: nfkc, lowercase",
            "ignore between: <a> … </a>",
            "k: 3",
            "match min matched: 8",
            "shingle: word",
            "weights: idf",
        ];
        let sorted = std::collections::BTreeSet::from_iter(shown);
        assert_eq!(sorted.iter().map(String::as_str).collect::<Vec<_>>(), expected);
        assert_eq!(method.weights(), Some("idf"));
        let passages = "Copied passages of at least 8 tokens and 0 % of the shorter document, without regard to case, \
            each document with each other";
        assert_eq!(method.sentence().as_deref(), Some(passages));
        assert_eq!(ReportMethod::of(&Value::Null), ReportMethod::default());
        assert_eq!(ReportMethod::default().sentence(), None);
    }

    #[test]
    fn the_sentence_says_what_is_compared_and_what_is_ignored() {
        let sentence = |settings: Value| ReportMethod::of(&settings).sentence().unwrap();
        assert_eq!(sentence(json!({"shingle": "char", "k": 9, "folding": []})), "Compared by runs of 9 characters");
        assert_eq!(sentence(json!({"shingle": "line", "k": 1})), "Compared by their lines");
        assert_eq!(sentence(json!({"shingle": "set", "k": 1})), "Compared by the elements of sets");
        let folded =
            json!({"shingle": "word", "k": 5, "folding": ["nfkc", "lowercase", "strip-accents", "fold-digits"]});
        assert_eq!(sentence(folded), "Compared by runs of 5 words, without regard to case, accents and digits");
        let blocks = json!({"shingle": "code", "k": 20, "match": {"blocks": true, "coverage": 0.0, "min_matched": 70}});
        assert_eq!(sentence(blocks), "Copied blocks in and between documents");
    }
}
