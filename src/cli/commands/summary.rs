//! `--summary`: opens its file before the run, and writes one JSON object to it at the end.

use std::io::Write;
use std::path::Path;

use dedup_scan::documents::OwnFiles;
use dedup_scan::records::push_json;
use serde::Serialize;

use super::destination::LineOutput;
use super::replaced_file::{ReplacedFile, SUMMARY};
use crate::cli::config::{self, UsedConfig};
use crate::cli::messages::Result;

/// A summary, with the settings file of the run if there is one.
#[derive(Serialize)]
struct ConfiguredSummary<'a, S> {
    #[serde(flatten)]
    summary: &'a S,
    #[serde(skip_serializing_if = "Option::is_none")]
    config: Option<&'static UsedConfig>,
}

/// Opens the file of `--summary`.
pub(crate) fn summary_file<'a>(
    path: &'a Path,
    output: Option<&LineOutput<'a>>,
    own_files: &mut OwnFiles,
    quiet: bool,
) -> Result<ReplacedFile<'a>> {
    let file = ReplacedFile::open(path, &SUMMARY, own_files, quiet)?;
    output.and_then(LineOutput::file).map_or(Ok(()), |output| output.check_other(&file))?;
    Ok(file)
}

/// Writes a summary as one JSON object.
pub(crate) fn write_summary(mut file: ReplacedFile<'_>, summary: &impl Serialize) -> Result<()> {
    let mut line = Vec::new();
    push_json(&mut line, &ConfiguredSummary { summary, config: config::used() });
    line.push(b'\n');
    file.write_all(&line).map_err(|error| file.failure(error))?;
    file.finish()
}
