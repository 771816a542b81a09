//! Reads the documents of a stored input, such as an index, whose texts are ready.

use super::batch_writer::BatchWriter;
use crate::base::problem::{Problem, Reason};
use crate::documents::input::formats::format::Format;
use crate::documents::input::messages::too_large;
use crate::documents::input::piece::ReadyText;
use crate::documents::input::settings::InputSettings;
use crate::documents::input::stored_input::{StoredDocument, StoredInput, StoredItem, StoredPlace};

/// Passes on all documents of a stored input.
pub(super) fn read(out: &mut BatchWriter, input: &StoredInput) {
    let mut files = RecordFiles::default();
    let read = input.read(&mut |item| {
        match item {
            StoredItem::Document(document) => add(out, &mut files, &document),
            StoredItem::Problem(problem) => out.problem(problem),
            StoredItem::Read(num_bytes) => out.reach(num_bytes),
        }
        out.is_open() && !out.sources().has_failed()
    });
    if let Err(error) = read {
        out.sources().fail(error);
    }
}

fn add(out: &mut BatchWriter, files: &mut RecordFiles, document: &StoredDocument) {
    let StoredDocument { name, text, of, syntax, record } = *document;
    let most = InputSettings::MOST_UNPACKED_BYTES;
    let limit = out.inputs().max_document_bytes.unwrap_or(most).min(most);
    if text.len() as u64 > limit {
        return out.problem(Problem::error(String::from_utf8_lossy(name), Reason::TooLarge, too_large(limit)));
    }
    // A line has 32 bits; a later record is known by its name only.
    let record = record.filter(|record| record.place < u64::from(u32::MAX) - 1);
    if let Some(record) = record {
        out.rows_of(Some(files.source(out, record)));
    }
    let line = record.map(|record| record.place.saturating_sub(1));
    out.text(name, text, ReadyText { num_bytes: text.len() as u64, was_replaced: false, of, line, syntax });
}

/// The file of the last record, as a source.
#[derive(Default)]
struct RecordFiles {
    last: Option<(Vec<u8>, bool, u32)>,
}

impl RecordFiles {
    /// The source of the records of a file.
    fn source(&mut self, out: &BatchWriter, StoredPlace { file, is_row, .. }: StoredPlace) -> u32 {
        match &self.last {
            Some((last, rows, source)) if last == file && *rows == is_row => *source,
            _ => {
                let format = if is_row { Format::Parquet } else { Format::JsonLines };
                let source = out.sources().add(file, format, true);
                self.last = Some((file.to_vec(), is_row, source));
                source
            }
        }
    }
}
