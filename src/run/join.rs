//! `join`: a corpus that was read in, the pairs of texts that may reach the threshold out; none that does is missing.

use std::time::Instant;

use super::matches::report;
use super::settings::Settings;
use super::summary::Summary;
use crate::banding::ListedCandidates;
use crate::corpus::CorpusSettings;
use crate::document::Documents;
use crate::error::Result;
use crate::input::Sources;
use crate::join::{JoinSearch, JoinedTexts};
use crate::observe::Observer;
use crate::removal::Removal;

/// Finds the candidates of an exhaustive join, in the thread pool of the run.
///
/// # Errors
/// When the run cannot be done.
pub(super) fn join(
    settings: &Settings,
    corpus: CorpusSettings,
    documents: &Documents,
    removal: Option<&Removal>,
    sources: &Sources,
    observer: &dyn Observer,
    summary: &mut Summary,
) -> Result<ListedCandidates> {
    let start = Instant::now();
    let search = JoinSearch::new(observer, corpus, settings.pairs.threshold, removal, documents, sources);
    let JoinedTexts { candidates, summary: join, table_bytes, problems } = search.run(None)?;
    summary.seconds.band = start.elapsed().as_secs_f64();
    report(problems, observer, summary);
    summary.join = Some(join);
    summary.memory.tables_at_least(documents.num_bytes() + table_bytes.max(candidates.num_bytes()));
    sources.check()?;
    Ok(candidates)
}
