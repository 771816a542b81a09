//! Tests of SARIF: the required properties of its schema, the locations of results, and fingerprints.

use std::collections::HashSet;

use serde_json::Value;

use super::{hostile_pairs, pair, settings, with_many_passages, with_passages, written};
use crate::records::PairRecord;
use crate::results::report::{ReportPair, ReportSettings, words};

/// Checks the objects of a report against the schema of SARIF 2.1.0: required keys are present, and other keys are
/// known.
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
    // The fingerprint does not depend on the document on which a pair is reported.
    let record = pair(b"1", b"2", 90);
    let [of_a, of_b] = [false, true].map(|is_about_b| ReportPair::new(&record, is_about_b));
    for has_sides in [false, true] {
        assert_eq!(words::fingerprint(&of_a, has_sides), words::fingerprint(&of_b, has_sides));
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
    // The same pair in the other order and without passages has the same fingerprint; another pair does not.
    let others = sarif(&[pair(b"b", b"a", 70), pair(b"a", b"c", 70)]);
    let of = |result: &Value| result["partialFingerprints"].clone();
    assert_eq!(of(&check_sarif(&others)[0]), of(result));
    assert_ne!(of(&check_sarif(&others)[1]), of(result));
}
