//! `--forecast`: estimates from a sample the pairs, time and memory of a run, and prints the estimates.

use std::io::Write;
use std::path::Path;

use dedup_scan::search::{RunForecast, forecast};
use dedup_scan::{Settings, Unwatched};

use super::spaced_value::{paths, refuse_value};
use super::summary::{summary_file, write_summary};
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{ForecastShare, share};
use crate::cli::messages::{self, Failure, Reporter, Result};
use crate::cli::stream_writer::StreamWriter;
use crate::cli::streams::raw_stdout;

/// Share of the documents in the sample by default.
const DEFAULT_SHARE: f64 = 0.1;
/// If the sample has fewer documents and the corpus fewer bytes than these, the forecast uses all documents instead.
const FEW_DOCUMENTS: u64 = 1000;
const FEW_BYTES: u64 = 64 << 20;

/// Estimates a run, and prints the forecast.
///
/// * `summary`: a file for the forecast as JSON.
pub(super) fn print(settings: &Settings, of: ForecastShare, summary: Option<&Path>, quiet: bool) -> Result<ExitCode> {
    refuse_value(settings, "--forecast", "a share", |text| share(text).is_ok())?;
    let mut settings = settings.clone();
    let own_files = &mut settings.input.own_files;
    let file = summary.map(|path| summary_file(path, None, own_files, quiet)).transpose()?;
    let share = if let ForecastShare::Given(share) = of { share } else { DEFAULT_SHARE };
    let mut found = Reporter::watch(quiet, |reporter| forecast(&settings, share, reporter))?;
    if of == ForecastShare::Chosen && is_little(&found) && can_be_read_again(&settings) {
        // Problems with inputs were reported by the first pass.
        found = forecast(&settings, 1.0, &Unwatched)?;
    }
    let text = messages::forecast(&found, &settings);
    let mut stdout = StreamWriter::new(raw_stdout().map_err(Failure::output)?);
    stdout.write_all(text.as_bytes()).map_err(Failure::output)?;
    if let Some(file) = file {
        write_summary(file, &found)?;
    }
    Ok(if found.errors > 0 { ExitCode::Incomplete } else { ExitCode::Complete })
}

fn is_little(forecast: &RunForecast) -> bool {
    forecast.sampled < FEW_DOCUMENTS && forecast.bytes < FEW_BYTES
}

/// Whether all inputs are files or folders; a pipe is empty the second time.
fn can_be_read_again(settings: &Settings) -> bool {
    paths(settings).all(|path| path.metadata().is_ok_and(|metadata| metadata.is_file() || metadata.is_dir()))
}
