//! `Overview`: the values for the template of a page.

use serde::Serialize;

use super::charts::{HEIGHT, Histogram, RecallCurve, Shares, WIDTH};
use super::index::PageIndex;
use super::texts::PackedTexts;
use crate::base::setting::Setting;
use crate::base::shown::shown;
use crate::results::report::words::{common_ends, counted, percent};
use crate::results::report::{ReportSearch, ReportSettings, ReportTotals};

/// The maximum number of groups in the list.
const MOST_GROUPS: usize = 10;
/// The number of members of a listed group that are visible, and the number that a click adds.
const MOST_MEMBERS: usize = 5;
const MOST_FOLDED: usize = 200;

/// The sources of a page's overview.
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
    /// The sentence about the settings of the comparison.
    words: Option<String>,
    /// The day on which the page was made.
    date: Option<String>,
    /// The command line that found the pairs.
    command: Option<String>,
    /// The folder that contains all documents.
    folder: Option<String>,
    /// The name of the values by which pairs are sorted: similarity or coverage.
    share: &'static str,
    /// The heading of the table of pairs.
    pairs: &'static str,
    numbers: Vec<PageNumber>,
    width: f64,
    height: f64,
    histogram: Option<Histogram>,
    /// The number of pairs of the highest bar, with commas between thousands.
    most: String,
    curve: Option<RecallCurve>,
    /// Sentences about the pairs that were not found.
    recall: Vec<String>,
    groups: Vec<GroupRow>,
    more_groups: Option<String>,
    notes: Vec<String>,
    /// How documents were compared: keys and values.
    method: Vec<(String, String)>,
    has_containments: bool,
    /// Whether pairs have a similarity with identifiers kept.
    has_kept: bool,
    num_pairs: usize,
    /// Whether pairs were dropped before they reached the report.
    is_cut: bool,
}

/// A number that is shown prominently.
#[derive(Serialize)]
struct PageNumber {
    value: String,
    label: String,
}

/// One of the largest groups.
#[derive(Serialize)]
struct GroupRow {
    number: u64,
    /// The number with commas between thousands.
    shown: String,
    size: String,
    least: String,
    /// The first of its documents.
    members: Vec<MemberName>,
    /// Further documents, which a click shows.
    folded: Vec<MemberName>,
    /// The number of documents in `folded`.
    more: String,
    /// The number of documents that the row does not list, if there are any.
    others: Option<String>,
    /// Whether the page shows a pair of the group.
    has_pairs: bool,
}

/// The name of a document in the list of its group, split into the common beginning of the group's names, the part
/// that differs, and their common end.
#[derive(Serialize)]
struct MemberName {
    whole: String,
    start: String,
    differs: String,
    end: String,
}

impl Overview<'_> {
    pub(super) fn context(&self) -> OverviewRecord {
        let Self { settings, totals, shares, index, .. } = self;
        let of_groups = totals.of_groups;
        let title = if of_groups { "Groups of near-duplicates" } else { "Near-duplicates" };
        let share = if settings.of_passages { "Coverage" } else { "Similarity" };
        let banding = match settings.search {
            Some(ReportSearch::Banded(banding)) if !settings.of_passages => Some(banding),
            _ => None,
        };
        let groups = index.groups();
        let mut members = index.members(MOST_GROUPS);
        for (group, members) in groups.iter().zip(&mut members).filter(|(_, members)| members.is_empty()) {
            members.extend(group.name.as_deref());
        }
        let names = index.names().iter().map(String::as_str).chain(members.iter().flatten().copied());
        // Documents that the page does not show may be in other folders.
        let is_whole = !self.is_cut() && shares.num_pairs() == index.num_pairs() as u64;
        let folder = folder(names.filter(|name| !name.is_empty())).filter(|_| is_whole);
        let rows = groups.iter().zip(&members).map(|(group, members)| {
            let names = member_names(members, folder.map_or(0, str::len));
            let mut names = names.into_iter().take(MOST_MEMBERS + MOST_FOLDED);
            let first: Vec<MemberName> = names.by_ref().take(MOST_MEMBERS).collect();
            let folded: Vec<MemberName> = names.collect();
            let others = u64::from(group.size).saturating_sub((first.len() + folded.len()) as u64);
            GroupRow {
                number: group.number,
                shown: number(group.number),
                size: number(group.size.into()),
                least: percent(group.least),
                more: number(folded.len() as u64),
                others: Some(number(others)).filter(|_| others > 0),
                has_pairs: index.shows(group.first),
                members: first,
                folded,
            }
        });
        let has_charts = settings.one_pair.is_none();
        let histogram = shares.histogram().filter(|_| has_charts);
        OverviewRecord {
            title: settings.title.as_deref().map_or_else(|| title.to_owned(), shown),
            sentence: settings.one_pair.as_deref().map_or_else(|| totals.sentence(), shown),
            words: totals.method.sentence(),
            date: settings.date.clone(),
            command: settings.command.clone(),
            folder: folder.map(shown),
            share,
            pairs: if of_groups { "How members are joined" } else { "Pairs" },
            numbers: self.numbers(),
            width: WIDTH,
            height: HEIGHT,
            most: number(histogram.as_ref().map_or(0, |histogram| histogram.most)),
            histogram,
            curve: banding.filter(|_| has_charts).map(|banding| shares.curve(banding, totals.threshold)),
            recall: if has_charts { self.recall() } else { Vec::new() },
            groups: rows.collect(),
            more_groups: groups
                .len()
                .checked_sub(MOST_GROUPS)
                .filter(|&more| more > 0)
                .map(|more| counted(more as u64, "more group")),
            notes: self.notes(),
            method: totals.method.rows().to_vec(),
            has_containments: !of_groups,
            has_kept: index.has_kept(),
            num_pairs: index.num_pairs(),
            is_cut: self.is_cut(),
        }
    }

    /// Whether pairs were dropped before they reached the report.
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
                "The table and the graph are of {}, {first}; {} shows more.",
                counted(shown_pairs, if totals.of_groups { "join" } else { "pair" }),
                Setting::MaxPairs
            ));
        }
        if texts.is_full() {
            notes.push(format!(
                "The texts of {} are in this page; {} makes room for more.",
                counted(texts.num_pairs() as u64, "pair"),
                Setting::MaxBytes
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

/// The names of a group's documents, split by their common beginning and end.
///
/// * `start`: the length in bytes of the folder that contains all documents of the page.
fn member_names(members: &[&str], start: usize) -> Vec<MemberName> {
    let names: Vec<&str> = members.iter().map(|name| &name[start.min(name.len())..]).collect();
    let [begin, end] = if names.len() > 1 { common_ends(&names) } else { [0, 0] };
    let parts = |name: &&str| MemberName {
        whole: shown(name),
        start: shown(&name[..begin]),
        differs: shown(&name[begin..name.len() - end]),
        end: shown(&name[name.len() - end..]),
    };
    names.iter().map(parts).collect()
}

/// A number with commas between thousands.
fn number(count: u64) -> String {
    let text = counted(count, "");
    text.split_once(' ').expect("a number and what it is of").0.to_owned()
}

/// The folder that contains all names, with its last slash.
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
