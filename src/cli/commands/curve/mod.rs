//! `dedup curve`: the recall by similarity, as a table and a plot.
//!
//! The S-curve follows from bands and rows; `--corpus` estimates its effect on a corpus from a sample of similarities.

mod corpus;
mod plot;

use std::fmt::Write as _;
use std::io::Write as _;

use clap::Args;
use dedup_scan::sign::banding::MAX_HASHES;
use dedup_scan::{Banding, Threshold};
use serde::Serialize;

use self::corpus::CorpusFlags;
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::banding::Choice;
use crate::cli::flags::values::{recall, similarity, whole};
use crate::cli::messages::{Failure, Result, banding, line, percent};

/// Show the chance that a pair is found, by its similarity
///
/// Prints the S-curve of the given bands and rows, or of those that `dedup scan` chooses for the threshold. --corpus
/// shows the effect of bands and rows on documents.
#[derive(Debug, Args)]
#[command(mut_args(corpus::require_corpus))]
pub(crate) struct Curve {
    /// Bands of a signature; more bands find more pairs [default: chosen by --recall, or 20 with --rows]
    #[arg(long, value_parser = whole::<usize>(1..=MAX_HASHES as u64), allow_negative_numbers = true)]
    bands: Option<usize>,

    /// Rows in a band; with more rows fewer candidates are verified. Bands x rows is at most 4096 [default: chosen by
    /// --recall, or 5 with --bands]
    #[arg(long, value_parser = whole::<usize>(1..=MAX_HASHES as u64), allow_negative_numbers = true)]
    rows: Option<usize>,

    /// Similarity from which pairs are to be found, from 0 to 1 [default: 0.8]
    #[arg(long, value_name = "SIMILARITY", value_parser = similarity, allow_negative_numbers = true)]
    threshold: Option<f64>,

    /// Minimum chance that a pair at the threshold is found, above 0 and below 1 [default: 0.999]. Chooses --bands and --rows
    /// as `dedup scan` does
    #[arg(
        long,
        value_name = "CHANCE",
        value_parser = recall,
        allow_negative_numbers = true,
        conflicts_with_all = ["bands", "rows"]
    )]
    recall: Option<f64>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    corpus: CorpusFlags,
}

impl Curve {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let threshold = self.threshold.map(Threshold::new).transpose()?;
        let threshold = threshold.or(self.corpus.threshold()).unwrap_or_default();
        let choice = Choice::new(self.bands, self.rows, threshold, self.recall)?;
        if !self.corpus.corpus.is_empty() {
            return print_corpus(self.corpus, choice, threshold, self.json);
        }
        let report = CurveReport::new(choice, threshold);
        let text = if self.json {
            serde_json::to_string(&report).expect("numbers and strings") + "\n"
        } else {
            report.text(choice)
        };
        print(&text)?;
        // Printed below the plot, where it stays visible.
        if let Some(warning) = choice.warning() {
            line(&warning);
        }
        Ok(ExitCode::Complete)
    }
}

fn print_corpus(corpus: CorpusFlags, choice: Choice, threshold: Threshold, json: bool) -> Result<ExitCode> {
    let (report, errors) = corpus.measure(choice, threshold)?;
    let text = if json { serde_json::to_string(&report).expect("numbers") + "\n" } else { report.text() };
    print(&text)?;
    if let Some(warning) = choice.warning() {
        line(&warning);
    }
    Ok(if errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
}

fn print(text: &str) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(Failure::output)
}

/// The figures of a banding. `--json` prints this record; keys are only ever added.
///
/// A recall is the probability, from 0 to 1, that a pair of some similarity becomes a candidate.
#[derive(Debug, Serialize)]
struct CurveReport {
    /// Number of bands of a signature.
    bands: usize,
    /// Number of rows of a band.
    rows: usize,
    /// Length of a signature: bands × rows.
    hashes: usize,
    /// The threshold of the command line, or the default.
    threshold: f64,
    /// The recall at the threshold.
    recall_at_threshold: f64,
    /// The similarity with a recall of 0.5.
    similarity_at_50: f64,
    /// The similarity with a recall of 0.95.
    similarity_at_95: f64,
    /// The S-curve at 0.00, 0.05 … 1.00.
    curve: Vec<Point>,
    /// The chosen banding and its neighbours, ascending by rows; `None` unless the threshold chooses the banding.
    #[serde(skip_serializing_if = "Option::is_none")]
    neighbours: Option<Vec<OtherBanding>>,
}

/// A point of the S-curve.
#[derive(Debug, Serialize)]
struct Point {
    /// Similarity of a pair.
    similarity: f64,
    /// Probability that such a pair becomes a candidate.
    recall: f64,
}

/// The chosen banding, or a neighbour of it.
#[derive(Debug, Serialize)]
struct OtherBanding {
    /// Number of bands of a signature.
    bands: usize,
    /// Number of rows of a band.
    rows: usize,
    /// Length of a signature: bands × rows.
    hashes: usize,
    /// Whether the threshold chooses this banding.
    chosen: bool,
    /// The recall at the threshold.
    recall_at_threshold: f64,
    /// The similarity with a recall of 0.5.
    similarity_at_50: f64,
    /// The recall 0.1 below the threshold, which is the share of such pairs that are verified needlessly. Null below
    /// similarity 0.
    recall_0_1_below: Option<f64>,
    /// The recall 0.2 below the threshold. Null below similarity 0.
    recall_0_2_below: Option<f64>,
}

impl CurveReport {
    fn new(choice: Choice, threshold: Threshold) -> Self {
        let banding = choice.banding();
        let threshold = threshold.value();
        let curve = (0..=20).map(|step| f64::from(step) / 20.0);
        let neighbour = |other: Banding| OtherBanding {
            bands: other.bands(),
            rows: other.rows(),
            hashes: other.num_hashes(),
            chosen: other == banding,
            recall_at_threshold: other.recall_of_run(threshold, threshold),
            similarity_at_50: other.similarity_at(0.5),
            recall_0_1_below: below(threshold, 0.1).map(|similarity| other.recall(similarity)),
            recall_0_2_below: below(threshold, 0.2).map(|similarity| other.recall(similarity)),
        };
        Self {
            bands: banding.bands(),
            rows: banding.rows(),
            hashes: banding.num_hashes(),
            threshold,
            recall_at_threshold: banding.recall_of_run(threshold, threshold),
            similarity_at_50: banding.similarity_at(0.5),
            similarity_at_95: banding.similarity_at(0.95),
            curve: curve.map(|similarity| Point { similarity, recall: banding.recall(similarity) }).collect(),
            neighbours: choice
                .chosen_for()
                .map(|recall| banding.neighbours(threshold, recall).map(neighbour).collect()),
        }
    }

    /// The report as text.
    fn text(&self, choice: Choice) -> String {
        let &Self { bands, rows, hashes, threshold, .. } = self;
        let mut text = String::new();
        let mut row =
            |name: &str, value: String| writeln!(text, "{name:<12}{value}").expect("a String takes every line");
        let hashes_shown = if hashes == 1 { "1 hash".into() } else { format!("{hashes} hashes") };
        row("banding", format!("{} = {hashes_shown}", banding(bands, rows)));
        if let Some(recall) = choice.chosen_for() {
            row("chosen", format!("for a recall of at least {recall} at {threshold}"));
        }
        row("threshold", format!("{} of the pairs at {threshold} are found", percent(self.recall_at_threshold)));
        row("50 % found", format!("at similarity {:.4}", self.similarity_at_50));
        row("95 % found", format!("at similarity {:.4}", self.similarity_at_95));
        text.push('\n');
        text += &plot::plot(|similarity| choice.banding().recall(similarity), threshold);
        text.push('\n');
        text += &self.table();
        if let Some(neighbours) = &self.neighbours {
            text.push('\n');
            text += &neighbour_table(neighbours, threshold);
        }
        text
    }

    /// The S-curve as text in three columns, each read downwards.
    fn table(&self) -> String {
        let mut text = ["similarity     found"; 3].join("     ");
        text.push('\n');
        let lines = self.curve.len() / 3;
        for line in 0..lines {
            let points = self.curve.iter().skip(line).step_by(lines);
            let points = points.map(|point| format!("{:>10.2}{:>10}", point.similarity, percent(point.recall)));
            text += &points.collect::<Vec<_>>().join("     ");
            text.push('\n');
        }
        text
    }
}

/// The similarity `by` below the threshold, subtracted in decimals; `None` below 0.
fn below(threshold: f64, by: f64) -> Option<f64> {
    let similarity = ((threshold - by) * 1e15).round() / 1e15;
    (similarity >= 0.0).then_some(similarity)
}

fn neighbour_table(neighbours: &[OtherBanding], threshold: f64) -> String {
    let at_threshold = format!("found at {threshold}");
    let width = at_threshold.len();
    let mut text = format!("  bands  rows  hashes  {at_threshold}  0.1 below  0.2 below  50 % found at\n");
    for neighbour in neighbours {
        let share = |share: Option<f64>| share.map_or("-".into(), percent);
        writeln!(
            text,
            "{mark} {bands:>5}{rows:>6}{hashes:>8}  {at:>width$}{below_1:>11}{below_2:>11}{half:>15.4}",
            mark = if neighbour.chosen { '>' } else { ' ' },
            bands = neighbour.bands,
            rows = neighbour.rows,
            hashes = neighbour.hashes,
            at = percent(neighbour.recall_at_threshold),
            below_1 = share(neighbour.recall_0_1_below),
            below_2 = share(neighbour.recall_0_2_below),
            half = neighbour.similarity_at_50,
        )
        .expect("a String takes every line");
    }
    text += "Candidates below the threshold are verified and rejected.\n";
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_the_threshold_is_a_decimal_and_never_negative() {
        assert_eq!(below(0.8, 0.1), Some(0.7));
        assert_eq!(below(0.3, 0.2), Some(0.1));
        assert_eq!(below(0.1, 0.1), Some(0.0));
        assert_eq!(below(0.15, 0.2), None);
    }

    #[test]
    fn the_table_holds_every_point_of_the_curve_once() {
        let choice = Choice::new(None, None, Threshold::default(), None).unwrap();
        let table = CurveReport::new(choice, Threshold::default()).table();
        for step in 0..=20 {
            let similarity = format!("{:.2}", f64::from(step) / 20.0);
            let found = percent(Banding::default().recall(f64::from(step) / 20.0));
            let words: Vec<&str> = table.split_whitespace().collect();
            let number = found.trim_end_matches(" %");
            assert_eq!(words.windows(2).filter(|pair| *pair == [&similarity, number]).count(), 1, "{table}");
        }
    }
}
