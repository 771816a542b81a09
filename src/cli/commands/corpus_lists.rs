//! The lists that belong to a clean corpus, such as removed documents and cuts. They are written after it.

use std::io::Write;
use std::path::Path;

use dedup_scan::Error;
use dedup_scan::base::shown;
use dedup_scan::documents::OwnFiles;

use super::replaced_file::{Purpose, ReplacedFile};
use crate::cli::messages::{Failure, Result};
use crate::cli::stream_writer::{StreamWriter, count_output};
use crate::cli::streams::raw_stdout;

/// The flags of a run that decide how lists are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListRun {
    pub(super) dry_run: bool,
    pub(super) force: bool,
    pub(super) quiet: bool,
}

/// The destination of a list, such as the one of removed documents. An older list that is replaced is not an input.
pub(super) fn list_output<'p>(
    path: Option<&'p Path>,
    purpose: &'static Purpose,
    own_files: &mut OwnFiles,
    run: ListRun,
) -> Result<Option<ListOutput<'p>>> {
    let Some(path) = path else { return Ok(None) };
    if path == Path::new("-") {
        return Ok(Some(ListOutput::Stdout));
    }
    let flag = purpose.flag();
    if run.dry_run {
        return Err(Failure::new(format!("{flag}: --dry-run writes no file; give {flag} - to print the list")));
    }
    if path.metadata().is_ok_and(|found| found.is_file()) && !(run.force && purpose.is_of(path)) {
        return Err(Failure::new(format!(
            "{}: already exists; choose another file for {flag}, or give --force to replace an older list",
            shown(&path.to_string_lossy())
        )));
    }
    Ok(Some(ListOutput::File(ReplacedFile::open(path, purpose, own_files, run.quiet)?)))
}

/// The destination of a list.
pub(super) enum ListOutput<'a> {
    Stdout,
    File(ReplacedFile<'a>),
}

/// Writes a list to its destination, after the corpus.
pub(super) fn write_list(
    output: Option<ListOutput<'_>>,
    write: &mut dyn FnMut(&mut (dyn Write + Send)) -> dedup_scan::Result<()>,
) -> Result<()> {
    match output {
        None => Ok(()),
        Some(ListOutput::Stdout) => {
            // The corpus, which is another output, is complete here.
            count_output();
            let stdout = raw_stdout().map_err(Failure::output)?;
            Ok(write(&mut StreamWriter::new(stdout))?)
        }
        Some(ListOutput::File(mut file)) => {
            match write(&mut file) {
                Err(Error::Output(source)) => return Err(file.failure(source)),
                written => written?,
            }
            file.finish()
        }
    }
}
