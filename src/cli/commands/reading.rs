//! `reading_of`: finds how to read the documents of a result again, from the flags in the header of the result.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::Filter;
use dedup_scan::results::ResultHeader;
use dedup_scan::{InputSettings, Settings, ShingleKind};

use super::compare::Compare;
use super::saved_reading::SavedReading;
use super::scan::Scan;
use crate::cli::config::with_flags;
use crate::cli::flags::AgainstFlags;
use crate::cli::interrupt;
use crate::cli::messages::{Failure, Result};

/// The command line of a run that saved its result.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct SavedRun {
    #[command(subcommand)]
    command: SavingCommand,
}

#[derive(Debug, Subcommand)]
enum SavingCommand {
    Scan(Box<Scan>),
    Compare(Box<Compare>),
}

/// Reads the documents of a result as its run did, and documents of a plain file of pairs as a run without flags.
///
/// * `filters`: the filter commands of this run. Filter commands in the result are never executed, since the result
///   may come from an untrusted source.
pub(crate) fn reading_of(header: Option<&ResultHeader>, filters: &[Filter]) -> Result<SavedReading> {
    let folder = header.map_or_else(PathBuf::new, |header| path_of(header.folder.to_bytes()).into());
    let (mut settings, passages) = match header {
        Some(header) => settings_of(header, &folder)?,
        None => default_settings()?,
    };
    settings.input.filters = filters.to_vec();
    settings.cancel = interrupt::cancel();
    Ok(SavedReading { settings, passages, folder })
}

/// The inputs of the run that saved a result, as given; empty if its command line is not known.
///
/// # Errors
/// When a list of files gave the inputs: a result does not have such a list.
pub(crate) fn inputs_of(header: Option<&ResultHeader>) -> Result<Vec<PathBuf>> {
    let Some((scan, against)) = header.and_then(saved_run) else { return Ok(Vec::new()) };
    let lists_others = against.as_ref().is_some_and(|against| against.against_files_from.is_some());
    if scan.lists_inputs() || lists_others {
        return Err(Failure::of_value(
            "--by",
            "dir",
            "the inputs of the saved run came from a list of files, so the folders are not known; give the inputs instead of --from",
        ));
    }
    let against = against.map_or_else(Vec::new, |against| against.against);
    Ok(scan.into_inputs().into_iter().chain(against).collect())
}

/// The flags of the run that saved a result, and its second side; `None` if the header does not have them.
pub(crate) fn saved_run(header: &ResultHeader) -> Option<(Box<Scan>, Option<AgainstFlags>)> {
    let arguments = header.arguments.iter().map(|argument| path_of(argument.to_bytes()));
    // The saved arguments include the flags about `dedup.toml`, and the settings of that file as flags.
    let matches = with_flags(SavedRun::command()).try_get_matches_from(arguments);
    match matches.and_then(|matches| SavedRun::from_arg_matches(&matches)).map(|run| run.command) {
        Ok(SavingCommand::Scan(scan)) => Some((scan, None)),
        Ok(SavingCommand::Compare(compare)) => Some((Box::new(compare.scan), Some(compare.against))),
        // The result was written by the library, or by another version.
        Err(_) => None,
    }
}

fn settings_of(header: &ResultHeader, folder: &Path) -> Result<(Settings, Option<PassageSettings>)> {
    saved_run(header).map_or_else(default_settings, |(scan, against)| scan.settings_to_read(against, folder))
}

fn default_settings() -> Result<(Settings, Option<PassageSettings>)> {
    let passages = PassageSettings::of(ShingleKind::Char)?;
    Ok((Settings::of(InputSettings::default()), Some(passages)))
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes)
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> OsString {
    String::from_utf8_lossy(&bytes).into_owned().into()
}
