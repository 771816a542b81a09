//! `audit`: a run that is over in, the measured share of the true pairs that it found out.

use std::time::Instant;

use super::matches::report;
use super::settings::Settings;
use super::summary::Summary;
use crate::audit::{Audit, Drawing};
use crate::corpus::CorpusSettings;
use crate::document::Documents;
use crate::error::Result;
use crate::input::Sources;
use crate::observe::Observer;
use crate::removal::Removal;

/// Measures the recall of a run, in its thread pool.
///
/// * `drawing`: has taken all pairs of the run.
///
/// # Errors
/// When there is no room for what it takes, or the run was cancelled.
pub(super) fn audit(
    settings: &Settings,
    corpus: CorpusSettings,
    drawing: Drawing,
    documents: &Documents,
    removal: Option<&Removal>,
    sources: &Sources,
    observer: &dyn Observer,
    summary: &mut Summary,
) -> Result<()> {
    let start = Instant::now();
    let audit = Audit { observer, corpus, pairs: settings.pairs, removal, documents, sources };
    let (measured, problems, reported) = audit.run(drawing)?;
    summary.add(reported);
    report(problems, observer, summary);
    summary.audit = Some(measured);
    summary.seconds.audit = start.elapsed().as_secs_f64();
    Ok(())
}
