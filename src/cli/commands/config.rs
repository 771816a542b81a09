//! `dedup config`: prints the settings that a command line would run with, and where each comes from.

use std::ffi::OsString;
use std::io::Write;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use dedup_scan::base::shown;
use serde::Serialize;

use crate::cli::config::{Merged, keys_of};
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::{Preset, ResourceFlags, RunFlags};
use crate::cli::messages::{self, Failure, Result};

/// Print the settings of a command, and where each comes from
#[derive(Debug, Args)]
pub(crate) struct ConfigCommand {
    /// Print one JSON object, which has the defaults too
    #[arg(long)]
    json: bool,

    /// Print the defaults too
    #[arg(long)]
    all: bool,

    /// The command and its flags [default: scan]
    #[arg(value_name = "COMMAND", trailing_var_arg = true, allow_hyphen_values = true, num_args = 0..)]
    command: Vec<OsString>,
}

/// The settings that a command runs with. `--json` prints this record; keys are only ever added.
#[derive(Debug, Serialize)]
struct ConfigRecord {
    /// Name of the command.
    command: String,
    /// Path of the `dedup.toml` that was read, if any.
    file: Option<String>,
    /// All flags that a file can set, in the order of the help.
    settings: Vec<SettingRecord>,
}

/// A flag, its values and where they come from.
#[derive(Debug, Serialize)]
struct SettingRecord {
    /// The key in a file, which is the long name of the flag without its dashes.
    key: String,
    /// Values of the flag; empty for a switch that is off and for a flag without a default.
    values: Vec<String>,
    /// Source of the values: the command line, the file, a preset or the default.
    source: SettingSource,
    /// Place in the file, when the values come from the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum SettingSource {
    CommandLine,
    File,
    Preset,
    Default,
}

impl ConfigCommand {
    /// * `program`: the program with all its subcommands and the flags about `dedup.toml`.
    pub(crate) fn run(&self, program: &Command) -> Result<ExitCode> {
        let words: Vec<OsString> = if self.command.is_empty() { vec!["scan".into()] } else { self.command.clone() };
        let name = words[0].to_string_lossy().into_owned();
        let readers: Vec<&str> = crate::cli::config::READERS.to_vec();
        let Some(command) = program.find_subcommand(&name).filter(|_| readers.contains(&name.as_str())) else {
            let instead = format!("it reads no settings; {}", messages::instead_of(&name, &readers));
            return Err(Failure::new(format!("{}: {instead}", shown(&name))));
        };
        let arguments: Vec<OsString> = std::iter::once("dedup".into()).chain(words).collect();
        let merged = Merged::new(program, arguments.clone())?;
        // A missing argument, such as a PATH, changes no setting.
        let checked = program.clone().try_get_matches_from(&merged.arguments);
        if let Err(error) = checked.as_ref()
            && error.kind() != ErrorKind::MissingRequiredArgument
        {
            let words: Vec<String> = arguments[1..].iter().map(|word| word.to_string_lossy().into_owned()).collect();
            let failure = messages::usage::failure(error, &words, program);
            let note = merged.note_on(failure.flags());
            return Err(failure.with_note(note));
        }
        merged.notes.iter().for_each(|note| messages::line(note));
        let given = program.clone().ignore_errors(true).try_get_matches_from(&arguments).ok();
        let given = given.and_then(|mut given| given.remove_subcommand()).map(|(_, given)| given);
        let all = program.clone().ignore_errors(true).try_get_matches_from(&merged.arguments).ok();
        let all = all.and_then(|mut all| all.remove_subcommand()).map(|(_, all)| all);
        if let Some(all) = &all {
            check(all).map_err(|failure| {
                let note = merged.note_on(failure.flags());
                failure.with_note(note)
            })?;
        }
        let preset = all.as_ref().and_then(preset_of);
        let settings = keys_of(command).map(|arg| setting(arg, given.as_ref(), &merged, preset)).collect();
        let file = merged.file.as_ref().map(|file| file.to_string_lossy().into_owned());
        let record = ConfigRecord { command: name, file, settings };
        let text =
            if self.json { serde_json::to_string(&record).expect("strings") + "\n" } else { record.text(self.all) };
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(Failure::output)?;
        Ok(ExitCode::Complete)
    }
}

/// Refuses contradictory flags of method, shingles and matching with the same message as the command itself.
fn check(matches: &ArgMatches) -> Result<()> {
    // A saved result brings its own settings, and the flags only filter its pairs; edges have no settings.
    let is_given = |id: &str| matches.try_contains_id(id).unwrap_or(false);
    let has_edges = matches.try_get_one::<bool>("edges").ok().flatten().is_some_and(|&edges| edges);
    if is_given("from") || has_edges {
        return Ok(());
    }
    // A required argument may be missing here; then there is nothing to check.
    let (Ok(run), Ok(resources)) = (RunFlags::from_arg_matches(matches), ResourceFlags::from_arg_matches(matches))
    else {
        return Ok(());
    };
    run.check(&resources)
}

/// The preset that a command line gives, or the preset that matching by passages implies.
fn preset_of(matches: &ArgMatches) -> Option<Preset> {
    let given = matches.try_get_one::<Preset>("preset").ok().flatten().copied();
    let raw = || matches.try_get_raw("match_by").ok().flatten().and_then(|mut values| values.next());
    given.or_else(|| raw().is_some_and(|by| by == "passages").then_some(Preset::Prose))
}

fn setting(arg: &Arg, given: Option<&ArgMatches>, merged: &Merged, preset: Option<Preset>) -> SettingRecord {
    let key = arg.get_long().expect("keys have names").to_owned();
    let id = arg.get_id().as_str();
    let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
    if let Some(given) = given.filter(|given| given.value_source(id) == Some(ValueSource::CommandLine)) {
        let raw = given.try_get_raw(id).ok().flatten();
        let values = match raw {
            Some(values) if !is_switch => values.map(|value| value.to_string_lossy().into_owned()).collect(),
            _ => vec!["true".to_owned()],
        };
        return SettingRecord { key, values, source: SettingSource::CommandLine, place: None };
    }
    if let Some(setting) = merged.settings.iter().find(|setting| setting.id == id) {
        let value = |argument: &OsString| {
            let argument = argument.to_string_lossy();
            match argument.strip_prefix(&format!("--{key}")) {
                Some("") => {
                    if is_switch {
                        Some("true".to_owned())
                    } else {
                        None
                    }
                }
                Some(value) if value.starts_with('=') => Some(value[1..].to_owned()),
                _ => Some(argument.into_owned()),
            }
        };
        let values = setting.arguments.iter().filter_map(value).collect();
        return SettingRecord { key, values, source: SettingSource::File, place: Some(setting.place.clone()) };
    }
    if let Some(value) = preset.and_then(|preset| preset.value_of(&key)) {
        return SettingRecord { key, values: vec![value], source: SettingSource::Preset, place: None };
    }
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    let values = if is_switch {
        Vec::new()
    } else if defaults.is_empty() {
        default_in_help(arg).into_iter().collect()
    } else {
        defaults
    };
    SettingRecord { key, values, source: SettingSource::Default, place: None }
}

/// The default that the help of a flag describes, for a flag whose default depends on other settings.
fn default_in_help(arg: &Arg) -> Option<String> {
    let help = arg.get_help()?.to_string();
    let (_, behind) = help.split_once("[default: ")?;
    behind.split_once(']').map(|(default, _)| default.to_owned())
}

impl ConfigRecord {
    /// * `all`: whether settings with their default value are listed too.
    fn text(&self, all: bool) -> String {
        let file = self.file.as_deref().map_or("no dedup.toml".into(), shown);
        let mut text = format!("dedup {}, settings of {file}\n", self.command);
        let settings: Vec<&SettingRecord> =
            self.settings.iter().filter(|setting| all || setting.source != SettingSource::Default).collect();
        if settings.is_empty() {
            text += "all settings are the defaults; --all lists them\n";
        }
        let value = |setting: &SettingRecord| match setting.values.as_slice() {
            [] if setting.source == SettingSource::File => "false".to_owned(),
            [] => "-".to_owned(),
            values => values.iter().map(|value| shown(value)).collect::<Vec<_>>().join(", "),
        };
        let width = |length: &dyn Fn(&SettingRecord) -> usize| {
            settings.iter().map(|setting| length(setting)).max().unwrap_or(0)
        };
        let keys = width(&|setting| setting.key.len());
        let values = width(&|setting| value(setting).chars().count()).min(40);
        for setting in &settings {
            let source = match (setting.source, &setting.place) {
                (SettingSource::File, Some(place)) => place.clone(),
                (SettingSource::File, None) => "file".to_owned(),
                (SettingSource::CommandLine, _) => "command line".to_owned(),
                (SettingSource::Preset, _) => "preset".to_owned(),
                (SettingSource::Default, _) => "default".to_owned(),
            };
            text += &format!("{:<keys$}  {:<values$}  {source}\n", setting.key, value(setting));
        }
        text
    }
}
