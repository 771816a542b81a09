//! JSON in one piece: when it is an array of records, and when it is one text.

use crate::packing::{gzip, tar};
use crate::support::*;

fn record(id: &str, text: &str) -> String {
    format!("{{\"id\": \"{id}\",\n \"text\": {text:?}}}")
}

/// What the program sees, a name and what became of it a line.
fn listed(corpus: &Workspace, flags: &[&str]) -> (String, String) {
    let output = corpus.command(&[&["scan", "--list-documents", "-q"], flags].concat()).output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let names = lines.lines().map(|line| {
        let words: Vec<&str> = line.split('"').collect();
        format!("{} {}\n", words[3], words[7])
    });
    (names.collect(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn an_array_of_records_is_read_as_records() {
    let array = format!("\u{FEFF}[\n{},\n{}\n]\n", record("x", FOX), record("y", CAT).replace("\"id\"", "\"no\""));
    let corpus = Workspace::new("array")
        .file("a.json", &array)
        .file("b.json.gz", gzip(array.replace("\"x\"", "\"z\"")))
        .file("c.tar", tar(&[("d.json", array.replace("\"x\"", "\"t\"").as_bytes())]));
    let pairs = [
        "x a.json:2",
        "x z",
        "x b.json.gz:2",
        "x t",
        "x c.tar!d.json:2",
        "a.json:2 z",
        "a.json:2 b.json.gz:2",
        "a.json:2 t",
        "a.json:2 c.tar!d.json:2",
        "z b.json.gz:2",
        "z t",
        "z c.tar!d.json:2",
        "b.json.gz:2 t",
        "b.json.gz:2 c.tar!d.json:2",
        "t c.tar!d.json:2",
    ];
    for threads in ["1", "4"] {
        let run = corpus.dedup(&["scan", "-q", ".", "--threads", threads]);
        run.pairs(&pairs).stderr("").exit_code(0);
    }
    let corpus = Workspace::new("array_fields").file("a.json", format!("[{{\"body\":{FOX:?}}},{{\"body\":{FOX:?}}}]"));
    let run = corpus.dedup(&["scan", "-q", "a.json", "--text-field", "body"]);
    run.pairs(&["a.json:1 a.json:2"]).stderr("").exit_code(0);
}

#[test]
fn any_other_json_is_one_text() {
    for (number, text) in [
        "[]".to_owned(),
        "{}".into(),
        "[1, 2]".into(),
        format!("[{}, 7]", record("x", FOX)),
        format!("[{}, {{\"id\": 1}}]", record("x", FOX)),
        format!("[{}, {{\"text\": 1}}]", record("x", FOX)),
        format!("[{}", record("x", FOX)),
        format!("[{}] {}", record("x", FOX), record("y", FOX)),
        format!("[[{}]]", record("x", FOX)),
    ]
    .into_iter()
    .enumerate()
    {
        let corpus =
            Workspace::new("no_array").file("a.json", &text).file("b.txt", &text).file("c.json.gz", gzip(&text));
        let short = if text.len() < 9 { "short" } else { "used" };
        let expected = (format!("a.json {short}\nb.txt copy\nc.json.gz copy\n"), String::new());
        assert_eq!(listed(&corpus, &["."]), expected, "{number}: {text}");
    }
    // What may well have been meant as records is told.
    let note = |name| {
        format!(
            "dedup: {name}: an array of objects, not all of them whole and with a text; compared as one text \
             (--input-format json reads what records there are)\n"
        )
    };
    let cut = format!("[{}", record("x", FOX));
    let corpus = Workspace::new("cut_array").file("a.json", &cut).file("b.json.gz", gzip(&cut)).file("c.json", "[1]");
    let notes = note("a.json") + &note("b.json.gz");
    corpus.dedup(&["scan", ".", "--collapse-exact"]).pairs(&["a.json b.json.gz"]).notes(&notes).exit_code(0);
    let corpus = Workspace::new("text_array").file("a.json", format!("[{}]", record("x", FOX)));
    assert_eq!(listed(&corpus, &[".", "--input-format", "text"]).0, "a.json used\n");
}

#[test]
fn a_format_makes_records_of_all_that_can_be() {
    let corpus = Workspace::new("json_format")
        .file("a", format!("[{}, 7,\n{}]", record("x", FOX), record("y", CAT)))
        .file("b.json", format!("{}\n{}", record("z", FOX), record("u", CAT)))
        .file("c.json", "<p>")
        .file("d.json", format!("[{},{}", record("v", FOX), record("w", CAT)))
        .file("e.json", "")
        .file("f.json", format!("[{},,{}]", record("s", FOX), record("t", CAT)));
    let (names, errors) = listed(&corpus, &[".", "--input-format", "json"]);
    let used = names.lines().filter(|line| !line.ends_with("skipped")).collect::<Vec<_>>().join(",");
    assert_eq!(used, "x used,y used,z copy,u copy,v copy,w copy,s copy");
    assert_eq!(
        errors,
        "dedup: a:2: malformed record: a number, where a JSON object is read; skipped\n\
         dedup: c.json: not JSON, which begins with an array or an object; skipped\n\
         dedup: d.json: damaged or cut short (it ends too early); the records before that are compared\n\
         dedup: f.json: damaged or cut short (inconsistent data); the records before that are compared\n"
    );
    let corpus = corpus.stdin(format!("[{},{}]", record("x", FOX), record("y", FOX)));
    corpus.dedup(&["scan", "-q", "-", "--stdin-format", "json"]).pairs(&["x y"]).stderr("").exit_code(0);
    // In another encoding, whose bytes may look like brackets.
    let text = format!("[{},{}]", record("x", &"ソ表".repeat(6)), record("y", &"ソ表".repeat(6)));
    let (packed, ..) = encoding_rs::SHIFT_JIS.encode(&text);
    assert!(packed.windows(2).any(|bytes| bytes == b"\x83\\"), "half a character is a backslash");
    let corpus = Workspace::new("json_sjis").file("a.json", packed);
    corpus.dedup(&["scan", "-q", ".", "--encoding", "shift_jis"]).pairs(&["x y"]).stderr("").exit_code(0);
}

#[test]
fn a_long_array_is_cut_into_its_records_and_a_damaged_one_gives_what_is_before() {
    let mut random = Random(17);
    let text = |random: &mut Random| (0..30).map(|_| random.below(1 << 30).to_string()).collect::<Vec<_>>().join(" ");
    let records: Vec<String> = (0..3000).map(|id| record(&id.to_string(), &text(&mut random))).collect();
    let last = records[2999].replace("\"2999\"", "\"copy\"");
    let array = format!("[{},{last}]", records.join(","));
    let corpus = Workspace::new("long_array").file("a.json", &array);
    corpus.dedup(&["scan", "-q", "."]).pairs(&["2999 copy"]).stderr("").exit_code(0);
    let packed = gzip(&array);
    let corpus = Workspace::new("cut_array").file("a.json.gz", &packed[..packed.len() / 2]);
    let (names, errors) = listed(&corpus, &["."]);
    let used = names.lines().take_while(|line| line.ends_with(" used")).count();
    assert!(used > 1000 && used + 1 == names.lines().count(), "{names}");
    let cut = "damaged or cut short (it ends too early); the records before that are compared";
    assert_eq!(errors, format!("dedup: a.json.gz: {cut}\n"));
}
