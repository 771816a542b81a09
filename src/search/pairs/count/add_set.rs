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
    /// The block has no room for the set, which was dropped. This many of its shingles had room, repeats counted.
    Full(usize),
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
    let (mut num_shingles, mut is_full) = (0, false);
    let (mut in_slice, mut their_weights) = (Vec::new(), Vec::new());
    let removed = sets.shingles(document, &mut |hashes, weights| {
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
            num_shingles += hashes.len();
            block.add(added, of_added);
        }
    });
    if let Some(mut removed) = removed.filter(|_| !is_full) {
        removed.retain(|&hash| slice.contains(hash));
        is_full = block.bytes_with(removed.len()) > most_bytes;
        if !is_full {
            block.add_removed(&removed);
            return AddedSet::Added(block.end_set());
        }
    }
    block.drop_set();
    if is_full {
        return AddedSet::Full(num_shingles);
    }
    block.end_set();
    AddedSet::Lost
}
