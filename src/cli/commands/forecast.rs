//! `--forecast`: the settings of a run in, what it would find and take out, on standard output and as JSON.

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

/// The share of the documents where none is given.
const DEFAULT_SHARE: f64 = 0.1;
/// A sample of fewer documents, of a corpus of fewer bytes, is too small to say much, and all of them take a second or so.
const FEW_DOCUMENTS: u64 = 1000;
const FEW_BYTES: u64 = 64 << 20;

/// Forecasts a run, and prints the forecast.
///
/// * `summary`: a file for it as JSON.
pub(super) fn print(settings: &Settings, of: ForecastShare, summary: Option<&Path>, quiet: bool) -> Result<ExitCode> {
    refuse_value(settings, "--forecast", "a share", |text| share(text).is_ok())?;
    let mut settings = settings.clone();
    let own_files = &mut settings.input.own_files;
    let file = summary.map(|path| summary_file(path, None, own_files, quiet)).transpose()?;
    let share = if let ForecastShare::Given(share) = of { share } else { DEFAULT_SHARE };
    let mut found = Reporter::watch(quiet, |reporter| forecast(&settings, share, reporter))?;
    if of == ForecastShare::Chosen && is_little(&found) && can_be_read_again(&settings) {
        // What is wrong with inputs was said before.
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

/// Pipes are empty the second time.
fn can_be_read_again(settings: &Settings) -> bool {
    paths(settings).all(|path| path.metadata().is_ok_and(|metadata| metadata.is_file() || metadata.is_dir()))
}
