//! `QueryReading`: reads inputs as queries, in batches.

use super::query_document::QueryDocument;
use super::query_round::SET_BYTES;
use crate::base::error::Result;
use crate::base::hand_over::PassOn;
use crate::base::observe::Observer;
use crate::documents::input::Sources;
use crate::index::database::sampling::SampleRate;
use crate::index::places::text_place::PlaceFinder;
use crate::search::corpus;
use crate::search::corpus::{ReadSummary, SignedDocument, SignedParts};
use crate::search::run::Settings;
use crate::text::removal::Removal;

/// The maximum number of queries of a batch.
const QUERIES: usize = 1 << 17;
/// The minimum and maximum bytes of a batch; in between, a batch is a sixteenth of the memory limit. Four batches exist
/// at a time: one is read, one waits, one is searched and one is freed.
const QUERY_BYTES: [u64; 2] = [1 << 20, 256 << 20];

/// Reads and signs the inputs of a query.
pub(super) struct QueryReading<'a> {
    pub(super) settings: &'a Settings,
    pub(super) templates: Option<&'a Removal>,
    /// The rate at which the shingles of queries are sampled, if they are.
    pub(super) rate: Option<SampleRate>,
    /// Whether the search is for contained documents.
    pub(super) by_containment: bool,
    /// Whether queries are added to the index. They then stay in memory with their sets until the batch ends.
    pub(super) adds: bool,
    /// The position of the reading settings, if queries are added to an index that refers to texts.
    pub(super) settings_number: Option<u32>,
    pub(super) observer: &'a dyn Observer,
    pub(super) pool: &'a rayon::ThreadPool,
}

impl QueryReading<'_> {
    /// Reads all inputs and passes on batches of queries, in document order.
    ///
    /// # Errors
    /// When the inputs cannot be read, or `pass_on` fails.
    pub(super) fn read(&self, pass_on: PassOn<'_, Vec<QueryDocument>>) -> Result<ReadSummary> {
        let Self { settings, templates, rate, observer, pool, .. } = *self;
        let (mut batch, mut num_bytes) = (Vec::new(), 0);
        let most_bytes = (settings.resources.memory_bytes / 16).clamp(QUERY_BYTES[0], QUERY_BYTES[1]);
        let set_bytes = if self.adds { SET_BYTES } else { 0 };
        let mut places = self.settings_number.map(PlaceFinder::new);
        let mut add = |document: &SignedDocument| {
            let place = places.as_mut().map(|places| places.place_of(document)).transpose()?;
            let query_document = QueryDocument::of(document, rate, place);
            num_bytes += (query_document.num_bytes() + set_bytes * query_document.text.len()) as u64;
            batch.push(query_document);
            if batch.len() < QUERIES && num_bytes < most_bytes {
                return Ok(());
            }
            num_bytes = 0;
            pass_on(std::mem::take(&mut batch))
        };
        let sources = Sources::read_once(settings.cancel.clone());
        let samples = rate.map(SampleRate::most);
        let parts = SignedParts { signatures: true, texts: true, samples, sizes: self.by_containment };
        let read = corpus::read_signed(settings.corpus(), templates, parts, &sources, observer, pool, &mut add)?;
        pass_on(batch)?;
        Ok(read)
    }
}
