//! `FilteredCandidates`: the candidates of a bucket table that the filter of signatures does not exclude.
//!
//! All candidates are gathered once at the start, to find the components without the excluded candidates. These are
//! smaller than the components of buckets, so fewer texts are read again.

use rayon::prelude::*;

use super::{BucketTable, CandidateSource, SignatureBits, TableCandidates};
use crate::base::flat::union_find::UnionFind;
use crate::base::memory;
use crate::documents::document::{DocId, Documents};

/// The number of documents in a task.
const TASK: usize = 256;

/// The candidates of a table without the excluded ones, which are excluded again at each use. 8 bytes for each document that
/// shares a bucket.
pub(crate) struct FilteredCandidates<'c> {
    documents: &'c Documents,
    candidates: &'c TableCandidates<'c>,
    bits: &'c SignatureBits,
    /// The number of candidates of each document that shares a bucket, by its position among them.
    numbers: Box<[u32]>,
    /// The components of these documents, by their positions.
    components: UnionFind,
    num_excluded: u64,
}

impl<'c> FilteredCandidates<'c> {
    /// The bytes of the candidates of a table.
    pub(crate) fn num_bytes_of(table: &BucketTable) -> usize {
        2 * size_of::<u32>() * table.num_sharing()
    }

    /// Gathers and tests all candidates.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn new(documents: &'c Documents, candidates: &'c TableCandidates<'c>, bits: &'c SignatureBits) -> Self {
        let table = candidates.table();
        let mut numbers = memory::table(|| vec![0; table.num_sharing()].into_boxed_slice());
        let components = memory::table(|| UnionFind::new(table.num_sharing() as u32));
        let mut filtered = Self { documents, candidates, bits, numbers: Box::default(), components, num_excluded: 0 };
        let test = |found: &mut Vec<DocId>, (task, numbers): (usize, &mut [u32])| {
            let mut num_excluded = 0;
            for (position, number) in (task * TASK..).zip(numbers) {
                let document = table.sharing_document(position);
                if candidates.least_candidates(document) == 0 {
                    continue;
                }
                found.clear();
                num_excluded += filtered.gather_left(document, found) as u64;
                *number = found.len() as u32;
                for &candidate in found.iter() {
                    let candidate = table.sharing_position(candidate).expect("a candidate shares a bucket");
                    filtered.components.join(position as u32, candidate as u32);
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

    fn position(&self, document: DocId) -> Option<usize> {
        self.candidates.table().sharing_position(document)
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
        if self.least_candidates(document) > 0 {
            let start = candidates.len();
            self.gather_left(document, candidates);
            candidates[start..].sort_unstable();
        }
    }

    fn least_candidates(&self, document: DocId) -> usize {
        self.position(document).map_or(0, |position| self.numbers[position] as usize)
    }

    fn component(&self, document: DocId) -> DocId {
        let least = |position: usize| self.components.least(position as u32) as usize;
        self.position(document).map_or(document, |position| self.candidates.table().sharing_document(least(position)))
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
            // Half of the texts have rows from the start, and the others get theirs one by one.
            let of_text = |text: usize| rows.row(text).to_vec();
            let others: Vec<Vec<u8>> = (len / 2..len).map(of_text).collect();
            let mut bits = SignatureBits::new(filter, len, rows, len).unwrap();
            (0..len / 2).for_each(|text| bits.set_row(DocId::new(text), text));
            (len / 2..).zip(others).for_each(|(text, row)| bits.add_row(DocId::new(text), &row).unwrap());
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
