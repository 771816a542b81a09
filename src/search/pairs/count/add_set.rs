//! `add_set`: reads the set of a document into a block, as long as the block stays within its bytes.

use super::slice::Slice;
use crate::compare::block::{Block, ShingleCounts};
use crate::documents::document::DocId;
use crate::search::pairs::sets::SetSource;

/// The result of reading a set.
pub(super) enum AddedSet {
    /// The size of the set in the slice.
    Added(ShingleCounts),
    /// The document changed or can no longer be read; the block has an empty set for it.
    Lost,
    /// The block has no room for the set, which was dropped. An empty block would need this many times its room.
    Full(f64),
}

/// Reads the part of a document's set that is in a slice into a block.
///
/// * `most_bytes`: the maximum size of the block.
pub(super) fn add_set(
    sets: &dyn SetSource,
    document: DocId,
    slice: Slice,
    block: &mut Block,
    most_bytes: u64,
) -> AddedSet {
    // Repeats are counted, as are shingles outside of the slice.
    let (mut num_added, mut num_shingles, mut is_full) = (0, 0, false);
    let (mut in_slice, mut their_weights) = (Vec::new(), Vec::new());
    let removed = sets.shingles(document, &mut |hashes, weights| {
        num_shingles += hashes.len();
        if is_full {
            return;
        }
        let (added, of_added) = if slice.is_whole() {
            (hashes, weights)
        } else {
            their_weights.clear();
            let weighted = hashes.iter().zip(weights).filter(|&(&hash, _)| slice.contains(hash));
            their_weights.extend(weighted.map(|(_, weight)| weight));
            (slice.select(hashes, &mut in_slice), their_weights.as_slice())
        };
        is_full = block.bytes_with(added.len()) > most_bytes;
        if !is_full {
            num_added += hashes.len();
            block.add(added, of_added);
        }
    });
    if is_full {
        block.drop_set();
        return AddedSet::Full(num_shingles as f64 / num_added.max(1) as f64);
    }
    let Some(mut removed) = removed else {
        block.drop_set();
        block.end_set();
        return AddedSet::Lost;
    };
    removed.retain(|&hash| slice.contains(hash));
    let num_bytes = block.bytes_with(removed.len());
    if num_bytes > most_bytes {
        block.drop_set();
        return AddedSet::Full(num_bytes as f64 / most_bytes as f64);
    }
    block.add_removed(&removed);
    AddedSet::Added(block.end_set())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A document with this many shingles that remain, and this many that are removed.
    struct OneSet {
        num_remaining: u64,
        num_removed: u64,
    }

    fn spread(number: u64) -> u64 {
        number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    impl SetSource for OneSet {
        fn shingles(&self, _: DocId, visit: &mut dyn FnMut(&[u64], &[u32])) -> Option<Vec<u64>> {
            let remaining: Vec<u64> = (0..self.num_remaining).map(spread).collect();
            remaining.chunks(512).for_each(|block| visit(block, &[]));
            let mut removed: Vec<u64> = (1 << 32..(1 << 32) + self.num_removed).map(spread).collect();
            removed.sort_unstable();
            Some(removed)
        }

        fn most_shingles(&self, _: DocId) -> usize {
            (self.num_remaining + self.num_removed) as usize
        }

        fn is_plain(&self) -> bool {
            false
        }

        fn sign(&self, _: &[u64], _: &[u32]) -> Box<[u32]> {
            Box::default()
        }

        fn signature(&self, _: DocId) -> Option<Box<[u32]>> {
            None
        }
    }

    /// Too large a factor would read all documents once for each of thousands of slices.
    #[test]
    fn a_set_without_room_says_how_much_it_needs_whatever_is_removed() {
        let most_bytes = Block::default().bytes_with(10_000);
        for (num_remaining, num_removed, expected) in
            [(80_000, 0, 8.0), (80_000, 800_000, 8.0), (10, 80_000, 8.0), (2_000, 80_000, 8.0)]
        {
            let (sets, mut block) = (OneSet { num_remaining, num_removed }, Block::default());
            block.clear(0, most_bytes);
            let AddedSet::Full(times) = add_set(&sets, DocId::new(0), Slice::WHOLE, &mut block, most_bytes) else {
                panic!("{num_remaining} and {num_removed} shingles had room")
            };
            // Tables grow by doubling.
            assert!((expected / 2.0..=expected * 2.0).contains(&times), "{num_remaining}, {num_removed}: {times}");
        }
    }
}
