//! The stored texts: compressed blocks of about 8 KiB in, single texts out, and texts erased.
//!
//! A block has consecutive texts, by the numbers of their documents: as many as make two blocks fill a page of SQLite, by how well
//! the texts before were compressed. A text that is larger than a block has a block alone, and a huge one has several: its parts.

use std::io;
use std::num::NonZeroUsize;

use rayon::prelude::*;

use super::compression::{compressed, decompressed};
use super::file::IndexFile;
use super::packing::{push_varint, take_len, take_u32, take_varint};
use super::read_ahead::read_ahead;
use super::sealed::IndexTable;
use crate::error::Result;

/// Bytes of a block that is compressed, so that two fit a page of 16 KiB. One a page of half the size would waste a third of it.
const BLOCK: usize = 8_000;
/// Least and most bytes of texts in a block before they are compressed.
const TEXTS: [usize; 2] = [8 << 10, 32 << 10];
/// Bytes of a part of a huge text.
const PART: usize = 64 << 20;
/// How hard texts are compressed: 350 MB a second, 0.4 of the size.
const LEVEL: i32 = 3;

/// Changes from which on threads are started for them: each takes about a tenth of a millisecond.
const MANY_CHANGES: usize = 256;
/// Bytes of texts that are read before they are changed, or those of a block.
const BYTES_AT_A_TIME: usize = 4 << 20;

/// The place of the block that begins with a text, or of a part of it.
fn place(number: u32, part: usize) -> i64 {
    i64::from(number) << 16 | part as i64
}

/// Writes texts in the order of their numbers.
pub(super) struct TextWriter {
    compressor: zstd::bulk::Compressor<'static>,
    numbers: Vec<(u32, usize)>,
    bytes: Vec<u8>,
    /// Bytes of texts that make a block, by how well the last ones were compressed.
    room: usize,
}

impl TextWriter {
    pub(super) fn new() -> io::Result<Self> {
        let compressor = zstd::bulk::Compressor::new(LEVEL)?;
        Ok(Self { compressor, numbers: Vec::new(), bytes: Vec::new(), room: 2 * BLOCK })
    }

    /// Adds a text.
    pub(super) fn push(&mut self, file: &IndexFile, number: u32, text: &[u8]) -> Result<()> {
        if !self.numbers.is_empty() && self.bytes.len() + text.len() > self.room {
            self.flush(file)?;
        }
        if text.len() > PART {
            let num_parts = text.len().div_ceil(PART);
            for (part, bytes) in text.chunks(PART).enumerate() {
                let mut payload = vec![1];
                push_varint(num_parts as u64, &mut payload);
                push_varint(bytes.len() as u64, &mut payload);
                self.compress(bytes, &mut payload);
                file.put(IndexTable::Texts, place(number, part), &payload)?;
            }
            return Ok(());
        }
        self.numbers.push((number, text.len()));
        self.bytes.extend_from_slice(text);
        Ok(())
    }

    /// Writes what is not written yet.
    pub(super) fn flush(&mut self, file: &IndexFile) -> Result<()> {
        let Some(&(first, _)) = self.numbers.first() else { return Ok(()) };
        let entries: Vec<(u32, Option<usize>)> =
            std::mem::take(&mut self.numbers).into_iter().map(|(number, len)| (number, Some(len))).collect();
        let bytes = std::mem::take(&mut self.bytes);
        let compressed = self.put(file, first, &entries, &bytes)?;
        if bytes.len() >= TEXTS[0] / 2 {
            self.room = (bytes.len() * BLOCK / compressed).clamp(TEXTS[0], TEXTS[1]);
        }
        self.bytes = bytes;
        self.bytes.clear();
        Ok(())
    }

    /// * `entries`: numbers, and lengths of texts that are not erased.
    ///
    /// Returns the bytes of the block.
    fn put(&mut self, file: &IndexFile, first: u32, entries: &[(u32, Option<usize>)], bytes: &[u8]) -> Result<usize> {
        let mut payload = header_of(first, entries);
        self.compress(bytes, &mut payload);
        file.put(IndexTable::Texts, place(first, 0), &payload).map(|()| payload.len())
    }

    fn compress(&mut self, bytes: &[u8], payload: &mut Vec<u8>) {
        let compressed = self.compressor.compress(bytes).expect("there is room for the most it can take");
        payload.extend_from_slice(&compressed);
    }
}

/// Erases texts, or puts others in their place: what their blocks have then is written again. Many blocks are packed by several
/// threads.
///
/// * `threads`: pack blocks, where there are many.
/// * `changes`: numbers, ascending, each with the new text; `None` erases.
pub(super) fn change_texts(file: &IndexFile, threads: NonZeroUsize, changes: &[(u32, Option<&[u8]>)]) -> Result<()> {
    let mut rest = changes;
    let mut read = || -> Result<Option<Vec<_>>> {
        let (mut blocks, mut num_bytes) = (Vec::new(), 0);
        while let Some(&(number, new)) = rest.first().filter(|_| num_bytes < BYTES_AT_A_TIME) {
            let stored = find_block(file, number)?;
            let StoredForm::Texts(entries) = &stored.form else {
                debug_assert!(new.is_none(), "what is put in the place of a text is a few bytes");
                file.delete(IndexTable::Texts, place(number, 0), place(number, usize::from(u16::MAX)))?;
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
    let shares_work = changes.len() >= MANY_CHANGES && threads.get() > 1;
    let pool = || rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build().ok();
    // Where no thread can be started it takes longer.
    if let Some(pool) = shares_work.then(pool).flatten() {
        return read_ahead(&pool, read, |blocks| blocks.into_par_iter().map(change).collect(), write);
    }
    while let Some(blocks) = read()? {
        write(blocks.into_iter().map(change).collect())?;
    }
    Ok(())
}

/// What becomes of a block.
enum ChangedBlock {
    /// It stays as it is.
    Same,
    /// No text is left of it.
    Empty,
    /// What is written in its place.
    Payload(Vec<u8>),
}

/// The beginning of a block: numbers, and lengths of texts that are not erased.
fn header_of(first: u32, entries: &[(u32, Option<usize>)]) -> Vec<u8> {
    let mut payload = vec![0];
    push_varint(entries.len() as u64, &mut payload);
    let mut before = first;
    for &(number, len) in entries {
        push_varint((number - before).into(), &mut payload);
        push_varint(len.map_or(0, |len| len as u64 + 1), &mut payload);
        before = number;
    }
    payload
}

/// A block of texts as it is stored.
#[derive(Clone)]
pub(super) struct StoredBlock {
    pub(super) at: i64,
    form: StoredForm,
    compressed: Vec<u8>,
}

#[derive(Clone)]
enum StoredForm {
    /// Numbers, and lengths of texts that are not erased.
    Texts(Vec<(u32, Option<usize>)>),
    /// A part of a huge text, of so many, and its length.
    Part(usize, usize),
}

impl StoredBlock {
    fn read(at: i64, payload: &[u8]) -> Option<Self> {
        let (&kind, mut rest) = payload.split_first()?;
        let form = match kind {
            0 => {
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
            1 => {
                let (num_parts, len) = (take_len(&mut rest)?, take_len(&mut rest)?);
                (num_parts <= usize::from(u16::MAX) && len <= PART).then_some(StoredForm::Part(num_parts, len))?
            }
            _ => return None,
        };
        Some(Self { at, form, compressed: rest.to_vec() })
    }

    /// All texts of the block, one after another, or the part; `None` when they cannot be unpacked.
    pub(super) fn unpack(&self) -> Option<Vec<u8>> {
        let len = match &self.form {
            StoredForm::Texts(entries) => entries.iter().filter_map(|&(_, len)| len).sum(),
            StoredForm::Part(_, len) => *len,
        };
        let unpacked = decompressed(&self.compressed, len)?;
        (unpacked.len() == len).then_some(unpacked)
    }

    /// The block after some changes, as [`change_texts`] takes them; `None` when it cannot be unpacked.
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
                Ok(place) => changes[place].1,
                Err(_) => len.map(|_| text),
            };
            kept.push((number, text.map(<[u8]>::len)));
            bytes.extend_from_slice(text.unwrap_or_default());
        }
        if kept == *entries && bytes == texts {
            return Some(ChangedBlock::Same);
        }
        let mut payload = header_of((self.at >> 16) as u32, &kept);
        payload.extend(compressed(&bytes));
        Some(ChangedBlock::Payload(payload))
    }

    /// Where in the unpacked block a text is; `None` when it is not there.
    pub(super) fn range_of(&self, number: u32) -> Option<std::ops::Range<usize>> {
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

    /// Whether the block may hold a text with this number.
    pub(super) fn may_hold(&self, number: u32) -> bool {
        match &self.form {
            StoredForm::Texts(entries) => entries.binary_search_by_key(&number, |&(other, _)| other).is_ok(),
            StoredForm::Part(..) => (self.at >> 16) as u32 == number,
        }
    }

    /// Whether it is one of several parts of a text.
    pub(super) fn num_parts(&self) -> usize {
        match self.form {
            StoredForm::Texts(_) => 1,
            StoredForm::Part(num_parts, _) => num_parts,
        }
    }

    /// The numbers of the texts that it holds.
    pub(super) fn numbers(&self) -> Vec<u32> {
        match &self.form {
            StoredForm::Texts(entries) => {
                entries.iter().filter(|(_, len)| len.is_some()).map(|&(number, _)| number).collect()
            }
            StoredForm::Part(..) => vec![(self.at >> 16) as u32],
        }
    }
}

/// The block at a place; `None` when there is none.
pub(super) fn block_at(file: &IndexFile, at: i64) -> Result<Option<StoredBlock>> {
    file.get(IndexTable::Texts, at, |payload| StoredBlock::read(at, payload))
}

/// The block that a text is in.
///
/// # Errors
/// When there is none that has the text.
pub(super) fn find_block(file: &IndexFile, number: u32) -> Result<StoredBlock> {
    let missing = || file.damaged(IndexTable::Texts, place(number, 0));
    let at = file.place_up_to(IndexTable::Texts, place(number, 0))?.ok_or_else(missing)?;
    let block = block_at(file, at)?.ok_or_else(missing)?;
    if block.may_hold(number) { Ok(block) } else { Err(missing()) }
}

/// A text, of a block that has it.
///
/// # Errors
/// When the block cannot be unpacked, or has lost the text.
pub(super) fn text_of(file: &IndexFile, block: &StoredBlock, number: u32) -> Result<Vec<u8>> {
    let missing = || file.damaged(IndexTable::Texts, block.at);
    let mut text = block.unpack().ok_or_else(missing)?;
    if block.num_parts() == 1 && matches!(block.form, StoredForm::Texts(_)) {
        let range = block.range_of(number).ok_or_else(missing)?;
        text.truncate(range.end);
        text.drain(..range.start);
        return Ok(text);
    }
    for part in 1..block.num_parts() {
        let next = block_at(file, place(number, part))?.ok_or_else(missing)?;
        text.extend(next.unpack().ok_or_else(missing)?);
    }
    Ok(text)
}
