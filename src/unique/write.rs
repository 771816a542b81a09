//! Writes the files of the inputs without their duplicates, several files in parallel.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use rayon::prelude::*;

use super::change::{Change, ContentName, Looked, SkippedTally};
use super::content::Rewriter;
use super::cut::{TextEditor, TextFile, write_lines};
use super::fates::{Fate, Fates};
use super::form::OutputForm;
use super::jobs::{FileJob, Fingerprints, changed_file, each_job, fingerprint, is_same, no_longer_readable};
use super::layout::{Layout, across_devices};
use super::renumber::renumber;
use super::settings::{WriteSettings, Written};
use super::side_files::RewrittenFiles;
use super::staging::{Staging, staged, write_error};
use crate::base::error::{CorpusError, Error, Result};
use crate::base::shown::shown;
use crate::documents::document::DocId;
use crate::documents::input::{Cancel, Codec, Inputs, Meter, Shape, encoder, path_bytes, path_of};

/// Number of files that are written in parallel before the walk continues.
const BATCH: usize = 256;

/// Writes what belongs to an output, before the output gets its name.
pub(super) type BeforeName<'b> = &'b mut dyn FnMut(&Written) -> Result<()>;

/// Writes a corpus without its duplicates.
pub(super) struct CorpusWriter<'a, 'e> {
    pub(super) inputs: Inputs<'a>,
    pub(super) fates: Fates<'a>,
    pub(super) prints: &'a Fingerprints,
    pub(super) settings: &'a WriteSettings,
    pub(super) layout: &'a Layout,
    pub(super) cancel: &'a Cancel,
    /// Makes the texts of documents that are edited.
    pub(super) editor: Option<&'a TextEditor<'e>>,
}

/// An open file of the inputs, and the place of its content in the output.
#[derive(Clone, Copy)]
struct OpenInput<'f> {
    job: &'f FileJob,
    file: &'f File,
    metadata: &'f std::fs::Metadata,
    place: &'f Path,
    staging: &'f Staging<'f>,
}

impl CorpusWriter<'_, '_> {
    /// Writes the whole corpus.
    ///
    /// * `before`: called when all is written, before the output gets its name.
    ///
    /// # Errors
    /// When a file has changed, cannot be read or written, the run was cancelled, or `before` fails. A failure leaves no
    /// output.
    pub(super) fn run(&self, pool: &rayon::ThreadPool, before: BeforeName) -> Result<Written> {
        let staging = staged(self.layout, Staging::new(self.layout, self.settings, self.cancel))?;
        let changed = self.changed_files()?;
        let (mut written, mut batch) = (Written::default(), Vec::new());
        let mut flush = |batch: &mut Vec<FileJob>| {
            let write =
                || batch.par_iter().map(|job| self.write_file(job, &changed, &staging)).collect::<Result<Vec<_>>>();
            pool.install(write)?.into_iter().for_each(|part| written.add(part));
            batch.clear();
            Ok(())
        };
        let passed_over = each_job(self.inputs, self.fates, self.prints, self.settings.link, &mut |job| {
            batch.push(job);
            if batch.len() == BATCH { flush(&mut batch) } else { Ok(()) }
        })?;
        flush(&mut batch)?;
        written.passed_over += passed_over;
        if let Some(root) = staging.root().filter(|_| self.settings.renumber && !self.layout.is_file) {
            staged(self.layout, renumber(&root))?;
        }
        written.links_nowhere = staging.links_nowhere();
        before(&written)?;
        staged(self.layout, staging.finish())?;
        Ok(written)
    }

    /// The files that lose a document, if the output can contain side files that describe them.
    fn changed_files(&self) -> Result<RewrittenFiles> {
        let mut changed = RewrittenFiles::default();
        if self.fates.any_changed() && !self.layout.is_file {
            each_job(self.inputs, self.fates, self.prints, self.settings.link, &mut |job| {
                if self.fates.cursor(job.documents.clone()).any_changed() {
                    changed.insert(&job.path);
                }
                Ok(())
            })?;
        }
        Ok(changed)
    }

    /// Writes a file, a link or an empty folder.
    fn write_file(&self, job: &FileJob, changed: &RewrittenFiles, staging: &Staging) -> Result<Written> {
        let place = self.layout.place(job.argument, &job.inside);
        let fail = |error| write_error(self.layout, error);
        let Some(metadata) = &job.metadata else {
            if job.is_link && self.settings.drop_skipped {
                return Ok(Written::dropped(1));
            }
            if job.is_link {
                staging.copy_link(&job.path, &place).map_err(fail)?;
                staging.keep_modes(&job.path, &place);
                return Ok(Written { skipped: 1, files: 1, links: 1, ..Written::default() });
            }
            if self.layout.is_file {
                return Ok(Written::default());
            }
            staging.folder(&place).map_err(fail)?;
            // As for a file in the folder.
            staging.keep_modes(&job.path.join("file"), &place.join("file"));
            return Ok(Written::default());
        };
        if changed.are_described_by(&job.path) {
            return Ok(Written::side_file(&job.path, metadata.len()));
        }
        let file = match File::open(&job.path) {
            Ok(file) => file,
            // The walk has reported it.
            Err(_) if job.documents.is_empty() => return Ok(Written::dropped(1)),
            Err(error) => return Err(no_longer_readable(&job.path, error)),
        };
        self.check(&job.path, metadata, &file)?;
        let done = self.write_content(OpenInput { job, file: &file, metadata, place: &place, staging })?;
        if done.files > 0 {
            staging.keep_modes(&job.path, &place);
        }
        self.check(&job.path, metadata, &file)?;
        Ok(done)
    }

    fn write_content(&self, input: OpenInput) -> Result<Written> {
        let OpenInput { job, file, metadata, place, staging } = input;
        let name = path_bytes(&job.path);
        let content = ContentName { name, format_name: name, is_member: false, is_link: false };
        let meter = Meter::new(self.inputs.max_unpacked, metadata.len());
        let (editor, drop_skipped) = (self.editor, self.settings.drop_skipped);
        let rewriter = Rewriter { inputs: self.inputs, drop_skipped, editor, meter: &meter };
        if let Some(texts) = self.text_file(job, file, content, &rewriter)? {
            return self.write_texts(input, &texts);
        }
        let mut fates = self.fates.cursor(job.documents.clone());
        let codecs = match &self.layout.form {
            OutputForm::OneFile(codecs) => codecs.as_deref(),
            OutputForm::Records(_) | OutputForm::Folder => None,
        };
        let must_change = fates.any_changed() || codecs.is_some();
        let input_bytes = metadata.len();
        let looked = match rewriter.look(content, file, &mut fates) {
            Ok(looked) if fates.is_over() => looked,
            Ok(_) => return Err(changed_file(&job.path)),
            // A file that cannot be read to its end is copied unchanged if nothing in it is to be removed.
            Err(_) if !must_change && !self.settings.drop_skipped => {
                let copied = staging.copy(file, metadata, place);
                let num_bytes = copied.map_err(|error| write_error(self.layout, error))?;
                return Ok(Written { skipped: 1, files: 1, bytes: num_bytes, input_bytes, ..Written::default() });
            }
            Err(_) if !must_change && job.documents.is_empty() => {
                return Ok(Written { input_bytes, ..Written::dropped(1) });
            }
            Err(error) => return Err(self.cannot_rewrite(&job.path, &error)),
        };
        let num_bytes = self.write_rest(input, &rewriter, content, &looked, codecs)?;
        let SkippedTally { skipped, dropped, passed_over, side_files, copied_whole } = looked.tally;
        Ok(Written {
            skipped,
            dropped,
            passed_over,
            side_files,
            copied_whole,
            files: u64::from(num_bytes.is_some()),
            files_left_out: u64::from(num_bytes.is_none()),
            bytes: num_bytes.unwrap_or(0),
            input_bytes,
            ..Written::default()
        })
    }

    /// Writes the content of a file that remains. Returns the number of bytes, or `None` if no file is written.
    ///
    /// * `codecs`: the compression of an output that is one file.
    fn write_rest(
        &self,
        input: OpenInput,
        rewriter: &Rewriter,
        content: ContentName,
        looked: &Looked,
        codecs: Option<&[Codec]>,
    ) -> Result<Option<u64>> {
        let OpenInput { job, file, metadata, place, staging } = input;
        let fail = |error| write_error(self.layout, error);
        let is_left_out = matches!(looked.change, Change::Drop) || (looked.is_emptied && !self.layout.is_file);
        match looked.change {
            Change::Drop if self.layout.is_file => {
                // The output is a file, even an empty one.
                staging.file(place).map_err(fail)?;
                Ok(Some(0))
            }
            _ if is_left_out => Ok(None),
            Change::Keep if codecs.is_none() && self.settings.link => {
                staging.link(&job.path, place).map_err(|error| match error.kind() {
                    io::ErrorKind::CrossesDevices => across_devices(&job.path, &self.settings.output),
                    _ => fail(error),
                })?;
                Ok(Some(metadata.len()))
            }
            Change::Keep if codecs.is_none() => staging.copy(file, metadata, place).map(Some).map_err(fail),
            _ => self.write_new(input, place, |out| rewriter.write(content, file, looked, codecs, out)).map(Some),
        }
    }

    /// Writes a new file in the place of an input, and returns its number of bytes.
    fn write_new(
        &self,
        input: OpenInput,
        place: &Path,
        write: impl FnOnce(&mut (dyn Write + Send)) -> io::Result<()>,
    ) -> Result<u64> {
        let fail = |error| write_error(self.layout, error);
        let staged = input.staging.file(place).map_err(fail)?;
        staged.keep_permissions(input.metadata);
        let mut out = io::BufWriter::with_capacity(1 << 20, staged);
        let written = write(&mut out).and_then(|()| out.flush());
        let staged = out.get_ref();
        match written {
            Ok(()) => Ok(staged.num_bytes),
            Err(error) if staged.has_failed || self.cancel.is_cancelled() => Err(fail(error)),
            // An error that does not come from the output comes from the input.
            Err(error) => Err(self.cannot_rewrite(&input.job.path, &error)),
        }
    }

    /// The texts that are written instead of a file, if its format is not rewritten and texts are to be written.
    fn text_file(
        &self,
        job: &FileJob,
        file: &File,
        content: ContentName,
        rewriter: &Rewriter,
    ) -> Result<Option<TextFile>> {
        let Some(editor) = self.editor.filter(|_| self.settings.to_text && !job.documents.is_empty()) else {
            return Ok(None);
        };
        let first = DocId::new(job.documents.start);
        let origin = self.fates.origin(job.documents.start);
        let is_whole = job.documents.len() == 1 && origin.place.is_none() && origin.file == content.name;
        if is_whole && self.fates.of(first) != Fate::Skipped && editor.obstacle(first).is_some() {
            return Ok(Some(TextFile::Text(first)));
        }
        let peeled = rewriter.peel(content, file, rewriter.meter);
        let is_container = peeled.is_ok_and(|peeled| peeled.shape == Shape::Container);
        let stays = |document: &DocId| matches!(self.fates.of(*document), Fate::Kept | Fate::Edited(_));
        let documents = job.documents.clone().map(DocId::new).filter(stays);
        Ok(is_container.then(|| TextFile::Lines(documents.collect())))
    }

    /// Writes the texts of a file instead of it.
    fn write_texts(&self, input: OpenInput, texts: &TextFile) -> Result<Written> {
        let OpenInput { job, metadata, place, .. } = input;
        let input_bytes = metadata.len();
        let is_gone = match texts {
            TextFile::Text(document) => self.fates.of(*document) == Fate::Removed,
            TextFile::Lines(documents) => documents.is_empty(),
        };
        if is_gone && !self.layout.is_file {
            return Ok(Written { files_left_out: 1, input_bytes, ..Written::default() });
        }
        let codecs = match &self.layout.form {
            OutputForm::OneFile(codecs) => codecs.as_deref().unwrap_or_default(),
            OutputForm::Records(_) | OutputForm::Folder => &[],
        };
        let place = match self.layout.is_file {
            true => place.to_owned(),
            false => path_of(&[path_bytes(place), texts.ending().as_bytes()].concat()).to_owned(),
        };
        let with_ending = path_of(&[path_bytes(&job.path), texts.ending().as_bytes()].concat()).to_owned();
        if !self.layout.is_file && with_ending.symlink_metadata().is_ok() {
            return Err(Error::Corpus(CorpusError::NoPlace {
                path: job.path.clone(),
                why: format!("its text would have the name of {}", shown(&with_ending.to_string_lossy())).into(),
                remedy: "rename or exclude one of them".into(),
            }));
        }
        let editor = self.editor.expect("texts are edited");
        let bytes = self.write_new(input, &place, |out| {
            let mut encoder = encoder(codecs, out)?;
            if !is_gone {
                write_lines(editor, self.fates.documents(), texts, &mut encoder)?;
            }
            encoder.finish()
        })?;
        Ok(Written { files: 1, bytes, input_bytes, ..Written::default() })
    }

    /// # Errors
    /// When an open file has changed.
    pub(super) fn check(&self, path: &Path, then: &std::fs::Metadata, file: &File) -> Result<()> {
        let print = |metadata| fingerprint(path, Some(metadata));
        match file.metadata() {
            Ok(now) if is_same(print(&now), print(then), self.settings.link) => Ok(()),
            Ok(_) => Err(changed_file(path)),
            Err(error) => Err(no_longer_readable(path, error)),
        }
    }

    fn cannot_rewrite(&self, path: &Path, error: &io::Error) -> Error {
        let (place, why) = (path.to_string_lossy().into_owned(), error.to_string());
        Error::Corpus(match self.editor {
            Some(_) => CorpusError::NotCut { place, why },
            None => CorpusError::CannotRewrite { place, why },
        })
    }
}
