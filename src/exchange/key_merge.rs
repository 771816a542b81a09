//! `KeyMerge`: collects any number of key blocks in any order, and finds the nodes that share a key.
//!
//! The keys of a block ascend. So the blocks of a part are kept as they came until all have come, and then their keys
//! are read range by range; only a few thousand keys are copied at a time.

use std::collections::BTreeMap;
use std::ops::Range;

use super::key_blocks::{FORMAT, KEY_BITS, NODE_BYTES, POSITION_BITS, part_start};
use crate::base::flat::radix_sort::sort_by_hash;

/// The approximate number of keys in a range.
const KEYS_OF_RANGE: u64 = 1 << 13;

/// A key or an id that several documents have in common.
#[derive(Debug, Clone, Copy)]
pub(super) enum SharedItem {
    /// The two nodes of a key. The same node twice marks a text that several documents have.
    Key(u64, u64),
    /// The hash of an id that several documents may have.
    Id(u64),
}

/// The blocks so far.
#[derive(Debug, Default)]
pub(super) struct KeyMerge {
    /// The blocks of each part, by the part and the number of parts.
    parts: BTreeMap<[u32; 2], PartMerge>,
}

/// The blocks of a part.
#[derive(Debug, Default)]
struct PartMerge {
    blocks: Vec<KeyBlock>,
    num_keys: u64,
    /// Hashes of ids.
    ids: Vec<u64>,
}

/// A block that is read up to some key.
#[derive(Debug)]
struct KeyBlock {
    bytes: Vec<u8>,
    /// The range of the nodes in the bytes.
    nodes: Range<usize>,
    /// The position of the key after the next one in the bytes.
    at: usize,
    /// The next key and the position of its node; `None` after the last key.
    next: Option<(u64, u16)>,
}

/// Takes the parts of a block from its beginning. Returns `None` after its end.
struct BlockReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> BlockReader<'b> {
    /// The next `count` items of `len` bytes each.
    fn take(&mut self, count: usize, len: usize) -> Option<&'b [u8]> {
        let items = self.bytes.get(self.at..self.at.checked_add(count.checked_mul(len)?)?)?;
        self.at += items.len();
        Some(items)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.take(1, 4)?.try_into().ok()?))
    }
}

impl KeyMerge {
    /// Adds a block, and passes its edges to `join`. Returns `None` for bytes that are not a valid block.
    ///
    /// * `join`: receives two nodes; its `None` ends the call with `None`.
    pub(super) fn push(&mut self, bytes: &[u8], mut join: impl FnMut(u64, u64) -> Option<()>) -> Option<()> {
        let mut reader = BlockReader { bytes, at: 0 };
        if reader.take(1, 1)? != [FORMAT] {
            return None;
        }
        let numbers = [reader.number()?, reader.number()?];
        if numbers[0] >= numbers[1] {
            return None;
        }
        let mut counts = [0; 4];
        for count in &mut counts {
            *count = reader.number()? as usize;
        }
        let [num_ids, num_nodes, num_edges, num_keys] = counts;
        let ids = reader.take(num_ids, 8)?;
        let nodes = reader.at..reader.at + reader.take(num_nodes, NODE_BYTES)?.len();
        let edges = reader.take(num_edges, 4)?;
        let at = reader.at;
        if reader.take(num_keys, 8)?.len() + at != bytes.len() {
            return None;
        }
        let mut block = KeyBlock { bytes: bytes.to_vec(), nodes, at, next: None };
        for edge in edges.as_chunks::<4>().0 {
            let [a, b] =
                [[edge[0], edge[1]], [edge[2], edge[3]]].map(|position| block.node(u16::from_le_bytes(position)));
            join(a?, b?)?;
        }
        block.advance(part_start(KEY_BITS, numbers))?;
        let part = self.parts.entry(numbers).or_default();
        part.ids.extend(ids.as_chunks::<8>().0.iter().map(|id| u64::from_le_bytes(*id)));
        part.num_keys += num_keys as u64;
        part.blocks.push(block);
        Some(())
    }

    /// Passes everything that blocks share to `found`. Returns `None` when a block is damaged, or when `found` returns
    /// it.
    pub(super) fn finish(self, mut found: impl FnMut(SharedItem) -> Option<()>) -> Option<()> {
        let (mut keys, mut scratch) = (Vec::new(), Vec::new());
        for (numbers, mut part) in self.parts {
            part.ids.sort_unstable();
            for two in part.ids.windows(2).filter(|two| two[0] == two[1]) {
                found(SharedItem::Id(two[0]))?;
            }
            let mut start = part_start(KEY_BITS, numbers);
            let end = part_start(KEY_BITS, [numbers[0] + 1, numbers[1]]);
            let step = (end - start) / (part.num_keys / KEYS_OF_RANGE + 1) + 1;
            while start < end {
                keys.clear();
                for (block, number) in part.blocks.iter_mut().zip(0..) {
                    block.take_below((start + step).min(end), number, &mut keys)?;
                }
                sort_by_hash(&mut keys, &mut scratch, |&(key, ..)| (key - start) << step.leading_zeros());
                // Few keys are shared, and nodes are far away in memory, so nodes are only looked up for shared keys.
                let node = |&(_, block, position): &(u64, u32, u16)| part.blocks[block as usize].node(position);
                for two in keys.windows(2).filter(|two| two[0].0 == two[1].0) {
                    found(SharedItem::Key(node(&two[0])?, node(&two[1])?))?;
                }
                start += step;
            }
            if part.blocks.iter().any(|block| block.next.is_some()) {
                return None;
            }
        }
        Some(())
    }
}

impl KeyBlock {
    /// Moves the keys below a limit to `keys`, each with the number of this block and the position of its node.
    fn take_below(&mut self, limit: u64, number: u32, keys: &mut Vec<(u64, u32, u16)>) -> Option<()> {
        while let Some((key, position)) = self.next.filter(|&(key, _)| key < limit) {
            keys.push((key, number, position));
            self.advance(key)?;
        }
        Some(())
    }

    /// Reads the next key. Returns `None` when it is less than the one before, or its node does not exist.
    fn advance(&mut self, before: u64) -> Option<()> {
        self.next = self.bytes[self.at..].first_chunk().map(|next| {
            let next = u64::from_le_bytes(*next);
            (next >> POSITION_BITS, next as u16)
        });
        self.at += 8;
        let num_nodes = self.nodes.len() / NODE_BYTES;
        self.next.is_none_or(|(key, position)| key >= before && usize::from(position) < num_nodes).then_some(())
    }

    /// The node at a position; `None` if the block has fewer nodes.
    fn node(&self, position: u16) -> Option<u64> {
        let start = usize::from(position) * NODE_BYTES;
        let bytes = self.bytes[self.nodes.clone()].get(start..start + NODE_BYTES)?;
        let mut node = [0; 8];
        node[..NODE_BYTES].copy_from_slice(bytes);
        Some(u64::from_le_bytes(node))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::super::key_blocks::KeyBlocks;
    use super::*;

    /// Documents: the hash of the id, and the node of the text with its keys.
    type Given = Vec<(u64, Option<(u64, Vec<u64>)>)>;

    fn documents() -> impl Strategy<Value = Given> {
        // Few different values, so that many are shared, spread over all parts.
        let spread = |number: u64| number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let keys = prop::collection::btree_set((0u64..60).prop_map(spread), 1..5);
        let text = (0u64..40, keys).prop_map(move |(node, keys)| (spread(node) >> 16, keys.into_iter().collect()));
        prop::collection::vec(((0u64..80).prop_map(spread), prop::option::of(text)), 0..60)
    }

    /// The components of a graph, each as the set of its nodes.
    fn components(edges: &[(u64, u64)]) -> BTreeSet<BTreeSet<u64>> {
        let mut of_node: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for &(a, b) in edges {
            let mut joined: BTreeSet<u64> = [a, b].into();
            joined.extend(of_node.get(&a).into_iter().chain(of_node.get(&b)).flatten());
            for &node in &joined.clone() {
                of_node.insert(node, joined.clone());
            }
        }
        of_node.into_values().collect()
    }

    /// Does the work of a job: makes blocks of `at_once` documents each, and merges the blocks of each part.
    fn merged(given: &Given, num_parts: u32, at_once: usize) -> (Vec<(u64, u64)>, BTreeSet<u64>) {
        let mut merges: BTreeMap<u32, KeyMerge> = BTreeMap::new();
        let (mut edges, mut repeated) = (Vec::new(), BTreeSet::new());
        let mut blocks = KeyBlocks::new(num_parts);
        for documents in given.chunks(at_once) {
            for (id, text) in documents {
                blocks.push_document(*id);
                if let Some((node, keys)) = text {
                    blocks.push_text(*node, keys);
                }
            }
            let mut join = |a, b| {
                edges.push((a, b));
                Some(())
            };
            let emit = |part, block: Vec<u8>| merges.entry(part).or_default().push(&block, &mut join).ok_or(());
            blocks.finish(emit).unwrap();
        }
        for merge in merges.into_values() {
            let found = |shared| {
                match shared {
                    SharedItem::Key(a, b) => edges.push((a, b)),
                    SharedItem::Id(id) => drop(repeated.insert(id)),
                }
                Some(())
            };
            merge.finish(found).unwrap();
        }
        (edges, repeated)
    }

    proptest! {
        #[test]
        fn blocks_give_the_components_that_all_keys_give(
            given in documents(),
            num_parts in prop_oneof![1u32..5, Just(1000)],
            at_once in 1usize..30,
        ) {
            let mut expected = Vec::new();
            let mut ids: BTreeMap<u64, usize> = BTreeMap::new();
            for (at, (id, text)) in given.iter().enumerate() {
                *ids.entry(id >> 2).or_default() += 1;
                for (_, other) in &given[..at] {
                    let (Some((a, keys)), Some((b, others))) = (text, other) else { continue };
                    if keys.iter().any(|key| others.contains(key)) {
                        expected.push((*a, *b));
                    }
                }
            }
            let (edges, repeated) = merged(&given, num_parts, at_once);
            // The output contains a node when several documents have its text, or when it shares a key with another
            // node.
            prop_assert_eq!(components(&edges), components(&expected));
            prop_assert_eq!(repeated, ids.into_iter().filter(|&(_, count)| count > 1).map(|(id, _)| id).collect());
        }

        #[test]
        fn a_block_that_is_cut_off_or_not_one_is_refused(given in documents(), cut in any::<prop::sample::Index>()) {
            let mut blocks = KeyBlocks::new(1);
            for (id, text) in &given {
                blocks.push_document(*id);
                if let Some((node, keys)) = text {
                    blocks.push_text(*node, keys);
                }
            }
            let emit = |_, block: Vec<u8>| {
                let mut merge = KeyMerge::default();
                let pushed = merge.push(&block[..cut.index(block.len())], |_, _| Some(()));
                let finished = pushed.and_then(|()| merge.finish(|_| Some(())));
                if finished.is_none() { Ok(()) } else { Err("a part of a block was taken for all of it") }
            };
            prop_assert_eq!(blocks.finish(emit), Ok(()));
            prop_assert!(KeyMerge::default().push(&[2; 40], |_, _| Some(())).is_none());
        }
    }

    #[test]
    fn keys_out_of_order_and_positions_without_a_node_are_refused() {
        let block = |keys: &[(u64, u16)]| {
            let mut bytes = vec![FORMAT];
            [0u32, 1, 0, 1, 0, keys.len() as u32]
                .iter()
                .for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
            bytes.extend_from_slice(&[7, 0, 0, 0, 0, 0]);
            for &(key, position) in keys {
                bytes.extend_from_slice(&(key << POSITION_BITS | u64::from(position)).to_le_bytes());
            }
            let mut merge = KeyMerge::default();
            merge.push(&bytes, |_, _| Some(())).and_then(|()| merge.finish(|_| Some(())))
        };
        assert_eq!(block(&[(1, 0), (2, 0)]), Some(()));
        assert_eq!(block(&[(2, 0), (1, 0)]), None);
        assert_eq!(block(&[(1, 0), (2, 1)]), None);
        assert_eq!(block(&[(1, 1)]), None);
    }
}
