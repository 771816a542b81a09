//! Groups of equal records, in the order of the sorted records: of each group all but the kept occurrence are marked.

use super::records::{DistinctSpan, Occurrence, RepeatMark, SingleRun, TokenPosition};
use super::settings::{KeptOccurrence, RepeatSettings};
use crate::base::error::Result;
use crate::base::storage::RecordSorter;

/// Marks the spans that are repeated as a whole, and collects the others that have a gram in common.
pub(super) struct SpanGroups<'a> {
    settings: RepeatSettings,
    marks: &'a RecordSorter<RepeatMark>,
    /// Receives distinct spans with the same gram: parts of them may be equal.
    distinct: &'a RecordSorter<DistinctSpan>,
    /// The first span of the current group of equal ones.
    first: Option<Occurrence>,
    /// The spans of the group that are not marked yet, because too few documents have it.
    waiting: Vec<Occurrence>,
    last_document: u32,
    num_documents: u32,
    num_occurrences: u64,
    /// The first span with the current gram, until another one comes.
    only_of_gram: Option<Occurrence>,
}

impl<'a> SpanGroups<'a> {
    pub(super) fn new(
        settings: RepeatSettings,
        marks: &'a RecordSorter<RepeatMark>,
        distinct: &'a RecordSorter<DistinctSpan>,
    ) -> Self {
        Self {
            settings,
            marks,
            distinct,
            first: None,
            waiting: Vec::new(),
            last_document: 0,
            num_documents: 0,
            num_occurrences: 0,
            only_of_gram: None,
        }
    }

    /// Adds the next span.
    pub(super) fn add(&mut self, next: Occurrence) -> Result<()> {
        let first = match self.first {
            Some(first) if first.equals(next) => first,
            previous => {
                self.begin(previous, next)?;
                next
            }
        };
        if self.num_occurrences == 0 || next.position.document != self.last_document {
            self.num_documents += 1;
            self.last_document = next.position.document;
        }
        self.num_occurrences += 1;
        self.waiting.push(next);
        if self.num_documents >= self.settings.least_documents() && self.num_occurrences > 1 {
            let settings = self.settings;
            let goes = |occurrence: &Occurrence| goes(settings, occurrence.position, first.position);
            let mark = |occurrence: Occurrence| {
                let TokenPosition { token, .. } = occurrence.position;
                let end = token + occurrence.num_runs - 1 + settings.run() as u32;
                RepeatMark { position: occurrence.position, end, first: first.position }
            };
            self.marks.push(self.waiting.drain(..).filter(goes).map(mark))?;
        }
        Ok(())
    }

    /// Begins the group of a span.
    fn begin(&mut self, previous: Option<Occurrence>, next: Occurrence) -> Result<()> {
        (self.num_documents, self.num_occurrences) = (0, 0);
        self.waiting.clear();
        self.first = Some(next);
        // A unit that is a gram has no parts.
        if self.settings.gram() == self.settings.run() {
            return Ok(());
        }
        let distinct = |span: Occurrence| DistinctSpan { position: span.position, num_runs: span.num_runs };
        if previous.is_some_and(|previous| previous.gram() == next.gram()) {
            let first = self.only_of_gram.take();
            return self.distinct.push(first.into_iter().chain([next]).map(distinct));
        }
        self.only_of_gram = Some(next);
        Ok(())
    }
}

/// Marks the runs that are repeated.
pub(super) struct RunGroups<'a> {
    settings: RepeatSettings,
    marks: &'a RecordSorter<RepeatMark>,
    first: Option<SingleRun>,
    /// Whether the current group has more than one run.
    is_repeated: bool,
}

impl<'a> RunGroups<'a> {
    pub(super) fn new(settings: RepeatSettings, marks: &'a RecordSorter<RepeatMark>) -> Self {
        Self { settings, marks, first: None, is_repeated: false }
    }

    /// Adds the next run.
    pub(super) fn add(&mut self, next: SingleRun) -> Result<()> {
        let Some(first) = self.first.filter(|first| first.equals(next)) else {
            (self.first, self.is_repeated) = (Some(next), false);
            return Ok(());
        };
        let settings = self.settings;
        let mark = |position: TokenPosition| RepeatMark {
            position,
            end: position.token + settings.run() as u32,
            first: first.position,
        };
        let first_too = (!self.is_repeated && goes(settings, first.position, first.position)).then_some(first.position);
        self.is_repeated = true;
        self.marks.push(first_too.into_iter().chain([next.position]).map(mark))
    }
}

/// Whether an occurrence of a repeated run is cut.
fn goes(settings: RepeatSettings, position: TokenPosition, first: TokenPosition) -> bool {
    settings.keep == KeptOccurrence::None || position != first
}
