//! `text`: the view for people: the most similar pairs first, and connected documents as groups.
//!
//! A terminal shows the lines that fit and a line with the number of hidden ones; a pipe or a file gets all lines.
//! Pairs with passages, pairs of two sides, pairs of programs and pairs in an order of `--sort` are shown one by one;
//! all others are shown as groups. A name that is too wide is shortened in the part that it shares with the names
//! next to it.

mod entries;
mod names;

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use self::entries::{ViewEntries, ViewEntry, ViewMember};
use self::names::{CommonName, fitted, fitted_all, folder_of, names_of};
use super::pair::{ReportPair, ReportSide, is_file_name, order};
use super::words::{counted, encoded, grouped, lines, percent, whole_name};
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::base::shown::shown;
use crate::compare::passages::LocatedPassage;
use crate::documents::input::{path_bytes, path_of};
use crate::records::{ClusterRecord, PairCounts, Ranking};
use crate::results::saved::file_of;

/// The beginning of such a report in a file.
pub(super) const STARTS: &[&str] = &[START];
const START: &str = "dedup: ";

/// Lines that do not show pairs: the line about hidden pairs, two lines of the summary, and the next prompt.
const OTHER_ROWS: usize = 4;
/// The minimum width of a name in columns.
const LEAST_NAME: usize = 12;
/// The widths in columns of a similarity and of a gap.
const SHARE: usize = 7;
const GAP: usize = 2;
/// The maximum number of passages shown for a pair, longest first.
const PASSAGES: usize = 3;
/// The maximum number of members shown for a group on a terminal.
const MEMBERS: usize = 6;
const BOLD: &str = "\x1b[1m";
const EQUAL: &str = "\x1b[1;32m";
const SIMILAR: &str = "\x1b[1;33m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

struct Screen {
    settings: ReportSettings,
    /// Pairs that are shown one by one; `None` before the first pair.
    rows: Option<Ranking>,
    entries: ViewEntries,
    /// The first groups of a report of groups.
    groups: Vec<ViewEntry>,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Screen { settings: settings.clone(), rows: None, entries: ViewEntries::default(), groups: Vec::new() })
}

impl Screen {
    /// The number of lines that fit.
    fn most(&self) -> usize {
        self.settings.rows.saturating_sub(OTHER_ROWS).max(1)
    }
}

impl ReportWriter for Screen {
    fn pair(&mut self, pair: &ReportPair, _: &mut dyn Write) -> io::Result<()> {
        let record = pair.record();
        let has_numbers = record.passages.is_some() || record.matched.is_some() || record.jaccard_kept.is_some();
        let is_single = self.settings.is_ranked || self.settings.has_sides || has_numbers;
        let sides = [pair.about(), pair.other()];
        if !is_single {
            let member = |side: ReportSide| self.settings.member(side.name, side.file, side.is_file_name());
            self.entries.join(pair.share(), sides.map(|side| (side.name, member(side))));
            return Ok(());
        }
        let (settings, is_ranked, most) = (&self.settings, self.settings.is_ranked, self.most());
        let rows = self.rows.get_or_insert_with(|| Ranking::new(order(is_ranked, pair), most));
        // Shown names do not contain NUL or line ends.
        let row = || {
            let [first, second] = sides.map(|side| settings.member(side.name, side.file, side.is_file_name()).fields());
            let passages = passages_of(pair).join("\n");
            let kept = record.jaccard_kept.map_or_else(String::new, |kept| kept.to_string());
            [pair.share().to_string(), kept, first, second, passages].join("\0")
        };
        rows.add(PairCounts::from(record), || row().into_bytes().into());
        Ok(())
    }

    fn group(&mut self, group: &ClusterRecord, _: &mut dyn Write) -> io::Result<()> {
        if self.groups.len() < self.most() {
            let members = group.members.iter().map(|name| name.to_bytes());
            let members = members.map(|name| self.settings.member(&name, &name, is_file_name(&name))).collect();
            let least = group.jaccard_min;
            self.groups.push(ViewEntry { shares: least.map(|least| [least, least]), members, ..ViewEntry::default() });
        }
        Ok(())
    }

    fn end(&mut self, totals: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        if self.settings.has_numbers {
            writeln!(out, "{START}{}", totals.sentence())?;
        }
        let rows = self.rows.take().map(Ranking::into_lines).unwrap_or_default();
        let mut entries = std::mem::take(&mut self.groups);
        entries.extend(rows.iter().map(|row| ViewEntry::of_row(std::str::from_utf8(row).expect("rows are text"))));
        entries.extend(self.entries.take());
        let all = if totals.of_groups {
            totals.shown.unwrap_or(totals.groups)
        } else if rows.is_empty() {
            entries.len() as u64
        } else {
            totals.shown.unwrap_or(totals.pairs)
        };
        let view = ScreenLayout::new(&self.settings, totals.of_groups, self.most(), &entries);
        let num_shown = view.write(&entries, out)?;
        let left = all.saturating_sub(num_shown as u64);
        if left > 0 {
            let what = if totals.of_groups || rows.is_empty() { "more group" } else { "more pair" };
            let [dim, plain] = view.dim();
            writeln!(out, "{dim}{}; see all with `| less`, or --format html=report.html{plain}", counted(left, what))?;
        }
        Ok(())
    }
}

/// The layout of the entries.
struct ScreenLayout<'a> {
    settings: &'a ReportSettings,
    /// Whether every entry is a group, even one with only two members.
    of_groups: bool,
    /// The maximum number of lines.
    most: usize,
    /// The folder that contains all files of the entries, with the `/` at its end.
    folder: String,
    /// The names of the first entries without that folder, ascending.
    names: Vec<&'a str>,
    /// Whether a second column has the similarity with identifiers kept.
    has_kept: bool,
    /// The number of columns before the names.
    indent: usize,
    /// The widths in columns of the first and the second name of a pair.
    columns: [usize; 2],
}

impl<'a> ScreenLayout<'a> {
    fn new(settings: &'a ReportSettings, of_groups: bool, most: usize, entries: &'a [ViewEntry]) -> Self {
        let folder = folder_of(entries);
        let members = entries.iter().take(most).flat_map(|entry| &entry.members);
        let mut names: Vec<&str> = members.map(|member| member.name_in(&folder)).collect();
        names.sort_unstable();
        let has_kept = entries.iter().any(|entry| entry.kept.is_some());
        let indent = if has_kept { 2 * (SHARE + GAP) } else { SHARE + GAP };
        // The second name is usually shorter, so the first one gets the remaining width.
        let columns = settings.columns.saturating_sub(indent + GAP).max(2 * LEAST_NAME);
        let pairs: Vec<[usize; 2]> = (entries.iter().take(most))
            .filter_map(|entry| Some(names_of(entry, &folder, &names)?.map(|name| name.text.width())))
            .collect();
        let widest = |at: usize| pairs.iter().map(|pair| pair[at]).max().unwrap_or(0);
        let second = widest(1).min((columns / 2).max(columns.saturating_sub(widest(0))));
        let columns = [widest(0).min(columns - second), second];
        Self { settings, of_groups, most, folder, names, has_kept, indent, columns }
    }

    /// The escape sequences that begin and end dim text.
    fn dim(&self) -> [&'static str; 2] {
        if self.settings.is_coloured { [DIM, PLAIN] } else { [""; 2] }
    }

    /// Writes the entries that fit. Returns their number.
    fn write(&self, entries: &[ViewEntry], out: &mut dyn Write) -> io::Result<usize> {
        let mut left = self.most;
        if !self.folder.is_empty() && left > 1 {
            let [dim, plain] = self.dim();
            writeln!(out, "{dim}in {}{plain}", self.folder)?;
            left -= 1;
        }
        if self.has_kept && left > 1 {
            let [dim, plain] = self.dim();
            writeln!(out, "{dim}{:>SHARE$}{:>width$}{plain}", "similar", "kept", width = GAP + SHARE)?;
            left -= 1;
        }
        for (number, entry) in entries.iter().enumerate() {
            let lines = self.lines(entry);
            if lines.len() > left && number > 0 {
                return Ok(number);
            }
            left = left.saturating_sub(lines.len());
            lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        Ok(entries.len())
    }

    fn lines(&self, entry: &ViewEntry) -> Vec<String> {
        let [bold, dim, plain] = if self.settings.is_coloured { [BOLD, DIM, PLAIN] } else { [""; 3] };
        let most = entry.shares.map_or(0.0, |[_, most]| most);
        let colour = match self.settings.is_coloured {
            true if most >= 1.0 => EQUAL,
            true => SIMILAR,
            false => "",
        };
        let share = entry.shares.map_or_else(String::new, |[_, most]| percent(most));
        let kept = match (self.has_kept, entry.kept) {
            (false, _) => String::new(),
            (true, kept) => format!("{:>width$}", kept.map_or_else(String::new, percent), width = GAP + SHARE),
        };
        let start = format!("{colour}{share:>SHARE$}{plain}{kept}  ");
        let indent = " ".repeat(self.indent);
        if let (Some(names), false) = (names_of(entry, &self.folder, &self.names), self.of_groups) {
            let [first, second] = fitted(&names, &self.columns);
            let pad = " ".repeat(self.columns[0].saturating_sub(first.width()) + GAP);
            let [first, second] = [(0, first), (1, second)].map(|(at, name)| linked(&name, &entry.members[at].address));
            let passages = entry.passages.iter().map(|passage| format!("{indent}{dim}{passage}{plain}"));
            return std::iter::once(format!("{start}{first}{pad}{second}")).chain(passages).collect();
        }
        let number = counted(entry.members.len() as u64, "document");
        let range = match entry.shares {
            Some([least, most]) if percent(least) != percent(most) => format!(", {} at least", percent(least)),
            _ => String::new(),
        };
        let mut lines = vec![format!("{start}{bold}{number}{plain}{range}")];
        let is_cut = self.most < usize::MAX / 2 && entry.members.len() > MEMBERS;
        let shown = if is_cut { MEMBERS - 1 } else { entry.members.len() };
        let width = self.settings.columns.saturating_sub(self.indent + GAP).max(LEAST_NAME);
        let members = &entry.members[..shown];
        let names: Vec<&str> = members.iter().map(|member| member.name_in(&self.folder)).collect();
        let names = fitted_all(&CommonName::of_all(&names), &vec![width; shown]);
        for (name, member) in names.iter().zip(members) {
            lines.push(format!("{indent}  {}", linked(name, &member.address)));
        }
        if is_cut {
            lines.push(format!("{indent}  {dim}and {} more{plain}", grouped((entry.members.len() - shown) as u64)));
        }
        lines
    }
}

/// The longest passages of a pair, each with its length and, if they are known, its lines in both documents.
fn passages_of(pair: &ReportPair) -> Vec<String> {
    let passages = pair.passages();
    let sides = [pair.about(), pair.other()];
    let described = |passage: &&LocatedPassage| {
        let [first, second] = sides.map(|side| side.place(Some(passage)).lines.map(lines));
        let tokens = counted(passage.matched, "token");
        match (first, second) {
            (Some(first), Some(second)) => format!("{first} and {second}: {tokens}"),
            _ => tokens,
        }
    };
    let mut text: Vec<String> = passages.iter().take(PASSAGES).map(described).collect();
    if passages.len() > PASSAGES {
        text.push(counted((passages.len() - PASSAGES) as u64, "shorter passage"));
    }
    text
}

impl ReportSettings {
    /// A document of the view.
    ///
    /// * `is_file`: whether `name` is the name of a file.
    fn member(&self, name: &[u8], file: &[u8], is_file: bool) -> ViewMember {
        ViewMember { name: shown(&whole_name(name)), is_file, address: self.address(file) }
    }

    /// The URL of the named file; empty if the terminal does not support links or the file does not exist.
    fn address(&self, name: &[u8]) -> String {
        let (Some(host), Some(folder)) = (&self.links, &self.folder) else { return String::new() };
        let file = file_of(path_bytes(&folder.join(path_of(name)))).and_then(|file| std::path::absolute(file).ok());
        file.map_or_else(String::new, |file| format!("file://{host}{}", encoded(path_bytes(&file))))
    }
}

/// A text as a terminal link (OSC 8), if it has a URL.
fn linked(text: &str, address: &str) -> String {
    if address.is_empty() { text.to_owned() } else { format!("\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\") }
}
