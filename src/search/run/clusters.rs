//! `find_clusters`: finds the groups of documents that belong together.
//!
//! The duplicate pairs of a run are the edges of a graph whose nodes are documents, and a linkage decides which edges
//! form a group. Where exact copies count as one text, a text has each of its edges once, however many copies it has.

use super::group_summaries::ClusterSummary;
use super::search::{Search, Searched};
use super::settings::Settings;
use super::summary::Summary;
use crate::base::error::Result;
use crate::base::observe::Observer;
use crate::compare::clusters::{CentreOrder, Cluster, ClusterBuilder, Clusters, Linkage};
use crate::compare::verify::{DuplicatePair, Threshold};
use crate::documents::document::{DocId, Documents};
use crate::records::PairCounts;
use crate::search::pairs::{Coverages, LeastSimilarities, PairCoverages, PairSettings};

/// How pairs form groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusterSettings {
    /// The rule that decides which edges form a group. Default: [`Linkage::Components`].
    pub linkage: Linkage,
    /// The largest number of documents in a group for which the minimum similarity of any two members is computed,
    /// which reads the documents once more. Default: [`ClusterSettings::DEFAULT_CHECKED`].
    pub most_checked: usize,
    /// Ignores an edge if neither of its documents shares at least this part of its shingles with the other. All pairs
    /// are then verified. Default: no edge is ignored.
    pub min_containment: Option<Threshold>,
}

impl Default for ClusterSettings {
    fn default() -> Self {
        Self { linkage: Linkage::default(), most_checked: Self::DEFAULT_CHECKED, min_containment: None }
    }
}

impl ClusterSettings {
    /// The default of [`most_checked`](Self::most_checked). The cost grows with the square of the group size: checking
    /// a group of 50 costs as much as verifying each of its documents against about 25 others.
    pub const DEFAULT_CHECKED: usize = 50;
    /// A group is loose when some two of its members are less similar than this share of the threshold.
    pub const LOOSE_SHARE: f64 = 0.5;
}

/// The groups of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundClusters {
    /// The groups.
    pub clusters: Clusters,
    /// The rule by which edges formed the groups.
    pub linkage: Linkage,
    /// The minimum similarity of any two members of each group, from 0 to 1, with or without an edge between them;
    /// `None` where it is not known.
    pub least: Vec<Option<f64>>,
    /// The minimum similarity of an edge.
    pub threshold: Threshold,
    /// If documents match by their passages: for each of [`Clusters::joins`], the coverage of the member and the
    /// coverage of the document that it is joined to; `None` where a document could not be read again. Empty where
    /// similarity makes pairs.
    pub coverages: Vec<Option<Coverages>>,
}

impl FoundClusters {
    /// Makes the result from groups of edges that were verified elsewhere. The minimum similarities are known where
    /// edges determine them.
    pub fn of(clusters: Clusters, linkage: Linkage, threshold: Threshold) -> Self {
        let known = |group: Cluster<'_>| least_by_edges(linkage, &group, group.members.len());
        let least = clusters.iter().map(known).collect();
        Self { clusters, linkage, least, threshold, coverages: Vec::new() }
    }

    /// The coverages of the joins of a group; empty where similarity makes pairs.
    ///
    /// # Panics
    /// When `group` is out of range.
    pub fn coverages_of(&self, group: usize) -> &[Option<Coverages>] {
        if self.coverages.is_empty() { &[] } else { &self.coverages[self.clusters.joins_of(group)] }
    }

    /// Whether some two members of a group have little in common: less than [`ClusterSettings::LOOSE_SHARE`] of the
    /// threshold. `None` where the minimum similarity is not known.
    ///
    /// # Panics
    /// When `group` is out of range.
    pub fn is_loose(&self, group: usize) -> Option<bool> {
        self.least[group].map(|least| least < ClusterSettings::LOOSE_SHARE * self.threshold.value())
    }

    /// Counts the groups and their documents.
    pub fn summary(&self) -> ClusterSummary {
        let number =
            |is_loose| (0..self.clusters.len()).filter(|&group| self.is_loose(group) == is_loose).count() as u64;
        ClusterSummary {
            groups: self.clusters.len() as u64,
            documents: self.clusters.num_grouped() as u64,
            largest: self.clusters.iter().map(|group| group.members.len()).max().unwrap_or(0) as u64,
            loose: number(Some(true)),
            unchecked: number(None),
        }
    }
}

/// The minimum similarity of a group if its edges determine it: under complete linkage all pairs are edges, and two
/// texts have only one pair.
fn least_by_edges(linkage: Linkage, group: &Cluster<'_>, num_texts: usize) -> Option<f64> {
    (linkage == Linkage::Complete || num_texts <= 2).then_some(group.similarity_min)
}

/// Makes the order by which the first member of each group represents it, and in which documents become centres.
pub type OrderOf<'o> = dyn FnMut(&Documents) -> Result<CentreOrder> + 'o;

/// Finds the pairs of a corpus, as [`find_duplicates`](super::find_duplicates) does, and forms groups from them.
///
/// * `use_clusters`: receives the documents and their groups, once.
///
/// [`PairSettings::collapse_exact`] and [`PairSettings::spanning`] have no effect: with [`Linkage::Components`], pairs
/// in large buckets that are already connected are not verified. The memory is the run's own, and in addition what
/// [`ClusterBuilder`] and [`Clusters`] document.
///
/// # Errors
/// When the run cannot be done, or `use_clusters` fails.
pub fn find_clusters(
    settings: &Settings,
    clustering: ClusterSettings,
    observer: &dyn Observer,
    use_clusters: &mut dyn FnMut(&Documents, &FoundClusters) -> Result<()>,
) -> Result<Summary> {
    let search = Search::new(settings, observer);
    Ok(search.run_clusters(clustering, &mut |_| Ok(CentreOrder::of_documents()), use_clusters)?.summary)
}

impl Search<'_> {
    /// Finds the pairs, and forms groups from them as [`find_clusters`] does, instead of passing the pairs on.
    ///
    /// * `order`: receives the documents once, and chooses the order in which they represent groups.
    ///
    /// # Errors
    /// As for [`run`](Self::run), and the errors of `order` and `use_clusters`.
    pub fn run_clusters(
        mut self,
        clustering: ClusterSettings,
        order: &mut OrderOf,
        use_clusters: &mut dyn FnMut(&Documents, &FoundClusters) -> Result<()>,
    ) -> Result<Searched> {
        let observer = self.observer;
        self.settings.pairs = PairSettings {
            // Where copies are not pairs, only the edges of each copy connect them, so all edges are needed.
            collapse_exact: self.settings.copies_are_one_text(),
            // Other linkages need every edge, and an ignored edge does not connect its documents.
            spanning: clustering.linkage == Linkage::Components && clustering.min_containment.is_none(),
            ..self.settings.pairs
        };
        let mut builder: Option<ClusterBuilder> = None;
        let mut sink = |documents: &Documents, pairs: &[DuplicatePair], _: &[_]| {
            let builder = builder.get_or_insert_with(|| ClusterBuilder::new(clustering.linkage, documents.len()));
            match clustering.min_containment {
                None => builder.add_pairs(documents, pairs),
                Some(least) => {
                    let is_kept = |pair: &&DuplicatePair| PairCounts::from(*pair).is_contained(least);
                    builder.add_pairs(documents, &pairs.iter().filter(is_kept).copied().collect::<Vec<_>>());
                }
            }
            Ok(())
        };
        let mut searched = self.run(&mut sink)?;
        let documents = &searched.documents;
        let builder = builder.unwrap_or_else(|| ClusterBuilder::new(clustering.linkage, documents.len()));
        let order = order(documents)?;
        let clusters = searched.pool.install(|| builder.finish_with_copies(documents, &order));
        let least = least(clustering, observer, &clusters, &mut searched)?;
        // Pairs that match by their passages may have any similarity.
        let threshold = searched.settings.pairs.min_similarity().unwrap_or(Threshold::ZERO);
        let joined: Vec<(DocId, DocId)> = clusters.joins().iter().map(|joined| (joined.document, joined.by)).collect();
        let coverages = coverages(observer, &joined, &mut searched)?;
        let found = FoundClusters { clusters, linkage: clustering.linkage, least, threshold, coverages };
        searched.summary.clusters = Some(found.summary());
        use_clusters(&searched.documents, &found)?;
        Ok(searched)
    }
}

/// The coverages of pairs; empty where similarity makes pairs. Documents that changed are reported and counted.
pub(crate) fn coverages(
    observer: &dyn Observer,
    pairs: &[(DocId, DocId)],
    searched: &mut Searched,
) -> Result<Vec<Option<Coverages>>> {
    let Some(passages) = searched.settings.pairs.source.passages() else { return Ok(Vec::new()) };
    let of_pairs = PairCoverages::new(searched.corpus(observer), passages);
    let coverages = searched.pool.install(|| of_pairs.of(pairs));
    let problems = of_pairs.into_problems();
    searched.summary.report(problems, observer);
    searched.sources.check()?;
    Ok(coverages)
}

/// The minimum similarity of any two members of each group that is small enough to check. Documents that changed are
/// reported and counted.
fn least(
    clustering: ClusterSettings,
    observer: &dyn Observer,
    clusters: &Clusters,
    searched: &mut Searched,
) -> Result<Vec<Option<f64>>> {
    let documents = &searched.documents;
    let mut least = vec![None; clusters.len()];
    let (mut numbers, mut groups) = (Vec::new(), Vec::new());
    for (number, group) in clusters.iter().enumerate() {
        let mut texts: Vec<DocId> =
            group.members.iter().filter_map(|&member| documents.first_of_text(member)).collect();
        texts.sort_unstable();
        texts.dedup();
        least[number] = least_by_edges(clustering.linkage, &group, texts.len());
        if least[number].is_none() && group.members.len() <= clustering.most_checked {
            numbers.push(number);
            groups.push(texts);
        }
    }
    let of_groups = LeastSimilarities::new(searched.corpus(observer));
    for (number, found) in numbers.into_iter().zip(searched.pool.install(|| of_groups.of(&groups))) {
        least[number] = found;
    }
    let problems = of_groups.into_problems();
    searched.summary.report(problems, observer);
    searched.sources.check()?;
    Ok(least)
}
