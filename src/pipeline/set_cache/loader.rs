//! The loader: reads documents again and makes them into sets and signatures, from any thread.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard};

use xxhash_rust::xxh3::xxh3_128;

use super::huge::Huge;
use super::{Cached, Shingles};
use crate::config::Config;
use crate::document::{DocId, Documents};
use crate::error::{Problem, Reason};
use crate::input::{Reader, Sources};
use crate::pipeline::Observer;
use crate::removal::{Left, Removal};
use crate::shingle::{ShingleHashes, ShingleSetBuilder, Shingler, TextShingles};
use crate::signature::Signer;
use crate::verify::VerifiableSet;

/// Loads sets, from any thread of the pool.
pub(in crate::pipeline) struct SetLoader<'a> {
    observer: &'a dyn Observer,
    documents: &'a Documents,
    /// One for each thread of the pool.
    workers: Vec<Mutex<Worker<'a>>>,
    /// Documents that could not be read again, each told once.
    failed: Mutex<Failed>,
    pub(super) signature_bytes: usize,
    /// Distinct shingles beyond which a set is huge.
    pub(super) most_shingles: usize,
    pub(super) counting_huge: Mutex<()>,
}

#[derive(Default)]
struct Failed {
    documents: HashSet<DocId>,
    problems: Vec<(DocId, Problem)>,
}

struct Worker<'a> {
    reader: Reader<'a>,
    tools: Tools<'a>,
}

/// What a text is made into a set and a signature with.
pub(in crate::pipeline) struct Tools<'a> {
    shingler: Shingler,
    removal: Option<&'a Removal>,
    left: Vec<u64>,
    builder: ShingleSetBuilder,
    signer: Signer,
}

impl Tools<'_> {
    /// All shingles of a text.
    pub(in crate::pipeline) fn shingles_of<'t>(&'t mut self, text: &'t [u8]) -> TextShingles<'t> {
        self.shingler.shingles_utf8(text)
    }

    /// The shingles of a text without those that are taken out.
    pub(super) fn left<'t>(&'t mut self, text: &'t [u8]) -> Left<'t, TextShingles<'t>> {
        Left::new(self.shingler.shingles_utf8(text), self.removal, &mut self.left)
    }

    /// The set of what is left of a text's shingles, unless that has more than `most`, and what is taken out.
    fn shingles(&mut self, text: &[u8], most: usize) -> (Shingles, Box<[u64]>) {
        let Self { shingler, builder, removal, left, .. } = self;
        let mut removed = Vec::new();
        let (mut num_hashes, mut hashes_at_most) = (0, 0);
        builder.expect(shingler.expected(text));
        let mut left = Left::new(shingler.shingles_utf8(text), *removal, left);
        let mut compact_at = 1 << 16;
        let mut take_out = |hash| {
            removed.push(hash);
            if removed.len() > compact_at {
                distinct(&mut removed);
                compact_at = compact_at.max(2 * removed.len());
            }
        };
        left.for_each_block_and(&mut take_out, &mut |block| {
            num_hashes += block.len();
            if builder.len() <= most {
                builder.extend(block);
                hashes_at_most = num_hashes;
            }
        });
        let set = builder.take();
        distinct(&mut removed);
        let removed = removed.into();
        if set.len() <= most {
            return (Shingles::Set(VerifiableSet::new(set)), removed);
        }
        // Were all later hashes new, this many slices would be full.
        (Shingles::Huge(Huge::new(num_hashes.div_ceil(hashes_at_most))), removed)
    }
}

fn distinct(hashes: &mut Vec<u64>) {
    hashes.sort_unstable();
    hashes.dedup();
}

fn sign(signer: &mut Signer, shingles: &mut dyn ShingleHashes) -> Box<[u32]> {
    let mut signature = vec![0; signer.num_hashes()].into_boxed_slice();
    signer.sign(shingles, &mut signature);
    signature
}

impl<'a> SetLoader<'a> {
    pub(in crate::pipeline) fn new(
        observer: &'a dyn Observer,
        config: &'a Config,
        removal: Option<&'a Removal>,
        documents: &'a Documents,
        sources: &'a Sources,
    ) -> Self {
        let banding = config.banding;
        let tools = || Tools {
            shingler: config.shingler(),
            removal,
            left: Vec::new(),
            builder: ShingleSetBuilder::default(),
            signer: Signer::new(config.signature, banding.bands(), banding.rows(), config.seed),
        };
        let worker = || Worker { reader: Reader::new(config, sources), tools: tools() };
        Self {
            observer,
            documents,
            workers: (0..config.threads.get()).map(|_| Mutex::new(worker())).collect(),
            failed: Mutex::default(),
            signature_bytes: 4 * banding.num_hashes(),
            // With its index and sketch a set of this size takes about all of the memory.
            most_shingles: (config.memory_bytes >> 4).max(1 << 10) as usize,
            counting_huge: Mutex::default(),
        }
    }

    /// The set of a document that is the first of its text; `None` when it can no longer be read as it was.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(in crate::pipeline) fn load(&self, first: DocId) -> Option<Cached> {
        let (shingles, removed) =
            self.read_again(first, &mut |text, tools| tools.shingles(text, self.most_shingles))?;
        Some(Cached::new(shingles, removed, self.signature_bytes))
    }

    /// The signature of a loaded document, made when first asked for; `None` when it has to be read again and cannot.
    pub(in crate::pipeline) fn signature<'v>(&self, first: DocId, document: &'v Cached) -> Option<&'v [u32]> {
        if document.signature.get().is_none() {
            let signature = match &document.shingles {
                Shingles::Set(verifiable) => sign(&mut self.worker().tools.signer, &mut verifiable.set()),
                Shingles::Huge(_) => self.read_again(first, &mut |text, tools| {
                    let Tools { signer, shingler, removal, left, .. } = tools;
                    sign(signer, &mut Left::new(shingler.shingles_utf8(text), *removal, left))
                })?,
            };
            // Another thread may have been first; the values are the same.
            let _ = document.signature.set(signature);
        }
        document.signature.get().map(|signature| &**signature)
    }

    /// The documents that could not be read again, in document order.
    pub(in crate::pipeline) fn into_problems(self) -> Vec<Problem> {
        let mut failed = self.failed.into_inner().expect("no holder panics");
        failed.problems.sort_by_key(|&(document, _)| document);
        failed.problems.into_iter().map(|(_, problem)| problem).collect()
    }

    /// Reads the document, or, when that fails, one of its copies, whose text is the same, and uses it.
    pub(in crate::pipeline) fn read_again<T>(
        &self,
        first: DocId,
        use_text: &mut dyn FnMut(&[u8], &mut Tools) -> T,
    ) -> Option<T> {
        let mut worker = self.worker();
        let Worker { reader, tools } = &mut *worker;
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

    fn worker(&self) -> MutexGuard<'_, Worker<'a>> {
        let thread = rayon::current_thread_index().expect("verification runs in the pool");
        self.workers[thread].lock().expect("no holder panics")
    }
}
