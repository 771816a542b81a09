//! `markdown`: a pull request comment with the numbers and a table of pairs, within GitHub's size limit.
//!
//! A name is a code span, so that it cannot mention a user, make a link or change the format.

use std::collections::HashMap;
use std::io::{self, Write};

use super::pair::{ReportPair, ReportSide, mark_of, order, share_of};
use super::words::{counted, percent, range, shares, whole_name};
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::base::shown::shown;
use crate::compare::passages::LocatedPassage;
use crate::records::{ClusterRecord, PairCounts, Ranking};

pub(super) const STARTS: &[&str] = &[START];
const START: &str = "## Near-duplicates\n";

/// GitHub accepts 65,536 characters; this limit counts bytes, and a character has at least one.
const MOST_BYTES: usize = 65_000;
/// The maximum number of rows that can fit: the shortest row, `| 5 % | `a` | `b` |`, has 20 bytes with its line end.
const MOST_ROWS: usize = MOST_BYTES / 20;
/// An upper bound of the last line's length in bytes.
const LAST_LINE: usize = 200;
/// The maximum number of group members in a row.
const MOST_MEMBERS: usize = 5;
/// The maximum number of passages in a row.
const MOST_PASSAGES: usize = 3;

struct Comment {
    is_ranked: bool,
    /// Whether a rule chose the representatives of groups.
    has_choice: bool,
    /// Whether pairs match by their passages, and have a coverage instead of a similarity.
    has_coverage: bool,
    /// Whether pairs of programs have a similarity with identifiers kept, by which they are sorted.
    has_kept: bool,
    /// The best pairs so far; `None` before the first pair.
    rows: Option<Ranking>,
    /// The rows of the first groups.
    groups: Vec<Box<[u8]>>,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Comment {
        is_ranked: settings.is_ranked,
        has_choice: settings.has_choice,
        has_coverage: false,
        has_kept: false,
        rows: None,
        groups: Vec::new(),
    })
}

impl ReportWriter for Comment {
    fn pair(&mut self, pair: &ReportPair, _: &mut dyn Write) -> io::Result<()> {
        let is_ranked = self.is_ranked;
        self.has_coverage |= pair.record().matched.is_some();
        self.has_kept |= pair.record().jaccard_kept.is_some();
        let rows = self.rows.get_or_insert_with(|| Ranking::new(order(is_ranked, pair), MOST_ROWS));
        rows.add(PairCounts::from(pair.record()), || row(pair).into_bytes().into());
        Ok(())
    }

    fn group(&mut self, group: &ClusterRecord, _: &mut dyn Write) -> io::Result<()> {
        if self.groups.len() < MOST_ROWS {
            let members = members_of(group, self.has_choice).take(MOST_MEMBERS);
            let mut members = members.collect::<Vec<_>>().join(", ");
            if group.members.len() > MOST_MEMBERS {
                members += &format!(", and {} more", group.members.len() - MOST_MEMBERS);
            }
            let least = group.jaccard_min.map_or_else(String::new, percent);
            self.groups.push(format!("| {} | {least} | {members} |\n", group.size).into_bytes().into());
        }
        Ok(())
    }

    fn end(&mut self, totals: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        let mut text = format!("{START}\n{}.\n", totals.sentence());
        let groups = std::mem::take(&mut self.groups);
        let rows = self.rows.take().map_or(groups, Ranking::into_lines);
        if !rows.is_empty() && totals.of_groups {
            text += "\n| Size | Least similarity | Documents |\n| ---: | ---: | --- |\n";
        } else if !rows.is_empty() {
            let what = if self.has_coverage { "Coverage" } else { "Similarity" };
            text += &format!("\n| {what} | Document | Other document |\n| ---: | --- | --- |\n");
        }
        let mut num_shown = 0;
        for row in &rows {
            if text.len() + row.len() + LAST_LINE > MOST_BYTES {
                break;
            }
            text += std::str::from_utf8(row).expect("rows are text");
            num_shown += 1;
        }
        let what = if totals.of_groups { "more group" } else { "more pair" };
        let left = totals.num_reported() - num_shown;
        if left > 0 {
            let which = match self.has_coverage {
                _ if self.is_ranked || totals.of_groups => "",
                true => ", none of which has a higher coverage",
                false if self.has_kept => ", none of which is more similar with its names",
                false => ", none of which is more similar",
            };
            text += &format!("\n{} did not fit into this comment{which}.\n", counted(left, what));
        }
        out.write_all(text.as_bytes())
    }
}

/// The members of a group, each with the similarity by which it joined the group, and the member that it joined unless that
/// represents the group.
fn members_of(group: &ClusterRecord, has_choice: bool) -> impl Iterator<Item = String> {
    let side_of = |at: usize| group.sides.as_ref().map(|sides| sides[at]);
    let joined_by: HashMap<_, _> = group.joined_by.iter().map(|joined| ((&joined.name, joined.side), joined)).collect();
    group.members.iter().enumerate().map(move |(at, name)| {
        let member = code(&name.to_bytes()) + mark_of(group, name, has_choice);
        let Some(joined) = joined_by.get(&(name, side_of(at))) else { return member };
        let share = percent(share_of(joined));
        if joined.by == group.representative {
            format!("{member} {share}")
        } else {
            format!("{member} {share} with {}", code(&joined.by.to_bytes()))
        }
    })
}

fn row(pair: &ReportPair) -> String {
    let passages = pair.passages();
    let cell = |side: ReportSide| {
        let places: Vec<&LocatedPassage> = passages.iter().take(MOST_PASSAGES).copied().collect();
        let mut ranges: Vec<String> = places
            .iter()
            .filter_map(|passage| Some(file_before(side, passage) + &range(side.place(Some(passage)).lines?)))
            .collect();
        if ranges.is_empty() {
            ranges.extend(side.place(None).lines.map(range));
        }
        ranges.dedup();
        let more = if passages.len() > places.len() { ", …" } else { "" };
        let is_one = ranges.len() == 1 && more.is_empty() && !ranges[0].contains('-');
        let label = if is_one { "line" } else { "lines" };
        let ranges = if ranges.is_empty() { String::new() } else { format!(", {label} {}{more}", ranges.join(", ")) };
        format!("{}{}{ranges}", code(side.name), side.time_and_mark())
    };
    format!("| {} | {} | {} |\n", shares(pair), cell(pair.about()), cell(pair.other()))
}

/// The name of the file in which a passage begins, and a space, if the document is joined from files.
fn file_before(side: ReportSide, passage: &LocatedPassage) -> String {
    side.files(passage).map_or_else(String::new, |files| code(files.first().as_bytes()) + " ")
}

/// A name as a code span in a table.
fn code(name: &[u8]) -> String {
    // A backslash before a bar would look like an escape of the bar.
    let name = shown(&whole_name(name)).replace("\\|", "\\\\u{7c}").replace('|', "\\|");
    let (mut longest, mut run) = (0, 0);
    for c in name.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    // Markdown strips one space from both ends, so a space is added where a name begins or ends with a space or a
    // backtick.
    let is_plain = !name.starts_with(['`', ' ']) && !name.ends_with(['`', ' ']) && !name.is_empty();
    let space = if is_plain { "" } else { " " };
    format!("{fence}{space}{name}{space}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_code_in_one_cell_whatever_it_holds() {
        for (name, expected) in [
            ("a.txt", "`a.txt`"),
            ("@all <b>#1</b> [x](y)", "`@all <b>#1</b> [x](y)`"),
            ("a|b\nc", "`a\\|b\\nc`"),
            ("a\\|b", "`a\\\\u{7c}b`"),
            ("`x``y", "``` `x``y ```"),
            (" a ", "`  a  `"),
        ] {
            assert_eq!(code(name.as_bytes()), expected);
        }
    }
}
