//! Every format with pairs of all kinds and with hostile names and texts, read back by independent readers.

mod for_people;
mod sarif;

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::records::{Name, PairRecord, Source};

/// Names that could break out of a format.
const HOSTILE: [&[u8]; 16] = [
    b"plain.txt",
    b"a,b\"c\".txt",
    b"=cmd|' /C calc'!A0",
    b"@SUM(1+1)*cmd",
    b"two\nlines\r\n::error::x",
    b"%0A::warning file=x::y",
    b"]]></failure><!--",
    b"<script>alert(1)</script>&amp;",
    b"[click](javascript:x) `` ` | \\| ``",
    b"\x1b[31mred\x07\x00",
    b"caf\xE9 \xFF\xFE",
    "é\u{202E}gpj.exe \u{2028}".as_bytes(),
    b"{0} {{1}} [x](1)",
    b"tab\tand \\n {\"json\":1}",
    b"  ",
    b"-rf --output=/etc/passwd",
];

pub(in crate::results::report) fn settings() -> ReportSettings {
    ReportSettings { columns: 80, rows: 24, ..ReportSettings::default() }
}

fn pair<'a>(a: &'a [u8], b: &'a [u8], shared: u64) -> PairRecord<'a> {
    let (jaccard, containment) = (shared as f64 / (200 - shared) as f64, shared as f64 / 100.0);
    PairRecord {
        a: Name::new(a),
        b: Name::new(b),
        jaccard,
        containment_a: containment,
        containment_b: containment,
        shared,
        shingles_a: 100,
        shingles_b: 100,
        estimate: jaccard,
        jaccard_raw: None,
        jaccard_kept: None,
        source_a: None,
        source_b: None,
        coverage_a: None,
        coverage_b: None,
        matched: None,
        longest: None,
        passages: None,
        weight_shared: None,
        weight_a: None,
        weight_b: None,
        index: None,
        old_b: None,
        time_a: None,
        time_b: None,
    }
}

/// A pair with `number` passages of one line each, in ascending length.
fn with_many_passages(number: u64) -> PairRecord<'static> {
    let part = |line: u64| format!(r#"{{"lines":[{line},{line}],"bytes":[{line},{}]}}"#, line + 1);
    let passage =
        |line: u64| format!(r#"{{"a":{},"b":{},"matched":{},"exact":true}}"#, part(line), part(line + 1000), 10 + line);
    let passages = (1..=number).map(passage).collect::<Vec<_>>().join(",");
    let passages = Some(serde_json::from_str(&format!("[{passages}]")).unwrap());
    PairRecord { coverage_a: Some(0.5), coverage_b: Some(0.25), passages, ..pair(b"a", b"b", 60) }
}

/// A pair with two passages, the second of which is longer.
pub(in crate::results::report) fn with_passages<'a>(a: &'a [u8], b: &'a [u8]) -> PairRecord<'a> {
    let passages = r#"[{"a":{"lines":[3,3],"bytes":[20,40]},"b":{"lines":[8,9],"bytes":[90,120]},"matched":5,"exact":true},
        {"a":{"lines":[5,9],"bytes":[50,99]},"b":{"lines":[1,4],"bytes":[0,48]},"matched":30,"exact":false}]"#;
    let passages = Some(serde_json::from_str(passages).unwrap());
    PairRecord { coverage_a: Some(0.5), coverage_b: Some(0.25), passages, ..pair(a, b, 60) }
}

pub(in crate::results::report) fn written(name: &str, settings: &ReportSettings, pairs: &[PairRecord]) -> String {
    let mut report = (ReportFormat::of_name(name).unwrap().report)(settings);
    let (mut out, mut involved) = (Vec::new(), Involved::default());
    report.begin(&mut out).unwrap();
    for record in pairs {
        let pair = ReportPair::new(record, false);
        let [a, b] = pair.sides();
        involved.add(a.name, b.name, false);
        report.pair(&pair, &mut out).unwrap();
    }
    let (documents, groups) = (involved.num_documents(), involved.num_groups());
    let totals =
        ReportTotals { pairs: pairs.len() as u64, documents, groups, compared: Some(58), ..ReportTotals::default() };
    report.end(&totals, &mut out).unwrap();
    String::from_utf8(out).expect("reports are UTF-8")
}

pub(in crate::results::report) fn hostile_pairs() -> Vec<PairRecord<'static>> {
    let mut pairs: Vec<PairRecord> = HOSTILE.windows(2).map(|names| pair(names[0], names[1], 90)).collect();
    pairs.extend(HOSTILE.windows(2).map(|names| with_passages(names[1], names[0])));
    pairs
}

#[test]
fn formats_have_names_of_their_own_and_begin_as_they_say() {
    let names: HashSet<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(names.len(), FORMATS.len());
    // Parquet is binary, and has its own tests.
    for format in FORMATS.iter().filter(|format| format.name != "parquet") {
        for pairs in [&[][..], &hostile_pairs()] {
            let text = written(format.name, &settings(), pairs);
            let is_nothing = format.is_lines() && pairs.is_empty();
            let is_begun = format.starts.iter().any(|start| text.starts_with(start));
            assert!(is_nothing || is_begun, "{}: {text:.60}", format.name);
            assert!(is_nothing || text.ends_with('\n'), "{}", format.name);
            assert!(
                !text.contains(['\u{1b}', '\u{202E}']) || matches!(format.name, "csv" | "tsv" | "graphml" | "junit"),
                "{}",
                format.name
            );
        }
    }
}

#[test]
fn tables_read_back_and_no_cell_is_a_formula() {
    for (format, delimiter) in [("csv", b','), ("tsv", b'\t')] {
        let text = written(format, &settings(), &hostile_pairs());
        let mut reader = ::csv::ReaderBuilder::new().delimiter(delimiter).from_reader(text.as_bytes());
        assert_eq!(reader.headers().unwrap().len(), 26);
        let rows: Vec<::csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), hostile_pairs().len());
        for (row, pair) in rows.iter().zip(hostile_pairs()) {
            assert!(row.iter().all(|cell| !cell.starts_with(['=', '+', '-', '@', '\t', '\r'])), "{row:?}");
            let name = words::whole_name(&pair.a.to_bytes());
            assert_eq!(row[0].strip_prefix('\'').unwrap_or(&row[0]), name);
            assert_eq!(row[2].parse::<f64>().unwrap(), pair.jaccard);
        }
        assert_eq!(&rows[15][17], "0.5");
        assert_eq!((&rows[15][22], &rows[15][23]), ("L3-L3 L5-L9", "L8-L9 L1-L4"));
    }
}

/// The name of an XML element, its attributes and its text.
type Element = (String, Vec<(String, String)>, String);

/// The elements of a document; checks that it is well-formed XML, as far as reports use XML.
fn elements(xml: &str) -> Vec<Element> {
    let allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..);
    assert!(xml.chars().all(allowed), "a character that XML cannot have");
    let rest = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a declaration");
    let text = |text: &str| {
        assert!(!text.contains(['<', '>']), "{text:?}");
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"];
        assert!(
            text.match_indices('&').all(|(at, _)| known.iter().any(|entity| text[at..].starts_with(entity))),
            "{text:?}"
        );
        let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
        plain.replace("&amp;", "&")
    };
    let (mut found, mut open): (Vec<Element>, Vec<usize>) = (Vec::new(), Vec::new());
    let attribute = regex::Regex::new(r#"\s([\w.:]+)="([^"<]*)""#).unwrap();
    for part in rest.split('<').skip(1) {
        let (tag, content) = part.split_once('>').expect("a tag ends");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(found[open.pop().expect("it was opened")].0, name);
        } else {
            let name = tag.split([' ', '/']).next().unwrap();
            let attributes: Vec<(String, String)> =
                attribute.captures_iter(tag).map(|found| (found[1].to_owned(), text(&found[2]))).collect();
            let rebuilt: usize = attribute.find_iter(tag).map(|found| found.len()).sum();
            assert_eq!(name.len() + rebuilt, tag.trim_end_matches('/').len(), "{tag}");
            found.push((name.to_owned(), attributes, text(content)));
            if !tag.ends_with('/') {
                open.push(found.len() - 1);
            }
        }
    }
    assert!(open.is_empty(), "all elements end");
    found
}

#[test]
fn junit_counts_its_tests_and_graphs_have_their_nodes() {
    for pairs in [vec![], hostile_pairs()] {
        let found = elements(&written("junit", &settings(), &pairs));
        let number = |name: &str| found.iter().filter(|element| element.0 == name).count();
        let suite = &found.iter().find(|element| element.0 == "testsuite").unwrap().1;
        let said = |key: &str| suite.iter().find(|(name, _)| name == key).unwrap().1.parse::<usize>().unwrap();
        assert_eq!((said("tests"), said("failures")), (pairs.len().max(1), pairs.len()));
        assert_eq!((number("testcase"), number("failure")), (pairs.len().max(1), pairs.len()));
    }
    let found = elements(&written("graphml", &settings(), &hostile_pairs()));
    let ids: HashSet<&str> =
        found.iter().filter(|element| element.0 == "node").map(|node| node.1[0].1.as_str()).collect();
    assert_eq!(ids.len(), HOSTILE.len());
    let mut edges = found.iter().filter(|element| element.0 == "edge").map(|edge| &edge.1);
    assert!(edges.all(|edge| ids.contains(edge[0].1.as_str()) && ids.contains(edge[1].1.as_str())));
}

#[test]
fn graphs_have_a_node_for_each_document() {
    let long = |middle: &str| [&"x".repeat(2000), middle, &"y".repeat(2000)].concat();
    let (one, other) = (long("1"), long("2"));
    let names: [&[u8]; 8] =
        [b"a\nb.txt", b"a\\nb.txt", one.as_bytes(), other.as_bytes(), b"x", b"x (against)", b"\xE9", b"\\xE9"];
    let pairs: Vec<PairRecord> =
        names.iter().flat_map(|a| names.iter().map(|b| pair(a, b, 90))).filter(|pair| pair.a != pair.b).collect();
    let edge = regex::Regex::new(r"^  n([0-9]+) -- n([0-9]+) \[").unwrap();
    for has_sides in [false, true] {
        let settings = ReportSettings { has_sides, ..settings() };
        // The expected nodes come directly from the records.
        let expected: Vec<[(usize, bool); 2]> = pairs
            .iter()
            .map(|pair| [(&pair.a, false), (&pair.b, has_sides)])
            .map(|sides| sides.map(|(name, is_b)| (names.iter().position(|of| *of == name.to_bytes()).unwrap(), is_b)))
            .collect();
        let documents: HashSet<(usize, bool)> = expected.iter().flatten().copied().collect();
        let text = written("dot", &settings, &pairs);
        assert_eq!(text.lines().filter(|line| line.contains(" [label=")).count(), documents.len());
        let edges: Vec<[usize; 2]> = text
            .lines()
            .filter_map(|line| edge.captures(line))
            .map(|found| [1, 2].map(|at| found[at].parse().unwrap()))
            .collect();
        let found = elements(&written("graphml", &settings, &pairs));
        let of_xml: Vec<[usize; 2]> = found
            .iter()
            .filter(|element| element.0 == "edge")
            .map(|edge| [0, 1].map(|at| edge.1[at].1[1..].parse().unwrap()))
            .collect();
        assert_eq!(of_xml, edges);
        let nodes: HashSet<(usize, (usize, bool))> =
            edges.iter().flatten().copied().zip(expected.iter().flatten().copied()).collect();
        assert_eq!(
            (edges.len(), nodes.len()),
            (expected.len(), documents.len()),
            "a node and a document for each other"
        );
        assert_eq!(edges.iter().flatten().collect::<HashSet<_>>().len(), documents.len());
    }
}

#[test]
fn code_quality_is_an_array_with_what_gitlab_requires() {
    for pairs in [vec![], hostile_pairs()] {
        let issues: Value = serde_json::from_str(&written("gitlab", &settings(), &pairs)).unwrap();
        assert_eq!(issues.as_array().unwrap().len(), pairs.len());
        for issue in issues.as_array().unwrap() {
            for key in ["description", "check_name", "fingerprint"] {
                assert!(issue[key].is_string());
            }
            assert!(["info", "minor", "major", "critical", "blocker"].contains(&issue["severity"].as_str().unwrap()));
            assert!(issue["location"]["path"].is_string() && issue["location"]["lines"]["begin"].is_u64());
        }
    }
}

#[test]
fn annotations_are_one_command_a_line() {
    let text = written("github", &settings(), &hostile_pairs());
    let command = regex::Regex::new(r"^::warning file=[^:,\r\n]*,line=\d+,endLine=\d+,title=Near-duplicate::[^\r\n]+$");
    let command = command.unwrap();
    let (last, warnings) =
        text.lines().collect::<Vec<_>>().split_last().map(|(last, all)| (*last, all.to_vec())).unwrap();
    assert_eq!(warnings.len(), hostile_pairs().len());
    assert!(warnings.iter().all(|line| command.is_match(line)), "{text}");
    assert!(last.starts_with("::notice title=dedup::30 pairs of 16 documents in 1 group"), "{last}");
    let one = written("github", &settings(), &[with_passages(b"./src/a,b.txt", b"c%")]);
    let message = "./src/a,b.txt is 42.8 %25 similar to c%25, lines 1-4; more here in lines 3";
    assert_eq!(
        one.lines().next().unwrap(),
        format!("::warning file=src/a%2Cb.txt,line=5,endLine=9,title=Near-duplicate::{message}")
    );
}

#[test]
fn records_are_annotated_where_they_stand_in_their_files() {
    let source = |line| {
        Some(Source { file: Name::new(b"data/r.jsonl"), line: Some(line), row: None, offset: None, index: None })
    };
    let record = PairRecord { source_a: source(7), source_b: source(9), ..with_passages(b"id-1", b"id-2") };
    let text = written("github", &settings(), &[record]);
    assert!(text.starts_with("::warning file=data/r.jsonl,line=7,endLine=7,"), "{text}");
    assert!(!text.contains("more here"), "{text}");
}

proptest! {
    #[test]
    fn any_name_stays_within_its_format(a in any::<Vec<u8>>(), b in "\\PC*") {
        let pairs = [pair(&a, b.as_bytes(), 90), with_passages(b.as_bytes(), &a)];
        elements(&written("junit", &settings(), &pairs));
        elements(&written("graphml", &settings(), &pairs));
        let sarif: Value = serde_json::from_str(&written("sarif", &settings(), &pairs)).unwrap();
        prop_assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 2);
        prop_assert_eq!(written("github", &settings(), &pairs).lines().count(), 3);
        let csv = written("csv", &settings(), &pairs);
        let rows = ::csv::Reader::from_reader(csv.as_bytes()).into_records().filter_map(Result::ok).count();
        prop_assert_eq!(rows, 2);
        // The lines are the totals, the common folder, a pair, and a pair with passages.
        let text = written("text", &settings(), &pairs);
        prop_assert!((4..=6).contains(&text.lines().count()), "{}", text);
        let nodes = if a == b.as_bytes() { 1 } else { 2 };
        prop_assert_eq!(written("dot", &settings(), &pairs).lines().count(), 5 + nodes);
    }
}
