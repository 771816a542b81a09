//! `OwnTexts`: the texts that repeat blocks, found while their hashes are kept.
//!
//! Such a text is reported as a pair of the document with itself, whose two sides have the same numbers.

use std::collections::BTreeMap;

use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::compare::passages::own_repeats;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::{DocId, Documents};
use crate::text::shingle::{ShingleSet, TextShingles, Tokens};

/// A text that repeats blocks.
#[derive(Debug)]
pub(crate) struct OwnText {
    /// Whether a block was found.
    has_blocks: bool,
    /// The number of distinct shingles of the text.
    num_distinct: u64,
    /// The number of tokens in which the blocks were found, if not all of them could be.
    found_in: Option<usize>,
}

/// The texts that repeat blocks, by their first documents.
#[derive(Debug, Default)]
pub(crate) struct OwnTexts(BTreeMap<DocId, OwnText>);

impl OwnText {
    /// Finds the blocks of at least `min_run` tokens that a text repeats; `None` if it repeats none.
    ///
    /// * `memory_bytes`: the memory for the search.
    /// * `shingles`: the shingles of the text, called only if it repeats a block.
    pub(super) fn find<'s>(
        tokens: &Tokens,
        min_run: usize,
        memory_bytes: u64,
        shingles: impl FnOnce() -> TextShingles<'s>,
    ) -> Option<Self> {
        let found = own_repeats(tokens, min_run, memory_bytes);
        let is_any = !found.alignment.passages.is_empty() || found.found_in.is_some();
        is_any.then(|| Self {
            has_blocks: !found.alignment.passages.is_empty(),
            num_distinct: ShingleSet::new(shingles()).len() as u64,
            found_in: found.found_in,
        })
    }
}

impl OwnTexts {
    pub(super) fn insert(&mut self, first: DocId, text: OwnText) {
        self.0.insert(first, text);
    }

    /// The pairs of documents with themselves, in document order.
    ///
    /// * `collapse_exact`: whether the copies of a text have no pairs with themselves.
    /// * `num_hashes`: the number of values in a signature.
    pub(crate) fn pairs(&self, documents: &Documents, collapse_exact: bool, num_hashes: u32) -> Vec<DuplicatePair> {
        let with_blocks = self.0.iter().filter(|(_, text)| text.has_blocks);
        let pairs = with_blocks.flat_map(|(&first, text)| {
            let copies = (!collapse_exact).then(|| documents.copies_of(first)).into_iter().flatten();
            let all = std::iter::once(first).chain(copies);
            all.map(|document| DuplicatePair {
                a: document,
                b: document,
                shared: text.num_distinct,
                shingles_a: text.num_distinct,
                shingles_b: text.num_distinct,
                equal_values: num_hashes,
                num_hashes,
                removed: None,
                kept_names: None,
                weights: None,
            })
        });
        let mut pairs: Vec<DuplicatePair> = pairs.filter(|pair| documents.scope().compares_within(pair.a)).collect();
        pairs.sort_unstable_by_key(|pair| pair.a);
        pairs
    }

    /// The texts in which not all blocks were found, as problems.
    pub(super) fn problems(&self, documents: &Documents) -> Vec<Problem> {
        let unfinished = self.0.iter().filter_map(|(&first, text)| Some((first, text.found_in?)));
        let problem = |(first, found_in): (DocId, usize)| {
            let detail = format!(
                "repeats too much for the memory of this run; the blocks that it repeats are found in its first {found_in} tokens, give more {}",
                Setting::Memory
            );
            Problem::error(String::from_utf8_lossy(documents.name(first)), Reason::TooLarge, detail)
        };
        unfinished.map(problem).collect()
    }
}
