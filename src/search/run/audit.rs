//! Measures the recall of a finished run, and adds the result to its summary.

use std::time::Instant;

use super::matches::report;
use super::summary::Summary;
use crate::base::error::Result;
use crate::search::estimate::audit::{Audit, Drawing};

/// Measures the recall of a run, in its thread pool.
///
/// * `drawing`: has received all pairs of the run.
///
/// # Errors
/// When memory is too small, or the run was cancelled.
pub(super) fn audit(audit: Audit<'_>, drawing: Drawing<'_>, summary: &mut Summary) -> Result<()> {
    let (start, observer, sources) = (Instant::now(), audit.observer, audit.sources);
    let (measured, problems, reported) = audit.run(drawing)?;
    summary.add(reported);
    report(problems, observer, summary);
    summary.audit = Some(measured);
    summary.seconds.audit = start.elapsed().as_secs_f64();
    sources.check()
}
