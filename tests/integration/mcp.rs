//! `dedup mcp`: the messages of the Model Context Protocol, and the same answers as `dedup query`.

use serde_json::{Value, json};

use crate::support::*;

/// A request.
fn request(id: u64, method: &str, params: Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

/// A call of a tool.
fn call(id: u64, tool: &str, arguments: Value) -> String {
    request(id, "tools/call", json!({"name": tool, "arguments": arguments}))
}

/// The replies to messages.
#[track_caller]
fn replies(corpus: &Workspace, args: &[&str], messages: &[String]) -> Vec<Value> {
    let args = [&["mcp", "-q"], args].concat();
    let mut command = assert_cmd::Command::from_std(corpus.command(&args));
    let output = command.write_stdin(messages.join("\n") + "\n").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn result(reply: &Value) -> &Value {
    let result = &reply["result"];
    assert_eq!(
        result["content"][0]["text"].as_str().map(|text| serde_json::from_str(text).unwrap()),
        Some(result["structuredContent"].clone())
    );
    &result["structuredContent"]
}

fn corpus(name: &'static str) -> Workspace {
    Workspace::new(name)
        .file("in/fox", FOX)
        .file("in/cat", CAT)
        .file("in/lorem", LOREM)
        .file("in/a.py", "def f(a):\n    return a + 1\n".repeat(40))
        .file("in/b.py", "def g(b):\n    return b + 1\n".repeat(40))
}

#[test]
fn an_agent_learns_the_tools_and_what_is_wrong_with_a_message() {
    let corpus = corpus("mcp_protocol");
    let messages = [
        request(
            1,
            "initialize",
            json!({"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}),
        ),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string(),
        request(2, "tools/list", json!({})),
        request(3, "ping", json!({})),
        request(4, "initialize", json!({"protocolVersion": "1999-01-01"})),
        request(5, "resources/list", json!({})),
        call(6, "rm", json!({})),
        call(7, "similar_to", json!({"words": "x"})),
        call(8, "similar_to", json!({})),
        call(9, "similar_to", json!({"name": "in/none"})),
        call(10, "similar_to", json!({"text": "x", "limit": 0})),
        json!({"jsonrpc": "2.0", "id": "long", "method": "x".repeat(64 << 20)}).to_string(),
        "not JSON".to_owned(),
        "[1]".to_owned(),
        String::new(),
        json!({"jsonrpc": "2.0", "id": "last", "method": "ping"}).to_string(),
    ];
    let replies = replies(&corpus, &["in", "-t", "0.5"], &messages);
    assert_eq!(replies.len(), messages.len() - 2, "a notification and an empty line have no reply: {replies:?}");
    assert_eq!(replies[0]["result"]["protocolVersion"], "2025-03-26");
    assert_eq!(replies[0]["result"]["serverInfo"]["name"], "dedup");
    let tools: Vec<&str> =
        replies[1]["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(tools, ["similar_to", "explain"], "documents in files cannot be added");
    assert_eq!((&replies[2]["id"], &replies[2]["result"]), (&json!(3), &json!({})));
    assert_eq!(replies[3]["result"]["protocolVersion"], "2025-06-18");
    assert_eq!((&replies[4]["error"]["code"], &replies[5]["error"]["code"]), (&json!(-32601), &json!(-32602)));
    for (reply, text) in
        [(6, "words"), (7, "give one of text and name"), (8, "no document has the name in/none"), (9, "a nonzero")]
    {
        let reply = &replies[reply]["result"];
        assert!(reply["isError"] == true && reply["content"][0]["text"].as_str().unwrap().contains(text), "{reply}");
    }
    assert!(replies[10]["error"]["message"].as_str().unwrap().contains("longer than 64 MiB"), "{}", replies[10]);
    assert_eq!((&replies[11]["error"]["code"], &replies[11]["id"]), (&json!(-32700), &Value::Null));
    assert_eq!(replies[12]["error"]["code"], -32600);
    assert_eq!(replies[13]["id"], "last");
}

#[test]
fn the_answers_are_those_of_query_and_explain() {
    let corpus = corpus("mcp_answers");
    let text = FOX.replace("lazy", "old");
    let corpus = corpus.file("question", &text).stdin("");
    let run = |args: &[&str]| assert!(corpus.command(args).output().unwrap().status.success(), "{args:?}");
    run(&["index", "build", "-q", "../x.index", "in", "-t", "0.3", "--k", "4"]);
    let mut lines = String::new();
    let query = ["query", "-q", "../x.index", "question", "--show-passages"];
    corpus.dedup(&query).stdout_with(|printed| lines = printed.to_owned()).stderr("").exit_code(0);
    let mut expected: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    expected.iter_mut().for_each(|pair| drop(pair.as_object_mut().unwrap().remove("a")));
    expected.sort_by(|one, other| other["jaccard"].as_f64().unwrap().total_cmp(&one["jaccard"].as_f64().unwrap()));
    let question = call(1, "similar_to", json!({"text": text}));
    for args in [&["../x.index"][..], &["in", "-t", "0.3", "--k", "4"]] {
        let replies = replies(
            &corpus,
            args,
            &[
                question.clone(),
                call(2, "similar_to", json!({"text": text, "limit": 1})),
                call(3, "similar_to", json!({"name": "in/fox"})),
                call(4, "explain", json!({"a": "in/fox", "text_b": text})),
                call(5, "explain", json!({"a": "in/fox", "b": "in/cat"})),
            ],
        );
        let found = result(&replies[0]);
        assert!(found["matches"] == json!(expected) && expected.len() == 2, "{found}");
        assert_eq!((&found["total"], &found["threshold"]), (&json!(2), &json!(0.3)));
        assert_eq!(result(&replies[1])["matches"], json!([expected[0]]));
        let of_name = result(&replies[2])["matches"].as_array().unwrap();
        assert!(of_name.len() == 1 && of_name[0]["b"] == "in/cat", "a document is not similar to itself: {of_name:?}");
        for (reply, b, file) in [(3, "the given text", "question"), (4, "in/cat", "in/cat")] {
            let mut json = String::new();
            let explain = ["explain", "in/fox", file, "--json", "-q", "-t", "0.3", "--k", "4"];
            corpus.dedup(&explain).stdout_with(|printed| json = printed.to_owned()).stderr("").exit_code(0);
            let mut expected: Value = serde_json::from_str(&json).unwrap();
            expected["b"] = json!(b);
            assert_eq!(*result(&replies[reply]), expected);
        }
    }
    // Programs are compared by their tokens, in the language of their extension.
    let replies = replies(
        &corpus,
        &["in/a.py", "in/b.py", "--preset", "code"],
        &[call(1, "explain", json!({"a": "in/a.py", "b": "in/b.py"}))],
    );
    assert_eq!(result(&replies[0])["jaccard"], 1.0);
}

#[test]
fn a_text_that_was_added_is_found_by_the_next_question_and_stays() {
    let corpus = corpus("mcp_add");
    assert!(corpus.command(&["index", "build", "-q", "../x.index", "in"]).output().unwrap().status.success());
    let text = "A text that nobody has written before, and that is added now.";
    let replies_of = |messages: &[String]| replies(&corpus, &["../x.index"], messages);
    let first = replies_of(&[
        request(0, "tools/list", json!({})),
        call(1, "similar_to", json!({"text": text})),
        call(2, "add", json!({"name": "new", "text": text})),
        call(3, "similar_to", json!({"text": text})),
        call(4, "add", json!({"name": "new", "text": text})),
        call(5, "add", json!({"name": "new", "text": "another text under the same name"})),
    ]);
    assert_eq!(first[0]["result"]["tools"].as_array().unwrap().len(), 3);
    assert_eq!(result(&first[1])["total"], 0);
    assert_eq!(*result(&first[2]), json!({"added": true, "is_there": true}));
    assert_eq!(result(&first[3])["matches"][0]["b"], "new");
    assert_eq!(*result(&first[4]), json!({"added": false, "is_there": true}));
    // The caller of a tool can give no flags of the program.
    let failed = |reply: &Value, text: &str| {
        assert_eq!((&reply["result"]["isError"], &reply["result"]["content"][0]["text"]), (&json!(true), &json!(text)));
    };
    failed(&first[5], "new: duplicate id: the index has another text with it; choose another id");
    let refer = ["index", "build", "-q", "../refer.index", "in", "--texts", "refer"];
    assert!(corpus.command(&refer).output().unwrap().status.success());
    let refused = replies(&corpus, &["../refer.index"], &[call(1, "add", json!({"name": "new", "text": text}))]);
    assert_eq!(refused[0]["error"]["message"], "add: no such tool");
    assert!(
        corpus
            .command(&["index", "build", "-q", "../stale.index", "in", "--texts", "refer"])
            .output()
            .unwrap()
            .status
            .success()
    );
    std::fs::write(corpus.path("in/fox"), "Something else.").unwrap();
    let stale = replies(&corpus, &["../stale.index"], &[call(1, "similar_to", json!({"text": FOX}))]);
    assert_eq!(result(&stale[0])["not_compared"], json!(["in/fox: changed since it was indexed"]));
    std::fs::write(corpus.path("in/fox"), FOX).unwrap();
    let second = replies_of(&[call(1, "similar_to", json!({"text": text}))]);
    assert_eq!(result(&second[0])["matches"][0]["jaccard"], 1.0);
    let look = |text: &str| assert!(text.starts_with("dedup: -: standard input has the messages"), "{text}");
    corpus.dedup(&["mcp", "in", "-"]).stdout("").stderr_with(look).exit_code(2);
    // The settings of an index cannot be changed.
    let look = |text: &str| assert!(text.contains("--k"), "{text}");
    corpus.dedup(&["mcp", "../x.index", "--k", "3"]).stdout("").stderr_with(look).exit_code(2);
}

#[test]
fn a_signal_ends_it_and_leaves_no_temporary_index() {
    use std::io::{BufRead, BufReader, Write};
    let corpus = corpus("mcp_signal").folder("tmp");
    let mut command = corpus.command(&["mcp", "-q", "in"]);
    command.env("TMPDIR", corpus.path("tmp")).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all((request(1, "ping", json!({})) + "\n").as_bytes()).unwrap();
    let mut reply = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut reply).unwrap();
    assert!(reply.contains("\"result\":{}"), "{reply}");
    assert_eq!(std::fs::read_dir(corpus.path("tmp")).unwrap().count(), 1);
    signal(&child, "TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_eq!(std::fs::read_dir(corpus.path("tmp")).unwrap().count(), 0);
    drop(stdin);
}

#[test]
fn with_the_preset_of_prose_documents_are_found_by_their_passages() {
    let words = |start: usize, len: usize| -> String {
        (start..start + len).map(|word| format!("w{}x ", word * 7919 % 100_003)).collect()
    };
    let corpus = Workspace::new("mcp_prose").file("in/article", words(0, 400)).file("in/other", words(1000, 400));
    let text = words(5000, 700) + &words(100, 60);
    let ask = [call(1, "similar_to", json!({"text": text}))];
    let found = replies(&corpus, &["in", "--preset", "prose"], &ask);
    let found = result(&found[0]);
    assert_eq!((&found["total"], &found["coverage"], &found["threshold"]), (&json!(1), &json!(0.1), &Value::Null));
    let first = &found["matches"][0];
    assert_eq!(
        (&first["b"], &first["matched"], &first["coverage_b"]),
        (&json!("in/article"), &json!(60), &json!(0.15))
    );
}
