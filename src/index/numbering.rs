//! `Numbering`: gives the documents of a new index their numbers, and finds which texts are there already.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::docs::{DocRow, StoredOrigin};
use super::sampling::SampleRate;
use crate::corpus::SignedDocument;
use crate::error::Result;
use crate::memory::{asking, no_room};

/// A document on its way into an index.
#[derive(Debug)]
pub(super) struct NewDocument {
    pub(super) row: DocRow,
    /// Its band keys; none unless it is the first with its text.
    pub(super) keys: Box<[u64]>,
    /// What its sampled shingles are looked up by; none unless it is the first with its text.
    pub(super) samples: Box<[u64]>,
    /// The text, where it is needed: unless another document has stored the very same.
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

/// Numbers documents one after another.
pub(super) struct Numbering {
    pub(super) next: u32,
    rate: Option<SampleRate>,
    /// By the hash of each normalised text its first document, and the hash of the text before.
    firsts: HashMap<[u64; 2], (u32, u64)>,
}

impl Numbering {
    /// * `rate`: which shingles are sampled.
    pub(super) fn new(rate: Option<SampleRate>) -> Self {
        Self { next: 0, rate, firsts: HashMap::new() }
    }

    /// Takes a document in; `None` when there is no number left.
    ///
    /// * `place`: where its text lies, where the index refers to texts. Each document has its own then, since files change each for
    ///   itself.
    ///
    /// # Errors
    /// When there is no room for the hash of its text.
    pub(super) fn take(&mut self, document: &SignedDocument, place: Option<Box<[u8]>>) -> Result<Option<NewDocument>> {
        let number = self.next;
        let Some(next) = number.checked_add(1) else { return Ok(None) };
        self.next = next;
        let mut row = row_of(document, number);
        if row.has_text() {
            asking(|| self.firsts.try_reserve(1))
                .map_err(|_| no_room::<([u64; 2], (u32, u64))>(2 * self.firsts.len(), "hashes of texts"))?;
            let content = [(row.content >> 64) as u64, row.content as u64];
            let &mut (first, raw) = self.firsts.entry(content).or_insert((number, row.raw));
            row.first = first;
            row.text = if raw == row.raw && place.is_none() { first } else { number };
        }
        let is_first = row.first == number;
        let keys = if is_first { document.keys.into() } else { Box::default() };
        let samples = if is_first { samples_of(document, self.rate) } else { Box::default() };
        let is_stored = row.text == number && row.len > 0;
        let text = (is_stored && place.is_none()).then(|| document.text.into());
        Ok(Some(NewDocument { keys, samples, text, place: place.filter(|_| is_stored), row }))
    }
}
