//! Removes documents from an index, and erases texts that no document uses any more.

use std::collections::BTreeSet;

use crate::base::error::Result;
use crate::index::database::state::RunKind;
use crate::index::database::tombstones::TombstoneKind;
use crate::index::key_runs::sorted_runs::keys_of;
use crate::index::read::reader::IndexReader;
use crate::index::texts::docs::DocRow;
use crate::index::texts::stored_texts::change_texts;

/// Removes documents. Needs a write transaction.
///
/// * `pool`: shares the work on many documents.
/// * `removed`: the documents to remove, ascending by their numbers, each once; they must not be removed already.
pub(crate) fn remove_documents(
    reader: &mut IndexReader,
    pool: Option<&rayon::ThreadPool>,
    removed: &[(u32, DocRow)],
) -> Result<()> {
    if removed.is_empty() {
        return Ok(());
    }
    let numbers: Vec<u32> = removed.iter().map(|&(number, _)| number).collect();
    reader.marks.set(&reader.file, TombstoneKind::Removed, &numbers)?;
    // The documents of a large index are in different blocks, so the caller has read each row once already.
    let position_of = |number: u32| numbers.binary_search(&number).ok();
    let len_of = |number: u32| match position_of(number) {
        Some(position) => Ok(removed[position].1.len),
        None => reader.document(number).map(|document| document.len),
    };
    let contents = removed.iter().filter(|(_, document)| document.has_text()).map(|(_, document)| document.content);
    let contents: Vec<u128> = contents.collect::<BTreeSet<u128>>().into_iter().collect();
    let needed = needed_texts(reader, &contents, pool)?;
    let mut unneeded = BTreeSet::new();
    for (number, document) in removed {
        if !document.has_text() {
            unneeded.extend((document.len > 0).then_some(*number));
            continue;
        }
        // The other documents are found by the text of the first one, so this text is erased only with the last of
        // them.
        let of_content = &needed[contents.binary_search(&document.content).expect("all are there")];
        let text_of_first = match position_of(document.first) {
            Some(position) => removed[position].1.text,
            None => reader.document(document.first)?.text,
        };
        unneeded.extend([document.text, text_of_first].iter().filter(|text| of_content.binary_search(text).is_err()));
    }
    let mut erased = Vec::new();
    let mut erased_bytes = 0;
    for number in unneeded {
        let len = len_of(number)?;
        if len > 0 && !reader.marks.has(&reader.file, TombstoneKind::Erased, number)? {
            erased_bytes += len;
            erased.push(number);
        }
    }
    let changes: Vec<(u32, Option<&[u8]>)> = erased.iter().map(|&number| (number, None)).collect();
    change_texts(&reader.file, pool, &changes)?;
    reader.marks.set(&reader.file, TombstoneKind::Erased, &erased)?;
    let state = &mut reader.state;
    state.texts -= erased.len() as u64;
    state.text_bytes -= erased_bytes;
    state.documents -= numbers.len() as u64;
    state.marks = reader.marks.row_ids();
    Ok(())
}

/// For each normalised text, the numbers of the stored texts that its remaining documents need: their own texts, and
/// the text of the first document. Ascending; empty when no document remains.
fn needed_texts(reader: &IndexReader, contents: &[u128], pool: Option<&rayon::ThreadPool>) -> Result<Vec<Vec<u32>>> {
    let mut needed = vec![Vec::new(); contents.len()];
    reader.for_each_document(RunKind::Hashes, &keys_of(contents), pool, &mut |tag, number| {
        if reader.content(number)? == contents[tag as usize] {
            let document = reader.document(number)?;
            let needed = &mut needed[tag as usize];
            // A million equal documents need only one text.
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
