//! `sample_similarities`: measures how similar the documents are to one another, by a sample.

use super::settings::Settings;
use crate::base::error::Result;
use crate::base::observe::{Observer, Stage};
use crate::documents::input::Sources;
use crate::search::corpus;
use crate::search::corpus::{ReadCorpus, StageSettings};
use crate::search::estimate::similarities::{SimilaritySample, SimilaritySearch};
use crate::text::weights::Weighing;

/// Draws some texts at random and measures how similar they are to all others. The result shows how other bands and
/// rows would work on the corpus.
///
/// * `most_drawn`: the maximum number of texts to draw. Their shingles are in memory.
///
/// All documents are read twice, and none is signed. Also returns the number of inputs that could not be used.
///
/// # Errors
/// When the run cannot be done.
pub fn sample_similarities(
    settings: &Settings,
    most_drawn: usize,
    observer: &dyn Observer,
) -> Result<(SimilaritySample, u64)> {
    settings.check()?;
    let (pool, sources) = (settings.thread_pool()?, Sources::new(settings.cancel.clone()));
    let weighing = settings.weights.as_ref().map(Weighing::new);
    let corpus = StageSettings { weights: weighing.as_ref(), signs: false, ..settings.corpus() };
    observer.begin(Stage::Read);
    let read = corpus::read(corpus, &sources, observer, &pool, false)?;
    read.summary.check_read()?;
    let mut errors = read.summary.problems.errors;
    let documents = read.corpus.into_documents();
    let corpus = ReadCorpus {
        observer,
        settings: corpus,
        removal: read.removal.as_ref(),
        documents: &documents,
        sources: &sources,
    };
    let search = SimilaritySearch { corpus, threshold: settings.pairs.threshold };
    let (sample, problems) = pool.install(|| search.run(most_drawn))?;
    for problem in problems {
        errors += 1;
        observer.problem(&problem);
    }
    sources.check()?;
    Ok((sample, errors))
}
