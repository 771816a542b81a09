//! Every format on pairs of all kinds, with names and texts that mean harm, read back by readers of other make.

use std::collections::HashSet;

use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::output::{Name, PairRecord, Source};

/// What a name may hold to break out of a format.
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

pub(super) fn settings() -> ReportSettings {
    ReportSettings {
        folder: None,
        of_groups: false,
        has_sides: false,
        is_ranked: false,
        of_passages: false,
        search: None,
        texts_are_known: true,
        max_pairs: ReportSettings::MAX_PAIRS,
        max_bytes: ReportSettings::MAX_BYTES,
        columns: 80,
        rows: 24,
        is_coloured: false,
    }
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
    }
}

/// A pair with passages of one line each, which grow.
fn with_many_passages(number: u64) -> PairRecord<'static> {
    let part = |line: u64| format!(r#"{{"lines":[{line},{line}],"bytes":[{line},{}]}}"#, line + 1);
    let passage =
        |line: u64| format!(r#"{{"a":{},"b":{},"matched":{},"exact":true}}"#, part(line), part(line + 1000), 10 + line);
    let passages = (1..=number).map(passage).collect::<Vec<_>>().join(",");
    let passages = Some(serde_json::from_str(&format!("[{passages}]")).unwrap());
    PairRecord { coverage_a: Some(0.5), coverage_b: Some(0.25), passages, ..pair(b"a", b"b", 60) }
}

/// A pair with two passages, the second of which is longer.
pub(super) fn with_passages<'a>(a: &'a [u8], b: &'a [u8]) -> PairRecord<'a> {
    let passages = r#"[{"a":{"lines":[3,3],"bytes":[20,40]},"b":{"lines":[8,9],"bytes":[90,120]},"matched":5,"exact":true},
        {"a":{"lines":[5,9],"bytes":[50,99]},"b":{"lines":[1,4],"bytes":[0,48]},"matched":30,"exact":false}]"#;
    let passages = Some(serde_json::from_str(passages).unwrap());
    PairRecord { coverage_a: Some(0.5), coverage_b: Some(0.25), passages, ..pair(a, b, 60) }
}

pub(super) fn written(name: &str, settings: &ReportSettings, pairs: &[PairRecord]) -> String {
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

pub(super) fn hostile_pairs() -> Vec<PairRecord<'static>> {
    let mut pairs: Vec<PairRecord> = HOSTILE.windows(2).map(|names| pair(names[0], names[1], 90)).collect();
    pairs.extend(HOSTILE.windows(2).map(|names| with_passages(names[1], names[0])));
    pairs
}

#[test]
fn formats_have_names_of_their_own_and_begin_as_they_say() {
    let names: HashSet<&str> = FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(names.len(), FORMATS.len());
    // Parquet is no text, and its own tests read it.
    for format in FORMATS.iter().filter(|format| format.name != "parquet") {
        for pairs in [&[][..], &hostile_pairs()] {
            let text = written(format.name, &settings(), pairs);
            assert!(format.starts.iter().any(|start| text.starts_with(start)), "{}: {text:.60}", format.name);
            assert!(text.ends_with('\n'), "{}", format.name);
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
        assert_eq!(reader.headers().unwrap().len(), 24);
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

/// The name of an element, its attributes and its text.
type Element = (String, Vec<(String, String)>, String);

/// The elements of a document that is well-formed XML as far as reports use it.
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

/// What the schema of SARIF 2.1.0 requires of the objects that reports write: keys that must be there, and no others.
fn check_sarif(sarif: &Value) -> &Vec<Value> {
    let keys = |value: &Value, required: &[&str], others: &[&str]| {
        let object = value.as_object().unwrap_or_else(|| panic!("{value} is an object"));
        assert!(required.iter().all(|key| object.contains_key(*key)), "{required:?} of {value}");
        let unknown: Vec<&String> =
            object.keys().filter(|key| !required.contains(&key.as_str()) && !others.contains(&key.as_str())).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    };
    let whole = |value: &Value| assert!(value.as_u64().is_some_and(|number| number >= 1), "{value}");
    let message = |value: &Value| {
        keys(value, &["text"], &[]);
        assert!(value["text"].as_str().is_some_and(|text| !text.is_empty()));
    };
    let location = |value: &Value| {
        keys(value, &["physicalLocation"], &["id", "message"]);
        let place = &value["physicalLocation"];
        keys(place, &["artifactLocation", "region"], &[]);
        keys(&place["artifactLocation"], &["uri"], &[]);
        let uri = place["artifactLocation"]["uri"].as_str().unwrap();
        let of_uri = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%:".contains(&byte);
        assert!(!uri.is_empty() && uri.bytes().all(of_uri), "{uri}");
        assert!(!uri.contains(':') || uri.starts_with("file:///"), "{uri}");
        let region = &place["region"];
        keys(region, &["startLine", "endLine"], &["startColumn", "endColumn"]);
        region.as_object().unwrap().values().for_each(whole);
        assert!(region["startLine"].as_u64() <= region["endLine"].as_u64());
    };
    keys(sarif, &["$schema", "version", "runs"], &[]);
    assert_eq!(sarif["version"], "2.1.0");
    let run = &sarif["runs"][0];
    keys(run, &["tool", "columnKind", "results", "invocations", "properties"], &[]);
    assert!(["utf16CodeUnits", "unicodeCodePoints"].contains(&run["columnKind"].as_str().unwrap()));
    keys(&run["invocations"][0], &["executionSuccessful"], &[]);
    keys(&run["tool"], &["driver"], &[]);
    keys(&run["tool"]["driver"], &["name", "version", "rules"], &[]);
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for rule in rules {
        keys(rule, &["id", "shortDescription", "fullDescription", "defaultConfiguration"], &[]);
        message(&rule["shortDescription"]);
        message(&rule["fullDescription"]);
    }
    let results = run["results"].as_array().unwrap();
    for result in results {
        let required = [
            "ruleId",
            "ruleIndex",
            "level",
            "message",
            "locations",
            "relatedLocations",
            "partialFingerprints",
            "properties",
        ];
        keys(result, &required, &[]);
        assert_eq!(result["ruleId"], rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"]);
        assert_eq!(result["level"], "warning");
        message(&result["message"]);
        result["locations"].as_array().unwrap().iter().for_each(location);
        let related = result["relatedLocations"].as_array().unwrap();
        related.iter().for_each(location);
        related.iter().for_each(|location| message(&location["message"]));
        let ids: Vec<u64> = related.iter().map(|location| location["id"].as_u64().unwrap()).collect();
        assert_eq!(ids, (1..=ids.len() as u64).collect::<Vec<_>>(), "the message leads to 1");
        assert!(result["message"]["text"].as_str().unwrap().ends_with("](1)"));
        assert!(result["partialFingerprints"]["dedupPair/v1"].as_str().is_some_and(|hash| hash.len() == 32));
    }
    results
}

#[test]
fn sarif_has_what_its_schema_requires() {
    for pairs in [vec![], hostile_pairs()] {
        let text = written("sarif", &settings(), &pairs);
        let sarif: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(check_sarif(&sarif).len(), pairs.len());
        assert_eq!(sarif["runs"][0]["properties"], serde_json::json!({ "pairs": pairs.len() }));
    }
}

#[test]
fn the_longest_of_many_passages_are_named() {
    let record = with_many_passages(399);
    let sarif: Value = serde_json::from_str(&written("sarif", &settings(), std::slice::from_ref(&record))).unwrap();
    let result = &check_sarif(&sarif)[0];
    let lines = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64().unwrap();
    assert_eq!((lines(&result["locations"][0]), &result["properties"]["passages"]), (399, &Value::from(399)));
    let related: Vec<u64> = result["relatedLocations"].as_array().unwrap().iter().map(lines).collect();
    let others = (390..399).rev().flat_map(|line| [line, line + 1000]);
    assert_eq!(related, std::iter::once(1399).chain(others).collect::<Vec<_>>());
    let issues: Value = serde_json::from_str(&written("gitlab", &settings(), std::slice::from_ref(&record))).unwrap();
    assert_eq!(issues[0]["other_locations"].as_array().unwrap().len(), related.len());
    let github = written("github", &settings(), &[record]);
    let first = github.lines().next().unwrap();
    assert!(
        first.ends_with(", line 1399; more here in lines 398, 397, 396, 395, 394, 393, 392, 391, 390, …"),
        "{first}"
    );
    let github = written("github", &settings(), &[with_many_passages(10)]);
    assert!(github.lines().next().unwrap().ends_with("; more here in lines 9, 8, 7, 6, 5, 4, 3, 2, 1"), "{github}");
}

#[test]
fn pairs_of_two_sides_have_fingerprints_of_their_own() {
    let fingerprints = |has_sides: bool| -> Vec<[String; 2]> {
        let settings = ReportSettings { has_sides, ..settings() };
        let pairs = [pair(b"1", b"2", 90), pair(b"2", b"1", 90), pair(b"1", b"1", 90)];
        let sarif: Value = serde_json::from_str(&written("sarif", &settings, &pairs)).unwrap();
        let issues: Value = serde_json::from_str(&written("gitlab", &settings, &pairs)).unwrap();
        let results = check_sarif(&sarif).iter().map(|result| &result["partialFingerprints"]["dedupPair/v1"]);
        let issues = issues.as_array().unwrap().iter().map(|issue| &issue["fingerprint"]);
        let texts = results.zip(issues).map(|(one, other)| [one, other].map(|text| text.as_str().unwrap().to_owned()));
        texts.collect()
    };
    let of_sides = fingerprints(true);
    assert_eq!(of_sides.iter().collect::<HashSet<_>>().len(), 3);
    let of_one = fingerprints(false);
    assert!(of_one[0] == of_one[1] && of_one[0] != of_one[2], "{of_one:?}");
    assert!(of_sides.iter().chain(&of_one).all(|[sarif, gitlab]| sarif == gitlab));
    assert_eq!(of_one[0][0], "74a8e0e5a1e3551fe16e266917092239");
    // Which document a pair is reported on is no part of it.
    let record = pair(b"1", b"2", 90);
    let [of_a, of_b] = [false, true].map(|is_about_b| ReportPair::new(&record, is_about_b));
    for has_sides in [false, true] {
        assert_eq!(words::fingerprint(&of_a, has_sides), words::fingerprint(&of_b, has_sides));
    }
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
        // By what is in the record, as a slow twin has it.
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
fn a_result_of_sarif_is_the_longest_passage_and_keeps_its_fingerprint() {
    let sarif =
        |pairs: &[PairRecord]| -> Value { serde_json::from_str(&written("sarif", &settings(), pairs)).unwrap() };
    let first = sarif(&[with_passages(b"a", b"b")]);
    let result = &check_sarif(&first)[0];
    let region = |location: &Value| location["physicalLocation"]["region"]["startLine"].as_u64().unwrap();
    assert_eq!(region(&result["locations"][0]), 5);
    let related: Vec<u64> = result["relatedLocations"].as_array().unwrap().iter().map(region).collect();
    assert_eq!(related, [1, 3, 8]);
    // Without its passages and in the other order it is the same pair; another one is not.
    let others = sarif(&[pair(b"b", b"a", 70), pair(b"a", b"c", 70)]);
    let of = |result: &Value| result["partialFingerprints"].clone();
    assert_eq!(of(&check_sarif(&others)[0]), of(result));
    assert_ne!(of(&check_sarif(&others)[1]), of(result));
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
    let source = |line| Some(Source { file: Name::new(b"data/r.jsonl"), line: Some(line), row: None });
    let record = PairRecord { source_a: source(7), source_b: source(9), ..with_passages(b"id-1", b"id-2") };
    let text = written("github", &settings(), &[record]);
    assert!(text.starts_with("::warning file=data/r.jsonl,line=7,endLine=7,"), "{text}");
    assert!(!text.contains("more here"), "{text}");
}

#[test]
fn a_comment_fits_its_limit_and_says_what_it_left_out() {
    let names: Vec<String> = (0..5000).map(|number| format!("{}{number}`|@all", "d/".repeat(number % 300))).collect();
    let pairs: Vec<PairRecord> = names
        .windows(2)
        .enumerate()
        .map(|(at, names)| pair(names[0].as_bytes(), names[1].as_bytes(), 50 + at as u64 % 50))
        .collect();
    let text = written("markdown", &settings(), &pairs);
    assert!(text.len() <= 65_536 && text.len() > 60_000, "{}", text.len());
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ") && line.contains(" % ")).collect();
    assert!(rows[0].starts_with("| 98") && rows.len() > 20, "{}", rows[0]);
    let left: usize = 4999 - rows.len();
    let left = words::counted(left as u64, "more pair");
    assert!(
        text.ends_with(&format!("\n{left} did not fit into this comment, none of which is more similar.\n")),
        "{}",
        &text[text.len() - 200..]
    );
    // Every row has three cells: bars in names are escaped.
    let cells = |row: &str| row.replace("\\|", "").matches('|').count();
    assert!(rows.iter().all(|row| cells(row) == 4));
    // Short rows fill the comment as well.
    let short: Vec<PairRecord> = std::iter::repeat_with(|| pair(b"a", b"b", 1)).take(4000).collect();
    let text = written("markdown", &settings(), &short);
    assert!(text.len() <= 65_536 && text.len() > 64_500, "{}", text.len());
    let one = written("markdown", &settings(), &[with_passages(b"a", b"b")]);
    assert!(one.contains("\n| Similarity | Document | Other document |\n"), "{one}");
    let matched = PairRecord { matched: Some(35), ..with_passages(b"a", b"b") };
    let by_passages = written("markdown", &settings(), &[matched]);
    assert!(by_passages.contains("\n| Coverage | Document | Other document |\n"), "{by_passages}");
    assert!(by_passages.contains("\n| 50 % | `a`"), "{by_passages}");
    assert!(one.ends_with("| 42.8 % | `a`, lines 5-9, 3 | `b`, lines 1-4, 8-9 |\n"), "{one}");
}

#[test]
fn a_screen_shows_the_most_similar_and_counts_the_others() {
    let names: Vec<String> =
        (0..30).map(|number| format!("a/long/folder/of/some/depth/and/more/file-{number}.txt")).collect();
    let pairs: Vec<PairRecord> = names
        .windows(2)
        .enumerate()
        .map(|(at, names)| pair(names[0].as_bytes(), names[1].as_bytes(), 50 + at as u64))
        .collect();
    let text = written("text", &ReportSettings { rows: 10, ..settings() }, &pairs);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (9, "dedup: 29 pairs of 30 documents in 1 group; 58 documents compared"));
    assert!(lines[1].starts_with(" 63.9 %  …"), "{}", lines[1]);
    assert_eq!(lines[8], "22 more pairs; --top N and --format csv show more");
    use unicode_width::UnicodeWidthStr;
    assert!(lines.iter().all(|line| line.width() <= 80), "{text}");
    let coloured = written("text", &ReportSettings { rows: 10, is_coloured: true, ..settings() }, &pairs);
    let plain = regex::Regex::new("\x1b\\[[0-9]m").unwrap().replace_all(&coloured, "").into_owned();
    assert_eq!(plain, text);
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
        prop_assert_eq!(written("text", &settings(), &pairs).lines().count(), 3);
        let nodes = if a == b.as_bytes() { 1 } else { 2 };
        prop_assert_eq!(written("dot", &settings(), &pairs).lines().count(), 5 + nodes);
    }
}
