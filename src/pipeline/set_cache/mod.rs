//! Shingle sets for verification: rebuilt from a second read, kept in a cache of bounded bytes.

mod huge;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use xxhash_rust::xxh3::xxh3_128;

use self::huge::Huge;
use super::Observer;
use crate::config::Config;
use crate::document::{DocId, Documents};
use crate::error::{Problem, Reason};
use crate::input::{Reader, Sources};
use crate::shingle::{ShingleHashes, ShingleSetBuilder, Shingler};
use crate::signature::Signer;
use crate::verify::VerifiableSet;

/// A document as verification sees it: its shingles, and its signature once a pair with it is reported.
pub(super) struct Cached {
    pub(super) shingles: Shingles,
    signature: OnceLock<Box<[u32]>>,
    /// What it counts for in the cache; fixed when it enters.
    num_bytes: u64,
}

/// A document's shingle set.
pub(super) enum Shingles {
    /// In memory.
    Set(VerifiableSet),
    /// Too many to hold: counted slice by slice.
    Huge(Huge),
}

/// Loads sets on demand, from any thread.
pub(super) struct SetCache<'a> {
    observer: &'a dyn Observer,
    documents: &'a Documents,
    cache: Cache<DocId, Arc<Cached>, SetBytes>,
    /// One for each thread of the pool.
    loaders: Vec<Mutex<Loader<'a>>>,
    /// Documents that could not be read again, each told once.
    failed: Mutex<Failed>,
    signature_bytes: usize,
    /// Distinct shingles beyond which a set is huge.
    most_shingles: usize,
    counting_huge: Mutex<()>,
}

#[derive(Default)]
struct Failed {
    documents: HashSet<DocId>,
    problems: Vec<(DocId, Problem)>,
}

struct Loader<'a> {
    reader: Reader<'a>,
    tools: Tools,
}

/// What a text is made into a set and a signature with.
struct Tools {
    shingler: Shingler,
    builder: ShingleSetBuilder,
    signer: Signer,
}

impl Tools {
    /// The set of a text's shingles, unless it has more than `most`.
    fn shingles(&mut self, text: &[u8], most: usize) -> Shingles {
        let Self { shingler, builder, .. } = self;
        let (mut num_hashes, mut hashes_at_most) = (0, 0);
        shingler.shingles_utf8(text).for_each_block(&mut |block| {
            num_hashes += block.len();
            if builder.len() <= most {
                builder.extend(block);
                hashes_at_most = num_hashes;
            }
        });
        let set = builder.take();
        if set.len() <= most {
            return Shingles::Set(VerifiableSet::new(set));
        }
        // Were all later hashes new, this many slices would be full.
        Shingles::Huge(Huge::new(num_hashes.div_ceil(hashes_at_most)))
    }
}

fn sign(signer: &mut Signer, shingles: &mut dyn ShingleHashes) -> Box<[u32]> {
    let mut signature = vec![0; signer.num_hashes()].into_boxed_slice();
    signer.sign(shingles, &mut signature);
    signature
}

/// The signature counts from the start, though it is made later: the cache subtracts what an entry weighs when it goes
/// from a total of what entries weighed when they came, so a weight must never change.
#[derive(Clone)]
struct SetBytes;

impl Weighter<DocId, Arc<Cached>> for SetBytes {
    fn weight(&self, _: &DocId, document: &Arc<Cached>) -> u64 {
        document.num_bytes
    }
}

impl<'a> SetCache<'a> {
    pub(super) fn new(
        observer: &'a dyn Observer,
        config: &'a Config,
        documents: &'a Documents,
        sources: &'a Sources,
    ) -> Self {
        let banding = config.banding;
        let tools = || Tools {
            shingler: Shingler::new(config.shingle_kind, config.shingle_size.get()),
            builder: ShingleSetBuilder::default(),
            signer: Signer::new(config.signature, banding.bands(), banding.rows(), config.seed),
        };
        let loader = || Loader { reader: Reader::new(&config.input, sources), tools: tools() };
        // Sets of a few thousand shingles are the common case; the number only sizes the cache's first table.
        let expected_sets = (config.cache_bytes >> 15).clamp(64, 1 << 16) as usize;
        // Each shard has its share of the bytes, so few of them, lest a large set find no room.
        let options = OptionsBuilder::new()
            .estimated_items_capacity(expected_sets)
            .weight_capacity(config.cache_bytes)
            .shards(4)
            .build()
            .expect("all that is needed is given");
        Self {
            observer,
            documents,
            cache: Cache::with_options(options, SetBytes, DefaultHashBuilder::default(), DefaultLifecycle::default()),
            loaders: (0..config.threads.get()).map(|_| Mutex::new(loader())).collect(),
            failed: Mutex::default(),
            signature_bytes: 4 * banding.num_hashes(),
            // With its index and bitmap a set of this size takes about all of the cache's bytes.
            most_shingles: (config.cache_bytes >> 4).max(1 << 10) as usize,
            counting_huge: Mutex::default(),
        }
    }

    /// The set of a document that is the first of its text; `None` when it can no longer be read as it was.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(super) fn get(&self, first: DocId) -> Option<Arc<Cached>> {
        if let Some(found) = self.cache.get(&first) {
            return Some(found);
        }
        let shingles = self.read_again(first, &mut |text, loader| loader.shingles(text, self.most_shingles))?;
        let set_bytes = match &shingles {
            Shingles::Set(set) => set.num_bytes(),
            Shingles::Huge(_) => 0,
        };
        let num_bytes = (set_bytes + self.signature_bytes + size_of::<Cached>()) as u64;
        let loaded = Arc::new(Cached { shingles, signature: OnceLock::new(), num_bytes });
        self.cache.insert(first, Arc::clone(&loaded));
        Some(loaded)
    }

    /// The signature of a loaded document, made when first asked for; `None` when it has to be read again and cannot.
    pub(super) fn signature<'v>(&self, first: DocId, document: &'v Cached) -> Option<&'v [u32]> {
        if document.signature.get().is_none() {
            let signature = match &document.shingles {
                Shingles::Set(verifiable) => sign(&mut self.loader().tools.signer, &mut verifiable.set()),
                Shingles::Huge(_) => self.read_again(first, &mut |text, loader| {
                    sign(&mut loader.signer, &mut loader.shingler.shingles_utf8(text))
                })?,
            };
            // Another thread may have been first; the values are the same.
            let _ = document.signature.set(signature);
        }
        document.signature.get().map(|signature| &**signature)
    }

    /// The documents that could not be read again, in document order.
    pub(super) fn into_problems(self) -> Vec<Problem> {
        let mut failed = self.failed.into_inner().expect("no holder panics");
        failed.problems.sort_by_key(|&(document, _)| document);
        failed.problems.into_iter().map(|(_, problem)| problem).collect()
    }

    /// Reads the document, or, when that fails, one of its copies, whose text is the same, and uses it.
    fn read_again<T>(&self, first: DocId, use_text: &mut dyn FnMut(&[u8], &mut Tools) -> T) -> Option<T> {
        let mut loader = self.loader();
        let Loader { reader, tools } = &mut *loader;
        std::iter::once(first).chain(self.documents.copies_of(first)).find_map(|document| {
            let is_known = self.failed.lock().expect("no holder panics").documents.contains(&document);
            if is_known {
                return None;
            }
            let name = self.documents.name(document);
            let fault = match reader.read_again(name, self.documents.located(document)) {
                Ok(text) if xxh3_128(text) == self.documents.content(document) => {
                    self.observer.advance(0, 0, text.len() as u64);
                    return Some(use_text(text, tools));
                }
                Ok(_) => "changed".to_owned(),
                Err(fault) => fault,
            };
            self.fail(document, &fault);
            None
        })
    }

    fn fail(&self, document: DocId, fault: &str) {
        let mut failed = self.failed.lock().expect("no holder panics");
        if failed.documents.insert(document) {
            let name = String::from_utf8_lossy(self.documents.name(document));
            let detail = format!("{fault} while it was compared; pairs with it may be missing, scan again");
            failed.problems.push((document, Problem::error(name, Reason::Changed, detail)));
        }
    }

    fn loader(&self) -> MutexGuard<'_, Loader<'a>> {
        let thread = rayon::current_thread_index().expect("verification runs in the pool");
        self.loaders[thread].lock().expect("no holder panics")
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    use crate::error::Result;
    use crate::pipeline::read::Corpus;
    use crate::pipeline::{Stage, Summary, find_duplicates};

    struct Silent;

    impl Observer for Silent {}

    const TEXT: &str = "the text of a document";

    fn config(paths: &[PathBuf]) -> Config {
        let mut config = Config { threads: std::num::NonZeroUsize::MIN, ..Config::default() };
        config.input.paths = paths.to_vec();
        config
    }

    /// Reads the files, lets `change` do what it does to them, and gets the sets of all first documents.
    fn problems_after(paths: &[PathBuf], change: impl FnOnce()) -> (Vec<bool>, Vec<Problem>) {
        let config = config(paths);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let sources = Sources::default();
        let mut summary = Summary::new(&config);
        let corpus = Corpus::read(&config, &sources, &Silent, &pool, &mut summary, None).unwrap();
        change();
        let documents = &corpus.documents;
        let cache = SetCache::new(&Silent, &config, documents, &sources);
        let firsts: Vec<DocId> = (0..documents.len()).map(DocId::new).filter(|&id| documents.is_first(id)).collect();
        // Twice: a problem is told once.
        let loaded = pool.install(|| {
            let get = |&first: &DocId| cache.get(first).is_some();
            firsts.iter().for_each(|first| drop(cache.get(first.to_owned())));
            firsts.iter().map(get).collect()
        });
        (loaded, cache.into_problems())
    }

    fn files<const N: usize>(folder: &Path, texts: [&str; N]) -> [PathBuf; N] {
        let mut number = 0;
        texts.map(|text| {
            number += 1;
            let path = folder.join(number.to_string());
            fs::write(&path, text).unwrap();
            path
        })
    }

    fn expected(path: &Path, fault: &str) -> Problem {
        let detail = format!("{fault} while it was compared; pairs with it may be missing, scan again");
        Problem::error(path.to_str().unwrap(), Reason::Changed, detail)
    }

    #[test]
    fn the_weight_of_a_set_does_not_change_when_its_signature_is_made() {
        // Two threads that load one document insert it twice, the second time beside the signature of the first.
        let document = Cached {
            shingles: Shingles::Set(VerifiableSet::new(crate::ShingleSet::new([1u64, 2, 3].as_slice()))),
            signature: OnceLock::new(),
            num_bytes: 400,
        };
        let document = Arc::new(document);
        let cache = Cache::with_weighter(64, 1 << 20, SetBytes);
        for _ in 0..3 {
            cache.insert(DocId::new(0), Arc::clone(&document));
            assert_eq!(cache.weight(), 400);
            let _ = document.signature.set(vec![0; 100].into());
        }
    }

    #[test]
    fn untouched_files_are_loaded_without_a_word() {
        let folder = tempfile::tempdir().unwrap();
        let paths = files(folder.path(), [TEXT, "another text altogether", "", "x"]);
        assert_eq!(problems_after(&paths, || ()), (vec![true; 3], vec![]));
    }

    #[test]
    fn files_that_change_or_vanish_are_told_once_and_never_compared() {
        let folder = tempfile::tempdir().unwrap();
        let paths = files(folder.path(), ["first text", "second text", "third text", "fourth text", "fifth text"]);
        let change = || {
            fs::write(&paths[0], "first tExt").unwrap();
            fs::remove_file(&paths[1]).unwrap();
            fs::write(&paths[2], b"\xFF").unwrap();
            fs::write(&paths[3], "").unwrap();
            // White space is no part of the text.
            fs::write(&paths[4], "\nfifth  text").unwrap();
        };
        let (loaded, problems) = problems_after(&paths, change);
        assert_eq!(loaded, [false, false, false, false, true]);
        let faults = ["changed", "vanished", "changed", "changed"];
        let all: Vec<Problem> = paths.iter().zip(faults).map(|(path, fault)| expected(path, fault)).collect();
        assert_eq!(problems, all);
    }

    #[test]
    fn a_copy_stands_in_for_a_file_that_vanished() {
        let folder = tempfile::tempdir().unwrap();
        let paths = files(folder.path(), [TEXT, TEXT]);
        let (loaded, problems) = problems_after(&paths, || fs::remove_file(&paths[0]).unwrap());
        assert_eq!((loaded, problems), (vec![true], vec![expected(&paths[0], "vanished")]));
    }

    #[test]
    fn records_that_move_or_are_cut_off_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let line = |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"the text of {id}\"}}\n");
        fs::write(&path, line("a") + &line("b") + &line("c")).unwrap();
        let change = || fs::write(&path, line("a") + "\n" + &line("b")).unwrap();
        let (loaded, problems) = problems_after(std::slice::from_ref(&path), change);
        assert_eq!(loaded, [true, false, false]);
        let changed = |id| expected(Path::new(id), "changed");
        assert_eq!(problems, [changed("b"), changed("c")]);
    }

    #[test]
    fn a_scan_during_which_a_file_changes_is_incomplete_and_prints_no_pair_of_it() {
        /// Changes a file when verification begins.
        struct Changes<'a>(&'a Path, Mutex<Vec<Problem>>);
        impl Observer for Changes<'_> {
            fn begin(&self, stage: Stage) {
                if stage == Stage::Verify {
                    fs::write(self.0, "quite something else").unwrap();
                }
            }
            fn problem(&self, problem: &Problem) {
                self.1.lock().unwrap().push(problem.clone());
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let text = |end: &str| format!("{}{end}", "a text that is long enough to be alike ".repeat(2));
        let (one, two, three) = (text("1"), text("2"), text("3"));
        let paths = files(folder.path(), [&one, &two, &three]);
        let observer = Changes(&paths[1], Mutex::default());
        let mut pairs = Vec::new();
        let mut sink = |_: &Documents, batch: &[crate::verify::DuplicatePair]| -> Result<()> {
            pairs.extend(batch.iter().map(|pair| (pair.a.index(), pair.b.index())));
            Ok(())
        };
        let summary = find_duplicates(&config(&paths), &observer, &mut sink).unwrap();
        assert_eq!(pairs, [(0, 2)]);
        assert_eq!((summary.errors, summary.skipped[&Reason::Changed]), (1, 1));
        assert_eq!(observer.1.into_inner().unwrap(), [expected(&paths[1], "changed")]);
    }
}
