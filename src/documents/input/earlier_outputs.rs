//! Recognises files that earlier runs wrote into a walked folder by their first bytes: results, baselines, tables and
//! reports.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

use super::own_files::OwnUse;

/// Recognises a file of records that an earlier run wrote: part of a saved result, a baseline, pairs, groups or a
/// table. It opens only files with the matching extensions, which are few in most trees.
pub(super) fn written_records(path: &Path) -> Option<&'static OwnUse> {
    static RESULT: OwnUse = OwnUse::Written("part of a saved result");
    const RESULT_FILES: [&str; 3] = ["header.json", "pairs.jsonl", "documents.jsonl"];
    let name = path.file_name()?.to_str()?;
    if RESULT_FILES.contains(&name) {
        let header = start_of(&path.with_file_name(RESULT_FILES[0]), RESULT_START.len());
        if header.is_some_and(|start| start == RESULT_START) {
            return Some(&RESULT);
        }
    }
    let (_, extension) = name.rsplit_once('.')?;
    let kinds = || RECORDS.iter().filter(|kind| kind.extension == extension);
    kinds().next()?;
    let start = start_of(path, LOOKED_INTO)?;
    kinds().find(|kind| kind.start.begins(&start)).map(|kind| &kind.own)
}

/// Whether an earlier run wrote a file. It opens the file whatever its name.
pub(crate) fn is_written(path: &Path) -> bool {
    let is_report = || start_of(path, LOOKED_INTO).is_some_and(|start| written_report(&start).is_some());
    written_records(path).is_some() || is_report()
}

/// Recognises a report, which is a single text; `bytes` is the whole file.
pub(super) fn written_report(bytes: &[u8]) -> Option<&'static OwnUse> {
    static REPORT: OwnUse = OwnUse::Written("a report");
    let looked_into = &bytes[..bytes.len().min(LOOKED_INTO)];
    REPORTS.iter().any(|start| start.begins(looked_into)).then_some(&REPORT)
}

const RESULT_START: &[u8] = b"{\"dedup_result\":";

/// Maximum bytes at the start of a file that are examined.
const LOOKED_INTO: usize = 8 << 10;

/// The beginning of a file that a run wrote.
struct Start {
    bytes: &'static str,
    /// Strings that must follow in the rest of the first line, in this order.
    parts: &'static [&'static str],
}

/// A kind of file of records that runs write.
struct RecordsKind {
    extension: &'static str,
    start: Start,
    own: OwnUse,
}

#[rustfmt::skip]
static RECORDS: [RecordsKind; 7] = [
    RecordsKind { extension: "jsonl", start: Start { bytes: "{\"dedup_baseline\":", parts: &[] }, own: OwnUse::Written("a baseline") },
    RecordsKind { extension: "jsonl", start: Start { bytes: "{\"a\":", parts: &[",\"b\":", ",\"jaccard\":", ",\"containment_a\":"] }, own: OwnUse::Written("pairs that a run found") },
    RecordsKind { extension: "jsonl", start: Start { bytes: "{\"group\":", parts: &[",\"members\":[", ",\"representative\":"] }, own: OwnUse::Written("groups that a run found") },
    RecordsKind { extension: "csv", start: Start { bytes: "a,b,jaccard,containment_a,", parts: &[] }, own: OwnUse::Written("a report") },
    RecordsKind { extension: "csv", start: Start { bytes: "group,size,name,representative,", parts: &[] }, own: OwnUse::Written("a report") },
    RecordsKind { extension: "tsv", start: Start { bytes: "a\tb\tjaccard\tcontainment_a\t", parts: &[] }, own: OwnUse::Written("a report") },
    RecordsKind { extension: "tsv", start: Start { bytes: "group\tsize\tname\trepresentative\t", parts: &[] }, own: OwnUse::Written("a report") },
];

/// Reports with a distinctive beginning. Reports in the formats `text`, `markdown` and `github` can begin like any
/// other file.
static REPORTS: [Start; 6] = [
    Start { bytes: "<!DOCTYPE html>\n<!-- A report of dedup", parts: &[] },
    Start { bytes: "{\"$schema\":", parts: &["\"driver\":{\"name\":\"dedup\""] },
    Start { bytes: "[\n{\"type\":\"issue\",\"check_name\":\"near-duplicate\"", parts: &[] },
    Start { bytes: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"dedup\"", parts: &[] },
    Start {
        bytes: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n  <key id=\"name\" for=\"node\" attr.name=\"label\"",
        parts: &[],
    },
    Start { bytes: "graph dedup {\n", parts: &[] },
];

impl Start {
    /// Whether a file that begins with `bytes` matches this beginning.
    fn begins(&self, bytes: &[u8]) -> bool {
        let rest = bytes.strip_prefix(self.bytes.as_bytes());
        let mut line = rest.map(|rest| rest.split(|&byte| byte == b'\n').next().unwrap_or_default());
        for part in self.parts {
            line = line.and_then(|line| Some(&line[memchr::memmem::find(line, part.as_bytes())? + part.len()..]));
        }
        line.is_some()
    }
}

/// The first bytes of a regular file, at most `most`; pipes and devices are not opened.
fn start_of(path: &Path, most: usize) -> Option<Vec<u8>> {
    let mut start = Vec::new();
    path.metadata().ok().filter(Metadata::is_file)?;
    File::open(path).ok()?.take(most as u64).read_to_end(&mut start).ok()?;
    Some(start)
}
