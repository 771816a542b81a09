//! `dedup review`: asks a person about the pairs of a saved result, saves the answers, and reports which thresholds
//! they support.
//!
//! Questions go to stderr, answers to their file, and the report to stdout. `asking` shows pairs and reads answers,
//! `table` writes the report.

mod asking;

mod table;

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use dedup_scan::base::shown;
use dedup_scan::documents::Filter;
use dedup_scan::records::push_json;
use dedup_scan::results::{AnswerFile, Answers, PairTexts, ResultHeader, Review, ReviewRecord, SavedResult};
use dedup_scan::{Threshold, Unwatched};

use self::asking::Asking;
use super::reading::reading_of;
use super::saved_pairs::files_of_result;
use super::saved_reading::SavedReading;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::values::{filter, similarity, whole};
use crate::cli::flags::{ResultArgument, ViewFlags};
use crate::cli::interrupt::{Left, signal_leaves, uninterrupted};
use crate::cli::messages::{self, Failure, Reporter, Result};

/// Number of pairs that are asked about by default, which takes a person about an hour.
const DEFAULT_TOP: usize = 100;

/// Label pairs near the threshold by hand, to find a better one
///
/// Shows pairs one by one, side by side, alternately above and below the threshold, and reads lines: y for duplicates,
/// n for others, s to skip, u to undo, q to quit, ? for help. Answers are saved in a file, and the next review
/// continues after the last one. At the end `dedup` prints the threshold that fits the answers best.
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help(None))]
pub(crate) struct ReviewCommand {
    #[command(flatten)]
    result: ResultArgument,

    /// The threshold to review, from 0 to 1 [default: the threshold of the result, or 0.8 for a file of pairs]
    #[arg(short, long, value_name = "SIMILARITY", value_parser = similarity, allow_negative_numbers = true,
        help_heading = "Questions")]
    threshold: Option<f64>,

    /// Review the N pairs nearest to the threshold, including pairs that have an answer
    #[arg(long, value_name = "N", default_value_t = DEFAULT_TOP, value_parser = whole::<usize>(1..=1 << 32),
        allow_negative_numbers = true, help_heading = "Questions")]
    top: usize,

    /// The file of the answers, one JSON line each, or a table that a page has saved as CSV; new answers are added
    /// [default: RESULT.answers.jsonl, next to RESULT]
    #[arg(long, value_name = "FILE", help_heading = "Questions")]
    answers: Option<PathBuf>,

    /// Convert files with this extension to text by a command, as the scan did; the commands of the scan are not run.
    /// Repeatable
    #[arg(long, value_name = "EXT=CMD", value_parser = filter, help_heading = "Questions")]
    filter: Vec<Filter>,

    /// Print a summary of the answers, and show no pairs
    #[arg(long, conflicts_with_all = ["top", "filter", "context", "color"], help_heading = "Output")]
    report: bool,

    #[command(flatten)]
    view: ViewFlags,

    /// Print the summary of the answers as one JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl ReviewCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        if self.result.path() == Path::new("-") && !self.report {
            return Err(Failure::new(
                "-: standard input is needed for the answers; save the pairs in a file and review that, or add --report",
            ));
        }
        let place = self.answer_place()?;
        let mut saved = SavedResult::open(self.result.path())?;
        if saved.header().map_or(Ok(false), ResultHeader::is_by_passages)? {
            return Err(Failure::new(format!(
                "{}: its pairs match by passages, but a review looks for a threshold of similarity; review a scan without --match passages",
                shown(&self.result.path().to_string_lossy())
            )));
        }
        let is_result = |metadata| files_of_result(self.result.path()).find(&metadata).is_some();
        if fs::metadata(&place).is_ok_and(is_result) {
            return Err(Failure::new(format!(
                "{}: belongs to the result, which is never changed; choose another file for --answers",
                shown(&place.to_string_lossy())
            )));
        }
        let threshold = self.threshold.map(Threshold::new).transpose()?;
        let is_incomplete = saved.header().is_some_and(|header| header.errors > 0);
        let is_unread;
        let review = if self.report {
            is_unread = false;
            Review::of(&mut saved, &Answers::read(&place)?, threshold, 1, &Unwatched)?
        } else {
            let (mut file, answers) = AnswerFile::open(&place)?;
            let mut review =
                Reporter::watch(false, |reporter| Review::of(&mut saved, &answers, threshold, self.top, reporter))?;
            signal_leaves(Left::Answers);
            self.note(&review, &place);
            let SavedReading { settings, passages, folder } = reading_of(saved.header(), &self.filter)?;
            let texts = PairTexts::new(&settings, passages, &folder);
            is_unread = Asking::new(texts, &self.view, saved.header().is_none()).ask(&mut review, &mut file)?;
            review
        };
        let printed = if self.json { json(&review) } else { table::text(&review).into_bytes() };
        let mut stdout = std::io::stdout().lock();
        uninterrupted(|| stdout.write_all(&printed).and_then(|()| stdout.flush())).map_err(Failure::output)?;
        Ok(if is_incomplete || is_unread { ExitCode::Incomplete } else { ExitCode::Complete })
    }

    /// The path of the answers: next to the result, which is not changed.
    fn answer_place(&self) -> Result<PathBuf> {
        if let Some(answers) = &self.answers {
            return Ok(answers.clone());
        }
        if self.result.path() == Path::new("-") {
            return Err(Failure::of_flag(
                "--answers",
                "required for pairs from standard input; give the file of the answers",
            ));
        }
        let given = self.result.path();
        let whole = fs::canonicalize(given).ok();
        let result = if given.file_name().is_some() { given } else { whole.as_deref().unwrap_or(given) };
        let mut name: OsString = result.file_name().unwrap_or_default().to_owned();
        name.push(".answers.jsonl");
        Ok(result.with_file_name(name))
    }

    /// Prints the notes that a person needs before the questions.
    fn note(&self, review: &Review, place: &Path) {
        let note = |text: &str| messages::line(&format!("dedup: note: {text}"));
        let result = shown(&self.result.path().to_string_lossy());
        let threshold = review.threshold().value();
        if review.num_pairs() == 0 {
            return note(&format!("{result}: it has no pairs, so there is nothing to review"));
        }
        if review.num_below() == 0 {
            note(&format!(
                "{result}: no pair is below {threshold}; to review such pairs too, scan with a lower --threshold and \
                 --save, and review that result with --threshold {threshold}"
            ));
        }
        if review.num_foreign() > 0 {
            let answers = shown(&place.to_string_lossy());
            note(&format!("{answers}: answers of other pairs: {}; they are not counted", review.num_foreign()));
        }
    }
}

fn json(review: &Review) -> Vec<u8> {
    let mut line = Vec::new();
    push_json(&mut line, &ReviewRecord::new(review));
    line.push(b'\n');
    line
}
