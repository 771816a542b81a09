//! The lists of `dedup unique`: removed documents and cuts, which are written after the corpus.

use std::io::{self, Write};
use std::path::Path;

use dedup_scan::Error;
use dedup_scan::base::shown;
use dedup_scan::documents::OwnFiles;
use dedup_scan::records::{DroppedRecord, Name, RemovedRecord, push_json};
use dedup_scan::unique::{CopiedWhole, StandIn, UniqueCorpus, Written};

use super::destination::LINE_BYTES;
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

pub(super) fn write_cuts(
    corpus: &UniqueCorpus,
    written: &Written,
    out: &mut (dyn Write + Send),
) -> dedup_scan::Result<()> {
    let mut lines = Vec::new();
    corpus.each_cut(&written.copied_whole, usize::MAX, &mut |record| {
        push_json(&mut lines, record);
        lines.push(b'\n');
        if lines.len() >= LINE_BYTES {
            out.write_all(&lines)?;
            lines.clear();
        }
        Ok(())
    })?;
    out.write_all(&lines).map_err(Error::Output)
}

pub(super) fn write_removed(corpus: &UniqueCorpus, written: &Written, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = Vec::new();
    for &(document, left) in corpus.dropped() {
        push_json(&mut lines, &DroppedRecord { removed: Name::new(corpus.documents().name(document)), left });
        lines.push(b'\n');
    }
    for (at, &StandIn { document, by, similarity }) in corpus.removed().iter().enumerate() {
        let stays = |copied: &CopiedWhole| {
            let origin = corpus.documents().origin(document).expect("a corpus keeps where documents come from");
            copied.holds(origin.file)
        };
        if written.copied_whole.iter().any(stays) {
            continue;
        }
        let coverages = corpus.coverages().get(at).copied().flatten();
        push_json(&mut lines, &RemovedRecord::new(corpus.documents(), document, by, similarity, coverages));
        lines.push(b'\n');
        if lines.len() >= LINE_BYTES {
            out.write_all(&lines)?;
            lines.clear();
        }
    }
    out.write_all(&lines)
}
