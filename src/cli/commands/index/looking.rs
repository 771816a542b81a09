//! `dedup index info`, `list`, `check` and `export`: read an index without changing it.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

use clap::Args;
use dedup_scan::base::{Problem, shown};
use dedup_scan::documents::OwnFiles;
use dedup_scan::index::{check_index, export_index, index_info, names_in_index, stale_documents};
use dedup_scan::records::push_json;

use crate::cli::commands::destination::LineOutput;
use crate::cli::exit_code::ExitCode;
use crate::cli::messages::{self, Failure, Reporter, Result};

/// Print what an index is and holds
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help(None))]
pub(crate) struct IndexInfoCommand {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    /// Print one JSON object
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl IndexInfoCommand {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let info = index_info(&self.index)?;
        let mut text = Vec::new();
        if self.json {
            push_json(&mut text, &info);
        } else {
            text.extend_from_slice(messages::index::info(&info).as_bytes());
        }
        text.push(b'\n');
        let mut output = LineOutput::open(None, &mut OwnFiles::default(), true)?;
        output.write_all(&text).map_err(Failure::output)?;
        Ok(ExitCode::Complete)
    }
}

/// Print the names of the documents of an index, one a line
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help(None))]
pub(crate) struct IndexList {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    /// Print only names that begin with this text, such as a folder
    #[arg(value_name = "PREFIX", default_value = "", hide_default_value = true)]
    prefix: OsString,

    /// End each name with a NUL byte instead of a line end, as `xargs -0` expects
    #[arg(short = '0', long, help_heading = "Output")]
    null: bool,
}

impl IndexList {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let mut output = LineOutput::open(None, &mut OwnFiles::default(), true)?;
        let is_for_people = std::io::stdout().is_terminal() && !self.null;
        for name in names_in_index(&self.index, self.prefix.as_encoded_bytes())? {
            let mut line = if is_for_people { shown(&String::from_utf8_lossy(&name)).into_bytes() } else { name };
            line.push(if self.null { 0 } else { b'\n' });
            output.write_all(&line).map_err(Failure::output)?;
        }
        output.finish()?;
        Ok(ExitCode::Complete)
    }
}

/// Read a whole index and report damage
///
/// Prints nothing if there is no damage. Reports the first 1,000 faults on stderr, with exit code 2. Texts that the
/// index refers to are read again: the first 20 documents with changed texts are reported, and the exit code is 3.
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help(None))]
pub(crate) struct IndexCheck {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

impl IndexCheck {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let faults = Reporter::watch(false, |reporter| check_index(&self.index, reporter))?;
        if !faults.is_empty() {
            let faults = faults.into_iter().map(Failure::from);
            faults.for_each(|fault| messages::line(&format!("dedup: {fault}")));
            return Ok(ExitCode::Failure);
        }
        let mut first = Vec::new();
        let mut name = |problem: &Problem| {
            if first.len() < messages::index::NAMED {
                first.push(messages::problem_line(problem));
            }
        };
        let num_stale = Reporter::watch(false, |reporter| stale_documents(&self.index, reporter, &mut name))?;
        messages::index::faults(&first, num_stale);
        Ok(if num_stale == 0 { ExitCode::Complete } else { ExitCode::Incomplete })
    }
}

/// Print the documents of an index with their texts, each as one JSON line
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help(None))]
pub(crate) struct IndexExport {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,

    /// Write the lines to a file instead of standard output. It appears when all are written, and replaces a file as
    /// --summary of `dedup scan` does
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

impl IndexExport {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let mut output = LineOutput::open(self.output.as_deref(), &mut OwnFiles::default(), true)?;
        // A progress bar would break the lines on a terminal.
        let quiet = output.file().is_none() && std::io::stdout().is_terminal();
        let damage = output.write_records(|lines| {
            Reporter::watch(quiet, |reporter| export_index(&self.index, reporter, &mut |record| lines.push(record)))
        })?;
        output.finish()?;
        let faults: Vec<String> = damage.iter().map(messages::index::fault).collect();
        messages::index::faults(&faults, faults.len() as u64);
        Ok(if damage.is_empty() { ExitCode::Complete } else { ExitCode::Incomplete })
    }
}
