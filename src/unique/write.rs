//! Writing: the files of the inputs in, those that stay and those without their duplicates out, some side by side.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;

use super::change::{Change, ContentName, SkippedTally};
use super::content::Rewriter;
use super::fates::Fates;
use super::jobs::{FileJob, Fingerprints, each_job, fingerprint, is_same};
use super::layout::Layout;
use super::renumber::renumber;
use super::settings::{WriteSettings, Written};
use super::staging::{Staging, staged, write_error};
use crate::error::{Error, Result};
use crate::input::{Cancel, Inputs, path_bytes};

/// Files that are written side by side before others are looked for.
const BATCH: usize = 256;

/// Writes a corpus.
pub(super) struct CorpusWriter<'a> {
    pub(super) inputs: Inputs<'a>,
    pub(super) fates: Fates<'a>,
    pub(super) prints: &'a Fingerprints,
    pub(super) settings: &'a WriteSettings,
    pub(super) layout: &'a Layout,
    pub(super) cancel: &'a Cancel,
}

/// What became of one file.
struct FileDone {
    tally: SkippedTally,
    /// Bytes written; `None` when the file is not written.
    num_bytes: Option<u64>,
    input_bytes: u64,
}

impl CorpusWriter<'_> {
    /// Writes all of it.
    ///
    /// # Errors
    /// When a file is not what it was, cannot be read or written, or the run was cancelled. Then there is no output.
    pub(super) fn run(&self, pool: &rayon::ThreadPool) -> Result<Written> {
        let staging = staged(self.layout, Staging::new(self.layout, self.settings.dry_run, self.cancel))?;
        let (mut written, mut batch) = (Written::default(), Vec::new());
        let mut flush = |batch: &mut Vec<FileJob>| {
            let write = || batch.par_iter().map(|job| self.write_file(job, &staging)).collect::<Result<Vec<_>>>();
            for FileDone { tally, num_bytes, input_bytes } in pool.install(write)? {
                written.skipped += tally.skipped;
                written.dropped += tally.dropped;
                written.input_bytes += input_bytes;
                written.bytes += num_bytes.unwrap_or(0);
                written.files += u64::from(num_bytes.is_some());
                written.files_left_out += u64::from(num_bytes.is_none());
            }
            batch.clear();
            Ok(())
        };
        each_job(self.inputs, self.fates, self.prints, self.settings.link, &mut |job| {
            batch.push(job);
            if batch.len() == BATCH { flush(&mut batch) } else { Ok(()) }
        })?;
        flush(&mut batch)?;
        if let Some(root) = staging.root().filter(|_| self.settings.renumber && !self.layout.is_file) {
            staged(self.layout, renumber(&root))?;
        }
        staged(self.layout, staging.finish())?;
        Ok(written)
    }

    fn write_file(&self, job: &FileJob, staging: &Staging) -> Result<FileDone> {
        let place = self.layout.place(job.argument, &job.inside);
        let fail = |error| write_error(self.layout, error);
        let Some(metadata) = &job.metadata else {
            let tally = SkippedTally {
                skipped: u64::from(!self.settings.drop_skipped),
                dropped: u64::from(self.settings.drop_skipped),
            };
            if !self.settings.drop_skipped {
                staging.copy_link(&job.path, &place).map_err(fail)?;
                staging.keep_modes(&job.path, &place);
            }
            let num_bytes = (!self.settings.drop_skipped).then_some(0);
            return Ok(FileDone { tally, num_bytes, input_bytes: 0 });
        };
        let file = match File::open(&job.path) {
            Ok(file) => file,
            // The walk has reported it.
            Err(_) if job.documents.is_empty() => {
                return Ok(FileDone {
                    tally: SkippedTally { skipped: 0, dropped: 1 },
                    num_bytes: None,
                    input_bytes: 0,
                });
            }
            Err(_) => return Err(self.changed(&job.path)),
        };
        self.check(&job.path, metadata, &file)?;
        let done = self.write_content(job, &file, metadata, &place, staging)?;
        if done.num_bytes.is_some() {
            staging.keep_modes(&job.path, &place);
        }
        self.check(&job.path, metadata, &file)?;
        Ok(done)
    }

    fn write_content(
        &self,
        job: &FileJob,
        file: &File,
        metadata: &std::fs::Metadata,
        place: &Path,
        staging: &Staging,
    ) -> Result<FileDone> {
        let name = path_bytes(&job.path);
        let content = ContentName { name, format_name: name, is_member: false, is_link: false };
        let rewriter = Rewriter { inputs: self.inputs, drop_skipped: self.settings.drop_skipped };
        let mut fates = self.fates.cursor(job.documents.clone());
        let must_change = fates.any_removed();
        let input_bytes = metadata.len();
        let fail = |error| write_error(self.layout, error);
        let looked = match rewriter.look(content, file, &mut fates) {
            Ok(looked) if fates.is_over() => looked,
            Ok(_) => return Err(self.changed(&job.path)),
            // What cannot be read to its end stays as it is when nothing in it is to go.
            Err(_) if !must_change && !self.settings.drop_skipped => {
                let num_bytes = staging.copy(file, metadata, place).map_err(fail)?;
                let tally = SkippedTally { skipped: 1, dropped: 0 };
                return Ok(FileDone { tally, num_bytes: Some(num_bytes), input_bytes });
            }
            Err(_) if !must_change && job.documents.is_empty() => {
                return Ok(FileDone { tally: SkippedTally { skipped: 0, dropped: 1 }, num_bytes: None, input_bytes });
            }
            Err(error) => return Err(self.cannot_rewrite(&job.path, &error)),
        };
        let tally = looked.tally;
        let is_left_out = matches!(looked.change, Change::Drop) || (looked.is_emptied && !self.layout.is_file);
        let num_bytes = match looked.change {
            Change::Drop if self.layout.is_file => {
                // The output is a file, if an empty one.
                staging.file(place).map_err(fail)?;
                Some(0)
            }
            _ if is_left_out => None,
            Change::Keep if self.settings.link => {
                staging.link(&job.path, place).map_err(fail)?;
                Some(input_bytes)
            }
            Change::Keep => Some(staging.copy(file, metadata, place).map_err(fail)?),
            _ => {
                let staged = staging.file(place).map_err(fail)?;
                staged.keep_permissions(metadata);
                let mut out = io::BufWriter::with_capacity(1 << 20, staged);
                let written = rewriter.write(content, file, &looked, &mut out);
                let written = written.and_then(|()| out.flush());
                let staged = out.get_ref();
                if let Err(error) = written {
                    // What is not the output's fault is the input's.
                    let is_ours = staged.has_failed || self.cancel.is_cancelled();
                    return Err(if is_ours { fail(error) } else { self.cannot_rewrite(&job.path, &error) });
                }
                Some(staged.num_bytes)
            }
        };
        Ok(FileDone { tally, num_bytes, input_bytes })
    }

    /// # Errors
    /// When an open file is not what it was.
    fn check(&self, path: &Path, then: &std::fs::Metadata, file: &File) -> Result<()> {
        let print = |metadata| fingerprint(path, Some(metadata));
        match file.metadata() {
            Ok(now) if is_same(print(&now), print(then), self.settings.link) => Ok(()),
            _ => Err(self.changed(path)),
        }
    }

    fn changed(&self, path: &Path) -> Error {
        Error::ChangedBeforeWriting { place: path.to_string_lossy().into_owned() }
    }

    fn cannot_rewrite(&self, path: &Path, error: &io::Error) -> Error {
        Error::CannotRewrite { place: path.to_string_lossy().into_owned(), why: error.to_string() }
    }
}
