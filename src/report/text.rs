//! `text`: the view for people: the most similar pairs first, and documents that belong together as groups.
//!
//! A terminal gets the lines that fit, and one that counts the others; a pipe or a file gets all. Pairs with passages, pairs of two
//! sides and pairs in an order that was asked for are shown one by one, all others by the groups that they join documents to.

mod entries;

use std::io::{self, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use self::entries::{ViewEntries, ViewEntry, ViewMember};
use super::pair::{ReportPair, ReportSide, order};
use super::words::{counted, encoded, grouped, lines, percent, whole_name};
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::input::{path_bytes, path_of};
use crate::output::{ClusterRecord, PairCounts, Ranking};
use crate::passages::LocatedPassage;
use crate::results::file_of;
use crate::shown::shown;

/// A file with such a report begins like this.
pub(super) const STARTS: &[&str] = &[START];
const START: &str = "dedup: ";

/// Lines that are no pairs: what is left out, two of the summary, and the next prompt.
const OTHER_ROWS: usize = 4;
/// The least columns of a name.
const LEAST_NAME: usize = 12;
/// Columns of the share and the gaps.
const SHARE: usize = 7;
const GAP: usize = 2;
/// Passages of a pair that are shown, the longest.
const PASSAGES: usize = 3;
/// Members of a group that a terminal shows.
const MEMBERS: usize = 6;
const BOLD: &str = "\x1b[1m";
const EQUAL: &str = "\x1b[1;32m";
const SIMILAR: &str = "\x1b[1;33m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

struct Screen {
    settings: ReportSettings,
    /// Pairs that are shown one by one; `None` before the first.
    rows: Option<Ranking>,
    entries: ViewEntries,
    /// The first groups of a report of groups.
    groups: Vec<ViewEntry>,
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Screen { settings: settings.clone(), rows: None, entries: ViewEntries::default(), groups: Vec::new() })
}

impl Screen {
    /// Lines that fit.
    fn most(&self) -> usize {
        self.settings.rows.saturating_sub(OTHER_ROWS).max(1)
    }

    fn member(&self, name: &[u8], file: &[u8]) -> ViewMember {
        ViewMember { name: shown(&whole_name(name)), address: self.settings.address(file) }
    }
}

impl ReportWriter for Screen {
    fn pair(&mut self, pair: &ReportPair, _: &mut dyn Write) -> io::Result<()> {
        let record = pair.record();
        let is_single =
            self.settings.is_ranked || self.settings.has_sides || record.passages.is_some() || record.matched.is_some();
        let sides = [pair.about(), pair.other()];
        if !is_single {
            let member = |side: ReportSide| self.member(side.name, side.file);
            self.entries.join(pair.share(), sides.map(|side| (side.name, member(side))));
            return Ok(());
        }
        let (is_ranked, most) = (self.settings.is_ranked, self.most());
        let rows = self.rows.get_or_insert_with(|| Ranking::new(order(is_ranked, pair), most));
        // NUL and line ends are in no name that is shown.
        let row = || {
            let [first, second] = sides.map(|side| shown(&whole_name(side.name)));
            let [of_first, of_second] = sides.map(|side| self.settings.address(side.file));
            let passages = passages_of(pair).join("\n");
            [pair.share().to_string(), first, second, of_first, of_second, passages].join("\0")
        };
        rows.add(PairCounts::from(record), || row().into_bytes().into());
        Ok(())
    }

    fn group(&mut self, group: &ClusterRecord, _: &mut dyn Write) -> io::Result<()> {
        if self.groups.len() < self.most() {
            let members = group.members.iter().map(|name| name.to_bytes());
            let members = members.map(|name| self.member(&name, &name)).collect();
            let least = group.jaccard_min;
            self.groups.push(ViewEntry { shares: least.map(|least| [least, least]), members, ..ViewEntry::default() });
        }
        Ok(())
    }

    fn end(&mut self, totals: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        if self.settings.has_numbers {
            // The last line counts what is not shown.
            writeln!(out, "{START}{}", ReportTotals { shown: None, ..totals.clone() }.sentence())?;
        }
        let rows = self.rows.take().map(Ranking::into_lines).unwrap_or_default();
        let mut entries = std::mem::take(&mut self.groups);
        entries.extend(rows.iter().map(|row| ViewEntry::of_row(std::str::from_utf8(row).expect("rows are text"))));
        entries.extend(self.entries.take());
        let all = if totals.of_groups {
            totals.groups
        } else if rows.is_empty() {
            entries.len() as u64
        } else {
            totals.pairs
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

/// How entries are laid out.
struct ScreenLayout<'a> {
    settings: &'a ReportSettings,
    /// Whether every entry is a group, however few its members are.
    of_groups: bool,
    /// Lines that may be written.
    most: usize,
    /// The folder that all entries are in, with the `/` at its end.
    folder: String,
    /// Columns that the first and the second name of a pair have.
    columns: [usize; 2],
}

impl<'a> ScreenLayout<'a> {
    fn new(settings: &'a ReportSettings, of_groups: bool, most: usize, entries: &[ViewEntry]) -> Self {
        let folder = common_folder(entries.iter().flat_map(|entry| &entry.members).map(|member| member.name.as_str()));
        // A second name is mostly short beside the first, which has the room.
        let columns = settings.columns.saturating_sub(SHARE + 2 * GAP).max(2 * LEAST_NAME);
        let pairs: Vec<[usize; 2]> = (entries.iter().take(most))
            .filter_map(|entry| Some(names_of(entry, folder.len())?.map(|name| name.width())))
            .collect();
        let widest = |at: usize| pairs.iter().map(|pair| pair[at]).max().unwrap_or(0);
        let second = widest(1).min((columns / 2).max(columns.saturating_sub(widest(0))));
        let columns = [widest(0).min(columns - second), second];
        Self { settings, of_groups, most, folder, columns }
    }

    /// What makes text dim, and what ends that.
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
        let start = format!("{colour}{share:>SHARE$}{plain}  ");
        let indent = " ".repeat(SHARE + GAP);
        if let (Some(names), false) = (names_of(entry, self.folder.len()), self.of_groups) {
            let [first, second] = [0, 1].map(|at| fitted(&names[at], self.columns[at]));
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
        let width = self.settings.columns.saturating_sub(SHARE + 2 * GAP).max(LEAST_NAME);
        for member in &entry.members[..shown] {
            let name = fitted(&member.name[self.folder.len()..], width);
            lines.push(format!("{indent}  {}", linked(&name, &member.address)));
        }
        if is_cut {
            lines.push(format!("{indent}  {dim}and {} more{plain}", grouped((entry.members.len() - shown) as u64)));
        }
        lines
    }
}

/// The longest passages of a pair, each by its lines in both documents where these are known, and its length.
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

/// The folder that all names are in, with the `/` at its end; empty where there is none.
fn common_folder<'n>(mut names: impl Iterator<Item = &'n str>) -> String {
    let Some(first) = names.next() else { return String::new() };
    let mut common = &first[..first.rfind('/').map_or(0, |at| at + 1)];
    for name in names {
        while !name.starts_with(common) {
            let above = common.trim_end_matches('/');
            common = &common[..above.rfind('/').map_or(0, |at| at + 1).min(above.len())];
        }
    }
    common.to_owned()
}

/// The names of a pair; `None` for a larger group. Where both are in one folder, that of the second is an ellipsis.
///
/// * `start`: the bytes of the folder that all names are in.
fn names_of(entry: &ViewEntry, start: usize) -> Option<[String; 2]> {
    let [first, second] = entry.members.as_slice() else { return None };
    let [first, second] = [&first.name[start..], &second.name[start..]];
    let folder = common_folder([first, second].into_iter());
    let second = if folder.is_empty() { second.to_owned() } else { format!("…/{}", &second[folder.len()..]) };
    Some([first.to_owned(), second])
}

impl ReportSettings {
    /// The address of the file that a name leads to, where the terminal follows links and the file is there; otherwise empty.
    fn address(&self, name: &[u8]) -> String {
        let (Some(host), Some(folder)) = (&self.links, &self.folder) else { return String::new() };
        let file = file_of(path_bytes(&folder.join(path_of(name)))).and_then(|file| std::path::absolute(file).ok());
        file.map_or_else(String::new, |file| format!("file://{host}{}", encoded(path_bytes(&file))))
    }
}

/// A text as a link (OSC 8), where it has an address.
fn linked(text: &str, address: &str) -> String {
    if address.is_empty() { text.to_owned() } else { format!("\x1b]8;;{address}\x1b\\{text}\x1b]8;;\x1b\\") }
}

/// The end of a name, which says more than its beginning, where all of it is too wide.
fn fitted(name: &str, most: usize) -> String {
    if name.width() <= most {
        return name.to_owned();
    }
    let mut width = 1;
    let mut start = name.len();
    for (at, c) in name.char_indices().rev() {
        width += c.width().unwrap_or(0);
        if width > most {
            break;
        }
        start = at;
    }
    format!("…{}", &name[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_names_keep_their_ends() {
        assert_eq!(fitted("abc", 3), "abc");
        assert_eq!(fitted("abcd", 3), "…cd");
        assert_eq!(fitted("日本語", 5), "…本語");
        assert_eq!(fitted("日本語", 4), "…語");
    }

    #[test]
    fn names_are_cut_by_the_folder_that_they_share() {
        let common = |names: &[&str]| common_folder(names.iter().copied());
        assert_eq!(common(&["a/b/c", "a/b/d"]), "a/b/");
        assert_eq!(common(&["a/b/c", "a/bc/d"]), "a/");
        assert_eq!(common(&["/a", "/b/c"]), "/");
        assert_eq!(common(&["a", "a/b"]), "");
        assert_eq!(common(&["é/x", "è/x"]), "");
        let names = |names: [&str; 2]| {
            let member = |name: &str| ViewMember { name: name.to_owned(), address: String::new() };
            names_of(&ViewEntry { members: names.map(member).into(), ..ViewEntry::default() }, 0).unwrap()[1].clone()
        };
        assert_eq!(names(["news/a.txt", "news/old/b.txt"]), "…/old/b.txt");
        assert_eq!(names(["a.txt", "news/b.txt"]), "news/b.txt");
    }
}
