//! `QueryDocument`: a query: a document whose similar documents in an index are searched.

use crate::index::database::sampling::SampleRate;
use crate::index::texts::docs::DocRow;
use crate::index::write::numbering::{NewDocument, row_of, samples_of};
use crate::search::corpus::SignedDocument;
use crate::text::code::Syntax;

/// A query: a document whose similar documents in an index are searched.
#[derive(Debug)]
pub(crate) struct QueryDocument {
    pub(crate) row: DocRow,
    /// The band keys of the document; empty when it has no shingles.
    pub(crate) keys: Box<[u64]>,
    pub(crate) signature: Box<[u32]>,
    /// The keys of its sampled shingles.
    pub(crate) samples: Box<[u64]>,
    /// The number of its distinct shingles, if they are counted.
    pub(crate) num_shingles: u64,
    /// The text before normalisation.
    pub(crate) text: Box<[u8]>,
    /// The place of the text, if it may be added to an index that refers to texts.
    pub(crate) place: Option<Box<[u8]>>,
    pub(crate) syntax: Option<Syntax>,
}

impl QueryDocument {
    /// Makes a query from a signed document.
    ///
    /// * `rate`: the sampling rate of shingles.
    /// * `place`: the place of its text, if it may be added to an index that refers to texts.
    pub(crate) fn of(document: &SignedDocument, rate: Option<SampleRate>, place: Option<Box<[u8]>>) -> Self {
        Self {
            row: row_of(document, 0),
            keys: document.keys.into(),
            signature: document.signature.into(),
            samples: samples_of(document, rate),
            num_shingles: document.num_shingles,
            text: document.text.into(),
            place,
            syntax: document.syntax,
        }
    }

    /// The query as a document to be added.
    pub(crate) fn to_new(&self) -> NewDocument {
        NewDocument {
            row: self.row.clone(),
            keys: self.keys.clone(),
            samples: self.samples.clone(),
            text: Some(self.text.clone()),
            place: self.place.clone(),
        }
    }

    /// The approximate bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        size_of::<Self>()
            + self.row.name.len()
            // Each key is copied for sorting, with the number of the query.
            + (8 + 16) * self.keys.len()
            + 4 * self.signature.len()
            + 8 * self.samples.len()
            + self.text.len()
            + self.place.as_deref().map_or(0, <[u8]>::len)
    }
}
