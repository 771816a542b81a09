//! `Merged`: adds the flags of the nearest settings file to a command line, and records where each came from.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use dedup_scan::base::shown;
use serde::Serialize;

use super::fault::fault_at;
use super::file::{ConfigFile, Entry, find};
use super::keys::{READERS, all_keys_of, id_of_opposite, is_of_a_result, keys_of, names_of, only_if_given};
use super::value;
use crate::cli::messages::{Result, one_of, similar};

/// Commands whose settings are in an index.
const OF_AN_INDEX: [&str; 2] = ["index", "query"];

/// A command line with the flags that a settings file adds.
#[derive(Debug, Default)]
pub(crate) struct Merged {
    /// Arguments, starting with the program's name.
    pub(crate) arguments: Vec<OsString>,
    /// Path of the settings file, if there is one and the command reads it.
    pub(crate) file: Option<PathBuf>,
    /// Settings that the file adds.
    pub(crate) settings: Vec<MergedSetting>,
    /// Whether the run reports on stderr which settings the file adds.
    pub(crate) says_settings: bool,
    /// Notes on keys that have no effect.
    pub(crate) notes: Vec<String>,
}

/// The settings file of a run. The summary contains it as `config`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct UsedConfig {
    /// Path of the file, with U+FFFD instead of bytes that are not UTF-8.
    file: String,
    /// Keys of the file that the run uses, in the order of the help.
    keys: Vec<String>,
}

/// A flag that a key of a settings file sets.
#[derive(Debug)]
pub(crate) struct MergedSetting {
    /// Id of the flag.
    pub(crate) id: String,
    /// Long name of the flag, with dashes.
    flag: String,
    /// Place of the key, as `FILE:LINE`.
    pub(crate) place: String,
    /// Arguments for the key; empty for a switch that is off.
    pub(crate) arguments: Vec<OsString>,
}

impl Merged {
    /// Merges the given or the nearest settings file with a command line.
    ///
    /// * `program`: the program with the flags about the file.
    /// * `arguments`: the arguments, starting with the program's name.
    ///
    /// # Errors
    /// When the file cannot be read, or has a key that no command has.
    pub(crate) fn new(program: &Command, arguments: Vec<OsString>) -> Result<Self> {
        let unmerged = |arguments| Ok(Self { arguments, ..Self::default() });
        let name = arguments.get(1).and_then(|name| name.to_str()).unwrap_or_default();
        let Some(command) = program.find_subcommand(name).filter(|command| READERS.contains(&command.get_name()))
        else {
            let notes = if OF_AN_INDEX.contains(&name) { note_of_index(&arguments) } else { Vec::new() };
            return Ok(Self { arguments, notes, ..Self::default() });
        };
        // Errors of the command line are reported when the merged arguments are parsed.
        let given = program.clone().ignore_errors(true).try_get_matches_from(&arguments);
        let Some(given) = given.ok().and_then(|mut given| given.remove_subcommand()).map(|(_, given)| given) else {
            return unmerged(arguments);
        };
        // After an error, the remaining flags of a command line do not even have their defaults.
        if given.value_source("no_config") == Some(ValueSource::CommandLine) {
            return unmerged(arguments);
        }
        let named = given.get_one::<PathBuf>("config");
        let Some(path) = named.cloned().or_else(find) else { return unmerged(arguments) };
        let file = ConfigFile::read(&path)?;
        check_keys(program, &file)?;
        let (settings, notes) = settings(command, &given, &file, named.is_some())?;
        let of_file = settings.iter().flat_map(|setting| setting.arguments.iter().cloned());
        let (before, behind) = arguments.split_at(2);
        let arguments = before.iter().cloned().chain(of_file).chain(behind.iter().cloned()).collect();
        // `quiet` in a file that was found automatically does not hide that the file was found.
        let is_quiet = given.try_get_one::<bool>("quiet").ok().flatten().is_some_and(|&quiet| quiet);
        let is_hidden = is_quiet || named.is_some() && settings.iter().any(|setting| setting.id == "quiet");
        Ok(Self { arguments, file: Some(path), settings, says_settings: !is_hidden, notes })
    }

    /// The file and the keys that the run uses; `None` if it uses none.
    pub(crate) fn used(&self) -> Option<UsedConfig> {
        let file = self.file.as_ref().filter(|_| !self.settings.is_empty())?;
        let keys = self.settings.iter().map(|setting| setting.flag.trim_start_matches("--").to_owned()).collect();
        Some(UsedConfig { file: file.to_string_lossy().into_owned(), keys })
    }

    /// The line of the summary that reports the file and its keys.
    pub(crate) fn summary_line(&self) -> Option<String> {
        let UsedConfig { file, keys } = self.used().filter(|_| self.says_settings)?;
        Some(format!("dedup: note: {} sets {}; --no-config ignores it", shown(&file), keys.join(", ")))
    }

    /// The note on the place in the file that sets one of these flags; `None` if the file sets none of them.
    pub(crate) fn note_on(&self, flags: &[String]) -> Option<String> {
        let MergedSetting { flag, place, .. } = self.settings.iter().find(|setting| flags.contains(&setting.flag))?;
        Some(format!("{flag} is set by {place}; --no-{} cancels it", flag.trim_start_matches("--")))
    }
}

/// Notes that a settings file exists, since commands on an index do not read it.
fn note_of_index(arguments: &[OsString]) -> Vec<String> {
    let is_asked =
        !arguments.iter().any(|argument| ["-q", "--quiet", "-h", "--help"].iter().any(|flag| argument == flag));
    let file = if is_asked { find() } else { None };
    let note = |path: PathBuf| {
        let path = shown(&path.to_string_lossy());
        format!(
            "dedup: note: {path} is not read: an index has the settings that it was built with, by the flags of `index build`"
        )
    };
    file.map(note).into_iter().collect()
}

/// Refuses keys that no command accepts, whatever the command line is.
fn check_keys(program: &Command, file: &ConfigFile) -> Result<()> {
    let readers = || READERS.iter().filter_map(|name| program.find_subcommand(name));
    for Entry { command, key, line, .. } in &file.entries {
        let fault = |fault: &str| Err(fault_at(&file.path, *line, fault));
        let of_command = match command {
            None => None,
            Some(name) => match readers().find(|command| command.get_name() == name) {
                Some(command) => Some(command),
                None => {
                    let instead = one_of(&READERS);
                    return fault(&format!(
                        "[{}]: no command with settings has this name; give {instead}",
                        shown(name)
                    ));
                }
            },
        };
        if of_command.is_some() && key.is_empty() {
            continue;
        }
        let commands: Vec<&Command> = of_command.map_or_else(|| readers().collect(), |command| vec![command]);
        let longs: BTreeSet<&str> =
            commands.iter().flat_map(|command| keys_of(command)).filter_map(Arg::get_long).collect();
        let has_key = |command: &&Command| all_keys_of(command).flat_map(names_of).any(|name| name == key);
        if commands.iter().any(has_key) {
            continue;
        }
        let is_flag = readers()
            .any(|command| command.get_arguments().any(|arg| arg.get_long() == Some(key) && !arg.is_hide_set()));
        let key = shown(key);
        return match (is_flag, similar(&key, longs.iter().copied()), command) {
            (true, _, Some(command))
                if readers().any(|command| keys_of(command).any(|arg| arg.get_long() == Some(&*key))) =>
            {
                fault(&format!("{key}: dedup {command} has no such flag; remove the key"))
            }
            (true, ..) => fault(&format!("{key}: it applies to one run only; give --{key} on the command line")),
            (false, Some(similar), _) => fault(&format!("{key}: no such key; {similar} is similar")),
            (false, None, _) => fault(&format!("{key}: no such key; remove it (dedup config lists the keys)")),
        };
    }
    Ok(())
}

/// The settings that the file adds to a command line, and notes on keys that have no effect.
fn settings(
    command: &Command,
    given: &ArgMatches,
    file: &ConfigFile,
    is_named: bool,
) -> Result<(Vec<MergedSetting>, Vec<String>)> {
    let is_given =
        |id: &str| given.try_contains_id(id).is_ok() && given.value_source(id) == Some(ValueSource::CommandLine);
    let replaced: BTreeSet<&str> = replaced_by(command, &is_given);
    // The table of a command overrides the keys for all commands.
    let mut entries: BTreeMap<&str, &Entry> = BTreeMap::new();
    for of_command in [false, true] {
        for entry in &file.entries {
            let is_of_it = entry.command.as_deref() == Some(command.get_name());
            if entry.command.is_some() == of_command && (is_of_it || !of_command) {
                let arg = all_keys_of(command).find(|arg| names_of(arg).any(|name| name == entry.key));
                entries.extend(arg.and_then(Arg::get_long).map(|long| (long, entry)));
            }
        }
    }
    let (mut settings, mut notes) = (Vec::new(), Vec::new());
    for arg in all_keys_of(command) {
        let long = arg.get_long().expect("keys have names");
        let Some(entry) = entries.get(long) else { continue };
        let id = arg.get_id().as_str();
        let place = format!("{}:{}", shown(&file.path.to_string_lossy()), entry.line);
        if replaced.contains(id) || is_given(&id_of_opposite(id)) || is_given("from") && is_of_a_result(arg) {
            continue;
        }
        if let Some(what) = only_if_given(arg).filter(|_| !is_named) {
            let path = shown(&file.path.to_string_lossy());
            notes.push(format!(
                "dedup: warning: {place}: {long} {what}, so it is only read from a file that --config gives; add --config {path}, or remove the key"
            ));
            continue;
        }
        if !is_named && value::names_an_output(arg, &entry.value) {
            let fault = format!(
                "{long}: it names a file to write, which applies to one run only; give --{long} on the command line, or this file by --config"
            );
            return Err(fault_at(&file.path, entry.line, &fault));
        }
        if let Some(fault) = value::path_outside(arg, &entry.value, &file.folder).filter(|_| !is_named) {
            return Err(fault_at(&file.path, entry.line, &format!("{long}: {fault}")));
        }
        let arguments = value::arguments(arg, &entry.value, Path::new(&file.folder))
            .map_err(|instead| fault_at(&file.path, entry.line, &format!("{long}: {instead}")))?;
        settings.push(MergedSetting { id: id.to_owned(), flag: format!("--{long}"), place, arguments });
    }
    Ok((settings, notes))
}

/// The flags of the command line, and the flags that conflict with them.
fn replaced_by<'c>(command: &'c Command, is_given: &dyn Fn(&str) -> bool) -> BTreeSet<&'c str> {
    let mut replaced = BTreeSet::new();
    for arg in command.get_arguments() {
        let is_arg_given = is_given(arg.get_id().as_str());
        if is_arg_given {
            replaced.insert(arg.get_id().as_str());
        }
        for other in command.get_arg_conflicts_with(arg) {
            if is_arg_given {
                replaced.insert(other.get_id().as_str());
            }
            if is_given(other.get_id().as_str()) {
                replaced.insert(arg.get_id().as_str());
            }
        }
    }
    replaced
}
