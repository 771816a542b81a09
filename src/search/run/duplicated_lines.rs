//! `DuplicatedLines`: the lines of each document that lie in a copied block, and their share of all lines.
//!
//! The lines of all documents are counted by reading them once more; the lines of blocks come with the pairs. A line counts
//! once, however many blocks contain it.

use std::collections::HashMap;

use rayon::prelude::*;
use serde::Serialize;

use crate::base::error::{Error, Result};
use crate::base::problem::Problem;
use crate::documents::document::{DocId, Documents};
use crate::search::corpus::{PositionedReader, ReadCorpus};
use crate::search::pairs::PairBatch;

/// The share of lines that lie in copied blocks. The first and the last line of a block count as a whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Duplication {
    /// The number of lines of all documents of the run, on the first side of a comparison.
    pub lines: u64,
    /// The number of these lines that lie in a block.
    pub duplicated_lines: u64,
    /// `duplicated_lines / lines`, from 0 to 1; 0 without lines.
    pub share: f64,
    /// The documents with such lines, in document order.
    pub documents: Vec<DocumentDuplication>,
}

/// The lines of a document that lie in copied blocks.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DocumentDuplication {
    /// The name of the document, with U+FFFD instead of bytes that are not UTF-8.
    pub document: String,
    /// The number of its lines.
    pub lines: u64,
    /// The number of its lines that lie in a block.
    pub duplicated_lines: u64,
    /// `duplicated_lines / lines`, from 0 to 1.
    pub share: f64,
}

/// Some lines of a text.
#[derive(Debug, Clone, Default)]
pub struct LineSet {
    /// Ranges of lines, both ends inclusive; the first `num_merged` are ascending and apart.
    ranges: Vec<[u64; 2]>,
    num_merged: usize,
}

/// The lines in copied blocks, by document.
#[derive(Default)]
pub(super) struct DuplicatedLines {
    of: HashMap<DocId, LineSet>,
}

impl LineSet {
    /// Adds a range of lines, both ends inclusive.
    pub fn add(&mut self, lines: [u64; 2]) {
        if self.ranges.last() == Some(&lines) {
            return;
        }
        self.ranges.push(lines);
        if self.ranges.len() >= 2 * self.num_merged + 64 {
            self.merge();
        }
    }

    /// The number of lines.
    pub fn count(&mut self) -> u64 {
        self.merge();
        self.ranges.iter().map(|[first, last]| last - first + 1).sum()
    }

    fn merge(&mut self) {
        self.ranges.sort_unstable();
        self.ranges.dedup_by(|next, range| {
            let touches = next[0] <= range[1] + 1;
            if touches {
                range[1] = range[1].max(next[1]);
            }
            touches
        });
        self.num_merged = self.ranges.len();
    }
}

/// Counts the lines of all documents, in the thread pool of the run; 0 for a document that cannot be read again, which is a
/// problem.
///
/// # Errors
/// When the run was cancelled.
pub(super) fn count_lines(corpus: ReadCorpus<'_>) -> Result<(Vec<u64>, Vec<Problem>)> {
    let reader = PositionedReader::new(corpus.settings, corpus.documents, corpus.sources);
    let count = |number: usize| {
        if corpus.sources.has_failed() {
            return Err(Error::Cancelled);
        }
        Ok(reader.read(DocId::new(number)).map_or(0, |text| text.lines.num_lines()))
    };
    let lines =
        (0..corpus.documents.len()).into_par_iter().with_max_len(16).map(count).collect::<Result<Vec<u64>>>()?;
    Ok((lines, reader.into_problems()))
}

impl DuplicatedLines {
    /// Adds the lines of the blocks of each pair.
    pub(super) fn add_pairs(&mut self, batch: &PairBatch<'_>) {
        for (pair, located) in batch.pairs.iter().zip(batch.passages) {
            for passage in located.iter().flat_map(|located| &located.passages) {
                self.of.entry(pair.a).or_default().add(passage.a.lines);
                self.of.entry(pair.b).or_default().add(passage.b.lines);
            }
        }
    }

    /// The share of duplicated lines.
    ///
    /// * `lines`: the number of lines of each document.
    pub(super) fn duplication(mut self, documents: &Documents, lines: &[u64]) -> Duplication {
        let scope = documents.scope();
        let mut found = Duplication::default();
        for (number, &lines) in lines.iter().enumerate() {
            let document = DocId::new(number);
            if scope.is_old(document) || scope.side(document).is_some_and(|side| side != 0) {
                continue;
            }
            found.lines += lines;
            let duplicated_lines = self.of.get_mut(&document).map_or(0, LineSet::count).min(lines);
            if duplicated_lines > 0 {
                found.duplicated_lines += duplicated_lines;
                let document = String::from_utf8_lossy(documents.name(document)).into_owned();
                found.documents.push(DocumentDuplication {
                    document,
                    lines,
                    duplicated_lines,
                    share: share(duplicated_lines, lines),
                });
            }
        }
        found.share = share(found.duplicated_lines, found.lines);
        found
    }
}

fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_line_counts_once(ranges in prop::collection::vec((1u64..200, 0u64..9), 0..300)) {
            let (mut set, mut slow) = (LineSet::default(), HashSet::new());
            for (first, more) in ranges {
                set.add([first, first + more]);
                slow.extend(first..=first + more);
            }
            prop_assert_eq!(set.count(), slow.len() as u64);
        }
    }
}
