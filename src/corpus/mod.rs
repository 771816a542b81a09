//! The corpus: inputs in, documents with their band keys out.
//!
//! Usually one reading signs all documents. With a limit of document frequency the first reading counts, and a second
//! one signs what remains once the frequent shingles are known.

mod assembly;
mod band_keys;
mod forecast;
mod frequent;
mod grouping;
mod kept_texts;
mod names;
mod names_reader;
mod naming;
mod piece_documents;
mod piece_texts;
mod positioned_reader;
mod programs;
mod reading;
mod report;
mod reread;
mod same_text;
mod sample;
mod second_reading;
mod settings;
mod signed_stream;
mod signing;
mod sparse_texts;
mod summary;
mod templates;
mod texts;
mod values;

use self::frequent::{Tally, frequent_shingles};
pub(crate) use self::kept_texts::KeptTexts;
pub(crate) use self::names_reader::{NamesReader, read_kept_templates};
pub(crate) use self::positioned_reader::{DecodedText, PositionedReader, PositionedText};
pub use self::programs::CodeSummary;
pub(crate) use self::reading::Corpus;
pub(crate) use self::report::Listed;
pub(crate) use self::reread::{Rereader, Tools};
pub(crate) use self::sample::Sample;
use self::second_reading::SecondReading;
pub(crate) use self::settings::CorpusSettings;
pub(crate) use self::signed_stream::{SignedDocument, SignedParts, SignedSink, read_signed};
use self::signing::Reading;
pub(crate) use self::summary::ReadSummary;
pub use self::summary::{GroupSummary, Removed, Side, Sides};
pub(crate) use self::templates::read_templates;
pub use self::texts::{NamedText, read_texts};
pub(crate) use self::values::read_values;
use crate::error::Result;
use crate::input::Sources;
use crate::observe::Observer;
use crate::removal::Removal;
use crate::shingle::ShingleSet;

/// What the first pass returns.
pub(crate) struct ReadCorpus {
    pub(crate) corpus: Corpus,
    /// The shingles that are removed from the documents.
    pub(crate) removal: Option<Removal>,
    /// Every document and every input that is none, in document order; empty unless asked for.
    pub(crate) list: Vec<Listed>,
    pub(crate) summary: ReadSummary,
}

/// Reads and signs all documents.
///
/// * `lists`: whether to return a list of them.
///
/// # Errors
/// When the run cannot be done.
pub(crate) fn read(
    settings: CorpusSettings,
    sources: &Sources,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
    lists: bool,
) -> Result<ReadCorpus> {
    let templates = read_templates(settings, sources.cancel(), observer, pool)?;
    let Some(max_df) = settings.removal.max_df else {
        let reading = Reading::Sign(templates.as_ref());
        let (corpus, list, summary) = Corpus::read(settings, reading, sources, observer, pool, lists)?;
        return Ok(ReadCorpus { corpus, removal: templates, list, summary });
    };
    let memory = settings.memory();
    let tally = Tally::new(max_df, settings.resources.threads.get(), memory.tally());
    let reading = Reading::Count(&tally);
    let (mut corpus, mut list, mut summary) = Corpus::read(settings, reading, sources, observer, pool, lists)?;
    let rereader = Rereader::new(observer, settings, None, &corpus.documents, sources);
    summary.tables_at_least(corpus.num_bytes() + tally.num_bytes());
    let (limit, frequent) = pool.install(|| frequent_shingles(memory, max_df, tally, &corpus.documents, &rereader));
    let template_shingles = templates.as_ref().map(|templates| templates.len() as u64);
    let removal = templates.unwrap_or_else(|| Removal::new(ShingleSet::default())).and(&frequent);
    let signed = pool.install(|| SecondReading::new(settings, &removal, &corpus.documents, &rereader, lists))?;
    for problem in rereader.into_problems() {
        summary.problems.count(&problem);
        observer.problem(&problem);
    }
    let removed = corpus.take_signed(signed, &mut list);
    let frequent_shingles = frequent.len() as u64;
    summary.removed = Some(Removed { template_shingles, most_documents: Some(limit), frequent_shingles, ..removed });
    summary.count_copies(&corpus.documents);
    summary.tables_at_least(corpus.num_bytes() + removal.num_bytes());
    Ok(ReadCorpus { corpus, removal: Some(removal), list, summary })
}
