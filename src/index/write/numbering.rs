//! `Numbering`: numbers the documents of a new index, and finds repeated texts.

use xxhash_rust::xxh3::xxh3_64;

use crate::base::error::Result;
use crate::base::storage::{MapEntry, SortRecord, SpilledMap, halves, whole};
use crate::index::database::sampling::SampleRate;
use crate::index::texts::docs::{DocRow, StoredOrigin};
use crate::search::corpus::SignedDocument;

/// A document that is being added to an index.
#[derive(Debug)]
pub(crate) struct NewDocument {
    pub(crate) row: DocRow,
    /// The band keys of the document.
    pub(crate) keys: Box<[u64]>,
    /// The keys of its sampled shingles.
    pub(crate) samples: Box<[u64]>,
    /// The text; may be `None` when the index refers to texts.
    pub(crate) text: Option<Box<[u8]>>,
    /// The place of the text, if the index refers to texts.
    pub(crate) place: Option<Box<[u8]>>,
}

impl NewDocument {
    /// A document without a number yet.
    ///
    /// * `rate`: the sampling rate of shingles.
    /// * `place`: the place of its text, if the index refers to texts.
    pub(crate) fn of(document: &SignedDocument, rate: Option<SampleRate>, place: Option<Box<[u8]>>) -> Self {
        Self {
            row: row_of(document, 0),
            keys: document.keys.into(),
            samples: samples_of(document, rate),
            text: place.is_none().then(|| document.text.into()),
            place,
        }
    }

    /// The data that the index stores for the text.
    pub(crate) fn stored(&self) -> Option<&[u8]> {
        self.place.as_deref().or(self.text.as_deref())
    }
}

/// The keys of the sampled shingles of a document.
pub(crate) fn samples_of(document: &SignedDocument, rate: Option<SampleRate>) -> Box<[u64]> {
    rate.map_or_else(Box::default, |rate| rate.keys(document.samples))
}

/// The row of a document that is the first with its text, with the given number.
pub(crate) fn row_of(document: &SignedDocument, number: u32) -> DocRow {
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

/// The hash of a normalised text, the number of its first document, and the hash of the original text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct FirstOfText {
    /// High half first: `u128` would need more space for alignment.
    content: [u64; 2],
    raw: u64,
    first: u32,
}

impl MapEntry for FirstOfText {
    const KEY_WORDS: usize = 4;
}

impl SortRecord for FirstOfText {
    type Words = [u32; 7];

    fn words(self) -> [u32; 7] {
        let [[a, b], [c, d], [e, f]] = [self.content[0], self.content[1], self.raw].map(halves);
        [a, b, c, d, e, f, self.first]
    }

    fn of_words([a, b, c, d, e, f, first]: [u32; 7]) -> Self {
        Self { content: [whole([a, b]), whole([c, d])], raw: whole([e, f]), first }
    }
}

/// Numbers documents consecutively.
pub(crate) struct Numbering {
    pub(crate) next: u32,
    /// The first document of each normalised text.
    firsts: SpilledMap<FirstOfText>,
}

impl Numbering {
    /// Creates a numbering.
    ///
    /// * `memory_bytes`: the memory limit for hashes of texts; the rest is written to the disk.
    pub(crate) fn new(memory_bytes: u64) -> Self {
        Self { next: 0, firsts: SpilledMap::new("hashes of texts", memory_bytes) }
    }

    /// The row of the next document; `None` when all numbers are used.
    ///
    /// * `is_referred`: whether the index refers to the text. Then each document has a separate text, because files
    ///   change independently.
    ///
    /// # Errors
    /// When there is not enough memory or disk space for the hash of its text.
    pub(crate) fn take(&mut self, document: &SignedDocument, is_referred: bool) -> Result<Option<DocRow>> {
        let number = self.next;
        let Some(next) = number.checked_add(1) else { return Ok(None) };
        self.next = next;
        let mut row = row_of(document, number);
        if row.has_text() {
            let content = [(row.content >> 64) as u64, row.content as u64];
            let entry = FirstOfText { content, raw: row.raw, first: number };
            let FirstOfText { raw, first, .. } = self.firsts.get_or_insert(entry)?.unwrap_or(entry);
            row.first = first;
            row.text = if raw == row.raw && !is_referred { first } else { number };
        }
        Ok(Some(row))
    }
}
