//! `sarif`: the Static Analysis Results Interchange Format 2.1.0 (OASIS 2020), a result for each pair.
//!
//! The location of a result is the longest passage of the document that it is reported on. Its related locations are that passage in the other
//! document, and then the other passages on both sides. The fingerprint is made of the names alone, so it stays when
//! lines move.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::github::relative;
use super::pair::{ReportPair, ReportPlace, ReportSide};
use super::region::columns;
use super::words::{fingerprint, likeness, whole_name};
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::input::path_of;
use crate::output::push_json;

pub(super) const STARTS: &[&str] = &[START];
const START: &str =
    "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":";

/// The rules, by number: of similar documents, and of documents that match by their passages.
const RULES: [(&str, &str, &str); 2] = [
    ("near-duplicate", "Near-duplicate documents", "Two documents have most of their text in common."),
    ("copied-passages", "Copied passages", "Two documents have passages in common."),
];

struct Sarif {
    folder: Option<PathBuf>,
    num_results: u64,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Sarif { folder: settings.folder.clone(), num_results: 0 })
}

impl ReportWriter for Sarif {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rules: Vec<Value> = RULES
            .iter()
            .map(|(id, name, about)| {
                json!({
                    "id": id,
                    "shortDescription": { "text": name },
                    "fullDescription": { "text": about },
                    "defaultConfiguration": { "level": "warning" },
                })
            })
            .collect();
        let tool = json!({ "driver": { "name": "dedup", "version": env!("CARGO_PKG_VERSION"), "rules": rules } });
        write!(out, "{START}{tool},\"columnKind\":\"utf16CodeUnits\",\"results\":[")
    }

    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()> {
        let mut json = if self.num_results == 0 { b"\n".to_vec() } else { b",\n".to_vec() };
        push_json(&mut json, &self.result(pair));
        self.num_results += 1;
        out.write_all(&json)
    }

    fn end(&mut self, totals: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        let invocation = json!([{ "executionSuccessful": totals.errors == 0 }]);
        writeln!(out, "\n],\"invocations\":{invocation}}}]}}")
    }
}

impl Sarif {
    fn result(&self, pair: &ReportPair) -> Value {
        let (about, other, passages, record) = (pair.about(), pair.other(), pair.passages(), pair.record());
        let rule = usize::from(record.matched.is_some());
        let longest = passages.first().copied();
        let mut related = Vec::new();
        let mut relate = |side: ReportSide, place: ReportPlace, what: String| {
            let mut location = self.location(side, place);
            location.insert("id".to_owned(), json!(related.len() + 1));
            location.insert("message".to_owned(), json!({ "text": what }));
            related.push(Value::Object(location));
        };
        relate(other, other.place(longest), format!("The same in {}", plain(other.name)));
        for passage in passages.iter().skip(1) {
            relate(about, about.place(Some(passage)), format!("Another passage, of {} tokens", passage.matched));
            relate(other, other.place(Some(passage)), format!("The same in {}", plain(other.name)));
        }
        let text = format!("{} {} [{}](1)", plain(about.name), likeness(pair), plain(other.name));
        let mut properties = json!({
            "jaccard": record.jaccard,
            "containment_a": record.containment_a,
            "containment_b": record.containment_b,
        });
        for (key, value) in [("coverage_a", record.coverage_a), ("coverage_b", record.coverage_b)] {
            if let Some(value) = value {
                properties[key] = json!(value);
            }
        }
        json!({
            "ruleId": RULES[rule].0,
            "ruleIndex": rule,
            "level": "warning",
            "message": { "text": text },
            "locations": [self.location(about, about.place(longest))],
            "relatedLocations": related,
            "partialFingerprints": { "dedupPair/v1": fingerprint(pair) },
            "properties": properties,
        })
    }

    fn location(&self, side: ReportSide, place: ReportPlace) -> Map<String, Value> {
        let [first, last] = place.lines_or_first();
        let mut region = json!({ "startLine": first, "endLine": last });
        let file = self.folder.as_ref().map(|folder| folder.join(path_of(side.file)));
        let columns = file.zip(place.bytes).and_then(|(file, bytes)| columns(&file, bytes));
        if let Some([start, end]) = columns {
            region["startColumn"] = json!(start);
            region["endColumn"] = json!(end);
        }
        let location =
            json!({ "physicalLocation": { "artifactLocation": { "uri": uri(side.file) }, "region": region } });
        match location {
            Value::Object(location) => location,
            _ => unreachable!("it is written as an object"),
        }
    }
}

/// A path as a reference: relative ones stay relative. All that is no letter, digit or one of `-._~/` is `%` and two digits,
/// so that no colon makes a scheme of its first part.
fn uri(file: &[u8]) -> String {
    let file = relative(file);
    let mut uri = String::from(if file.starts_with(b"/") { "file://" } else { "" });
    for &byte in file {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

/// A name in a message: without links (section 3.11.6 of the standard) and placeholders (3.11.5).
fn plain(name: &[u8]) -> String {
    let mut text = String::new();
    for c in crate::shown::shown(&whole_name(name)).chars() {
        match c {
            '\\' | '[' | ']' => text.extend(['\\', c]),
            '{' | '}' => text.extend([c, c]),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references_and_messages_have_no_links_of_their_own() {
        assert_eq!(uri(b"./a b/\xE9:c%#?.txt"), "a%20b/%E9%3Ac%25%23%3F.txt");
        assert_eq!(uri(b"/tmp/x!y"), "file:///tmp/x%21y");
        assert_eq!(uri("é".as_bytes()), "%C3%A9");
        assert_eq!(plain(b"[x](1){0}\n"), r"\[x\](1){{0}}\\n");
    }
}
