//! The first pass: reads all inputs, and returns the documents with their band keys.
//!
//! Usually one reading signs all documents. With a limit of document frequency, or with weights by document frequency,
//! the first reading only counts shingles. A second reading then signs the documents, once the frequent shingles and
//! the weights are known.

mod assembly;
mod band_keys;
mod forecast;
mod frequent;
mod grouping;
mod kept_texts;
mod keyed_documents;
mod piece_rows;
mod names;
mod identifier_reader;
mod naming;
mod piece_documents;
mod piece_keys;
mod piece_texts;
mod original_part;
mod positioned_reader;
mod programs;
mod read_corpus;
mod reading;
mod report;
mod reread;
mod unchanged_reader;
mod sample;
mod second_reading;
mod stage_settings;
mod signed;
mod signed_stream;
mod signed_texts;
mod signing;
mod sparse_texts;
mod spilled_keys;
mod summary;
mod templates;
mod text_signer;
mod texts;
mod values;
mod watched;

use self::frequent::{Tally, TextCounts};
pub(crate) use self::grouping::{folder_key, name_of_folder};
pub(crate) use self::identifier_reader::{IdentifierReader, read_kept_templates};
pub(crate) use self::kept_texts::KeptTexts;
pub(crate) use self::original_part::OriginalPart;
pub(crate) use self::piece_documents::DocumentSizes;
pub(crate) use self::positioned_reader::{DecodedText, PositionedReader, PositionedText};
pub use self::programs::CodeSummary;
pub(crate) use self::read_corpus::ReadCorpus;
pub(crate) use self::reading::Corpus;
pub(crate) use self::report::Listed;
pub(crate) use self::reread::{Rereader, Tools};
pub(crate) use self::sample::Sample;
use self::second_reading::SecondReading;
pub(crate) use self::signed_stream::{SignedDocument, SignedParts, read_signed};
use self::signing::Reading;
pub(crate) use self::signing::TextVisitor;
pub(crate) use self::spilled_keys::KeyBytes;
pub(crate) use self::stage_settings::StageSettings;
#[cfg(test)]
pub(crate) use self::stage_settings::tests::with_settings;
pub(crate) use self::summary::ReadSummary;
pub use self::summary::{GroupSummary, Removed, Side, Sides, TextKind};
pub(crate) use self::templates::read_templates;
pub(crate) use self::text_signer::TextSigner;
pub use self::texts::{NamedText, read_texts};
pub(crate) use self::values::{read_field, read_member_times, read_values};
pub(crate) use self::watched::{TextWatcher, WatchedCorpus, read_watched};
use crate::base::error::Result;
use crate::base::observe::Observer;
use crate::documents::document::Documents;
use crate::documents::input::Sources;
use crate::text::removal::{MaxDf, Removal};
use crate::text::shingle::ShingleSet;
use crate::text::weights::IdfWeights;

/// A corpus after the first pass, with the numbers of that pass.
pub(crate) struct FirstPass {
    pub(crate) corpus: Corpus,
    /// The shingles that are removed from the documents.
    pub(crate) removal: Option<Removal>,
    /// Every document and every skipped input, in document order; empty unless requested.
    pub(crate) list: Vec<Listed>,
    pub(crate) summary: ReadSummary,
}

/// Reads all documents, shows the shingles of each text to a visitor, and signs nothing.
///
/// # Errors
/// When the run cannot be done.
pub(crate) fn read_visiting(
    settings: StageSettings,
    visitor: &dyn TextVisitor,
    sources: &Sources,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
) -> Result<(Documents, ReadSummary)> {
    let (corpus, _, summary) = Corpus::read(settings, Reading::Visit(visitor), sources, observer, pool, false)?;
    summary.check_read()?;
    Ok((corpus.into_documents(), summary))
}

/// Reads and signs all documents.
///
/// * `lists`: whether to return a list of all documents.
///
/// # Errors
/// When the run cannot be done.
pub(crate) fn read(
    settings: StageSettings,
    sources: &Sources,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
    lists: bool,
) -> Result<FirstPass> {
    let templates = read_templates(settings, sources.cancel(), observer, pool)?;
    let max_df = settings.removal.max_df;
    let weighing = settings.weights.filter(|weights| weights.counts_texts());
    if max_df.is_none() && weighing.is_none() {
        let reading = Reading::Sign(templates.as_ref());
        let (corpus, list, summary) = Corpus::read(settings, reading, sources, observer, pool, lists)?;
        return Ok(FirstPass { corpus, removal: templates, list, summary });
    }
    // A shingle that is in only one text has the maximum weight, and needs no count.
    let limit = if weighing.is_some() { MaxDf::Documents(1) } else { max_df.unwrap_or(MaxDf::Documents(1)) };
    let memory = settings.memory();
    let tally = Tally::new(limit, settings.resources.threads.get(), memory.tally());
    let reading = Reading::Visit(&tally);
    let (mut corpus, mut list, mut summary) = Corpus::read(settings, reading, sources, observer, pool, lists)?;
    let rereader = ReadCorpus { observer, settings, removal: None, documents: &corpus.documents, sources }.rereader();
    summary.tables_at_least(corpus.num_bytes() + tally.num_bytes());
    let counts = pool.install(|| TextCounts::above(limit, max_df, memory, tally, &corpus.documents, &rereader));
    let frequent = max_df.map(|max_df| counts.frequent(max_df));
    if let Some(weighing) = weighing {
        summary.tables_at_least(corpus.num_bytes() + counts.counts.capacity() * size_of::<(u64, u32)>());
        let weights = IdfWeights::new(counts.counts, counts.num_texts);
        summary.tables_at_least(corpus.num_bytes() + weights.num_bytes());
        weighing.set_idf(weights);
    } else {
        drop(counts);
    }
    let template_shingles = templates.as_ref().map(|templates| templates.len() as u64);
    let removal = match &frequent {
        Some((_, frequent)) => {
            Some(templates.unwrap_or_else(|| Removal::new(ShingleSet::default())).with_shingles(frequent))
        }
        None => templates,
    };
    let sign = || SecondReading::new(settings, removal.as_ref(), &corpus.documents, &rereader, lists);
    let signed = pool.install(sign)?;
    for problem in rereader.into_problems() {
        summary.problems.count(&problem);
        observer.problem(&problem);
    }
    let removed = corpus.take_signed(signed, &mut list);
    let (most_documents, frequent_shingles) =
        frequent.map_or((None, 0), |(limit, frequent)| (Some(limit), frequent.len() as u64));
    summary.removed =
        removal.is_some().then_some(Removed { template_shingles, most_documents, frequent_shingles, ..removed });
    summary.count_copies(&corpus.documents);
    summary.tables_at_least(corpus.num_bytes() + removal.as_ref().map_or(0, Removal::num_bytes));
    Ok(FirstPass { corpus, removal, list, summary })
}
