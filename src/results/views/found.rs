//! `ViewedRun`: a finished search whose documents are kept for views.

use super::reader::{ReadDocuments, ViewReader};
use crate::compare::passages::PassageSettings;
use crate::search::run::{Searched, Summary};

/// A run whose documents can be read again, including documents of standard input; about 80 bytes per document.
pub struct ViewedRun {
    /// The summary of the run.
    pub summary: Summary,
    /// Reads the documents of the run.
    pub reader: ViewReader,
}

impl ViewedRun {
    /// Keeps the documents of a finished search.
    ///
    /// * `viewed`: the definition of passages in views, unless pairs match by their passages; `None` looks for none.
    ///
    /// # Panics
    /// When the search was not made [`with_views`](crate::search::Search::with_views).
    pub fn new(searched: Searched, viewed: Option<PassageSettings>) -> Self {
        let Searched { summary, settings, documents, removal, sources, pool, .. } = searched;
        assert!(settings.input.with_offsets, "the search was made for views");
        let passages = settings.pairs.source.passages().or(viewed);
        let read = ReadDocuments::new(documents, sources, pool, removal, false);
        Self { summary, reader: ViewReader::of_run(settings, passages, read) }
    }
}
