//! `graphml`: a graph for Gephi, yEd and NetworkX: a node for each document, an edge for each pair.

use std::collections::HashMap;
use std::io::{self, Write};

use xxhash_rust::xxh3::xxh3_128;

use super::pair::{ReportPair, key_of};
use super::words::whole_name;
use super::xml::xml;
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::output::ClusterRecord;

pub(super) const STARTS: &[&str] = &[START];
const START: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml ";

/// The nodes that are written, by the hashes of their names: about 40 bytes for each.
struct Graph {
    has_sides: bool,
    nodes: HashMap<u128, usize>,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Graph { has_sides: settings.has_sides, nodes: HashMap::new() })
}

impl Graph {
    /// The number of a node, which is written when it is new.
    ///
    /// * `group`: of its document, where the report is of groups.
    fn node(&mut self, key: &[u8], name: &[u8], group: Option<u64>, out: &mut dyn Write) -> io::Result<usize> {
        let next = self.nodes.len();
        let node = *self.nodes.entry(xxh3_128(key)).or_insert(next);
        if node == next {
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
        let a = self.node(&a.key(self.has_sides), a.name, None, out)?;
        let b = self.node(&b.key(self.has_sides), b.name, None, out)?;
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
            let name = member.to_bytes();
            let side = group.sides.as_ref().map(|sides| sides[at]);
            self.node(&key_of(&name, side), &name, Some(group.group), out)?;
        }
        for joined in &group.joined_by {
            let [name, by] = [&joined.name, &joined.by].map(|name| name.to_bytes());
            let by = self.node(&key_of(&by, joined.by_side), &by, None, out)?;
            let node = self.node(&key_of(&name, joined.side), &name, None, out)?;
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
