//! `cluster_edges`: edges in, the nodes and the least node of each one's component out.

use std::collections::HashMap;
use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};

use super::rows::{ColumnKind, RowColumn, RowFormat, RowReader, RowWriter};
use crate::error::Result;
use crate::output::Name;

const COLUMNS: &[RowColumn] =
    &[RowColumn { name: "a", kind: ColumnKind::Name }, RowColumn { name: "b", kind: ColumnKind::Name }];

/// A row of a node in JSON Lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentRecord<'a> {
    /// The node.
    #[serde(borrow)]
    pub node: Name<'a>,
    /// The least node of its component, by bytes.
    #[serde(borrow)]
    pub root: Name<'a>,
}

/// The distinct nodes: the bytes of all names, and where each ends.
#[derive(Default)]
struct EdgeNodes {
    names: Vec<u8>,
    ends: Vec<usize>,
    /// EdgeNodes by the hash of the name; the few that share one are side by side.
    by_hash: HashMap<u64, u32>,
    /// Further nodes of a hash.
    others: HashMap<u64, Vec<u32>>,
}

impl EdgeNodes {
    fn name(&self, node: u32) -> &[u8] {
        let start = (node as usize).checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.names[start..self.ends[node as usize]]
    }

    /// The number of a name; `None` when there are too many.
    fn number(&mut self, name: &[u8]) -> Option<u32> {
        let hash = xxhash_rust::xxh3::xxh3_64(name);
        let known = self.by_hash.get(&hash).copied();
        let is_it = |&node: &u32| self.name(node) == name;
        if let Some(node) = known.filter(is_it) {
            return Some(node);
        }
        if known.is_some()
            && let Some(&node) = self.others.get(&hash).and_then(|others| others.iter().find(|node| is_it(node)))
        {
            return Some(node);
        }
        let node = u32::try_from(self.ends.len()).ok().filter(|&node| node < u32::MAX)?;
        self.names.extend_from_slice(name);
        self.ends.push(self.names.len());
        match known {
            None => drop(self.by_hash.insert(hash, node)),
            Some(_) => self.others.entry(hash).or_default().push(node),
        }
        Some(node)
    }
}

/// Finds the components of a graph: rows a, b in; rows node, root out, ascending by the bytes of the node. The root is the least
/// node of the component. An edge from a node to itself makes a node.
///
/// Edges may come in any order and any number of times. So the rows of parts of a graph are edges of the graph again, with the same
/// components, and a last filter joins them. Memory is about 40 bytes and the name for each node, whatever the number of edges.
///
/// # Errors
/// When a row cannot be used, or read, or written.
pub fn cluster_edges(format: RowFormat, input: &mut dyn BufRead, output: &mut (dyn Write + Send)) -> Result<()> {
    let mut reader = RowReader::new(input, format, COLUMNS);
    let mut nodes = EdgeNodes::default();
    let mut parents: Vec<u32> = Vec::new();
    while reader.read()? {
        let [a, b] = [0, 1].map(|column| nodes.number(reader.field(column)));
        let (Some(a), Some(b)) = (a, b) else {
            return Err(reader.fault("more than 4,294,967,294 nodes; fold parts of the edges first"));
        };
        while parents.len() < nodes.ends.len() {
            parents.push(parents.len() as u32);
        }
        let (a, b) = (root(&mut parents, a), root(&mut parents, b));
        // Of two roots the one with the least name stays.
        if a != b {
            let (least, other) = if nodes.name(a) <= nodes.name(b) { (a, b) } else { (b, a) };
            parents[other as usize] = least;
        }
    }
    let mut sorted: Vec<u32> = (0..nodes.ends.len() as u32).collect();
    sorted.sort_unstable_by(|&a, &b| nodes.name(a).cmp(nodes.name(b)));
    let mut writer = RowWriter::new(output);
    for node in sorted {
        let root = root(&mut parents, node);
        let [node, root] = [node, root].map(|node| nodes.name(node));
        match format {
            RowFormat::Tsv => writer.push_tsv(&[node, root])?,
            RowFormat::JsonLines => {
                writer.push_json(&ComponentRecord { node: Name::new(node), root: Name::new(root) })?;
            }
        }
    }
    writer.finish()
}

/// The root of a node, towards which it halves the path.
fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        let grandparent = parents[parents[node as usize] as usize];
        parents[node as usize] = grandparent;
        node = grandparent;
    }
    node
}
