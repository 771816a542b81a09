//! `dedup curve --corpus`: samples the similarities of a corpus, and estimates what each banding would find and cost.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Arg, Args};
use dedup_scan::search::{ExpectedRun, SimilaritySample, sample_similarities};
use dedup_scan::sign::banding::MAX_HASHES;
use dedup_scan::{Banding, InputSettings, Resources, Settings, Threshold};
use serde::Serialize;

use crate::cli::flags::banding::Choice;
use crate::cli::flags::values::whole;
use crate::cli::flags::{FileReadingFlags, Preset, RemovalFlags, ShingleFlags, ThreadFlags};
use crate::cli::interrupt;
use crate::cli::messages::{Failure, Reporter, Result, banding, percent};

/// Recalls whose bandings are compared with the chosen one.
const RECALLS: [f64; 4] = [0.9, 0.99, 0.999, 0.9999];
/// Number of equal ranges of similarity in the histogram.
const RANGES: usize = 20;
/// Number of columns of the longest bar of the histogram.
const BAR: f64 = 40.0;

/// Lets a flag about texts or shingles require `--corpus`, since it has no effect without documents.
pub(super) fn require_corpus(arg: Arg) -> Arg {
    let headings = ["Corpus", "Shingles", "Folding", "Pairs", "Input", "Resources"];
    let is_of_one =
        arg.get_id() != "corpus" && arg.get_help_heading().is_some_and(|heading| headings.contains(&heading));
    if is_of_one { arg.requires("corpus") } else { arg }
}

/// The documents whose similarities are measured.
#[derive(Debug, Args)]
pub(super) struct CorpusFlags {
    /// Measure documents: how similar they are, by a sample, and the candidates, the time and the missed pairs that each banding
    /// would have there. A file, a folder or a data set; repeatable
    #[arg(long, value_name = "PATH", help_heading = "Corpus")]
    pub(super) corpus: Vec<PathBuf>,

    /// Documents that are drawn at random and compared with all others
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<usize>(1..=1 << 20),
        allow_negative_numbers = true, help_heading = "Corpus")]
    sample: usize,

    /// The seed of the random draw of documents
    #[arg(long, default_value_t = 42, value_parser = whole::<u64>(0..=u64::MAX), allow_negative_numbers = true,
        help_heading = "Corpus")]
    seed: u64,

    /// Shingles, folding and threshold of a preset of `dedup scan`; other flags override single settings
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Corpus")]
    preset: Option<Preset>,

    #[command(flatten)]
    shingles: ShingleFlags,

    #[command(flatten)]
    removal: RemovalFlags,

    #[command(flatten)]
    reading: FileReadingFlags,

    #[command(flatten)]
    threads: ThreadFlags,
}

/// Estimates for a corpus. `--json` prints this record with `--corpus`; keys are only ever added.
///
/// Numbers of pairs are estimates, from a sample of `drawn` of the `texts`.
#[derive(Debug, Serialize)]
pub(super) struct CorpusReport {
    /// Number of distinct texts.
    texts: u64,
    /// Number of texts in the sample.
    drawn: u64,
    /// Minimum similarity of a pair.
    threshold: f64,
    /// Estimated number of pairs at or above the threshold.
    pairs: f64,
    /// Lower end of the 95 % interval of `pairs`.
    pairs_low: f64,
    /// Upper end of the 95 % interval of `pairs`.
    pairs_high: f64,
    /// Estimated number of pairs in each of twenty ranges of similarity from 0 to 1. Pairs without a common shingle
    /// are not counted.
    histogram: Vec<f64>,
    /// Bandings that are compared, ascending by recall.
    bandings: Vec<ExpectedBanding>,
}

/// Estimated effect of a banding on a corpus.
#[derive(Debug, Serialize)]
struct ExpectedBanding {
    /// Number of bands of a signature.
    bands: usize,
    /// Number of rows of a band.
    rows: usize,
    /// Whether a scan with the given flags uses this banding.
    chosen: bool,
    /// Probability that a pair at the threshold becomes a candidate.
    recall_at_threshold: f64,
    /// Estimated number of candidate pairs.
    candidates: f64,
    /// Estimated number of candidate pairs below the threshold, which are verified needlessly.
    #[serde(rename = "in_vain")]
    false_candidates: f64,
    /// Estimated number of pairs at or above the threshold that do not become candidates.
    missed: f64,
    /// Estimated seconds to verify the candidates on this machine.
    seconds: f64,
}

impl CorpusFlags {
    /// The threshold of the preset, if the preset sets one.
    pub(super) fn threshold(&self) -> Option<Threshold> {
        self.preset.and_then(Preset::threshold)
    }

    /// Measures the corpus; returns the report and the number of inputs that could not be used.
    pub(super) fn measure(self, choice: Choice, threshold: Threshold) -> Result<(CorpusReport, u64)> {
        if let Some(preset) = self.preset.filter(|&preset| preset.matches_by_passages()) {
            return Err(Failure::of_value(
                "--preset",
                preset.name(),
                "finds documents by their passages, which bands and rows do not affect; choose another preset",
            ));
        }
        let (shingles, normalization) =
            (self.shingles.settings(self.preset)?, self.shingles.normalization(self.preset)?);
        let input = InputSettings { paths: self.corpus, ..self.reading.settings(self.preset) };
        let mut settings = Settings {
            weights: self.shingles.weights(self.preset, &shingles, &normalization)?,
            shingles,
            normalization,
            removal: self.removal.settings(),
            banding: choice.banding(),
            resources: self.threads.of(Resources::default())?,
            cancel: interrupt::cancel(),
            ..Settings::of(input)
        };
        settings.signature.seed = self.seed;
        settings.pairs.threshold = threshold;
        let measure = |reporter: &Reporter| sample_similarities(&settings, self.sample, reporter);
        let (sample, errors) = Reporter::watch(true, measure)?;
        Ok((CorpusReport::new(&sample, choice, threshold), errors))
    }
}

impl CorpusReport {
    fn new(sample: &SimilaritySample, choice: Choice, threshold: Threshold) -> Self {
        let mut all: Vec<Banding> =
            RECALLS.iter().map(|&recall| Banding::for_recall(threshold.value(), recall)).collect();
        all.push(choice.banding());
        // The neighbours have one row fewer or more and at least the same recall: with fewer rows, more needless
        // candidates but faster signing.
        let chosen = choice.banding();
        let rows = [chosen.rows().saturating_sub(1), chosen.rows() + 1];
        let beside = rows.into_iter().filter(|&rows| rows > 0).filter_map(|rows| {
            let enough = |&bands: &usize| {
                Banding::new(bands, rows)
                    .is_ok_and(|other| other.recall(threshold.value()) >= chosen.recall(threshold.value()))
            };
            let bands = (1..=MAX_HASHES / rows).find(enough)?;
            Banding::new(bands, rows).ok()
        });
        all.extend(beside);
        let recall = |banding: &Banding| banding.recall(threshold.value());
        all.sort_by(|a, b| recall(a).total_cmp(&recall(b)).then(a.rows().cmp(&b.rows())));
        all.dedup();
        let expected = |banding: Banding| {
            let ExpectedRun { candidates, false_candidates, missed, seconds } = sample.expected(banding);
            ExpectedBanding {
                bands: banding.bands(),
                rows: banding.rows(),
                chosen: banding == chosen,
                recall_at_threshold: banding.recall_of_run(threshold.value(), threshold.value()),
                candidates,
                false_candidates,
                missed,
                seconds,
            }
        };
        Self {
            texts: sample.texts,
            drawn: sample.drawn,
            threshold: threshold.value(),
            pairs: sample.pairs(),
            pairs_low: sample.pairs_between()[0],
            pairs_high: sample.pairs_between()[1],
            histogram: sample.histogram(RANGES),
            bandings: all.into_iter().map(expected).collect(),
        }
    }

    /// The report as text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let Self { texts, drawn, threshold, pairs, pairs_low, pairs_high, histogram, bandings } = self;
        let mut put = |line: String| writeln!(text, "{line}").expect("a String takes every line");
        put(format!("corpus      {texts} distinct texts, of which {drawn} were drawn and compared with all"));
        put(format!(
            "pairs       {} at or above {threshold}{}",
            rounded(*pairs),
            if drawn < texts {
                format!(", 19 times of 20 from {} to {}", rounded(*pairs_low), rounded(*pairs_high))
            } else {
                String::new()
            }
        ));
        put(String::new());
        put("similarity         pairs".to_owned());
        // The bars are logarithmic, because the numbers span many powers of 10.
        let most = histogram.iter().fold(1.0f64, |most, &pairs| most.max(pairs + 1.0)).log10().max(f64::MIN_POSITIVE);
        for (range, &pairs) in histogram.iter().enumerate() {
            let (from, to) = (range as f64 / RANGES as f64, (range + 1) as f64 / RANGES as f64);
            let bar = "█".repeat(((pairs + 1.0).log10() / most * BAR).round() as usize);
            put(format!("{from:.2} to {to:.2}{:>12}  {bar}", rounded(pairs)).trim_end().to_owned());
        }
        put("Bars are by powers of 10. Pairs that share nothing are in none.".to_owned());
        put(String::new());
        put(format!("  bands  rows  found at {threshold:<4}    candidates      rejected        missed    time"));
        for one in bandings {
            put(format!(
                "{} {:>5}{:>6}{:>14}{:>14}{:>14}{:>14}{:>8}",
                if one.chosen { '>' } else { ' ' },
                one.bands,
                one.rows,
                percent(one.recall_at_threshold),
                rounded(one.candidates),
                rounded(one.false_candidates),
                rounded(one.missed),
                seconds(one.seconds),
            ));
        }
        if let Some(chosen) = bandings.iter().find(|one| one.chosen) {
            put(String::new());
            put(self.why(chosen));
        }
        text
    }

    /// A sentence on the pairs that the chosen banding misses and on its candidates.
    fn why(&self, chosen: &ExpectedBanding) -> String {
        let pairs = self.pairs.max(f64::MIN_POSITIVE);
        let share = |part: f64, of: f64| percent(if of > 0.0 { (part / of).min(1.0) } else { 0.0 });
        format!(
            "{} miss about {} of {} pairs ({}), and verify {} candidates, {} of which are rejected.",
            banding(chosen.bands, chosen.rows),
            rounded(chosen.missed),
            rounded(self.pairs),
            share(chosen.missed, pairs),
            rounded(chosen.candidates),
            share(chosen.false_candidates, chosen.candidates),
        )
    }
}

/// A number of pairs as text: whole from 10 upwards, otherwise with up to two decimals.
fn rounded(pairs: f64) -> String {
    if pairs >= 10.0 || pairs.fract() == 0.0 { format!("{pairs:.0}") } else { format!("{pairs:.2}") }
}

fn seconds(seconds: f64) -> String {
    if seconds >= 100.0 { format!("{seconds:.0} s") } else { format!("{seconds:.1} s") }
}
