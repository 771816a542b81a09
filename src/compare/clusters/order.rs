//! `CentreOrder`: the order in which documents become centres and representatives of their groups.

use super::texts::TextsOfDocuments;
use crate::base::memory::table;
use crate::documents::document::{DocId, Documents};

/// The order in which documents become centres, and by which the first member of a group represents it.
#[derive(Debug, Clone, Default)]
pub struct CentreOrder {
    /// The rank of each document; `None` for document order.
    ranks: Option<Vec<u32>>,
}

impl CentreOrder {
    /// Creates the document order.
    pub fn of_documents() -> Self {
        Self::default()
    }

    /// Creates the order of ascending rank; documents with equal ranks are in document order. Needs 4 bytes per
    /// document, and 8 more during the clustering.
    ///
    /// * `ranks`: the rank of each document.
    pub fn by_rank(ranks: Vec<u32>) -> Self {
        Self { ranks: Some(ranks) }
    }

    /// The position of each text of a run in this order, by the first of its copies in it. `None` for document order.
    pub(crate) fn text_positions(&self, documents: &Documents) -> Option<Vec<u32>> {
        self.positions(TextsOfDocuments::new(Some(documents)), documents.len())
    }

    /// The first of the given documents in this order.
    pub(crate) fn first(&self, documents: impl Iterator<Item = DocId>) -> Option<DocId> {
        documents.min_by_key(|&document| self.key(document))
    }

    /// The position of each text in this order, by its first member in it. `None` for document order.
    pub(super) fn positions(&self, texts: TextsOfDocuments<'_>, num_documents: usize) -> Option<Vec<u32>> {
        self.ranks.as_ref()?;
        let mut order: Vec<u32> = (0..num_documents as u32).collect();
        order.sort_unstable_by_key(|&document| self.key(DocId::new(document as usize)));
        let mut positions = table(|| vec![u32::MAX; num_documents]);
        for (position, &document) in (0u32..).zip(&order) {
            if let Some(text) = texts.of(DocId::new(document as usize)) {
                let at = &mut positions[text.index()];
                *at = position.min(*at);
            }
        }
        Some(positions)
    }

    fn key(&self, document: DocId) -> (u32, DocId) {
        (self.ranks.as_ref().map_or(0, |ranks| ranks[document.index()]), document)
    }
}
