//! Star pairs: enough duplicate pairs to find the centre to which each text is assigned, and as few others of large
//! buckets as possible.
//!
//! In star clustering, texts are visited in the order of centres. A text that is not yet assigned becomes a centre, and
//! takes every unassigned text that is a duplicate of it. So the centres are the first maximal independent set in that
//! order, and an assigned text needs comparisons only with centres before its own. A cluster of n near-duplicates has
//! n² / 2 pairs, but only n - 1 of them contain its centre.
//!
//! Centres are found in rounds (Blelloch, Fineman and Shun 2012). A text that is the first undecided one in all of its
//! buckets is a centre. All centres of a round are compared at once with the texts after them in their buckets. A round
//! costs some nanoseconds per document, so rounds go on as long as they save about as many comparisons as there are
//! documents. The texts that are still undecided then are compared as usual, except for pairs that can no longer
//! matter. The stars are the same as with all pairs.

use std::sync::Arc;

use super::PairSearch;
use super::sink::Sink;
use super::summary::SearchSummary;
use crate::base::error::Result;
use crate::base::flat::ragged::Ragged;
use crate::base::memory::table;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::{DocId, DocSet, Documents};
use crate::sign::banding::BucketTable;

/// The number of consecutive rounds, each saving fewer comparisons than there are documents, after which rounds end.
/// The first text of a cluster may have to wait for texts that precede it in other buckets.
const IDLE_ROUNDS: usize = 16;
/// The entry in `takers` of an undecided text.
const UNDECIDED: u32 = u32::MAX;

/// The centre of each text, as far as it is decided: 4 bytes per document, and 4 more unless the order of centres is
/// document order.
struct Stars {
    /// The position of each text in the order of centres; `None` for document order.
    positions: Option<Vec<u32>>,
    /// The position of the first centre known to take each text. A centre takes itself.
    takers: Vec<u32>,
}

impl Stars {
    fn new(positions: Option<Vec<u32>>, num_documents: usize) -> Self {
        Self { positions, takers: table(|| vec![UNDECIDED; num_documents]) }
    }

    fn position(&self, text: DocId) -> u32 {
        self.positions.as_ref().map_or(text.get(), |positions| positions[text.index()])
    }

    fn taker(&self, text: DocId) -> u32 {
        self.takers[text.index()]
    }

    fn is_undecided(&self, text: DocId) -> bool {
        self.taker(text) == UNDECIDED
    }

    /// The undecided text of a bucket that comes first in the order of centres.
    fn first_undecided(&self, bucket: &[DocId]) -> Option<DocId> {
        bucket.iter().copied().filter(|&text| self.is_undecided(text)).min_by_key(|&text| self.position(text))
    }

    /// Whether a centre at this position may take the text: the text is undecided, or taken by a later centre.
    fn may_be_taken_from(&self, position: u32, text: DocId) -> bool {
        self.taker(text) > position
    }

    /// Lets a centre take a text that is a duplicate of it; returns the text if it was undecided.
    ///
    /// * `centres`: the centres of the round, ascending. Two of them never share a bucket, so exactly one document of
    ///   the pair is a centre.
    fn take(&mut self, centres: &[DocId], pair: (DocId, DocId)) -> Option<DocId> {
        let (centre, text) = if centres.binary_search(&pair.0).is_ok() { pair } else { (pair.1, pair.0) };
        let was_undecided = self.is_undecided(text);
        self.takers[text.index()] = self.taker(text).min(self.position(centre));
        was_undecided.then_some(text)
    }

    /// Marks these centres as decided, at the end of their round.
    fn decide(&mut self, centres: &[DocId]) {
        centres.iter().for_each(|&centre| self.takers[centre.index()] = self.position(centre));
    }

    /// The candidates that no round has compared and that a star may need.
    fn rest(&self, table: &BucketTable) -> BucketTable {
        // Decided texts share a class, since a pair of two decided texts is not needed.
        let class = |document| if self.is_undecided(DocId::new(document)) { 1 + document as u32 } else { 0 };
        let classes: Arc<[u32]> = (0..self.takers.len()).map(class).collect();
        table.across(classes, |bucket| self.narrow(bucket))
    }

    /// Keeps the texts of a bucket that still have to be compared with others in it.
    fn narrow(&self, bucket: &mut Vec<DocId>) {
        match self.first_undecided(bucket).map(|first| self.position(first)) {
            Some(position) => bucket.retain(|&text| self.may_be_taken_from(position, text)),
            None => bucket.clear(),
        }
    }
}

/// The buckets of components that have a large bucket, by band: 4 bytes for each document and band.
struct HotBuckets(Vec<Ragged<DocId>>);

impl HotBuckets {
    fn new(table: &BucketTable, large_bucket: usize, num_documents: usize) -> Self {
        let mut hot = DocSet::new(num_documents);
        let all = 0..table.num_bands();
        table.for_each_bucket(all.clone(), large_bucket, |_, bucket| hot.insert(table.component(bucket[0])));
        let of_band = |band| {
            let mut buckets = Ragged::default();
            table.for_each_bucket(band..band + 1, 2, |_, bucket| {
                if hot.contains(table.component(bucket[0])) {
                    buckets.open_row().extend_from_slice(bucket);
                    buckets.end_row();
                }
            });
            buckets
        };
        Self(all.map(of_band).collect())
    }

    fn each(&self) -> impl Iterator<Item = &[DocId]> {
        self.0.iter().flat_map(Ragged::rows)
    }

    /// The texts that are the first undecided ones in all their buckets, and their pairs with the texts that they may
    /// take.
    fn next_centres(&self, stars: &Stars) -> (Vec<DocId>, Vec<(DocId, DocId)>) {
        let mut blocked = DocSet::new(stars.takers.len());
        for bucket in self.each() {
            let first = stars.first_undecided(bucket);
            let others = bucket.iter().filter(|&&text| Some(text) != first && stars.is_undecided(text));
            others.for_each(|&text| blocked.insert(text));
        }
        let (mut centres, mut pairs, mut num_distinct) = (Vec::new(), Vec::new(), 0);
        for buckets in &self.0 {
            for bucket in buckets.rows() {
                let Some(centre) = stars.first_undecided(bucket).filter(|&first| !blocked.contains(first)) else {
                    continue;
                };
                centres.push(centre);
                let position = stars.position(centre);
                let others = bucket.iter().filter(|&&text| text != centre && stars.may_be_taken_from(position, text));
                pairs.extend(others.map(|&text| (centre.min(text), centre.max(text))));
            }
            // Most bands have the same pairs.
            if pairs.len() > 2 * num_distinct {
                pairs.sort_unstable();
                pairs.dedup();
                num_distinct = pairs.len();
            }
        }
        centres.sort_unstable();
        centres.dedup();
        (centres, pairs)
    }

    /// Keeps only the texts that still have to be compared.
    fn narrow(&mut self, stars: &Stars) {
        let mut narrowed = Vec::new();
        for buckets in &mut self.0 {
            let mut left = Ragged::default();
            for bucket in buckets.rows() {
                narrowed.clear();
                narrowed.extend_from_slice(bucket);
                stars.narrow(&mut narrowed);
                if narrowed.len() > 1 {
                    left.open_row().extend_from_slice(&narrowed);
                    left.end_row();
                }
            }
            *buckets = left;
        }
    }
}

impl PairSearch<'_> {
    /// Does what [`run`](Self::run) does, but skips pairs that no star needs.
    ///
    /// * `table`: the candidates.
    /// * `positions`: the position of each text in the order of centres; `None` for document order.
    /// * `large_bucket`: the number of documents in a bucket from which on its pairs are skipped where possible.
    ///
    /// # Errors
    /// When the sink fails.
    pub(super) fn search_stars(
        &self,
        table: &BucketTable,
        positions: Option<Vec<u32>>,
        large_bucket: usize,
        sink: Sink<'_>,
    ) -> Result<SearchSummary> {
        let num_documents = self.documents.len();
        if table.largest_bucket().is_none_or(|(_, num_documents)| num_documents < large_bucket) {
            return self.search_table(table, sink);
        }
        let mut stars = Stars::new(positions, num_documents);
        let mut hot = HotBuckets::new(table, large_bucket, num_documents);
        let (mut summary, mut num_idle) = (SearchSummary::default(), 0);
        loop {
            let (centres, pairs) = hot.next_centres(&stars);
            if centres.is_empty() {
                break;
            }
            let mut num_spared = 0;
            let mut sink = |documents: &Documents, pairs: &[DuplicatePair]| {
                let taken = pairs.iter().filter_map(|pair| stars.take(&centres, (pair.a, pair.b)));
                num_spared += taken.map(|text| table.least_candidates(text)).sum::<usize>();
                sink(documents, pairs)
            };
            summary.add(self.search_listed(pairs, &mut sink)?);
            stars.decide(&centres);
            hot.narrow(&stars);
            num_idle = if num_spared < num_documents { num_idle + 1 } else { 0 };
            if num_idle == IDLE_ROUNDS {
                break;
            }
        }
        drop(hot);
        summary.add(self.search_table(&stars.rest(table), sink)?);
        Ok(summary)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::observe::Unwatched;
    use crate::compare::clusters::{CentreOrder, ClusterBuilder, Linkage, VerifiedEdge};
    use crate::compare::verify::Threshold;
    use crate::documents::input::InputSettings;
    use crate::search::pairs::tests::write_families;
    use crate::search::pairs::{LARGE_BUCKET, PairSettings};
    use crate::search::run::{Search, Settings, Summary};

    /// The centre that takes each text, by edges.
    fn takers(num_texts: usize, edges: &[(DocId, DocId)], order: &CentreOrder) -> Vec<(DocId, DocId)> {
        let mut builder = ClusterBuilder::new(Linkage::Star, num_texts);
        edges.iter().for_each(|&(a, b)| builder.add(VerifiedEdge::new(a, b, 0.9)));
        let clusters = builder.finish(order);
        let mut takers: Vec<_> =
            clusters.iter().flat_map(|group| group.joined.iter().map(|joined| (joined.document, joined.by))).collect();
        takers.sort_unstable();
        takers
    }

    /// All candidate pairs of a table.
    fn candidates(table: &BucketTable, num_texts: usize) -> Vec<(DocId, DocId)> {
        let mut candidates = table.candidates();
        let texts = (0..num_texts).map(DocId::new);
        texts.flat_map(|a| candidates.of(a).iter().map(move |&b| (a, b)).collect::<Vec<_>>()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn any_number_of_rounds_leaves_the_stars_as_they_are(
            keys in prop::collection::vec(prop::collection::vec(0u64..6, 24), 1..4),
            is_edge in prop::collection::vec(prop::bool::weighted(0.6), 24 * 24),
            ranks in prop::option::of(prop::collection::vec(0u32..30, 24)),
            large_bucket in 2..9usize,
            most_rounds in 0..8usize,
        ) {
            let table = BucketTable::build(keys.len(), 24, |band, out| {
                out.extend(keys[band].iter().enumerate().map(|(text, &key)| (key << 32, DocId::new(text))));
            });
            let is_edge = |&(a, b): &(DocId, DocId)| is_edge[a.index() * 24 + b.index()];
            let all: Vec<_> = candidates(&table, 24).into_iter().filter(is_edge).collect();
            let positions = ranks.as_ref().map(|ranks| {
                let before = |text: usize| (0..24).filter(|&other| (ranks[other], other) < (ranks[text], text)).count();
                (0..24).map(|text| before(text) as u32).collect()
            });
            let order = ranks.map_or(CentreOrder::of_documents(), CentreOrder::by_rank);
            let mut stars = Stars::new(positions, 24);
            let mut hot = HotBuckets::new(&table, large_bucket, 24);
            let (mut edges, mut num_compared) = (Vec::new(), 0);
            for _ in 0..most_rounds {
                let (centres, mut pairs) = hot.next_centres(&stars);
                pairs.sort_unstable();
                pairs.dedup();
                num_compared += pairs.len();
                for pair in pairs.into_iter().filter(is_edge) {
                    stars.take(&centres, pair);
                    edges.push(pair);
                }
                stars.decide(&centres);
                hot.narrow(&stars);
            }
            let rest = candidates(&stars.rest(&table), 24);
            num_compared += rest.len();
            edges.extend(rest.into_iter().filter(is_edge));
            prop_assert_eq!(takers(24, &edges, &order), takers(24, &all, &order));
            prop_assert!(num_compared <= candidates(&table, 24).len(), "no pair is compared twice");
        }
    }

    /// The centre that takes each text of a folder, by all pairs or by star pairs.
    fn taken(
        folder: &std::path::Path,
        threshold: f64,
        order: &CentreOrder,
        few: bool,
    ) -> (Vec<(DocId, DocId)>, Summary) {
        let settings = Settings {
            pairs: PairSettings {
                threshold: Threshold::new(threshold).unwrap(),
                collapse_exact: true,
                ..PairSettings::default()
            },
            banding: crate::sign::Banding::new(20, 2).unwrap(),
            ..Settings::of(InputSettings::of(vec![folder.into()]))
        };
        let mut builder = None;
        let mut sink = |documents: &Documents, pairs: &[DuplicatePair], _: &[_]| {
            builder
                .get_or_insert_with(|| ClusterBuilder::new(Linkage::Star, documents.len()))
                .add_pairs(documents, pairs);
            Ok(())
        };
        let searched = if few {
            Search::new(&settings, &Unwatched).of_stars(&mut |_| Ok(order.clone())).run(&mut sink)
        } else {
            Search::new(&settings, &Unwatched).run(&mut sink)
        };
        let searched = searched.unwrap();
        let clusters = builder.expect("there are pairs").finish_with_copies(&searched.documents, order);
        let joined = clusters.iter().flat_map(|group| group.joined.iter().map(|joined| (joined.document, joined.by)));
        let mut joined: Vec<_> = joined.collect();
        joined.sort_unstable();
        (joined, searched.summary)
    }

    #[test]
    fn a_crowd_is_compared_with_its_centres_alone() {
        for (num_families, num_texts) in [(1, 700), (3, 900), (40, 800)] {
            let folder = tempfile::tempdir().unwrap();
            write_families(folder.path(), num_families, num_texts);
            let backwards = CentreOrder::by_rank((0..num_texts as u32).rev().collect());
            let mixed = CentreOrder::by_rank((0..num_texts as u32).map(|text| text * 7919 % 97).collect());
            for order in [backwards, mixed] {
                for threshold in [0.25, 0.7] {
                    let (expected, all) = taken(folder.path(), threshold, &order, false);
                    let (found, few) = taken(folder.path(), threshold, &order, true);
                    let what = format!("{num_families} families, {threshold}, {order:?}");
                    assert_eq!(found, expected, "{what}");
                    assert!(all.largest_bucket.unwrap().documents >= LARGE_BUCKET as u64, "{what}");
                    assert!(few.candidates <= all.candidates, "{what}");
                    if num_families == 1 && threshold < 0.6 {
                        assert!(
                            few.candidates * 20 < all.candidates,
                            "{what}: {} of {}",
                            few.candidates,
                            all.candidates
                        );
                    }
                }
            }
        }
    }
}
