//! `KeptAlignments`: keeps the alignments of pairs that match, within a memory limit, so that passages need not be
//! searched again.

use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::base::flat::per_thread::PerThread;
use crate::compare::passages::{Alignment, Passage};
use crate::documents::document::{DocId, Documents};
use crate::sign::banding::TextPair;

/// Collects alignments from the threads of a pool, and drops those that do not fit.
pub(super) struct AlignmentKeeper {
    kept: PerThread<Vec<(TextPair, Alignment)>>,
    num_bytes: AtomicU64,
    most_bytes: u64,
}

/// The alignments of some pairs of texts.
#[derive(Debug, Default)]
pub(crate) struct KeptAlignments {
    /// The pairs by the first documents of their texts, ascending, with their alignments.
    alignments: Vec<(TextPair, Alignment)>,
}

impl AlignmentKeeper {
    /// * `most_bytes`: the maximum size of all alignments; they need twice as much while they are sorted.
    pub(super) fn new(most_bytes: u64, num_threads: usize) -> Self {
        Self { kept: PerThread::new(num_threads, Vec::new), num_bytes: AtomicU64::new(0), most_bytes }
    }

    /// Keeps an alignment if there is room for it; in the pool.
    pub(super) fn keep(&self, pair: TextPair, mut alignment: Alignment) {
        alignment.passages.shrink_to_fit();
        let num_passages = alignment.passages.len();
        let num_bytes = (size_of::<(TextPair, Alignment)>() + num_passages * size_of::<Passage>()) as u64;
        if self.num_bytes.fetch_add(num_bytes, Ordering::Relaxed) + num_bytes <= self.most_bytes {
            self.kept.get().push((pair, alignment));
        } else {
            self.num_bytes.fetch_sub(num_bytes, Ordering::Relaxed);
        }
    }

    /// Returns the alignments that were kept; in the pool.
    pub(super) fn finish(self) -> KeptAlignments {
        let mut alignments: Vec<(TextPair, Alignment)> = self.kept.into_values().flatten().collect();
        alignments.par_sort_unstable_by_key(|&(pair, _)| pair);
        KeptAlignments { alignments }
    }
}

impl KeptAlignments {
    /// The alignment of two documents, if the alignment of their texts was kept.
    pub(crate) fn of(&self, documents: &Documents, a: DocId, b: DocId) -> Option<Cow<'_, Alignment>> {
        let (alignment, is_swapped) = self.of_texts(documents, a, b)?;
        Some(if is_swapped { Cow::Owned(alignment.clone().swapped()) } else { Cow::Borrowed(alignment) })
    }

    /// Whether the alignment of the texts of two documents was kept.
    pub(crate) fn has(&self, documents: &Documents, a: DocId, b: DocId) -> bool {
        self.of_texts(documents, a, b).is_some()
    }

    /// The alignment of the texts of two documents, and whether its sides are exchanged.
    fn of_texts(&self, documents: &Documents, a: DocId, b: DocId) -> Option<(&Alignment, bool)> {
        let (a, b) = (documents.first_of_text(a)?, documents.first_of_text(b)?);
        let pair = TextPair { a: a.min(b), b: a.max(b) };
        let at = self.alignments.binary_search_by_key(&pair, |&(pair, _)| pair).ok()?;
        Some((&self.alignments[at].1, a > b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::document::{DocumentLocation, Scope};

    fn alignment(tokens_a: usize) -> Alignment {
        let passages = vec![Passage { a: 1..9, b: 30..38, matched: 8, is_exact: true }];
        Alignment { passages, tokens_a, tokens_b: 50, longest: 8, seeds_capped: [1, 2] }
    }

    #[test]
    fn copies_have_the_alignment_of_their_texts_in_either_order() {
        let mut documents = Documents::default();
        // The texts are 1, 2, 1, 3, 2.
        for text in [1, 2, 1, 3, 2] {
            documents.push(b"name", Some(text), 40, DocumentLocation::file()).unwrap();
        }
        documents.group_copies(Scope::default()).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let pair = |a, b| TextPair { a: DocId::new(a), b: DocId::new(b) };
        let size = (size_of::<(TextPair, Alignment)>() + size_of::<Passage>()) as u64;
        let kept = pool.install(|| {
            let keeper = AlignmentKeeper::new(2 * size, 2);
            for (pair, len) in [(pair(1, 3), 13), (pair(0, 1), 1), (pair(0, 3), 3)] {
                keeper.keep(pair, alignment(len));
            }
            keeper.finish()
        });
        let of = |a, b| kept.of(&documents, DocId::new(a), DocId::new(b)).map(Cow::into_owned);
        assert_eq!([of(0, 1), of(0, 4), of(2, 4)], [1; 3].map(|len| Some(alignment(len))));
        let swapped = of(1, 2).unwrap();
        assert_eq!((swapped.tokens_a, swapped.tokens_b, swapped.seeds_capped), (50, 1, [2, 1]));
        assert_eq!((swapped.passages[0].a.clone(), swapped.passages[0].b.clone()), (30..38, 1..9));
        assert_eq!(of(3, 4), Some(alignment(13).swapped()));
        // Neither a pair of equal texts nor a pair without room was kept.
        assert_eq!([of(0, 2), of(0, 3)], [None, None]);
        let has = |a, b| kept.has(&documents, DocId::new(a), DocId::new(b));
        assert_eq!([has(1, 2), has(4, 3), has(0, 2), has(0, 3)], [true, true, false, false]);
    }
}
