//! `gitlab`: GitLab's code quality report, a JSON array in a subset of the Code Climate format.

use std::io::{self, Write};

use serde::Serialize;

use super::pair::{MOST_PASSAGES, ReportPair, ReportSide};
use super::words::{fingerprint, marked_name, relative, similarity_clause, whole_name};
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::compare::passages::LocatedPassage;
use crate::records::push_json;

pub(super) const STARTS: &[&str] = &["[\n{\"type\":\"issue\",\"check_name\":\"near-duplicate\"", "[\n]\n"];

struct CodeQuality {
    has_sides: bool,
    num_issues: u64,
}

#[derive(Serialize)]
struct Issue {
    r#type: &'static str,
    check_name: &'static str,
    description: String,
    categories: [&'static str; 1],
    severity: &'static str,
    fingerprint: String,
    location: IssuePlace,
    other_locations: Vec<IssuePlace>,
}

#[derive(Serialize)]
struct IssuePlace {
    path: String,
    lines: IssueLines,
}

#[derive(Serialize)]
struct IssueLines {
    begin: u64,
    end: u64,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(CodeQuality { has_sides: settings.has_sides, num_issues: 0 })
}

impl ReportWriter for CodeQuality {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"[")
    }

    fn pair(&mut self, pair: &ReportPair, out: &mut dyn Write) -> io::Result<()> {
        let (about, other, passages) = (pair.about(), pair.other(), pair.passages());
        let place = |side: ReportSide, passage: Option<&LocatedPassage>| {
            let [begin, end] = side.place(passage).lines_or_first();
            IssuePlace { path: whole_name(relative(side.file_of(passage))), lines: IssueLines { begin, end } }
        };
        let longest = passages.first().copied();
        let mut other_locations = vec![place(other, longest)];
        for passage in passages.iter().take(MOST_PASSAGES).skip(1) {
            other_locations.push(place(about, Some(passage)));
            other_locations.push(place(other, Some(passage)));
        }
        let issue = Issue {
            r#type: "issue",
            check_name: "near-duplicate",
            description: format!("{} {} {}", marked_name(about), similarity_clause(pair), marked_name(other)),
            categories: ["Duplication"],
            severity: "minor",
            fingerprint: fingerprint(pair, self.has_sides),
            location: place(about, longest),
            other_locations,
        };
        let mut json = if self.num_issues == 0 { b"\n".to_vec() } else { b",\n".to_vec() };
        push_json(&mut json, &issue);
        self.num_issues += 1;
        out.write_all(&json)
    }

    fn end(&mut self, _: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"\n]\n")
    }
}
