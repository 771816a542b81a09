//! `CorpusDestination`: where a command writes a clean corpus, which goes to standard output only when it is complete.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use dedup_scan::base::{CorpusError, shown};
use dedup_scan::unique::Written;
use dedup_scan::{Error, InputSettings, WriteSettings};
use tempfile::TempPath;

use super::replaced_file::same_place;
use crate::cli::flags::WriteFlags;
use crate::cli::interrupt::{self, Left};
use crate::cli::messages::{self, Failure, Result};
use crate::cli::stream_writer::StreamWriter;
use crate::cli::streams::{folder_of, raw_stdout};

/// The number of side files that are reported one by one.
const MOST_SIDE_FILES: usize = 20;

/// The destination of a clean corpus.
pub(crate) struct CorpusDestination {
    pub(crate) write: WriteSettings,
    /// The path in TMPDIR where a corpus for standard output is, for a moment, when it is complete.
    to_stdout: Option<TempPath>,
}

impl CorpusDestination {
    /// * `to_text`: whether texts are written that cannot be edited in place.
    pub(crate) fn new(flags: &WriteFlags, to_text: bool) -> Result<Self> {
        // Only makes up a name: nothing is there until the corpus is complete.
        let new_path = || tempfile::Builder::new().prefix("dedup-unique-").make(|_| Ok(()));
        let to_stdout = (flags.output.as_deref() == Some(Path::new("-"))).then(new_path);
        let to_stdout = to_stdout.transpose().map_err(Failure::output)?.map(|made| made.into_temp_path());
        let output = to_stdout.as_deref().map_or_else(|| flags.output.clone().unwrap_or_default(), Path::to_owned);
        let write = WriteSettings {
            output,
            one_file: to_stdout.is_some(),
            force: flags.force,
            link: flags.link,
            drop_skipped: flags.drop_skipped,
            renumber: flags.renumber,
            dry_run: flags.dry_run,
            to_text,
        };
        Ok(Self { write, to_stdout })
    }

    /// The failure for an error of a run. A corpus for standard output reports the folder where its copy has no space.
    pub(crate) fn failure(&self, error: Error) -> Failure {
        match error {
            Error::Corpus(CorpusError::Unwritable { source, .. }) if self.to_stdout.is_some() => {
                Error::Spool { place: "-".to_owned(), what: "the clean corpus", dir: std::env::temp_dir(), source }
                    .into()
            }
            error => error.into(),
        }
    }

    /// Reports what was not written, and copies a corpus for standard output.
    pub(crate) fn finish(&mut self, written: &Written) -> Result<()> {
        interrupt::signal_leaves(Left::Part);
        for path in written.side_files.iter().take(MOST_SIDE_FILES) {
            let path = shown(&path.to_string_lossy());
            messages::line(&format!(
                "dedup: warning: {path}: describes a file that changes; not written, make it again"
            ));
        }
        if written.side_files.len() > MOST_SIDE_FILES {
            let more = written.side_files.len() - MOST_SIDE_FILES;
            messages::line(&format!("dedup: warning: {more} more files that describe files that change; not written"));
        }
        if let Some(path) = self.to_stdout.take().filter(|_| !self.write.dry_run) {
            // The file is unlinked, so it disappears even if the program is killed.
            let mut file = File::open(&path).map_err(Failure::output)?;
            drop(path);
            let stdout = raw_stdout().map_err(Failure::output)?;
            io::copy(&mut file, &mut StreamWriter::new(stdout)).map_err(Failure::output)?;
        }
        messages::copied_whole(written).iter().for_each(|line| messages::line(line));
        Ok(())
    }

    /// Reports the corpus that was written.
    pub(crate) fn report(&self, command: &str, written: &Written) {
        messages::line(&messages::written(command, written, self.write.dry_run));
        if !self.write.dry_run && !self.write.one_file {
            messages::wrote(&self.write.output, &messages::counted(written.files, "file"), written.bytes);
        }
    }
}

/// Refuses two flags with the same file, and a list in a folder that is an input, which the next run would read.
///
/// * `places`: each flag, what goes to its file, and the file; the corpus first, then lists.
pub(crate) fn check_places(places: &[(&str, &str, Option<&Path>)], input: &InputSettings) -> Result<()> {
    let given: Vec<_> = places.iter().filter_map(|&(flag, what, path)| Some((flag, what, path?))).collect();
    for (at, &(flag, _, path)) in given.iter().enumerate() {
        for &(_, what, other) in &given[..at] {
            if same_place(&place_of(path), &place_of(other)) {
                return Err(Failure::file_taken(flag, path, &format!("what {what}")));
            }
        }
    }
    let folders = || input.paths.iter().chain(&input.listed).filter(|path| path.is_dir());
    let lists = places.iter().skip(1).filter_map(|&(_, _, path)| path).filter(|path| *path != Path::new("-"));
    for path in lists {
        let place = place_of(path);
        let is_around = |folder: &&PathBuf| folder.canonicalize().is_ok_and(|folder| place.starts_with(folder));
        if let Some(folder) = folders().find(is_around) {
            let overlap = CorpusError::Overlaps { inner: path.to_owned(), outer: folder.clone() };
            return Err(Error::Corpus(overlap).into());
        }
    }
    Ok(())
}

/// The canonical path of a file that may not exist yet.
fn place_of(path: &Path) -> PathBuf {
    let folder = folder_of(path).canonicalize();
    path.canonicalize()
        .or_else(|_| folder.map(|folder| folder.join(path.file_name().unwrap_or_default())))
        .unwrap_or_else(|_| path.to_owned())
}
