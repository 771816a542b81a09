//! `cluster_edges`: edges in, the nodes and the least node of each one's component out.

use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};

use super::columns::{ColumnKind, FieldColumn, FieldKind, RowColumn, RowField, RowFormat};
use super::nodes::{EdgeNodes, MOST_DIGITS};
use super::row_writer::RowWriter;
use super::rows::RowReader;
use crate::error::Result;
use crate::output::Name;

const COLUMNS: &[RowColumn] =
    &[RowColumn { name: "a", kind: ColumnKind::Name }, RowColumn { name: "b", kind: ColumnKind::Name }];

const OF_NAMES: &[FieldColumn] =
    &[FieldColumn { name: "node", kind: FieldKind::Text }, FieldColumn { name: "root", kind: FieldKind::Text }];
const OF_NUMBERS: &[FieldColumn] =
    &[FieldColumn { name: "node", kind: FieldKind::Number }, FieldColumn { name: "root", kind: FieldKind::Number }];

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

/// Finds the components of a graph: rows a, b in; rows node, root out, ascending by the bytes of the node. The root is the least
/// node of the component. An edge from a node to itself makes a node.
///
/// Edges may come in any order and any number of times. So the rows of parts of a graph are edges of the graph again, with the same
/// components, and a last filter joins them. Memory is about 25 bytes for each node whose name is a whole number, and otherwise about
/// 30 and the name, whatever the number of edges.
///
/// In Arrow, nodes are of 64 bits when both columns that come in have whole numbers.
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
        while parents.len() < nodes.len() {
            parents.push(parents.len() as u32);
        }
        let (a, b) = (root(&mut parents, a), root(&mut parents, b));
        // Of two roots the one with the least name stays.
        if a != b {
            let (least, other) = if nodes.compare(a, b).is_le() { (a, b) } else { (b, a) };
            parents[other as usize] = least;
        }
    }
    let is_numbered = reader.has_numbers_only();
    let mut writer = RowWriter::new(output, format, if is_numbered { OF_NUMBERS } else { OF_NAMES })?;
    let (sorted, nodes) = nodes.sorted();
    for node in sorted {
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
