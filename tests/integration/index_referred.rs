//! `dedup index build --texts refer`: an index of places, whose texts are read again where they lie, or named.

use std::fs;
use std::io::Write;

use serde_json::Value;

use crate::index::{printed, records_with};
use crate::packing::{gzip, tar, zip};
use crate::support::*;

const STALE: &str = "since it was indexed; add it again (dedup index add, with --known replace for another text), or remove it (dedup index remove)";

fn build(workspace: &Workspace, args: &[&str]) {
    let build = [&["index", "build", "x.index", "--texts", "refer", "-q"][..], args].concat();
    workspace.dedup(&build).stdout("").stderr("").exit_code(0);
}

/// One line of the error stream, of a document that is not what it was.
fn stale(name: &str, fault: &str) -> String {
    format!("dedup: {name}: {fault} {STALE}\n")
}

fn info(workspace: &Workspace, index: &str) -> Value {
    serde_json::from_str(&printed(workspace, &["index", "info", index, "--json"])).unwrap()
}

#[test]
fn texts_are_read_again_wherever_a_scan_reads_them() {
    let wide: Vec<u8> = format!("\u{FEFF}{FOX}\r\n").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let records = records_with(&[FOX.to_owned(), LOREM.to_owned(), CAT.to_owned()], "g");
    let rows = format!("id,text\nr1,\"{FOX}\"\nr2,other\nr3,\"{CAT}\n\"\n");
    let inner = tar(&[("deep.txt", CAT.as_bytes()), ("deep.csv", rows.replace('r', "d").as_bytes())]);
    let tabs = |id: char| format!("id\ttext\n{id}1\t{FOX}\n{id}2\tother\n{id}3\t{CAT}\n");
    let members = [("z.txt", FOX.as_bytes()), ("folder/z.tsv", &tabs('z').into_bytes())];
    let zipped = zip(&members, ::zip::CompressionMethod::Deflated);
    let array = format!("[{{\"text\":\"{FOX}\"}},{{\"id\":\"j\",\"text\":\"{CAT}\"}}]");
    let workspace = Workspace::new("referred_sources")
        .file("old/a.txt", format!("{FOX}\r\n"))
        .file("old/b.html", format!("<p>{FOX}</p>"))
        .file("old/c.jsonl", records_with(&[CAT.to_owned(), format!("{FOX}\r\n")], "l"))
        .file("old/d.csv", &rows)
        .file("old/e.jsonl.gz", gzip(&records))
        .file("old/f.txt.gz", gzip(FOX))
        .file("old/g.tar", tar(&[("one.txt", FOX.as_bytes()), ("in.tar", &inner), ("two.txt", CAT.as_bytes())]))
        .file("old/h.json", array)
        .file("old/i.tsv", tabs('t'))
        .file("old/j.zip", zipped)
        .file("old/wide.txt", wide)
        .file("old/packed.txt", gzip(FOX))
        .file("new/q.txt", FOX)
        .file("new/s.jsonl", records_with(&[CAT.to_owned(), format!("{LOREM} {FOX}")], "q"));
    build(&workspace, &["old", "--threshold", "0.5", "--k", "3"]);
    let compare = ["compare", "new", "--against", "old", "--threshold", "0.5", "--k", "3", "-q", "--with-source"];
    let lines = printed(&workspace, &compare);
    assert!(lines.lines().count() > 30, "{lines}");
    for threads in ["1", "3"] {
        let query = ["query", "x.index", "new", "-q", "--with-source", "--threads", threads];
        workspace.dedup(&query).stdout(&lines).stderr("").exit_code(0);
    }
    let with_passages = printed(&workspace, &["query", "x.index", "new", "-q", "--show-passages"]);
    assert_eq!(with_passages.lines().count(), lines.lines().count());
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
    // The texts are those that an index which keeps them has, in the same order.
    printed(&workspace, &["index", "build", "kept.index", "old", "-q", "--threshold", "0.5", "--k", "3"]);
    let kept = printed(&workspace, &["index", "export", "kept.index"]);
    assert_eq!(printed(&workspace, &["index", "export", "x.index"]), kept);
    // They have as much to say about what came in and what is asked.
    for index in ["x.index", "kept.index"] {
        let mut follow = workspace.command(&["query", index, "--stdin"]);
        let mut child =
            follow.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
        let questions = records_with(&[CAT.to_owned(), FOX.to_owned(), CAT.to_owned()], "f");
        child.stdin.take().unwrap().write_all(questions.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        fs::write(workspace.path(format!("{index}.answers")), output.stdout).unwrap();
    }
    assert_eq!(workspace.read("x.index.answers"), workspace.read("kept.index.answers"));
    // The same of another index of places, and of two that became one.
    printed(&workspace, &["index", "rebuild", "again.index", "x.index", "--k", "4", "-q"]);
    assert_eq!(printed(&workspace, &["index", "export", "again.index"]), kept);
    printed(
        &workspace,
        &["index", "build", "new.index", "new", "-q", "--threshold", "0.5", "--k", "3", "--texts", "refer"],
    );
    printed(&workspace, &["index", "merge", "both.index", "x.index", "new.index", "-q"]);
    let new = printed(&workspace, &["index", "export", "new.index"]);
    assert_eq!(printed(&workspace, &["index", "export", "both.index"]), kept + &new);
    let both = info(&workspace, "both.index");
    assert_eq!((both["text_storage"].as_str(), both["documents"].as_u64()), (Some("refer"), both["texts"].as_u64()));
    let refused = "dedup: kept.index: one of it and x.index stores texts, and the other refers to them; build one of them again with the \
                   --texts of the other\n";
    workspace.dedup(&["index", "merge", "m.index", "x.index", "kept.index"]).stdout("").stderr(refused).exit_code(2);
}

#[test]
fn of_many_documents_with_other_texts_the_first_twenty_are_named() {
    let workspace = Workspace::new("referred_many").file("q.txt", FOX);
    let workspace = (0..23).fold(workspace, |workspace, number| workspace.file(format!("old/{number:02}"), FOX));
    build(&workspace, &["old"]);
    (0..23).for_each(|number| fs::write(workspace.path(format!("old/{number:02}")), LOREM).unwrap());
    let named: String = (0..20).map(|number| stale(&format!("old/{number:02}"), "changed")).collect();
    let all = named + "dedup: and 3 more (changed since they were indexed)\n";
    workspace.dedup(&["query", "x.index", "q.txt", "-q"]).stdout("").stderr(&all).exit_code(3);
}

#[test]
fn a_document_with_another_text_is_named_and_is_no_answer() {
    let workspace = Workspace::new("referred_stale")
        .file("old/a.txt", FOX)
        .file("old/b.txt", CAT)
        .file("old/c.txt", format!("{FOX}\n"))
        .file("old/far.txt", LOREM)
        .file("q.txt", FOX);
    build(&workspace, &["old", "--threshold", "0.5"]);
    let ask = ["query", "x.index", "q.txt", "-q"];
    let all = printed(&workspace, &ask);
    assert_eq!(all.lines().count(), 3);
    let without = |name: &str| -> String { all.split_inclusive('\n').filter(|line| !line.contains(name)).collect() };
    // What nobody asks for may change.
    fs::write(workspace.path("old/far.txt"), "another text").unwrap();
    workspace.dedup(&ask).stdout(&all).stderr("").exit_code(0);
    fs::write(workspace.path("old/far.txt"), LOREM).unwrap();
    // The same text in another file of the same name is the same document.
    fs::remove_file(workspace.path("old/b.txt")).unwrap();
    workspace.dedup(&ask).stdout(&without("b.txt")).stderr(&stale("old/b.txt", "vanished")).exit_code(3);
    fs::write(workspace.path("old/b.txt"), CAT).unwrap();
    workspace.dedup(&ask).stdout(&all).stderr("").exit_code(0);
    // Line ends are a part of it, though they may count for nothing.
    for other in [format!("{CAT}\n"), format!("{CAT} "), FOX.to_owned(), String::new()] {
        fs::write(workspace.path("old/b.txt"), &other).unwrap();
        workspace.dedup(&ask).stdout(&without("b.txt")).stderr(&stale("old/b.txt", "changed")).exit_code(3);
    }
    fs::write(workspace.path("old/b.txt"), b"\xFF\xFE\xFF").unwrap();
    workspace.dedup(&ask).stdout(&without("b.txt")).stderr(&stale("old/b.txt", "changed")).exit_code(3);
    // Neither a folder nor a pipe that nobody writes to is waited for.
    fs::remove_file(workspace.path("old/b.txt")).unwrap();
    let workspace = workspace.folder("old/b.txt");
    workspace.dedup(&ask).stdout(&without("b.txt")).stderr(&stale("old/b.txt", "changed")).exit_code(3);
    fs::remove_dir(workspace.path("old/b.txt")).unwrap();
    #[cfg(unix)]
    let workspace = workspace.fifo("old/b.txt");
    #[cfg(unix)]
    workspace.dedup(&ask).stdout(&without("b.txt")).stderr(&stale("old/b.txt", "changed")).exit_code(3);
    let _ = fs::remove_file(workspace.path("old/b.txt"));
    fs::write(workspace.path("old/b.txt"), "another text").unwrap();
    // Of copies each is looked at: c is found though a stands for both.
    fs::write(workspace.path("old/a.txt"), "another text").unwrap();
    let both = stale("old/a.txt", "changed") + &stale("old/b.txt", "changed");
    workspace
        .dedup(&ask)
        .stdout_with(|lines| assert!(lines.contains("c.txt") && lines.lines().count() == 1))
        .stderr(&both)
        .exit_code(3);
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr(&both).exit_code(3);
    workspace
        .dedup(&["index", "export", "x.index"])
        .stdout_with(|lines| assert_eq!(lines.lines().count(), 2))
        .stderr(&both)
        .exit_code(3);
    workspace.dedup(&["index", "rebuild", "y.index", "x.index", "-q"]).stdout("").stderr(&both).exit_code(3);
    assert_eq!(info(&workspace, "y.index")["documents"], 2);
    // Removed, or added again, they are what they are now.
    workspace.dedup(&["index", "remove", "x.index", "old/a.txt", "-q"]).stdout("").stderr("").exit_code(0);
    let add = ["index", "add", "x.index", "old", "-q", "--known", "replace"];
    workspace.dedup(&add).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
    workspace
        .dedup(&ask)
        .stdout_with(|lines| assert!(lines.contains("c.txt") && lines.lines().count() == 1))
        .stderr("")
        .exit_code(0);
}

#[test]
fn a_follower_names_what_it_could_not_compare() {
    let workspace =
        Workspace::new("referred_follow").file("a.txt", FOX).file("b.jsonl", records_with(&[CAT.to_owned()], "r"));
    build(&workspace, &["a.txt", "b.jsonl", "--threshold", "0.5"]);
    fs::write(workspace.path("b.jsonl"), records_with(&[LOREM.to_owned()], "r")).unwrap();
    let questions = records_with(&[FOX.to_owned(), FOX.to_owned()], "q");
    let workspace = workspace.stdin(questions);
    let look = |lines: &str| {
        for line in lines.lines() {
            let answer: Value = serde_json::from_str(line).unwrap();
            assert_eq!((&answer["stale"], &answer["matches"][0]["b"]), (&"r0".into(), &"a.txt".into()), "{line}");
        }
        assert_eq!(lines.lines().count(), 2);
    };
    let look = |lines: &str| look(&lines.replace("[\"r0\"]", "\"r0\""));
    let follow = ["query", "x.index", "--stdin"];
    workspace.dedup(&follow).stdout_with(look).stderr(&stale("r0", "changed")).exit_code(3);
}

#[test]
fn what_moved_is_found_when_it_is_added_again() {
    let records = records_with(&[FOX.to_owned(), CAT.to_owned(), LOREM.to_owned()], "r");
    let workspace = Workspace::new("referred_moved").file("day/1.jsonl", &records).file("q.txt", FOX);
    build(&workspace, &["day", "--threshold", "0.5"]);
    let ask = ["query", "x.index", "q.txt", "-q"];
    let all = printed(&workspace, &ask);
    // From another folder too, since paths are absolute.
    let mut elsewhere = workspace.command(&["query", "../x.index", "../q.txt", "-q"]);
    let output = elsewhere.current_dir(workspace.path("day")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout).replace("../q.txt", "q.txt"), all);
    fs::rename(workspace.path("day"), workspace.path("archive")).unwrap();
    let gone = stale("r0", "vanished") + &stale("r1", "vanished");
    workspace.dedup(&ask).stdout("").stderr(&gone).exit_code(3);
    let added = "added      0, 3 unchanged\n";
    workspace.dedup(&["index", "add", "x.index", "archive"]).stdout("").stderr(added).exit_code(0);
    workspace.dedup(&ask).stdout(&all).stderr("").exit_code(0);
    // A line that is elsewhere in its file is not where it was.
    fs::write(workspace.path("archive/1.jsonl"), format!("{{\"id\":\"r9\",\"text\":\"new\"}}\n{records}")).unwrap();
    workspace.dedup(&ask).stdout("").stderr(&gone.replace("vanished", "changed")).exit_code(3);
    let added = "added      1, 3 unchanged\n";
    workspace.dedup(&["index", "add", "x.index", "archive"]).stdout("").stderr(added).exit_code(0);
    workspace.dedup(&ask).stdout(&all).stderr("").exit_code(0);
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&["index", "compact", "x.index"]).stdout("").stderr("").exit_code(0);
    workspace.dedup(&ask).stdout(&all).stderr("").exit_code(0);
}

#[test]
fn rows_and_members_are_looked_for_in_their_file() {
    let row = |id: &str, text: &str| format!("{id},\"{text}\"\n");
    let rows =
        |rows: &[(&str, &str)]| format!("id,text\n{}", rows.iter().map(|(id, text)| row(id, text)).collect::<String>());
    let workspace = Workspace::new("referred_members")
        .file("a.csv", rows(&[("r1", FOX), ("r2", LOREM), ("r3", CAT)]))
        .file("b.tar", tar(&[("one.txt", FOX.as_bytes()), ("two.txt", CAT.as_bytes()), ("x.txt", b"x")]))
        .file("q.txt", FOX);
    build(&workspace, &["a.csv", "b.tar", "--threshold", "0.5"]);
    let ask = ["query", "x.index", "q.txt", "-q"];
    let all = printed(&workspace, &ask);
    assert_eq!(all.lines().count(), 4);
    let names = |lines: &str| -> Vec<String> {
        lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["b"].as_str().unwrap().to_owned())
            .collect()
    };
    // A row that is gone, one that changed, and members in another order, of which one is gone.
    fs::write(workspace.path("a.csv"), rows(&[("r1", CAT), ("r2", LOREM)])).unwrap();
    fs::write(workspace.path("b.tar"), tar(&[("x.txt", b"x"), ("two.txt", CAT.as_bytes())])).unwrap();
    let expected = ["r1", "r3", "b.tar!one.txt"].map(|name| stale(name, "changed")).concat();
    let look = |lines: &str| assert_eq!(names(lines), ["b.tar!two.txt"]);
    workspace.dedup(&ask).stdout_with(look).stderr(&expected).exit_code(3);
    fs::write(workspace.path("b.tar"), tar(&[("two.txt", CAT.as_bytes()), ("one.txt", FOX.as_bytes())])).unwrap();
    fs::write(workspace.path("a.csv"), rows(&[("r1", FOX), ("r2", LOREM), ("r3", CAT)])).unwrap();
    workspace.dedup(&ask).stdout(&all).stderr("").exit_code(0);
    fs::write(workspace.path("b.tar"), b"no archive any more").unwrap();
    fs::remove_file(workspace.path("a.csv")).unwrap();
    let expected = [
        stale("r1", "vanished"),
        stale("r3", "vanished"),
        stale("b.tar!one.txt", "changed"),
        stale("b.tar!two.txt", "changed"),
    ];
    workspace.dedup(&ask).stdout("").stderr(&expected.concat()).exit_code(3);
}

#[test]
fn settings_of_inputs_are_those_of_each_command_that_added() {
    let workspace = Workspace::new("referred_ways")
        .file("a.txt", format!("name;body\n1;\"{FOX}\"\n"))
        .file("b.jsonl", format!("{{\"id\":\"b\",\"title\":\"{CAT}\",\"text\":\"none of it\"}}\n"))
        .file("c.txt", FOX.replace("quick", "qu\u{EF}ck").chars().map(|c| c as u8).collect::<Vec<u8>>())
        .file("q.txt", FOX);
    build(
        &workspace,
        &["a.txt", "--input-format", "csv", "--delimiter", ";", "--text-field", "body", "--threshold", "0.5"],
    );
    let add = |args: &[&str]| {
        let add = [&["index", "add", "x.index", "-q"][..], args].concat();
        workspace.dedup(&add).stdout("").stderr("").exit_code(0);
    };
    add(&["b.jsonl", "--text-field", "title"]);
    add(&["c.txt", "--encoding", "latin1"]);
    let lines = printed(&workspace, &["query", "x.index", "q.txt", "-q"]);
    assert_eq!(lines.lines().count(), 3, "{lines}");
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
    // Questions that are added have their places too.
    let unseen = ["query", "x.index", "b.jsonl", "--add", "all", "-q", "--known", "skip"];
    workspace.dedup(&unseen).stdout("").stderr("").exit_code(0);
    printed(&workspace, &["query", "x.index", "q.txt", "--add", "all", "-q"]);
    let lines = printed(&workspace, &["query", "x.index", "q.txt", "-q"]);
    assert_eq!(lines.lines().count(), 4, "{lines}");
    workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
}

#[test]
fn what_cannot_be_read_again_is_refused() {
    let workspace = Workspace::new("referred_refused").file("a.txt", FOX).file("a.up", FOX).stdin(FOX);
    build(&workspace, &["a.txt"]);
    let stdin = "dedup: -: standard input cannot be read again; write it to a file, or keep texts in the index (--texts keep)\n";
    let build = ["index", "build", "y.index", "-", "--texts", "refer", "-q"];
    workspace.dedup(&build).stdout("").stderr(stdin).exit_code(2);
    workspace.dedup(&["index", "add", "x.index", "-", "-q"]).stdout("").stderr(stdin).exit_code(2);
    workspace.dedup(&["query", "x.index", "-", "--add", "all", "-q"]).stdout("").stderr(stdin).exit_code(2);
    let filter =
        "dedup: --filter: an index that refers to texts runs no programs (--texts keep does without); remove it\n";
    let build = ["index", "build", "y.index", "a.up", "--texts", "refer", "-q", "--filter", "up=cat"];
    workspace.dedup(&build).stdout("").stderr(filter).exit_code(2);
    let follow = "dedup: --add: this index refers to texts in files, but a line from standard input is not in a file; remove it\n";
    workspace.dedup(&["query", "x.index", "--stdin", "--add", "all"]).stdout("").stderr(follow).exit_code(2);
    assert!(!workspace.path("y.index").exists());
    // Questions from standard input are no documents of the index.
    let ask = ["query", "x.index", "-", "-q"];
    workspace.dedup(&ask).stdout_with(|lines| assert_eq!(lines.lines().count(), 1)).stderr("").exit_code(0);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_refused() {
    let workspace = Workspace::new("referred_pipe").fifo("pipe").file("text", FOX);
    let script = "cat text > pipe & $D index build x.index pipe --texts refer -q";
    let refused = "dedup: pipe: it is not a file that can be read again; write it to a file, or keep texts in the index (--texts keep)\n";
    workspace.shell(script).stdout("").stderr(refused).exit_code(2);
}

#[test]
fn a_text_goes_with_its_last_document_however_they_are_removed() {
    for texts in ["keep", "refer"] {
        let workspace = Workspace::new("referred_removed")
            .file("old/a.txt", FOX)
            .file("old/b.txt", FOX)
            .file("old/c.txt", format!("{FOX}\n"))
            .file("q.txt", FOX);
        printed(&workspace, &["index", "build", "x.index", "old", "-q", "--texts", texts]);
        let mut left = 3;
        for name in ["old/a.txt", "old/c.txt", "old/b.txt"] {
            let _ = fs::remove_file(workspace.path(name));
            workspace.dedup(&["index", "remove", "x.index", name, "-q"]).stdout("").stderr("").exit_code(0);
            printed(&workspace, &["index", "compact", "x.index"]);
            workspace.dedup(&["index", "check", "x.index"]).stdout("").stderr("").exit_code(0);
            left -= 1;
            assert_eq!(
                printed(&workspace, &["query", "x.index", "q.txt", "-q"]).lines().count(),
                left,
                "{texts} {name}"
            );
        }
        assert_eq!((info(&workspace, "x.index")["texts"].as_u64(), left), (Some(0), 0), "{texts}");
    }
}

#[test]
fn a_merge_takes_the_text_that_can_be_read() {
    let records = records_with(&[FOX.to_owned(), CAT.to_owned()], "r");
    let workspace = Workspace::new("referred_merge").file("a.jsonl", &records).file("b.jsonl", &records);
    for name in ["a", "b"] {
        let (index, input) = (format!("{name}.index"), format!("{name}.jsonl"));
        let build = ["index", "build", &index, &input, "--texts", "refer", "-q"];
        workspace.dedup(&build).stdout("").stderr("").exit_code(0);
    }
    fs::write(workspace.path("a.jsonl"), records_with(&[LOREM.to_owned()], "r")).unwrap();
    for (out, indexes) in [("1.index", ["a.index", "b.index"]), ("2.index", ["b.index", "a.index"])] {
        let merge = [&["index", "merge", out, "-q"][..], &indexes].concat();
        workspace.dedup(&merge).stdout("").stderr("").exit_code(0);
        assert_eq!(printed(&workspace, &["index", "export", out]).lines().count(), 2);
        workspace.dedup(&["index", "check", out]).stdout("").stderr("").exit_code(0);
    }
}
