//! The messages about an index: its content, additions and queries.

use std::path::Path;

use dedup_scan::base::{IndexError, shown};
use dedup_scan::index::{Added, ContainmentSummary, IndexInfo, QuerySummary, Restored, TextStorage};
use dedup_scan::{Banding, Error, Summary};
use indicatif::{DecimalBytes, HumanCount};

use super::failure::Failure;
use super::line;
use super::number::{banding, counted, percent, plain_percent};
use super::summary::{documents_read, skipped};

/// Maximum number of documents that are listed one by one.
pub(crate) const NAMED: usize = 20;

/// Lists the first of some faults, and reports the number of further ones.
pub(crate) fn faults(first: &[String], number: u64) {
    let named = &first[..first.len().min(NAMED)];
    named.iter().for_each(|fault| line(&format!("dedup: {fault}")));
    let more = number - named.len() as u64;
    if more > 0 {
        line(&format!("dedup: {} more", counted(more, "document")));
    }
}

/// The fault of an index, with what to do about it.
pub(crate) fn fault(fault: &IndexError) -> String {
    Failure::from(Error::Index(fault.clone())).to_string()
}

/// Lists the damaged parts of an index.
pub(crate) fn damage(damage: &[IndexError]) {
    damage.iter().for_each(|damaged| line(&format!("dedup: {}", fault(damaged))));
}

/// The failure of a command that saves what is left of an index.
pub(crate) fn of_rebuilding(error: Error) -> Failure {
    match error {
        Error::Index(error @ IndexError::Damaged { .. }) => Failure::new(format!(
            "{error}, and without it no document can be found; restore a copy of the index, or build it again"
        )),
        other => other.into(),
    }
}

fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

/// The summary of a new index.
pub(crate) fn built(summary: &Summary, info: &IndexInfo) -> String {
    format!(
        "{}\nindex      {} of {}, {} a document",
        documents_read(summary),
        DecimalBytes(info.bytes),
        counted(info.texts, "text"),
        counted(info.bytes_a_document.round() as u64, "byte")
    )
}

/// The numbers of documents that were added, unchanged, replaced and skipped.
pub(crate) fn added(added: Added) -> String {
    let Added { added, unchanged, replaced, skipped } = added;
    let others = [(unchanged, "unchanged"), (replaced, "replaced"), (skipped, "skipped")];
    let others = others.into_iter().filter(|&(number, _)| number > 0);
    let others: Vec<String> = others.map(|(number, what)| format!(", {} {what}", count(number))).collect();
    format!("added      {}{}", count(added), others.concat())
}

/// The numbers of documents that an index was restored from.
pub(crate) fn restored(restored: &Restored) -> String {
    let Restored { documents, skipped, few_tokens, .. } = *restored;
    let others = [(skipped, "skipped or replaced"), (few_tokens, "skipped for few tokens")];
    let others = others.into_iter().filter(|&(number, _)| number > 0);
    let others: Vec<String> = others.map(|(number, what)| format!(", {} {what}", count(number))).collect();
    format!("documents  {}{}", count(documents), others.concat())
}

/// The number of the pairs of a query, and how they match.
fn pairs_found(summary: &QuerySummary) -> String {
    match summary.queries.settings.matching {
        Some(_) => format!("{} by copied passages", counted(summary.queries.pairs, "pair")),
        None => counted(summary.queries.pairs, "similar pair"),
    }
}

/// The summary of a query in one line.
fn short_found(summary: &QuerySummary) -> String {
    let queries = &summary.queries;
    let mut text = format!(
        "{} of {} in an index of {}, in {:.2} s",
        pairs_found(summary),
        counted(queries.documents, "document"),
        count(summary.index_documents),
        queries.seconds.total()
    );
    text += &skipped(queries);
    if summary.stale > 0 {
        text += &format!(", {} changed since they were indexed", count(summary.stale));
    }
    if queries.documents > 0 {
        text += &match &summary.containment {
            Some(containment) => format!("; {}", of_contained(containment)),
            None => {
                let (found, threshold) =
                    (percent(queries.recall_at_threshold), plain_percent(queries.settings.threshold));
                format!("; {found} of the documents at {threshold} are found")
            }
        };
    }
    text + &summary.added.map_or_else(String::new, |number| format!("\n{}", added(number)))
}

/// The summary of a query.
///
/// * `with_stats`: whether to report all numbers instead of one line.
pub(crate) fn found(summary: &QuerySummary, with_stats: bool) -> String {
    let queries = &summary.queries;
    let settings = &queries.settings;
    if !with_stats {
        return short_found(summary);
    }
    let stale = match summary.stale {
        0 => String::new(),
        number => format!(", {} changed since they were indexed", count(number)),
    };
    let of_added = summary.added.map_or_else(String::new, |number| format!("\n{}", added(number)));
    let recall = match &summary.containment {
        Some(containment) => of_contained(containment),
        None => format!(
            "{} of the documents at similarity {} are found ({})",
            percent(queries.recall_at_threshold),
            settings.threshold,
            banding(settings.banding.bands(), settings.banding.rows())
        ),
    };
    format!(
        "{}\nindex      {}{stale}\ncandidates {} texts\npairs      {}\nrecall     {recall}{of_added}",
        documents_read(queries),
        counted(summary.index_documents, "document"),
        count(queries.candidates),
        count(queries.pairs),
    )
}

/// The recall of a query by containment, for contained texts of median length and for short ones.
fn of_contained(containment: &ContainmentSummary) -> String {
    let ContainmentSummary { least, one_in, median, short } = containment;
    format!(
        "{} of the texts of {} that are contained to {least} or more are found, and {} of those of {} (1 shingle in {one_in} is \
         sampled)",
        percent(median.recall),
        counted(median.shingles, "shingle"),
        percent(short.recall),
        counted(short.shingles, "shingle"),
    )
}

/// The warning that the bands of an index find too little at the threshold.
pub(crate) fn low_recall(summary: &QuerySummary) -> Option<String> {
    let (settings, recall) = (&summary.queries.settings, summary.queries.recall_at_threshold);
    let threshold = settings.threshold;
    (recall < Banding::GOOD_RECALL && summary.containment.is_none()).then(|| {
        format!(
            "dedup: warning: the index has {}, which find {} of the documents at similarity {threshold}; build another with \
             --threshold {threshold}",
            banding(settings.banding.bands(), settings.banding.rows()),
            percent(recall)
        )
    })
}

/// The note that an index does not find passages.
pub(crate) fn finds_only_wholes(index: &Path) -> String {
    format!(
        "dedup: note: {0}: finds documents that are similar as a whole, and not all copied passages; dedup index rebuild OUT {0} \
         --preset prose makes an index that does",
        shown(&index.to_string_lossy())
    )
}

/// The note of a query without results: a part of a longer text is not similar to the whole text.
pub(crate) fn nothing_found(summary: &QuerySummary) -> Option<String> {
    let has_compared = summary.queries.documents > summary.queries.empty && summary.index_documents > 0;
    let is_about_wholes = summary.containment.is_none() && summary.added.is_none();
    (summary.queries.pairs == 0 && has_compared && is_about_wholes).then(|| {
        let how = if summary.can_find_contained {
            "give --containment 0.8"
        } else {
            "build the index with --for-containment, and query it with --containment 0.8"
        };
        format!(
            "dedup: note: no document is similar as a whole; to find documents that contain a part of these, or that these contain, {how}"
        )
    })
}

/// The settings and the content of an index.
pub(crate) fn info(info: &IndexInfo) -> String {
    let (parts, bytes) = (info.parts, |number: u64| DecimalBytes(number).to_string());
    let removed = if info.removed > 0 { format!(", {} removed", count(info.removed)) } else { String::new() };
    let referred = if info.text_storage == TextStorage::Refer { ", in the files that they came from" } else { "" };
    let set = |value: &serde_json::Value| {
        !matches!(value, serde_json::Value::Null | serde_json::Value::Bool(false))
            && value.as_array().is_none_or(|values| !values.is_empty())
    };
    let settings = info.settings.as_object().into_iter().flatten().filter(|(_, value)| set(value));
    let settings: Vec<String> = settings
        .map(|(name, value)| {
            format!("\n  {name:<18} {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        })
        .collect();
    format!(
        "format     {}\ndocuments  {}{removed}\ntexts      {} of {}{referred}\nsegments   {}\ngeneration {}\nbytes      {}, {} a document\n  \
         sorted   {}\n  texts    {}\n  names    {}\n  free     {}\nrecall     {} at the threshold\nsettings{}",
        info.format,
        count(info.documents),
        count(info.texts),
        bytes(info.text_bytes),
        count(info.segments),
        count(info.generation),
        bytes(info.bytes),
        counted(info.bytes_a_document.round() as u64, "byte"),
        bytes(parts.runs),
        bytes(parts.texts),
        bytes(parts.documents),
        bytes(parts.free),
        percent(info.recall_at_threshold),
        settings.concat()
    )
}
