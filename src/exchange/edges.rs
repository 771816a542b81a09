//! `cluster_edges`: finds the connected components of a graph that is given as edges, as nodes with keys, or as blocks
//! of keys.

use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};

use super::columns::{ColumnKind, FieldColumn, FieldKind, RowColumn, RowField, RowFormat};
use super::key_merge::{KeyMerge, SharedItem};
use super::nodes::{MOST_DIGITS, NodeNumbers, root};
use super::row_writer::RowWriter;
use super::rows::RowReader;
use crate::base::error::Result;
use crate::base::flat::bit_set::BitSet;
use crate::records::Name;

const OF_EDGES: &[RowColumn] =
    &[RowColumn { name: "a", kind: ColumnKind::Name }, RowColumn { name: "b", kind: ColumnKind::Name }];
const OF_KEYS: &[RowColumn] =
    &[RowColumn { name: "key", kind: ColumnKind::Name }, RowColumn { name: "node", kind: ColumnKind::Name }];
const OF_BLOCKS: &[RowColumn] = &[RowColumn { name: "block", kind: ColumnKind::Bytes }];

const OF_NAMES: &[FieldColumn] =
    &[FieldColumn { name: "node", kind: FieldKind::Text }, FieldColumn { name: "root", kind: FieldKind::Text }];
const OF_NUMBERS: &[FieldColumn] =
    &[FieldColumn { name: "node", kind: FieldKind::Number }, FieldColumn { name: "root", kind: FieldKind::Number }];

/// The row of a node in JSON Lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentRecord<'a> {
    /// The name of the node.
    #[serde(borrow)]
    pub node: Name<'a>,
    /// The smallest node of its component, by bytes; empty in the rows of counts at the end.
    #[serde(borrow)]
    pub root: Name<'a>,
}

/// The relation that connects two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterBy {
    /// Rows a, b: an edge between two nodes. An edge from a node to itself adds the node.
    Edge,
    /// Rows key, node: nodes with the same key are connected; nodes that share no key are omitted.
    Key,
    /// Rows block, from [`sign_blocks`](super::sign_blocks): like `Key` for the keys and nodes in the blocks. The
    /// output also contains nodes that several documents have, and a negative node for each id that several documents
    /// may have.
    Block,
}

/// Finds the components of a graph. Reads edges, keys or blocks, and writes rows node, root, ascending by the bytes of
/// the node. The root is the smallest node of the component.
///
/// Rows may come in any order and any number of times. The output for a part of a graph is a list of edges with the
/// same components, so a last call can combine the outputs of all parts. Memory is about 25 bytes for each node whose
/// name is a whole number, and otherwise about 30 bytes and the name, whatever the number of edges; a key needs as much
/// as a node.
///
/// Blocks stay packed until all have been read. They need their own size in memory, and little more for unpacking.
///
/// In Arrow, nodes are 64-bit numbers when both input columns have whole numbers, and for blocks.
///
/// * `ends`: whether to write two rows without a root at the end: the number of rows that were read, and the number of
///   nodes.
///
/// # Errors
/// When a row cannot be used, read or written.
pub fn cluster_edges(
    by: ClusterBy,
    format: RowFormat,
    ends: bool,
    input: &mut dyn BufRead,
    output: &mut (dyn Write + Send),
) -> Result<()> {
    let mut reader = RowReader::new(input, format, by.columns());
    let mut components = Components::default();
    let (mut keyed, mut merge) = (KeyedNodes::default(), KeyMerge::default());
    while reader.read()? {
        let joined = match by {
            ClusterBy::Edge => components.join_edge(reader.field(0), reader.field(1)),
            ClusterBy::Key => keyed.join(&mut components, reader.field(0), reader.field(1)),
            ClusterBy::Block => merge.push(reader.field(0), |a, b| components.join_numbers(a, b)),
        };
        joined.ok_or_else(|| reader.fault(by.fault()))?;
    }
    drop(keyed);
    let joined = merge.finish(|shared| match shared {
        SharedItem::Key(a, b) => components.join_numbers(a, b),
        SharedItem::Id(hash) => components.node_of_number(!(hash as i64)).map(|_| ()),
    });
    joined.ok_or_else(|| reader.fault(by.fault()))?;
    let is_numbered = reader.has_numbers_only() || by == ClusterBy::Block && format != RowFormat::Tsv;
    let mut writer = RowWriter::new(output, format, if is_numbered { OF_NUMBERS } else { OF_NAMES })?;
    let together = (by == ClusterBy::Key).then(|| components.together());
    let Components { nodes, mut parents } = components;
    let (sorted, nodes) = nodes.sorted();
    let mut num_written = 0;
    let is_written = |&node: &u32| together.as_ref().is_none_or(|together| together.contains(node as usize));
    for node in sorted.into_iter().filter(is_written) {
        let pair = [node, root(&mut parents, node)];
        let mut digits = [[0; MOST_DIGITS]; 2];
        let [of_node, of_root] = &mut digits;
        let names = [nodes.name(pair[0], of_node), nodes.name(pair[1], of_root)];
        if format == RowFormat::JsonLines {
            let [node, root] = names.map(Name::new);
            writer.push_json(&ComponentRecord { node, root })?;
        } else if is_numbered {
            writer.push(&pair.map(|node| RowField::Number(nodes.number(node))))?;
        } else {
            writer.push(&names.map(RowField::Text))?;
        }
        num_written += 1;
    }
    for count in [reader.num_rows(), num_written].into_iter().filter(|_| ends) {
        let text = count.to_string();
        if format == RowFormat::JsonLines {
            writer.push_json(&ComponentRecord { node: Name::new(text.as_bytes()), root: Name::new(b"") })?;
        } else {
            let count = if is_numbered { RowField::Number(count as i64) } else { RowField::Text(text.as_bytes()) };
            writer.push(&[count, RowField::Nothing])?;
        }
    }
    writer.finish()
}

impl ClusterBy {
    fn columns(self) -> &'static [RowColumn] {
        match self {
            ClusterBy::Edge => OF_EDGES,
            ClusterBy::Key => OF_KEYS,
            ClusterBy::Block => OF_BLOCKS,
        }
    }

    /// The message for nodes that cannot be joined.
    fn fault(self) -> &'static str {
        match self {
            ClusterBy::Edge | ClusterBy::Key => "more than 4,294,967,294 nodes or keys; fold parts of the rows first",
            ClusterBy::Block => {
                "it, or one before it, is no whole block of keys, or nodes are more than 4,294,967,294; use the blocks as they were written"
            }
        }
    }
}

/// The nodes so far, and their components.
#[derive(Debug, Default)]
struct Components {
    nodes: NodeNumbers,
    /// The parent of each node, one step nearer to its root; a root is its own parent.
    parents: Vec<u32>,
}

impl Components {
    /// The number of a node; `None` when there are too many nodes.
    fn node(&mut self, name: &[u8]) -> Option<u32> {
        let node = self.nodes.number(name)?;
        if self.parents.len() < self.nodes.len() {
            self.parents.push(node);
        }
        Some(node)
    }

    fn join_edge(&mut self, a: &[u8], b: &[u8]) -> Option<()> {
        let (a, b) = (self.node(a)?, self.node(b)?);
        self.join(a, b);
        Some(())
    }

    fn join_numbers(&mut self, a: u64, b: u64) -> Option<()> {
        let (a, b) = (self.node_of_number(a as i64)?, self.node_of_number(b as i64)?);
        self.join(a, b);
        Some(())
    }

    /// The number of a node whose name is a whole number, like all names here; `None` when there are too many nodes.
    fn node_of_number(&mut self, name: i64) -> Option<u32> {
        let node = self.nodes.number_of_whole(name)?;
        if self.parents.len() < self.nodes.len() {
            self.parents.push(node);
        }
        Some(node)
    }

    /// Joins the components of two nodes. The root with the smaller name becomes the common root.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (root(&mut self.parents, a), root(&mut self.parents, b));
        if a != b {
            let (least, other) = if self.nodes.compare(a, b).is_le() { (a, b) } else { (b, a) };
            self.parents[other as usize] = least;
        }
    }

    /// The nodes that are in a component with another node.
    fn together(&self) -> BitSet {
        let mut together = BitSet::new(self.parents.len());
        for (node, &parent) in self.parents.iter().enumerate().filter(|&(node, &parent)| parent as usize != node) {
            together.insert(node);
            together.insert(parent as usize);
        }
        together
    }
}

/// The keys so far, each with its first node.
#[derive(Debug, Default)]
struct KeyedNodes {
    keys: NodeNumbers,
    firsts: Vec<u32>,
}

impl KeyedNodes {
    /// Joins a node with the first node of its key; `None` when there are too many nodes or keys.
    fn join(&mut self, components: &mut Components, key: &[u8], node: &[u8]) -> Option<()> {
        let (key, node) = (self.keys.number(key)?, components.node(node)?);
        match self.firsts.get(key as usize) {
            Some(&first) => components.join(first, node),
            None => self.firsts.push(node),
        }
        Some(())
    }
}
