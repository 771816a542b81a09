//! Documents that are sets: arrays of records, and the fields of lines.

use crate::support::*;

const BASKETS: &str =
    "bread milk eggs butter jam\nmilk bread butter jam  eggs\n\nbread\tmilk eggs butter tea\nwine cheese\n";

#[test]
fn each_line_of_a_text_is_a_set_of_its_fields() {
    let corpus = Workspace::new("lines").file("baskets.txt", BASKETS);
    let expected = copies("baskets.txt:1", "baskets.txt:2", 5);
    corpus.dedup(&["scan", "-q", ".", "--shingle", "set"]).stdout(&expected).stderr("").exit_code(0);
    // 4 of 6.
    let all = ["scan", "-q", "baskets.txt", "--shingle", "set", "--threshold", "0.6"];
    let pairs = ["baskets.txt:1 baskets.txt:2", "baskets.txt:1 baskets.txt:4", "baskets.txt:2 baskets.txt:4"];
    corpus.dedup(&all).pairs(&pairs).stderr("").exit_code(0);
    let corpus = Workspace::new("stdin").stdin(BASKETS);
    let all = ["scan", "-q", "-", "--input-format", "text", "--shingle", "set"];
    corpus.dedup(&all).stdout(&copies("-:1", "-:2", 5)).stderr("").exit_code(0);
}

#[test]
fn the_array_of_a_record_is_a_set() {
    let films = r#"{"id":"ann","films":["Alien","The Birds",7,"Brazil"]}
{"id":"bob","films":["the birds","ALIEN","7","Brazil",""]}
{"id":"cid","films":[]}
{"id":"dan","films":"Alien Birds"}
{"id":"eve","films":["Alien",null]}
"#;
    let corpus = Workspace::new("arrays").file("films.jsonl", films);
    let all = ["scan", "-q", ".", "--shingle", "set", "--text-field", "films"];
    let problem = "dedup: films.jsonl:5: malformed record, column 34: \
        an element of the set is neither a string nor a number; skipped\n";
    corpus.dedup(&all).stdout("").stderr(problem).exit_code(3);
    let folded = [&all[..], &["--lowercase"]].concat();
    corpus.dedup(&folded).stdout(&copies("ann", "bob", 4)).stderr(problem).exit_code(3);
}

#[test]
fn bags_are_sets_with_repeats() {
    let corpus = Workspace::new("bags").file("x", "a a a b\na b b\n");
    let all = ["scan", "-q", ".", "--shingle", "set", "--threshold", "0.1", "--bands", "400", "--rows", "1"];
    corpus.dedup(&all).stdout(&copies("x:1", "x:2", 2)).stderr("").exit_code(0);
    let look = |stdout: &str| match records(stdout).as_slice() {
        [pair] => assert_eq!((pair.shared, pair.shingles_a, pair.shingles_b), (2, 4, 3)),
        _ => panic!("{stdout}"),
    };
    corpus.dedup(&[&all[..], &["--bag"]].concat()).stdout_with(look).stderr("").exit_code(0);
}

#[test]
fn lines_that_are_not_utf8_are_told_and_binary_files_passed_over() {
    let corpus = Workspace::new("not_text").file("x", b"one two\n\xFF three\none two\n").file("y.png", b"\x89PNG\0\0");
    let problem =
        "dedup: x:2: not valid UTF-8 at byte 0 of the line; read it with --encoding LABEL or --invalid replace\n";
    let expected = copies("x:1", "x:3", 2);
    corpus.dedup(&["scan", "-q", ".", "--shingle", "set"]).stdout(&expected).stderr(problem).exit_code(3);
    let look = "dedup: y.png: binary, with a NUL at byte 4; skipped\n";
    corpus.dedup(&["scan", "-q", "y.png", "--shingle", "set"]).stdout("").nothing_read(look);
    let corpus = Workspace::new("binary").file("y.png", b"\x89PNG\0\0").file("x", "one\none\n");
    corpus.dedup(&["scan", "-q", ".", "--shingle", "set"]).stdout(&copies("x:1", "x:2", 1)).stderr("").exit_code(0);
}

#[test]
fn elements_have_no_order() {
    let corpus = Workspace::new("k").file("x", "one\n");
    let message = "dedup: --k 2: the elements of a set have no order, so a shingle is one element; remove the flag\n";
    corpus.dedup(&["scan", ".", "--shingle", "set", "--k", "2"]).stdout("").stderr(message).exit_code(2);
}

#[test]
fn equal_sets_in_another_order_are_pairs_and_not_copies() {
    let corpus = Workspace::new("another_order").file("s.txt", "a b c\nc b a a\na b c\n");
    let scan = ["scan", "-q", "s.txt", "--shingle", "set"];
    let pair = |a: u32, b: u32| copies(&format!("s.txt:{a}"), &format!("s.txt:{b}"), 3);
    let all = [pair(1, 2), pair(1, 3), pair(2, 3)].concat();
    corpus.dedup(&scan).stdout(&all).stderr("").exit_code(0);
    let collapsed = [pair(1, 2), pair(1, 3)].concat();
    corpus.dedup(&[&scan[..], &["--collapse-exact"]].concat()).stdout(&collapsed).stderr("").exit_code(0);
}
