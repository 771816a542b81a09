//! `matches`: finds the pairs of texts that match by their passages.

use super::summary::Summary;
use super::timed::timed;
use crate::base::error::Result;
use crate::base::observe::{Observer, Stage};
use crate::base::problem::Problem;
use crate::documents::document::Documents;
use crate::documents::input::Sources;
use crate::search::corpus::{Corpus, CorpusSettings};
use crate::search::matching::{MatchSearch, MatchSettings, Matches, Postings};
use crate::text::removal::Removal;

/// Finds the matching pairs, in the thread pool of the run.
///
/// # Errors
/// When the run cannot be done.
pub(super) fn matches(
    settings: CorpusSettings,
    by_passages: MatchSettings,
    corpus: Corpus,
    removal: Option<&Removal>,
    sources: &Sources,
    observer: &dyn Observer,
    summary: &mut Summary,
) -> Result<(Documents, Matches)> {
    let mut documents = corpus.into_documents();
    let passages = by_passages.passages;
    let read = || Postings::read(observer, settings, passages, removal, &documents, sources);
    let (mut postings, index_seconds) = timed(observer, Stage::Index, read)?;
    report(std::mem::take(&mut postings.problems), observer, summary);
    documents.forget_texts(&postings.without_tokens);
    let search =
        MatchSearch { observer, corpus: settings, settings: by_passages, removal, documents: &documents, sources };
    let (candidates, band_seconds) = timed(observer, Stage::Band, || search.candidates(postings))?;
    summary.seconds.band = index_seconds + band_seconds;
    let (mut matches, align_seconds) = timed(observer, Stage::Align, || search.matches(candidates))?;
    summary.seconds.verify = align_seconds;
    report(std::mem::take(&mut matches.problems), observer, summary);
    summary.matches = Some(matches.summary.clone());
    summary.memory.tables_at_least(documents.num_bytes() + matches.candidates.num_bytes());
    sources.check()?;
    Ok((documents, matches))
}

/// Reports and counts problems.
pub(super) fn report(problems: Vec<Problem>, observer: &dyn Observer, summary: &mut Summary) {
    for problem in problems {
        summary.count(&problem);
        observer.problem(&problem);
    }
}
