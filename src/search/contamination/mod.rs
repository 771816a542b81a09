//! Finds the documents of a corpus that contain passages of benchmarks, which are other documents that must not be in it.
//!
//! Only the benchmarks are in memory: their plain words (see `text/plain_words`), and a table of all their runs of
//! [`ContaminationSettings::min_run`] words. The corpus is read once, and each text is looked up run by run, so every
//! common run is found for certain, and no other: a run that is found by its hash is compared word by word.
//!
//! A benchmark text that is shorter than a run is found as a whole, from [`ContaminationSettings::min_whole`] words on.
//! Shorter texts occur by chance, and are counted instead of searched for.
//!
//! `benchmark` keeps the benchmarks, and `run_table` looks runs up. `matcher` finds the texts that a document contains, by the
//! runs in `text_runs` and their positions in the benchmarks (`common_positions`). `alike` makes a class of all benchmark texts
//! with the same popular runs. `found` has the results.

mod alike;
mod benchmark;
mod benchmark_documents;
mod benchmark_text;
mod common_positions;
mod found;
mod hits;
mod matcher;
mod record;
mod remaining_words;
mod run_table;
mod settings;
mod text_runs;

use self::benchmark::{Benchmark, BenchmarkWords, CollectWords};
use self::benchmark_documents::BenchmarkDocuments;
pub(crate) use self::found::FoundContamination;
use self::matcher::{KeptResults, Matcher};
pub use self::record::{
    BenchmarkFile, BenchmarkRecord, ContaminationSummary, FieldRecord, FoundInRecord, MarkRecord, SpanRecord,
};
pub use self::settings::ContaminationSettings;
use crate::base::error::Result;
use crate::base::observe::{Observer, Stage};
use crate::documents::input::{InputSettings, Sources};
use crate::search::corpus::{WatchedCorpus, read_watched};
use crate::search::run::Settings;

/// Searches the documents of `settings` for passages of the benchmarks.
///
/// # Errors
/// When the run cannot be done.
pub(crate) fn find_contamination(
    settings: &Settings,
    benchmarks: &InputSettings,
    rule: &ContaminationSettings,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
) -> Result<FoundContamination> {
    rule.check()?;
    let (benchmark, documents, benchmark_errors) = read_benchmark(settings, benchmarks, rule, observer, pool)?;
    observer.begin(Stage::Read);
    let (sources, kept) = (Sources::new(settings.cancel.clone()), KeptResults::default());
    let watched = read_watched(settings.corpus(), &sources, observer, pool, || Matcher::new(&benchmark, &kept))?;
    watched.summary.check_read()?;
    Ok(FoundContamination::new(benchmark, documents, benchmark_errors, watched, sources))
}

/// Reads the benchmarks: once, or once for each field that is searched for separately. Also returns the number of inputs
/// that could not be used because of an error.
fn read_benchmark(
    settings: &Settings,
    benchmarks: &InputSettings,
    rule: &ContaminationSettings,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
) -> Result<(Benchmark, BenchmarkDocuments, u64)> {
    observer.begin(Stage::Read);
    let num_readings = rule.fields.len().max(1);
    let (mut words, mut all, mut errors) = (BenchmarkWords::default(), BenchmarkDocuments::default(), 0);
    for reading in 0..num_readings {
        let mut of_field = settings.clone();
        of_field.input = InputSettings { with_source: true, ..benchmarks.clone() };
        if let Some(field) = rule.fields.get(reading) {
            of_field.input.text_fields = vec![field.clone()];
        }
        let sources = Sources::new(settings.cancel.clone());
        let read = read_watched(of_field.corpus(), &sources, observer, pool, || CollectWords)?;
        let WatchedCorpus { documents, found, summary } = read;
        summary.check_read()?;
        // The inputs that cannot be read are the same in each reading.
        errors = errors.max(summary.problems.errors);
        let field = reading as u32;
        words.add(field, found, &documents, &mut |documents, document| {
            all.number_of(documents, document, reading > 0)
        })?;
    }
    Ok((words.finish(rule)?, all, errors))
}

#[cfg(test)]
mod tests;
