//! `dot`: a graph for Graphviz with a labelled node for each document and an edge for each pair. `sfdp -Tsvg` draws
//! it.
//!
//! Nodes have numbers, because two names may look the same when shown.

use std::io::{self, Write};

use super::nodes::Nodes;
use super::pair::{ReportPair, key_of};
use super::words::{percent, whole_name};
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::base::shown::shown;
use crate::records::{ClusterRecord, PairSide};

pub(super) const STARTS: &[&str] = &[START];
const START: &str = "graph dedup {\n";

struct Dot {
    has_sides: bool,
    nodes: Nodes,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Dot { has_sides: settings.has_sides, nodes: Nodes::default() })
}

impl Dot {
    /// The number of a document's node; a new node is written to `out`.
    ///
    /// * `indent`: the white space before the line of the node.
    fn node(&mut self, name: &[u8], side: Option<PairSide>, indent: &str, out: &mut dyn Write) -> io::Result<usize> {
        let (node, is_new) = self.nodes.number(name, side);
        if is_new {
            writeln!(out, "{indent}n{node} [label={}];", quoted(&key_of(name, side)))?;
        }
        Ok(node)
    }
}

impl ReportWriter for Dot {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{START}  node [shape=box];")
    }

    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()> {
        let [a, b] = pair.sides();
        let a = self.node(a.name, a.side(self.has_sides), "  ", out)?;
        let b = self.node(b.name, b.side(self.has_sides), "  ", out)?;
        let share = pair.share();
        writeln!(out, "  n{a} -- n{b} [weight={share}, label=\"{}\"];", percent(share))
    }

    fn group(&mut self, group: &ClusterRecord, out: &mut dyn Write) -> io::Result<()> {
        // Graphviz draws a frame around a subgraph whose name begins with `cluster`.
        writeln!(out, "  subgraph cluster_{} {{\n    label=\"group {} ({})\";", group.group, group.group, group.size)?;
        for (at, member) in group.members.iter().enumerate() {
            self.node(&member.to_bytes(), group.sides.as_ref().map(|sides| sides[at]), "    ", out)?;
        }
        for joined in &group.joined_by {
            let by = self.node(&joined.by.to_bytes(), joined.by_side, "    ", out)?;
            let node = self.node(&joined.name.to_bytes(), joined.side, "    ", out)?;
            let label = percent(joined.jaccard);
            writeln!(out, "    n{by} -- n{node} [weight={}, label=\"{label}\"];", joined.jaccard)?;
        }
        out.write_all(b"  }\n")
    }

    fn end(&mut self, _: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"}\n")
    }
}

/// A name as a DOT label; backslashes are doubled, because they begin escapes.
fn quoted(name: &[u8]) -> String {
    format!("\"{}\"", shown(&whole_name(name)).replace('\\', "\\\\").replace('"', "\\\""))
}
