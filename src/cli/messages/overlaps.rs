//! The lines about groups that copy each other.

use dedup_scan::base::shown;
use dedup_scan::search::OverlapSummary;
use indicatif::HumanCount;

use super::number::counted;

/// The result of a run that compares groups of documents.
///
/// * `by`: the rule that puts documents into groups.
pub(crate) fn overlaps(summary: OverlapSummary, by: &str) -> String {
    if summary.group_pairs == 0 {
        return format!("no two groups by {} have a similar document", shown(by));
    }
    let documents = counted(summary.documents, "similar document");
    format!("{} by {} with {documents}", group_pairs(summary.group_pairs), shown(by))
}

/// A number of pairs of groups.
pub(crate) fn group_pairs(number: u64) -> String {
    match number {
        1 => "1 pair of groups".to_owned(),
        number => format!("{} pairs of groups", HumanCount(number)),
    }
}

/// The number of pairs of groups that were printed, when a flag hid some.
pub(crate) fn overlaps_printed(num_printed: u64, summary: OverlapSummary) -> String {
    let (printed, all) = (HumanCount(num_printed), HumanCount(summary.group_pairs));
    format!("printed {printed} of {all} pairs of groups, by --top or --min-share")
}
