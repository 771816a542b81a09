//! `Numbering`: gives the documents of a new index their numbers, and finds which texts are there already.

use xxhash_rust::xxh3::xxh3_64;

use super::docs::{DocRow, StoredOrigin};
use super::sampling::SampleRate;
use crate::corpus::SignedDocument;
use crate::error::Result;
use crate::storage::{MapEntry, SpilledMap};

/// A document on its way into an index.
#[derive(Debug)]
pub(super) struct NewDocument {
    pub(super) row: DocRow,
    /// Its band keys.
    pub(super) keys: Box<[u64]>,
    /// What its sampled shingles are looked up by.
    pub(super) samples: Box<[u64]>,
    /// The text, unless the index refers to texts.
    pub(super) text: Option<Box<[u8]>>,
    /// Where the text lies, where the index refers to texts.
    pub(super) place: Option<Box<[u8]>>,
}

impl NewDocument {
    /// A document that gets its number later.
    ///
    /// * `rate`: which shingles are sampled.
    /// * `place`: where its text lies, where the index refers to texts.
    pub(super) fn of(document: &SignedDocument, rate: Option<SampleRate>, place: Option<Box<[u8]>>) -> Self {
        Self {
            row: row_of(document, 0),
            keys: document.keys.into(),
            samples: samples_of(document, rate),
            text: place.is_none().then(|| document.text.into()),
            place,
        }
    }

    /// What the index stores of the text.
    pub(super) fn stored(&self) -> Option<&[u8]> {
        self.place.as_deref().or(self.text.as_deref())
    }
}

/// What the sampled shingles of a document are looked up by.
pub(super) fn samples_of(document: &SignedDocument, rate: Option<SampleRate>) -> Box<[u64]> {
    rate.map_or_else(Box::default, |rate| rate.keys(document.samples))
}

/// The row of a document that is the first with its text, under a number.
pub(super) fn row_of(document: &SignedDocument, number: u32) -> DocRow {
    let file = document.file.map(<[u8]>::to_vec);
    DocRow {
        name: document.name.to_vec(),
        content: document.content.unwrap_or(0),
        raw: xxh3_64(document.text),
        first: number,
        text: number,
        len: document.text.len() as u64,
        origin: match (file, document.place) {
            (None, _) => StoredOrigin::Named,
            (Some(file), None) => StoredOrigin::File(file),
            (Some(file), Some(place)) => StoredOrigin::Record { file, place, is_row: document.is_row },
        },
        syntax: document.syntax,
        offsets_of: document.offsets_of,
        is_original: document.is_original,
    }
}

/// A normalised text by its hash, with the number of its first document and the hash of the text before.
struct FirstOfText;

impl MapEntry for FirstOfText {
    // Two halves, lowest first, since a number of 128 bits would take more room.
    type Key = [u64; 2];
    type Value = (u32, u64);
    const BYTES: usize = 28;

    fn bits([low, high]: [u64; 2]) -> u128 {
        u128::from(high) << 64 | u128::from(low)
    }

    fn write(key: [u64; 2], (first, raw): (u32, u64), bytes: &mut Vec<u8>) {
        key.into_iter().chain([raw]).for_each(|part| bytes.extend_from_slice(&part.to_le_bytes()));
        bytes.extend_from_slice(&first.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> ([u64; 2], (u32, u64)) {
        let part = |at: usize| u64::from_le_bytes(bytes[8 * at..8 * at + 8].try_into().expect("eight bytes"));
        let first = u32::from_le_bytes(bytes[24..28].try_into().expect("four bytes"));
        ([part(0), part(1)], (first, part(2)))
    }
}

/// Numbers documents one after another.
pub(super) struct Numbering {
    pub(super) next: u32,
    /// By the hash of each normalised text its first document, and the hash of the text before.
    firsts: SpilledMap<FirstOfText>,
}

impl Numbering {
    /// * `memory_bytes`: for hashes of texts; what does not fit goes to the disk.
    pub(super) fn new(memory_bytes: u64) -> Self {
        Self { next: 0, firsts: SpilledMap::new("hashes of texts", memory_bytes) }
    }

    /// The row of the next document; `None` when there is no number left.
    ///
    /// * `is_referred`: whether the index refers to its text. Each document has its own then, since files change each for itself.
    ///
    /// # Errors
    /// When there is no room for the hash of its text.
    pub(super) fn take(&mut self, document: &SignedDocument, is_referred: bool) -> Result<Option<DocRow>> {
        let number = self.next;
        let Some(next) = number.checked_add(1) else { return Ok(None) };
        self.next = next;
        let mut row = row_of(document, number);
        if row.has_text() {
            let content = [row.content as u64, (row.content >> 64) as u64];
            let (first, raw) = self.firsts.get_or_insert(content, (number, row.raw))?.unwrap_or((number, row.raw));
            row.first = first;
            row.text = if raw == row.raw && !is_referred { first } else { number };
        }
        Ok(Some(row))
    }
}
