//! `RereadSets`: a source of shingle sets that reads each document a second time and cuts it again.

use super::source::SetSource;
use crate::base::problem::Problem;
use crate::documents::document::{DocId, Documents};
use crate::search::corpus::{ReadCorpus, Rereader};

/// Makes the sets of documents by reading them again.
pub(crate) struct RereadSets<'a> {
    rereader: Rereader<'a>,
    documents: &'a Documents,
    is_plain: bool,
}

impl<'a> RereadSets<'a> {
    pub(crate) fn new(corpus: ReadCorpus<'a>) -> Self {
        let is_plain = corpus.settings.weights.is_none() && corpus.removal.is_none();
        Self { rereader: corpus.rereader(), documents: corpus.documents, is_plain }
    }

    /// Returns a problem for each document that could not be read again, in document order.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.rereader.into_problems()
    }
}

impl SetSource for RereadSets<'_> {
    fn shingles(&self, document: DocId, visit: &mut dyn FnMut(&[u64], &[u32])) -> Option<Vec<u64>> {
        self.rereader.read_again(document, &mut |text, tools| {
            let mut removed = Vec::new();
            let mut compact_at = 1 << 16;
            let mut remove = |hash| {
                removed.push(hash);
                if removed.len() > compact_at {
                    sort_distinct(&mut removed);
                    compact_at = compact_at.max(2 * removed.len());
                }
            };
            if tools.has_weights() {
                tools.for_each_weighted(text, &mut remove, visit);
            } else {
                tools.remaining(text).for_each_block_and(&mut remove, &mut |block| visit(block, &[]));
            }
            sort_distinct(&mut removed);
            removed
        })
    }

    fn most_shingles(&self, document: DocId) -> usize {
        self.documents.num_shingles(document) as usize
    }

    fn is_plain(&self) -> bool {
        self.is_plain
    }

    fn sign(&self, hashes: &[u64], weights: &[u32]) -> Box<[u32]> {
        self.rereader.sign(hashes, weights)
    }

    fn signature(&self, document: DocId) -> Option<Box<[u32]>> {
        self.rereader.read_again(document, &mut |text, tools| tools.signature_of(text))
    }
}

fn sort_distinct(hashes: &mut Vec<u64>) {
    hashes.sort_unstable();
    hashes.dedup();
}
