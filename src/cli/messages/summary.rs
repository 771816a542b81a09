//! The messages on stderr after a run: its summary, one fact on each line.

use std::fmt::{Display, Write};
use std::io::{self, IsTerminal};
use std::path::Path;

use console::{Term, measure_text_width};
use dedup_scan::base::shown;
use dedup_scan::search::{Sides, TextKind};
use dedup_scan::{PairSource, ShingleKind, Summary};
use indicatif::{DecimalBytes, HumanCount};

use super::audit::audited;
use super::compared::{formats, programs, shingles};
use super::matches::{duplicated, matched, not_searched};
use super::number::{banding, counted, percent, plain_percent};
use super::overlaps::overlaps;
use super::report::line;
use super::run_notes::{FALSE_CANDIDATES, LARGE_BUCKET, notes};

/// Advice on the view for people when lines of JSON fill a terminal.
///
/// * `is_scan`: whether `dedup PATH...` has this view.
pub(crate) fn for_people(is_scan: bool) -> &'static str {
    if is_scan {
        "dedup: hint: for people, use dedup FOLDER or give -f text"
    } else {
        "dedup: hint: for people, give -f text"
    }
}

/// The summary as text: one line, or all numbers.
pub(crate) fn summary(summary: &Summary, threads: usize, with_stats: bool) -> String {
    if with_stats { all_numbers(summary, threads) } else { short(summary, "") }
}

/// The summary as text for a run that counts each exact copy once, with the first document of its text.
pub(crate) fn summary_without_copies(summary: &Summary, threads: usize, with_stats: bool) -> String {
    if with_stats { all_numbers(summary, threads) } else { short(summary, ", exact copies counted once,") }
}

/// The summary in one line, followed by the measured recall.
///
/// * `counted_as`: a note on the number of pairs.
fn short(summary: &Summary, counted_as: &str) -> String {
    let settings = &summary.settings;
    let what = match (&summary.clusters, &summary.matches) {
        _ if summary.overlaps.is_some() => {
            let by = summary.groups.as_ref().map_or("", |groups| groups.by.as_str());
            overlaps(summary.overlaps.expect("just checked"), by)
        }
        (Some(clusters), _) => {
            let documents = counted(clusters.documents, "similar document");
            let groups = counted(clusters.groups, "group");
            if clusters.groups == 0 { "no similar documents".to_owned() } else { format!("{groups} of {documents}") }
        }
        (None, Some(_)) if summary.duplication.is_some() => {
            format!("{} with copied blocks", counted(summary.pairs, "pair"))
        }
        (None, Some(_)) => format!("{} that share passages", counted(summary.pairs, "pair")),
        (None, None) => counted(summary.pairs, "similar pair") + counted_as,
    };
    let among = match &summary.sides {
        Some(sides) => {
            let [a, b] = [&sides.a, &sides.b].map(|side| side.documents - side.empty);
            match sides.old {
                true => format!("among {} and {}", counted(a, "new document"), counted(b, "old one")),
                false => format!("between {} and {} others", counted(a, "document"), HumanCount(b)),
            }
        }
        None => format!("among {}", counted(summary.documents - summary.empty, "document")),
    };
    let (bytes, seconds) = (DecimalBytes(summary.bytes), summary.seconds.total());
    let empty = match summary.empty {
        0 => String::new(),
        number => format!(
            "; {} more {} {}",
            HumanCount(number),
            if number == 1 { "is" } else { "are" },
            without_text(summary)
        ),
    };
    let mut text = format!("{what} {among} ({bytes}{empty}) in {seconds:.2} s");
    text += &skipped(summary);
    if summary.documents > 0 && settings.source.is_banded() {
        let (found, threshold) = (percent(summary.recall_at_threshold), plain_percent(settings.threshold));
        let found = format!("{found} of the pairs at {threshold} are found");
        let columns = Term::stderr().size_checked().map_or(usize::MAX, |(_, columns)| columns.into());
        // A terminal would break the line within a word.
        let is_wide = measure_text_width(&text) + measure_text_width("; ") + measure_text_width(&found) > columns;
        text += if is_wide { "\n" } else { "; " };
        text += &found;
    }
    if let Some(formats) = formats(summary) {
        text += &format!("\n{:<11}{formats}", "formats");
    }
    if let Some(duplication) = &summary.duplication {
        text += &format!("\n{:<11}{}", "duplicated", duplicated(duplication));
    }
    for (name, value) in summary.audit.iter().flat_map(audited) {
        text += &format!("\n{name:<11}{value}");
    }
    let seeds_capped = summary.seeds_capped.unwrap_or(0);
    let losses = summary.matches.iter().flat_map(|matches| not_searched(matches, seeds_capped));
    losses.chain(notes(summary)).for_each(|note| text += &format!("\ndedup: note: {note}"));
    text
}

/// The words for documents without a token.
fn without_text(summary: &Summary) -> &'static str {
    match summary.settings.shingle {
        ShingleKind::Word | ShingleKind::StopWord => "without a word",
        _ => "empty",
    }
}

/// The numbers of skipped inputs, for the end of the line about documents.
pub(super) fn skipped(summary: &Summary) -> String {
    // Some of the problems concern documents that were compared nevertheless.
    let of = |is_skip: bool, before: &str| {
        let problems = summary.skipped.iter().filter(|&(why, &number)| why.is_skip() == is_skip && number > 0);
        let words = problems.map(|(why, &number)| format!("{} {}", HumanCount(number), why.of_number(number)));
        let words: Vec<String> = words.collect();
        if words.is_empty() { String::new() } else { format!(", {before} {}", words.join(", ")) }
    };
    of(true, "skipped") + &of(false, "with")
}

/// Rows of a name and a value, one under the other.
#[derive(Default)]
struct SummaryRows(String);

impl SummaryRows {
    fn push(&mut self, name: &str, value: impl Display) {
        writeln!(self.0, "{name:<11}{value}").expect("a String takes every line");
    }
}

fn count(number: u64) -> String {
    HumanCount(number).to_string()
}

fn all_numbers(summary: &Summary, threads: usize) -> String {
    let mut rows = SummaryRows::default();
    push_documents(&mut rows, summary);
    push_copies(&mut rows, summary);
    push_candidates(&mut rows, summary);
    push_pairs(&mut rows, summary);
    push_costs(&mut rows, summary, threads);
    rows.0.pop();
    rows.0
}

/// Adds the rows about the documents that were read, and how they were cut.
fn push_documents(rows: &mut SummaryRows, summary: &Summary) {
    let settings = &summary.settings;
    let documents = |documents: u64, bytes, kinds: &[(u64, &str)]| {
        let mut value = format!("{} ({})", count(documents), DecimalBytes(bytes));
        for &(number, what) in kinds {
            if number > 0 {
                value += &format!(", {} {what}", count(number));
            }
        }
        value
    };
    let kinds = |empty, short, sparse| {
        [(empty, without_text(summary)), (short, "shorter than one shingle"), (sparse, "with very few tokens")]
    };
    let Summary { empty, short, sparse, .. } = *summary;
    rows.push("documents", documents(summary.documents, summary.bytes, &kinds(empty, short, sparse)));
    let names = |sides: &Sides| if sides.old { ["  new", "  old"] } else { ["  compared", "  against"] };
    let sides = summary.sides.iter().flat_map(|sides| names(sides).into_iter().zip([sides.a, sides.b]));
    for (name, side) in sides {
        rows.push(name, documents(side.documents, side.bytes, &kinds(side.empty, side.short, 0)));
    }
    if let Some(formats) = formats(summary) {
        rows.push("formats", formats);
    }
    if let Some(shingles) = shingles(settings) {
        rows.push("shingles", shingles);
    }
    if let Some(code) = &summary.code {
        rows.push("programs", programs(code));
    }
    if let Some(size) = settings.jaccard_kept {
        let tokens = counted(size.get() as u64, "token");
        rows.push("  kept", format!("jaccard_kept by shingles of {tokens} with names kept"));
    }
    if !summary.skipped.is_empty() {
        let reasons =
            summary.skipped.iter().map(|(why, &number)| format!("{} {}", count(number), why.of_number(number)));
        rows.push("skipped", reasons.collect::<Vec<_>>().join(", "));
    }
}

/// Adds the rows about equal texts, removed shingles and groups.
fn push_copies(rows: &mut SummaryRows, summary: &Summary) {
    let cell = match (&summary.sides, &summary.groups) {
        (None, None) => "",
        (Some(_), None) => " on one side",
        (None, Some(_)) => " in one group",
        (Some(_), Some(_)) => " on one side, in one group",
    };
    let groups = counted(summary.exact_groups, "group");
    rows.push("copies", format!("{} in {groups} of equal texts{cell}", count(summary.exact_copies)));
    if let Some(removed) = &summary.removed {
        let frequent = removed
            .most_documents
            .map(|most| format!("{} in more than {}", count(removed.frequent_shingles), counted(most, "document")));
        let of_templates = removed.template_shingles.map(|number| format!("{} in templates", count(number)));
        let from: Vec<String> = of_templates.into_iter().chain(frequent).collect();
        let (shingles, documents) = (counted(removed.shingles, "occurrence"), counted(removed.documents, "document"));
        let mut value = format!("{shingles} of shingles in {documents} ({})", from.join(", "));
        if removed.emptied > 0 {
            value += &format!("; nothing is left of {}", count(removed.emptied));
        }
        rows.push("removed", value);
    }
    if let Some(groups) = &summary.groups {
        let pairs = if groups.within { "of one group only" } else { "of different groups only" };
        rows.push("groups", format!("{} by {}; pairs {pairs}", count(groups.count), groups.by));
    }
}

/// Adds the rows about candidates and their largest bucket.
fn push_candidates(rows: &mut SummaryRows, summary: &Summary) {
    let texts = match (&summary.sides, &summary.groups) {
        (None, None) => "distinct texts",
        (Some(sides), _) if sides.old => "texts, at most one of them old",
        (Some(_), _) => "texts, one of either side",
        (None, Some(_)) => "texts",
    };
    rows.push("candidates", format!("{} of {texts}", counted(summary.candidates, "pair")));
    if let Some(bucket) = summary.largest_bucket.as_ref().filter(|bucket| bucket.documents >= LARGE_BUCKET) {
        let (documents, first) = (count(bucket.documents), shown(&bucket.first));
        rows.push("  bucket", format!("the largest has {documents} texts, the first is {first}"));
        if summary.candidates >= FALSE_CANDIDATES * summary.pairs {
            let remedies = "--template FILE or --max-df 5% removes it, more --rows ignore it";
            rows.push("", format!("what they have in common costs time and makes no pairs; {remedies}"));
        }
    }
}

/// Adds the rows about clusters and pairs, and about the share of pairs that are found.
fn push_pairs(rows: &mut SummaryRows, summary: &Summary) {
    let settings = &summary.settings;
    if let Some(clusters) = &summary.clusters {
        let of = counted(clusters.documents, "document");
        let mut value = format!("{} of {of}", counted(clusters.groups, "group"));
        let kinds = [(clusters.loose, "loose"), (clusters.unchecked, "not checked (--check-groups)")];
        if clusters.groups > 0 {
            value += &format!(", the largest of {}", count(clusters.largest));
        }
        for (number, kind) in kinds.into_iter().filter(|&(number, _)| number > 0) {
            value += &format!(", {} {kind}", count(number));
        }
        rows.push("clusters", value);
    }
    // Groups need no further pairs of copies or of documents that are already connected.
    let of_groups = if summary.clusters.is_some() { ", as many as the groups need (scan counts all)" } else { "" };
    if let (Some(matching), Some(matches)) = (&settings.matching, &summary.matches) {
        for (name, value) in matched(summary.pairs, of_groups, matching, matches, summary.seeds_capped.unwrap_or(0)) {
            rows.push(name, value);
        }
        if let Some(duplication) = &summary.duplication {
            rows.push("duplicated", duplicated(duplication));
        }
        return;
    }
    rows.push("pairs", format!("{} at or above {}{of_groups}", count(summary.pairs), settings.threshold));
    if summary.documents > 0 {
        rows.push("recall", recall(summary));
    }
    if let Some(audit) = &summary.audit {
        audited(audit).into_iter().for_each(|(name, value)| rows.push(name, value));
    }
}

/// Adds the rows about memory and time.
fn push_costs(rows: &mut SummaryRows, summary: &Summary, threads: usize) {
    let memory = &summary.memory;
    let memory = format!(
        "{} of tables ({} a document), {} of shingle sets{}",
        DecimalBytes(memory.tables),
        counted(memory.tables / summary.documents.max(1), "byte"),
        DecimalBytes(memory.sets),
        match memory.spilled {
            0 => String::new(),
            bytes => format!("; {} of band keys on the disk", DecimalBytes(bytes)),
        },
    );
    rows.push("memory", memory);
    let seconds = &summary.seconds;
    let rate = summary.bytes as f64 / 1e6 / seconds.read.max(1e-6);
    let audit = if summary.audit.is_some() { format!(", audit {:.2} s", seconds.audit) } else { String::new() };
    let band = match summary.settings.source {
        PairSource::AllPairs => "join",
        PairSource::Bands | PairSource::Passages(_) => "band",
    };
    let time = format!(
        "{:.2} s: read {:.2} s ({rate:.0} MB/s), {band} {:.2} s, verify {:.2} s{audit}; threads {threads}",
        seconds.total(),
        seconds.read,
        seconds.band,
        seconds.verify
    );
    rows.push("time", time);
}

/// The share of pairs at the threshold that are found.
fn recall(summary: &Summary) -> String {
    let settings = &summary.settings;
    let (found, threshold) = (percent(summary.recall_at_threshold), settings.threshold);
    match &summary.join {
        None => {
            format!(
                "{found} of the pairs at {threshold} are found ({})",
                banding(settings.banding.bands(), settings.banding.rows())
            )
        }
        Some(join) => {
            let (checks, postings) = (HumanCount(join.checks), counted(join.postings, "rare shingle"));
            format!("all pairs at or above {threshold} are found (exhaustive join: {postings}, {checks} checks)")
        }
    }
}

/// Advises a person at a terminal what to try when a run found nothing.
///
/// * `preset`: the name of the preset that was given.
/// * `flag`: a flag that was given and cannot be used with matching by passages.
/// * `for_people`: whether the output is for people even if it does not go to a terminal.
pub(crate) fn nothing_found(
    summary: &Summary,
    preset: Option<&str>,
    flag: Option<&str>,
    for_people: bool,
) -> Option<String> {
    let has_groups = summary.clusters.as_ref().is_some_and(|clusters| clusters.groups > 0);
    let has_found = summary.pairs > 0 || summary.exact_copies > 0 || has_groups || summary.documents < 2;
    let is_shown = !has_found && (for_people || io::stderr().is_terminal());
    is_shown.then(|| to_try(summary, preset, flag)).flatten().map(|to_try| format!("dedup: hint: {to_try}"))
}

/// The preset for the texts of a run, or else a lower limit than the one that was used; `None` where neither helps.
fn to_try(summary: &Summary, preset: Option<&str>, flag: Option<&str>) -> Option<String> {
    let Summary { settings, .. } = summary;
    let is_set = settings.shingle == ShingleKind::Set;
    match summary.text_kind {
        _ if is_set => {}
        TextKind::Programs if summary.code.is_none() => return Some("try --preset code: it compares programs".into()),
        TextKind::Prose if settings.matching.is_none() => {
            let flag = flag.map(str::to_owned).or_else(|| preset.map(|name| format!("--preset {name}")));
            let without = flag.map_or_else(String::new, |flag| format!(" without {flag}"));
            return Some(format!("try --preset prose{without}: it finds copied passages"));
        }
        _ => {}
    }
    let (name, used, steps) = match &settings.matching {
        Some(matching) => ("--coverage", matching.coverage, [0.2, 0.1, 0.05, 0.02]),
        None => ("--threshold", settings.threshold, [0.6, 0.5, 0.3, 0.15]),
    };
    let lower = steps.into_iter().find(|step| *step <= 0.7 * used)?;
    Some(format!("try {name} {lower}"))
}

/// Reports on a terminal which file was written.
///
/// * `what`: the content of the file, such as `23 pairs`; empty if the number of bytes is enough.
pub(crate) fn wrote(path: &Path, what: &str, num_bytes: u64) {
    if io::stderr().is_terminal() {
        let comma = if what.is_empty() { "" } else { ", " };
        line(&format!("dedup: wrote {} ({what}{comma}{})", shown(&path.to_string_lossy()), DecimalBytes(num_bytes)));
    }
}

/// The first line of the summary: the documents that were read.
pub(super) fn documents_read(summary: &Summary) -> String {
    let mut text = format!("documents  {} ({})", count(summary.documents), DecimalBytes(summary.bytes));
    for (number, what) in [(summary.empty, without_text(summary)), (summary.short, "shorter than one shingle")] {
        if number > 0 {
            text += &format!(", {} {what}", count(number));
        }
    }
    if let Some(formats) = formats(summary) {
        text += &format!("\nformats    {formats}");
    }
    if !summary.skipped.is_empty() {
        let reasons =
            summary.skipped.iter().map(|(why, &number)| format!("{} {}", count(number), why.of_number(number)));
        text += &format!("\nskipped    {}", reasons.collect::<Vec<_>>().join(", "));
    }
    text
}

/// The line of the summary for flags that hide pairs.
///
/// * `flags`: the given flags that hide pairs.
pub(crate) fn printed(num_pairs: u64, flags: &[&str]) -> String {
    format!("printed    {} of these pairs, after {}", HumanCount(num_pairs), flags.join(" and "))
}
