//! `RepeatedRuns`: the tokens of each document that are repeated.

use super::records::{RepeatMark, TokenPosition};
use crate::base::error::Result;
use crate::base::memory::{reserve, reserve_exact};
use crate::base::storage::SortedRecords;
use crate::documents::document::DocId;

/// Consecutive tokens of a document that are repeated. 20 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RepeatedRun {
    document: u32,
    /// The first token.
    pub(crate) start: u32,
    /// The number of the token after the last one.
    pub(crate) end: u32,
    /// The first occurrence in the corpus of its first run. Its later tokens may have another first occurrence.
    pub(crate) first: TokenPosition,
}

impl RepeatedRun {
    pub(crate) fn document(&self) -> DocId {
        DocId::new(self.document as usize)
    }
}

/// The repeated tokens of all documents, in order, and the number of tokens of each document.
#[derive(Debug, Default)]
pub(crate) struct RepeatedRuns {
    runs: Vec<RepeatedRun>,
    lengths: Box<[u32]>,
}

impl RepeatedRuns {
    /// Joins marks that overlap or touch.
    ///
    /// * `lengths`: the number of tokens of each document.
    pub(super) fn new(marks: &SortedRecords<RepeatMark>, lengths: Box<[u32]>) -> Result<Self> {
        let mut runs: Vec<RepeatedRun> = Vec::new();
        for partition in 0..marks.num_partitions() {
            marks.for_each(
                partition,
                1,
                |RepeatMark { position: TokenPosition { document, token }, end, first }| {
                    match runs.last_mut() {
                        Some(last) if last.document == document && token <= last.end => last.end = last.end.max(end),
                        _ => {
                            reserve(&mut runs, 1, "repeated runs")?;
                            runs.push(RepeatedRun { document, start: token, end, first });
                        }
                    }
                    Ok(())
                },
            )?;
        }
        let mut exact = Vec::new();
        reserve_exact(&mut exact, runs.len(), "repeated runs")?;
        exact.append(&mut runs);
        Ok(Self { runs: exact, lengths })
    }

    /// All runs, in document order.
    pub(crate) fn all(&self) -> &[RepeatedRun] {
        &self.runs
    }

    /// The runs of a document, ascending.
    pub(crate) fn of(&self, document: DocId) -> &[RepeatedRun] {
        let start = self.runs.partition_point(|run| run.document < document.get());
        let len = self.runs[start..].partition_point(|run| run.document == document.get());
        &self.runs[start..start + len]
    }

    /// The number of tokens of a document.
    pub(crate) fn length(&self, document: DocId) -> u32 {
        self.lengths.get(document.index()).copied().unwrap_or(0)
    }
}
