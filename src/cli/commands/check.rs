//! `dedup check`: recomputes a result from its documents, and prints every difference.

use std::io::Write;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::Args;
use dedup_scan::base::shown;
use dedup_scan::documents::OwnUse;
use dedup_scan::records::push_json;
use dedup_scan::results::{CheckSettings, CheckSummary, Fault, ResultHeader, SavedResult, check_result};
use dedup_scan::search::AuditSummary;
use dedup_scan::{AuditSettings, Error, Settings, ShingleKind};
use serde::Serialize;

use super::reading::saved_run;
use super::summary::{summary_file, write_summary};
use crate::cli::exit_code::ExitCode;
use crate::cli::flags::values::whole;
use crate::cli::flags::{
    AgainstFlags, GroupFlags, KeptNamesFlags, OldFlags, ResourceFlags, RunFlags, UnitFlags, other_flag,
};
use crate::cli::messages::{self, Failure, Reporter, Result};
use crate::cli::stream_writer::StreamWriter;
use crate::cli::streams::{raw_stdout, stdin_has_data};

/// The flags that do not change what a saved result must contain, so that they can be given with one.
const WITH_SAVED: &[&str] = &[
    "result",
    "filter",
    "filter_timeout",
    "audit",
    "only_lines",
    "json",
    "summary",
    "quiet",
    "threads",
    "memory",
    "config",
    "no_config",
];

/// Recompute a result from its documents, and print every difference
///
/// Each number of each pair is computed again from the texts of its two documents. Then the documents are searched again
/// for pairs that the result lacks, and a sample is compared with all documents, which bounds the number of pairs that
/// the scan itself missed. A saved result says its inputs and flags; for a file of pairs give the paths and flags of its
/// scan.
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help_of_check())]
pub(crate) struct CheckCommand {
    /// A folder of `dedup scan --save`, a file of pairs, or `-` for pairs on standard input
    #[arg(value_name = "RESULT")]
    result: PathBuf,

    #[command(flatten)]
    run: RunFlags,

    #[command(flatten)]
    groups: GroupFlags,

    #[command(flatten)]
    against: AgainstFlags,

    #[command(flatten)]
    old: OldFlags,

    #[command(flatten)]
    unit: UnitFlags,

    #[command(flatten)]
    kept_names: KeptNamesFlags,

    /// The scan had --collapse-exact
    #[arg(long, help_heading = "Output")]
    collapse_exact: bool,

    /// Compare N distinct texts with all others to bound what the scan missed [default: enough for 10,000 pairs]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=u64::MAX), help_heading = "Method")]
    audit: Option<u64>,

    /// Check only the lines, and do not look for missing pairs: for pairs that --top, --min-containment or a program like
    /// jq has filtered
    #[arg(long, conflicts_with = "audit", help_heading = "Output")]
    only_lines: bool,

    /// Print each difference as one JSON line
    #[arg(long, help_heading = "Output")]
    json: bool,

    /// Write the numbers of the check to a file as one JSON object
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    summary: Option<PathBuf>,

    /// Print only differences, errors and warnings
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,

    #[command(flatten)]
    resources: ResourceFlags,
}

/// The file of `--summary`.
#[derive(Serialize)]
struct CheckRecord<'a> {
    /// The number of lines with pairs.
    pairs: u64,
    /// The number of documents in the inputs.
    documents: u64,
    /// The number of lines with a difference.
    wrong_lines: u64,
    /// The number of pairs that the result lacks; absent when they were not looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<u64>,
    /// The number of differences in other files.
    other: u64,
    /// The number of inputs that could not be used because of an error.
    errors: u64,
    /// The measured recall of the scan.
    #[serde(skip_serializing_if = "Option::is_none")]
    audit: Option<&'a AuditSummary>,
}

impl CheckCommand {
    /// * `given`: the ids of the flags on the command line.
    pub(crate) fn run(mut self, given: &[String]) -> Result<ExitCode> {
        let result = self.result.to_string_lossy().into_owned();
        let header = self.result.is_dir().then(|| ResultHeader::read_unchecked(&self.result)).transpose()?;
        if self.result != Path::new("-") {
            if !self.result.exists() {
                return Err(Failure::new(format!("{}: no such file or folder; check the path", shown(&result))));
            }
            self.result = absolute(&self.result)?;
        }
        self.summary = self.summary.take().map(|path| absolute(&path)).transpose()?;
        let (mut settings, check) = match &header {
            Some((header, _)) => self.of_saved(&result, header, given)?,
            None => self.of_pairs(&result)?,
        };
        for metadata in SavedResult::files_of(&self.result).iter().filter_map(|file| file.metadata().ok()) {
            settings.input.own_files.add(&metadata, OwnUse::List("RESULT"));
        }
        let source = settings.pairs.source;
        if self.audit.is_some() && source.matching().is_some() {
            return Err(Failure::not_of_matching("--audit"));
        }
        settings.audit = (source.is_banded() && !self.only_lines)
            .then(|| AuditSettings { num_texts: self.audit.and_then(NonZeroU64::new) });
        let own_files = &mut settings.input.own_files;
        let summary =
            self.summary.as_deref().map(|path| summary_file(path, None, own_files, self.quiet)).transpose()?;
        let mut stdout = StreamWriter::new(raw_stdout().map_err(Failure::output)?);
        let mut line = Vec::new();
        let mut print = |fault: &Fault| {
            line.clear();
            if self.json {
                push_json(&mut line, fault)
            } else {
                line.extend(messages::fault(fault, &result).bytes())
            }
            line.push(b'\n');
            stdout.write_all(&line).map_err(Error::Output)
        };
        let header = header.as_ref().map(|(header, is_intact)| (header, *is_intact));
        let checked = Reporter::watch(self.quiet, |reporter| {
            check_result(&self.result, header, &settings, check, reporter, &mut print)
        });
        stdout.flush().map_err(Failure::output)?;
        let checked = checked?;
        if !self.quiet {
            messages::line(&messages::checked(&checked, self.only_lines));
        }
        if let Some(summary) = summary {
            write_summary(summary, &self.record(&checked))?;
        }
        Ok(ExitCode::of(checked.errors, checked.differs()))
    }

    fn record<'a>(&self, checked: &'a CheckSummary) -> CheckRecord<'a> {
        CheckRecord {
            pairs: checked.lines,
            documents: checked.search.documents,
            wrong_lines: checked.wrong_lines,
            missing: (!self.only_lines).then_some(checked.missing),
            other: checked.other,
            errors: checked.errors,
            audit: checked.search.audit.as_ref(),
        }
    }

    /// The settings of the run that saved a result. The program changes to the folder of that run.
    fn of_saved(&self, result: &str, header: &ResultHeader, given: &[String]) -> Result<(Settings, CheckSettings)> {
        if let Some(flag) = other_flag(given, &[WITH_SAVED]) {
            return Err(Failure::of_flag(
                &flag,
                format!(
                    "{} is a saved result, which has its own inputs and flags; remove it, or check the file pairs.jsonl in it",
                    shown(result)
                ),
            ));
        }
        let folder = header.folder_path();
        std::env::set_current_dir(&folder).map_err(|error| {
            Failure::new(format!(
                "{}: its inputs are relative to the folder {}, which cannot be entered ({error}); check it where it was saved",
                shown(result),
                shown(&folder.to_string_lossy())
            ))
        })?;
        let (scan, against) = saved_run(header).ok_or_else(|| {
            Failure::new(format!(
                "{}: does not say the flags of its run, since a library or another version wrote it; check the file pairs.jsonl in it, with the paths and flags of its run",
                shown(result)
            ))
        })?;
        let (mut settings, check) = scan.settings_to_check(against.as_ref(), &self.resources, self.only_lines)?;
        if settings.input.paths.iter().any(|path| path == Path::new("-")) && !stdin_has_data() {
            return Err(Failure::new(format!(
                "-: the run of {} read standard input, which cannot be read again; send the same input to the check",
                shown(result)
            )));
        }
        // A result may come from somebody else, so the commands in it are not run.
        let filters = self.run.input.filters();
        if let (Some(saved), []) = (settings.input.filters.first(), filters.as_slice()) {
            let command = format!("{}={}", saved.extension, saved.command);
            return Err(Failure::of_flag(
                "--filter",
                format!(
                    "the run converted files by commands, which a check only runs when they are given again; read them, and add --filter {}",
                    shown(&command)
                ),
            ));
        }
        settings.input.filters = filters;
        Ok((settings, check))
    }

    /// The settings of the run that printed a file of pairs, from the flags.
    fn of_pairs(&self, result: &str) -> Result<(Settings, CheckSettings)> {
        if self.run.input.paths.is_empty() && self.run.input.files_from.is_none() {
            return Err(Failure::new(format!(
                "PATH: missing; {} is a file of pairs, so give the paths and the flags of its scan: dedup check {} PATH...",
                shown(result),
                shown(result)
            )));
        }
        let has_against = !self.against.against.is_empty() || self.against.against_files_from.is_some();
        let old = self.old.given(&self.run.input.paths, self.run.input.files_from.as_deref())?;
        let other = has_against.then_some(&self.against).or(old.as_ref());
        let mut settings = self.run.settings(other, &self.resources, self.quiet)?;
        self.groups.apply(&self.unit, &mut settings)?;
        settings.pairs.collapse_exact = self.collapse_exact;
        let kind = settings.shingles.kind();
        settings.pairs.kept_names = self.kept_names.size(self.run.matching.preset(), kind);
        let passages = (kind != ShingleKind::Set).then(|| self.run.passage_lengths(kind)).transpose()?;
        let (needs_passages, needs_sources) = (settings.pairs.source.matching().is_some(), false);
        Ok((settings, CheckSettings { passages, needs_passages, needs_sources, only_lines: self.only_lines }))
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path)
        .map_err(|error| Failure::new(format!("{}: {error}; give a path that exists", shown(&path.to_string_lossy()))))
}
