//! `merge_indexes` and `rebuild_index`: make a new index from the stored texts of others, with the same or with another
//! settings.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::build::{DocumentSink, write_index};
use super::stored_documents::{CopiedDocument, DocumentCopier, KeptByName, read_settings_of};
use super::writing::KnownName;
use crate::base::error::{Error, IndexError, Result};
use crate::base::flat::per_thread::PerThread;
use crate::base::hand_over::run_both;
use crate::base::observe::{Observer, Stage};
use crate::base::problem::Problem;
use crate::base::setting::Setting;
use crate::documents::document::DocumentLocation;
use crate::index::database::file::OpenFor;
use crate::index::database::meta;
use crate::index::database::meta::StoredParts;
use crate::index::database::pending::PendingIndex;
use crate::index::database::result_settings::ResultSettings;
use crate::index::database::sampling::{IndexSettings, SampleRate};
use crate::index::read::loaded_text::{PreparedQuery, TextLoader};
use crate::index::read::reader::IndexReader;
use crate::search::corpus::SignedDocument;
use crate::search::run::Settings;
use crate::sign::banding::{Banding, band_keys};
use crate::sign::signature::SignatureSettings;

/// The size of the page cache of each index in bytes.
const CACHE_BYTES: u64 = 8 << 20;

/// The outcome for the documents of the indexes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restored {
    /// The number of documents of the new index.
    pub documents: u64,
    /// The number of skipped documents whose name another text has.
    pub skipped: u64,
    /// The number of skipped documents with too few tokens.
    pub few_tokens: u64,
    /// The damaged parts; their documents are skipped.
    pub damage: Vec<IndexError>,
    /// The skipped documents whose texts have changed or are missing at the place that an index refers to.
    pub stale: Vec<Problem>,
}

/// Makes one index from several with the same settings: their documents in the order of the indexes. A document that
/// several indexes contain with the same name and text is added once.
///
/// * `known`: the handling of documents with the same name and different texts; the first document counts as the
///   existing one.
/// * `settings`: threads and memory; all other settings come from the indexes.
/// * `observer`: receives the documents that are read; a unit is a document number of an index.
///
/// # Errors
/// When the indexes have different settings, when a name has two texts and `known` makes that an error, or when `out`
/// exists.
pub fn merge_indexes(
    out: &Path,
    indexes: &[PathBuf],
    known: KnownName,
    settings: &Settings,
    observer: &dyn Observer,
) -> Result<Restored> {
    let mut settings = settings.clone();
    let readers =
        indexes.iter().map(|index| IndexReader::open(index, OpenFor::Read, CACHE_BYTES)).collect::<Result<Vec<_>>>()?;
    let Some(first) = readers.first() else { return Ok(Restored::default()) };
    let result_settings = first.result_settings.clone();
    result_settings.apply(&mut settings)?;
    for reader in &readers {
        if reader.referred.is_some() != first.referred.is_some() {
            return Err(Error::Index(IndexError::CannotMerge {
                path: reader.file.path().to_owned(),
                what: format!(
                    "one of it and {} stores texts, and the other refers to them",
                    first.file.path().display()
                ),
                remedy: format!("build one of them again with the {} of the other", Setting::TextStorage),
            }));
        }
        if !reader.result_settings.is_same_as(&result_settings) {
            return Err(Error::Index(IndexError::CannotMerge {
                path: reader.file.path().to_owned(),
                what: format!("it has other settings than {}", first.file.path().display()),
                remedy: "rebuild one of them with the settings of the other".to_owned(),
            }));
        }
    }
    let (winners, skipped) = winners(&readers, known)?;
    let restored = restore(out, readers, &winners, &settings, &result_settings, observer)?;
    Ok(Restored { skipped, ..restored })
}

/// Makes an index from the texts of another one, with other settings. The new index refers to texts if the other one
/// does.
///
/// * `built`, `wanted`: the settings of the new index. Only settings listed in `given` are used, and threads and memory.
/// * `given`: the settings of the new index that `wanted` has.
/// * `observer`: as in [`merge_indexes`].
///
/// An index that lacks its end is read as far as it goes.
///
/// # Errors
/// When a setting does not apply to an index, or when `out` exists. Template shingles depend on the shingle and folding
/// settings, so these settings of an index with templates cannot change.
pub fn rebuild_index(
    out: &Path,
    index: &Path,
    built: IndexSettings,
    wanted: &Settings,
    given: &[Setting],
    observer: &dyn Observer,
) -> Result<Restored> {
    let reader = IndexReader::open(index, OpenFor::Salvage, CACHE_BYTES)?;
    let result_settings = reader.result_settings.with(&ResultSettings::of(wanted, built, None)?, given);
    let of_texts = |result_settings: &ResultSettings| ResultSettings {
        threshold: 0.0,
        banding: Banding::default(),
        signature: SignatureSettings::default(),
        jaccard_kept: None,
        containment: None,
        ..result_settings.clone()
    };
    if reader.templates.is_some() && of_texts(&result_settings) != of_texts(&reader.result_settings) {
        let (setting, why) =
            (Setting::Shingles, "the index has shingles of templates, which were cut as its own texts");
        return Err(Error::Index(IndexError::NotOfAnIndex { setting, why }));
    }
    let mut settings = wanted.clone();
    result_settings.apply(&mut settings)?;
    restore(out, vec![reader], &KeptByName::new(), &settings, &result_settings, observer)
}

/// Chooses, for each name, the index and the number of the document that is kept; also returns the number of skipped
/// documents.
fn winners(readers: &[IndexReader], known: KnownName) -> Result<(KeptByName, u64)> {
    let mut texts: HashMap<u128, (usize, u32, u64, u128)> = HashMap::new();
    let mut skipped = 0;
    for (index, reader) in readers.iter().enumerate() {
        for number in 0..reader.state.next {
            if reader.is_removed(number)? {
                continue;
            }
            let document = reader.document(number)?;
            let own = (index, number, document.raw, document.content);
            let other = texts.entry(xxh3_128(&document.name)).or_insert(own);
            if (other.2, other.3) == (own.2, own.3) {
                continue;
            }
            match known {
                KnownName::Error => {
                    let name = String::from_utf8_lossy(&document.name).into_owned();
                    return Err(Error::Index(IndexError::CannotMerge {
                        path: reader.file.path().to_owned(),
                        what: format!("duplicate name {name:?}: an earlier index has another text with it"),
                        remedy: format!("give {known} skip or {known} replace", known = Setting::Known),
                    }));
                }
                KnownName::Skip => skipped += 1,
                KnownName::Replace => {
                    *other = own;
                    skipped += 1;
                }
            }
        }
    }
    Ok((texts.into_iter().map(|(name, (index, number, ..))| (name, (index, number))).collect(), skipped))
}

/// Writes a new index with the documents of others.
///
/// * `readers`: the indexes; the templates of the first one are used.
/// * `winners`: the document that is kept for each name; empty when all documents are kept.
fn restore(
    out: &Path,
    mut readers: Vec<IndexReader>,
    winners: &KeptByName,
    settings: &Settings,
    result_settings: &ResultSettings,
    observer: &dyn Observer,
) -> Result<Restored> {
    let first = &mut readers[0];
    let templates = first.templates.take();
    let read_kept = |size| meta::kept_templates(&first.file, &first.result_settings, size);
    let kept = settings.pairs.kept_names.map(read_kept).transpose()?.flatten();
    let (read_settings, _) = read_settings_of(&readers);
    let stored =
        StoredParts { shingles: templates.as_ref(), kept: kept.as_ref(), read_settings: read_settings.as_deref() };
    let pending = PendingIndex::create(out)?;
    let pool = settings.thread_pool()?;
    let corpus = settings.corpus();
    let signing = CopySigning {
        // The pool has at least two threads: one passes on documents and waits for the others.
        loaders: PerThread::new(pool.current_num_threads(), || TextLoader::new(corpus, templates.as_ref())),
        num_bands: corpus.banding.bands(),
        sampling: result_settings.containment,
    };
    observer.begin(Stage::Read);
    observer.total(readers.iter().map(|reader| u64::from(reader.state.next)).sum());
    // An index is read by one thread at a time, so the thread that reads them receives all of them.
    let copy = |sink: DocumentSink<'_>| {
        let readers = readers;
        let mut documents = DocumentCopier::of(&readers, winners);
        let mut restored = Restored::default();
        let mut chunk = documents.next_observed(observer)?;
        while !chunk.is_empty() {
            let sign = || signing.pass_on(&chunk, &mut *sink);
            let (signed, next) = run_both(Some(&pool), sign, || documents.next_observed(observer));
            let num_signed = signed?;
            restored.documents += num_signed;
            restored.few_tokens += chunk.len() as u64 - num_signed;
            chunk = next?;
        }
        (restored.damage, restored.stale) = (documents.damage, documents.stale);
        Ok(restored)
    };
    write_index(pending, out, settings, result_settings, stored, &pool, copy)
}

/// How documents are signed for a new index.
struct CopySigning<'t> {
    loaders: PerThread<TextLoader<'t>>,
    num_bands: usize,
    sampling: Option<SampleRate>,
}

impl CopySigning<'_> {
    /// Signs the documents of a chunk in parallel, and passes on those with enough tokens, in order. Returns their number.
    fn pass_on(&self, chunk: &[CopiedDocument], sink: DocumentSink<'_>) -> Result<u64> {
        let signed: Vec<_> = chunk.par_iter().map(|document| self.sign(document)).collect();
        let mut num_documents = 0;
        for (CopiedDocument { row, text, place: of_text }, (keys, samples, loaded)) in chunk.iter().zip(&signed) {
            if loaded.has_few_tokens {
                continue;
            }
            let (file, place) = row.origin.file_and_place();
            let document = SignedDocument {
                name: &row.name,
                file,
                place: place.map(|(place, _)| place),
                is_row: place.is_some_and(|(_, is_row)| is_row),
                content: loaded.content,
                num_shingles: 0,
                keys,
                signature: &[],
                samples,
                text,
                syntax: loaded.syntax,
                offsets_of: row.offsets_of,
                is_original: row.is_original,
                located: DocumentLocation::file(),
                is_set_line: false,
            };
            sink(&document, of_text.clone())?;
            num_documents += 1;
        }
        Ok(num_documents)
    }

    /// The band keys and the sampled shingles of a document, and the document itself.
    fn sign(&self, CopiedDocument { row, text, .. }: &CopiedDocument) -> (Vec<u64>, Vec<u64>, PreparedQuery) {
        let mut loader = self.loaders.get();
        let loaded = loader.load_query(text.clone(), row.syntax);
        let mut keys = Vec::new();
        if loaded.content.is_some() {
            keys.resize(self.num_bands, 0);
            band_keys(&loaded.set.signature, &mut keys);
        }
        let is_sampled = |hash: &u64| self.sampling.is_some_and(|rate| *hash <= rate.most());
        let samples = loaded.set.set.set().hashes().iter().copied().filter(is_sampled).collect();
        (keys, samples, loaded)
    }
}
