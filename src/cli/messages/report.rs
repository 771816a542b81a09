//! The messages on stderr during a run: problems and progress bars.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use dedup_scan::Observer;
use dedup_scan::base::{DiskForecast, MemoryForecast, Problem, Reason, Stage, shown, shown_lines, system_words};
use dedup_scan::search::JoinSummary;
use indicatif::{DecimalBytes, HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::narrow_terminal::NarrowTerminal;
use super::number::counted;
use super::pace::Pace;
use super::problem::problem_line;
use super::skipped::SkippedFiles;

/// Maximum number of problems of one kind that are listed one by one; more are only counted.
pub(super) const NAMED: u64 = 20;
/// Time between two drawings of a progress bar.
const TICK: Duration = Duration::from_millis(200);
/// A run that ends earlier than this draws no progress bar.
const SHORT_RUN: Duration = Duration::from_millis(500);
/// Maximum time that a message waits for other output to the terminal.
const PATIENCE: Duration = Duration::from_secs(1);

/// The progress bar on the terminal. The program has only one, so that all other output can hide it first.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Whether an input could not be used because of an error.
static HAS_ERROR: AtomicBool = AtomicBool::new(false);

/// Whether an error with an input was reported so far, for a run that ends early.
pub(crate) fn has_error() -> bool {
    HAS_ERROR.load(Ordering::Relaxed)
}

/// Prints one line on stderr; a closed stderr does not end the run.
pub(crate) fn line(text: &str) {
    // A single write, so that lines of other programs do not come between the text and its line end.
    let whole = format!("{}\n", shown_lines(&system_words(text)));
    beside_bar(|| {
        let _ = std::io::stderr().lock().write_all(whole.as_bytes());
    });
}

/// Calls `write` while the progress bar is hidden, and draws the bar again below.
pub(crate) fn beside_bar<T>(write: impl FnOnce() -> T) -> T {
    match lock_bar().as_deref() {
        Some(Some(bar)) => bar.suspend(write),
        _ => write(),
    }
}

/// Deletes the progress bar from the terminal.
pub(crate) fn clear_bar() {
    if let Some(bar) = lock_bar().and_then(|mut bar| bar.take()) {
        bar.finish_and_clear();
    }
}

/// Locks the bar; `None` if a write that does not end holds the lock, as on a terminal that was stopped by Ctrl-S.
fn lock_bar() -> Option<MutexGuard<'static, Option<ProgressBar>>> {
    let start = Instant::now();
    loop {
        match BAR.try_lock() {
            Ok(bar) => return Some(bar),
            Err(_) if start.elapsed() > PATIENCE => return None,
            Err(_) => thread::sleep(Duration::from_millis(1)),
        }
    }
}

/// Reports a run to a person: lists problems as they come, and draws progress bars on a terminal.
pub(crate) struct Reporter {
    quiet: bool,
    /// Number of problems by kind, for kinds that are not listed completely; the flag distinguishes errors from
    /// warnings.
    counts: Mutex<BTreeMap<(bool, Reason), u64>>,
    start: Instant,
    skipped: Mutex<SkippedFiles>,
    /// Whether documents are read for the first time.
    is_reading: AtomicBool,
    /// Number of documents that were read for the first time.
    num_read: AtomicU64,
    done: Arc<Done>,
}

/// The progress of a stage.
#[derive(Debug, Default)]
struct Done {
    units: AtomicU64,
    /// The number of units of the whole stage; 0 if it is not known.
    total: AtomicU64,
    documents: AtomicU64,
    bytes: AtomicU64,
}

impl Done {
    /// The documents and bytes that are done, as text; empty at the beginning.
    fn text(&self, elapsed: Duration) -> String {
        let (documents, bytes) = (self.documents.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed));
        let mut parts = Vec::new();
        if documents > 0 {
            parts.push(counted(documents, "document"));
        }
        if bytes > 0 {
            let rate = bytes as f64 / elapsed.as_secs_f64().max(1e-3);
            parts.push(format!("{}, {}/s", DecimalBytes(bytes), DecimalBytes(rate as u64)));
        }
        parts.join(", ")
    }
}

impl Reporter {
    /// Calls `run` with a reporter. Afterwards it clears the progress bar and reports the number of problems that were
    /// not listed.
    pub(crate) fn watch<T>(quiet: bool, run: impl FnOnce(&Self) -> T) -> T {
        run(&Self {
            quiet,
            counts: Mutex::default(),
            start: Instant::now(),
            skipped: Mutex::default(),
            is_reading: AtomicBool::default(),
            num_read: AtomicU64::default(),
            done: Arc::default(),
        })
    }

    /// The maximum number of problems of a kind that are listed; `None` for all. Every file that is lost is listed.
    /// The exceptions are records, since one wrong flag may lose all of them, and texts of an index that share a file.
    fn most_named(&self, is_error: bool, reason: Reason) -> Option<u64> {
        match reason {
            Reason::Malformed if self.quiet => Some(NAMED),
            Reason::NoText | Reason::RepeatedId | Reason::Stale => Some(NAMED),
            _ => (!is_error).then_some(NAMED),
        }
    }

    /// Clears the progress bar, and reports the number of problems that were not listed.
    fn end(&self) {
        clear_bar();
        let lines = {
            let mut skipped = self.skipped.lock().expect("no holder panics");
            let own = skipped.take_own().into_iter().collect();
            [skipped.take_binary(self.quiet), skipped.take_unclosed(), skipped.take_detected(), own].concat()
        };
        // If no document was read, people need to know which files there are, even with `--quiet`.
        let is_nothing_read = self.is_reading.load(Ordering::Relaxed) && self.num_read.load(Ordering::Relaxed) == 0;
        for text in lines.iter().filter(|_| !self.quiet || is_nothing_read) {
            line(&format!("dedup: {text}"));
        }
        let mut counts = self.counts.lock().expect("no holder panics");
        for ((is_error, reason), number) in std::mem::take(&mut *counts) {
            let most = self.most_named(is_error, reason).expect("others are not counted");
            if number > most {
                line(&more(reason, number - most));
            }
        }
    }

    fn begin_bar(&self, template: &str) {
        let done = &self.done;
        for number in [&done.units, &done.total, &done.documents, &done.bytes] {
            number.store(0, Ordering::Relaxed);
        }
        let amounts = Arc::clone(done);
        let amount = move |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
            let _ = out.write_str(&amounts.text(state.elapsed()));
        };
        let pace = Arc::new(Mutex::new(Pace::default()));
        let left = move |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
            let Ok(mut pace) = pace.try_lock() else { return };
            if let Some(left) = pace.left(state.elapsed(), state.pos(), state.len().unwrap_or(0)) {
                let _ = write!(out, ", ETA {:#}", HumanDuration(left));
            }
        };
        let style = ProgressStyle::with_template(template).expect("templates are fixed");
        let style = style.with_key("amount", amount).with_key("left", left).progress_chars("=> ");
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(style);
        keep_drawing(&bar, SHORT_RUN.saturating_sub(self.start.elapsed()), Arc::clone(done));
        if let Some(mut place) = lock_bar() {
            *place = Some(bar);
        }
    }
}

impl Drop for Reporter {
    fn drop(&mut self) {
        self.end();
        let num_read = self.num_read.load(Ordering::Relaxed);
        if let Some(most) = self.skipped.lock().expect("no holder panics").most(num_read) {
            line(&format!("dedup: {most}"));
        }
    }
}

/// Redraws a bar regularly, so that its time also advances while no work is done. indicatif's own ticker panics when
/// the system refuses a thread.
///
/// * `pause`: the time before the bar is first drawn.
/// * `done`: the progress to show. The bar is drawn only here, so its rate does not depend on the rate of the work.
fn keep_drawing(bar: &ProgressBar, pause: Duration, done: Arc<Done>) {
    let bar = bar.downgrade();
    let draw = move || {
        thread::sleep(pause);
        let show = || bar.upgrade().filter(|bar| !bar.is_finished());
        let Some(shown) = show() else { return };
        if let Some(terminal) = NarrowTerminal::of_stderr() {
            shown.set_draw_target(ProgressDrawTarget::term_like(Box::new(terminal)));
        }
        drop(shown);
        while let Some(bar) = show() {
            bar.update(|state| {
                let total = done.total.load(Ordering::Relaxed);
                if total > 0 {
                    state.set_len(total);
                }
                state.set_pos(done.units.load(Ordering::Relaxed));
            });
            drop(bar);
            thread::sleep(TICK);
        }
    };
    // If the thread cannot start, the bar is missing.
    let _ = thread::Builder::new().spawn(draw);
}

impl Observer for Reporter {
    fn begin(&self, stage: Stage) {
        self.end();
        self.is_reading.store(stage == Stage::Read, Ordering::Relaxed);
        if self.quiet {
            return;
        }
        match stage {
            Stage::Load => self.begin_bar("loading   [{wide_bar}] {amount}{left}"),
            Stage::Read => self.begin_bar("reading   [{wide_bar}] {amount}{left}"),
            Stage::Count => self.begin_bar("counting  [{wide_bar}] {amount}{left}"),
            Stage::Index => self.begin_bar("indexing  [{wide_bar}] {amount}{left}"),
            Stage::Band => {}
            Stage::Join => self.begin_bar("joining   [{wide_bar}] {amount}{left}"),
            Stage::Align => self.begin_bar("comparing [{wide_bar}] {amount}{left}"),
            Stage::Verify => self.begin_bar("verifying [{wide_bar}] {amount}{left}"),
            Stage::Merge => self.begin_bar("merging   [{wide_bar}] {percent} %{left}"),
        }
    }

    fn total(&self, units: u64) {
        self.done.total.store(units, Ordering::Relaxed);
    }

    fn advance(&self, units: u64, documents: u64, bytes: u64) {
        if self.is_reading.load(Ordering::Relaxed) {
            self.num_read.fetch_add(documents, Ordering::Relaxed);
        }
        self.done.documents.fetch_add(documents, Ordering::Relaxed);
        self.done.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.done.units.fetch_add(units, Ordering::Relaxed);
    }

    fn problem(&self, problem: &Problem) {
        HAS_ERROR.fetch_or(problem.is_error, Ordering::Relaxed);
        let is_counted = self.skipped.lock().expect("no holder panics").add(problem);
        let is_warning = !problem.is_error && is_warning(problem.reason);
        if is_counted && !self.quiet {
            return;
        }
        if self.quiet && !problem.is_error && !is_warning {
            return;
        }
        if self.skipped.lock().expect("no holder panics").is_without_field(problem) {
            return;
        }
        if let Some(most) = self.most_named(problem.is_error, problem.reason) {
            let mut counts = self.counts.lock().expect("no holder panics");
            let number = counts.entry((problem.is_error, problem.reason)).or_default();
            *number += 1;
            if *number > most {
                return;
            }
        }
        let kind = if is_warning { "warning: " } else { "" };
        line(&format!("dedup: {kind}{}", problem_line(problem)));
    }

    fn memory_is_short(&self, forecast: &MemoryForecast) {
        line(&format!(
            "dedup: warning: the inputs have about {}, which need about {} of tables; with {} of shingle sets (--memory) that is more than the {} of available memory; scan the corpus in parts, or lower --bands or \
             --memory",
            counted(rounded(forecast.documents), "document"),
            DecimalBytes(rounded(forecast.tables)),
            DecimalBytes(forecast.sets),
            DecimalBytes(forecast.limit),
        ));
    }

    fn disk_is_short(&self, forecast: &DiskForecast) {
        line(&format!(
            "dedup: warning: the inputs have about {}, which need about {} more in {}, where {} are free; set TMPDIR to a folder with enough space, or raise --memory",
            counted(rounded(forecast.documents), "document"),
            DecimalBytes(rounded(forecast.bytes)),
            shown(&std::env::temp_dir().to_string_lossy()),
            DecimalBytes(forecast.free),
        ));
    }

    fn many_keys(&self, documents: u64, pairs: u64, max_key_df: u64, below: u64) {
        let remedy = if below < pairs {
            format!(
                "--max-key-df {max_key_df} compares {} of them, and misses passages that consist of text in more documents",
                HumanCount(below)
            )
        } else {
            format!(
                "a --max-key-df below {max_key_df} compares fewer, and misses passages that consist of text in more documents"
            )
        };
        let (documents, pairs) = (counted(documents, "document"), counted(pairs, "pair"));
        line(&format!("dedup: warning: {documents} have text in common, so up to {pairs} are compared; {remedy}"));
    }

    fn join_forecast(&self, postings: u64, checks: u64) {
        /// Minimum seconds of a join that is announced.
        const LONG_JOIN: f64 = 10.0;
        let seconds = checks as f64 * JoinSummary::SECONDS_OF_CHECK;
        if self.quiet || seconds < LONG_JOIN {
            return;
        }
        let time = match seconds {
            ..100.0 => counted(rounded(seconds as u64), "second"),
            _ => counted((seconds / 60.0).ceil() as u64, "minute"),
        };
        let (postings, checks) = (counted(rounded(postings), "rare shingle"), counted(rounded(checks), "check"));
        line(&format!(
            "dedup: note: the exhaustive join has {postings} of texts and makes {checks}, about {time} of one thread; a higher --threshold, --max-df or --template shortens it"
        ));
    }

    fn many_copies(&self, pairs: u64, groups: u64, largest: u64) {
        line(&format!(
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

/// The line for the problems of a kind that were not listed.
fn more(reason: Reason, number: u64) -> String {
    let kind = if is_warning(reason) { "warning: " } else { "" };
    // `dedup index check` lists the changed texts of an index.
    let is_listed = reason.is_skip() && reason != Reason::Stale;
    let hint = if is_listed { "; --list-documents lists each" } else { "" };
    format!("dedup: {kind}and {} more ({}){hint}", HumanCount(number), reason.of_number(number))
}

/// The number rounded down to two significant digits, which suits an estimate.
fn rounded(number: u64) -> u64 {
    let unit = 10u64.pow(number.max(1).ilog10().saturating_sub(1));
    number / unit * unit
}
