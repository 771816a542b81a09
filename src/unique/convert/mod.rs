//! Converts the kept records to one file of another format: JSON Lines, a JSON array, CSV, TSV or Parquet.
//!
//! The records are read twice. The first reading finds the columns and their types and copies the records to a
//! temporary file; the second reads that file. Columns have the order in which they first appear. A value that the
//! new format cannot write is an error that reports the record, so that nothing is lost silently.

mod columns;
#[cfg(feature = "parquet")]
mod from_parquet;
mod from_text;
mod rows;
#[cfg(feature = "parquet")]
mod to_parquet;
mod to_text;

use std::fs::{File, Metadata};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;

use self::columns::AllColumns;
use self::rows::{CellValue, RowSpool};
use super::change::{Change, ContentName, SkippedTally};
use super::content::Rewriter;
use super::form::Conversion;
use super::jobs::{FileJob, changed_file, each_job, no_longer_readable};
use super::settings::Written;
use super::staging::{Staging, staged, write_error};
use super::write::{BeforeName, CorpusWriter};
use crate::base::error::{CorpusError, Error, Result};
use crate::base::storage::{FileSpan, temporary_file};
use crate::documents::input::{FileKind, Inputs, Meter, Peeled, Shape, encoder, path_bytes, peel};

/// Writes a corpus as one file of another format.
///
/// * `before`: as for [`CorpusWriter::run`].
///
/// # Errors
/// When a file has changed, cannot be read or written, or contains a value that the format cannot write; when the run was
/// cancelled, and when `before` fails.
pub(super) fn write_converted(
    writer: &CorpusWriter,
    conversion: &Conversion,
    pool: &rayon::ThreadPool,
    before: BeforeName,
) -> Result<Written> {
    let (staging, written) = pool.install(|| {
        let staging = staged(writer.layout, Staging::new(writer.layout, writer.settings, writer.cancel))?;
        let (mut written, mut first) = (Written::default(), None);
        let mut gathered = staged(writer.layout, Gathered::new(conversion.kind))?;
        let passed_over = each_job(writer.inputs, writer.fates, writer.prints, false, &mut |job| {
            written.add(gathered.add_job(writer, &job)?);
            first = first.take().or(job.metadata);
            Ok(())
        })?;
        written.passed_over += passed_over;
        written.files = 1;
        let done = write_file(&staging, first.as_ref(), conversion, &mut gathered);
        written.bytes = done.map_err(|error| write_error(writer.layout, error))?;
        Ok::<_, Error>((staging, written))
    })?;
    before(&written)?;
    staged(writer.layout, staging.finish())?;
    Ok(written)
}

fn write_file(
    staging: &Staging,
    like: Option<&Metadata>,
    conversion: &Conversion,
    gathered: &mut Gathered,
) -> io::Result<u64> {
    let file = staging.file(Path::new(""))?;
    like.into_iter().for_each(|metadata| file.keep_permissions(metadata));
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let mut encoder = encoder(&conversion.codecs, &mut out)?;
    let Gathered { columns, rows, .. } = gathered;
    match conversion.kind {
        #[cfg(feature = "parquet")]
        FileKind::Parquet => to_parquet::write(columns, rows.read()?, &mut encoder)?,
        kind => to_text::write(kind, conversion, columns, rows.read()?, &mut encoder)?,
    }
    encoder.finish()?;
    out.flush()?;
    Ok(out.get_ref().num_bytes)
}

/// The records read so far.
struct Gathered {
    target: FileKind,
    columns: AllColumns,
    rows: RowSpool,
}

impl Gathered {
    fn new(target: FileKind) -> io::Result<Self> {
        Ok(Self { target, columns: AllColumns::default(), rows: RowSpool::new()? })
    }

    /// Adds the kept records of a file.
    fn add_job(&mut self, writer: &CorpusWriter, job: &FileJob) -> Result<Written> {
        let Some(metadata) = &job.metadata else {
            return Ok(if job.is_link { Written::dropped(1) } else { Written::default() });
        };
        let file = File::open(&job.path).map_err(|error| no_longer_readable(&job.path, error))?;
        writer.check(&job.path, metadata, &file)?;
        let place = || job.path.to_string_lossy().into_owned();
        let failed = |place: String, fault: String| Error::Corpus(CorpusError::Unconverted { place, fault });
        let name = path_bytes(&job.path);
        let content = ContentName { name, format_name: name, is_member: false, is_link: false };
        let meter = Meter::new(writer.inputs.max_unpacked, metadata.len());
        let rewriter = Rewriter {
            inputs: writer.inputs,
            drop_skipped: writer.settings.drop_skipped,
            editor: writer.editor,
            meter: &meter,
        };
        let mut fates = writer.fates.cursor(job.documents.clone());
        let looked = rewriter.look(content, &file, &mut fates).map_err(|error| failed(place(), error.to_string()))?;
        if !fates.is_over() {
            return Err(changed_file(&job.path));
        }
        if let Some(copied) = looked.tally.copied_whole.first() {
            let fault = "it is uncertain where records end from this line on".to_owned();
            let place = copied.line.map_or_else(|| copied.file.clone(), |line| format!("{}:{line}", copied.file));
            return Err(failed(place, fault));
        }
        let mut rewritten = None;
        if !matches!(looked.change, Change::Keep | Change::Drop) {
            let copy = || {
                let mut out = BufWriter::new(temporary_file()?);
                rewriter.write(content, &file, &looked, None, &mut out)?;
                let mut copy = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                copy.rewind()?;
                Ok::<_, io::Error>(copy)
            };
            rewritten = Some(copy().map_err(|error| failed(place(), error.to_string()))?);
        }
        if !matches!(looked.change, Change::Drop) {
            let clean = rewritten.as_ref().unwrap_or(&file);
            self.add_file(writer.inputs, content, clean).map_err(|error| {
                // Removing records changes the line numbers of a file.
                let of = if rewritten.is_some() { " (counted without removed records)" } else { "" };
                failed(format!("{}{of}", place()), error.to_string())
            })?;
        }
        writer.check(&job.path, metadata, &file)?;
        let SkippedTally { skipped, dropped, passed_over, .. } = looked.tally;
        Ok(Written { skipped, dropped, passed_over, input_bytes: metadata.len(), ..Written::default() })
    }

    fn add_file(&mut self, inputs: Inputs, content: ContentName, file: &File) -> io::Result<()> {
        let whole = || Ok::<_, io::Error>(FileSpan::new(file, 0, file.metadata()?.len()));
        // The first reading has counted the unpacked bytes.
        let meter = Meter::new(Some(u64::MAX), 0);
        let Peeled { shape, mut stream, codecs } =
            peel(inputs, content.format_name, false, Box::new(whole()?), &meter)?;
        let mut unpacked = || {
            if codecs.is_empty() {
                return file.try_clone();
            }
            let mut copy = temporary_file()?;
            io::copy(&mut stream, &mut copy)?;
            copy.rewind()?;
            Ok(copy)
        };
        match shape {
            Shape::Lines | Shape::Elements | Shape::ElementsOrWhole => {
                let file = unpacked()?;
                let keeps = self.target == FileKind::Json;
                from_text::json_rows(inputs, shape, &file, keeps, &mut |place, cells| self.add(place, cells))
            }
            Shape::Rows { delimiter } => {
                let mut stream = BufReader::new(unpacked()?);
                stream.rewind()?;
                let stream: &mut dyn Read = &mut stream;
                from_text::table_rows(inputs, delimiter, stream, &mut |place, cells| self.add(place, cells))
            }
            #[cfg(feature = "parquet")]
            Shape::Parquet => from_parquet::rows(unpacked()?, &mut |place, cells| self.add(place, cells)),
            _ => Err(io::Error::other("it holds no records")),
        }
    }

    /// Adds a record.
    ///
    /// * `place`: the line or row of the record, such as `line 7`.
    fn add(&mut self, place: &str, cells: Vec<(&str, CellValue)>) -> io::Result<()> {
        let at = |fault: String| io::Error::other(format!("{place}: {fault}"));
        if let [(_, record @ CellValue::Record(_))] = cells.as_slice() {
            return self.rows.push(&[(0, record.clone())]);
        }
        let mut row = Vec::with_capacity(cells.len());
        for (name, cell) in cells {
            let column = self.columns.number(name);
            if row.iter().any(|(other, _)| *other == column) {
                return Err(at(format!("the record has two fields `{name}`")));
            }
            self.columns.see(column, &cell, self.target).map_err(at)?;
            row.push((column, cell));
        }
        self.rows.push(&row)
    }
}
