//! `ClusterBuilder`: verified edges in, as they come; groups out, by the linkage.

use super::assembly::{BroughtIn, assemble};
use super::complete::complete;
use super::edge::VerifiedEdge;
use super::forest::{SpanningForest, labels, strongest};
use super::order::CentreOrder;
use super::star::star;
use super::table::Clusters;
use super::texts::TextsOfDocuments;
use crate::document::{DocId, Documents};
use crate::verify::DuplicatePair;

/// Which verified edges make a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Linkage {
    /// Documents that edges lead to from one another, however many. A group may hold documents that have little in common.
    #[default]
    Components,
    /// A centre and documents with an edge to it. In the order of centres each document that is not taken becomes a centre and
    /// takes every untaken document with an edge to it.
    Star,
    /// Documents that all have an edge to each other. Edges join groups by falling similarity, then by document order; two
    /// groups join only when every pair across them is an edge (Defays 1977).
    Complete,
}

/// Takes verified edges and makes groups of them.
///
/// ```
/// use dedup_scan::{CentreOrder, ClusterBuilder, DocId, Linkage, VerifiedEdge};
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
/// With [`Linkage::Components`] it keeps a forest: 8 bytes a document, and at most 32 bytes a document that has an edge. With the
/// others it keeps every edge, at 16 bytes (complete: 24), and up to 32 bytes a document besides.
pub struct ClusterBuilder {
    linkage: Linkage,
    num_documents: usize,
    forest: SpanningForest,
    edges: Vec<VerifiedEdge>,
}

impl ClusterBuilder {
    /// Without an edge.
    ///
    /// # Panics
    /// When there are more than 2³¹ documents.
    pub fn new(linkage: Linkage, num_documents: usize) -> Self {
        Self { linkage, num_documents, forest: SpanningForest::new(num_documents), edges: Vec::new() }
    }

    /// Adds an edge. An edge that was added before counts once.
    ///
    /// # Panics
    /// When it is of a document that there is not.
    pub fn add(&mut self, edge: VerifiedEdge) {
        assert!(edge.b.index() < self.num_documents, "edges are of documents below the number given");
        match self.linkage {
            Linkage::Components => self.forest.add(edge),
            Linkage::Star | Linkage::Complete => self.edges.push(edge),
        }
    }

    /// Adds the edges of pairs of a run. Where exact copies are one text, those of copies are left out: they follow from
    /// the edges of first documents.
    ///
    /// * `documents`: of the run.
    pub fn add_pairs(&mut self, documents: &Documents, pairs: &[DuplicatePair]) {
        let copies_are_one_text = documents.scope().compares_within_cells();
        let is_of_texts = |pair: &&DuplicatePair| documents.is_first(pair.a) && documents.is_first(pair.b);
        pairs
            .iter()
            .filter(|pair| !copies_are_one_text || is_of_texts(pair))
            .for_each(|pair| self.add(VerifiedEdge::from(pair)));
    }

    /// The groups of documents of which no two are known to be exact copies.
    ///
    /// * `order`: which member represents a group, and in which order documents become centres.
    pub fn finish(self, order: &CentreOrder) -> Clusters {
        self.finish_texts(TextsOfDocuments::new(None), order)
    }

    /// The groups of the documents of a run. Exact copies join the group of their text, with a similarity of 1; where the run
    /// compares no copies with each other, as across two sides, an edge alone joins documents.
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
                let places = order.places(texts, num_documents);
                let (taken, labels) = star(&mut edges, places.as_deref(), num_documents);
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
