//! `jsonl`: the records as JSON Lines.

use std::io::{self, Write};

use super::pair::ReportPair;
use super::{ReportSettings, ReportWriter};
use crate::records::{ClusterRecord, push_json};

pub(super) const STARTS: &[&str] = &["{\"a\":", "{\"group\":"];

struct Lines;

pub(super) fn report(_: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Lines)
}

impl ReportWriter for Lines {
    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()> {
        write_line(pair.record(), out)
    }

    fn group(&mut self, group: &ClusterRecord, out: &mut dyn Write) -> io::Result<()> {
        write_line(group, out)
    }
}

fn write_line(record: &impl serde::Serialize, out: &mut dyn Write) -> io::Result<()> {
    let mut line = Vec::new();
    push_json(&mut line, record);
    line.push(b'\n');
    out.write_all(&line)
}
