//! `sarif`: the Static Analysis Results Interchange Format 2.1.0 (OASIS 2020), with a result for each pair.
//!
//! The location of a result is the longest passage in the document on which the pair is reported. Its related
//! locations are that passage in the other document, then the next longest passages on both sides, up to
//! [`MOST_PASSAGES`] passages in all. The fingerprint depends only on the names, so it does not change when lines
//! move.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Value, json};

use super::pair::{MOST_PASSAGES, ReportPair, ReportPlace, ReportSide};
use super::region::Columns;
use super::words::{encoded, fingerprint, relative, similarity_clause, whole_name};
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::records::push_json;

pub(super) const STARTS: &[&str] = &[START];
const START: &str =
    "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":";

/// The rules, by index: for similar documents, and for documents that match by their passages.
const RULES: [(&str, &str, &str); 2] = [
    ("near-duplicate", "Near-duplicate documents", "Two documents have most of their text in common."),
    ("copied-passages", "Copied passages", "Two documents have passages in common."),
];

struct Sarif {
    has_sides: bool,
    columns: Columns,
    num_results: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PairResult<'u> {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location<'u>; 1],
    related_locations: Vec<Location<'u>>,
    partial_fingerprints: PairFingerprints,
    properties: Properties,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'u> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
    physical_location: PhysicalLocation<'u>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation<'u> {
    artifact_location: Artifact<'u>,
    region: Region,
}

#[derive(Serialize)]
struct Artifact<'u> {
    uri: &'u str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u64>,
    end_line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    end_column: Option<u64>,
}

#[derive(Serialize)]
struct PairFingerprints {
    #[serde(rename = "dedupPair/v1")]
    pair: String,
}

/// Further properties of a pair, with the keys of its JSON line.
#[derive(Serialize)]
struct Properties {
    jaccard: f64,
    containment_a: f64,
    containment_b: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage_a: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage_b: Option<f64>,
    /// The number of passages.
    #[serde(skip_serializing_if = "Option::is_none")]
    passages: Option<usize>,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Sarif { has_sides: settings.has_sides, columns: Columns::new(settings.folder.clone()), num_results: 0 })
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
        self.push_result(&mut json, pair);
        self.num_results += 1;
        out.write_all(&json)
    }

    fn end(&mut self, totals: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        let invocation = json!([{ "executionSuccessful": totals.errors == 0 }]);
        let properties = json!({ "pairs": totals.pairs });
        writeln!(out, "\n],\"invocations\":{invocation},\"properties\":{properties}}}]}}")
    }
}

impl Sarif {
    fn push_result(&mut self, json: &mut Vec<u8>, pair: &ReportPair) {
        let (about, other, passages, record) = (pair.about(), pair.other(), pair.passages(), pair.record());
        let other_name = plain(other.name) + other.mark();
        let rule = usize::from(record.matched.is_some());
        let places = passages.iter().take(MOST_PASSAGES).copied().map(Some);
        let places: Vec<_> = if passages.is_empty() { vec![None] } else { places.collect() };
        let uri_of = |side: ReportSide, passage| uri(side.file_of(passage));
        let uris: Vec<[String; 2]> = places.iter().map(|&at| [uri_of(about, at), uri_of(other, at)]).collect();
        let there = || format!("The same in {other_name}");
        let longest = places[0];
        let mut related = vec![self.location(&uris[0][1], other, other.place(longest)).with_message(1, there())];
        for (&passage, [about_uri, other_uri]) in places.iter().zip(&uris).skip(1) {
            let here = format!("Another passage, of {} tokens", passage.map_or(0, |passage| passage.matched));
            let id = related.len() + 1;
            related.push(self.location(about_uri, about, about.place(passage)).with_message(id, here));
            related.push(self.location(other_uri, other, other.place(passage)).with_message(id + 1, there()));
        }
        let result = PairResult {
            rule_id: RULES[rule].0,
            rule_index: rule,
            level: "warning",
            message: Message { text: format!("{} {} [{other_name}](1)", plain(about.name), similarity_clause(pair)) },
            locations: [self.location(&uris[0][0], about, about.place(longest))],
            related_locations: related,
            partial_fingerprints: PairFingerprints { pair: fingerprint(pair, self.has_sides) },
            properties: Properties {
                jaccard: record.jaccard,
                containment_a: record.containment_a,
                containment_b: record.containment_b,
                coverage_a: record.coverage_a,
                coverage_b: record.coverage_b,
                passages: record.passages.iter().flatten().next().map(|_| passages.len()),
            },
        };
        push_json(json, &result);
    }

    fn location<'u>(&mut self, uri: &'u str, side: ReportSide, place: ReportPlace) -> Location<'u> {
        let [start_line, end_line] = place.lines_or_first();
        let columns = place.bytes.and_then(|bytes| self.columns.of(side.file, bytes));
        let [start_column, end_column] = [columns.map(|columns| columns[0]), columns.map(|columns| columns[1])];
        let region = Region { start_line, start_column, end_line, end_column };
        let physical_location = PhysicalLocation { artifact_location: Artifact { uri }, region };
        Location { id: None, message: None, physical_location }
    }
}

impl Location<'_> {
    fn with_message(self, id: usize, text: String) -> Self {
        Self { id: Some(id), message: Some(Message { text }), ..self }
    }
}

/// A path as a URI reference; relative paths stay relative.
fn uri(file: &[u8]) -> String {
    let file = relative(file);
    let scheme = if file.starts_with(b"/") { "file://" } else { "" };
    format!("{scheme}{}", encoded(file))
}

/// A name in a message, escaped against links (section 3.11.6 of the standard) and placeholders (section 3.11.5).
fn plain(name: &[u8]) -> String {
    let mut text = String::new();
    for c in crate::base::shown::shown(&whole_name(name)).chars() {
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
