//! `find_clusters`: settings in, the groups of documents that belong together out.
//!
//! The pairs of a run are the edges. Where exact copies are one text, a text is an edge's end once, however many copies it has.

use super::search::{Searched, search_unprinted};
use super::settings::Settings;
use super::summary::{ClusterSummary, Summary};
use crate::clusters::{CentreOrder, Cluster, ClusterBuilder, Clusters, Linkage};
use crate::corpus::CorpusSettings;
use crate::document::{DocId, Documents};
use crate::error::Result;
use crate::observe::Observer;
use crate::output::PairCounts;
use crate::pairs::{Coverages, LeastSimilarities, PairCoverages, PairSettings};
use crate::verify::{DuplicatePair, Threshold};

/// How pairs make groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusterSettings {
    /// Which edges make a group. Default: [`Linkage::Components`].
    pub linkage: Linkage,
    /// Most documents of a group of which the least similarity of any two is computed, which reads them once more. Default:
    /// [`ClusterSettings::DEFAULT_CHECKED`].
    pub most_checked: usize,
    /// Leaves out edges of which no document shares this part of its shingles with the other. Every pair is verified then.
    /// Default: none is left out.
    pub min_containment: Option<Threshold>,
}

impl Default for ClusterSettings {
    fn default() -> Self {
        Self { linkage: Linkage::default(), most_checked: Self::DEFAULT_CHECKED, min_containment: None }
    }
}

impl ClusterSettings {
    /// Computing it takes time with the square of a group's documents: for 50 about as much as to verify each with 25.
    pub const DEFAULT_CHECKED: usize = 50;
    /// A group is loose when some two members are less similar than this share of the threshold.
    pub const LOOSE_SHARE: f64 = 0.5;
}

/// The groups of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundClusters {
    /// The groups.
    pub clusters: Clusters,
    /// Which edges made them.
    pub linkage: Linkage,
    /// The least similarity of any two members of each group, from 0 to 1, also of those without an edge; `None` where that
    /// is not known.
    pub least: Vec<Option<f64>>,
    /// The least similarity of an edge.
    pub threshold: Threshold,
    /// Of documents that match by their passages, for each of [`Clusters::joins`]: the coverage of the member and that of the one
    /// which it is joined to; `None` where a document could not be read again. Empty where similarity makes pairs.
    pub coverages: Vec<Option<Coverages>>,
}

impl FoundClusters {
    /// Groups of edges that were verified elsewhere. The least similarities of members are known where edges tell them.
    pub fn of(clusters: Clusters, linkage: Linkage, threshold: Threshold) -> Self {
        let known = |group: Cluster<'_>| least_by_edges(linkage, &group, group.members.len());
        let least = clusters.iter().map(known).collect();
        Self { clusters, linkage, least, threshold, coverages: Vec::new() }
    }

    /// The coverages of the joins of a group; none where similarity makes pairs.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn coverages_of(&self, group: usize) -> &[Option<Coverages>] {
        if self.coverages.is_empty() { &[] } else { &self.coverages[self.clusters.joins_of(group)] }
    }

    /// Whether some two members of a group have little in common: less than [`ClusterSettings::LOOSE_SHARE`] of the threshold.
    /// `None` where that is not known.
    ///
    /// # Panics
    /// When there is no such group.
    pub fn is_loose(&self, group: usize) -> Option<bool> {
        self.least[group].map(|least| least < ClusterSettings::LOOSE_SHARE * self.threshold.value())
    }

    /// The numbers of the groups.
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

/// The least similarity of a group where its edges tell it: all pairs of texts are edges, or there is only one.
fn least_by_edges(linkage: Linkage, group: &Cluster<'_>, num_texts: usize) -> Option<f64> {
    (linkage == Linkage::Complete || num_texts <= 2).then_some(group.similarity_min)
}

/// Finds the pairs of a corpus, as [`find_duplicates`](super::find_duplicates) does, and makes groups of them.
///
/// * `use_clusters`: receives the documents and their groups, once.
///
/// [`PairSettings::collapse_exact`] and [`PairSettings::spanning`] have no effect: with [`Linkage::Components`], pairs in large
/// buckets that are connected already are not verified. Memory is that of a run, and what [`ClusterBuilder`] and [`Clusters`] say.
///
/// # Errors
/// When the run cannot be done, or `use_clusters` fails.
pub fn find_clusters(
    settings: &Settings,
    clustering: ClusterSettings,
    observer: &dyn Observer,
    use_clusters: &mut dyn FnMut(&Documents, &FoundClusters) -> Result<()>,
) -> Result<Summary> {
    search_clusters(settings, clustering, observer, use_clusters).map(|searched| searched.summary)
}

/// As [`find_clusters`]; returns the run after its last group.
pub(crate) fn search_clusters(
    settings: &Settings,
    clustering: ClusterSettings,
    observer: &dyn Observer,
    use_clusters: &mut dyn FnMut(&Documents, &FoundClusters) -> Result<()>,
) -> Result<Searched> {
    // Copies that are no pairs are joined by the edges of each, so all edges are needed.
    let pairs = PairSettings {
        collapse_exact: settings.copies_are_one_text(),
        // The other linkages need every edge; and what is connected by edges that are left out is not.
        spanning: clustering.linkage == Linkage::Components && clustering.min_containment.is_none(),
        ..settings.pairs
    };
    let settings = &Settings { pairs, ..settings.clone() };
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
    let mut searched = search_unprinted(settings, observer, &mut sink)?;
    let documents = &searched.documents;
    let builder = builder.unwrap_or_else(|| ClusterBuilder::new(clustering.linkage, documents.len()));
    let clusters = searched.pool.install(|| builder.finish_with_copies(documents, &CentreOrder::of_documents()));
    let least = least(settings, clustering, observer, &clusters, &mut searched)?;
    // Pairs that match by their passages may have any similarity.
    let threshold = match settings.pairs.by_passages {
        Some(_) => Threshold::ZERO,
        None => settings.pairs.threshold,
    };
    let joined: Vec<(DocId, DocId)> = clusters.joins().iter().map(|joined| (joined.document, joined.by)).collect();
    let coverages = coverages(settings, observer, &joined, &mut searched)?;
    let found = FoundClusters { clusters, linkage: clustering.linkage, least, threshold, coverages };
    searched.summary.clusters = Some(found.summary());
    use_clusters(&searched.documents, &found)?;
    Ok(searched)
}

/// The coverages of pairs; none where similarity makes pairs. Documents that changed are reported and counted.
pub(crate) fn coverages(
    settings: &Settings,
    observer: &dyn Observer,
    pairs: &[(DocId, DocId)],
    searched: &mut Searched,
) -> Result<Vec<Option<Coverages>>> {
    let Some(matching) = settings.pairs.by_passages else { return Ok(Vec::new()) };
    let Searched { documents, removal, sources, pool, summary, .. } = searched;
    let of_pairs =
        PairCoverages::new(observer, settings.corpus(), matching.passages, removal.as_ref(), documents, sources);
    let coverages = pool.install(|| of_pairs.of(pairs));
    for problem in of_pairs.into_problems() {
        summary.count(&problem);
        observer.problem(&problem);
    }
    sources.check()?;
    Ok(coverages)
}

/// The least similarity of any two members of each group that is small enough. Documents that changed are reported and counted.
fn least(
    settings: &Settings,
    clustering: ClusterSettings,
    observer: &dyn Observer,
    clusters: &Clusters,
    searched: &mut Searched,
) -> Result<Vec<Option<f64>>> {
    let Searched { documents, removal, sources, pool, summary, weighing, .. } = searched;
    let corpus = CorpusSettings { weights: weighing.as_ref(), ..settings.corpus() };
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
    let of_groups = LeastSimilarities::new(observer, corpus, removal.as_ref(), documents, sources);
    for (number, found) in numbers.into_iter().zip(pool.install(|| of_groups.of(&groups))) {
        least[number] = found;
    }
    for problem in of_groups.into_problems() {
        summary.count(&problem);
        observer.problem(&problem);
    }
    sources.check()?;
    Ok(least)
}
