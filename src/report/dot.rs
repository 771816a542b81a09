//! `dot`: a graph for Graphviz, an edge for each pair. `sfdp -Tsvg` draws it.

use std::io::{self, Write};

use super::pair::{ReportPair, key_of};
use super::words::{percent, whole_name};
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::output::ClusterRecord;
use crate::shown::shown;

pub(super) const STARTS: &[&str] = &[START];
const START: &str = "graph dedup {\n";

struct Dot {
    has_sides: bool,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Dot { has_sides: settings.has_sides })
}

impl ReportWriter for Dot {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{START}  node [shape=box];\n")
    }

    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()> {
        let share = pair.share();
        let [a, b] = pair.sides().map(|side| quoted(&side.key(self.has_sides)));
        writeln!(out, "  {a} -- {b} [weight={share}, label=\"{}\"];", percent(share))
    }

    fn group(&mut self, group: &ClusterRecord, out: &mut dyn Write) -> io::Result<()> {
        // What begins with `cluster` is drawn as a frame.
        writeln!(out, "  subgraph cluster_{} {{\n    label=\"group {} ({})\";", group.group, group.group, group.size)?;
        for (at, member) in group.members.iter().enumerate() {
            let side = group.sides.as_ref().map(|sides| sides[at]);
            writeln!(out, "    {};", quoted(&key_of(&member.to_bytes(), side)))?;
        }
        for joined in &group.joined_by {
            let [name, by] = [(&joined.name, joined.side), (&joined.by, joined.by_side)]
                .map(|(name, side)| quoted(&key_of(&name.to_bytes(), side)));
            writeln!(out, "    {by} -- {name} [weight={}, label=\"{}\"];", joined.jaccard, percent(joined.jaccard))?;
        }
        out.write_all(b"  }\n")
    }

    fn end(&mut self, _: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"}\n")
    }
}

/// A name as an identifier and label of DOT. In a label a backslash begins an escape, so it is doubled.
fn quoted(name: &[u8]) -> String {
    format!("\"{}\"", shown(&whole_name(name)).replace('\\', "\\\\").replace('"', "\\\""))
}
