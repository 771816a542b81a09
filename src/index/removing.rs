//! Removing: documents out of an index, and with the last document of a text the text.

use std::collections::BTreeSet;

use super::marks::GoneKind;
use super::reader::IndexReader;
use super::runs::{keys_of, look_up};
use super::state::RunKind;
use super::texts::TextWriter;
use crate::error::Result;

/// Removes documents. In a transaction that writes.
///
/// * `numbers`: of documents that are not removed, ascending, each once.
pub(super) fn remove_documents(reader: &mut IndexReader, texts: &mut TextWriter, numbers: &[u32]) -> Result<()> {
    if numbers.is_empty() {
        return Ok(());
    }
    reader.marks.set(&reader.file, GoneKind::Removed, numbers)?;
    let (mut contents, mut erased) = (BTreeSet::new(), BTreeSet::new());
    for &number in numbers {
        let document = reader.document(number)?;
        if document.has_text() {
            contents.insert(document.content);
        } else if document.len > 0 {
            erased.insert(number);
        }
    }
    let contents: Vec<u128> = contents.into_iter().collect();
    let is_left = is_left(reader, &contents)?;
    for group in documents_with(reader, &contents, &is_left)? {
        erased.extend(group);
    }
    let mut to_erase = Vec::new();
    for number in erased {
        if !reader.marks.has(&reader.file, GoneKind::Erased, number)? {
            let len = reader.document(number)?.len;
            reader.state.texts -= 1;
            reader.state.text_bytes -= len;
            to_erase.push(number);
        }
    }
    texts.erase(&reader.file, &to_erase)?;
    reader.marks.set(&reader.file, GoneKind::Erased, &to_erase)?;
    reader.state.documents -= numbers.len() as u64;
    reader.state.marks = reader.marks.places();
    Ok(())
}

/// For each normalised text whether a document with it is left.
fn is_left(reader: &IndexReader, contents: &[u128]) -> Result<Vec<bool>> {
    let mut is_left = vec![false; contents.len()];
    look_up(&reader.file, reader.runs(RunKind::Hashes), &keys_of(contents), &mut |tag, number| {
        let is_left = &mut is_left[tag as usize];
        if !*is_left && !reader.is_removed(number)? {
            *is_left = reader.document(number)?.content == contents[tag as usize];
        }
        Ok(())
    })?;
    Ok(is_left)
}

/// The numbers under which the texts are stored that no document is left of.
fn documents_with(reader: &IndexReader, contents: &[u128], is_left: &[bool]) -> Result<Vec<Vec<u32>>> {
    let mut stored = vec![Vec::new(); contents.len()];
    look_up(&reader.file, reader.runs(RunKind::Hashes), &keys_of(contents), &mut |tag, number| {
        if is_left[tag as usize] {
            return Ok(());
        }
        let document = reader.document(number)?;
        if document.content == contents[tag as usize] && document.text == number && document.len > 0 {
            stored[tag as usize].push(number);
        }
        Ok(())
    })?;
    Ok(stored)
}
