//! `AnswerTable`: answers in, a table of documents and pairs out, as every other run passes them on.

use std::sync::Arc;

use super::docs::DocRow;
use super::question::origin_of;
use crate::document::{DocId, Documents, Located, Origins};
use crate::error::Result;

/// Documents of answers: each question, and behind it the documents of the index that are its answers.
pub(super) struct AnswerTable {
    documents: Documents,
    origins: Option<Origins>,
}

impl AnswerTable {
    /// * `with_source`: whether it has where documents come from.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(super) fn new(with_source: bool, len: usize) -> Result<Self> {
        Ok(Self {
            documents: Documents::default(),
            origins: with_source.then(|| Origins::with_capacity(len)).transpose()?,
        })
    }

    /// Adds a document.
    ///
    /// * `index`: the index that it is in, where several are asked.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(super) fn push(&mut self, row: &DocRow, index: Option<Arc<[u8]>>) -> Result<DocId> {
        if let Some(origins) = &mut self.origins {
            match origin_of(&row.origin) {
                (Some(file), Some((place, is_row))) => {
                    origins.begin_file(file, is_row);
                    origins.push_record(place);
                }
                (file, _) => origins.push_file(file),
            }
        }
        self.documents.push_index(index)?;
        // Nobody reads it again.
        self.documents.push(&row.name, row.has_text().then_some(row.content), 0, Located::file())
    }

    pub(super) fn finish(mut self) -> Documents {
        self.documents.set_origins(self.origins.take());
        self.documents
    }
}
