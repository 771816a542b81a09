//! The loader: makes sets and signatures of documents that it reads again, from any thread.

use std::sync::Mutex;

use super::huge::Huge;
use super::{Cached, Shingles};
use crate::corpus::{CorpusSettings, Rereader, Tools};
use crate::document::{DocId, Documents};
use crate::input::Sources;
use crate::observe::Observer;
use crate::removal::{Left, Removal};
use crate::verify::VerifiableSet;

/// Loads sets, from any thread of the pool.
pub(crate) struct SetLoader<'a> {
    pub(super) rereader: Rereader<'a>,
    pub(super) signature_bytes: usize,
    /// Distinct shingles beyond which a set is huge.
    pub(super) most_shingles: usize,
    pub(super) counting_huge: Mutex<()>,
}

impl<'a> SetLoader<'a> {
    pub(super) fn new(
        observer: &'a dyn Observer,
        config: CorpusSettings<'a>,
        removal: Option<&'a Removal>,
        documents: &'a Documents,
        sources: &'a Sources,
    ) -> Self {
        Self {
            rereader: Rereader::new(observer, config, removal, documents, sources),
            signature_bytes: 4 * config.banding.num_hashes(),
            most_shingles: config.memory().set_shingles(),
            counting_huge: Mutex::default(),
        }
    }

    /// The set of a document that is the first of its text; `None` when it can no longer be read as it was.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn load(&self, first: DocId) -> Option<Cached> {
        let (shingles, removed) =
            self.rereader.read_again(first, &mut |text, tools| set_of(tools, text, self.most_shingles))?;
        Some(Cached::new(shingles, removed, self.signature_bytes))
    }

    /// The signature of a loaded document, made when first asked for; `None` when it has to be read again and cannot.
    pub(crate) fn signature<'v>(&self, first: DocId, document: &'v Cached) -> Option<&'v [u32]> {
        if document.signature.get().is_none() {
            let signature = match &document.shingles {
                Shingles::Set(verifiable) => self.rereader.sign(&mut verifiable.set()),
                Shingles::Huge(_) => self.rereader.read_again(first, &mut |text, tools| tools.signature_of(text))?,
            };
            // Another thread may have been first; the values are the same.
            let _ = document.signature.set(signature);
        }
        document.signature.get().map(|signature| &**signature)
    }
}

/// The set of what is left of a text's shingles, unless that has more than `most`, and what is taken out.
fn set_of(tools: &mut Tools, text: &[u8], most: usize) -> (Shingles, Box<[u64]>) {
    let Tools { shingler, builder, removal, left, .. } = tools;
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

fn distinct(hashes: &mut Vec<u64>) {
    hashes.sort_unstable();
    hashes.dedup();
}
