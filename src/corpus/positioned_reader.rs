//! `PositionedReader`: loads a document once more, with the way from each byte of its normalised text to the original.
//!
//! Offsets count the bytes of the original as it is stored, whatever its encoding; lines are those of the original.

use std::ops::Range;

use super::same_text::SameText;
use super::settings::CorpusSettings;
use crate::document::{DocId, Documents, OffsetsOf};
use crate::flat::line_starts::LineStarts;
use crate::flat::offset_map::OffsetMap;
use crate::flat::offset_trace::OffsetTrace;
use crate::flat::per_thread::PerThread;
use crate::input::{Reader, Sources};
use crate::normalize::Normalizer;
use crate::problem::Problem;

/// Loads documents once more, from any thread of the pool.
pub(crate) struct PositionedReader<'a> {
    documents: &'a Documents,
    workers: PerThread<(Reader<'a>, Normalizer)>,
    same_text: SameText<'a>,
}

/// A normalised text, and where each byte of it comes from.
#[derive(Debug)]
pub(crate) struct PositionedText {
    /// The normalised text: valid UTF-8.
    pub(crate) text: Vec<u8>,
    /// From the normalised text to the original.
    pub(crate) map: OffsetMap,
    /// The lines of the original.
    pub(crate) lines: LineStarts,
    /// What the original is.
    pub(crate) of: OffsetsOf,
}

/// A part of an original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OriginalPart {
    /// Its first and its last line, from 1, both in it.
    pub(crate) lines: [u64; 2],
    /// Its bytes, from 0.
    pub(crate) bytes: Range<usize>,
}

impl PositionedText {
    /// What a range of the normalised text comes from: from the source of its first byte to the end of that of its last.
    ///
    /// # Panics
    /// Beyond the text.
    pub(crate) fn original(&self, range: Range<usize>) -> OriginalPart {
        let bytes = self.map.source_range(range);
        let last = bytes.end.saturating_sub(1).max(bytes.start);
        OriginalPart { lines: [self.lines.line_of(bytes.start), self.lines.line_of(last)], bytes }
    }
}

impl<'a> PositionedReader<'a> {
    pub(crate) fn new(settings: CorpusSettings<'a>, documents: &'a Documents, sources: &'a Sources) -> Self {
        let worker = || (Reader::new(settings.inputs(), sources), settings.normalizer());
        Self {
            documents,
            workers: PerThread::new(settings.resources.threads.get(), worker),
            same_text: SameText::new(documents, "its passages are missing"),
        }
    }

    /// Reads this very document, since copies of a text may be written differently. `None` when it cannot be read as it was
    /// in the first pass, which is reported once.
    ///
    /// Takes a few times as long as reading without positions; the map takes two bytes or a few more for each place at which
    /// the normalised text differs from the original.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn read(&self, document: DocId) -> Option<PositionedText> {
        let mut worker = self.workers.get();
        let (reader, normalizer) = &mut *worker;
        let mut trace = OffsetTrace::default();
        let text = std::mem::take(self.same_text.read(document, reader, normalizer, &mut trace)?);
        let (map, lines) = trace.into_parts(text.len());
        Some(PositionedText { text, map, lines, of: self.documents.located(document).offsets_of() })
    }

    /// The documents that could not be read again, in document order.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.same_text.into_problems()
    }
}
