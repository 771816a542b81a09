//! `graphml`: a graph for Gephi, yEd and NetworkX with a node for each document and an edge for each pair.

use std::io::{self, Write};

use super::nodes::Nodes;
use super::pair::ReportPair;
use super::words::whole_name;
use super::xml::xml;
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::records::{ClusterRecord, PairSide};

pub(super) const STARTS: &[&str] = &[START];
const START: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml ";

struct Graph {
    has_sides: bool,
    nodes: Nodes,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Graph { has_sides: settings.has_sides, nodes: Nodes::default() })
}

impl Graph {
    /// The number of a document's node; a new node is written to `out`.
    ///
    /// * `group`: the number of the document's group, if the report shows groups.
    fn node(
        &mut self,
        name: &[u8],
        side: Option<PairSide>,
        group: Option<u64>,
        out: &mut dyn Write,
    ) -> io::Result<usize> {
        let (node, is_new) = self.nodes.number(name, side);
        if is_new {
            write!(out, r#"    <node id="n{node}"><data key="name">{}</data>"#, xml(&whole_name(name)))?;
            if let Some(group) = group {
                write!(out, r#"<data key="group">{group}</data>"#)?;
            }
            writeln!(out, "</node>")?;
        }
        Ok(node)
    }
}

impl ReportWriter for Graph {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, r#"{START}xmlns="http://graphml.graphdrawing.org/xmlns">"#)?;
        writeln!(out, r#"  <key id="name" for="node" attr.name="label" attr.type="string"/>"#)?;
        writeln!(out, r#"  <key id="group" for="node" attr.name="group" attr.type="long"/>"#)?;
        for key in ["weight", "jaccard", "containment_a", "containment_b"] {
            writeln!(out, r#"  <key id="{key}" for="edge" attr.name="{key}" attr.type="double"/>"#)?;
        }
        writeln!(out, r#"  <graph id="dedup" edgedefault="undirected">"#)
    }

    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()> {
        let [a, b] = pair.sides();
        let a = self.node(a.name, a.side(self.has_sides), None, out)?;
        let b = self.node(b.name, b.side(self.has_sides), None, out)?;
        let record = pair.record();
        let data = [
            ("weight", pair.share()),
            ("jaccard", record.jaccard),
            ("containment_a", record.containment_a),
            ("containment_b", record.containment_b),
        ];
        edge([a, b], &data, out)
    }

    fn group(&mut self, group: &ClusterRecord, out: &mut dyn Write) -> io::Result<()> {
        for (at, member) in group.members.iter().enumerate() {
            let side = group.sides.as_ref().map(|sides| sides[at]);
            self.node(&member.to_bytes(), side, Some(group.group), out)?;
        }
        for joined in &group.joined_by {
            let by = self.node(&joined.by.to_bytes(), joined.by_side, None, out)?;
            let node = self.node(&joined.name.to_bytes(), joined.side, None, out)?;
            edge([by, node], &[("weight", joined.jaccard), ("jaccard", joined.jaccard)], out)?;
        }
        Ok(())
    }

    fn end(&mut self, _: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"  </graph>\n</graphml>\n")
    }
}

fn edge([a, b]: [usize; 2], data: &[(&str, f64)], out: &mut dyn Write) -> io::Result<()> {
    write!(out, r#"    <edge source="n{a}" target="n{b}">"#)?;
    for (key, value) in data {
        write!(out, r#"<data key="{key}">{value}</data>"#)?;
    }
    writeln!(out, "</edge>")
}
