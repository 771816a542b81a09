//! The filters of rows where keys travel in blocks: the components that rows of keys give, and copies whose texts stay behind.

use std::collections::{BTreeMap, BTreeSet};

use dedup_scan::records::SignatureRecord;
use serde_json::json;

use crate::filters::{Row, documents, escaped, filter, refusal, sorted};
use crate::support::{FOX, Workspace};

fn tsv_rows(rows: &[Row]) -> String {
    rows.iter().map(|(ord, id, text)| format!("{ord}\t{id}\t{}\n", escaped(text))).collect()
}

/// What `sign --blocks` gives: rows of documents, and blocks by their parts.
struct Blocked {
    documents: Vec<Vec<String>>,
    blocks: BTreeMap<String, Vec<String>>,
}

fn blocked(workspace: &Workspace, flags: &[&str], rows: &[Row]) -> Blocked {
    let out = filter(workspace, &[&["sign", "--pipe", "tsv"], flags].concat(), &tsv_rows(rows));
    let mut lines: Vec<Vec<String>> = out.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect();
    let end = lines.pop().expect("the last row counts");
    let (documents, blocks): (Vec<_>, Vec<_>) = lines.into_iter().partition(|row| !row[1].is_empty());
    let counts = ["", "", &documents.len().to_string(), "", "", &blocks.len().to_string(), ""];
    assert_eq!(end, counts);
    let mut by_part: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in blocks {
        assert_eq!(row[..5], ["", "", "", "", ""]);
        by_part.entry(row[5].clone()).or_default().push(row[6].clone());
    }
    Blocked { documents, blocks: by_part }
}

fn stars_of(workspace: &Workspace, blocks: &[&String]) -> String {
    let rows: String = blocks.iter().map(|block| format!("{block}\n")).collect();
    filter(workspace, &["cluster", "--edges", "--by-block"], &rows)
}

#[test]
fn blocks_give_the_components_of_their_keys_in_any_number_of_parts() {
    for (seed, flags) in [(1, &[][..]), (2, &["--shingle", "word", "--threshold", "0.5"]), (3, &["--min-tokens", "30"])]
    {
        let rows = documents(seed);
        let workspace = Workspace::new("filter_blocks");
        let records: String =
            rows.iter().map(|(_, id, text)| json!({"id": id, "text": text}).to_string() + "\n").collect();
        let signed = filter(&workspace, &[&["sign", "--pipe", "jsonl"], flags].concat(), &records);
        let signed: Vec<SignatureRecord> = signed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let hashes: Vec<String> =
            signed.iter().map(|record| record.text_hash.clone().unwrap_or_default().into_owned()).collect();
        let node = |hash: &str| u64::from_str_radix(&hash[..12], 16).unwrap().to_string();
        let keyed = signed
            .iter()
            .zip(&hashes)
            .flat_map(|(record, hash)| record.keys.iter().map(move |key| format!("{key}\t{}\n", node(hash))));
        let of_keys = filter(&workspace, &["cluster", "--edges", "--by-key"], &keyed.collect::<String>());
        // A text of several documents is there too.
        let twice = hashes.iter().enumerate().filter(|(at, hash)| !hash.is_empty() && hashes[..*at].contains(hash));
        let twice: BTreeSet<String> = twice.map(|(_, hash)| node(hash)).collect();
        let mut expected: BTreeMap<&str, &str> = twice.iter().map(|node| (&**node, &**node)).collect();
        assert!(!expected.is_empty() && of_keys.lines().count() > 20, "{flags:?}");
        expected.extend(of_keys.lines().map(|line| line.split_once('\t').unwrap()));
        let expected: String = expected.iter().map(|(node, root)| format!("{node}\t{root}\n")).collect();
        for parts in ["1", "2", "7", "5000"] {
            let found = blocked(&workspace, &[&["--blocks", parts], flags].concat(), &rows);
            for ((row, (ord, id, text)), hash) in found.documents.iter().zip(&rows).zip(&hashes) {
                let node = if hash.is_empty() { String::new() } else { node(hash) };
                assert_eq!(row[..], [ord, id, &text.len().to_string(), hash, &node, "", ""]);
            }
            assert!(found.blocks.len() <= parts.parse().unwrap());
            let all: Vec<&String> = found.blocks.values().flatten().collect();
            assert_eq!(stars_of(&workspace, &all), expected, "{flags:?} {parts}");
            // Stars of each part by itself, folded.
            if found.blocks.len() < 10 {
                let stars: String = found.blocks.values().map(|of| stars_of(&workspace, &Vec::from_iter(of))).collect();
                assert_eq!(filter(&workspace, &["cluster", "--edges"], &stars), expected, "{flags:?} {parts}");
            }
        }
    }
}

#[test]
fn an_id_of_several_documents_is_a_node_below_zero() {
    let workspace = Workspace::new("filter_block_ids");
    let row = |id: &str, text: &str| (String::new(), id.to_owned(), text.to_owned());
    let rows = [row("a", FOX), row("b", ""), row("b", "other words altogether"), row("c", "")];
    for parts in ["1", "3", "900"] {
        // In one block, and in blocks of two filters.
        for pieces in [vec![&rows[..]], vec![&rows[..2], &rows[2..]]] {
            let found: Vec<Blocked> =
                pieces.iter().map(|rows| blocked(&workspace, &["--blocks", parts], rows)).collect();
            let all: Vec<&String> = found.iter().flat_map(|found| found.blocks.values().flatten()).collect();
            let stars = stars_of(&workspace, &all);
            let nodes: Vec<&str> = stars.trim_end().split('\t').collect();
            assert!(nodes.len() == 2 && nodes[0] == nodes[1] && nodes[0].starts_with('-'), "{stars}");
        }
    }
}

#[test]
fn copies_need_no_texts_of_their_own() {
    for (seed, flags) in [(1, &[][..]), (2, &["--threshold", "0.5"]), (3, &["--shingle", "word", "--k", "2"])] {
        let rows = sorted(documents(seed));
        let workspace = Workspace::new("filter_copies");
        let blocked = blocked(&workspace, &[&["--blocks", "1"], flags].concat(), &rows);
        let hash = |at: usize| &blocked.documents[at][3];
        let (mut with_texts, mut without) = (String::new(), String::new());
        for (at, (ord, id, text)) in rows.iter().enumerate() {
            let first = (0..at).find(|&first| hash(first) == hash(at) && !hash(at).is_empty());
            let text = escaped(text);
            with_texts += &format!("g\t{ord}\t{id}\t{text}\n");
            without += &match first {
                Some(first) => format!("g\t{ord}\t{id}\t\t{}\n", rows[first].1),
                None => format!("g\t{ord}\t{id}\t{text}\t\n"),
            };
        }
        assert!(without.len() < with_texts.len());
        let args = [&["verify", "--by", "group", "--ends"], flags].concat();
        let expected = filter(&workspace, &args, &with_texts);
        assert!(expected.lines().count() > 10);
        assert_eq!(filter(&workspace, &[&args[..], &["--copies"]].concat(), &without), expected, "{flags:?}");
    }
}

#[test]
fn rows_that_blocks_cannot_have_are_refused() {
    let workspace = Workspace::new("filter_block_rows");
    let rows = [("".to_owned(), "a".to_owned(), FOX.to_owned())];
    let block = blocked(&workspace, &["--blocks", "1"], &rows).blocks.remove("0").unwrap().remove(0);
    let cut_off = format!("{block}\n{}\n", &block[..block.len() - 2]);
    let no_digit = format!("{}x\n", &block[1..]);
    for (args, input, fault) in [
        (&["sign", "--pipe", "tsv", "--blocks", "1"][..], "a\tx\n", "row 1: 2 fields instead of 3 (ord, id, text)"),
        (&["sign", "--pipe", "tsv", "--blocks", "1"], "1\ta\tx\n\t\tx\n", "row 2: the field id is empty"),
        (&["sign", "--pipe", "tsv", "--blocks", "1"], "1\u{1f}2\ta\tx\n", "row 1: its order has a control character"),
        (&["cluster", "--edges", "--by-block"], &cut_off, "row 2: it, or one before it, is no whole block of keys"),
        (&["cluster", "--edges", "--by-block"], "00\n", "row 1: it, or one before it, is no whole block of keys"),
        (
            &["cluster", "--edges", "--by-block"],
            &no_digit,
            "row 1: the field block does not consist of hexadecimal digits",
        ),
        (
            &["verify", "--by", "group", "--copies"],
            "g\t\tb\t\ta\n",
            "row 1: it is a copy with a text of its own, or its original",
        ),
        (
            &["verify", "--by", "group", "--copies"],
            "g\t\ta\tx\t\ng\t\tb\tx\ta\n",
            "row 2: it is a copy with a text of its own",
        ),
        (
            &["verify", "--by", "group", "--copies"],
            "g\t\ta\t\t\ng\t\tb\t\ta\n",
            "row 2: it is a copy with a text of its own",
        ),
        (&["verify", "--by", "group", "--copies"], "g\t\ta\tx\n", "row 1: 4 fields instead of 5"),
        (&["verify", "--by", "pair", "--copies"], "", "--copies: only applies to --by group"),
        (
            &["sign", "--pipe", "jsonl", "--blocks", "1"],
            "",
            "--blocks: a block consists of bytes, which JSON Lines cannot hold",
        ),
        (&["cluster", "--edges", "--by-block", "--pipe", "jsonl"], "", "--by-block: a block consists of bytes"),
    ] {
        let said = refusal(&workspace, args, input);
        assert!(said.starts_with(&format!("dedup: {fault}")), "{args:?}: {said}");
    }
    assert_eq!(filter(&workspace, &["cluster", "--edges", "--by-block"], ""), "");
    assert_eq!(filter(&workspace, &["sign", "--pipe", "tsv", "--blocks", "4"], ""), "\t\t0\t\t\t0\t\n");
}

/// Rows without a root at the end count what came in and what went out, so that a job can tell when any is lost.
#[test]
fn components_end_with_the_numbers_of_rows_and_nodes() {
    let workspace = Workspace::new("filter_ends");
    let ends =
        |flags: &[&str], rows: &str| filter(&workspace, &[&["cluster", "--edges", "--ends"], flags].concat(), rows);
    assert_eq!(ends(&[], "c\tb\nb\ta\nc\tb\n"), "a\ta\nb\ta\nc\ta\n3\t\n3\t\n");
    assert_eq!(ends(&["--by-key"], "1\tc\n2\tb\n1\ta\n3\td\n"), "a\ta\nc\ta\n4\t\n2\t\n");
    assert_eq!(ends(&["--by-block"], ""), "0\t\n0\t\n");
    let records = "{\"a\":2,\"b\":1}\n";
    let rows = ["{\"node\":\"1\",\"root\":\"1\"}\n", "{\"node\":\"2\",\"root\":\"1\"}\n"];
    let counts = ["{\"node\":\"1\",\"root\":\"\"}\n", "{\"node\":\"2\",\"root\":\"\"}\n"];
    assert_eq!(ends(&["--pipe", "jsonl"], records), [rows.concat(), counts.concat()].concat());
}
