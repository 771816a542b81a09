//! The filters of rows: what their union makes of any grouping is what a scan prints.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::process::Output;

use dedup_scan::exchange::{ComponentRecord, GroupEndRecord, VerifiedRecord};
use dedup_scan::records::{PairRecord, SignatureRecord};
use serde_json::json;

use crate::support::{CAT, FOX, LOREM, Random, Workspace, name};

/// A document: its order, its id and its text.
pub(crate) type Row = (String, String, String);

fn run(workspace: &Workspace, args: &[&str], input: &str) -> Output {
    let output = assert_cmd::Command::from_std(workspace.command(args)).write_stdin(input).output().unwrap();
    workspace.assert_no_temporary_files();
    output
}

/// What a filter without a fault prints.
pub(crate) fn filter(workspace: &Workspace, args: &[&str], input: &str) -> String {
    let Output { status, stdout, stderr } = run(workspace, args, input);
    assert!(status.code() == Some(0) && stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8(stdout).unwrap()
}

/// The one line with which a filter refuses rows.
pub(crate) fn refusal(workspace: &Workspace, args: &[&str], input: &str) -> String {
    let Output { status, stderr, .. } = run(workspace, args, input);
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(status.code() == Some(2) && stderr.lines().count() == 1, "{args:?}: {status} {stderr}");
    stderr
}

pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// Families of near texts, exact copies, chains, odd, empty and short texts, in document order.
pub(crate) fn documents(seed: u64) -> Vec<Row> {
    let mut random = Random(seed);
    let mut texts = vec![String::new(), " \n".to_owned(), "x".to_owned(), "x".to_owned()];
    let odd = format!("nul \0 \u{2028} back \\ slash \\n tab \t end \r\n 中文 𝄞 \" {LOREM}");
    texts.extend([odd.clone(), format!("{odd} more"), format!("  {odd}")]);
    for _ in 0..25 {
        let words: Vec<String> = (0..60).map(|_| format!("w{}", random.below(3000))).collect();
        for _ in 0..random.below(7) {
            let mut words = words.clone();
            for _ in 0..random.below(5) {
                let at = random.below(60);
                words[at] = format!("other{}", random.below(3));
            }
            texts.push(words.join([" ", "\n", "\t"][random.below(3)]));
        }
    }
    let chain: Vec<String> = (0..200).map(|number| format!("c{}", number * 7919 % 1009)).collect();
    texts.extend((0..25).map(|link| chain[4 * link..4 * link + 60].join(" ")));
    for at in (1..texts.len()).rev() {
        texts.swap(at, random.below(at + 1));
    }
    let name = |number: usize| ["", "id \\ ", "ünï\u{2028}-", "\"q'-", "\u{1F600}", "\u{FFEE}"][number % 6].to_owned();
    let rows = texts.into_iter().enumerate();
    rows.map(|(number, text)| (format!("{:04}", number / 3), format!("{}{number:04}", name(number)), text)).collect()
}

/// The documents in the order of the bytes of their orders and ids.
pub(crate) fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by(|a, b| (a.0.as_bytes(), a.1.as_bytes()).cmp(&(b.0.as_bytes(), b.1.as_bytes())));
    rows
}

fn records(rows: &[Row]) -> String {
    rows.iter().map(|(_, id, text)| json!({"id": id, "text": text}).to_string() + "\n").collect()
}

fn tsv_rows(rows: &[Row]) -> String {
    rows.iter().map(|(_, id, text)| format!("{id}\t{}\n", escaped(text))).collect()
}

/// The component of each document by common keys and texts, by the number of its first document.
fn components(signed: &[SignatureRecord]) -> Vec<usize> {
    let mut component: Vec<usize> = (0..signed.len()).collect();
    let mut by_key: HashMap<(usize, u64), usize> = HashMap::new();
    for (document, record) in signed.iter().enumerate() {
        for (band, &key) in record.keys.iter().enumerate() {
            let other = *by_key.entry((band, key)).or_insert(document);
            let (from, to) = (component[document].max(component[other]), component[document].min(component[other]));
            component.iter_mut().filter(|at| **at == from).for_each(|at| *at = to);
        }
    }
    component
}

/// The lines of pairs in rows of TSV, put in document order.
fn in_order(rows: &str) -> String {
    let mut pairs: Vec<Vec<&str>> = rows.lines().map(|row| row.split('\t').collect()).collect();
    pairs.sort_by_key(|row| (row[2].as_bytes(), row[0].as_bytes(), row[3].as_bytes(), row[1].as_bytes()));
    pairs.iter().map(|row| format!("{}\n", row[4])).collect()
}

#[test]
fn signed_rows_are_the_lines_of_a_run_over_the_same_records() {
    for (seed, flags) in [
        (1, &[][..]),
        (2, &["--values", "--signature", "fast"]),
        (3, &["--shingle", "word", "--lowercase", "--min-tokens", "3"]),
    ] {
        let rows = documents(seed);
        let workspace = Workspace::new("filter_sign").file("all.jsonl", records(&rows));
        let of_run = filter(&workspace, &[&["sign", "-q", "all.jsonl"], flags].concat(), "");
        let lines = filter(&workspace, &[&["sign", "--pipe", "jsonl"], flags].concat(), &records(&rows));
        if seed != 3 {
            assert!(lines == of_run, "{flags:?}");
        } else {
            // A document with too few tokens is no document of a run; its row has no keys.
            let with_keys: Vec<&str> = lines.lines().filter(|line| !line.contains("\"keys\":[]")).collect();
            assert_eq!(with_keys, of_run.lines().filter(|line| !line.contains("\"keys\":[]")).collect::<Vec<_>>());
            assert!(lines.lines().count() > of_run.lines().count());
        }
        let of_tsv = filter(&workspace, &[&["sign", "--pipe", "tsv"], flags].concat(), &tsv_rows(&rows));
        assert_eq!(of_tsv.lines().count(), rows.len());
        for ((row, line), (_, id, _)) in of_tsv.lines().zip(lines.lines()).zip(&rows) {
            let record: SignatureRecord = serde_json::from_str(line).unwrap();
            let list = |numbers: Vec<String>| numbers.join(",");
            let keys = list(record.keys.iter().map(|&key| (key as i64).to_string()).collect());
            let mut expected = format!("{id}\t{}\t{}\t{keys}", record.shingles, record.text_hash.unwrap_or_default());
            if let Some(signature) = record.signature {
                expected += &format!("\t{}", list(signature.iter().map(u32::to_string).collect()));
            }
            assert_eq!(row, expected);
        }
    }
}

#[test]
fn the_pairs_of_any_grouping_of_components_are_those_of_a_scan() {
    for (seed, flags) in [
        (1, &[][..]),
        (2, &["--threshold", "0.5"]),
        (3, &["--shingle", "word", "--k", "2", "--signature", "fast", "--threshold", "0.6"]),
        (4, &["--bands", "60", "--rows", "2", "--nfkc", "--seed", "9"]),
        (5, &["--shingle", "line", "--k", "1", "--threshold", "0.2"]),
    ] {
        let rows = sorted(documents(seed));
        let workspace = Workspace::new("filter_groups").file("all.jsonl", records(&rows));
        let scan = ["scan", "-q", "--collapse-exact", "all.jsonl"];
        let scan = String::from_utf8(workspace.command(&[&scan, flags].concat()).output().unwrap().stdout).unwrap();
        let signed = filter(&workspace, &[&["sign", "--pipe", "jsonl"], flags].concat(), &records(&rows));
        let signed: Vec<SignatureRecord> = signed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let components = components(&signed);
        assert!(components.iter().collect::<BTreeSet<_>>().len() > 20 && scan.lines().count() > 10, "{flags:?}");
        for num_groups in [1, 2, 7, 1000] {
            let mut random = Random(seed * 31 + num_groups as u64);
            let groups: Vec<usize> = (0..rows.len()).map(|_| random.below(num_groups)).collect();
            let mut of_groups: BTreeMap<usize, Vec<&Row>> = BTreeMap::new();
            for (row, &component) in rows.iter().zip(&components) {
                of_groups.entry(groups[component]).or_default().push(row);
            }
            let all = of_groups.iter().flat_map(|(group, rows)| rows.iter().map(move |row| (group, *row)));
            let all: Vec<(&usize, &Row)> = all.collect();
            let tsv = |&(group, (ord, id, text)): &(&usize, &Row)| format!("{group}\t{ord}\t{id}\t{}\n", escaped(text));
            let input: String = all.iter().map(tsv).collect();
            let args = [&["verify", "--by", "group"], flags].concat();
            let found = filter(&workspace, &args, &input);
            assert!(in_order(&found) == scan, "{flags:?} in {num_groups} groups");
            // In other formats, with more threads, and with what is in no memory.
            let least = [&args[..], &["--memory", "16MiB", "--threads", "3"]].concat();
            assert_eq!(filter(&workspace, &least, &input), found);
            let json = all.iter().map(|(group, (ord, id, text))| {
                json!({"group": group, "ord": ord, "id": id, "text": text}).to_string() + "\n"
            });
            let lines = filter(&workspace, &[&args[..], &["--pipe", "jsonl"]].concat(), &json.collect::<String>());
            let rows_of_lines: String = lines
                .lines()
                .map(|line| {
                    let row: VerifiedRecord = serde_json::from_str(line).unwrap();
                    let [a, b, ord_a, ord_b] = [&row.a, &row.b, &row.ord_a, &row.ord_b].map(name);
                    format!("{a}\t{b}\t{ord_a}\t{ord_b}\t{}\n", row.line)
                })
                .collect();
            assert_eq!(rows_of_lines, found);
        }
    }
}

#[test]
fn texts_beyond_the_memory_are_kept_in_a_file() {
    // Twelve texts of half a megabyte, where a quarter of 16 MiB is for texts.
    let mut random = Random(5);
    let text: Vec<String> = (0..90_000).map(|_| format!("w{}", random.below(90_000))).collect();
    let rows: Vec<Row> =
        (0..12).map(|at| (String::new(), format!("{at:02}"), text[1500 * at..70_000 + 1500 * at].join(" "))).collect();
    let workspace = Workspace::new("filter_memory").file("all.jsonl", records(&rows));
    let args = ["scan", "-q", "--collapse-exact", "all.jsonl", "--threshold", "0.7"];
    let scan = String::from_utf8(workspace.command(&args).output().unwrap().stdout).unwrap();
    let input: String = rows.iter().map(|(_, id, text)| format!("g\t\t{id}\t{text}\n")).collect();
    let found = filter(&workspace, &["verify", "--by", "group", "--threshold", "0.7", "--memory", "16MiB"], &input);
    assert!(scan.lines().count() > 10 && in_order(&found) == scan);
}

#[test]
fn pairs_by_themselves_have_the_lines_of_a_scan() {
    let rows = sorted(documents(6));
    let workspace = Workspace::new("filter_pairs").file("all.jsonl", records(&rows));
    let scan = ["scan", "-q", "--collapse-exact", "all.jsonl", "--threshold", "0.6"];
    let scan = String::from_utf8(workspace.command(&scan).output().unwrap().stdout).unwrap();
    let signed = filter(&workspace, &["sign", "--pipe", "jsonl", "--threshold", "0.6"], &records(&rows));
    let signed: Vec<SignatureRecord> = signed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let first_of = |at: usize| (0..=at).find(|&first| signed[first].text_hash == signed[at].text_hash).unwrap();
    let (mut pairs, mut copies) = (String::new(), String::new());
    for (b, (ord_b, id_b, text_b)) in rows.iter().enumerate().filter(|&(at, _)| signed[at].text_hash.is_some()) {
        if first_of(b) < b {
            let (ord_a, id_a, _) = &rows[first_of(b)];
            copies += &format!("{id_a}\t{id_b}\t{ord_a}\t{ord_b}\t{}\n", signed[b].shingles);
            continue;
        }
        for (a, (ord_a, id_a, text_a)) in rows[..b].iter().enumerate().filter(|&(a, _)| first_of(a) == a) {
            if signed[a].keys.iter().zip(signed[b].keys.iter()).any(|(a, b)| a == b) {
                let (text_a, text_b) = (escaped(text_a), escaped(text_b));
                pairs += &format!("{id_a}\t{id_b}\t{ord_a}\t{ord_b}\t{text_a}\t{text_b}\n");
            }
        }
    }
    let of_pairs = filter(&workspace, &["verify", "--by", "pair", "--threshold", "0.6"], &pairs);
    let of_copies = filter(&workspace, &["verify", "--by", "copy", "--threshold", "0.6", "--ends"], &copies);
    let end = format!("\t\t{0}\t{0}\t\n", copies.lines().count());
    let of_copies = of_copies.strip_suffix(&end).expect("the last row counts the rows");
    assert!(of_pairs.lines().count() < pairs.lines().count() && !of_copies.is_empty());
    assert!(in_order(&(of_pairs + of_copies)) == scan);
}

#[test]
fn ends_count_what_was_read_and_written() {
    let workspace = Workspace::new("filter_ends");
    let input = format!("g\t\ta\t{FOX}\ng\t\tb\t{CAT}\nh\t\ta\t{FOX}\ni\t\tz\t\n");
    let tsv = filter(&workspace, &["verify", "--by", "group", "--ends"], &input);
    let rows: Vec<&str> = tsv.lines().collect();
    assert!(rows.len() == 4 && rows[0].starts_with("a\tb\t\t\t{\"a\":\"a\""), "{tsv}");
    assert_eq!(rows[1..], ["g\t\t2\t1\t", "h\t\t1\t0\t", "i\t\t1\t0\t"]);
    let json: String = [("g", "a", FOX), ("g", "b", CAT)]
        .map(|(group, id, text)| json!({"group": group, "id": id, "text": text}).to_string() + "\n")
        .concat();
    let lines = filter(&workspace, &["verify", "--by", "group", "--ends", "--pipe", "jsonl"], &json);
    let end: GroupEndRecord = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    assert_eq!((end.rows, end.pairs, lines.lines().count()), (2, 1, 2));
}

#[test]
fn edges_become_stars_of_the_least_node_in_any_order_and_in_parts() {
    let workspace = Workspace::new("filter_edges");
    for seed in 0..4 {
        let mut random = Random(seed);
        let edges: Vec<(String, String)> =
            (0..300).map(|_| (format!("n{}", random.below(400)), format!("n{}", random.below(400)))).collect();
        let rows = |edges: &[(String, String)]| edges.iter().map(|(a, b)| format!("{a}\t{b}\n")).collect::<String>();
        let all = filter(&workspace, &["cluster", "--edges"], &rows(&edges));
        let mut root: BTreeMap<&str, &str> = edges.iter().flat_map(|(a, b)| [(&**a, &**a), (&**b, &**b)]).collect();
        for _ in 0..root.len() {
            for (a, b) in &edges {
                let least = root[&**a].min(root[&**b]);
                root.insert(a, least);
                root.insert(b, least);
            }
        }
        assert_eq!(all, root.iter().map(|(node, root)| format!("{node}\t{root}\n")).collect::<String>());
        let parts: String =
            edges.chunks(37).map(|part| filter(&workspace, &["cluster", "--edges"], &rows(part))).collect();
        assert_eq!(filter(&workspace, &["cluster", "--edges"], &parts), all);
        let json: String = edges.iter().map(|(a, b)| json!({"a": a, "b": b}).to_string() + "\n").collect();
        let lines = filter(&workspace, &["cluster", "--edges", "--pipe", "jsonl"], &json);
        let of_lines = lines.lines().map(|line| {
            let row: ComponentRecord = serde_json::from_str(line).unwrap();
            format!("{}\t{}\n", name(&row.node), name(&row.root))
        });
        assert_eq!(of_lines.collect::<String>(), all);
    }
}

#[test]
fn nodes_of_one_key_hang_together_and_others_are_left_out() {
    let workspace = Workspace::new("filter_keys");
    let args = ["cluster", "--edges", "--by-key"];
    for seed in 0..4 {
        let mut random = Random(seed);
        let rows: Vec<(String, String)> =
            (0..300).map(|_| (random.below(700).to_string(), format!("n{}", random.below(200)))).collect();
        // An edge from each node to the others of its key, by looking at all pairs of rows.
        let edges = rows.iter().flat_map(|(key, node)| {
            let others = rows.iter().filter(move |(other, found)| other == key && found != node);
            others.map(move |(_, other)| format!("{node}\t{other}\n"))
        });
        let expected = filter(&workspace, &["cluster", "--edges"], &edges.collect::<String>());
        assert!((50..200).contains(&expected.lines().count()), "{expected}");
        let of_rows: String = rows.iter().map(|(key, node)| format!("{key}\t{node}\n")).collect();
        assert_eq!(filter(&workspace, &args, &of_rows), expected);
        let json: String =
            rows.iter().map(|(key, node)| json!({"key": key, "node": node}).to_string() + "\n").collect();
        let lines = filter(&workspace, &[&args[..], &["--pipe", "jsonl"]].concat(), &json);
        assert_eq!(lines.lines().count(), expected.lines().count());
    }
    assert_eq!(filter(&workspace, &args, "k\ta\nk\ta\nl\tb\n"), "");
    let said = refusal(&workspace, &["cluster", "--by-key", "."], "");
    assert!(said.contains("--edges: missing"), "{said}");
}

#[test]
fn nothing_in_is_nothing_out() {
    let workspace = Workspace::new("filter_nothing");
    for args in [
        &["sign", "--pipe", "tsv"][..],
        &["sign", "--pipe", "jsonl"],
        &["cluster", "--edges"],
        &["verify", "--by", "group"],
    ] {
        assert_eq!(filter(&workspace, args, ""), "", "{args:?}");
    }
    assert_eq!(filter(&workspace, &["verify", "--by", "pair", "--ends"], ""), "\t\t0\t0\t\n");
}

#[test]
fn the_lines_of_pairs_are_records() {
    let workspace = Workspace::new("filter_lines");
    let rows = filter(&workspace, &["verify", "--by", "copy"], "a\tb\t1\t2\t36\n");
    let line = rows.strip_prefix("a\tb\t1\t2\t").unwrap().trim_end();
    let pair: PairRecord = serde_json::from_str(line).unwrap();
    assert_eq!((pair.jaccard, pair.shared, pair.estimate), (1.0, 36, 1.0));
}
