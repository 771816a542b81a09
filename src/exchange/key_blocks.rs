//! `KeyBlocks`: packs the band keys of many texts into one block of bytes for each part of the keys.
//!
//! A document has twenty keys, and an engine that moves each key in a separate row is busy with rows. A block has all
//! keys of some ten thousand documents that belong to one part, in ascending order, so that a part is one row.
//!
//! All numbers are little-endian:
//!
//! ```text
//! the format                                       1 byte
//! the part, the number of parts                    4 bytes each
//! the numbers of ids, nodes, edges and keys        4 bytes each
//! hashes of ids, ascending                         8 bytes each
//! nodes, ascending                                 6 bytes each
//! edges: two positions in the list of nodes           2 bytes each
//! keys, ascending, each with the position of its node 8 bytes each: the key in the highest 48 bits
//! ```
//!
//! A node is the first 48 bits of the hash of a text. Texts of one block that share a key are joined here: the block
//! contains the key once, with one of the texts, and edges to the others. So a very frequent key is not much longer
//! than other keys.

use super::nodes::root;
use crate::base::flat::bit_set::BitSet;
use crate::base::flat::radix_sort::sort_by_hash;

/// The version of the block format.
pub(super) const FORMAT: u8 = 2;

/// The number of bits of a node.
pub(super) const NODE_BITS: u32 = 48;

/// The number of bytes of a node in a block.
pub(super) const NODE_BYTES: usize = NODE_BITS as usize / 8;

/// The number of leading bits of a key that are used.
pub(super) const KEY_BITS: u32 = 48;

/// The number of bits of a position in the list of nodes.
pub(super) const POSITION_BITS: u32 = 16;

/// The number of leading bits of the hash of an id that are used.
const ID_BITS: u32 = 62;

/// The maximum number of documents of a block, so that the position of a node has 16 bits.
const MOST_DOCUMENTS: usize = 1 << POSITION_BITS;

/// The number of keys that ends a block with fewer documents; each key needs 32 bytes while blocks are made.
const MOST_KEYS: usize = 1 << 21;

/// The documents since the last blocks.
#[derive(Debug)]
pub(super) struct KeyBlocks {
    num_parts: u32,
    /// The nodes of texts, in the order of arrival; sorted and distinct while blocks are made.
    nodes: Vec<u64>,
    /// Each key of a text with the position of its node in `nodes`.
    keys: Vec<(u64, u32)>,
    ids: Vec<u64>,
    scratch: Vec<(u64, u32)>,
}

/// The node of a text, from the hash of the text.
pub(super) fn node_of(content: u128) -> u64 {
    (content >> (128 - NODE_BITS)) as u64
}

/// The part that a hash belongs to.
///
/// * `hash`: a hash of `bits` bits.
fn part_of(hash: u64, bits: u32, num_parts: u32) -> u32 {
    ((u128::from(hash) * u128::from(num_parts)) >> bits) as u32
}

impl KeyBlocks {
    pub(super) fn new(num_parts: u32) -> Self {
        Self { num_parts, nodes: Vec::new(), keys: Vec::new(), ids: Vec::new(), scratch: Vec::new() }
    }

    /// Adds a document.
    ///
    /// * `id_hash`: a hash of its id; only its leading bits are used.
    pub(super) fn push_document(&mut self, id_hash: u64) {
        self.ids.push(id_hash >> (64 - ID_BITS));
    }

    /// Adds the text of a document, if it has one.
    pub(super) fn push_text(&mut self, node: u64, keys: &[u64]) {
        let position = self.nodes.len() as u32;
        self.nodes.push(node);
        self.keys.extend(keys.iter().map(|key| (key >> (64 - KEY_BITS), position)));
    }

    /// Whether [`finish`](Self::finish) should be called.
    pub(super) fn is_full(&self) -> bool {
        self.ids.len() >= MOST_DOCUMENTS || self.keys.len() >= MOST_KEYS
    }

    /// Passes the block of each part that is not empty to `emit`, and starts with no documents again.
    ///
    /// # Errors
    /// When `emit` fails.
    pub(super) fn finish<E>(&mut self, mut emit: impl FnMut(u32, Vec<u8>) -> Result<(), E>) -> Result<(), E> {
        self.number_nodes();
        let edges = self.join_texts();
        self.ids.sort_unstable();
        let (mut keys, mut edges, mut ids) = (&self.keys[..], &edges[..], &self.ids[..]);
        let mut used = BitSet::new(self.nodes.len());
        let mut positions = vec![0; self.nodes.len()];
        for part in 0..self.num_parts {
            let of_part = PartOfBlocks {
                keys: take_part(&mut keys, |&(key, _)| part_of(key, KEY_BITS, self.num_parts) == part),
                edges: take_part(&mut edges, |&(node, _)| {
                    part_of(self.nodes[node as usize], NODE_BITS, self.num_parts) == part
                }),
                ids: take_part(&mut ids, |&id| part_of(id, ID_BITS, self.num_parts) == part),
            };
            if !of_part.ids.is_empty() || !of_part.keys.is_empty() || !of_part.edges.is_empty() {
                emit(part, of_part.block([part, self.num_parts], &self.nodes, &mut used, &mut positions))?;
            }
        }
        self.nodes.clear();
        self.keys.clear();
        self.ids.clear();
        Ok(())
    }

    /// Sorts the nodes and removes repeated ones; adjusts the positions in `keys`.
    fn number_nodes(&mut self) {
        let mut order: Vec<(u64, u32)> = self.nodes.iter().copied().zip(0..).collect();
        sort_by_hash(&mut order, &mut self.scratch, |&(node, _)| node << (64 - NODE_BITS));
        let mut numbers = vec![0; self.nodes.len()];
        self.nodes.clear();
        for (node, position) in order {
            if self.nodes.last() != Some(&node) {
                self.nodes.push(node);
            }
            numbers[position as usize] = self.nodes.len() as u32 - 1;
        }
        self.keys.iter_mut().for_each(|(_, node)| *node = numbers[*node as usize]);
    }

    /// Sorts the keys, keeps each once, and returns edges between the nodes that share a key, ascending. An edge from a
    /// node to itself marks a text that several documents have.
    fn join_texts(&mut self) -> Vec<(u32, u32)> {
        sort_by_hash(&mut self.keys, &mut self.scratch, |&(key, _)| key << (64 - KEY_BITS));
        let mut parents: Vec<u32> = (0..self.nodes.len() as u32).collect();
        let mut has_copies = BitSet::new(self.nodes.len());
        let mut edges = Vec::new();
        self.keys.dedup_by(|&mut (key, node), &mut (other_key, other)| {
            if key != other_key {
                return false;
            }
            if node == other {
                if has_copies.insert_new(node as usize) {
                    edges.push((node, node));
                }
            } else {
                let [a, b] = [node, other].map(|node| root(&mut parents, node));
                if a != b {
                    parents[a as usize] = b;
                    edges.push((node, other));
                }
            }
            true
        });
        edges.sort_unstable();
        edges
    }
}

/// Removes and returns the leading items for which `is_of_part` is true.
fn take_part<'i, T>(items: &mut &'i [T], is_of_part: impl Fn(&T) -> bool) -> &'i [T] {
    let (of_part, rest) = items.split_at(items.partition_point(is_of_part));
    *items = rest;
    of_part
}

/// The data of one part. Nodes are positions in the list of all nodes.
struct PartOfBlocks<'k> {
    keys: &'k [(u64, u32)],
    edges: &'k [(u32, u32)],
    ids: &'k [u64],
}

impl PartOfBlocks<'_> {
    /// Packs the block.
    ///
    /// * `numbers`: the part, and the number of parts.
    /// * `used`: empty, with one bit per node; empty again afterwards.
    /// * `positions`: one number per node, with any values.
    fn block(&self, numbers: [u32; 2], nodes: &[u64], used: &mut BitSet, positions: &mut [u32]) -> Vec<u8> {
        self.keys.iter().for_each(|&(_, node)| used.insert(node as usize));
        self.edges.iter().for_each(|&(a, b)| [a, b].iter().for_each(|&node| used.insert(node as usize)));
        let mut of_block = Vec::new();
        for node in used.iter() {
            positions[node] = of_block.len() as u32;
            of_block.push(nodes[node]);
        }
        used.reset(nodes.len());
        let position = |node: u32| u16::try_from(positions[node as usize]).expect("a block has at most 65,536 nodes");
        let counts = [self.ids.len(), of_block.len(), self.edges.len(), self.keys.len()];
        let mut bytes = vec![FORMAT];
        numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
        counts.iter().for_each(|&count| bytes.extend_from_slice(&(count as u32).to_le_bytes()));
        self.ids.iter().for_each(|id| bytes.extend_from_slice(&id.to_le_bytes()));
        of_block.iter().for_each(|node| bytes.extend_from_slice(&node.to_le_bytes()[..NODE_BYTES]));
        for &(a, b) in self.edges {
            [a, b].iter().for_each(|&node| bytes.extend_from_slice(&position(node).to_le_bytes()));
        }
        for &(key, node) in self.keys {
            bytes.extend_from_slice(&(key << POSITION_BITS | u64::from(position(node))).to_le_bytes());
        }
        bytes
    }
}

/// The smallest hash of a part.
///
/// * `part`, `num_parts`: the part, and the number of parts.
pub(super) fn part_start(bits: u32, [part, num_parts]: [u32; 2]) -> u64 {
    (u128::from(part) << bits).div_ceil(u128::from(num_parts)) as u64
}
