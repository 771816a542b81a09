//! `Rereader`: loads a document a second time and checks that its text is still that of the first pass.

use super::kept_texts::KeptTexts;
use super::same_text::SameText;
use super::settings::CorpusSettings;
use crate::document::{DocId, Documents};
use crate::flat::offset_map::NoTrace;
use crate::flat::per_thread::PerThread;
use crate::input::{Reader, Sources};
use crate::normalize::Normalizer;
use crate::observe::Observer;
use crate::problem::Problem;
use crate::removal::{Remaining, Removal};
use crate::shingle::{ShingleHashes, ShingleSet, ShingleSetBuilder, Shingler, TextShingles};
use crate::signature::Signer;

/// Loads documents a second time, from any thread of the pool.
pub(crate) struct Rereader<'a> {
    observer: &'a dyn Observer,
    documents: &'a Documents,
    kept: Option<&'a KeptTexts>,
    workers: PerThread<RereadWorker<'a>>,
    same_text: SameText<'a>,
}

struct RereadWorker<'a> {
    reader: Reader<'a>,
    normalizer: Normalizer,
    tools: Tools<'a>,
}

/// The tools of one thread that make shingles and signatures.
pub(crate) struct Tools<'a> {
    pub(crate) shingler: Shingler,
    pub(crate) removal: Option<&'a Removal>,
    /// A buffer for the remaining shingles of a block.
    pub(crate) remaining: Vec<u64>,
    pub(crate) builder: ShingleSetBuilder,
    pub(crate) signer: Signer,
}

impl Tools<'_> {
    /// All shingles of a text.
    pub(crate) fn shingles_of<'t>(&'t mut self, text: &'t [u8]) -> TextShingles<'t> {
        self.shingler.shingles_utf8(text)
    }

    /// The shingles of a text without those that are removed.
    pub(crate) fn remaining<'t>(&'t mut self, text: &'t [u8]) -> Remaining<'t, TextShingles<'t>> {
        Remaining::new(self.shingler.shingles_utf8(text), self.removal, &mut self.remaining)
    }

    /// The set of the remaining shingles of a text.
    pub(crate) fn set_of(&mut self, text: &[u8]) -> ShingleSet {
        let Self { shingler, removal, remaining, builder, .. } = self;
        let mut shingles = Remaining::new(shingler.shingles_utf8(text), *removal, remaining);
        shingles.for_each_block(&mut |block| builder.extend(block));
        builder.take()
    }

    /// The signature of shingles.
    pub(crate) fn sign(&mut self, shingles: &mut dyn ShingleHashes) -> Box<[u32]> {
        sign(&mut self.signer, shingles)
    }

    /// The signature of a text's remaining shingles.
    pub(crate) fn signature_of(&mut self, text: &[u8]) -> Box<[u32]> {
        let Self { signer, shingler, removal, remaining, .. } = self;
        sign(signer, &mut Remaining::new(shingler.shingles_utf8(text), *removal, remaining))
    }
}

fn sign(signer: &mut Signer, shingles: &mut dyn ShingleHashes) -> Box<[u32]> {
    let mut signature = vec![0; signer.num_hashes()].into_boxed_slice();
    signer.sign(shingles, &mut signature);
    signature
}

impl<'a> Rereader<'a> {
    pub(crate) fn new(
        observer: &'a dyn Observer,
        settings: CorpusSettings<'a>,
        removal: Option<&'a Removal>,
        documents: &'a Documents,
        sources: &'a Sources,
    ) -> Self {
        let tools = || Tools {
            shingler: settings.shingler(),
            removal,
            remaining: Vec::new(),
            builder: ShingleSetBuilder::default(),
            signer: settings.signer(),
        };
        let worker = || RereadWorker {
            reader: Reader::new(settings.inputs(), sources),
            normalizer: settings.normalizer(),
            tools: tools(),
        };
        Self {
            observer,
            documents,
            kept: settings.kept,
            workers: PerThread::new(settings.resources.threads.get(), worker),
            same_text: SameText::new(documents, "pairs with it may be missing"),
        }
    }

    /// The signature of a set.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn sign(&self, shingles: &mut dyn ShingleHashes) -> Box<[u32]> {
        self.workers.get().tools.sign(shingles)
    }

    /// The documents that could not be read again, in document order.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.same_text.into_problems()
    }

    /// Reads the first document of a text, or a copy of it if that fails, and calls `use_text` with the normalised text. Reads
    /// none where the text was kept. `None` when none of them can be read as it was; each such document is reported once.
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
