//! `github`: workflow commands, which GitHub Actions shows as annotations on the copied lines, and a final notice.
//!
//! GitHub shows at most ten warnings of a step, so each pair has one warning, on its longest passage. Its message
//! lists the next longest passages.

use std::io::{self, Write};

use super::pair::{MOST_PASSAGES, ReportPair};
use super::words::{file_before, lines, marked_name, range, relative, similarity_clause, whole_name};
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::base::shown::shown;

pub(super) const STARTS: &[&str] = &[WARNING, NOTICE];
const WARNING: &str = "::warning file=";
const NOTICE: &str = "::notice title=dedup::";

struct Annotations;

pub(super) fn report(_: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Annotations)
}

impl ReportWriter for Annotations {
    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()> {
        let (about, other, passages) = (pair.about(), pair.other(), pair.passages());
        let place = about.place(passages.first().copied());
        let [first, last] = place.lines_or_first();
        let mut message =
            format!("{} {} {}", shown(&marked_name(about)), similarity_clause(pair), shown(&marked_name(other)));
        if let Some(there) = passages.first().and_then(|passage| other.place(Some(passage)).lines) {
            message += &format!(", {}{}", file_before(other, passages[0]), lines(there));
        }
        let others = passages.iter().skip(1).filter_map(|passage| about.place(Some(passage)).lines);
        // All passages of a record have the same line.
        let others: Vec<String> = others.filter(|&other| Some(other) != place.lines).map(range).collect();
        if !others.is_empty() {
            let more = if others.len() < MOST_PASSAGES { "" } else { ", …" };
            message +=
                &format!("; more here in lines {}{more}", others[..others.len().min(MOST_PASSAGES - 1)].join(", "));
        }
        let file = shown(&whole_name(relative(about.file_of(passages.first().copied()))));
        writeln!(
            out,
            "{WARNING}{},line={first},endLine={last},title=Near-duplicate::{}",
            property(&file),
            escaped(&message)
        )
    }

    fn end(&mut self, totals: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{NOTICE}{}", escaped(&totals.sentence()))
    }
}

/// The text of a workflow command.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property; a comma or a colon would end it, so both are escaped.
fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
