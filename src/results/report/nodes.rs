//! `Nodes`: numbers the documents of a graph.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

use crate::records::PairSide;

/// The nodes written so far, by their sides and the hashes of their names. Memory: about 50 bytes for each.
#[derive(Default)]
pub(super) struct Nodes {
    numbers: HashMap<(bool, u128), usize>,
}

impl Nodes {
    /// The number of a document, and whether the document is new.
    ///
    /// * `side`: the side of the document, if documents have two sides, so that the same name may occur on both.
    pub(super) fn number(&mut self, name: &[u8], side: Option<PairSide>) -> (usize, bool) {
        let next = self.numbers.len();
        let number = *self.numbers.entry((side == Some(PairSide::B), xxh3_128(name))).or_insert(next);
        (number, number == next)
    }
}
