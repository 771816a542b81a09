//! Removing: documents out of an index, and with the last document of a text the text.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use super::marks::GoneKind;
use super::reader::IndexReader;
use super::runs::keys_of;
use super::state::RunKind;
use super::texts::change_texts;
use crate::error::Result;

/// Removes documents. In a transaction that writes.
///
/// * `threads`: pack what stays of texts.
/// * `numbers`: of documents that are not removed, ascending, each once.
pub(super) fn remove_documents(reader: &mut IndexReader, threads: NonZeroUsize, numbers: &[u32]) -> Result<()> {
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
    let needed = needed_texts(reader, &contents)?;
    for &number in numbers {
        let document = reader.document(number)?;
        if !document.has_text() {
            continue;
        }
        // The text of the first one is what the others are found by, as long as there are any: it goes with the last of them.
        let of_content = &needed[contents.binary_search(&document.content).expect("all are there")];
        let first = reader.document(document.first)?;
        let texts = [(document.text, document.len), (first.text, first.len)];
        let is_gone = |&(text, len): &(u32, u64)| len > 0 && of_content.binary_search(&text).is_err();
        erased.extend(texts.into_iter().filter(is_gone).map(|(text, _)| text));
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
    let changes: Vec<(u32, Option<&[u8]>)> = to_erase.iter().map(|&number| (number, None)).collect();
    change_texts(&reader.file, threads, &changes)?;
    reader.marks.set(&reader.file, GoneKind::Erased, &to_erase)?;
    reader.state.documents -= numbers.len() as u64;
    reader.state.marks = reader.marks.places();
    Ok(())
}

/// For each normalised text the numbers of the texts that documents with it need which are left: their own, and that of the first
/// one. Ascending; nothing where no document is left.
fn needed_texts(reader: &IndexReader, contents: &[u128]) -> Result<Vec<Vec<u32>>> {
    let mut needed = vec![Vec::new(); contents.len()];
    reader.for_each_document(RunKind::Hashes, &keys_of(contents), &mut |tag, number| {
        if reader.content(number)? == contents[tag as usize] {
            let document = reader.document(number)?;
            let needed = &mut needed[tag as usize];
            // A million equal documents need one text.
            for text in [document.text, reader.document(document.first)?.text] {
                if needed.last() != Some(&text) && needed.first() != Some(&text) {
                    needed.push(text);
                }
            }
        }
        Ok(())
    })?;
    for needed in &mut needed {
        needed.sort_unstable();
        needed.dedup();
    }
    Ok(needed)
}
