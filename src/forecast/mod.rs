//! `forecast`: settings in; what a run with them will find and take out, by a sample of the documents.
//!
//! All inputs are read, so that the numbers of documents and bytes are exact. A share `f` of the documents, drawn by their
//! names, is signed and compared. A pair is in the sample when both of its documents are, so the sample has `f²` of the pairs on
//! average, whatever groups they come in. A candidate is a pair of texts, which are in the sample the more likely the more documents
//! have them; how many have them is known, since all were read.

mod estimate;

use serde::Serialize;

use self::estimate::Degrees;
pub use self::estimate::Estimate;
use crate::corpus::Sample;
use crate::error::Result;
use crate::join::JoinSummary;
use crate::memory::{self, MemoryPlan};
use crate::observe::Observer;
use crate::pairs::PairSettings;
use crate::run::{CandidateSums, Searched, Settings, Summary, search_sample};
use crate::verify::DuplicatePair;

/// Bytes of a document in the tables besides its name and band keys, which exact copies do not have.
const DOCUMENT_BYTES: u64 = 44;
/// Bytes that the tables of few documents take besides: 120 to 270 kB by two threads on packages of 1,000 and 2,000 files.
const FIXED_BYTES: f64 = 256e3;

/// What a run will find and take. Keys are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunForecast {
    /// Documents read, empty ones included: all of the run.
    pub documents: u64,
    /// Their bytes as stored.
    pub bytes: u64,
    /// The share of the documents that was drawn.
    pub share: f64,
    /// The documents that were compared for the forecast.
    pub sampled: u64,
    /// Those among them whose text another one of them has.
    pub sampled_copies: u64,
    /// Inputs that cannot be used for an error, as in the summary of a run.
    pub errors: u64,
    /// Pairs that will be verified.
    pub candidates: Estimate,
    /// Of an exhaustive join: about how many pairs of texts with a common rare shingle it looks at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<f64>,
    /// Pairs that will be found, those of equal texts among them.
    pub pairs: Estimate,
    /// The documents of the largest bucket: what so many have in common is a template or boilerplate, or one text.
    pub largest_bucket: u64,
    /// Wall time by stage, on as many threads and with the machine as busy as now.
    pub seconds: ForecastSeconds,
    /// Memory of what grows with the corpus.
    pub memory: ForecastMemory,
}

/// Wall time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ForecastSeconds {
    /// Reading and signing.
    pub read: f64,
    /// Building the bucket table, or finding the candidates of an exhaustive join.
    pub band: f64,
    /// Verifying: at least as long as it would take if it grew as documents do, at most as pairs do.
    pub verify: Estimate,
    /// All of it.
    pub total: Estimate,
}

/// Bytes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ForecastMemory {
    /// The tables: those of the sample divided by its share, but for what tables of few documents take besides.
    pub tables: u64,
    /// They take at least this: those of the sample, or the rows of all documents.
    pub tables_low: u64,
    /// They take at most this, unless the sample is too small: those of the sample divided by its share.
    pub tables_high: u64,
    /// Most that shingle sets and waiting pairs take beside them.
    pub sets: u64,
    /// What the process may take; null where no limit is known.
    pub limit: Option<u64>,
}

/// Forecasts a run over all inputs.
///
/// * `share`: of the documents that are signed and compared, above 0 and at most 1. With 1 the numbers are those of the run.
///
/// # Errors
/// As the run.
///
/// # Panics
/// When `share` is out of range.
pub fn forecast(settings: &Settings, share: f64, observer: &dyn Observer) -> Result<RunForecast> {
    assert!(share > 0.0 && share <= 1.0, "a share of the documents is above 0 and at most 1");
    let sample = Sample::new(share);
    // A million equal texts have more pairs than can be looked at, so pairs of copies are counted and not made.
    let collapsed = Settings { pairs: PairSettings { collapse_exact: true, ..settings.pairs }, ..settings.clone() };
    let has_copies = !settings.pairs.collapse_exact && !settings.pairs.spanning;
    let mut degrees = Degrees::default();
    let searched = search_sample(&collapsed, &sample, observer, &mut |documents, pairs, _| {
        let text = |document| (document, if has_copies { 1 + documents.copies_of(document).len() as u64 } else { 1 });
        let is_copy = |pair: &DuplicatePair| documents.first_of_text(pair.b) == Some(pair.a);
        for pair in pairs.iter().filter(|pair| !has_copies || !is_copy(pair)) {
            degrees.add([pair.a, pair.b].map(text).map(|(document, copies)| (document.index(), copies)));
        }
        if pairs.is_empty() && has_copies && documents.scope().compares_within_cells() {
            documents.groups().for_each(|(first, copies)| degrees.add_copies(first.index(), 1 + copies as u64));
        }
        Ok(())
    })?;
    Ok(RunForecast::new(settings, share, &sample, &degrees, &searched))
}

impl RunForecast {
    fn new(settings: &Settings, share: f64, sample: &Sample, degrees: &Degrees, searched: &Searched) -> Self {
        let summary = &searched.summary;
        let (left_out, left_out_bytes) = sample.left_out();
        let threads = settings.resources.threads.get() as f64;
        // By bytes, whose number is known, and not by documents.
        let growth = if summary.bytes > 0 { left_out_bytes as f64 / summary.bytes as f64 } else { 0.0 };
        let read = summary.seconds.read + sample.time().as_secs_f64() / threads * growth;
        // What a join looks at grows as pairs do, and the rest of it as documents.
        let checks = summary.join.map(|join| join.checks as f64);
        let growth_of_pairs = searched.candidate_sums.map_or(share.powi(-2), |sums| sums.texts * sums.texts);
        let more_checks = checks.unwrap_or(0.0) * (growth_of_pairs - 1.0 / share).max(0.0);
        let band = summary.seconds.band / share + more_checks * JoinSummary::SECONDS_OF_CHECK / threads;
        let least = summary.seconds.verify / share;
        // Half-way on a scale of factors: what is read grows less than what is counted.
        let verify = Estimate { expected: least / share.sqrt(), low: least, high: least / share };
        let of_bucket = summary.largest_bucket.as_ref().map_or(0, |bucket| bucket.documents);
        let candidates = match searched.candidate_sums {
            Some(CandidateSums { expected, variance, weight, .. }) => {
                Estimate::of_sums(summary.candidates, [expected, variance], weight)
            }
            None => Estimate::of_pairs(summary.candidates, degrees.paths(), share),
        };
        let plan = MemoryPlan::new(settings.resources);
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
            memory: ForecastMemory { sets: plan.all(), limit: memory::limit(), ..tables(share, summary, documents) },
        }
    }
}

/// The tables of all documents; the rest is 0.
fn tables(share: f64, summary: &Summary, documents: u64) -> ForecastMemory {
    let of_sample = summary.memory.tables;
    let high = of_sample as f64 / share;
    let low = (of_sample.max(documents * DOCUMENT_BYTES) as f64).min(high);
    let expected = (high - FIXED_BYTES * (1.0 / share - 1.0)).max(low);
    let [tables, tables_low, tables_high] = [expected, low, high].map(|bytes| bytes.round() as u64);
    ForecastMemory { tables, tables_low, tables_high, sets: 0, limit: None }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;
    use crate::input::InputSettings;
    use crate::memory::Resources;
    use crate::observe::Unwatched;
    use crate::run::find_duplicates;

    /// Of one thread: two may each sign one of two equal texts, whose keys take room twice then.
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
