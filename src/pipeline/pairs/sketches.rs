//! The sketches of all documents that share a bucket with another one, those of a component side by side.

use rayon::prelude::*;

use crate::banding::BucketTable;
use crate::document::{DocId, Documents};
use crate::pipeline::read::Corpus;
use crate::verify::{Sketch, Threshold};

/// 5 bytes a document, and the words.
pub(in crate::pipeline) struct Sketches {
    words: Box<[u64]>,
    /// Where that of each document begins.
    starts: Box<[u32]>,
    /// One more than the logarithm of its number of words; 0 for none.
    logs: Box<[u8]>,
}

impl Sketches {
    /// Copies the sketches of a corpus that are of use.
    pub(in crate::pipeline) fn new(corpus: &Corpus, table: &BucketTable) -> Self {
        let num_documents = corpus.documents.len();
        let mut logs = vec![0u8; num_documents].into_boxed_slice();
        let is_wanted = |document: DocId| table.shares_bucket(document);
        corpus.for_each_sketch(&mut |document, words| {
            if is_wanted(document) {
                logs[document.index()] = (2 * words.len()).checked_ilog2().unwrap_or(0) as u8;
            }
        });
        let mut order: Vec<(DocId, DocId)> = (0..num_documents)
            .into_par_iter()
            .map(DocId::new)
            .filter(|document| logs[document.index()] > 0)
            .map(|document| (table.component(document), document))
            .collect();
        order.par_sort_unstable();
        let mut starts = vec![0u32; num_documents].into_boxed_slice();
        let mut end = 0usize;
        for (_, document) in order {
            let len = 1usize << (logs[document.index()] - 1);
            match u32::try_from(end) {
                Ok(start) => starts[document.index()] = start,
                // Beyond 32 GiB of sketches a document goes without.
                Err(_) => {
                    logs[document.index()] = 0;
                    continue;
                }
            }
            end += len;
        }
        let mut words = vec![0; end].into_boxed_slice();
        corpus.for_each_sketch(&mut |document, sketch| {
            if logs[document.index()] > 0 {
                let start = starts[document.index()] as usize;
                words[start..start + sketch.len()].copy_from_slice(sketch);
            }
        });
        Self { words, starts, logs }
    }

    /// Bytes of all sketches.
    pub(in crate::pipeline) fn num_bytes(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.starts) + size_of_val(&*self.logs)
    }

    /// Whether the sketches show that a pair cannot reach the threshold.
    #[inline]
    pub(super) fn rule_out(&self, documents: &Documents, a: DocId, b: DocId, threshold: Threshold) -> bool {
        self.get(documents, a).rules_out(&self.get(documents, b), threshold)
    }

    #[inline]
    fn get(&self, documents: &Documents, document: DocId) -> Sketch<'_> {
        let num_shingles = documents.num_shingles(document);
        let words: &[u64] = match self.logs[document.index()] {
            // The number is not known.
            _ if num_shingles == u32::MAX => &[],
            0 => &[],
            log => {
                let start = self.starts[document.index()] as usize;
                &self.words[start..start + (1 << (log - 1))]
            }
        };
        Sketch { num_shingles: num_shingles.into(), words }
    }
}
