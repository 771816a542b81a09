//! The stored texts: reads single texts from compressed blocks of a few kilobytes, and erases texts.
//!
//! A block has consecutive texts, by the numbers of their documents. A text that is larger than a block has a separate
//! block, and a huge text has several blocks: its parts.

use std::sync::Arc;

use rayon::prelude::*;

use crate::base::error::Result;
use crate::index::blocks::compression::{Dictionary, Effort, compressed, decompressed};
use crate::index::blocks::packing::{push_varint, take_len, take_u32, take_varint};
use crate::index::blocks::read_ahead::read_ahead;
use crate::index::blocks::sealed::IndexTable;
use crate::index::database::file::IndexFile;
use crate::index::database::meta;

/// Bytes of a part of a huge text.
pub(crate) const PART: usize = 64 << 20;

/// The maximum number of cached dictionaries. Each needs about 250 KB, and as much again for compression.
const MOST_DICTIONARIES: usize = 64;
/// The minimum number of changes for parallel work: each change needs about a tenth of a millisecond.
const MANY_CHANGES: usize = 256;
/// Bytes of texts that are read before they are changed; a block is always read as a whole.
const BYTES_AT_A_TIME: usize = 4 << 20;

/// The row number of the block that begins with a text, or of a part of a huge text.
pub(crate) fn row_id(number: u32, part: usize) -> i64 {
    i64::from(number) << 16 | part as i64
}

/// A dictionary of an index.
///
/// # Errors
/// When the dictionary is damaged or missing.
pub(crate) fn dictionary_of(file: &IndexFile, number: u32) -> Result<Arc<Dictionary>> {
    if let Some(dictionary) = file.dictionaries.borrow().get(&number) {
        return Ok(Arc::clone(dictionary));
    }
    let dictionary = Arc::new(Dictionary::new(number, meta::dictionary(file, number)?));
    let mut kept = file.dictionaries.borrow_mut();
    if kept.len() == MOST_DICTIONARIES {
        kept.pop_first();
    }
    kept.insert(number, Arc::clone(&dictionary));
    Ok(dictionary)
}

/// Erases or replaces texts: rewrites their blocks with the remaining and new texts.
///
/// * `pool`: compresses blocks, if there are many.
/// * `changes`: text numbers, ascending, each with the new text; `None` erases the text.
pub(crate) fn change_texts(
    file: &IndexFile,
    pool: Option<&rayon::ThreadPool>,
    changes: &[(u32, Option<&[u8]>)],
) -> Result<()> {
    let mut rest = changes;
    let mut read = || -> Result<Option<Vec<_>>> {
        let (mut blocks, mut num_bytes) = (Vec::new(), 0);
        while let Some(&(number, new)) = rest.first().filter(|_| num_bytes < BYTES_AT_A_TIME) {
            let stored = find_block(file, number)?;
            let StoredForm::Texts(entries) = &stored.form else {
                debug_assert!(new.is_none(), "what is put instead of a text is a few bytes");
                file.delete(IndexTable::Texts, row_id(number, 0), row_id(number, usize::from(u16::MAX)))?;
                rest = &rest[1..];
                continue;
            };
            let last = entries.last().map_or(number, |&(last, _)| last);
            let here;
            (here, rest) = rest.split_at(rest.partition_point(|&(number, _)| number <= last));
            num_bytes += stored.compressed.len() + entries.iter().filter_map(|&(_, len)| len).sum::<usize>();
            blocks.push((stored, here));
        }
        Ok(Some(blocks).filter(|blocks| !blocks.is_empty()))
    };
    let change = |(stored, here): (StoredBlock, &[_])| (stored.at, stored.changed(here));
    let write = |blocks: Vec<(i64, Option<ChangedBlock>)>| {
        blocks.into_iter().try_for_each(|(at, changed)| {
            match changed.ok_or_else(|| file.damaged(IndexTable::Texts, at))? {
                ChangedBlock::Same => Ok(()),
                ChangedBlock::Empty => file.delete(IndexTable::Texts, at, at),
                ChangedBlock::Payload(payload) => file.put(IndexTable::Texts, at, &payload),
            }
        })
    };
    if let Some(pool) = pool.filter(|_| changes.len() >= MANY_CHANGES) {
        return read_ahead(pool, read, |blocks| blocks.into_par_iter().map(change).collect(), write);
    }
    while let Some(blocks) = read()? {
        write(blocks.into_iter().map(change).collect())?;
    }
    Ok(())
}

/// The outcome of the changes to a block.
enum ChangedBlock {
    /// The block is unchanged.
    Same,
    /// The block has no texts left.
    Empty,
    /// The new payload of the block.
    Payload(Vec<u8>),
}

/// The first byte of a block: a block of texts, a part of a huge text, or a block that was compressed with a
/// dictionary, whose number follows.
const TEXTS_KIND: u8 = 0;
pub(crate) const PART_KIND: u8 = 1;
const DICTIONARY_KIND: u8 = 2;

/// Packs a block: the numbers and lengths of its texts, and the compressed texts that are not erased.
pub(crate) fn payload_of(
    first: u32,
    entries: &[(u32, Option<usize>)],
    bytes: &[u8],
    effort: Effort,
    dictionary: Option<&Dictionary>,
) -> Vec<u8> {
    let mut payload = vec![if dictionary.is_some() { DICTIONARY_KIND } else { TEXTS_KIND }];
    dictionary.iter().for_each(|dictionary| push_varint(dictionary.number.into(), &mut payload));
    push_varint(entries.len() as u64, &mut payload);
    let mut before = first;
    for &(number, len) in entries {
        push_varint((number - before).into(), &mut payload);
        push_varint(len.map_or(0, |len| len as u64 + 1), &mut payload);
        before = number;
    }
    payload.extend(compressed(bytes, effort, dictionary));
    payload
}

/// A block of texts as it is stored.
#[derive(Clone)]
pub(crate) struct StoredBlock {
    pub(crate) at: i64,
    form: StoredForm,
    compressed: Vec<u8>,
    /// The dictionary that the block was compressed with.
    dictionary: Option<Arc<Dictionary>>,
}

#[derive(Clone)]
enum StoredForm {
    /// The number of each text, and its length unless it is erased.
    Texts(Vec<(u32, Option<usize>)>),
    /// A part of a huge text: the number of parts, and the length of this one.
    Part(usize, usize),
}

impl StoredBlock {
    /// Reads a block, and the number of the dictionary that it was compressed with.
    fn read(at: i64, payload: &[u8]) -> Option<(Self, Option<u32>)> {
        let (&kind, mut rest) = payload.split_first()?;
        let dictionary = if kind == DICTIONARY_KIND { Some(take_u32(&mut rest)?) } else { None };
        let form = match kind {
            TEXTS_KIND | DICTIONARY_KIND => {
                let mut number = (at >> 16) as u32;
                let num_entries = take_len(&mut rest)?;
                let mut entries = Vec::new();
                for _ in 0..num_entries {
                    number = number.checked_add(take_u32(&mut rest)?)?;
                    let len = take_varint(&mut rest)?.checked_sub(1).map(|len| len as usize);
                    entries.push((number, len));
                }
                let all = entries.iter().filter_map(|&(_, len)| len).try_fold(0usize, usize::checked_add)?;
                (all <= PART).then_some(StoredForm::Texts(entries))?
            }
            PART_KIND => {
                let (num_parts, len) = (take_len(&mut rest)?, take_len(&mut rest)?);
                (num_parts <= usize::from(u16::MAX) && len <= PART).then_some(StoredForm::Part(num_parts, len))?
            }
            _ => return None,
        };
        let block = Self { at, form, compressed: rest.to_vec(), dictionary: None };
        Some((block, dictionary))
    }

    /// All texts of the block, one after another, or the part; `None` when they cannot be unpacked.
    pub(crate) fn unpack(&self) -> Option<Vec<u8>> {
        let len = match &self.form {
            StoredForm::Texts(entries) => entries.iter().filter_map(|&(_, len)| len).sum(),
            StoredForm::Part(_, len) => *len,
        };
        let unpacked = decompressed(&self.compressed, len, self.dictionary.as_deref())?;
        (unpacked.len() == len).then_some(unpacked)
    }

    /// The block after the changes of [`change_texts`]; `None` when it cannot be unpacked.
    fn changed(&self, changes: &[(u32, Option<&[u8]>)]) -> Option<ChangedBlock> {
        let StoredForm::Texts(entries) = &self.form else { return None };
        let erased = |&(number, len): &(u32, Option<usize>)| {
            len.is_none()
                || changes.binary_search_by_key(&number, |&(number, _)| number).is_ok_and(|at| changes[at].1.is_none())
        };
        if entries.iter().all(erased) {
            return Some(ChangedBlock::Empty);
        }
        let texts = self.unpack()?;
        let (mut kept, mut bytes, mut start) = (Vec::new(), Vec::new(), 0);
        for &(number, len) in entries {
            let text = &texts[start..start + len.unwrap_or(0)];
            start += text.len();
            let text = match changes.binary_search_by_key(&number, |&(number, _)| number) {
                Ok(position) => changes[position].1,
                Err(_) => len.map(|_| text),
            };
            kept.push((number, text.map(<[u8]>::len)));
            bytes.extend_from_slice(text.unwrap_or_default());
        }
        if kept == *entries && bytes == texts {
            return Some(ChangedBlock::Same);
        }
        let (first, dictionary) = ((self.at >> 16) as u32, self.dictionary.as_deref());
        Some(ChangedBlock::Payload(payload_of(first, &kept, &bytes, Effort::Again, dictionary)))
    }

    /// The range of a text in the unpacked block; `None` when the block does not contain the text.
    pub(crate) fn range_of(&self, number: u32) -> Option<std::ops::Range<usize>> {
        let StoredForm::Texts(entries) = &self.form else { return None };
        let mut start = 0;
        for &(other, len) in entries {
            let end = start + len.unwrap_or(0);
            if other == number {
                return len.map(|_| start..end);
            }
            start = end;
        }
        None
    }

    /// Whether the block may contain the text with this number; the text may be erased.
    pub(crate) fn may_hold(&self, number: u32) -> bool {
        match &self.form {
            StoredForm::Texts(entries) => entries.binary_search_by_key(&number, |&(other, _)| other).is_ok(),
            StoredForm::Part(..) => (self.at >> 16) as u32 == number,
        }
    }

    /// The number of parts of the text in this block; 1 for a block of texts.
    pub(crate) fn num_parts(&self) -> usize {
        match self.form {
            StoredForm::Texts(_) => 1,
            StoredForm::Part(num_parts, _) => num_parts,
        }
    }

    /// The numbers of the texts in the block.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        match &self.form {
            StoredForm::Texts(entries) => {
                entries.iter().filter(|(_, len)| len.is_some()).map(|&(number, _)| number).collect()
            }
            StoredForm::Part(..) => vec![(self.at >> 16) as u32],
        }
    }
}

/// The block with a row number; `None` when the row does not exist.
pub(crate) fn block_at(file: &IndexFile, at: i64) -> Result<Option<StoredBlock>> {
    let read = file.get(IndexTable::Texts, at, |payload| StoredBlock::read(at, payload))?;
    let Some((mut block, dictionary)) = read else { return Ok(None) };
    block.dictionary = dictionary.map(|number| dictionary_of(file, number)).transpose()?;
    Ok(Some(block))
}

/// The block that contains a text.
///
/// # Errors
/// When no block contains the text.
pub(crate) fn find_block(file: &IndexFile, number: u32) -> Result<StoredBlock> {
    let missing = || file.damaged(IndexTable::Texts, row_id(number, 0));
    let at = file.row_up_to(IndexTable::Texts, row_id(number, 0))?.ok_or_else(missing)?;
    let block = block_at(file, at)?.ok_or_else(missing)?;
    if block.may_hold(number) { Ok(block) } else { Err(missing()) }
}

/// A text from the block that contains it.
///
/// # Errors
/// When the block cannot be unpacked, or does not contain the text.
pub(crate) fn text_of(file: &IndexFile, block: &StoredBlock, number: u32) -> Result<Vec<u8>> {
    let missing = || file.damaged(IndexTable::Texts, block.at);
    let mut text = block.unpack().ok_or_else(missing)?;
    if block.num_parts() == 1 && matches!(block.form, StoredForm::Texts(_)) {
        let range = block.range_of(number).ok_or_else(missing)?;
        text.truncate(range.end);
        text.drain(..range.start);
        return Ok(text);
    }
    for part in 1..block.num_parts() {
        let next = block_at(file, row_id(number, part))?.ok_or_else(missing)?;
        text.extend(next.unpack().ok_or_else(missing)?);
    }
    Ok(text)
}
