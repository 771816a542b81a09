//! Forecasts what a run will find, and how much time and memory it will need, from a sample of the documents.
//!
//! All inputs are read, so the numbers of documents and bytes are exact. A share `f` of the documents, drawn by their
//! names, is signed and compared. A pair is in the sample when both of its documents are, so the sample contains `f²`
//! of the pairs on average, however they are clustered. A candidate is a pair of distinct texts, and a text with many
//! copies is more likely to be in the sample; since all documents were read, the number of copies is known and the
//! estimate corrects for it.

mod estimate;

use serde::Serialize;

use self::estimate::Degrees;
pub use self::estimate::Estimate;
use crate::base::error::Result;
use crate::base::memory;
use crate::base::memory::{MemoryPlan, Resources};
use crate::base::observe::Observer;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::Documents;
use crate::search::corpus::Sample;
use crate::search::join::JoinSummary;
use crate::search::pairs::{PairBatch, PairSettings, PairSink};
use crate::search::run::{CandidateSums, Search, Searched, Settings, Summary};

/// Bytes of a document in the tables, without its name and its band keys; exact copies have no band keys.
const DOCUMENT_BYTES: u64 = 18;
/// Bytes that the tables need even for few documents: 120 to 270 kB with two threads on packages of 1,000 and 2,000
/// files.
const FIXED_BYTES: f64 = 256e3;

/// The forecast of a run: its results, its time and its memory. Keys are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunForecast {
    /// All documents of the run, empty ones included.
    pub documents: u64,
    /// The bytes of all documents as stored.
    pub bytes: u64,
    /// The share of the documents in the sample.
    pub share: f64,
    /// The documents of the sample that are not empty.
    pub sampled: u64,
    /// The documents of the sample whose text an earlier document of the sample has.
    pub sampled_copies: u64,
    /// Inputs that cannot be used because of an error, as in the summary of a run.
    pub errors: u64,
    /// The candidate pairs that will be verified.
    pub candidates: Estimate,
    /// For an exhaustive join: about how many pairs of texts with a common rare shingle it checks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<f64>,
    /// The duplicate pairs that will be found, including pairs of equal texts.
    pub pairs: Estimate,
    /// The number of documents in the largest bucket. Their common part is a template or boilerplate, or they share one
    /// text.
    pub largest_bucket: u64,
    /// The wall time by stage, with the same number of threads and the same load on the machine as during the forecast.
    pub seconds: ForecastSeconds,
    /// The memory of what grows with the corpus.
    pub memory: ForecastMemory,
}

/// Wall time in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ForecastSeconds {
    /// Reading and signing the documents.
    pub read: f64,
    /// Building the bucket table, or finding the candidates of an exhaustive join.
    pub band: f64,
    /// Verifying the candidates. The lower bound grows like the number of documents, the upper bound like the number of
    /// pairs.
    pub verify: Estimate,
    /// All stages together.
    pub total: Estimate,
}

/// Memory in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ForecastMemory {
    /// The expected size of the tables: the tables of the sample, without the part that even few documents need,
    /// divided by the share.
    pub tables: u64,
    /// A lower bound of the tables: the tables of the sample, or the fixed part of each document for all documents.
    pub tables_low: u64,
    /// An upper bound of the tables, unless the sample is too small: the tables of the sample divided by the share.
    pub tables_high: u64,
    /// The band keys that will be on the disk, because they do not fit the memory. Omitted if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub spilled: u64,
    /// The maximum of the shingle sets and waiting pairs, in addition to the tables.
    pub sets: u64,
    /// The memory limit of the process; null where no limit is known.
    pub limit: Option<u64>,
}

/// Forecasts a run over all inputs.
///
/// * `share`: the share of the documents that are signed and compared, above 0 and at most 1. With 1 the numbers are
///   the run's own.
///
/// # Errors
/// As for the run itself.
///
/// # Panics
/// When `share` is out of range.
pub fn forecast(settings: &Settings, share: f64, observer: &dyn Observer) -> Result<RunForecast> {
    assert!(share > 0.0 && share <= 1.0, "a share of the documents is above 0 and at most 1");
    let sample = Sample::new(share);
    // A million equal texts have too many pairs to list, so pairs of copies are counted without making them.
    let collapsed = Settings { pairs: PairSettings { collapse_exact: true, ..settings.pairs }, ..settings.clone() };
    let has_copies = !settings.pairs.collapse_exact && !settings.pairs.spanning;
    let mut counted = CountedDegrees { degrees: Degrees::default(), has_copies };
    let searched = Search::new(&collapsed, observer).of_sample(&sample).run(&mut counted)?;
    Ok(RunForecast::new(settings, share, &sample, &counted.degrees, &searched))
}

/// Counts the pairs of each document.
struct CountedDegrees {
    degrees: Degrees,
    /// Whether pairs of copies count. The search does not pass them on.
    has_copies: bool,
}

impl PairSink for CountedDegrees {
    fn begin(&mut self, documents: &Documents) -> Result<()> {
        if self.has_copies {
            let groups = documents.groups().filter(|&(first, _)| documents.scope().compares_within_cell(first));
            groups.for_each(|(first, copies)| self.degrees.add_copies(first.index(), 1 + copies as u64));
        }
        Ok(())
    }

    fn pairs(&mut self, PairBatch { documents, pairs, .. }: PairBatch<'_>) -> Result<()> {
        let Self { degrees, has_copies } = self;
        let num_copies = |document| if *has_copies { 1 + documents.copies_of(document).len() as u64 } else { 1 };
        let is_copy = |pair: &DuplicatePair| documents.first_of_text(pair.b) == Some(pair.a);
        for pair in pairs.iter().filter(|pair| !*has_copies || !is_copy(pair)) {
            degrees.add([pair.a, pair.b].map(|document| (document.index(), num_copies(document))));
        }
        Ok(())
    }
}

impl RunForecast {
    fn new(settings: &Settings, share: f64, sample: &Sample, degrees: &Degrees, searched: &Searched) -> Self {
        let summary = &searched.summary;
        let (left_out, left_out_bytes) = sample.left_out();
        let threads = settings.resources.threads.get() as f64;
        // Grows by bytes and not by documents, since both numbers of bytes are known.
        let growth = if summary.bytes > 0 { left_out_bytes as f64 / summary.bytes as f64 } else { 0.0 };
        let read = summary.seconds.read + sample.time().as_secs_f64() / threads * growth;
        // The checks of a join grow like the pairs, and the rest of its work like the documents.
        let checks = summary.join.map(|join| join.checks as f64);
        let growth_of_pairs = searched.candidate_sums.map_or(share.powi(-2), |sums| sums.texts * sums.texts);
        let more_checks = checks.unwrap_or(0.0) * (growth_of_pairs - 1.0 / share).max(0.0);
        let band = summary.seconds.band / share + more_checks * JoinSummary::SECONDS_OF_CHECK / threads;
        let least = summary.seconds.verify / share;
        // The geometric mean of the bounds: the work to read documents grows more slowly than the work to count pairs.
        let verify = Estimate { expected: least / share.sqrt(), low: least, high: least / share };
        let of_bucket = summary.largest_bucket.as_ref().map_or(0, |bucket| bucket.documents);
        let candidates = match searched.candidate_sums {
            Some(CandidateSums { expected, variance, weight, .. }) => {
                Estimate::of_sums(summary.candidates, [expected, variance], weight)
            }
            None => Estimate::of_pairs(summary.candidates, degrees.paths(), share),
        };
        let documents = summary.documents + left_out;
        let all_pairs = documents as f64 * (documents as f64 - 1.0).max(0.0) / 2.0;
        Self {
            documents,
            bytes: summary.bytes + left_out_bytes,
            share,
            sampled: summary.documents - summary.empty,
            sampled_copies: summary.exact_copies,
            errors: summary.errors,
            candidates: candidates.at_most(all_pairs),
            checks: checks.map(|checks| checks * growth_of_pairs),
            pairs: Estimate::of_pairs(degrees.pairs(), degrees.paths(), share).at_most(all_pairs),
            largest_bucket: (of_bucket as f64 / share).round() as u64,
            seconds: ForecastSeconds { read, band, verify, total: verify.plus(read + band) },
            memory: ForecastMemory { limit: memory::limit(), ..tables(share, summary, documents, settings.resources) },
        }
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Forecasts the tables of all documents, and the memory that they leave for shingle sets.
fn tables(share: f64, summary: &Summary, documents: u64, resources: Resources) -> ForecastMemory {
    let (of_sample, keys) = (summary.memory.tables, summary.memory.keys);
    // The keys in memory do not grow beyond their share.
    let all_keys = keys.all_in_memory as f64 / share;
    let most_keys = MemoryPlan::new(resources).band_keys().max(keys.in_memory) as f64;
    let keys_in_memory = if share < 1.0 { all_keys.min(most_keys) } else { keys.in_memory as f64 };
    let spilled = keys.all_on_disk as f64 / share * (1.0 - keys_in_memory / all_keys.max(1.0)).max(0.0);
    let high = of_sample.saturating_sub(keys.in_memory) as f64 / share + keys_in_memory;
    let low = (of_sample.max(documents * DOCUMENT_BYTES) as f64).min(high);
    let expected = (high - FIXED_BYTES * (1.0 / share - 1.0)).max(low);
    let [tables, tables_low, tables_high, spilled] = [expected, low, high, spilled].map(|bytes| bytes.round() as u64);
    let sets = resources.without_tables(tables).memory_bytes;
    ForecastMemory { tables, tables_low, tables_high, spilled, sets, limit: None }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::base::memory::Resources;
    use crate::base::observe::Unwatched;
    use crate::documents::input::InputSettings;
    use crate::search::run::find_duplicates;

    /// The settings use one thread: two threads may each sign one of two equal texts, whose keys then need twice the
    /// memory.
    fn settings() -> Settings {
        let resources = Resources { threads: NonZeroUsize::MIN, ..Resources::default() };
        Settings { resources, ..Settings::of(InputSettings::of(vec!["examples/corpus".into()])) }
    }

    #[test]
    fn a_forecast_by_all_documents_is_the_run() {
        let forecast = forecast(&settings(), 1.0, &Unwatched).unwrap();
        let run = find_duplicates(&settings(), &Unwatched, &mut |_, _| Ok(())).unwrap();
        assert_eq!((forecast.documents, forecast.bytes), (run.documents, run.bytes));
        let exactly = |number: u64| Estimate { expected: number as f64, low: number as f64, high: number as f64 };
        assert_eq!((forecast.candidates, forecast.pairs), (exactly(run.candidates), exactly(run.pairs)));
        let ForecastMemory { tables, tables_low, tables_high, .. } = forecast.memory;
        assert_eq!([tables, tables_low, tables_high], [run.memory.tables; 3]);
    }

    #[test]
    fn a_sample_counts_all_documents_and_compares_some() {
        let all = forecast(&settings(), 1.0, &Unwatched).unwrap();
        let some = forecast(&settings(), 0.5, &Unwatched).unwrap();
        assert_eq!((some.documents, some.bytes), (all.documents, all.bytes));
        assert!(some.sampled > 0 && some.sampled < all.sampled, "{some:?}");
        let memory = some.memory;
        assert!(memory.tables_low <= all.memory.tables && all.memory.tables <= memory.tables_high, "{memory:?}");
        assert!(some.pairs.low <= all.pairs.expected && all.pairs.expected <= some.pairs.high, "{some:?}");
    }
}
