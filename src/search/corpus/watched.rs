//! `read_watched`: a first pass that passes each decoded text to a watcher of the caller, and signs nothing.

use xxhash_rust::xxh3::xxh3_128;

use super::assembly::Assembly;
use super::piece_documents::{NewRow, PieceDocuments};
use super::report::Report;
use super::stage_settings::StageSettings;
use super::summary::ReadSummary;
use crate::base::error::Result;
use crate::base::observe::Observer;
use crate::documents::document::Documents;
use crate::documents::input::{Document, Fold, Folded, FoldedPiece, Sources, read_documents};

/// Sees the decoded text of each document. Each worker thread has its own instance.
pub(crate) trait TextWatcher {
    /// The findings in the documents of one piece.
    type Found: Default + Send;

    /// Adds the findings in a text, which is valid UTF-8; returns the number of its tokens.
    ///
    /// * `number`: the number of documents of the piece before this one.
    ///
    /// # Errors
    /// When the run must end.
    fn see(&mut self, number: usize, text: &[u8], found: &mut Self::Found) -> Result<u64>;
}

/// The documents of a corpus, and the findings of a watcher in them.
pub(crate) struct WatchedCorpus<T> {
    pub(crate) documents: Documents,
    /// The findings in each piece, with the number of documents before it, in document order.
    pub(crate) found: Vec<(usize, T)>,
    pub(crate) summary: ReadSummary,
}

/// Reads all documents, and shows each text to a watcher. A document without tokens counts as empty.
///
/// # Errors
/// When the run cannot be done.
pub(crate) fn read_watched<W: TextWatcher>(
    settings: StageSettings,
    sources: &Sources,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
    new_watcher: impl Fn() -> W + Send + Sync,
) -> Result<WatchedCorpus<W::Found>> {
    let new_fold = || WatchFold(new_watcher());
    let (pieces, walked) = read_documents(settings.inputs(), sources, observer, pool, new_fold)?;
    let (mut found, mut num_documents) = (Vec::new(), 0);
    let mut documents_of = |watched: Watched<W::Found>| {
        found.push((num_documents, watched.found));
        num_documents += watched.documents.num_documents();
        watched.documents
    };
    let pieces: Vec<_> = pieces.into_iter().map(|piece| piece.map(&mut documents_of)).collect();
    let report = Report::new(settings.input.strict, observer, false);
    let assembled = pool.install(|| Assembly::assemble(pieces, settings, &walked, sources, report))?;
    let mut summary = assembled.summary;
    summary.complete(sources, settings.input.strict);
    summary.tables_at_least(assembled.name_bytes + assembled.documents.num_bytes());
    Ok(WatchedCorpus { documents: assembled.documents, found, summary })
}

/// The documents of a piece, and the findings in them.
#[derive(Default)]
struct Watched<T> {
    documents: PieceDocuments,
    found: T,
}

impl<T: Default + Send> Folded for Watched<T> {
    fn num_documents(&self) -> usize {
        self.documents.num_documents()
    }
}

/// Shows documents to a watcher.
struct WatchFold<W>(W);

impl<W: TextWatcher> Fold for WatchFold<W> {
    type Output = Watched<W::Found>;

    fn add(&mut self, piece: &mut FoldedPiece<Self::Output>, document: Document) -> Result<()> {
        let Watched { documents, found } = &mut piece.folded;
        let text = document.text.as_slice();
        let num_tokens = self.0.see(documents.num_documents(), text, found)?;
        documents.num_bytes += document.num_bytes;
        let num_shingles = u32::try_from(num_tokens).unwrap_or(u32::MAX);
        let content = if num_tokens > 0 { xxh3_128(text) } else { 0 };
        documents.push(&document, NewRow { content, num_shingles, syntax: None, is_signed_copy: false }, false)
    }
}
