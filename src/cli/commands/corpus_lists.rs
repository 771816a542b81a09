//! The lists that belong to a clean corpus, such as removed documents and cuts.

use std::io::{self, Write};
use std::path::Path;

use dedup_scan::Error;
use dedup_scan::base::shown;
use dedup_scan::documents::OwnFiles;
use dedup_scan::unique::Written;

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
        return Err(Failure::of_flag(flag, format!("--dry-run writes no file; give {flag} - to print the list")));
    }
    if path.metadata().is_ok_and(|found| found.is_file()) && !(run.force && purpose.is_of(path)) {
        let remedy = match run.force {
            true => "already exists, and is not a list that dedup wrote; choose another file for",
            false => "already exists; give --force to replace an older list, or choose another file for",
        };
        return Err(Failure::new(format!("{}: {remedy} {flag}", shown(&path.to_string_lossy()))));
    }
    Ok(Some(ListOutput::File(ReplacedFile::open(path, purpose, own_files, run.quiet)?)))
}

/// The destination of a list.
pub(super) enum ListOutput<'a> {
    Stdout,
    File(ReplacedFile<'a>),
}

/// Writes the lines of a list.
type WriteLines<'w> = &'w dyn Fn(&Written, &mut (dyn Write + Send)) -> dedup_scan::Result<()>;

/// The lists that belong to a corpus. A list in a file is written before the corpus gets its name, and gets its own name
/// after it: if one of both cannot be written, neither appears. A list on standard output is written after the corpus.
pub(super) struct CorpusLists<'a, 'w> {
    lists: Vec<(ListOutput<'a>, WriteLines<'w>)>,
    /// The failure of a file.
    failure: Option<Failure>,
}

impl<'a, 'w> CorpusLists<'a, 'w> {
    /// * `lists`: the destination of each list, if it is given, and its lines.
    pub(super) fn new<const N: usize>(lists: [(Option<ListOutput<'a>>, WriteLines<'w>); N]) -> Self {
        let lists = lists.into_iter().filter_map(|(output, write)| Some((output?, write))).collect();
        Self { lists, failure: None }
    }

    /// Writes the lists in files, to the disk.
    ///
    /// # Errors
    /// When a file cannot be written; [`failure`](Self::failure) then says which one.
    pub(super) fn write_files(&mut self, written: &Written) -> dedup_scan::Result<()> {
        for (output, write) in &mut self.lists {
            let ListOutput::File(file) = output else { continue };
            let done = write(written, file).and_then(|()| file.sync().map_err(Error::Output));
            if let Err(Error::Output(source)) = done {
                self.failure = Some(file.failure(source));
                return Err(Error::Output(io::ErrorKind::Other.into()));
            }
            done?;
        }
        Ok(())
    }

    /// The failure of a list, instead of the failure of the run that it ended.
    pub(super) fn failure(&mut self, failure: Failure) -> Failure {
        self.failure.take().unwrap_or(failure)
    }

    /// Gives the files their names, and writes the lists on standard output, after the corpus.
    pub(super) fn finish(self, written: &Written) -> Result<()> {
        for (output, write) in self.lists {
            match output {
                ListOutput::File(file) => file.finish()?,
                ListOutput::Stdout => {
                    // The corpus, which is another output, is complete here.
                    count_output();
                    let stdout = raw_stdout().map_err(Failure::output)?;
                    write(written, &mut StreamWriter::new(stdout))?;
                }
            }
        }
        Ok(())
    }
}
