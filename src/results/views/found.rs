//! `find_duplicates_to_view`: finds pairs or groups like any run, and keeps its documents for views.

use super::reader::{ReadDocuments, ViewReader};
use crate::base::error::Result;
use crate::base::observe::Observer;
use crate::compare::passages::PassageSettings;
use crate::documents::document::Documents;
use crate::search::pairs::PairSink;
use crate::search::run::{
    ClusterSettings, DocumentSink, FoundClusters, OrderOf, Searched, Settings, Summary, search_and_list,
    search_clusters,
};

/// A run whose documents can be read again, including documents of standard input.
pub struct ViewedRun {
    /// The summary of the run.
    pub summary: Summary,
    /// Reads the documents of the run.
    pub reader: ViewReader,
}

/// Finds pairs as [`find_passages`](crate::search::find_passages) and [`find_duplicates`](crate::search::find_duplicates) do, and keeps
/// the documents for views. About 80 bytes per document.
///
/// * `passages`: the definition of passages for the pairs that are passed on; `None` looks for none.
/// * `viewed`: the definition of passages in views.
/// * `list`: receives what became of each document, as in
///   [`find_duplicates_and_list`](crate::search::find_duplicates_and_list).
///
/// # Errors
/// When the run fails, or a sink does.
pub fn find_duplicates_to_view(
    settings: &Settings,
    passages: Option<PassageSettings>,
    viewed: Option<PassageSettings>,
    observer: &dyn Observer,
    sink: &mut dyn PairSink,
    list: Option<DocumentSink>,
) -> Result<ViewedRun> {
    let settings = with_offsets(settings);
    let searched = search_and_list(&settings, passages, observer, sink, list)?;
    Ok(ViewedRun::new(settings, viewed, searched))
}

/// Finds groups as [`find_clusters`](crate::search::find_clusters) does, and keeps the documents for views.
///
/// * `order`: as in [`find_clusters_by`](crate::search::find_clusters_by).
/// * `viewed`: the definition of passages in views.
///
/// # Errors
/// When the run fails, or `use_clusters` does.
pub fn find_clusters_to_view(
    settings: &Settings,
    clustering: ClusterSettings,
    order: &mut OrderOf,
    viewed: Option<PassageSettings>,
    observer: &dyn Observer,
    use_clusters: &mut dyn FnMut(&Documents, &FoundClusters) -> Result<()>,
) -> Result<ViewedRun> {
    let settings = with_offsets(settings);
    let searched = search_clusters(&settings, clustering, order, observer, use_clusters)?;
    Ok(ViewedRun::new(settings, viewed, searched))
}

fn with_offsets(settings: &Settings) -> Settings {
    let mut settings = settings.clone();
    settings.input.with_offsets = true;
    settings
}

impl ViewedRun {
    fn new(settings: Settings, viewed: Option<PassageSettings>, searched: Searched) -> Self {
        let Searched { documents, removal, sources, pool, summary, .. } = searched;
        let passages = settings.pairs.source.passages().or(viewed);
        let read = ReadDocuments::new(documents, sources, pool, removal, false);
        Self { summary, reader: ViewReader::of_run(settings, passages, read) }
    }
}
