//! `Rereader`: reads a document a second time and checks that its text is unchanged since the first pass.
//!
//! The first pass keeps no texts, so every later pass reads them from their files again, or from [`KeptTexts`] where
//! there was room. If the first document of a text cannot be read, a copy of it serves as well. Each thread has its own
//! reader, normalizer, and tools to make shingles, sets and signatures.

use super::kept_texts::KeptTexts;
use super::read_corpus::ReadCorpus;
use super::stage_settings::StageSettings;
use super::unchanged_reader::UnchangedReader;
use crate::base::flat::offset_map::NoTrace;
use crate::base::flat::per_thread::PerThread;
use crate::base::observe::Observer;
use crate::base::problem::Problem;
use crate::compare::verify::VerifiableSet;
use crate::documents::document::{DocId, Documents};
use crate::documents::input::Reader;
use crate::sign::signature::Signer;
use crate::text::normalize::Normalizer;
use crate::text::removal::{Remaining, Removal};
use crate::text::shingle::{ShingleHashes, ShingleSet, ShingleSetBuilder, Shingler, TextShingles};
use crate::text::weights::Weigher;

/// Reads documents a second time, from any thread of the pool.
pub(crate) struct Rereader<'a> {
    observer: &'a dyn Observer,
    documents: &'a Documents,
    kept: Option<&'a KeptTexts>,
    workers: PerThread<RereadWorker<'a>>,
    same_text: UnchangedReader<'a>,
}

struct RereadWorker<'a> {
    reader: Reader<'a>,
    normalizer: Normalizer,
    tools: Tools<'a>,
}

/// The tools with which one thread makes shingles and signatures.
pub(crate) struct Tools<'a> {
    pub(crate) shingler: Shingler,
    pub(crate) removal: Option<&'a Removal>,
    /// A buffer for the remaining shingles of a block.
    pub(crate) remaining: Vec<u64>,
    pub(crate) builder: ShingleSetBuilder,
    pub(crate) signer: Signer,
    weigher: Option<Weigher<'a>>,
}

impl<'a> Tools<'a> {
    /// * `removal`: the shingles that are removed from every text.
    pub(crate) fn new(settings: StageSettings<'a>, removal: Option<&'a Removal>) -> Self {
        Self {
            shingler: settings.shingler(),
            removal,
            remaining: Vec::new(),
            builder: ShingleSetBuilder::default(),
            signer: settings.signer(),
            weigher: settings.weigher(),
        }
    }

    /// All shingles of a text.
    pub(crate) fn shingles_of<'t>(&'t mut self, text: &'t [u8]) -> TextShingles<'t> {
        self.shingler.shingles_utf8(text)
    }

    /// The shingles of a text that are not removed.
    pub(crate) fn remaining<'t>(&'t mut self, text: &'t [u8]) -> Remaining<'t, TextShingles<'t>> {
        Remaining::new(self.shingler.shingles_utf8(text), self.removal, &mut self.remaining)
    }

    /// Whether shingles have weights.
    pub(crate) fn has_weights(&self) -> bool {
        self.weigher.is_some()
    }

    /// Passes on the shingles of a text that are not removed, in blocks, with their weights.
    ///
    /// * `removed`: receives the removed shingles.
    ///
    /// # Panics
    /// When shingles have no weights.
    pub(crate) fn for_each_weighted(
        &mut self,
        text: &[u8],
        removed: &mut dyn FnMut(u64),
        visit: &mut dyn FnMut(&[u64], &[u32]),
    ) {
        let weigher = self.weigher.as_mut().expect("shingles have weights");
        weigher.for_each_block(&mut self.shingler, self.removal, text, removed, visit);
    }

    /// The set of the remaining shingles of a text, with the weight of each.
    ///
    /// # Panics
    /// When shingles have no weights.
    pub(crate) fn weighted_set_of(&mut self, text: &[u8]) -> (ShingleSet, Vec<u32>) {
        let (mut builder, mut weights) = (std::mem::take(&mut self.builder), Vec::new());
        self.for_each_weighted(text, &mut |_| {}, &mut |block, of_block| {
            builder.extend_weighted(block, of_block, &mut weights);
        });
        let set = builder.take();
        self.builder = builder;
        (set, weights)
    }

    /// The set of the remaining shingles of a text, with their weights where shingles have weights.
    pub(crate) fn verifiable_set_of(&mut self, text: &[u8]) -> VerifiableSet {
        if !self.has_weights() {
            return VerifiableSet::new(self.set_of(text));
        }
        let (set, weights) = self.weighted_set_of(text);
        VerifiableSet::weighted(set, weights.into())
    }

    /// The set of the remaining shingles of a text, with their weights where shingles have weights, and the set of its
    /// removed shingles.
    pub(crate) fn sets_of(&mut self, text: &[u8]) -> (VerifiableSet, ShingleSet) {
        let (mut kept, mut removed) = (std::mem::take(&mut self.builder), ShingleSetBuilder::default());
        let has_removal = self.removal.is_some();
        let mut remove = |hash| {
            if has_removal {
                removed.extend(&[hash]);
            }
        };
        let set = if self.has_weights() {
            let mut weights = Vec::new();
            self.for_each_weighted(text, &mut remove, &mut |block, of_block| {
                kept.extend_weighted(block, of_block, &mut weights);
            });
            VerifiableSet::weighted(kept.take(), weights.into())
        } else {
            self.remaining(text).for_each_block_and(&mut remove, &mut |block| kept.extend(block));
            VerifiableSet::new(kept.take())
        };
        self.builder = kept;
        (set, removed.take())
    }

    /// The set of the remaining shingles of a text.
    pub(crate) fn set_of(&mut self, text: &[u8]) -> ShingleSet {
        let Self { shingler, removal, remaining, builder, .. } = self;
        let mut shingles = Remaining::new(shingler.shingles_utf8(text), *removal, remaining);
        shingles.for_each_block(&mut |block| builder.extend(block));
        builder.take()
    }

    /// The signature of distinct shingles.
    ///
    /// * `weights`: the weight of each shingle, where shingles have weights.
    pub(crate) fn sign(&mut self, mut hashes: &[u64], weights: &[u32]) -> Box<[u32]> {
        if !self.has_weights() {
            return sign(&mut self.signer, &mut hashes);
        }
        let mut signature = vec![0; self.signer.num_hashes()].into_boxed_slice();
        self.signer.sign_weighted(hashes, weights, &mut signature);
        signature
    }

    /// The signature of a text's remaining shingles.
    pub(crate) fn signature_of(&mut self, text: &[u8]) -> Box<[u32]> {
        let Self { signer, shingler, removal, remaining, weigher, .. } = self;
        if let Some(weigher) = weigher {
            let mut signature = vec![0; signer.num_hashes()].into_boxed_slice();
            let signer = signer.weighted();
            signer.begin();
            weigher.for_each_remaining(shingler, *removal, text, &mut |hashes, weights| {
                signer.add(hashes, |place| weights[place]);
            });
            signer.finish(&mut signature);
            return signature;
        }
        sign(signer, &mut Remaining::new(shingler.shingles_utf8(text), *removal, remaining))
    }
}

fn sign(signer: &mut Signer, shingles: &mut dyn ShingleHashes) -> Box<[u32]> {
    let mut signature = vec![0; signer.num_hashes()].into_boxed_slice();
    signer.sign(shingles, &mut signature);
    signature
}

impl<'a> ReadCorpus<'a> {
    /// Reads documents again, and makes their shingles.
    pub(crate) fn rereader(self) -> Rereader<'a> {
        Rereader::new(self)
    }
}

impl<'a> Rereader<'a> {
    fn new(corpus: ReadCorpus<'a>) -> Self {
        let ReadCorpus { observer, settings, removal, documents, sources } = corpus;
        let worker = || RereadWorker {
            reader: Reader::new(settings.inputs(), sources),
            normalizer: settings.normalizer(),
            tools: Tools::new(settings, removal),
        };
        Self {
            observer,
            documents,
            kept: settings.kept,
            workers: PerThread::new(corpus.threads(), worker),
            same_text: UnchangedReader::new(documents, sources, "pairs with it may be missing"),
        }
    }

    /// The signature of a set.
    ///
    /// * `weights`: the weight of each shingle, where shingles have weights.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn sign(&self, hashes: &[u64], weights: &[u32]) -> Box<[u32]> {
        self.workers.get().tools.sign(hashes, weights)
    }

    /// Returns a problem for each document that could not be read again, in document order.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.same_text.into_problems()
    }

    /// Reads the first document of a text, or a copy of it if that fails, and calls `use_text` with the normalised
    /// text. Reads nothing if the text was kept in memory. `None` when all of them changed or cannot be read; each such
    /// document is reported once.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn read_again<T>(&self, first: DocId, use_text: &mut dyn FnMut(&[u8], &mut Tools) -> T) -> Option<T> {
        let mut worker = self.workers.get();
        let RereadWorker { reader, normalizer, tools } = &mut *worker;
        if let Some(text) = self.kept.and_then(|kept| kept.get(self.documents.content(first))) {
            self.observer.advance(0, 0, text.len() as u64);
            return Some(use_text(&text, tools));
        }
        std::iter::once(first).chain(self.documents.copies_of(first)).find_map(|document| {
            let text = self.same_text.read(document, reader, normalizer, &mut NoTrace)?;
            self.observer.advance(0, 0, text.len() as u64);
            Some(use_text(text, tools))
        })
    }
}
