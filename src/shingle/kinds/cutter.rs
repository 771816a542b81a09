//! `Cutter` and `Kind`: what each kind of shingle provides, a way to cut texts and its properties.

use std::fmt::Debug;

use super::stop_words::list::StopWords;
use crate::normalize::{Normalizer, Units};
use crate::shingle::hashes::{Blocks, Cut};
use crate::shingle::tokens::Tokens;

/// The properties of a kind.
pub(super) struct Kind {
    pub(super) default_size: usize,
    pub(super) units: Units,
    /// About how many bytes of a text there are for each shingle.
    pub(super) bytes_per_shingle: usize,
    /// Whether the tokens of a shingle have no order, so that a shingle is one token.
    pub(super) is_unordered: bool,
    /// Cuts texts by the fastest means, whatever the kind is set to.
    pub(super) cutter: fn() -> Box<dyn Cutter>,
    /// For each kernel that this processor can run, by its name, the definition first.
    pub(super) by_kernel: fn() -> ByKernel,
}

impl Kind {
    /// A kind with the usual properties; its file overrides the others.
    pub(super) const fn of(cutter: fn() -> Box<dyn Cutter>) -> Self {
        Self {
            default_size: 1,
            units: Units::Text,
            bytes_per_shingle: 24,
            is_unordered: false,
            cutter,
            by_kernel: Vec::new,
        }
    }
}

/// A cutter for each kernel, by its name.
pub(in crate::shingle) type ByKernel = Vec<(&'static str, Box<dyn Cutter>)>;

/// Cuts texts into shingles of a kind.
pub(in crate::shingle) trait Cutter: Debug + Send + Sync {
    /// Pushes the hash of each shingle of `size` tokens of a text, which is not empty and valid UTF-8.
    fn cut(&mut self, text: &[u8], size: usize, blocks: &mut Blocks) -> Cut;

    /// The tokens of a text, which is valid UTF-8.
    fn tokens(&mut self, text: Vec<u8>) -> Tokens;

    /// Parts of a text, of about `segment_len` bytes, each of whose shingles belongs to one of them; `None` for texts that
    /// are too short for that, and where tokens depend on what is before them.
    fn segments<'t>(&self, _text: &'t [u8], _size: usize, _segment_len: usize) -> Option<Vec<&'t [u8]>> {
        None
    }

    /// Sets the words that start a shingle, folded as the texts are; without effect on most kinds.
    fn set_stop_words(&mut self, _stop_words: StopWords, _normalizer: Normalizer) {}

    /// A copy for another thread.
    fn clone_box(&self) -> Box<dyn Cutter>;
}

impl Clone for Box<dyn Cutter> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}
