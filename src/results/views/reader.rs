//! `ViewReader`: reads both texts of each pair again, and finds the passages that they share.
//!
//! Pairs are processed in rounds, as many at a time as their texts fit into the memory. The documents of a round are
//! read in parallel, unless the round before already had them. Then the pairs are aligned in parallel.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::key::ViewKey;
use super::text_view::{PairView, TextView, ViewedPassage};
use crate::base::error::Result;
use crate::base::flat::offset_map::OffsetMap;
use crate::base::flat::per_thread::PerThread;
use crate::base::observe::Unwatched;
use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::base::shown::shown;
use crate::compare::passages::{Aligner, PassageSettings};
use crate::documents::document::{DocId, Documents, Origin, Place};
use crate::documents::input::{Sources, path_bytes, path_of};
use crate::records::PairSide;
use crate::results::saved::{file_of, name_in_index, only_documents};
use crate::search::corpus;
use crate::search::corpus::{FirstPass, PositionedReader};
use crate::search::run::Settings;
use crate::text::normalize::{ignored_parts, with_ignored};
use crate::text::removal::{Removal, RemovalSettings, remaining_and_removed};
use crate::text::shingle::{Shingler, Tokens};

/// Maximum number of pairs per round.
const MOST_PAIRS: usize = 256;

/// Reads the documents of pairs again, as they were when they were compared.
pub struct ViewReader {
    settings: Settings,
    passages: Option<PassageSettings>,
    read: Option<ReadDocuments>,
    /// The folder to which relative names refer.
    folder: PathBuf,
}

/// Documents that were read before, and their places.
pub(super) struct ReadDocuments {
    pub(super) documents: Documents,
    pub(super) sources: Sources,
    pub(super) pool: rayon::ThreadPool,
    pub(super) removal: Option<Removal>,
    names: HashMap<(bool, u128), DocId>,
    /// The documents by file and line or row, which is 0 for a file that is one document; `None` for a run, whose
    /// documents are found by name.
    places: Option<HashMap<(u128, u64), DocId>>,
    /// The documents of indexes, by index and name.
    stored: HashMap<[u128; 2], DocId>,
}

/// A document in memory.
struct ViewedText {
    view: Arc<TextView>,
    tokens: Option<Tokens>,
    /// Maps offsets from the normalised text to the view's text.
    map: OffsetMap,
}

impl ReadDocuments {
    pub(super) fn new(
        documents: Documents,
        sources: Sources,
        pool: rayon::ThreadPool,
        removal: Option<Removal>,
        with_places: bool,
    ) -> Self {
        let (mut names, mut places, mut stored) = (HashMap::new(), HashMap::new(), HashMap::new());
        for id in (0..documents.len()).map(DocId::new) {
            let is_second = documents.scope().side(id).is_some_and(|side| side != 0);
            let name = xxh3_128(documents.name(id));
            match documents.origin(id).filter(|_| with_places) {
                Some(Origin { index: Some(index), .. }) => {
                    stored.entry([xxh3_128(index), name]).or_insert(id);
                    continue;
                }
                Some(origin) => {
                    places.entry((xxh3_128(origin.file), number(origin.place))).or_insert(id);
                }
                None => {}
            }
            names.entry((is_second, name)).or_insert(id);
        }
        let places = with_places.then_some(places);
        Self { documents, sources, pool, removal, names, places, stored }
    }
}

impl ViewReader {
    /// A reader for the documents of a run.
    pub(super) fn of_run(settings: Settings, passages: Option<PassageSettings>, read: ReadDocuments) -> Self {
        Self { settings, passages, read: Some(read), folder: PathBuf::new() }
    }

    /// A reader for [`read`](Self::read) that reads the files of documents.
    ///
    /// * `settings`: how files are read and cut into shingles, and the indexes that store documents. The settings for paths,
    ///   sides, groups, bands and `max_df` are ignored, except for the paths of files that are joined to documents.
    /// * `passages`: the definition of passages; `None` looks for none.
    /// * `folder`: the folder to which relative names refer.
    ///
    /// # Errors
    /// When the settings cannot be used. Missing files are reported by [`read`](Self::read).
    pub fn of_files<'k>(
        settings: &Settings,
        passages: Option<PassageSettings>,
        folder: &Path,
        keys: impl IntoIterator<Item = &'k ViewKey, IntoIter: Clone>,
    ) -> Result<Self> {
        let mut reader = Self { settings: settings.clone(), passages, read: None, folder: folder.to_owned() };
        let (mut seen, keys) = (HashSet::new(), keys.into_iter());
        let stored = keys.clone().filter_map(|key| Some((reader.in_folder(key.index.as_ref()?), key.name.as_slice())));
        let stored = only_documents(&settings.input.stored, stored);
        let names = keys.filter(|key| key.index.is_none() && seen.insert(xxh3_128(&key.file)));
        let mut files: Vec<PathBuf> = names.filter_map(|key| file_of(&reader.in_folder(&key.file))).collect();
        files.sort_unstable();
        files.dedup();
        let is_joined = settings.input.unit.is_some();
        if files.is_empty() && !is_joined && stored.is_none() {
            return Ok(reader);
        }
        reader.settings = if is_joined { settings.of_joined_files() } else { settings.of_single_files(files) };
        // The frequency of a shingle depends on all documents, which are not read.
        reader.settings.removal = RemovalSettings { max_df: None, ..settings.removal.clone() };
        reader.settings.input.with_offsets = true;
        reader.settings.input.with_source = true;
        reader.settings.input.against = stored;
        let settings = &reader.settings;
        settings.check()?;
        let (pool, sources) = (settings.thread_pool()?, Sources::new(settings.cancel.clone()));
        let FirstPass { corpus, removal, .. } = corpus::read(settings.corpus(), &sources, &Unwatched, &pool, false)?;
        reader.read = Some(ReadDocuments::new(corpus.into_documents(), sources, pool, removal, true));
        Ok(reader)
    }

    /// Passes on the views of pairs, in their order, until `use_view` returns `false`. Returns a problem for each
    /// document that could not be read as it was compared, sorted by name.
    ///
    /// # Errors
    /// When the run was cancelled.
    pub fn read(
        &self,
        pairs: &[[ViewKey; 2]],
        use_view: &mut dyn FnMut(usize, PairView) -> bool,
    ) -> Result<Vec<Problem>> {
        let mut problems = BTreeMap::new();
        let Some(read) = &self.read else {
            for key in pairs.iter().flatten() {
                problems.entry(key.name.clone()).or_insert_with(|| missing(key));
            }
            return Ok(problems.into_values().collect());
        };
        let settings = self.settings.corpus();
        let positioned = PositionedReader::for_views(settings, &read.documents, &read.sources);
        let aligner_bytes = settings.memory().passages() / 2 / settings.resources.threads.get() as u64;
        let tools = PerThread::new(settings.resources.threads.get(), || {
            let aligner = self.passages.map(|passages| Aligner::with_memory(passages, aligner_bytes));
            (settings.shingler(), aligner)
        });
        let most_shingles = settings.memory().passages() / 8 * 3 / (self.settings.shingles.token_bytes(false) + 8);
        let mut loaded: HashMap<DocId, Option<Arc<ViewedText>>> = HashMap::new();
        let mut next = 0;
        while next < pairs.len() {
            let (mut round, mut wanted, mut num_shingles) = (Vec::new(), HashSet::new(), 0);
            for pair in pairs[next..].iter().take(MOST_PAIRS) {
                let ids = pair.each_ref().map(|key| self.find(read, key));
                let new = ids.iter().flatten().filter(|id| !wanted.contains(*id));
                num_shingles += new.map(|&id| u64::from(read.documents.num_shingles(id))).sum::<u64>();
                if !round.is_empty() && num_shingles > most_shingles {
                    break;
                }
                wanted.extend(ids.iter().flatten().copied());
                round.push(ids);
            }
            loaded.retain(|id, _| wanted.contains(id));
            let mut unread: Vec<DocId> = wanted.into_iter().filter(|id| !loaded.contains_key(id)).collect();
            unread.sort_unstable();
            let load = |&id: &DocId| (id, self.load(read, &positioned, &mut tools.get().0, id).map(Arc::new));
            loaded.extend(read.pool.install(|| unread.par_iter().with_max_len(1).map(load).collect::<Vec<_>>()));
            let text_of = |id: Option<DocId>| id.and_then(|id| loaded.get(&id)?.clone());
            let view = |ids: &[Option<DocId>; 2]| view(ids.map(text_of), tools.get().1.as_mut());
            let views: Vec<PairView> = read.pool.install(|| round.par_iter().map(view).collect());
            for (pair, view) in pairs[next..].iter().zip(views) {
                for (key, _) in pair.iter().zip(&view.texts).filter(|(_, text)| text.is_none()) {
                    problems.entry(key.name.clone()).or_insert_with(|| match self.find_any(read, key) {
                        Some(id) => match positioned.system_fault(id) {
                            Some(fault) => problem(key, &format!("it {fault}")),
                            None => changed(key),
                        },
                        None => missing(key),
                    });
                }
                if !use_view(next, view) {
                    return Ok(problems.into_values().collect());
                }
                next += 1;
            }
            read.sources.check()?;
        }
        Ok(problems.into_values().collect())
    }

    fn load(
        &self,
        read: &ReadDocuments,
        positioned: &PositionedReader,
        shingler: &mut Shingler,
        id: DocId,
    ) -> Option<ViewedText> {
        let (positions, mut decoded) = positioned.read_decoded(id)?;
        let map = std::mem::take(&mut decoded.normalised);
        let ignored = ignored_parts(&self.settings.normalization, &decoded.text, &positions.text, &map);
        let cut = self.passages.map(|_| remaining_and_removed(shingler, read.removal.as_ref(), positions.text));
        let (tokens, removed) = cut.map_or((None, Vec::new()), |(tokens, removed)| (Some(tokens), removed));
        let tokens = tokens.filter(|tokens| tokens.len() <= Aligner::MOST_TOKENS);
        let removed = removed.into_iter().map(|bytes| map.source_range(bytes)).collect();
        let (removed, words) = with_ignored(removed, self.settings.removal.words(), ignored);
        let view = TextView::new(&mut decoded).with_removed(removed, words);
        Some(ViewedText { view: Arc::new(view), tokens, map })
    }

    /// The document of a key, if its text is the one that was compared.
    fn find(&self, read: &ReadDocuments, key: &ViewKey) -> Option<DocId> {
        let found = self.find_any(read, key)?;
        let is_same = key.text_hash.is_none_or(|hash| hash == read.documents.content(found));
        is_same.then_some(found)
    }

    fn find_any(&self, read: &ReadDocuments, key: &ViewKey) -> Option<DocId> {
        let Some(places) = &read.places else {
            let is_second = key.side == PairSide::B;
            let name = xxh3_128(&key.name);
            let of_side = read.names.get(&(is_second, name));
            return of_side.or_else(|| read.names.get(&(false, name))).copied();
        };
        if let Some(index) = &key.index {
            let index = xxh3_128(&self.in_folder(index));
            return name_in_index(&key.name, |name| read.stored.get(&[index, xxh3_128(name)]).copied());
        }
        let place = (xxh3_128(&self.in_folder(&key.file)), number(key.place));
        let of_name = |name: &[u8]| read.names.get(&(false, xxh3_128(name)));
        // The name of a document that is joined from files need not be a path.
        let of_unit = || of_name(&key.name).filter(|_| self.settings.input.unit.is_some());
        places.get(&place).or_else(|| of_name(&self.in_folder(&key.name))).or_else(of_unit).copied()
    }

    fn in_folder(&self, name: &[u8]) -> Vec<u8> {
        if self.folder.as_os_str().is_empty() {
            return name.to_vec();
        }
        path_bytes(&self.folder.join(path_of(name))).to_vec()
    }
}

fn view(texts: [Option<Arc<ViewedText>>; 2], aligner: Option<&mut Aligner>) -> PairView {
    let mut passages = Vec::new();
    if let ([Some(a), Some(b)], Some(aligner)) = (&texts, aligner)
        && let (Some(tokens_a), Some(tokens_b)) = (&a.tokens, &b.tokens)
    {
        let alignment = aligner.align(tokens_a, tokens_b);
        passages.extend(alignment.passages.into_iter().map(|passage| ViewedPassage {
            a: a.map.source_range(tokens_a.trimmed_bytes_of(passage.a)),
            b: b.map.source_range(tokens_b.trimmed_bytes_of(passage.b)),
            matched: passage.matched as u64,
            exact: passage.is_exact,
        }));
    }
    PairView { texts: texts.map(|text| text.map(|text| text.view.clone())), passages }
}

/// The number of a line or a row; 0 for a file that is one document.
fn number(place: Option<Place>) -> u64 {
    match place {
        None => 0,
        Some(Place::Line(number) | Place::Row(number)) => number,
    }
}

fn missing(key: &ViewKey) -> Problem {
    if let Some(index) = &key.index {
        let index = shown(&String::from_utf8_lossy(index));
        return problem(key, &format!("{index} no longer has this document"));
    }
    if key.place.is_none() && key.file == key.name {
        let name = String::from_utf8_lossy(&key.name).into_owned();
        let (save, source) = (Setting::Save, Setting::WithSource);
        let fault = format!(
            "no file has this name, so the report lacks its text; for a record, save the pairs with {save}, or scan with {source}"
        );
        return Problem::error(name, Reason::Changed, fault);
    }
    problem(key, "the file no longer exists")
}

fn changed(key: &ViewKey) -> Problem {
    problem(key, "it is not what it was when it was compared")
}

fn problem(key: &ViewKey, fault: &str) -> Problem {
    let name = String::from_utf8_lossy(&key.name).into_owned();
    Problem::error(name, Reason::Changed, format!("{fault}; the report lacks its text, scan again"))
}
