//! `text`: the view for people: the most similar pairs first, and connected documents as groups.
//!
//! A terminal shows the lines that fit and a line with the number of hidden ones; a pipe or a file gets all lines.
//! Pairs with passages, pairs of two sides, pairs of programs and pairs in an order of `--sort` are shown one by one;
//! all others are shown as groups. A name that is too wide is shortened in the part that it shares with the names
//! next to it.

mod entries;
mod names;

use std::collections::HashMap;
use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use self::entries::{ViewEntries, ViewEntry, ViewMember};
use self::names::{CommonName, fitted, fitted_all, folder_of, names_of};
use super::pair::{ReportPair, ReportSide, is_file_name, mark_of, order, share_of, time_after};
use super::words::{counted, encoded, grouped, percent, place, whole_name};
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::base::setting::Setting;
use crate::base::shown::shown;
use crate::compare::passages::LocatedPassage;
use crate::documents::input::{path_bytes, path_of};
use crate::records::{ClusterRecord, Name, PairCounts, PairSide, Ranking};
use crate::results::review::{Answer, Answers};
use crate::results::saved::file_of;

/// The beginning of such a report in a file.
pub(super) const STARTS: &[&str] = &[START, "dedup: "];
const START: &str = "Near-duplicates: ";

/// Lines that do not show pairs: the line about hidden pairs, two lines of the summary, and the next prompt.
const OTHER_ROWS: usize = 4;
/// The minimum width of a name in columns.
const LEAST_NAME: usize = 12;
/// The widths in columns of a similarity and of a gap.
const SHARE: usize = 7;
const GAP: usize = 2;
/// The maximum number of passages shown for a pair, longest first.
const PASSAGES: usize = 3;
/// The maximum number of lines for the members of a group, as long as other entries need the lines of the terminal.
const MEMBERS: usize = 6;
/// The width in columns of the similarity with identifiers kept, and its heading.
const KEPT: usize = 10;
const NAMES_KEPT: &str = "names kept";
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
        self.settings.rows.saturating_sub(OTHER_ROWS + usize::from(self.settings.next_step.is_some())).max(1)
    }
}

impl ReportWriter for Screen {
    fn pair(&mut self, pair: &ReportPair, _: &mut dyn Write) -> io::Result<()> {
        let record = pair.record();
        let has_numbers = record.passages.is_some() || record.matched.is_some() || record.jaccard_kept.is_some();
        let has_answers = !self.settings.answers.say_nothing();
        let is_single = self.settings.is_ranked || self.settings.has_sides || has_numbers || has_answers;
        let sides = [pair.about(), pair.other()];
        if !is_single {
            self.entries.join(pair.share(), sides.map(|side| (side.name, self.settings.member_of(side))));
            return Ok(());
        }
        let (settings, is_ranked, most) = (&self.settings, self.settings.is_ranked, self.most());
        let rows = self.rows.get_or_insert_with(|| Ranking::new(order(is_ranked, pair), most));
        // Shown names do not contain NUL or line ends.
        let row = || {
            let [first, second] = sides.map(|side| settings.member_of(side).fields());
            let mut passages = passages_of(pair);
            passages.splice(0..0, answer_of(pair, &settings.answers));
            let passages = passages.join("\n");
            let kept = record.jaccard_kept.map_or_else(String::new, |kept| kept.to_string());
            [pair.share().to_string(), kept, first, second, passages].join("\0")
        };
        rows.add(PairCounts::from(record), || row().into_bytes().into());
        Ok(())
    }

    fn group(&mut self, group: &ClusterRecord, _: &mut dyn Write) -> io::Result<()> {
        if self.groups.len() < self.most() {
            let members = self.settings.members_of(group);
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
        let Shown { num_entries, hidden_members } = view.write(&entries, out)?;
        let rest = &entries[num_entries..];
        let pairs = rest.iter().filter(|entry| entry.members.len() == 2).count() as u64;
        let [dim, plain] = view.dim();
        if let Some(next_step) = self.settings.next_step.filter(|_| !entries.is_empty()) {
            writeln!(out, "{dim}{next_step}{plain}")?;
        }
        let hidden = match all.saturating_sub(num_entries as u64) {
            0 if hidden_members == 0 => return Ok(()),
            0 => counted(hidden_members, "more document"),
            left if totals.of_groups => counted(left, "more group"),
            left if !rows.is_empty() || left == pairs => counted(left, "more pair"),
            left if pairs == 0 => counted(left, "more group"),
            left => format!("{} and {}", counted(left - pairs, "more group"), counted(pairs, "more pair")),
        };
        let [short, long] = [String::new(), format!(", or {} html=report.html", Setting::ReportFormat)]
            .map(|also| format!("{hidden}; see all with `| less`{also}"));
        let line = if long.width() <= self.settings.columns { long } else { short };
        writeln!(out, "{dim}{line}{plain}")
    }
}

/// The entries that a screen shows.
struct Shown {
    num_entries: usize,
    /// The number of documents of these entries that are not shown.
    hidden_members: u64,
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
        let indent = SHARE + GAP + if has_kept { KEPT + GAP } else { 0 };
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

    /// Writes the entries that fit. Lines that no other entry needs show more members of the groups.
    fn write(&self, entries: &[ViewEntry], out: &mut dyn Write) -> io::Result<Shown> {
        let mut left = self.most;
        let heading = self.heading();
        if !heading.is_empty() && left > 1 && !entries.is_empty() {
            let [dim, plain] = self.dim();
            writeln!(out, "{dim}{heading}{plain}")?;
            left -= 1;
        }
        let mut num_entries = 0;
        for (number, entry) in entries.iter().enumerate() {
            let needed = self.num_lines(entry);
            if needed > left && number > 0 {
                break;
            }
            left = left.saturating_sub(needed);
            num_entries += 1;
        }
        let mut hidden_members = 0;
        for entry in &entries[..num_entries] {
            let num_members = entry.members.len();
            // Without a limit, `left` is large enough for all members.
            let more = left.min((num_members + 1).saturating_sub(self.num_lines(entry)));
            let members = if self.is_pair(entry) { num_members } else { MEMBERS.saturating_add(more) };
            left -= more;
            let lines = self.lines(entry, members);
            if num_members > members {
                hidden_members += (num_members - (members - 1)) as u64;
            }
            lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
        Ok(Shown { num_entries, hidden_members })
    }

    /// The names of the columns, and the folder of all documents; empty if there is nothing to say.
    fn heading(&self) -> String {
        let folder = if self.folder.is_empty() { String::new() } else { format!("in {}", self.folder) };
        let what = match () {
            () if self.of_groups => "minimum",
            () if self.settings.of_passages => "covered",
            () => "similar",
        };
        match (self.has_kept, self.settings.on_terminal) {
            (true, _) => format!("{what:>SHARE$}{:>width$}  {folder}", NAMES_KEPT, width = GAP + KEPT),
            (false, true) => format!("{what:>SHARE$}  {folder}"),
            // The first line of the report says what is compared.
            (false, false) => folder,
        }
        .trim_end()
        .to_owned()
    }

    /// Whether an entry is shown on one line, with its passages below.
    fn is_pair(&self, entry: &ViewEntry) -> bool {
        entry.members.len() == 2 && !self.of_groups
    }

    /// The number of lines of an entry whose members are limited to [`MEMBERS`] lines.
    fn num_lines(&self, entry: &ViewEntry) -> usize {
        1 + if self.is_pair(entry) { entry.passages.len() } else { entry.members.len().min(MEMBERS) }
    }

    /// The lines of an entry.
    ///
    /// * `most_members`: the maximum number of lines for the members of a group.
    fn lines(&self, entry: &ViewEntry, most_members: usize) -> Vec<String> {
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
            (true, kept) => format!("{:>width$}", kept.map_or_else(String::new, percent), width = GAP + KEPT),
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
            Some([least, most]) if percent(least) != percent(most) => {
                format!(", {} to {} similar", percent(least).trim_end_matches(" %"), percent(most))
            }
            _ => String::new(),
        };
        let mut lines = vec![format!("{start}{bold}{number}{plain}{range}")];
        let is_cut = entry.members.len() > most_members;
        let shown = if is_cut { most_members - 1 } else { entry.members.len() };
        let width = self.settings.columns.saturating_sub(self.indent + GAP).max(LEAST_NAME);
        let members = &entry.members[..shown];
        let names: Vec<&str> = members.iter().map(|member| member.name_in(&self.folder)).collect();
        let names = fitted_all(&CommonName::of_all(&names), &vec![width; shown]);
        for (name, member) in names.iter().zip(members) {
            let shown = linked(name, &member.address);
            let Some((share, by)) = member.join else {
                lines.push(format!("{indent}  {shown}"));
                continue;
            };
            let by = by.map(|by| format!("  {dim}with {}{plain}", entry.members[by].bare_name_in(&self.folder)));
            let by = by.filter(|by| name.width() + by.width() <= width).unwrap_or_default();
            let pad = &indent[SHARE..];
            lines.push(format!("  {dim}{:>SHARE$}{plain}{pad}{shown}{by}", percent(share)));
        }
        if is_cut {
            lines.push(format!("{indent}  {dim}and {} more{plain}", grouped((entry.members.len() - shown) as u64)));
        }
        lines
    }
}

/// The line with the answer and the remark of a person about a pair, if there are any.
fn answer_of(pair: &ReportPair, answers: &Answers) -> Option<String> {
    let names = pair.sides().map(|side| side.name.to_vec());
    let answer = match answers.of(&names) {
        Some(Answer::Yes) => "answer yes",
        Some(Answer::No) => "answer no",
        Some(Answer::Skip) => "answer skip",
        Some(Answer::Undone) | None => "no answer",
    };
    match answers.note_of(&names) {
        Some(note) => Some(format!("{answer}: {}", shown(note))),
        None => answers.of(&names).map(|_| answer.to_owned()),
    }
}

/// The longest passages of a pair, each with its length and, if they are known, its lines in both documents.
fn passages_of(pair: &ReportPair) -> Vec<String> {
    let passages = pair.passages();
    let sides = [pair.about(), pair.other()];
    let described = |passage: &&LocatedPassage| {
        let [first, second] = sides.map(|side| place(side, passage));
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
    /// * `mark`: the text after the name.
    fn member(&self, name: &[u8], file: &[u8], is_file: bool, mark: &str) -> ViewMember {
        let name = shown(&whole_name(name)) + mark;
        ViewMember { name, is_file, mark_len: mark.len(), address: self.address(file), join: None }
    }

    /// The members of a group, each with the edge that added it.
    fn members_of(&self, group: &ClusterRecord) -> Vec<ViewMember> {
        let side_of = |at: usize| group.sides.as_ref().map(|sides| sides[at]);
        let places: HashMap<(&Name, Option<PairSide>), usize> =
            group.members.iter().enumerate().map(|(at, name)| ((name, side_of(at)), at)).collect();
        let member = |(at, name): (usize, &Name)| {
            let bytes = name.to_bytes();
            let time = group.times.as_ref().and_then(|times| times[at].as_deref());
            let time = time.map_or_else(String::new, time_after);
            let mark = mark_of(group, name, self.has_choice);
            self.member(&bytes, &bytes, is_file_name(&bytes), &(time + mark))
        };
        let mut members: Vec<ViewMember> = group.members.iter().enumerate().map(member).collect();
        let representative = group.members.iter().position(|name| *name == group.representative);
        for joined in &group.joined_by {
            let by = places.get(&(&joined.by, joined.by_side)).copied();
            if let Some(&at) = places.get(&(&joined.name, joined.side)) {
                members[at].join = Some((share_of(joined), by.filter(|_| by != representative)));
            }
        }
        members
    }

    fn member_of(&self, side: ReportSide) -> ViewMember {
        self.member(side.name, side.file, side.is_file_name(), &side.time_and_mark())
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
