//! What is known of each document: name, place, the hash of its text, and where that text is; blocks of 256 documents.

use std::rc::Rc;

use super::file::IndexFile;
use super::packing::{push_varint, take_len, take_u32, take_varint};
use super::sealed::IndexTable;
use crate::code::Syntax;
use crate::document::OffsetsOf;
use crate::error::Result;

/// Documents of a block.
pub(super) const BLOCK: u32 = 256;
/// How hard names are compressed.
const LEVEL: i32 = 3;
/// Most bytes of the columns of a block, before they were compressed.
const MOST_BYTES: usize = 1 << 28;

/// A document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DocRow {
    pub(super) name: Vec<u8>,
    /// `xxh3_128` of the normalised text; 0 of a document without shingles.
    pub(super) content: u128,
    /// `xxh3_64` of the text before it was normalised.
    pub(super) raw: u64,
    /// The first document with this normalised text: the one that is banded.
    pub(super) first: u32,
    /// The document under whose number the text is stored.
    pub(super) text: u32,
    /// Bytes of the text before it was normalised.
    pub(super) len: u64,
    pub(super) origin: StoredOrigin,
    pub(super) syntax: Option<Syntax>,
    pub(super) offsets_of: OffsetsOf,
    /// Whether the text is, byte for byte, what offsets in the document are offsets in.
    pub(super) is_original: bool,
}

/// Where a document came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StoredOrigin {
    /// Its name is the file's.
    Named,
    /// A file that is named otherwise.
    File(Vec<u8>),
    /// A record of a file, on a line or in a row.
    Record { file: Vec<u8>, place: u64, is_row: bool },
}

impl DocRow {
    /// Whether it has shingles.
    pub(super) fn has_text(&self) -> bool {
        self.content != 0
    }
}

/// The bytes of a block.
fn packed(first: u32, rows: &[DocRow]) -> Vec<u8> {
    let mut payload = (rows.len() as u16).to_le_bytes().to_vec();
    for row in rows {
        payload.extend_from_slice(&row.content.to_le_bytes());
        payload.extend_from_slice(&row.raw.to_le_bytes());
    }
    let mut columns = Vec::new();
    // Names of files and languages, each once.
    let mut words: Vec<&[u8]> = Vec::new();
    for (number, row) in (first..).zip(rows) {
        push_varint((number - row.first).into(), &mut columns);
        push_varint((number - row.text).into(), &mut columns);
        push_varint(row.len, &mut columns);
        let syntax = row.syntax.map_or(0, |syntax| 1 + place_in(&mut words, syntax.name().as_bytes()));
        let of = OffsetsOf::ALL.into_iter().position(|of| of == row.offsets_of).expect("all are there");
        let (kind, file, place) = match &row.origin {
            StoredOrigin::Named => (0, None, 0),
            StoredOrigin::File(file) => (1, Some(file), 0),
            StoredOrigin::Record { file, place, is_row } => (2 + u64::from(*is_row), Some(file), *place),
        };
        push_varint(kind | (of as u64) << 2 | u64::from(row.is_original) << 5 | (syntax as u64) << 6, &mut columns);
        if let Some(file) = file {
            push_varint(place_in(&mut words, file) as u64, &mut columns);
            push_varint(place, &mut columns);
        }
        push_varint(row.name.len() as u64, &mut columns);
    }
    push_varint(words.len() as u64, &mut columns);
    for word in words {
        push_varint(word.len() as u64, &mut columns);
        columns.extend_from_slice(word);
    }
    rows.iter().for_each(|row| columns.extend_from_slice(&row.name));
    payload.extend_from_slice(&(columns.len() as u32).to_le_bytes());
    payload.extend(zstd::bulk::compress(&columns, LEVEL).expect("there is room for the most it can take"));
    payload
}

/// The place of a word among others, which it is added to.
fn place_in<'w>(words: &mut Vec<&'w [u8]>, word: &'w [u8]) -> usize {
    // The last ones are the likeliest.
    words.iter().rposition(|other| *other == word).unwrap_or_else(|| {
        words.push(word);
        words.len() - 1
    })
}

/// The documents of a block; `None` when it is none.
fn unpacked(first: u32, payload: &[u8]) -> Option<Vec<DocRow>> {
    let (num_rows, rest) = payload.split_first_chunk::<2>()?;
    let num_rows = usize::from(u16::from_le_bytes(*num_rows));
    let (hashes, rest) = rest.split_at_checked(24 * num_rows)?;
    let (len, rest) = rest.split_first_chunk::<4>()?;
    let len = u32::from_le_bytes(*len) as usize;
    let columns =
        (len <= MOST_BYTES && num_rows <= BLOCK as usize).then(|| zstd::bulk::decompress(rest, len).ok())??;
    let mut rest = columns.as_slice();
    let (mut rows, mut names, mut words_of) = (Vec::new(), Vec::new(), Vec::new());
    for (number, hashes) in (first..).zip(hashes.chunks_exact(24)) {
        let (content, raw) = hashes.split_first_chunk::<16>()?;
        let first = number.checked_sub(take_u32(&mut rest)?)?;
        let text = number.checked_sub(take_u32(&mut rest)?)?;
        let len = take_varint(&mut rest)?;
        let bits = take_varint(&mut rest)?;
        let (kind, of, syntax) = (bits & 3, bits >> 2 & 7, (bits >> 6) as usize);
        let file = if kind == 0 { None } else { Some((kind, take_len(&mut rest)?, take_varint(&mut rest)?)) };
        words_of.push((file, syntax));
        names.push(take_len(&mut rest)?);
        rows.push(DocRow {
            name: Vec::new(),
            content: u128::from_le_bytes(*content),
            raw: u64::from_le_bytes(raw.try_into().ok()?),
            first,
            text,
            len,
            origin: StoredOrigin::Named,
            syntax: None,
            offsets_of: *OffsetsOf::ALL.get(of as usize)?,
            is_original: bits >> 5 & 1 == 1,
        });
    }
    let num_words = take_len(&mut rest)?;
    let mut words = Vec::new();
    for _ in 0..num_words {
        let len = take_len(&mut rest)?;
        words.push(rest.split_off(..len)?);
    }
    for ((row, len), (file, syntax)) in rows.iter_mut().zip(names).zip(words_of) {
        row.name = rest.split_off(..len)?.to_vec();
        if let Some((kind, file, place)) = file {
            let file = words.get(file)?.to_vec();
            row.origin = match kind {
                1 => StoredOrigin::File(file),
                _ => StoredOrigin::Record { file, place, is_row: kind == 3 },
            };
        }
        if let Some(syntax) = syntax.checked_sub(1) {
            row.syntax = Some(std::str::from_utf8(words.get(syntax)?).ok()?.parse().ok()?);
        }
    }
    rest.is_empty().then_some(rows)
}

/// Adds documents behind the last one.
pub(super) struct DocWriter {
    next: u32,
    /// The documents of the last block that is not full.
    rows: Vec<DocRow>,
}

impl DocWriter {
    /// * `next`: the number of the next document.
    pub(super) fn open(file: &IndexFile, next: u32) -> Result<Self> {
        let rows = if next.is_multiple_of(BLOCK) { Vec::new() } else { read_block(file, next / BLOCK, next)? };
        Ok(Self { next, rows })
    }

    /// Adds a document.
    pub(super) fn push(&mut self, file: &IndexFile, row: DocRow) -> Result<()> {
        self.rows.push(row);
        self.next += 1;
        if self.next.is_multiple_of(BLOCK) {
            self.put(file, (self.next - 1) / BLOCK)?;
            self.rows.clear();
        }
        Ok(())
    }

    /// Writes what is not written yet.
    pub(super) fn flush(&self, file: &IndexFile) -> Result<()> {
        if self.rows.is_empty() { Ok(()) } else { self.put(file, self.next / BLOCK) }
    }

    fn put(&self, file: &IndexFile, block: u32) -> Result<()> {
        file.put(IndexTable::Docs, block.into(), &packed(block * BLOCK, &self.rows))
    }
}

/// The documents of a block.
///
/// * `next`: the number of the next document of the index.
///
/// # Errors
/// When the block is damaged, or has not all documents.
pub(super) fn read_block(file: &IndexFile, block: u32, next: u32) -> Result<Vec<DocRow>> {
    let expected = (next - block * BLOCK).min(BLOCK) as usize;
    file.need(IndexTable::Docs, block.into(), |payload| {
        unpacked(block * BLOCK, payload).filter(|rows| rows.len() == expected)
    })
}

/// Reads documents, and keeps the last few blocks.
pub(super) struct DocReader {
    next: u32,
    kept: Vec<(u32, Rc<Vec<DocRow>>)>,
}

impl DocReader {
    /// Blocks that are kept.
    const KEPT: usize = 32;

    /// * `next`: the number of the next document of the index.
    pub(super) fn new(next: u32) -> Self {
        Self { next, kept: Vec::new() }
    }

    /// The block of a document, and its place there.
    pub(super) fn get(&mut self, file: &IndexFile, number: u32) -> Result<DocRef> {
        let block = number / BLOCK;
        if number >= self.next {
            return Err(file.damaged(IndexTable::Docs, block.into()));
        }
        let at = (number % BLOCK) as usize;
        if let Some(place) = self.kept.iter().rposition(|&(other, _)| other == block) {
            return Ok(DocRef { rows: Rc::clone(&self.kept[place].1), at });
        }
        let rows = Rc::new(read_block(file, block, self.next)?);
        if self.kept.len() == Self::KEPT {
            self.kept.remove(0);
        }
        self.kept.push((block, Rc::clone(&rows)));
        Ok(DocRef { rows, at })
    }
}

/// A document in its block.
pub(super) struct DocRef {
    rows: Rc<Vec<DocRow>>,
    at: usize,
}

impl std::ops::Deref for DocRef {
    type Target = DocRow;

    fn deref(&self) -> &DocRow {
        &self.rows[self.at]
    }
}
