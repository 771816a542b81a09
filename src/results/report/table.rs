//! The tables of pairs and groups, which `csv` and `parquet` write: their columns and the cells of their rows.
//!
//! A new column is a row at the end of `COLUMNS` or `GROUP_COLUMNS`; both formats then have it.

use std::collections::HashMap;

use super::ReportSettings;
use super::pair::ReportPair;
use super::words::whole_name;
use crate::compare::passages::{DocumentPart, LocatedPassage};
use crate::records::{ClusterRecord, JoinedRecord, PairSide};

/// A cell; `None` for an unknown value.
pub(super) enum TableCell {
    Text(Option<String>),
    Number(Option<u64>),
    /// A similarity, containment or coverage.
    Share(Option<f64>),
}

/// The type of a column's cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellKind {
    Text,
    Number,
    Share,
}

/// A function that returns the value of a column for a pair, if it is known.
enum TableValue {
    Text(fn(&ReportPair) -> Option<String>),
    Number(fn(&ReportPair) -> Option<u64>),
    Share(fn(&ReportPair) -> Option<f64>),
}

use TableValue::{Number, Share, Text};

/// The columns for pairs. To keep the format stable, new columns are only added at the end.
const COLUMNS: [(&str, TableValue); 26] = [
    ("a", Text(|pair| Some(whole_name(pair.sides()[0].name)))),
    ("b", Text(|pair| Some(whole_name(pair.sides()[1].name)))),
    ("jaccard", Share(|pair| Some(pair.record().jaccard))),
    ("containment_a", Share(|pair| Some(pair.record().containment_a))),
    ("containment_b", Share(|pair| Some(pair.record().containment_b))),
    ("shared", Number(|pair| Some(pair.record().shared))),
    ("shingles_a", Number(|pair| Some(pair.record().shingles_a))),
    ("shingles_b", Number(|pair| Some(pair.record().shingles_b))),
    ("estimate", Share(|pair| Some(pair.record().estimate))),
    ("jaccard_raw", Share(|pair| pair.record().jaccard_raw)),
    ("jaccard_kept", Share(|pair| pair.record().jaccard_kept)),
    ("file_a", Text(|pair| Some(whole_name(pair.sides()[0].file)))),
    ("line_a", Number(|pair| pair.record().source_a.as_ref()?.line)),
    ("row_a", Number(|pair| pair.record().source_a.as_ref()?.row)),
    ("file_b", Text(|pair| Some(whole_name(pair.sides()[1].file)))),
    ("line_b", Number(|pair| pair.record().source_b.as_ref()?.line)),
    ("row_b", Number(|pair| pair.record().source_b.as_ref()?.row)),
    ("coverage_a", Share(|pair| pair.record().coverage_a)),
    ("coverage_b", Share(|pair| pair.record().coverage_b)),
    ("matched", Number(|pair| pair.record().matched)),
    ("longest", Number(|pair| pair.record().longest)),
    ("passages", Number(|pair| Some(pair.record().passages.as_ref()?.as_ref()?.len() as u64))),
    ("lines_a", Text(|pair| line_list(pair, |passage| passage.a))),
    ("lines_b", Text(|pair| line_list(pair, |passage| passage.b))),
    ("time_a", Text(|pair| pair.record().time_a.clone())),
    ("time_b", Text(|pair| pair.record().time_b.clone())),
];

/// The columns for groups, with a row for each member. New columns are only added at the end.
const GROUP_COLUMNS: [(&str, CellKind); 10] = [
    ("group", CellKind::Number),
    ("size", CellKind::Number),
    ("name", CellKind::Text),
    ("representative", CellKind::Text),
    ("joined_by", CellKind::Text),
    ("jaccard", CellKind::Share),
    ("coverage_name", CellKind::Share),
    ("coverage_by", CellKind::Share),
    ("side", CellKind::Text),
    ("time", CellKind::Text),
];

/// The columns of a report of pairs or groups.
pub(super) fn columns(settings: &ReportSettings) -> Vec<(&'static str, CellKind)> {
    if settings.of_groups {
        return GROUP_COLUMNS.to_vec();
    }
    let columns = COLUMNS.iter().map(|(name, value)| {
        let kind = match value {
            Text(_) => CellKind::Text,
            Number(_) => CellKind::Number,
            Share(_) => CellKind::Share,
        };
        (*name, kind)
    });
    columns.collect()
}

/// The row of a pair.
pub(super) fn row_of_pair(pair: &ReportPair) -> impl Iterator<Item = TableCell> {
    COLUMNS.iter().map(|(_, value)| match value {
        Text(text) => TableCell::Text(text(pair)),
        Number(number) => TableCell::Number(number(pair)),
        Share(share) => TableCell::Share(share(pair)),
    })
}

/// The rows of a group, one for each member.
pub(super) fn rows_of_group(group: &ClusterRecord) -> impl Iterator<Item = [TableCell; GROUP_COLUMNS.len()]> {
    let joins = group.joined_by.iter().map(|joined| ((joined.name.to_bytes(), joined.side), joined));
    let joins: HashMap<(Vec<u8>, Option<PairSide>), &JoinedRecord> = joins.collect();
    let representative = whole_name(&group.representative.to_bytes());
    group.members.iter().enumerate().map(move |(at, member)| {
        let name = member.to_bytes();
        let shown = whole_name(&name);
        let side = group.sides.as_ref().map(|sides| sides[at]);
        // The representative did not join through another document.
        let joined = joins.get(&(name, side)).copied();
        [
            TableCell::Number(Some(group.group)),
            TableCell::Number(Some(group.size)),
            TableCell::Text(Some(shown)),
            TableCell::Text(Some(representative.clone())),
            TableCell::Text(joined.map(|joined| whole_name(&joined.by.to_bytes()))),
            TableCell::Share(joined.map(|joined| joined.jaccard)),
            TableCell::Share(joined.and_then(|joined| joined.coverage_name)),
            TableCell::Share(joined.and_then(|joined| joined.coverage_by)),
            TableCell::Text(side.map(side_of)),
            TableCell::Text(group.times.as_ref().and_then(|times| times[at].clone())),
        ]
    })
}

fn side_of(side: PairSide) -> String {
    match side {
        PairSide::A => "a".to_owned(),
        PairSide::B => "b".to_owned(),
    }
}

/// The lines of all passages, such as `L3-L9 L12-L12`. Spreadsheets would read `3-9` as a date.
fn line_list(pair: &ReportPair, part: fn(&LocatedPassage) -> DocumentPart) -> Option<String> {
    let parts = pair.record().passages.as_ref()?.as_ref()?.iter().map(part);
    Some(parts.map(|part| format!("L{}-L{}", part.lines[0], part.lines[1])).collect::<Vec<_>>().join(" "))
}
