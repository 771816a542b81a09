//! `ReportPair`: a pair as reports show it: the document that it is reported on, the other document, and where both
//! are.

use std::borrow::Cow;

use crate::compare::passages::{DocumentPart, LocatedPassage, PartFiles};
use crate::documents::OffsetsOf;
use crate::records::{ClusterRecord, JoinedRecord, Name, PairCounts, PairRecord, PairSide, PairSort, Source};
use crate::results::saved::file_of;

/// The maximum number of passages that a report lists, longest first; GitHub shows ten annotations of a step.
pub(super) const MOST_PASSAGES: usize = 10;

/// A pair, and the document on which it is reported.
pub struct ReportPair<'a> {
    record: &'a PairRecord<'a>,
    names: [Vec<u8>; 2],
    files: [Option<Vec<u8>>; 2],
    is_about_b: bool,
}

/// One document of a pair.
#[derive(Debug, Clone, Copy)]
pub struct ReportSide<'a> {
    /// The name of the document, which may not be UTF-8.
    pub name: &'a [u8],
    /// The file that contains the document: a path as given, or `archive!member`.
    pub file: &'a [u8],
    source: Option<&'a Source<'a>>,
    is_b: bool,
    is_old: bool,
    time: Option<&'a str>,
}

/// The mark after the name of an old document, in reports for people.
pub(super) const OLD: &str = " (old)";

/// The mark after the name of the representative of a group, if a rule of the user chose it.
pub(super) const KEPT: &str = " (kept)";

/// A time by RFC 3339, as it is shown after a name.
pub(super) fn time_after(time: &str) -> String {
    format!(" {}", time.replace('T', " ").trim_end_matches('Z'))
}

/// The mark after the name of a member of a group.
pub(super) fn mark_of(group: &ClusterRecord, name: &Name, has_choice: bool) -> &'static str {
    match group.old.as_ref().is_some_and(|old| old.contains(name)) {
        true => OLD,
        false if has_choice && group.representative == *name => KEPT,
        false => "",
    }
}

/// How much a member of a group has in common with the earlier member that it was added for: the coverage of the shorter
/// document where documents match by their passages, otherwise their Jaccard similarity.
pub(super) fn share_of(joined: &JoinedRecord) -> f64 {
    match (joined.coverage_name, joined.coverage_by) {
        (Some(name), Some(by)) => f64::max(name, by),
        _ => joined.jaccard,
    }
}

/// The name of a document, with a suffix for the second side to distinguish equal names.
pub(super) fn key_of(name: &[u8], side: Option<PairSide>) -> Cow<'_, [u8]> {
    if side == Some(PairSide::B) { [name, b" (against)"].concat().into() } else { name.into() }
}

/// Whether a document of an unknown source probably has the name of its file: a name without a folder that is not a file
/// is the identifier of a record.
pub(super) fn is_file_name(name: &[u8]) -> bool {
    name.contains(&b'/') || file_of(name).is_some()
}

/// The order of pairs in a report that shows only some of them.
///
/// * `is_ranked`: whether the user chose the order of pairs.
pub(super) fn order(is_ranked: bool, pair: &ReportPair) -> PairSort {
    match pair.record().matched {
        _ if is_ranked => PairSort::Order,
        Some(_) => PairSort::Matched,
        None if pair.record().jaccard_kept.is_some() => PairSort::Kept,
        None => PairSort::Jaccard,
    }
}

/// The location of a document, or of a passage of it, in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportPlace {
    /// The first and the last line, from 1; `None` for a file without useful line numbers, such as Parquet.
    pub lines: Option<[u64; 2]>,
    /// The range of bytes in the file; `None` if it is not known.
    pub bytes: Option<[u64; 2]>,
}

impl<'a> ReportPair<'a> {
    /// * `is_about_b`: whether the pair is reported on the second document, as when only that document was changed.
    pub fn new(record: &'a PairRecord<'a>, is_about_b: bool) -> Self {
        let file = |source: &Option<Source>| source.as_ref().map(|source| source.file.to_bytes());
        Self {
            names: [record.a.to_bytes(), record.b.to_bytes()],
            files: [file(&record.source_a), file(&record.source_b)],
            record,
            is_about_b,
        }
    }

    /// The record of the pair.
    pub fn record(&self) -> &'a PairRecord<'a> {
        self.record
    }

    /// The document on which the pair is reported.
    pub fn about(&self) -> ReportSide<'_> {
        self.side(self.is_about_b)
    }

    /// The other document.
    pub fn other(&self) -> ReportSide<'_> {
        self.side(!self.is_about_b)
    }

    /// Both documents in the order of the record.
    pub fn sides(&self) -> [ReportSide<'_>; 2] {
        [self.side(false), self.side(true)]
    }

    fn side(&self, is_b: bool) -> ReportSide<'_> {
        let at = usize::from(is_b);
        let source = if is_b { self.record.source_b.as_ref() } else { self.record.source_a.as_ref() };
        let name = self.names[at].as_slice();
        ReportSide {
            name,
            file: self.files[at].as_deref().unwrap_or(name),
            source,
            is_b,
            is_old: is_b && self.record.old_b == Some(true),
            time: if is_b { self.record.time_b.as_deref() } else { self.record.time_a.as_deref() },
        }
    }

    /// How much the documents have in common, from 0 to 1: the coverage of the shorter document where documents match
    /// by their passages, otherwise their Jaccard similarity.
    pub fn share(&self) -> f64 {
        if self.record.matched.is_some() { PairCounts::from(self.record).coverage } else { self.record.jaccard }
    }

    /// The passages of the pair, longest first; empty if they are not known.
    pub fn passages(&self) -> Vec<&'a LocatedPassage> {
        let mut passages: Vec<&LocatedPassage> = self.record.passages.iter().flatten().flatten().collect();
        passages.sort_by_key(|passage| std::cmp::Reverse(passage.matched));
        passages
    }
}

impl ReportSide<'_> {
    /// The side of the document, if documents have two sides.
    pub(super) fn side(&self, has_sides: bool) -> Option<PairSide> {
        has_sides.then_some(if self.is_b { PairSide::B } else { PairSide::A })
    }

    /// The mark of an old document; empty for others.
    pub(super) fn mark(&self) -> &'static str {
        if self.is_old { OLD } else { "" }
    }

    /// The time of the document if it is known, and the mark of an old document.
    pub(super) fn time_and_mark(&self) -> String {
        self.time.map_or_else(String::new, time_after) + self.mark()
    }

    /// Whether the document has the name of its file, possibly with a place in it, and not the identifier of a record.
    pub(super) fn is_file_name(&self) -> bool {
        match self.source {
            Some(_) => self.name.starts_with(self.file),
            None => is_file_name(self.name),
        }
    }

    /// The file of the document, or the file in which one of its passages begins, if the document has several files.
    pub(super) fn file_of<'p>(&'p self, passage: Option<&'p LocatedPassage>) -> &'p [u8] {
        passage.and_then(|passage| self.files(passage)).map_or(self.file, |files| files.first().as_bytes())
    }

    /// The part of the document that a passage covers.
    pub(super) fn part<'p>(&self, passage: &'p LocatedPassage) -> &'p DocumentPart {
        if self.is_b { &passage.b } else { &passage.a }
    }

    /// The files in which a passage begins and ends, if the document is joined from files.
    pub(super) fn files<'p>(&self, passage: &'p LocatedPassage) -> Option<&'p PartFiles> {
        if self.is_b { passage.files_b.as_ref() } else { passage.files_a.as_ref() }
    }

    /// The location of the document, or of one of its passages.
    ///
    /// * `passage`: a passage of the pair; `None` for the beginning of the document.
    pub fn place(&self, passage: Option<&LocatedPassage>) -> ReportPlace {
        if let Some(source) = self.source.filter(|source| source.line.or(source.row).is_some()) {
            // The lines of a passage are relative to the record's text, not to the file.
            return ReportPlace { lines: source.line.map(|line| [line, line]), bytes: None };
        }
        match passage.map(|passage| self.part(passage)) {
            // A passage that ends in another file is shown where it begins.
            Some(part) if passage.and_then(|passage| self.files(passage)?.last()).is_some() => {
                ReportPlace { lines: Some([part.lines[0]; 2]), bytes: None }
            }
            Some(part) if part.of.is_file() => ReportPlace { lines: Some(part.lines), bytes: Some(part.bytes) },
            Some(part) if matches!(part.of, OffsetsOf::Member | OffsetsOf::Text) => {
                ReportPlace { lines: Some(part.lines), bytes: None }
            }
            _ => ReportPlace { lines: None, bytes: None },
        }
    }
}

impl ReportPlace {
    /// The lines, or line 1 if they are not known.
    pub fn lines_or_first(&self) -> [u64; 2] {
        self.lines.unwrap_or([1, 1])
    }
}
