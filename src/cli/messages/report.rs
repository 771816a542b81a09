//! What people read on stderr during and after a run: problems, progress bars and the summary.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use dedup_scan::{
    FilePlan, LeftDocument, MemoryForecast, Observer, Problem, Reason, Stage, Summary, Written, shown, shown_lines,
};
use indicatif::{DecimalBytes, HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use super::compared::{programs, shingles};
use super::matches::matched;
use super::number::{banding, counted, percent};

/// Problems of one kind that are named one by one; any more are only counted.
const NAMED: u64 = 20;
/// Time between two drawings of a progress bar.
const TICK: Duration = Duration::from_millis(200);

/// Prints one line on stderr; a closed stderr is no reason to stop.
pub(crate) fn line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", shown_lines(text));
}

/// Reports a scan to a person: names problems as they come, and draws progress bars on a terminal.
pub(crate) struct Reporter {
    quiet: bool,
    /// The number of problems by kind, for kinds of which not all are named; whether they are errors is part of the kind.
    counts: Mutex<BTreeMap<(bool, Reason), u64>>,
    bar: Mutex<Option<ProgressBar>>,
    done: Arc<Done>,
}

#[derive(Debug, Default)]
struct Done {
    documents: AtomicU64,
    bytes: AtomicU64,
}

impl Reporter {
    /// Reports on `run`. Afterwards it clears the progress bar and reports how many problems were not named.
    pub(crate) fn watch<T>(quiet: bool, run: impl FnOnce(&Self) -> T) -> T {
        run(&Self { quiet, counts: Mutex::default(), bar: Mutex::default(), done: Arc::default() })
    }

    /// Prints a line beside the progress bar.
    fn line(&self, text: &str) {
        match self.bar.lock().expect("no holder panics").as_ref() {
            Some(bar) => bar.suspend(|| line(text)),
            None => line(text),
        }
    }

    /// Clears the progress bar, and reports how many problems were not named.
    fn end(&self) {
        if let Some(bar) = self.bar.lock().expect("no holder panics").take() {
            bar.finish_and_clear();
        }
        let mut counts = self.counts.lock().expect("no holder panics");
        for ((_, reason), number) in std::mem::take(&mut *counts) {
            if number > NAMED {
                line(&more(reason, number - NAMED));
            }
        }
    }

    fn begin_bar(&self, template: &str) {
        self.done.documents.store(0, Ordering::Relaxed);
        self.done.bytes.store(0, Ordering::Relaxed);
        let done = Arc::clone(&self.done);
        let documents = move |_: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = write!(out, "{}", HumanCount(done.documents.load(Ordering::Relaxed)));
        };
        let done = Arc::clone(&self.done);
        let bytes = move |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
            let bytes = done.bytes.load(Ordering::Relaxed);
            let rate = bytes as f64 / state.elapsed().as_secs_f64().max(1e-3);
            let _ = write!(out, "{}, {}/s", DecimalBytes(bytes), DecimalBytes(rate as u64));
        };
        let left = |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
            let is_known = state.pos() > 0 && state.len().is_some();
            let _ = if is_known { write!(out, "{:#}", HumanDuration(state.eta())) } else { out.write_str("unknown") };
        };
        let style = ProgressStyle::with_template(template).expect("templates are fixed");
        let style = style
            .with_key("documents", documents)
            .with_key("amount", bytes)
            .with_key("left", left)
            .progress_chars("=> ");
        let bar = ProgressBar::no_length().with_style(style);
        keep_drawing(&bar);
        *self.bar.lock().expect("no holder panics") = Some(bar);
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        self.end();
    }
}

/// Redraws a bar regularly, so that its time also advances while no work is done. indicatif's own ticker panics when the
/// system refuses a thread.
fn keep_drawing(bar: &ProgressBar) {
    let bar = bar.downgrade();
    let draw = move || {
        while let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
            drop(bar);
            thread::sleep(TICK);
        }
    };
    // Without it the bar is drawn when it moves.
    let _ = thread::Builder::new().spawn(draw);
}

impl Observer for Reporter {
    fn begin(&self, stage: Stage) {
        self.end();
        if self.quiet {
            return;
        }
        match stage {
            Stage::Read => self.begin_bar("reading   [{bar:30}] {documents} documents, {amount}, ETA {left}"),
            Stage::Index => self.begin_bar("indexing  [{bar:30}] {documents} documents, {amount}, ETA {left}"),
            Stage::Band => {}
            Stage::Align => self.begin_bar("aligning  [{bar:30}] {documents} documents, {amount}, ETA {left}"),
            Stage::Verify => self.begin_bar("verifying [{bar:30}] {documents} documents, {amount}, ETA {left}"),
        }
    }

    fn total(&self, units: u64) {
        if let Some(bar) = self.bar.lock().expect("no holder panics").as_ref() {
            bar.set_length(units);
        }
    }

    fn advance(&self, units: u64, documents: u64, bytes: u64) {
        self.done.documents.fetch_add(documents, Ordering::Relaxed);
        self.done.bytes.fetch_add(bytes, Ordering::Relaxed);
        if let Some(bar) = self.bar.lock().expect("no holder panics").as_ref() {
            bar.inc(units);
        }
    }

    fn problem(&self, problem: &Problem) {
        let is_warning = !problem.is_error && is_warning(problem.reason);
        if self.quiet && !problem.is_error && !is_warning {
            return;
        }
        // Every input that is lost is named. The exception is records, since one wrong flag may lose all of them.
        if !problem.is_error || matches!(problem.reason, Reason::NoText | Reason::RepeatedId) {
            let mut counts = self.counts.lock().expect("no holder panics");
            let number = counts.entry((problem.is_error, problem.reason)).or_default();
            *number += 1;
            if *number > NAMED {
                return;
            }
        }
        let kind = if is_warning { "warning: " } else { "" };
        self.line(&format!("dedup: {kind}{problem}"));
    }

    fn memory_is_short(&self, forecast: &MemoryForecast) {
        self.line(&format!(
            "dedup: warning: the inputs come to about {}, whose tables take about {}; with {} of shingle sets \
             (--memory) that is more than the {} of memory that there are; scan the corpus in parts, or lower --bands or \
             --memory",
            counted(rounded(forecast.documents), "document"),
            DecimalBytes(rounded(forecast.tables)),
            DecimalBytes(forecast.sets),
            DecimalBytes(forecast.limit),
        ));
    }

    fn many_keys(&self, documents: u64, pairs: u64, max_key_df: u64, below: u64) {
        self.line(&format!(
            "dedup: warning: {} share hashes in up to {}, all of which are aligned; --max-key-df {max_key_df} leaves {} of \
             them, and finds no passage that has only hashes of more documents",
            counted(documents, "document"),
            counted(pairs, "pair"),
            HumanCount(below),
        ));
    }

    fn many_copies(&self, pairs: u64, groups: u64, largest: u64) {
        self.line(&format!(
            "dedup: warning: {} among equal texts ({}, the largest of {}) will be printed; --collapse-exact prints each copy \
             once",
            counted(pairs, "pair"),
            counted(groups, "group"),
            counted(largest, "document"),
        ));
    }
}

fn is_warning(reason: Reason) -> bool {
    matches!(reason, Reason::Sparse | Reason::MissingField)
}

/// The line for the problems of a kind that were not named.
fn more(reason: Reason, number: u64) -> String {
    let kind = if is_warning(reason) { "warning: " } else { "" };
    let hint = if reason.is_skip() { "; --list-documents names each" } else { "" };
    format!("dedup: {kind}and {} more ({}){hint}", HumanCount(number), reason.of_number(number))
}

/// The number with two significant digits, as suits an estimate.
fn rounded(number: u64) -> u64 {
    let unit = 10u64.pow(number.max(1).ilog10().saturating_sub(1));
    number / unit * unit
}

/// The summary names a bucket with at least this many texts: it makes about a million candidates.
const LARGE_BUCKET: u64 = 1000;
/// This many candidates for each pair are a sign of boilerplate.
const FALSE_CANDIDATES: u64 = 10;

/// The summary as a person reads it.
pub(crate) fn summary(summary: &Summary, threads: usize) -> String {
    use std::fmt::Write;
    let count = |number: u64| HumanCount(number).to_string();
    let settings = &summary.settings;
    let mut text = String::new();
    let mut row = |name: &str, value: String| writeln!(text, "{name:<11}{value}").expect("a String takes every line");

    let documents = |documents: u64, bytes, kinds: &[(u64, &str)]| {
        let mut value = format!("{} ({})", count(documents), DecimalBytes(bytes));
        for &(number, what) in kinds {
            if number > 0 {
                value += &format!(", {} {what}", count(number));
            }
        }
        value
    };
    let kinds =
        |empty, short, sparse| [(empty, "empty"), (short, "shorter than one shingle"), (sparse, "with hardly a token")];
    let Summary { empty, short, sparse, .. } = *summary;
    row("documents", documents(summary.documents, summary.bytes, &kinds(empty, short, sparse)));
    for (name, side) in summary.sides.iter().flat_map(|sides| [("  compared", sides.a), ("  against", sides.b)]) {
        row(name, documents(side.documents, side.bytes, &kinds(side.empty, side.short, 0)));
    }
    if let Some(shingles) = shingles(settings) {
        row("shingles", shingles);
    }
    if let Some(code) = &summary.code {
        row("programs", programs(code));
    }
    if !summary.skipped.is_empty() {
        let reasons =
            summary.skipped.iter().map(|(why, &number)| format!("{} {}", count(number), why.of_number(number)));
        row("skipped", reasons.collect::<Vec<_>>().join(", "));
    }
    let copies =
        format!("{} in {} of equal texts", count(summary.exact_copies), counted(summary.exact_groups, "group"));
    let (cell, texts) = match (&summary.sides, &summary.groups) {
        (None, None) => ("", "distinct texts"),
        (Some(_), None) => (" on one side", "texts, one of either side"),
        (None, Some(_)) => (" in one group", "texts"),
        (Some(_), Some(_)) => (" on one side, in one group", "texts, one of either side"),
    };
    row("copies", copies + cell);
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
        row("removed", value);
    }
    if let Some(groups) = &summary.groups {
        let pairs = if groups.within { "of one group only" } else { "of different groups only" };
        row("groups", format!("{} by {}; pairs {pairs}", count(groups.count), groups.by));
    }
    row("candidates", format!("{} of {texts}", counted(summary.candidates, "pair")));
    if let Some(bucket) = summary.largest_bucket.as_ref().filter(|bucket| bucket.documents >= LARGE_BUCKET) {
        row(
            "  bucket",
            format!("the largest has {} texts, the first is {}", count(bucket.documents), shown(&bucket.first)),
        );
        if summary.candidates >= FALSE_CANDIDATES * summary.pairs {
            let remedies = "--template FILE or --max-df 5% removes it, more --rows look past it";
            row("", format!("what they have in common costs time and makes no pairs; {remedies}"));
        }
    }
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
        row("clusters", value);
    }
    if let Some(matches) = &summary.matches {
        for (name, value) in matched(summary.pairs, matches, summary.seeds_capped.unwrap_or(0)) {
            row(name, value);
        }
    } else {
        row("pairs", format!("{} at or above {}", count(summary.pairs), settings.threshold));
        let recall = format!(
            "{} of the pairs at {} are found ({})",
            percent(summary.recall_at_threshold),
            settings.threshold,
            banding(settings.bands, settings.rows)
        );
        row("recall", recall);
    }
    let memory = &summary.memory;
    let memory = format!(
        "{} of tables ({} a document), {} of shingle sets",
        DecimalBytes(memory.tables),
        counted(memory.tables / summary.documents.max(1), "byte"),
        DecimalBytes(memory.sets),
    );
    row("memory", memory);
    let seconds = &summary.seconds;
    let rate = summary.bytes as f64 / 1e6 / seconds.read.max(1e-6);
    let time = format!(
        "{:.2} s: read {:.2} s ({rate:.0} MB/s), band {:.2} s, verify {:.2} s; threads {threads}",
        seconds.total(),
        seconds.read,
        seconds.band,
        seconds.verify
    );
    row("time", time);
    text.pop();
    text
}

/// What the summary adds when filters leave pairs out.
pub(crate) fn printed(num_pairs: u64) -> String {
    format!("printed    {} of these pairs, after --top and --min-containment", HumanCount(num_pairs))
}

/// Names the documents that a plan leaves.
pub(crate) fn left(plan: &FilePlan) {
    for LeftDocument { name, why } in plan.left().iter().take(NAMED as usize) {
        line(&format!(
            "dedup: {}: {why}; it is not in the plan, see dedup unique",
            shown(&String::from_utf8_lossy(name))
        ));
    }
    if let Some(more) = plan.left().len().checked_sub(NAMED as usize).filter(|&more| more > 0) {
        line(&format!("dedup: {} more are not in the plan", HumanCount(more as u64)));
    }
}

/// The line of a plan.
pub(crate) fn planned(plan: &FilePlan) -> String {
    let count = |number: u64| HumanCount(number).to_string();
    let (files, documents, bytes) =
        (count(plan.num_files()), count(plan.num_documents()), DecimalBytes(plan.num_bytes()));
    let left = match plan.left().len() as u64 {
        0 => String::new(),
        left => format!("; {} left", count(left)),
    };
    format!("plan       {files} of {documents} documents, {bytes}{left}")
}

/// The line of what was written, or would have been.
pub(crate) fn written(written: &Written, dry_run: bool) -> String {
    let count = |number: u64| HumanCount(number).to_string();
    let Written { kept, removed, skipped, dropped, files, files_left_out, bytes, input_bytes } = *written;
    let mut text = format!("unique     {} kept, {} removed", count(kept), count(removed));
    if skipped > 0 {
        text += &format!(", {} not compared (kept)", count(skipped));
    }
    if dropped > 0 {
        text += &format!(", {} not compared (left out)", count(dropped));
    }
    let verb = if dry_run { "would be written" } else { "written" };
    text += &format!("; {} {verb}", counted(files, "file"));
    if files_left_out > 0 {
        text += &format!(", {} left out", count(files_left_out));
    }
    text + &format!(", {} of {}", DecimalBytes(bytes), DecimalBytes(input_bytes))
}
