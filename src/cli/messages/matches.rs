//! The lines of the summary about a run that matches by passages.

use dedup_scan::base::shown;
use dedup_scan::search::{DocumentDuplication, Duplication, MatchSummary, MatchingRecord, NamedDocuments};
use indicatif::HumanCount;

use super::number::{counted, percent};

/// The share of duplicated lines, and the document with most of them.
pub(super) fn duplicated(duplication: &Duplication) -> String {
    let Duplication { lines, duplicated_lines, share, documents } = duplication;
    let mut text = format!("{} of {} ({})", HumanCount(*duplicated_lines), counted(*lines, "line"), percent(*share));
    // The first document among equals.
    let most = documents.iter().rev().max_by_key(|document| document.duplicated_lines);
    if let Some(DocumentDuplication { document, share, .. }) = most {
        let in_documents = counted(documents.len() as u64, "document");
        text += &format!(", in {in_documents}; the most in {} ({})", shown(document), percent(*share));
    }
    text
}

/// The rows of a run that matches by passages: its pairs, its guarantee, and the limits of the guarantee.
///
/// * `of_groups`: a note on the pairs of groups.
/// * `settings`: the criteria for pairs.
pub(super) fn matched(
    pairs: u64,
    of_groups: &str,
    settings: &MatchingRecord,
    matches: &MatchSummary,
    seeds_capped: u64,
) -> Vec<(&'static str, String)> {
    let count = |number: u64| HumanCount(number).to_string();
    let MatchingRecord { coverage, min_matched, .. } = settings;
    let MatchSummary { every_run_of, .. } = matches;
    let mut rows = vec![
        (
            "pairs",
            format!(
                "{} with a coverage of at least {coverage} and {min_matched} matched tokens{of_groups}",
                count(pairs)
            ),
        ),
        ("passages", format!("every common run of at least {} is found", counted(*every_run_of, "token"))),
    ];
    rows.extend(not_searched(matches, seeds_capped).into_iter().map(|loss| ("  but", loss)));
    rows
}

/// Messages about passages that were not searched.
pub(super) fn not_searched(matches: &MatchSummary, seeds_capped: u64) -> Vec<String> {
    let MatchSummary { key_cap, seeds_capped_in, .. } = matches;
    let mut losses = Vec::new();
    let of = |documents: &NamedDocuments| {
        let first = documents.names.first().map(|name| format!(", the first is {}", shown(name))).unwrap_or_default();
        format!("{}{first}", counted(documents.documents, "text"))
    };
    if let Some(cap) = key_cap.as_ref().filter(|cap| cap.hashes > 0) {
        let (most, hashes) = (counted(cap.more_than, "document"), hashes(cap.hashes));
        let what = format!("passages made only of hashes in more than {most} are not searched: {hashes}");
        losses.push(format!("{what} in {}", of(&cap.documents)));
    }
    if seeds_capped > 0 {
        let places = counted(seeds_capped, "place");
        let why = "a phrase is searched only at its first 64 places in a text";
        let what = "a larger --min-run is repeated less often";
        losses.push(format!("{why}: {places} were not searched in {}; {what}", of(seeds_capped_in)));
    }
    losses
}

fn hashes(number: u64) -> String {
    format!("{} {}", HumanCount(number), if number == 1 { "hash" } else { "hashes" })
}
