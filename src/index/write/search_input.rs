//! `documents_of_index`: the documents of an index as an input of a search, next to files and folders.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::stored_documents::{CopiedDocument, DocumentCopier, KeptByName};
use crate::base::error::{IndexError, Result};
use crate::base::problem::{Problem, Reason};
use crate::documents::document::OffsetsOf;
use crate::documents::input::{ReadStored, StoredDocument, StoredInput, StoredItem, StoredPlace};
use crate::index::database::file::OpenFor;
use crate::index::read::reader::IndexReader;
use crate::text::code::StatedSyntax;

/// The size of the page cache in bytes.
const CACHE_BYTES: u64 = 8 << 20;

/// The documents of an index that are not removed, in the order of the index, for
/// [`Against::stored`](crate::documents::Against::stored). The index is opened when the search reads its inputs.
///
/// * `index`: the path of the index, as it is given among the paths of the search.
pub fn documents_of_index(index: &Path) -> StoredInput {
    StoredInput::new(index, Arc::new(IndexInput { index: index.to_owned() }))
}

#[derive(Debug)]
struct IndexInput {
    index: PathBuf,
}

impl ReadStored for IndexInput {
    fn read(&self, only: Option<&BTreeSet<Vec<u8>>>, pass: &mut dyn FnMut(StoredItem) -> bool) -> Result<()> {
        let reader = IndexReader::open(&self.index, OpenFor::Read, CACHE_BYTES)?;
        let (readers, winners) = (std::slice::from_ref(&reader), KeptByName::new());
        let mut documents = DocumentCopier::of(readers, &winners);
        if let Some(only) = only {
            let names: Vec<&[u8]> = only.iter().map(Vec::as_slice).collect();
            let found = reader.with_names(&names, None)?.into_iter().flatten();
            documents.only = Some(found.map(|(number, _)| number).collect());
        }
        let file_len = std::fs::metadata(&self.index).map_or(0, |metadata| metadata.len());
        let (mut passed, all) = (0, u64::from(reader.state.next).max(1));
        loop {
            let chunk = documents.next()?;
            passed += std::mem::take(&mut documents.num_passed);
            pass(StoredItem::Read((u128::from(file_len) * u128::from(passed) / u128::from(all)) as u64));
            for problem in std::mem::take(&mut documents.stale) {
                pass(StoredItem::Problem(problem));
            }
            for damage in std::mem::take(&mut documents.damage) {
                pass(StoredItem::Problem(damaged(&self.index, &damage)));
            }
            if chunk.is_empty() || !chunk.iter().all(|document| pass(item(document))) {
                return Ok(());
            }
        }
    }
}

fn item(document: &CopiedDocument) -> StoredItem<'_> {
    let CopiedDocument { row, text, .. } = document;
    let record = match row.origin.file_and_place() {
        (Some(file), Some((place, is_row))) => Some(StoredPlace { file, place, is_row }),
        _ => None,
    };
    let of = if row.is_original { row.offsets_of } else { OffsetsOf::Text };
    let syntax = row.syntax.map_or(StatedSyntax::None, StatedSyntax::Known);
    StoredItem::Document(StoredDocument { name: &row.name, text, of, syntax, record })
}

/// The problem of documents that cannot be read because a part of the index is damaged.
fn damaged(index: &Path, damage: &IndexError) -> Problem {
    let part = match damage {
        IndexError::Damaged { part, .. } => part.clone(),
        other => other.to_string(),
    };
    let detail = format!("{part} of the index is damaged; its documents are skipped");
    Problem::error(index.to_string_lossy(), Reason::Damaged, detail)
}
