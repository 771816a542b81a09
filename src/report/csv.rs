//! `csv` and `tsv`: a row for each pair, with the columns of [`COLUMNS`] whether they are known or not.
//!
//! A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, and would run what the name of a file says.
//! Such a name gets an apostrophe before it, as OWASP advises; JSON Lines have every name as it is.

use std::collections::HashMap;
use std::io::{self, Write};

use ::csv::{Terminator, WriterBuilder};

use super::pair::ReportPair;
use super::words::whole_name;
use super::{ReportSettings, ReportWriter};
use crate::output::{ClusterRecord, JoinedRecord, PairSide};

pub(super) const STARTS: &[&str] = &["a,b,jaccard,", "group,size,name,"];
pub(super) const TAB_STARTS: &[&str] = &["a\tb\tjaccard\t", "group\tsize\tname\t"];

/// The columns. New ones are only ever added, and at the end.
const COLUMNS: [&str; 24] = [
    "a",
    "b",
    "jaccard",
    "containment_a",
    "containment_b",
    "shared",
    "shingles_a",
    "shingles_b",
    "estimate",
    "jaccard_raw",
    "jaccard_kept",
    "file_a",
    "line_a",
    "row_a",
    "file_b",
    "line_b",
    "row_b",
    "coverage_a",
    "coverage_b",
    "matched",
    "longest",
    "passages",
    "lines_a",
    "lines_b",
];

/// The columns of a table of groups, which has a row for each member.
const GROUP_COLUMNS: [&str; 9] =
    ["group", "size", "name", "representative", "joined_by", "jaccard", "coverage_name", "coverage_by", "side"];

struct PairTable {
    of_groups: bool,
    rows: WriterBuilder,
}

pub(super) fn comma_report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(PairTable::new(b',', settings))
}

pub(super) fn tab_report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(PairTable::new(b'\t', settings))
}

impl PairTable {
    fn new(delimiter: u8, settings: &ReportSettings) -> Self {
        let mut rows = WriterBuilder::new();
        // The line ends of RFC 4180, CR LF, confuse the tools of Unix, and all readers take these.
        rows.delimiter(delimiter).terminator(Terminator::Any(b'\n')).buffer_capacity(512);
        Self { of_groups: settings.of_groups, rows }
    }

    fn write<C: AsRef<[u8]>>(&self, cells: impl IntoIterator<Item = C>, out: &mut dyn Write) -> io::Result<()> {
        let mut row = self.rows.from_writer(out);
        row.write_record(cells)?;
        row.flush()
    }
}

impl ReportWriter for PairTable {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        if self.of_groups { self.write(GROUP_COLUMNS, out) } else { self.write(COLUMNS, out) }
    }

    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()> {
        let record = pair.record();
        let share = |share: Option<f64>| share.map_or_else(String::new, |share| share.to_string());
        let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
        let [a, b] = pair.sides();
        let (of_a, of_b) = (record.source_a.as_ref(), record.source_b.as_ref());
        let passages = record.passages.iter().flatten();
        let line_list = |is_b: bool| -> String {
            let parts = passages.clone().flatten().map(|passage| if is_b { passage.b } else { passage.a });
            // Not `3-9`, of which a spreadsheet makes a date.
            parts.map(|part| format!("L{}-L{}", part.lines[0], part.lines[1])).collect::<Vec<_>>().join(" ")
        };
        let cells = [
            harmless(a.name),
            harmless(b.name),
            record.jaccard.to_string(),
            record.containment_a.to_string(),
            record.containment_b.to_string(),
            record.shared.to_string(),
            record.shingles_a.to_string(),
            record.shingles_b.to_string(),
            record.estimate.to_string(),
            share(record.jaccard_raw),
            share(record.jaccard_kept),
            harmless(a.file),
            number(of_a.and_then(|source| source.line)),
            number(of_a.and_then(|source| source.row)),
            harmless(b.file),
            number(of_b.and_then(|source| source.line)),
            number(of_b.and_then(|source| source.row)),
            share(record.coverage_a),
            share(record.coverage_b),
            number(record.matched),
            number(record.longest),
            number(passages.clone().next().map(|passages| passages.len() as u64)),
            line_list(false),
            line_list(true),
        ];
        self.write(cells, out)
    }

    fn group(&mut self, group: &ClusterRecord, out: &mut dyn Write) -> io::Result<()> {
        let share = |share: Option<f64>| share.map_or_else(String::new, |share| share.to_string());
        let representative = harmless(&group.representative.to_bytes());
        let joins = group.joined_by.iter().map(|joined| ((joined.name.to_bytes(), joined.side), joined));
        let joins: HashMap<(Vec<u8>, Option<PairSide>), &JoinedRecord> = joins.collect();
        for (at, member) in group.members.iter().enumerate() {
            let side = group.sides.as_ref().map(|sides| sides[at]);
            // The representative was there before all others.
            let joined = joins.get(&(member.to_bytes(), side)).copied();
            let cells = [
                group.group.to_string(),
                group.size.to_string(),
                harmless(&member.to_bytes()),
                representative.clone(),
                joined.map_or_else(String::new, |joined| harmless(&joined.by.to_bytes())),
                share(joined.map(|joined| joined.jaccard)),
                share(joined.and_then(|joined| joined.coverage_name)),
                share(joined.and_then(|joined| joined.coverage_by)),
                side.map_or_else(String::new, side_of),
            ];
            self.write(cells, out)?;
        }
        Ok(())
    }
}

fn side_of(side: PairSide) -> String {
    match side {
        PairSide::A => "a".to_owned(),
        PairSide::B => "b".to_owned(),
    }
}

/// A name that no spreadsheet takes for a formula.
fn harmless(name: &[u8]) -> String {
    let name = whole_name(name);
    let first = name.trim_start().chars().next();
    let is_formula = matches!(first, Some('=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠'));
    if is_formula || name.starts_with(['\t', '\r', '\n', '\'']) { format!("'{name}") } else { name }
}
