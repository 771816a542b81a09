//! `timed`: runs a stage and measures its wall time.

use std::time::Instant;

use crate::base::error::Result;
use crate::base::observe::{Observer, Stage};

/// Runs a stage; returns its result and its wall time in seconds.
pub(super) fn timed<T>(observer: &dyn Observer, stage: Stage, work: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
    let start = Instant::now();
    observer.begin(stage);
    let done = work()?;
    Ok((done, start.elapsed().as_secs_f64()))
}
