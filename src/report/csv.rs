//! `csv` and `tsv`: a row for each pair, with all of [`COLUMNS`] whether they are known or not.
//!
//! A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` for a formula, and would run what the name of a file says.
//! Such a name gets an apostrophe before it, as OWASP advises; JSON Lines have every name as it is.

use std::collections::HashMap;
use std::io::{self, Write};

use ::csv::{Terminator, WriterBuilder};

use super::pair::ReportPair;
use super::table::{COLUMNS, TableValue};
use super::words::whole_name;
use super::{ReportSettings, ReportWriter};
use crate::output::{ClusterRecord, JoinedRecord, PairSide};

pub(super) const STARTS: &[&str] = &["a,b,jaccard,", "group,size,name,"];
pub(super) const TAB_STARTS: &[&str] = &["a\tb\tjaccard\t", "group\tsize\tname\t"];

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
        if self.of_groups { self.write(GROUP_COLUMNS, out) } else { self.write(COLUMNS.map(|(name, _)| name), out) }
    }

    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()> {
        let cells = COLUMNS.iter().map(|(_, value)| {
            let cell = match value {
                TableValue::Text(text) => text(pair).map(harmless),
                TableValue::Number(number) => number(pair).map(|number| number.to_string()),
                TableValue::Share(share) => share(pair).map(|share| share.to_string()),
            };
            cell.unwrap_or_default()
        });
        self.write(cells, out)
    }

    fn group(&mut self, group: &ClusterRecord, out: &mut dyn Write) -> io::Result<()> {
        let share = |share: Option<f64>| share.map_or_else(String::new, |share| share.to_string());
        let representative = harmless(whole_name(&group.representative.to_bytes()));
        let joins = group.joined_by.iter().map(|joined| ((joined.name.to_bytes(), joined.side), joined));
        let joins: HashMap<(Vec<u8>, Option<PairSide>), &JoinedRecord> = joins.collect();
        for (at, member) in group.members.iter().enumerate() {
            let side = group.sides.as_ref().map(|sides| sides[at]);
            // The representative was there before all others.
            let joined = joins.get(&(member.to_bytes(), side)).copied();
            let cells = [
                group.group.to_string(),
                group.size.to_string(),
                harmless(whole_name(&member.to_bytes())),
                representative.clone(),
                joined.map_or_else(String::new, |joined| harmless(whole_name(&joined.by.to_bytes()))),
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
fn harmless(name: String) -> String {
    let first = name.trim_start().chars().next();
    let is_formula = matches!(first, Some('=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠'));
    if is_formula || name.starts_with(['\t', '\r', '\n', '\'']) { format!("'{name}") } else { name }
}
