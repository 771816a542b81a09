//! The table of documents: the name, origin, hash and text number of each document, in blocks of 256 documents.

use std::cell::OnceCell;
use std::ops::Range;

use crate::base::error::Result;
use crate::documents::document::OffsetsOf;
use crate::index::blocks::compression::{Effort, compressed, decompressed};
use crate::index::blocks::packing::{push_varint, take_len, take_u32, take_varint};
use crate::index::blocks::sealed::IndexTable;
use crate::index::database::file::IndexFile;
use crate::text::code::Syntax;

/// The number of documents of a block.
pub(crate) const BLOCK: u32 = 256;
/// The maximum bytes of the columns of a block before compression.
const MOST_BYTES: usize = 1 << 28;

/// The row of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DocRow {
    pub(crate) name: Vec<u8>,
    /// `xxh3_128` of the normalised text; 0 when the document has no shingles.
    pub(crate) content: u128,
    /// `xxh3_64` of the text before normalisation.
    pub(crate) raw: u64,
    /// The number of the first document with this normalised text, whose band keys are in the index.
    pub(crate) first: u32,
    /// The number of the document under which the text is stored.
    pub(crate) text: u32,
    /// The bytes of the text before normalisation.
    pub(crate) len: u64,
    pub(crate) origin: StoredOrigin,
    pub(crate) syntax: Option<Syntax>,
    pub(crate) offsets_of: OffsetsOf,
    /// Whether offsets in the document count in this text, byte for byte.
    pub(crate) is_original: bool,
}

/// The origin of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StoredOrigin {
    /// A file with the name of the document.
    Named,
    /// A file with another name.
    File(Vec<u8>),
    /// A record of a file, at a line or row number.
    Record { file: Vec<u8>, place: u64, is_row: bool },
}

impl StoredOrigin {
    /// The file of the document, when that differs from its name, and the place in the file.
    pub(crate) fn file_and_place(&self) -> (Option<&[u8]>, Option<(u64, bool)>) {
        match self {
            Self::Named => (None, None),
            Self::File(file) => (Some(file), None),
            Self::Record { file, place, is_row } => (Some(file), Some((*place, *is_row))),
        }
    }
}

impl DocRow {
    /// Whether the text of the document is stored under its own number.
    ///
    /// * `number`: the number of the document.
    pub(crate) fn stores_text(&self, number: u32) -> bool {
        self.text == number && self.len > 0
    }

    /// Whether the document has shingles.
    pub(crate) fn has_text(&self) -> bool {
        self.content != 0
    }
}

/// Packs the rows of a block.
fn packed(first: u32, rows: &[DocRow]) -> Vec<u8> {
    let mut payload = (rows.len() as u16).to_le_bytes().to_vec();
    for row in rows {
        payload.extend_from_slice(&row.content.to_le_bytes());
        payload.extend_from_slice(&row.raw.to_le_bytes());
    }
    let mut columns = Vec::new();
    // The names of files and languages, each once.
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
    payload.extend(compressed(&columns, Effort::First, None));
    payload
}

/// The position of a word in a list; adds the word if it is missing.
fn place_in<'w>(words: &mut Vec<&'w [u8]>, word: &'w [u8]) -> usize {
    // The last words are the most likely ones.
    words.iter().rposition(|other| *other == word).unwrap_or_else(|| {
        words.push(word);
        words.len() - 1
    })
}

/// A block of documents. The compressed part is unpacked on first use, and a document is decoded when it is read.
pub(crate) struct DocBlock {
    first: u32,
    num_rows: usize,
    /// The stored bytes after the number of documents.
    payload: Vec<u8>,
    /// The unpacked columns; `None` when they are damaged.
    columns: OnceCell<Option<DocColumns>>,
}

/// The compressed part of a block.
struct DocColumns {
    bytes: Vec<u8>,
    rows: Vec<DocNumbers>,
    /// The ranges of the names of files and languages in `bytes`.
    words: Vec<Range<usize>>,
}

/// The numbers of a document as they are stored, and the range of its name.
struct DocNumbers {
    to_first: u32,
    to_text: u32,
    len: u64,
    bits: u64,
    /// The position of its file name in `words`, and the line or row number in the file.
    file: Option<(usize, u64)>,
    name: Range<usize>,
}

impl DocBlock {
    /// Bytes of the two hashes of a document.
    const HASHES: usize = 24;

    /// Reads a block; `None` when the payload is not a block.
    fn read(first: u32, payload: &[u8]) -> Option<Self> {
        let (num_rows, rest) = payload.split_first_chunk::<2>()?;
        let num_rows = usize::from(u16::from_le_bytes(*num_rows));
        let is_whole = num_rows <= BLOCK as usize && rest.len() >= Self::HASHES * num_rows + 4;
        is_whole.then(|| Self { first, num_rows, payload: rest.to_vec(), columns: OnceCell::new() })
    }

    /// The hash of a document's normalised text.
    pub(crate) fn content(&self, at: usize) -> u128 {
        self.hashes(at).0
    }

    fn hashes(&self, at: usize) -> (u128, u64) {
        let (content, raw) = self.payload[Self::HASHES * at..][..Self::HASHES].split_at(16);
        let content = u128::from_le_bytes(content.try_into().expect("16 bytes"));
        (content, u64::from_le_bytes(raw.try_into().expect("8 bytes")))
    }

    /// Decodes a document; `None` when it is damaged.
    pub(crate) fn row(&self, at: usize) -> Option<DocRow> {
        let columns = self.columns.get_or_init(|| self.unpack()).as_ref()?;
        let word = |place: usize| columns.words.get(place).map(|word| &columns.bytes[word.clone()]);
        let DocNumbers { to_first, to_text, len, bits, file, name } = columns.rows.get(at)?;
        let number = self.first + at as u32;
        let (content, raw) = self.hashes(at);
        let (kind, of, syntax) = (bits & 3, bits >> 2 & 7, (bits >> 6) as usize);
        let origin = match *file {
            None => StoredOrigin::Named,
            Some((file, _)) if kind == 1 => StoredOrigin::File(word(file)?.to_vec()),
            Some((file, place)) => StoredOrigin::Record { file: word(file)?.to_vec(), place, is_row: kind == 3 },
        };
        let syntax = match syntax.checked_sub(1) {
            Some(place) => Some(std::str::from_utf8(word(place)?).ok()?.parse().ok()?),
            None => None,
        };
        Some(DocRow {
            name: columns.bytes[name.clone()].to_vec(),
            content,
            raw,
            first: number.checked_sub(*to_first)?,
            text: number.checked_sub(*to_text)?,
            len: *len,
            origin,
            syntax,
            offsets_of: *OffsetsOf::ALL.get(of as usize)?,
            is_original: bits >> 5 & 1 == 1,
        })
    }

    /// Decodes all documents; `None` when one is damaged.
    fn rows(&self) -> Option<Vec<DocRow>> {
        (0..self.num_rows).map(|at| self.row(at)).collect()
    }

    fn unpack(&self) -> Option<DocColumns> {
        let (len, rest) = self.payload[Self::HASHES * self.num_rows..].split_first_chunk::<4>()?;
        let len = u32::from_le_bytes(*len) as usize;
        let bytes = if len <= MOST_BYTES { decompressed(rest, len, None)? } else { return None };
        let mut rest = bytes.as_slice();
        let mut rows = Vec::with_capacity(self.num_rows);
        let mut name_lens = Vec::with_capacity(self.num_rows);
        for _ in 0..self.num_rows {
            let (to_first, to_text) = (take_u32(&mut rest)?, take_u32(&mut rest)?);
            let (len, bits) = (take_varint(&mut rest)?, take_varint(&mut rest)?);
            let file = if bits & 3 == 0 { None } else { Some((take_len(&mut rest)?, take_varint(&mut rest)?)) };
            name_lens.push(take_len(&mut rest)?);
            rows.push(DocNumbers { to_first, to_text, len, bits, file, name: 0..0 });
        }
        let mut words = Vec::new();
        for _ in 0..take_len(&mut rest)? {
            let len = take_len(&mut rest)?;
            words.push(take_range(&bytes, &mut rest, len)?);
        }
        for (row, len) in rows.iter_mut().zip(name_lens) {
            row.name = take_range(&bytes, &mut rest, len)?;
        }
        let is_whole = rest.is_empty();
        is_whole.then_some(DocColumns { bytes, rows, words })
    }
}

/// Removes `len` bytes from the front of `rest`, and returns their range in `bytes`.
fn take_range(bytes: &[u8], rest: &mut &[u8], len: usize) -> Option<Range<usize>> {
    let start = bytes.len() - rest.len();
    rest.split_off(..len).map(|_| start..start + len)
}

/// Adds documents after the last one.
pub(crate) struct DocWriter {
    next: u32,
    /// The documents of the last block, which is not full.
    rows: Vec<DocRow>,
}

impl DocWriter {
    /// Creates a writer.
    ///
    /// * `next`: the number of the next document.
    pub(crate) fn open(file: &IndexFile, next: u32) -> Result<Self> {
        let rows = if next.is_multiple_of(BLOCK) { Vec::new() } else { read_block(file, next / BLOCK, next)? };
        Ok(Self { next, rows })
    }

    /// Adds a document.
    pub(crate) fn push(&mut self, file: &IndexFile, row: DocRow) -> Result<()> {
        self.rows.push(row);
        self.next += 1;
        if self.next.is_multiple_of(BLOCK) {
            self.put(file, (self.next - 1) / BLOCK)?;
            self.rows.clear();
        }
        Ok(())
    }

    /// Writes the last block.
    pub(crate) fn flush(&self, file: &IndexFile) -> Result<()> {
        if self.rows.is_empty() { Ok(()) } else { self.put(file, self.next / BLOCK) }
    }

    fn put(&self, file: &IndexFile, block: u32) -> Result<()> {
        file.put(IndexTable::Docs, block.into(), &packed(block * BLOCK, &self.rows))
    }
}

/// Reads the documents of a block.
///
/// * `next`: the number of the next document of the index.
///
/// # Errors
/// When the block is damaged, or incomplete.
pub(crate) fn read_block(file: &IndexFile, block: u32, next: u32) -> Result<Vec<DocRow>> {
    let rows = stored_block(file, block, next)?.rows();
    rows.ok_or_else(|| file.damaged(IndexTable::Docs, block.into()))
}

pub(crate) fn stored_block(file: &IndexFile, block: u32, next: u32) -> Result<DocBlock> {
    let Some(expected) = next.checked_sub(block * BLOCK).filter(|&expected| expected > 0) else {
        return Err(file.damaged(IndexTable::Docs, block.into()));
    };
    let expected = expected.min(BLOCK) as usize;
    file.need(IndexTable::Docs, block.into(), |payload| {
        DocBlock::read(block * BLOCK, payload).filter(|block| block.num_rows == expected)
    })
}
