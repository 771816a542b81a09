//! `Cutter` and `Kind`: how each kind of shingle cuts texts, and its properties.

use std::fmt::Debug;

use super::stop_words::list::StopWords;
use crate::text::normalize::{Normalizer, Units};
use crate::text::shingle::hashes::{Blocks, Cut};
use crate::text::shingle::tokens::Tokens;

/// The properties of a kind of shingle.
pub(super) struct Kind {
    pub(super) default_size: usize,
    pub(super) units: Units,
    /// Whether tokens have no order, so that each shingle must be a single token.
    pub(super) is_unordered: bool,
    /// Creates a cutter with the fastest kernel and default settings.
    pub(super) cutter: fn() -> Box<dyn Cutter>,
    /// Creates a cutter for each kernel that this processor can run, the reference first.
    pub(super) by_kernel: fn() -> ByKernel,
}

impl Kind {
    /// A kind with default properties; the file of the kind overrides those that differ.
    pub(super) const fn of(cutter: fn() -> Box<dyn Cutter>) -> Self {
        Self { default_size: 1, units: Units::Text, is_unordered: false, cutter, by_kernel: Vec::new }
    }
}

/// A cutter for each kernel, with the name of the kernel.
pub(in crate::text::shingle) type ByKernel = Vec<(&'static str, Box<dyn Cutter>)>;

/// Cuts texts into shingles of a kind.
pub(in crate::text::shingle) trait Cutter: Debug + Send + Sync {
    /// Pushes the hash of each shingle of `size` tokens of a text, which must be valid UTF-8 and not empty.
    fn cut(&mut self, text: &[u8], size: usize, blocks: &mut Blocks) -> Cut;

    /// The tokens of a text, which must be valid UTF-8.
    fn tokens(&mut self, text: Vec<u8>) -> Tokens;

    /// Cuts a text into parts of about `segment_len` bytes so that each shingle belongs to exactly one part. Returns
    /// `None` for texts that are too short, and for kinds whose tokens depend on the preceding text.
    fn segments<'t>(&self, _text: &'t [u8], _size: usize, _segment_len: usize) -> Option<Vec<&'t [u8]>> {
        None
    }

    /// Sets the stop words, which are normalised like the texts. Only the kind whose shingles begin with one uses them.
    fn set_stop_words(&mut self, _stop_words: StopWords, _normalizer: Normalizer) {}

    /// Creates a copy for another thread.
    fn clone_box(&self) -> Box<dyn Cutter>;
}

impl Clone for Box<dyn Cutter> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}
