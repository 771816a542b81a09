//! `merge_indexes` and `rebuild_index`: the stored texts of indexes in, a new index out, with the same meaning or with another one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::build::{DocumentSink, write_index};
use super::file::OpenFor;
use super::loaded_text::TextLoader;
use super::meaning::Meaning;
use super::meta::{self, StoredParts};
use super::pending::PendingIndex;
use super::question::origin_of;
use super::reader::IndexReader;
use super::reading_way::ReadingWay;
use super::sampling::IndexSettings;
use super::stored_documents::{RestoredDocument, StoredDocuments, Winners};
use super::writing::KnownName;
use crate::banding::band_keys;
use crate::corpus::SignedDocument;
use crate::document::Located;
use crate::error::{Error, IndexError, Result};
use crate::flat::per_thread::PerThread;
use crate::observe::{Observer, Stage};
use crate::problem::Problem;
use crate::run::Settings;

/// Bytes of pages that are kept of an index that is read.
const CACHE_BYTES: u64 = 8 << 20;

/// What became of the documents of the indexes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restored {
    /// Documents of the new index.
    pub documents: u64,
    /// Documents left out, since another text has their name.
    pub skipped: u64,
    /// Documents left out, since they have fewer tokens than asked for.
    pub few_tokens: u64,
    /// Parts that are damaged; the documents in them are left out.
    pub damage: Vec<String>,
    /// Documents left out whose texts are no longer those that an index refers to.
    pub stale: Vec<Problem>,
}

/// Makes one index of several, which have to be of one meaning: their documents in the order of the indexes. A document that is in
/// several under one name with one text is taken once.
///
/// * `known`: what becomes of documents of one name and different texts; the first one is the one that is there.
/// * `settings`: threads and memory; all else is that of the indexes.
/// * `observer`: gets the documents that are read, and the numbers of the indexes as units.
///
/// # Errors
/// When the indexes are of different meanings, a name has two texts and that is an error, or there is something at `out`.
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
    first.meaning.apply(&mut settings, first.file.path())?;
    for reader in &readers {
        if reader.referred.is_some() != first.referred.is_some() {
            return Err(Error::Index(IndexError::CannotMerge {
                path: reader.file.path().to_owned(),
                what: format!(
                    "one of it and {} stores texts, and the other refers to them",
                    first.file.path().display()
                ),
                remedy: "build one of them again with the --texts of the other",
            }));
        }
        if !reader.meaning.is_same_as(&first.meaning) {
            return Err(Error::Index(IndexError::CannotMerge {
                path: reader.file.path().to_owned(),
                what: format!("it has other settings than {}", first.file.path().display()),
                remedy: "rebuild one of them with the settings of the other",
            }));
        }
    }
    let (winners, skipped) = winners(&readers, known)?;
    restore(out, &mut StoredDocuments::of(&readers, &winners), skipped, &settings, &first.meaning, observer)
}

/// Makes an index of the texts of another one, with another meaning. It refers to texts if the other one does.
///
/// * `built`, `asked`: the settings of the new index, of which those count that are `given`; its threads and memory.
/// * `given`: names of settings, as [`IndexInfo::settings`](crate::IndexInfo::settings) has them.
/// * `observer`: as in [`merge_indexes`].
///
/// # Errors
/// When a setting is one that an index has no use for, or there is something at `out`. The shingles of templates are of the texts as
/// they were cut, so that an index with templates keeps its shingles and folding.
pub fn rebuild_index(
    out: &Path,
    index: &Path,
    built: IndexSettings,
    asked: &Settings,
    given: &[&str],
    observer: &dyn Observer,
) -> Result<Restored> {
    let reader = IndexReader::open(index, OpenFor::Read, CACHE_BYTES)?;
    let meaning = reader.meaning.with(&Meaning::of(asked, built, None)?, given);
    let of_texts = |meaning: &Meaning| Meaning {
        threshold: 0.0,
        bands: 1,
        rows: 1,
        seed: 0,
        signature: String::new(),
        jaccard_kept: None,
        containment: None,
        ..meaning.clone()
    };
    if reader.templates.is_some() && of_texts(&meaning) != of_texts(&reader.meaning) {
        let (what, why) =
            ("shingles and folding", "the index has shingles of templates, which were cut as its own texts");
        return Err(Error::Index(IndexError::NotOfAnIndex { what, why }));
    }
    let mut settings = asked.clone();
    meaning.apply(&mut settings, index)?;
    let (readers, winners) = (std::slice::from_ref(&reader), Winners::new());
    restore(out, &mut StoredDocuments::of(readers, &winners), 0, &settings, &meaning, observer)
}

/// The index and the number of the document that each name is taken from, where it is in several; how many are left out.
fn winners(readers: &[IndexReader], known: KnownName) -> Result<(Winners, u64)> {
    let mut texts: HashMap<u128, (usize, u32, u64, u128)> = HashMap::new();
    let mut skipped = 0;
    for (place, reader) in readers.iter().enumerate() {
        for number in 0..reader.state.next {
            if reader.is_removed(number)? {
                continue;
            }
            let document = reader.document(number)?;
            let own = (place, number, document.raw, document.content);
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
                        remedy: "give --known skip or --known replace",
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
    Ok((texts.into_iter().map(|(name, (place, number, ..))| (name, (place, number))).collect(), skipped))
}

/// * `chunks`: the documents; templates are those of their first index.
fn restore(
    out: &Path,
    chunks: &mut StoredDocuments<'_>,
    skipped: u64,
    settings: &Settings,
    meaning: &Meaning,
    observer: &dyn Observer,
) -> Result<Restored> {
    let first = &chunks.readers[0];
    let templates = first.templates.as_ref();
    let read_kept = |size| meta::kept_templates(&first.file, &first.meaning, size);
    let kept = settings.pairs.kept_names.map(read_kept).transpose()?.flatten();
    let (ways, numbers) = ways_of(chunks.readers);
    chunks.ways = numbers;
    let stored = StoredParts { shingles: templates, kept: kept.as_ref(), ways: ways.as_deref() };
    let pending = PendingIndex::create(out)?;
    let pool = settings.thread_pool()?;
    // Two threads at least: one passes documents on while it waits for others.
    let corpus = settings.corpus();
    let loaders = PerThread::new(pool.current_num_threads(), || TextLoader::new(corpus, templates));
    let is_sampled = |hash: &u64| meaning.containment.is_some_and(|rate| *hash <= rate.most());
    let mut restored = Restored { skipped, ..Restored::default() };
    observer.begin(Stage::Read);
    observer.total(chunks.readers.iter().map(|reader| u64::from(reader.state.next)).sum());
    let (send, receive) = std::sync::mpsc::sync_channel::<Vec<RestoredDocument>>(1);
    let written = std::thread::scope(|scope| -> Result<(u64, u64)> {
        let sign = |sink: DocumentSink<'_>| {
            let (mut documents, mut few_tokens) = (0, 0);
            for chunk in receive {
                let sign = |RestoredDocument { row, text, .. }: &RestoredDocument| {
                    let mut loader = loaders.get();
                    let loaded = loader.load_question(text.clone(), row.syntax);
                    let mut keys = Vec::new();
                    if loaded.content.is_some() {
                        keys.resize(corpus.banding.bands(), 0);
                        band_keys(&loaded.set.signature, &mut keys);
                    }
                    let samples: Vec<u64> = loaded.set.set.set().hashes().iter().copied().filter(is_sampled).collect();
                    (keys, samples, loaded)
                };
                pool.install(|| -> Result<()> {
                    let signed: Vec<_> = chunk.par_iter().map(sign).collect();
                    for (RestoredDocument { row, text, place: of_text }, (keys, samples, loaded)) in
                        chunk.iter().zip(&signed)
                    {
                        if loaded.has_few_tokens {
                            few_tokens += 1;
                            continue;
                        }
                        let (file, place) = origin_of(&row.origin);
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
                            located: Located::file(),
                            is_set_line: false,
                        };
                        sink(&document, of_text.clone())?;
                        documents += 1;
                    }
                    Ok(())
                })?;
            }
            Ok((documents, few_tokens))
        };
        let write = || write_index(pending, out, settings, meaning, stored, &pool, sign);
        let writer = std::thread::Builder::new().spawn_scoped(scope, write).map_err(Error::Thread)?;
        let mut read = Ok(());
        loop {
            let next = chunks.next();
            if let Ok(chunk) = &next {
                let num_bytes = chunk.iter().map(|document| document.text.len() as u64).sum();
                observer.advance(std::mem::take(&mut chunks.num_passed), chunk.len() as u64, num_bytes);
            }
            match next {
                Ok(chunk) if chunk.is_empty() => break,
                // When the writing thread has ended, its error is the one that counts.
                Ok(chunk) => {
                    if send.send(chunk).is_err() {
                        break;
                    }
                }
                Err(error) => {
                    settings.cancel.cancel();
                    read = Err(error);
                    break;
                }
            }
        }
        drop(send);
        let written = writer.join().expect("writing does not panic");
        read.and(written)
    });
    (restored.documents, restored.few_tokens) = written?;
    (restored.damage, restored.stale) = (std::mem::take(&mut chunks.damage), std::mem::take(&mut chunks.stale));
    Ok(restored)
}

/// The ways that the inputs of indexes are read, each once, and for each index which of them its own are. None of indexes that have
/// their texts.
fn ways_of(readers: &[IndexReader]) -> (Option<Vec<ReadingWay>>, Vec<Vec<u32>>) {
    let mut ways: Option<Vec<ReadingWay>> = None;
    let mut numbers = Vec::with_capacity(readers.len());
    for reader in readers {
        let of_index = reader.referred.as_ref().map_or(&[][..], |referred| &referred.ways);
        let mut number_of = |way: &ReadingWay| {
            let ways = ways.get_or_insert_default();
            let place = ways.iter().position(|other| other == way).unwrap_or_else(|| {
                ways.push(way.clone());
                ways.len() - 1
            });
            place as u32
        };
        numbers.push(of_index.iter().map(&mut number_of).collect());
    }
    (ways, numbers)
}
