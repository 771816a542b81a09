//! `SmallFamilies`: counts families of few documents, independently of one another.
//!
//! Most near-duplicates have few neighbours. One thread reads the sets of a family into a block, counts its pairs while
//! they are in its cache, and shares nothing with other threads.

use std::cell::OnceCell;

use super::add_set::{AddedSet, add_set};
use super::family::Family;
use super::slice::Slice;
use crate::compare::block::{Block, MOST_TEXTS, ShingleCounts};
use crate::documents::document::DocId;
use crate::search::pairs::context::VerifyContext;
use crate::search::pairs::found::VerifiedTexts;
use crate::search::pairs::plan::{ComponentText, SearchLimits};

/// The maximum number of shingles of a small family, repeats counted.
const MOST_SHINGLES: usize = 1 << 25;
/// Pairs of a block are counted by classes from this many on, and some more for each text. Making the classes costs about
/// as much as this many ANDs of whole rows.
const LEAST_BY_CLASSES: usize = 2048;
const MORE_PER_TEXT: usize = 24;

/// Counts one small family after another, and keeps the results.
pub(in crate::search::pairs) struct SmallFamilies<'s> {
    core: &'s VerifyContext<'s>,
    /// The maximum size of a block.
    most_bytes: u64,
    found: VerifiedTexts,
    /// The memory of the last family.
    family: Family,
    block: Block,
    sizes: Vec<Option<ShingleCounts>>,
    signatures: Vec<OnceCell<Box<[u32]>>>,
}

impl<'s> SmallFamilies<'s> {
    pub(in crate::search::pairs) fn new(core: &'s VerifyContext<'s>, limits: &SearchLimits) -> Self {
        Self {
            core,
            most_bytes: limits.block_bytes,
            found: VerifiedTexts::default(),
            family: Family::default(),
            block: Block::default(),
            sizes: Vec::new(),
            signatures: Vec::new(),
        }
    }

    /// Verifies texts against their candidates. Returns `false`, and finds nothing, when they have too many candidates or
    /// too large sets. Skips texts that can no longer be read.
    pub(in crate::search::pairs) fn verify(&mut self, texts: &[ComponentText]) -> bool {
        let Self { core, most_bytes, found, family, block, sizes, signatures } = self;
        if !family.gather_few(core, texts.iter().map(|text| text.first), MOST_TEXTS) {
            return false;
        }
        let num_shingles = |document: &DocId| core.sets.most_shingles(*document);
        if family.documents().iter().map(num_shingles).sum::<usize>() > MOST_SHINGLES {
            return false;
        }
        // Half of the first text may be repeated, and most of the others is known.
        block.clear(family.documents().first().map_or(0, num_shingles) / 2, *most_bytes);
        sizes.clear();
        signatures.clear();
        signatures.resize(family.documents().len(), OnceCell::new());
        for &document in family.documents() {
            match add_set(core.sets, document, Slice::WHOLE, block, *most_bytes) {
                AddedSet::Added(size) => sizes.push(Some(size)),
                AddedSet::Lost => sizes.push(None),
                AddedSet::Full(_) => return false,
            }
        }
        let has_many_pairs = family.num_pairs() > LEAST_BY_CLASSES + MORE_PER_TEXT * family.documents().len();
        let counter = has_many_pairs.then(|| block.classes().within());
        let counter_bytes = counter.as_ref().map_or(0, |counter| counter.num_bytes());
        let _in_use = core.memory.pass((block.num_bytes() + counter_bytes) as u64);
        for (position, list, _) in family.texts() {
            let shared = |_, other: usize| match &counter {
                Some(counter) => counter.shared(position, other),
                None => block.shared(position, other),
            };
            let size = |position: usize| sizes[position];
            let sign = |position: usize| {
                let (hashes, weights) = block.set(position);
                core.sets.sign(&hashes, &weights)
            };
            let signature = |position: usize| Some(&**signatures[position].get_or_init(|| sign(position)));
            found.push_verified(core, family.documents(), (position, list), size, shared, signature);
        }
        true
    }

    /// The results of all families.
    pub(in crate::search::pairs) fn into_found(self) -> VerifiedTexts {
        self.found
    }
}
