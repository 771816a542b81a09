//! `TextsOfDocuments`: which documents have the same text.

use crate::documents::document::{DocId, Documents};

/// The texts of documents. Edges join texts, each represented by its first document.
#[derive(Clone, Copy)]
pub(super) struct TextsOfDocuments<'d> {
    /// `None` if each document is a separate text.
    documents: Option<&'d Documents>,
}

impl<'d> TextsOfDocuments<'d> {
    pub(super) fn new(documents: Option<&'d Documents>) -> Self {
        Self { documents }
    }

    /// The first document with the text of `document`; `None` if it has no text to compare.
    pub(super) fn of(self, document: DocId) -> Option<DocId> {
        self.documents.map_or(Some(document), |documents| documents.first_of_text(document))
    }

    pub(super) fn has_copies(self, first: DocId) -> bool {
        self.documents.is_some_and(|documents| documents.has_copies(first))
    }

    /// The documents with the text of `first`, ascending.
    pub(super) fn members(self, first: DocId) -> impl Iterator<Item = DocId> + 'd {
        std::iter::once(first).chain(self.documents.into_iter().flat_map(move |documents| documents.copies_of(first)))
    }

    /// Number of documents with the text of `first`.
    pub(super) fn len(self, first: DocId) -> u64 {
        1 + self.documents.map_or(0, |documents| documents.copies_of(first).len() as u64)
    }
}
