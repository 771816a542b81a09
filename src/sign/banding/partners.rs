//! `Partners`: turns lists of texts that have something in common into pairs of texts, each pair once, however many lists
//! they share.
//!
//! The lists follow one another in one array, and each text knows its positions in it. The partners of a text are found by
//! reading the array from each of its positions on; a bit per text marks the partners already found. The alternative,
//! sorting one record for each pair and list, took ten times as long for source files with a common header.

use rayon::prelude::*;

use crate::base::error::Result;
use crate::base::flat::bit_set::BitSet;
use crate::base::flat::ragged::Ragged;

/// The texts that one text finds, each once.
pub(crate) struct Partners {
    met: BitSet,
    found: Vec<u32>,
}

impl Partners {
    /// Adds a text, unless it was found already.
    #[inline(always)]
    pub(crate) fn add(&mut self, text: u32) {
        if self.met.insert_new(text as usize) {
            self.found.push(text);
        }
    }
}

/// Calls `visit` with the partners of each text, in no particular order; in the thread pool.
///
/// * `positions`: the positions of each text.
/// * `search`: adds the partners that a text finds from one of its positions on.
/// * `visit`: receives a text and its partners. It is called for all texts, even if they have none.
///
/// # Errors
/// When `visit` fails.
pub(crate) fn for_each_text<P: Copy + Sync>(
    positions: &Ragged<P>,
    search: impl Fn(u32, P, &mut Partners) + Sync,
    visit: impl Fn(u32, &[u32]) -> Result<()> + Sync,
) -> Result<()> {
    let num_texts = positions.len();
    let find = |partners: &mut Partners, text: usize| {
        partners.found.clear();
        positions.row(text).iter().for_each(|&position| search(text as u32, position, partners));
        let Partners { met, found } = partners;
        found.iter().for_each(|&other| met.remove_word_of(other as usize));
        visit(text as u32, found)
    };
    let tools = || Partners { met: BitSet::new(num_texts), found: Vec::new() };
    // Some texts cost far more than others, and texts of one kind are often neighbours, so the ranges are small.
    let texts = (0..num_texts).into_par_iter().with_min_len(num_texts.div_ceil(1 << 10));
    texts.map_init(tools, find).collect()
}
