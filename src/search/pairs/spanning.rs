//! Spanning pairs: enough duplicate pairs to connect all documents that duplicate pairs connect.
//!
//! A bucket of n near-duplicates has n² / 2 pairs, but n - 1 of them are enough to connect it. So each document of a
//! large bucket is first compared with few others: in one band after another, the bucket is put into a pseudo-random
//! order that depends on the band, and each document is compared with the next one unless both are already connected.
//! Finally, all candidates that are still in different components are verified, so no pair that would connect two
//! components is missing.
//!
//! Let a bucket contain a cluster of near-duplicates, which is a share p of the bucket, and other documents. In a
//! random order, a share p² of the neighbouring pairs lies within the cluster. So nearly all of the cluster is
//! connected after some bands, whatever the other documents are. The orders depend only on document numbers and bands,
//! so the pairs are the same on every machine.

use std::ops::Range;
use std::sync::Arc;

use super::PairSearch;
use super::sink::Sink;
use super::summary::SearchSummary;
use crate::base::error::Result;
use crate::base::flat::union_find::UnionFind;
use crate::base::memory;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::{DocId, Documents};
use crate::sign::banding::BucketTable;

/// The number of bands that are handled in one round. Each round reads texts once more, and each further band in a
/// round adds pairs that the bands before it would already connect.
const BANDS_AT_A_TIME: usize = 2;

impl PairSearch<'_> {
    /// Does what [`run`](Self::run) does, but skips pairs of documents that are connected without them.
    ///
    /// * `table`: the candidates.
    /// * `large_bucket`: the number of documents in a bucket from which on its pairs are skipped where possible.
    ///
    /// # Errors
    /// When the sink fails.
    pub(super) fn search_spanning(
        &self,
        table: &BucketTable,
        large_bucket: usize,
        sink: Sink<'_>,
    ) -> Result<SearchSummary> {
        let num_documents = self.documents.len();
        let joined = memory::table(|| UnionFind::new(num_documents as u32));
        let mut summary = SearchSummary::default();
        let has_large = table.largest_bucket().is_some_and(|(_, num_documents)| num_documents >= large_bucket);
        let num_bands = if has_large { table.num_bands() } else { 0 };
        for start in (0..num_bands).step_by(BANDS_AT_A_TIME) {
            let bands = start..(start + BANDS_AT_A_TIME).min(num_bands);
            let pairs = neighbours(table, large_bucket, bands, &joined);
            if pairs.is_empty() {
                continue;
            }
            let mut sink = |documents: &Documents, pairs: &[DuplicatePair]| {
                pairs.iter().for_each(|pair| joined.join(pair.a.get(), pair.b.get()));
                sink(documents, pairs)
            };
            summary.add(self.search_listed(pairs, &mut sink)?);
            joined.settle();
        }
        let classes: Arc<[u32]> = (0..num_documents as u32).map(|document| joined.least(document)).collect();
        drop(joined);
        let across = has_large.then(|| table.across(classes, |_| ()));
        summary.add(self.search_table(across.as_ref().unwrap_or(table), sink)?);
        Ok(summary)
    }
}

/// The pairs of neighbours in the orders of some bands' large buckets, without those already connected.
fn neighbours(
    table: &BucketTable,
    large_bucket: usize,
    bands: Range<usize>,
    joined: &UnionFind,
) -> Vec<(DocId, DocId)> {
    let (mut order, mut pairs) = (Vec::new(), Vec::new());
    table.for_each_bucket(bands, large_bucket, |band, bucket| {
        order.clear();
        order.extend(bucket.iter().map(|&document| (mixed(document, band), document)));
        order.sort_unstable();
        let neighbours = order.windows(2).map(|pair| (pair[0].1.min(pair[1].1), pair[0].1.max(pair[1].1)));
        pairs.extend(neighbours.filter(|(a, b)| joined.least(a.get()) != joined.least(b.get())));
    });
    pairs
}

/// A pseudo-random number of a document for each band: SplitMix64 (Steele, Lea and Flood 2014).
fn mixed(document: DocId, band: usize) -> u64 {
    let mut z = (band as u64) << 32 | u64::from(document.get());
    z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::base::observe::Unwatched;
    use crate::compare::verify::Threshold;
    use crate::documents::input::InputSettings;
    use crate::search::pairs::tests::write_families;
    use crate::search::pairs::{LARGE_BUCKET, PairSettings};
    use crate::search::run::{Settings, Summary, find_duplicates};

    /// The first document of each document's component, by all pairs or by spanning pairs, and the summary of the run.
    fn components(folder: &Path, threshold: f64, spanning: bool) -> (Vec<u32>, Summary) {
        let settings = Settings {
            pairs: PairSettings { threshold: Threshold::new(threshold).unwrap(), spanning, ..PairSettings::default() },
            banding: crate::sign::Banding::new(20, 2).unwrap(),
            ..Settings::of(InputSettings::of(vec![folder.into()]))
        };
        let joined = UnionFind::new(2000);
        let summary = find_duplicates(&settings, &Unwatched, &mut |_, pairs| {
            pairs.iter().for_each(|pair| joined.join(pair.a.get(), pair.b.get()));
            Ok(())
        });
        joined.settle();
        ((0..2000).map(|document| joined.least(document)).collect(), summary.unwrap())
    }

    #[test]
    fn spanning_pairs_connect_what_all_pairs_connect_by_far_fewer() {
        for (num_families, num_texts) in [(1, 700), (3, 900), (40, 800)] {
            let folder = tempfile::tempdir().unwrap();
            write_families(folder.path(), num_families, num_texts);
            for threshold in [0.25, 0.6, 0.8] {
                let (expected, all) = components(folder.path(), threshold, false);
                let (found, few) = components(folder.path(), threshold, true);
                let what = format!("{num_families} families, {threshold}");
                assert_eq!(found, expected, "{what}");
                assert!(all.largest_bucket.unwrap().documents >= LARGE_BUCKET as u64, "{what}");
                // Clusters that share a bucket have to be compared with each other, however well each is connected.
                if num_families == 1 && threshold < 0.6 {
                    assert!(few.candidates * 4 < all.candidates, "{what}: {} of {}", few.candidates, all.candidates);
                    assert!(few.pairs * 4 < all.pairs, "{what}: {} of {}", few.pairs, all.pairs);
                }
            }
        }
    }

    #[test]
    fn strangers_that_take_turns_with_a_crowd_do_not_keep_it_apart() {
        // Every second text of the bucket is unrelated to all others.
        let table =
            BucketTable::build(20, 2000, |_, keys| keys.extend((0..2000).map(|number| (1, DocId::new(number)))));
        let joined = UnionFind::new(2000);
        for band in 0..20 {
            for (a, b) in neighbours(&table, LARGE_BUCKET, band..band + 1, &joined) {
                if a.get() % 2 == 0 && b.get() % 2 == 0 {
                    joined.join(a.get(), b.get());
                }
            }
            joined.settle();
        }
        assert!((0..2000).step_by(2).all(|document| joined.least(document) == 0));
    }

    #[test]
    fn the_orders_of_the_buckets_are_pinned() {
        let mixed = [(0, 0), (1, 0), (0, 1)].map(|(document, band)| mixed(DocId::new(document), band));
        assert_eq!(mixed, [16294208416658607535, 10451216379200822465, 14135772400868000056]);
    }
}
