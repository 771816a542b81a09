//! `Numbering`: gives the documents of a new index their numbers, and finds which texts are there already.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_64;

use super::docs::{DocRow, StoredOrigin};
use crate::corpus::SignedDocument;
use crate::error::Result;
use crate::memory::{asking, no_room};

/// A document on its way into an index.
#[derive(Debug)]
pub(super) struct NewDocument {
    pub(super) row: DocRow,
    /// Its band keys; none unless it is the first with its text.
    pub(super) keys: Box<[u64]>,
    /// The text, unless another document has stored the very same.
    pub(super) text: Option<Box<[u8]>>,
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
#[derive(Default)]
pub(super) struct Numbering {
    pub(super) next: u32,
    /// By the hash of each normalised text its first document, and the hash of the text before.
    firsts: HashMap<[u64; 2], (u32, u64)>,
}

impl Numbering {
    /// Takes a document in; `None` when there is no number left.
    ///
    /// # Errors
    /// When there is no room for the hash of its text.
    pub(super) fn take(&mut self, document: &SignedDocument) -> Result<Option<NewDocument>> {
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
            row.text = if raw == row.raw { first } else { number };
        }
        let keys = if row.first == number { document.keys.into() } else { Box::default() };
        let is_stored = row.text == number && row.len > 0;
        Ok(Some(NewDocument { keys, text: is_stored.then(|| document.text.into()), row }))
    }
}
