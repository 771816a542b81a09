//! `audit`: a run that is over in, the measured share of the true pairs that it found out.

use std::time::Instant;

use super::matches::report;
use super::summary::Summary;
use crate::audit::{Audit, Drawing};
use crate::error::Result;

/// Measures the recall of a run, in its thread pool.
///
/// * `drawing`: has taken all pairs of the run.
///
/// # Errors
/// When there is no room for what it takes, or the run was cancelled.
pub(super) fn audit(audit: Audit<'_>, drawing: Drawing<'_>, summary: &mut Summary) -> Result<()> {
    let (start, observer, sources) = (Instant::now(), audit.observer, audit.sources);
    let (measured, problems, reported) = audit.run(drawing)?;
    summary.add(reported);
    report(problems, observer, summary);
    summary.audit = Some(measured);
    summary.seconds.audit = start.elapsed().as_secs_f64();
    sources.check()
}
