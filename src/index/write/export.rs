//! `export_index`: writes the documents of an index as records with their texts, in the order of the index.

use std::path::Path;

use serde::Serialize;

use crate::base::error::{Error, IndexError, Result};
use crate::base::observe::{Observer, Stage};
use crate::index::database::file::OpenFor;
use crate::index::read::reader::IndexReader;
use crate::index::read::text_reader::TextReader;
use crate::records::Name;

/// The size of the page cache in bytes.
const CACHE_BYTES: u64 = 4 << 20;

/// The record of an exported document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExportedRecord<'a> {
    /// The name of the document.
    pub id: Name<'a>,
    /// The text of the document, before normalisation.
    pub text: &'a str,
}

/// Passes each document of an index that is not removed to `sink`, in the order of the index.
///
/// Returns the faults of documents that were skipped: their texts are damaged, or have changed since the index referred
/// to them.
///
/// # Errors
/// When the index cannot be read, or `sink` fails.
pub fn export_index(
    index: &Path,
    observer: &dyn Observer,
    sink: &mut dyn FnMut(&ExportedRecord) -> Result<()>,
) -> Result<Vec<IndexError>> {
    let reader = IndexReader::open(index, OpenFor::Read, CACHE_BYTES)?;
    observer.begin(Stage::Read);
    observer.total(reader.state.next.into());
    let mut damage: Vec<IndexError> = Vec::new();
    let mut texts = TextReader::new(&reader);
    for number in 0..reader.state.next {
        if reader.is_removed(number)? {
            observer.advance(1, 0, 0);
            continue;
        }
        let read = reader.document(number).and_then(|document| {
            let text = texts.read(&document)?;
            Ok((document, text))
        });
        match read {
            Ok((document, text)) => {
                // The checksum is right, so this was a valid text when it was written.
                observer.advance(1, 1, text.len() as u64);
                let text = String::from_utf8_lossy(&text);
                sink(&ExportedRecord { id: Name::new(&document.name), text: &text })?;
            }
            Err(Error::Index(fault @ (IndexError::Damaged { .. } | IndexError::Stale { .. }))) => {
                if damage.last() != Some(&fault) {
                    damage.push(fault);
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(damage)
}
