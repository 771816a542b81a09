//! `text`: one screen for people: the numbers, and the most similar pairs in columns.

use std::io::{self, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::pair::{ReportPair, ReportSide, order};
use super::words::{counted, encoded, percent, whole_name};
use super::{ReportSettings, ReportTotals, ReportWriter};
use crate::input::{path_bytes, path_of};
use crate::output::{ClusterRecord, PairCounts, Ranking};
use crate::results::file_of;
use crate::shown::shown;

/// Of a file by itself nothing says that it was such a report.
pub(super) const STARTS: &[&str] = &[START];
const START: &str = "dedup: ";

/// Lines that are no pairs: the numbers, what is left out, and the next prompt.
const OTHER_ROWS: usize = 3;
/// The least columns of a name.
const LEAST_NAME: usize = 12;
/// Columns of the share and the gaps.
const SHARE: usize = 7;
const GAP: usize = 2;
const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

struct Screen {
    settings: ReportSettings,
    /// `None` before the first pair.
    rows: Option<Ranking>,
    /// The least similarity of the first groups, their sizes and what stands for them.
    groups: Vec<[String; 5]>,
}

impl Screen {
    /// Rows that fit.
    fn most(&self) -> usize {
        self.settings.rows.saturating_sub(OTHER_ROWS).max(1)
    }
}

pub(super) fn report(settings: &ReportSettings) -> Box<dyn ReportWriter> {
    Box::new(Screen { settings: settings.clone(), rows: None, groups: Vec::new() })
}

impl ReportWriter for Screen {
    fn pair(&mut self, pair: &ReportPair, _: &mut dyn Write) -> io::Result<()> {
        let (is_ranked, most) = (self.settings.is_ranked, self.most());
        let rows = self.rows.get_or_insert_with(|| Ranking::new(order(is_ranked, pair), most));
        // NUL is in no name that is shown.
        let sides = [pair.about(), pair.other()];
        let row = || {
            let [first, second] = sides.map(name);
            let [of_first, of_second] = sides.map(|side| self.settings.address(side.file));
            [percent(pair.share()), first, second, of_first, of_second].join("\0")
        };
        rows.add(PairCounts::from(pair.record()), || row().into_bytes().into());
        Ok(())
    }

    fn group(&mut self, group: &ClusterRecord, _: &mut dyn Write) -> io::Result<()> {
        if self.groups.len() < self.most() {
            let least = group.jaccard_min.map_or_else(String::new, percent);
            let number = counted(group.size, "document");
            let name = group.representative.to_bytes();
            let address = self.settings.address(&name);
            self.groups.push([least, number, shown(&whole_name(&name)), String::new(), address]);
        }
        Ok(())
    }

    fn end(&mut self, totals: &ReportTotals, out: &mut dyn Write) -> io::Result<()> {
        let (bold, dim, plain) = if self.settings.is_coloured { (BOLD, DIM, PLAIN) } else { ("", "", "") };
        // The last line counts what is not shown.
        writeln!(out, "{START}{}", ReportTotals { shown: None, ..totals.clone() }.sentence())?;
        let rows = self.rows.take().map(Ranking::into_lines).unwrap_or_default();
        let rows = rows.iter().map(|row| std::str::from_utf8(row).expect("rows are text").split('\0').collect());
        let groups = self.groups.iter().map(|row| row.iter().map(String::as_str).collect());
        let rows: Vec<Vec<&str>> = rows.chain(groups).collect();
        let most = (self.settings.columns.saturating_sub(SHARE + 2 * GAP) / 2).max(LEAST_NAME);
        let widest = rows.iter().map(|row| row[1].width()).max().unwrap_or(0).min(most);
        for row in &rows {
            let (first, second) = (fitted(row[1], most), fitted(row[2], most));
            let pad = " ".repeat(widest.saturating_sub(first.width()) + GAP);
            let [first, second] = [linked(&first, row[3]), linked(&second, row[4])];
            writeln!(out, "{bold}{:>SHARE$}{plain}  {first}{pad}{second}", row[0])?;
        }
        let (all, what) = if totals.of_groups { (totals.groups, "more group") } else { (totals.pairs, "more pair") };
        let left = all - rows.len() as u64;
        if left > 0 {
            writeln!(out, "{dim}{}; --top N and --format csv show more{plain}", counted(left, what))?;
        }
        Ok(())
    }
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

fn name(side: ReportSide) -> String {
    shown(&whole_name(side.name))
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
}
