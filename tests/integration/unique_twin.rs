//! `dedup unique` against a slow twin that knows which bytes each document is: every format in one folder, at random.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{Cursor, Read};

use dedup_scan::records::RemovedRecord;

use crate::packing::{packed, unpacked};
use crate::packing::{tar, zip};
use crate::support::*;

/// Bytes of a stored file.
enum Part {
    /// Of no document: a header, a blank line.
    Frame(Vec<u8>),
    /// Of a document of this name.
    Of(String, Vec<u8>),
    /// Of what is not compared.
    Skipped(Vec<u8>),
}

/// What is in a file.
enum Content {
    Parts(Vec<Part>),
    /// Elements, each with what stands behind it, between brackets.
    Array(Vec<(String, String, String)>),
    /// Members by their names.
    Members(Vec<(String, Vec<Part>)>),
    #[cfg(feature = "parquet")]
    Rows(Vec<String>),
}

use Content::{Array, Members, Parts};
use Part::{Frame, Of, Skipped};

/// The names of documents that are gone.
type Gone = BTreeSet<String>;

struct Twin {
    random: Random,
    num: usize,
    skipped: u64,
}

impl Twin {
    /// A name and a text of one of few families.
    fn document(&mut self) -> (String, String) {
        let family = self.random.below(6);
        let mut words: Vec<String> = (0..14).map(|at| format!("w{family}x{at}")).collect();
        for _ in 0..self.random.below(4) {
            let at = self.random.below(words.len());
            words[at] = format!("v{}", self.random.below(9));
        }
        self.num += 1;
        let between = self.random.pick(&[" ", "  ", "\n", "\r\n", "\t"]);
        let quoted = format!("\"{}\"", words[3]);
        if self.random.percent(30) {
            words[3] = quoted;
        }
        (format!("r{}", self.num), words.join(between))
    }

    fn lines(&mut self) -> Vec<Part> {
        let mut parts = vec![Frame(self.random.pick(&["", "\u{FEFF}", "\n\r\n"]).into())];
        for _ in 0..self.random.below(9) {
            let (name, text) = self.document();
            let end = self.random.pick(&["\n", "\r\n", " \n"]);
            let record = format!("{{\"text\": {}, \"é\":[1, 2] ,\"id\":\"{name}\"}}{end}", serde_json::json!(text));
            parts.push(Of(name, record.into()));
            if self.random.percent(20) {
                parts.push(Frame(self.random.pick(&["\n", " \r\n", "\n\n"]).into()));
            }
            if self.random.percent(10) {
                self.skipped += 1;
                parts.push(Skipped(b"{no JSON\n".to_vec()));
            }
        }
        self.cut_last(&mut parts);
        parts
    }

    fn table(&mut self, delimiter: char) -> Vec<Part> {
        let mut parts =
            vec![Frame(format!("{}id{delimiter}text\r\n", self.random.pick(&["", "\u{FEFF}", "\n"])).into())];
        for _ in 0..self.random.below(9) {
            let (name, text) = self.document();
            let end = self.random.pick(&["\n", "\r\n"]);
            let is_plain = !text.contains(['"', '\n', '\r', '\t']) && self.random.percent(50);
            let field = if is_plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) };
            parts.push(Of(name.clone(), format!("{name}{delimiter}{field}{end}").into()));
            if self.random.percent(20) {
                parts.push(Frame(self.random.pick(&["\n", "\r\n"]).into()));
            }
        }
        self.cut_last(&mut parts);
        parts
    }

    /// The last line may have no end.
    fn cut_last(&mut self, parts: &mut [Part]) {
        if let Some(Of(_, last)) = parts.last_mut().filter(|_| self.random.percent(50)) {
            last.truncate(last.trim_ascii_end().len());
        }
    }

    fn array(&mut self) -> Content {
        let num = 1 + self.random.below(6);
        let element = |_| {
            let (name, text) = self.document();
            let between = self.random.pick(&[",", " ,\n", ",\r\n "]).to_owned();
            (name.clone(), format!("{{\"id\":\"{name}\",\"text\":{}}}", serde_json::json!(text)), between)
        };
        Array((0..num).map(element).collect())
    }

    fn members(&mut self, archive: &str) -> Content {
        let mut members = Vec::new();
        for number in 0..1 + self.random.below(6) {
            if self.random.percent(30) {
                members.push((format!("m/{number}.jsonl"), self.lines()));
            } else {
                let name = format!("m/{number}.txt");
                let text = self.document().1;
                members.push((name.clone(), vec![Of(format!("{archive}!{name}"), text.into())]));
            }
        }
        Members(members)
    }
}

/// What stays of the parts; `None` when nothing but frames does of what had more.
fn rest(parts: &[Part], gone: &Gone) -> Option<Vec<u8>> {
    let stays = |part: &&Part| !matches!(part, Of(name, _) if gone.contains(name));
    let is_something = |part: &Part| !matches!(part, Frame(_));
    let bytes = |part: &Part| match part {
        Frame(bytes) | Of(_, bytes) | Skipped(bytes) => bytes.clone(),
    };
    let loses = parts.iter().any(|part| !stays(&part));
    let is_left = !loses || parts.iter().filter(stays).any(is_something);
    is_left.then(|| parts.iter().filter(stays).flat_map(bytes).collect())
}

fn members_left(members: &[(String, Vec<Part>)], gone: &Gone) -> Vec<(String, Vec<u8>)> {
    members.iter().filter_map(|(name, parts)| Some((name.clone(), rest(parts, gone)?))).collect()
}

/// The members of an archive, in order.
fn members_of(archive: &str, bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let read = |reader: &mut dyn Read| {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).unwrap();
        bytes
    };
    if archive.ends_with(".zip") {
        let mut archive = ::zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        return (0..archive.len())
            .map(|at| {
                archive.by_index(at).map(|mut member| (member.name().unwrap().into_owned(), read(&mut member))).unwrap()
            })
            .collect();
    }
    let mut archive = ::tar::Archive::new(bytes);
    let member =
        |mut entry: ::tar::Entry<&[u8]>| (entry.path().unwrap().to_str().unwrap().to_owned(), read(&mut entry));
    archive.entries().unwrap().map(|entry| member(entry.unwrap())).collect()
}

fn stored(content: &Content) -> Vec<u8> {
    match content {
        Parts(parts) => rest(parts, &Gone::new()).unwrap(),
        Array(elements) => {
            let last = elements.len() - 1;
            let text = |(at, (_, element, between)): (usize, &(String, String, String))| {
                element.clone() + if at == last { "" } else { between }
            };
            format!("[ {}\n]\n", elements.iter().enumerate().map(text).collect::<String>()).into()
        }
        Members(_) => unreachable!("these are packed"),
        #[cfg(feature = "parquet")]
        Content::Rows(_) => unreachable!("these are packed"),
    }
}

/// Checks a file of the output.
fn check(name: &str, content: &Content, gone: &Gone, found: Option<Vec<u8>>, before: &[u8], context: &str) {
    let expected = match content {
        Parts(parts) => rest(parts, gone),
        Array(elements) => {
            let left: Vec<_> = elements.iter().filter(|(name, ..)| !gone.contains(name)).cloned().collect();
            (!left.is_empty()).then(|| stored(&Array(left)))
        }
        Members(members) => {
            let left = members_left(members, gone);
            let found = found.map(|found| members_of(name, &found));
            return assert_eq!(found, (!left.is_empty()).then_some(left), "{context} {name}");
        }
        #[cfg(feature = "parquet")]
        Content::Rows(names) => {
            let rows = crate::unique_parquet::rows_of;
            let all = rows(before.to_vec()).into_iter().zip(names);
            let left: Vec<String> = all.filter(|(_, name)| !gone.contains(*name)).map(|(row, _)| row).collect();
            return assert_eq!(found.map(rows), (!left.is_empty()).then_some(left), "{context} {name}");
        }
    };
    let text = |bytes: Option<Vec<u8>>| bytes.map(|bytes| String::from_utf8(bytes).unwrap());
    let _ = before;
    assert_eq!(text(found), text(expected), "{context} {name}");
}

#[test]
fn the_bytes_of_every_format_are_those_of_a_slow_twin() {
    let mut formats_changed = BTreeSet::new();
    for seed in 0..16 {
        let mut twin = Twin { random: Random(seed), num: 0, skipped: 0 };
        let codec = |twin: &mut Twin| twin.random.pick(&["", ".gz", ".zst"]).to_owned();
        let mut files: Vec<(String, String, Content, Vec<u8>)> = Vec::new();
        for format in ["jsonl", "csv", "tsv", "json"] {
            let codec = codec(&mut twin);
            let content = match format {
                "jsonl" => Parts(twin.lines()),
                "csv" => Parts(twin.table(',')),
                "tsv" => Parts(twin.table('\t')),
                _ => twin.array(),
            };
            let bytes = packed(&codec, &stored(&content));
            files.push((format!("in/a.{format}{codec}"), codec, content, bytes));
        }
        for format in ["tar", "zip"] {
            let codec = codec(&mut twin);
            let codec = if format == "zip" { String::new() } else { codec };
            let name = format!("in/b.{format}{codec}");
            let content = twin.members(&name);
            let Members(members) = &content else { unreachable!() };
            let all = members_left(members, &Gone::new());
            let all: Vec<(&str, &[u8])> = all.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
            let method = [::zip::CompressionMethod::Deflated, ::zip::CompressionMethod::Stored][seed as usize % 2];
            let bytes = if format == "zip" { zip(&all, method) } else { packed(&codec, &tar(&all)) };
            files.push((name, codec, content, bytes));
        }
        #[cfg(feature = "parquet")]
        {
            let rows: Vec<(String, String)> = (0..1 + twin.random.below(30)).map(|_| twin.document()).collect();
            let bytes = crate::unique_parquet::at_random(&rows, &mut twin.random);
            let names = rows.into_iter().map(|(name, _)| name).collect();
            files.push(("in/c.parquet".into(), String::new(), Content::Rows(names), bytes));
        }
        for number in 0..8 {
            let name = format!("in/{}{number}.txt", twin.random.pick(&["", "t/", "t/u/"]));
            let content = Parts(vec![Of(name.clone(), twin.document().1.into())]);
            let bytes = stored(&content);
            files.push((name, String::new(), content, bytes));
        }
        let new = Workspace::new("unique_formats_twin").folder("in");
        let workspace = files.iter().fold(new, |workspace, (name, _, _, bytes)| workspace.file(name, bytes));
        let method = ["in", "-q", "--threshold", "0.5", "--bands", "100", "--rows", "2", "--k", "5"];
        let exit_code = if twin.skipped > 0 { 3 } else { 0 };
        let mut edges: BTreeMap<(String, String), f64> = BTreeMap::new();
        let look = |stdout: &str| {
            for pair in records(stdout) {
                edges.insert((name(&pair.a).to_owned(), name(&pair.b).to_owned()), pair.jaccard);
            }
        };
        let scan = workspace.dedup(&[&["scan"], &method[..]].concat());
        scan.stdout_with(look).stderr_with(|_| ()).exit_code(exit_code);
        for args in [["--keep", "first"], ["--keep", "last"], ["--linkage", "components"]] {
            let context = format!("seed {seed} {args:?}");
            let mut gone = Gone::new();
            let mut stand_ins = Vec::new();
            let look = |stdout: &str| {
                for line in stdout.lines() {
                    let record: RemovedRecord = serde_json::from_str(line).unwrap();
                    gone.insert(name(&record.removed).to_owned());
                    stand_ins.push((name(&record.removed).to_owned(), name(&record.kept).to_owned(), record.jaccard));
                }
            };
            let output = ["-o", "out", "--removed", "-", "--summary", "summary.json"];
            let run = workspace.dedup(&[&["unique"], &method[..], &args, &output].concat());
            run.stdout_with(look).stderr_with(|_| ()).exit_code(exit_code);
            for (removed, kept, jaccard) in &stand_ins {
                assert!(!gone.contains(kept), "{context} {kept}");
                let pair = [(removed, kept), (kept, removed)];
                let found = pair.iter().find_map(|&(a, b)| edges.get(&(a.clone(), b.clone())));
                assert!(args[1] == "components" || found.is_some(), "{context} {removed} {kept}");
                assert!(found.is_none() || found == jaccard.as_ref(), "{context} {removed} {kept}");
            }
            // Of those that stay no two are a pair.
            let is_pair_left = |(a, b): &(String, String)| !gone.contains(a) && !gone.contains(b);
            assert_eq!(edges.keys().find(|pair| is_pair_left(pair)), None, "{context}");
            let summary: serde_json::Value = serde_json::from_str(&workspace.read("summary.json")).unwrap();
            let number = |key: &str| summary["unique"][key].as_u64().unwrap();
            assert_eq!((number("removed"), number("skipped")), (gone.len() as u64, twin.skipped), "{context}");
            assert_eq!(number("kept") + number("removed"), summary["documents"].as_u64().unwrap(), "{context}");
            let mut num_bytes = 0;
            for (name, codec, content, before) in &files {
                let written = fs::read(workspace.path(name.replacen("in", "out", 1))).ok();
                num_bytes += written.as_ref().map_or(0, |written| written.len() as u64);
                if written.as_ref().is_some_and(|written| written != before) {
                    formats_changed.insert(name.split_once('.').unwrap().1.to_owned());
                }
                assert_eq!(&fs::read(workspace.path(name)).unwrap(), before, "the input stays");
                let found = written.map(|written| unpacked(codec, &written));
                check(name.strip_suffix(codec.as_str()).unwrap(), content, &gone, found, before, &context);
            }
            assert_eq!(number("bytes"), num_bytes, "{context}");
            assert_eq!(number("input_bytes"), files.iter().map(|(.., bytes)| bytes.len() as u64).sum::<u64>());
            fs::remove_dir_all(workspace.path("out")).unwrap();
        }
    }
    // Each format and codec was written anew at least once.
    for format in ["jsonl", "csv", "tsv", "json", "tar"] {
        for codec in ["", ".gz", ".zst"] {
            assert!(formats_changed.contains(&format!("{format}{codec}")), "{format}{codec}: {formats_changed:?}");
        }
    }
    assert!(formats_changed.contains("zip"), "{formats_changed:?}");
}
