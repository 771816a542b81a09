//! `FilteredCandidates`: the candidates of another source that the filter of signatures does not exclude.
//!
//! All candidates are gathered once at the start, to find the components without the excluded candidates. These are
//! smaller than the components of buckets, so fewer texts are read again.

use rayon::prelude::*;

use super::{CandidateSource, SignatureBits};
use crate::base::flat::union_find::UnionFind;
use crate::documents::document::{DocId, Documents};

/// The number of documents in a task.
const TASK: usize = 256;

/// Another source without the excluded candidates, which are excluded again at each use. 8 bytes per document.
pub(crate) struct FilteredCandidates<'c> {
    documents: &'c Documents,
    candidates: &'c dyn CandidateSource,
    bits: &'c SignatureBits,
    /// The number of candidates of each document.
    numbers: Box<[u32]>,
    components: UnionFind,
    num_excluded: u64,
}

impl<'c> FilteredCandidates<'c> {
    /// Memory of this source for each document, in bytes.
    pub(crate) const DOCUMENT_BYTES: usize = 2 * size_of::<u32>();

    /// Gathers and tests all candidates.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn new(documents: &'c Documents, candidates: &'c dyn CandidateSource, bits: &'c SignatureBits) -> Self {
        let mut numbers = vec![0; documents.len()].into_boxed_slice();
        let components = UnionFind::new(documents.len() as u32);
        let mut filtered = Self { documents, candidates, bits, numbers: Box::default(), components, num_excluded: 0 };
        let test = |found: &mut Vec<DocId>, (task, numbers): (usize, &mut [u32])| {
            let mut num_excluded = 0;
            for (at, number) in (task * TASK..).zip(numbers) {
                let document = DocId::new(at);
                if candidates.least_candidates(document) == 0 {
                    continue;
                }
                found.clear();
                num_excluded += filtered.gather_left(document, found) as u64;
                *number = found.len() as u32;
                for candidate in found.iter() {
                    filtered.components.join(document.get(), candidate.get());
                }
            }
            num_excluded
        };
        let tasks = numbers.par_chunks_mut(TASK).enumerate();
        let num_excluded = tasks.map_init(Vec::new, test).sum();
        filtered.components.settle();
        (filtered.numbers, filtered.num_excluded) = (numbers, num_excluded);
        filtered
    }

    /// The number of candidate pairs that the filter excludes.
    pub(crate) fn num_excluded(&self) -> u64 {
        self.num_excluded
    }

    /// Appends the candidates of a document that are left, in any order, and returns how many are excluded.
    fn gather_left(&self, document: DocId, found: &mut Vec<DocId>) -> usize {
        let start = found.len();
        self.candidates.gather_unordered(document, found);
        self.documents.scope().retain(document, found, start);
        let all = found.len();
        self.bits.retain(document, found, start);
        all - found.len()
    }
}

impl CandidateSource for FilteredCandidates<'_> {
    fn gather(&self, document: DocId, candidates: &mut Vec<DocId>) {
        if self.numbers[document.index()] > 0 {
            let start = candidates.len();
            self.gather_left(document, candidates);
            candidates[start..].sort_unstable();
        }
    }

    fn least_candidates(&self, document: DocId) -> usize {
        self.numbers[document.index()] as usize
    }

    fn component(&self, document: DocId) -> DocId {
        DocId::new(self.components.least(document.get()) as usize)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::flat::chunked_rows::ChunkedRows;
    use crate::documents::document::{DocumentLocation, Scope};
    use crate::sign::banding::{
        Banding, BucketTable, SignatureFilter, TableCandidates, append_bits, band_keys, bytes_of_bits, equal_bits,
    };

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]
        #[test]
        fn what_is_left_is_what_the_filter_keeps_and_its_components(
            families in prop::collection::vec(0u32..3, 2..300),
            changes in prop::collection::vec(0usize..9, 300),
            against in prop::option::of(0usize..300),
        ) {
            let len = families.len();
            let banding = Banding::new(8, 2).unwrap();
            let filter = SignatureFilter::new(banding, 0.9).expect("16 values are enough to exclude some");
            let signatures: Vec<[u32; 16]> = families
                .iter()
                .zip(&changes)
                .enumerate()
                .map(|(text, (&family, &change))| {
                    let value = |at: usize| if at < change { (text * 16 + at) as u32 } else { family };
                    std::array::from_fn(|at| value((at * 5 + text * 3) % 16))
                })
                .collect();
            let mut documents = Documents::default();
            for text in 0..len {
                documents.push(b"", Some(text as u128 + 1), 1, DocumentLocation::file()).unwrap();
            }
            let scope = against.map_or_else(Scope::default, |against| Scope::new(len, Some(against.min(len)), None));
            documents.group_copies(scope).unwrap();
            let mut rows = ChunkedRows::new(bytes_of_bits(16));
            let mut bits = Vec::new();
            signatures.iter().for_each(|signature| append_bits(signature, &mut bits));
            rows.write(0..len, bits.into_iter()).unwrap();
            let bits = SignatureBits::new(filter, len, rows, (0..len).map(|text| (text, DocId::new(text))));
            let table = BucketTable::build(8, len, |band, keys| {
                keys.extend(signatures.iter().enumerate().map(|(text, signature)| {
                    let mut of_text = [0; 8];
                    band_keys(signature, &mut of_text);
                    (of_text[band], DocId::new(text))
                }));
            });
            let is_left = |a: usize, b: usize| {
                (signatures[a].chunks(2).zip(signatures[b].chunks(2)).any(|(a, b)| a == b))
                    && documents.scope().may_pair(DocId::new(a), DocId::new(b))
                    && equal_bits(&signatures[a], &signatures[b]) >= filter.least_equal()
            };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            pool.install(|| {
                let all = TableCandidates::new(&table, 2);
                let left = FilteredCandidates::new(&documents, &all, &bits);
                let components = UnionFind::new(len as u32);
                let mut num_all = 0;
                for a in 0..len {
                    let expected: Vec<DocId> = (a + 1..len).filter(|&b| is_left(a, b)).map(DocId::new).collect();
                    let mut gathered = Vec::new();
                    left.gather(DocId::new(a), &mut gathered);
                    assert_eq!(gathered, expected);
                    assert_eq!(left.least_candidates(DocId::new(a)), expected.len());
                    expected.iter().for_each(|b| components.join(a as u32, b.get()));
                    num_all += expected.len() as u64;
                }
                components.settle();
                let mut num_candidates = 0;
                for a in 0..len {
                    let document = DocId::new(a);
                    assert_eq!(left.component(document).get(), components.least(a as u32));
                    let mut candidates = Vec::new();
                    all.gather(document, &mut candidates);
                    documents.scope().retain(document, &mut candidates, 0);
                    num_candidates += candidates.len() as u64;
                }
                assert_eq!(left.num_excluded(), num_candidates - num_all);
            });
        }
    }
}
