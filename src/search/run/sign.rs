//! `sign_documents`: runs only the first pass, and passes each signature on as soon as it is made.

use std::borrow::Cow;

use super::settings::Settings;
use super::summary::Summary;
use crate::base::error::{Error, Result};
use crate::base::observe::{Observer, Stage};
use crate::base::setting::Setting;
use crate::documents::input::Sources;
use crate::records::{Name, SignatureRecord};
use crate::search::corpus;
use crate::search::corpus::{SignedDocument, SignedParts, StageSettings};
use crate::search::pairs::PairSource;
use crate::text::weights::{Weighing, Weighting};

/// Reads and signs all documents without comparing them. Each document is passed on, in document order, as soon as it
/// and all documents before it are signed.
///
/// [`find_duplicates`](crate::search::find_duplicates) finds candidates by the same keys and signatures, given the same
/// settings of texts, shingles, signatures, bands and templates. The same inputs and settings give the same records
/// with any number of threads. Memory is some tens of bytes per document, for the hash of its name. An id that looks
/// like the place (`file:line`) of a record in a *later* file keeps its name here, unlike in a run that sees all inputs
/// first.
///
/// * `values`: whether records contain signatures in addition to band keys.
/// * `sink`: receives records, one at a time, from any thread.
///
/// The returned summary counts no copies, no candidates and no pairs.
///
/// # Errors
/// When the run cannot be done, when `sink` fails, or when a setting depends on more than one document: another side,
/// groups, a limit of document frequency, weights by document frequency, or matching by passages. Records passed on
/// before an error remain valid.
pub fn sign_documents(
    settings: &Settings,
    values: bool,
    observer: &dyn Observer,
    sink: &mut (dyn FnMut(&SignatureRecord) -> Result<()> + Send),
) -> Result<Summary> {
    settings.check()?;
    let of_many = [
        (Setting::Against, settings.input.against.is_some()),
        (Setting::Groups, settings.input.groups.is_some()),
        (Setting::MaxDf, settings.removal.max_df.is_some()),
        (Setting::WeightsByFrequency, matches!(settings.weights, Some(Weighting::Idf))),
    ];
    let of_source = match settings.pairs.source {
        PairSource::Bands => None,
        PairSource::AllPairs => Some((Setting::AllPairs, true)),
        PairSource::Passages(_) => Some((Setting::ByPassages, true)),
    };
    if let Some((setting, _)) = of_many.into_iter().chain(of_source).find(|&(_, is_given)| is_given) {
        return Err(Error::SignedAlone(setting));
    }
    let pool = settings.thread_pool()?;
    let sources = Sources::read_once(settings.cancel.clone());
    observer.begin(Stage::Read);
    let templates = corpus::read_templates(settings.corpus(), sources.cancel(), observer, &pool)?;
    let parts = SignedParts { sizes: true, signatures: values, ..SignedParts::default() };
    let mut pass_on = |document: &SignedDocument| {
        sink(&SignatureRecord {
            id: Name::new(document.name),
            shingles: document.num_shingles,
            text_hash: document.content.map(|content| format!("{content:032x}").into()),
            keys: Cow::Borrowed(document.keys),
            signature: values.then_some(Cow::Borrowed(document.signature)),
        })
    };
    let templates = templates.as_ref();
    let weighing = settings.weights.as_ref().map(Weighing::new);
    let corpus = StageSettings { weights: weighing.as_ref(), ..settings.corpus() };
    let read = corpus::read_signed(corpus, templates, parts, &sources, observer, &pool, &mut pass_on)?;
    read.check_read()?;
    Ok(Summary::of_reading(settings, read))
}
