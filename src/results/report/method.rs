//! `ReportMethod`: shows the settings with which a run compared documents as rows of a report.

use serde::Serialize;
use serde_json::Value;

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
        self.rows.iter().find(|(key, _)| key == "weights").map(|(_, value)| value.as_str())
    }
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
        assert_eq!(ReportMethod::of(&Value::Null), ReportMethod::default());
    }
}
