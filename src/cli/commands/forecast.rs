//! `--forecast`: the settings of a run in, what it would find and take out, on standard output and as JSON.

use std::io::Write;
use std::path::Path;

use dedup_scan::{Settings, forecast};

use super::summary::{summary_file, write_summary};
use crate::cli::exit_code::ExitCode;
use crate::cli::messages::{self, Failure, Reporter, Result};

/// Forecasts a run, and prints the forecast.
///
/// * `share`: of the documents that are compared for it.
/// * `summary`: a file for it as JSON.
pub(super) fn print(settings: &Settings, share: f64, summary: Option<&Path>, quiet: bool) -> Result<ExitCode> {
    let mut settings = settings.clone();
    let own_files = &mut settings.input.own_files;
    let file = summary.map(|path| summary_file(path, None, own_files, quiet)).transpose()?;
    let forecast = Reporter::watch(quiet, |reporter| forecast(&settings, share, reporter))?;
    let text = messages::forecast(&forecast, &settings);
    let mut stdout = std::io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(Failure::output)?;
    if let Some(file) = file {
        write_summary(file, &forecast)?;
    }
    Ok(if forecast.errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
}
