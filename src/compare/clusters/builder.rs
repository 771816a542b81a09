//! `ClusterBuilder`: makes groups from verified edges, which can be added in any order.

use super::assembly::{BroughtIn, assemble};
use super::complete::complete;
use super::edge::VerifiedEdge;
use super::forest::{SpanningForest, labels, strongest};
use super::order::CentreOrder;
use super::star::star;
use super::table::Clusters;
use super::texts::TextsOfDocuments;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::{DocId, Documents};

/// The rule by which verified edges make groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Linkage {
    /// Documents that are connected by any number of edges. A group may contain documents that have little in common.
    #[default]
    Components,
    /// A centre and documents with an edge to it. In the order of centres, each document that is not in a group becomes
    /// a centre, and every document with an edge to it that is not in a group joins it.
    Star,
    /// Documents that all have an edge to each other. Edges join groups in descending order of similarity, then in
    /// document order; two groups join only if every pair across them is an edge (Defays 1977).
    Complete,
}

/// Collects verified edges and makes groups of them.
///
/// ```
/// use dedup_scan::compare::{CentreOrder, ClusterBuilder, Linkage, VerifiedEdge};
/// use dedup_scan::DocId;
///
/// let mut builder = ClusterBuilder::new(Linkage::Star, 4);
/// for (a, b, similarity) in [(0, 1, 0.9), (1, 2, 0.85)] {
///     builder.add(VerifiedEdge::new(DocId::new(a), DocId::new(b), similarity));
/// }
/// let clusters = builder.finish(&CentreOrder::of_documents());
/// assert_eq!(clusters.group(0).members, [DocId::new(0), DocId::new(1)]);
/// assert_eq!(clusters.group_of(DocId::new(2)), None);
/// ```
///
/// With [`Linkage::Components`] it keeps a forest: 8 bytes per document, and at most 32 bytes per document that has an
/// edge. With other linkages it keeps every edge, at 16 bytes (complete: 24), and up to 32 bytes per document in
/// addition.
pub struct ClusterBuilder {
    linkage: Linkage,
    num_documents: usize,
    forest: SpanningForest,
    edges: Vec<VerifiedEdge>,
}

impl ClusterBuilder {
    /// Creates a builder without edges.
    ///
    /// # Panics
    /// When there are more than 2³¹ documents.
    pub fn new(linkage: Linkage, num_documents: usize) -> Self {
        Self { linkage, num_documents, forest: SpanningForest::new(num_documents), edges: Vec::new() }
    }

    /// Adds documents, so that there are at least `num_documents`.
    ///
    /// # Panics
    /// When there are more than 2³¹ documents.
    pub(crate) fn grow_to(&mut self, num_documents: usize) {
        self.num_documents = self.num_documents.max(num_documents);
        self.forest.grow_to(num_documents);
    }

    /// Adds an edge. An edge that is added twice counts once.
    ///
    /// # Panics
    /// When a document of the edge is not below the number of documents.
    pub fn add(&mut self, edge: VerifiedEdge) {
        assert!(edge.b.index() < self.num_documents, "edges are of documents below the number given");
        match self.linkage {
            Linkage::Components => self.forest.add(edge),
            Linkage::Star | Linkage::Complete => self.edges.push(edge),
        }
    }

    /// Adds the edges of pairs of a run. If exact copies count as one text, the edges of copies are skipped: they
    /// follow from the edges of the first documents.
    ///
    /// * `documents`: the documents of the run.
    pub fn add_pairs(&mut self, documents: &Documents, pairs: &[DuplicatePair]) {
        let copies_are_one_text = documents.scope().compares_within_cells();
        let is_of_texts = |pair: &&DuplicatePair| documents.is_first(pair.a) && documents.is_first(pair.b);
        pairs
            .iter()
            .filter(|pair| !copies_are_one_text || is_of_texts(pair))
            .for_each(|pair| self.add(VerifiedEdge::from(pair)));
    }

    /// Returns the groups of documents among which no exact copies are known.
    ///
    /// * `order`: determines the representative of each group, and the order in which documents become centres.
    pub fn finish(self, order: &CentreOrder) -> Clusters {
        self.finish_texts(TextsOfDocuments::new(None), order)
    }

    /// Returns the groups of the documents of a run. Exact copies join the group of their text, with a similarity of 1.
    /// If the run does not compare copies with each other, as across two sides, only edges join documents.
    pub fn finish_with_copies(self, documents: &Documents, order: &CentreOrder) -> Clusters {
        let copies_are_one_text = documents.scope().compares_within_cells();
        self.finish_texts(TextsOfDocuments::new(copies_are_one_text.then_some(documents)), order)
    }

    fn finish_texts(self, texts: TextsOfDocuments<'_>, order: &CentreOrder) -> Clusters {
        let Self { linkage, num_documents, forest, mut edges } = self;
        edges.sort_unstable_by(|a, b| a.ends().cmp(&b.ends()).then_with(|| a.by_strength(b)));
        edges.dedup_by_key(|edge| edge.ends());
        match linkage {
            Linkage::Components => {
                let forest = forest.into_edges();
                let labels = labels(&forest, num_documents);
                assemble(&labels, BroughtIn::Trees(forest), None, texts, order)
            }
            Linkage::Star => {
                let positions = order.positions(texts, num_documents);
                let (taken, labels) = star(&mut edges, positions.as_deref(), num_documents);
                assemble(&labels, BroughtIn::Centres(taken), Some(&edges), texts, order)
            }
            Linkage::Complete => {
                let labels = complete(&mut edges, num_documents);
                let label = |document: DocId| labels[document.index()];
                let mut trees: Vec<_> = edges.iter().copied().filter(|edge| label(edge.a) == label(edge.b)).collect();
                strongest(&mut trees, num_documents as u32);
                assemble(&labels, BroughtIn::Trees(trees), Some(&edges), texts, order)
            }
        }
    }
}
