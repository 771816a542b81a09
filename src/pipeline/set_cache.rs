//! Shingle sets for verification: rebuilt from a second read, kept in a cache of bounded bytes.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache;
use xxhash_rust::xxh3::xxh3_128;

use crate::config::Config;
use crate::document::{DocId, Documents};
use crate::error::{Problem, Reason};
use crate::input::{Reader, Sources};
use crate::shingle::{ShingleHashes, ShingleSetBuilder, Shingler};
use crate::signature::Signer;
use crate::verify::Sketched;

/// A document's shingle set, and its signature once a pair with it is reported.
pub(super) struct Verifiable {
    pub(super) sketched: Sketched,
    signature: OnceLock<Box<[u32]>>,
}

/// Loads sets on demand, from any thread.
pub(super) struct SetCache<'a> {
    documents: &'a Documents,
    cache: Cache<DocId, Arc<Verifiable>, SetBytes>,
    /// One for each thread of the pool.
    loaders: Vec<Mutex<Loader<'a>>>,
    /// Documents that could not be read again, each told once.
    failed: Mutex<Failed>,
}

#[derive(Default)]
struct Failed {
    documents: HashSet<DocId>,
    problems: Vec<(DocId, Problem)>,
}

struct Loader<'a> {
    reader: Reader<'a>,
    shingler: Shingler,
    builder: ShingleSetBuilder,
    signer: Signer,
}

#[derive(Clone)]
struct SetBytes;

impl Weighter<DocId, Arc<Verifiable>> for SetBytes {
    fn weight(&self, _: &DocId, document: &Arc<Verifiable>) -> u64 {
        let signature = document.signature.get().map_or(0, |signature| 4 * signature.len());
        (document.sketched.num_bytes() + signature + size_of::<Verifiable>()) as u64
    }
}

impl<'a> SetCache<'a> {
    pub(super) fn new(config: &'a Config, documents: &'a Documents, sources: &'a Sources) -> Self {
        let banding = config.banding;
        let loader = || Loader {
            reader: Reader::new(&config.input, sources),
            shingler: Shingler::new(config.shingle_kind, config.shingle_size.get()),
            builder: ShingleSetBuilder::default(),
            signer: Signer::new(config.signature, banding.bands(), banding.rows(), config.seed),
        };
        // Sets of a few thousand shingles are the common case; the number only sizes the cache's first table.
        let expected_sets = (config.cache_bytes >> 15).clamp(64, 1 << 16) as usize;
        Self {
            documents,
            cache: Cache::with_weighter(expected_sets, config.cache_bytes, SetBytes),
            loaders: (0..config.threads.get()).map(|_| Mutex::new(loader())).collect(),
            failed: Mutex::default(),
        }
    }

    /// The set of a document that is the first of its text; `None` when it can no longer be read as it was.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(super) fn get(&self, first: DocId) -> Option<Arc<Verifiable>> {
        if let Some(found) = self.cache.get(&first) {
            return Some(found);
        }
        let loaded = Arc::new(self.load(first)?);
        self.cache.insert(first, Arc::clone(&loaded));
        Some(loaded)
    }

    /// The signature of a loaded document, made when first asked for.
    pub(super) fn signature<'v>(&self, document: &'v Verifiable) -> &'v [u32] {
        document.signature.get_or_init(|| {
            let signer = &mut self.loader().signer;
            let mut signature = vec![0; signer.num_hashes()];
            signer.sign(&mut &document.sketched.set, &mut signature);
            signature.into()
        })
    }

    /// The documents that could not be read again, in document order.
    pub(super) fn into_problems(self) -> Vec<Problem> {
        let mut failed = self.failed.into_inner().expect("no holder panics");
        failed.problems.sort_by_key(|&(document, _)| document);
        failed.problems.into_iter().map(|(_, problem)| problem).collect()
    }

    /// Reads the document, or, when that fails, one of its copies: the text is the same.
    fn load(&self, first: DocId) -> Option<Verifiable> {
        let mut loader = self.loader();
        let Loader { reader, shingler, builder, .. } = &mut *loader;
        std::iter::once(first).chain(self.documents.copies_of(first)).find_map(|document| {
            let is_known = self.failed.lock().expect("no holder panics").documents.contains(&document);
            if is_known {
                return None;
            }
            let name = self.documents.name(document);
            let fault = match reader.read_again(name, self.documents.located(document)) {
                Ok(text) if xxh3_128(text) == self.documents.content(document) => {
                    shingler.shingles_utf8(text).for_each_block(&mut |block| builder.extend(block));
                    return Some(Verifiable { sketched: Sketched::new(builder.take()), signature: OnceLock::new() });
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
            let detail = format!("{fault} while it was compared; its near-duplicates are left out, scan again");
            failed.problems.push((document, Problem::error(name, Reason::Changed, detail)));
        }
    }

    fn loader(&self) -> MutexGuard<'_, Loader<'a>> {
        let thread = rayon::current_thread_index().expect("verification runs in the pool");
        self.loaders[thread].lock().expect("no holder panics")
    }
}
