//! Results of later versions, whose lines have keys that this version does not know.

use std::fs;

use serde_json::json;

use crate::saved::seal;
use crate::support::*;

/// Adds a key to the end of each line.
fn with_later_key(lines: &str) -> String {
    let add = |line: &str| format!("{},\"later\":{{\"a\":[1]}}}}\n", line.strip_suffix('}').unwrap());
    lines.lines().map(add).collect()
}

/// The output of a command that succeeds.
#[track_caller]
fn printed(corpus: &Workspace, args: &[&str]) -> String {
    let output = corpus.command(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn keys_of_a_later_version_stay_in_lines_and_change_nothing_else() {
    let corpus = Workspace::new("later_keys").file("in/a", FOX).file("in/b", CAT).file("in/c", FOX).file("in/d", LOREM);
    printed(&corpus, &["scan", "in", "-q", "--show-passages", "--with-source", "--save", "now"]);
    fs::create_dir(corpus.path("later")).unwrap();
    fs::copy(corpus.path("now/header.json"), corpus.path("later/header.json")).unwrap();
    for name in ["pairs.jsonl", "documents.jsonl"] {
        let lines = with_later_key(&corpus.read(&format!("now/{name}")));
        fs::write(corpus.path(format!("later/{name}")), lines).unwrap();
    }
    seal(&corpus, "later");
    let (now, later) = (corpus.read("now/pairs.jsonl"), corpus.read("later/pairs.jsonl"));
    assert!(now.lines().count() == 3 && later.contains("later"));
    fs::write(corpus.path("now.jsonl"), &now).unwrap();
    fs::write(corpus.path("later.jsonl"), &later).unwrap();
    for result in ["later", "later.jsonl"] {
        assert_eq!(printed(&corpus, &["scan", "-q", "--from", result]), later);
        let earlier = result.replace("later", "now");
        for args in [
            &["cluster", "-q", "--from"][..],
            &["report", "-q", "--format", "csv"],
            &["report", "-q", "--format", "text"],
            &["baseline", "-q"],
        ] {
            let of = |result: &str| printed(&corpus, &[args, &[result]].concat()).replace("later", "now");
            assert_eq!(of(result), of(&earlier), "{args:?} {result}");
        }
    }
    assert!(printed(&corpus, &["plan", "-q", "--from", "later"]).contains("\nremove 'in/b'"));
    // A check computes every value again, and this version cannot compute this one.
    let mut faults = Vec::new();
    let look = |lines: &str| faults.extend(lines.lines().map(|line| serde_json::from_str(line).unwrap()));
    corpus.dedup(&["check", "-q", "--json", "later.jsonl", "in"]).stdout_with(look).stderr("").exit_code(1);
    let faults: Vec<serde_json::Value> = faults;
    assert_eq!(faults.len(), 3);
    for fault in faults {
        let told = ["fault", "key", "found", "expected"].map(|key| fault[key].clone());
        assert_eq!(told, [json!("value"), json!("later"), json!({"a": [1]}), json!(null)]);
    }
}

#[test]
fn a_baseline_with_an_unknown_key_is_refused_since_it_is_written_again() {
    let corpus = Workspace::new("later_baseline").file("in/a", FOX).file("in/b", CAT);
    printed(&corpus, &["scan", "in", "-q", "--save", "now"]);
    printed(&corpus, &["baseline", "-q", "now", "-o", "accepted"]);
    let entry = corpus.read("accepted");
    let (form, entries) = entry.split_once('\n').unwrap();
    fs::write(corpus.path("accepted"), format!("{form}\n{}", with_later_key(entries))).unwrap();
    let says = |stderr: &str| {
        assert!(
            stderr.starts_with("dedup: accepted: line 2 is not an accepted pair (unknown field `later`"),
            "{stderr}"
        );
    };
    corpus.dedup(&["scan", "in", "-q", "--baseline", "accepted"]).stdout("").stderr_with(says).exit_code(2);
}
