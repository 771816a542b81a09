//! The columns of a table of pairs, which `csv` and `parquet` write.

use super::pair::ReportPair;
use super::words::whole_name;
use crate::passages::{DocumentPart, LocatedPassage};

/// The value of a column, where it is known.
pub(super) enum TableValue {
    Text(fn(&ReportPair) -> Option<String>),
    Number(fn(&ReportPair) -> Option<u64>),
    /// A similarity, containment or coverage.
    Share(fn(&ReportPair) -> Option<f64>),
}

use TableValue::{Number, Share, Text};

/// The columns. New ones are only ever added, and at the end.
pub(super) const COLUMNS: [(&str, TableValue); 24] = [
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
];

/// The lines of all passages, as `L3-L9 L12-L12`; not `3-9`, of which a spreadsheet makes a date.
fn line_list(pair: &ReportPair, part: fn(&LocatedPassage) -> DocumentPart) -> Option<String> {
    let parts = pair.record().passages.as_ref()?.as_ref()?.iter().map(part);
    Some(parts.map(|part| format!("L{}-L{}", part.lines[0], part.lines[1])).collect::<Vec<_>>().join(" "))
}
