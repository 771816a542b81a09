//! `Overview`: what the template of a page is filled with.

use serde::Serialize;

use super::charts::{HEIGHT, Histogram, RecallCurve, Shares, WIDTH};
use super::index::PageIndex;
use super::texts::PackedTexts;
use crate::report::words::{counted, percent};
use crate::report::{ReportSearch, ReportSettings, ReportTotals};
use crate::shown::shown;

/// Groups that are listed.
const MOST_GROUPS: usize = 10;

/// All that a page says before its data.
pub(super) struct Overview<'a> {
    pub(super) settings: &'a ReportSettings,
    pub(super) totals: &'a ReportTotals,
    pub(super) shares: &'a Shares,
    pub(super) index: &'a PageIndex,
    pub(super) texts: &'a PackedTexts,
}

/// The values of the template.
#[derive(Serialize)]
pub(super) struct OverviewRecord {
    title: String,
    sentence: String,
    /// The folder that all documents are in.
    folder: Option<String>,
    /// What pairs are ordered by: their similarity or their coverage.
    share: &'static str,
    /// What the lines of the table are.
    pairs: &'static str,
    numbers: Vec<PageNumber>,
    width: f64,
    height: f64,
    histogram: Option<Histogram>,
    curve: Option<RecallCurve>,
    /// What is known of the pairs that were not found.
    recall: Vec<String>,
    groups: Vec<GroupRow>,
    more_groups: Option<String>,
    notes: Vec<String>,
    /// How documents were compared: keys and values.
    method: Vec<(String, String)>,
    has_containments: bool,
    num_pairs: usize,
    /// Whether pairs were left out before they came here.
    is_cut: bool,
}

/// A number that stands out.
#[derive(Serialize)]
struct PageNumber {
    value: String,
    label: String,
}

/// One of the largest groups.
#[derive(Serialize)]
struct GroupRow {
    number: u64,
    size: String,
    name: String,
    least: String,
    /// Whether the page shows a pair of it.
    has_pairs: bool,
}

impl Overview<'_> {
    pub(super) fn context(&self) -> OverviewRecord {
        let Self { settings, totals, shares, index, .. } = self;
        let of_groups = totals.of_groups;
        let share = if settings.of_passages { "Coverage" } else { "Similarity" };
        let banding = match settings.search {
            Some(ReportSearch::Banded(banding)) if !settings.of_passages => Some(banding),
            _ => None,
        };
        let groups = index.groups();
        let centres = index.centres(MOST_GROUPS);
        let listed = || {
            groups.iter().zip(&centres).map(|(group, centre)| {
                let name = centre.map(|centre| &index.names()[centre]).or(group.name.as_ref());
                (group, centre, name.map_or("", String::as_str))
            })
        };
        let names = index.names().iter().map(String::as_str).chain(listed().map(|(.., name)| name));
        // Documents that the page does not show may be elsewhere.
        let is_whole = !self.is_cut() && shares.num_pairs() == index.num_pairs() as u64;
        let folder = folder(names.filter(|name| !name.is_empty())).filter(|_| is_whole);
        let rows = listed().map(|(group, centre, name)| GroupRow {
            number: group.number,
            size: number(group.size.into()),
            name: shown(&name[folder.map_or(0, |folder| folder.len().min(name.len()))..]),
            least: percent(group.least),
            has_pairs: centre.is_some(),
        });
        OverviewRecord {
            title: if of_groups { "Groups of near-duplicates" } else { "Near-duplicates" }.to_owned(),
            sentence: totals.sentence(),
            folder: folder.map(shown),
            share,
            pairs: if of_groups { "How members are joined" } else { "Pairs" },
            numbers: self.numbers(),
            width: WIDTH,
            height: HEIGHT,
            histogram: shares.histogram(),
            curve: banding.map(|banding| shares.curve(banding, totals.threshold)),
            recall: self.recall(),
            groups: rows.collect(),
            more_groups: groups
                .len()
                .checked_sub(MOST_GROUPS)
                .filter(|&more| more > 0)
                .map(|more| counted(more as u64, "more group")),
            notes: self.notes(),
            method: totals.method.rows().to_vec(),
            has_containments: !of_groups,
            num_pairs: index.num_pairs(),
            is_cut: self.is_cut(),
        }
    }

    /// Whether pairs were left out before they came here.
    fn is_cut(&self) -> bool {
        !self.totals.of_groups && self.totals.pairs > self.shares.num_pairs()
    }

    fn numbers(&self) -> Vec<PageNumber> {
        let ReportTotals { pairs, documents, groups, compared, known, .. } = *self.totals;
        let number = |count: u64, one: &str| {
            let text = counted(count, one);
            let (value, label) = text.split_once(' ').expect("a number and what it is of");
            PageNumber { value: value.to_owned(), label: label.to_owned() }
        };
        let mut numbers = Vec::new();
        numbers.extend(
            compared.map(|compared| PageNumber { label: "compared".to_owned(), ..number(compared, "document") }),
        );
        if !self.totals.of_groups {
            numbers.push(number(pairs, if known.is_some() { "new pair" } else { "pair" }));
        }
        numbers.push(number(groups, "group"));
        numbers.push(PageNumber { label: "in groups".to_owned(), ..number(documents, "document") });
        if let (Some(compared), false) = (compared, self.settings.has_sides) {
            let share = if compared == 0 { 0.0 } else { documents as f64 / compared as f64 };
            numbers.push(PageNumber { value: percent(share), label: "of all documents".to_owned() });
        }
        numbers
    }

    fn recall(&self) -> Vec<String> {
        let (threshold, mut lines) = (self.totals.threshold, Vec::new());
        match self.settings.search {
            _ if self.settings.of_passages => {}
            Some(ReportSearch::EveryPair) => {
                lines.push("Every pair at or above the threshold was looked at, so none is missing.".to_owned());
            }
            Some(ReportSearch::Banded(banding)) => {
                lines.extend(threshold.map(|threshold| {
                    format!(
                        "A pair at the threshold of {} is found with a chance of {}.",
                        percent(threshold),
                        percent(banding.recall(threshold))
                    )
                }));
                let recall = self.shares.recall(banding).filter(|_| !self.totals.of_groups);
                lines.extend(recall.map(|recall| {
                    format!("By the curve, {} of all pairs with these similarities are found.", percent(recall))
                }));
            }
            None => lines.push("The result does not say how likely a pair was to be found.".to_owned()),
        }
        lines
    }

    fn notes(&self) -> Vec<String> {
        let Self { settings, totals, shares, index, texts } = self;
        let shown_pairs = index.num_pairs() as u64;
        let mut notes = Vec::new();
        if self.is_cut() {
            notes.push(format!(
                "The charts, the table, the groups and the graph are of {}, the first of all.",
                counted(shares.num_pairs(), "pair")
            ));
        }
        if shares.num_pairs() > shown_pairs {
            let first = match settings.is_ranked {
                _ if totals.of_groups => "those of the first groups",
                true => "the first of the order that was asked for",
                false => "the most similar",
            };
            notes.push(format!(
                "The table and the graph are of {}, {first}; --max-pairs shows more.",
                counted(shown_pairs, if totals.of_groups { "join" } else { "pair" })
            ));
        }
        if texts.is_full() {
            notes.push(format!(
                "The texts of {} are in this page; --max-bytes makes room for more.",
                counted(texts.num_pairs() as u64, "pair")
            ));
        }
        if !settings.texts_are_known && texts.num_pairs() > 0 {
            notes.push("A file of pairs does not say what its texts were; they are shown as they were when this page was made.".to_owned());
        }
        let lost = texts.lost().len() as u64;
        if lost > 0 {
            notes.push(format!(
                "{} could not be read as {} compared, and {} without text here.",
                counted(lost, "document"),
                if lost == 1 { "it was" } else { "they were" },
                if lost == 1 { "is" } else { "are" }
            ));
        }
        if totals.errors > 0 {
            notes.push(format!("{} could not be read, so pairs may be missing.", counted(totals.errors, "input")));
        }
        notes
    }
}

/// A number with commas between thousands.
fn number(count: u64) -> String {
    let text = counted(count, "");
    text.split_once(' ').expect("a number and what it is of").0.to_owned()
}

/// The folder that all names are in, with its last slash.
fn folder<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = names.next()?;
    let end = names.fold(first.rfind('/').map_or(0, |slash| slash + 1), |end, name| {
        let same = first.bytes().zip(name.bytes()).take(end).take_while(|(one, other)| one == other).count();
        first.as_bytes()[..same].iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1)
    });
    Some(&first[..end]).filter(|folder| !folder.is_empty() && *folder != "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_all_names_ends_at_a_slash() {
        let of = |names: &[&str]| folder(names.iter().copied()).map(str::to_owned);
        assert_eq!(of(&["a/b/c", "a/b/d"]).as_deref(), Some("a/b/"));
        assert_eq!(of(&["a/bc/c", "a/bd/d"]).as_deref(), Some("a/"));
        assert_eq!(of(&["a/é/1", "a/è/1"]).as_deref(), Some("a/"));
        assert_eq!(of(&["/a", "/b"]), None);
        assert_eq!(of(&["a", "b"]), None);
        assert_eq!(of(&[]), None);
    }
}
