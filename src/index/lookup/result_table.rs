//! `ResultTable`: builds the table of documents for the results of queries, in the form that other runs use.

use std::sync::Arc;

use crate::base::error::Result;
use crate::documents::document::{DocId, DocumentLocation, Documents, Origins};
use crate::index::texts::docs::DocRow;

/// The documents of results: each query, followed by the documents of the index that match it.
pub(crate) struct ResultTable {
    documents: Documents,
    origins: Option<Origins>,
}

impl ResultTable {
    /// Creates an empty table.
    ///
    /// * `with_source`: whether to record the origins of documents.
    /// * `len`: the number of documents to make room for.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub(crate) fn new(with_source: bool, len: usize) -> Result<Self> {
        Ok(Self {
            documents: Documents::default(),
            origins: with_source.then(|| Origins::with_capacity(len)).transpose()?,
        })
    }

    /// Adds a document.
    ///
    /// * `index`: the name of the index that contains the document, if several are searched.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub(crate) fn push(&mut self, row: &DocRow, index: Option<Arc<[u8]>>) -> Result<DocId> {
        if let Some(origins) = &mut self.origins {
            match row.origin.file_and_place() {
                (Some(file), Some((place, is_row))) => {
                    origins.begin_file(file, is_row);
                    origins.push_record(place);
                }
                (file, _) => origins.push_file(file, None),
            }
        }
        self.documents.push_index(index)?;
        // The text is not read again, so its location does not matter.
        self.documents.push(&row.name, row.has_text().then_some(row.content), 0, DocumentLocation::file())
    }

    pub(crate) fn finish(mut self) -> Documents {
        self.documents.set_origins(self.origins.take());
        self.documents
    }
}
