//! `IndexQuestion`: a document that an index is asked about.

use super::docs::{DocRow, StoredOrigin};
use super::numbering::{NewDocument, row_of, samples_of};
use super::sampling::SampleRate;
use crate::code::Syntax;
use crate::corpus::SignedDocument;

/// A document that an index is asked about.
#[derive(Debug)]
pub(super) struct IndexQuestion {
    pub(super) row: DocRow,
    /// Its band keys; none of one without shingles.
    pub(super) keys: Box<[u64]>,
    pub(super) signature: Box<[u32]>,
    /// What its sampled shingles are looked up by.
    pub(super) samples: Box<[u64]>,
    /// Its distinct shingles, where they are counted.
    pub(super) num_shingles: u64,
    /// Before it was normalised.
    pub(super) text: Box<[u8]>,
    /// Where the text lies, where it may be added to an index that refers to texts.
    pub(super) place: Option<Box<[u8]>>,
    pub(super) syntax: Option<Syntax>,
}

impl IndexQuestion {
    /// * `rate`: which shingles are sampled.
    /// * `place`: where its text lies, where it may be added to an index that refers to texts.
    pub(super) fn of(document: &SignedDocument, rate: Option<SampleRate>, place: Option<Box<[u8]>>) -> Self {
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

    /// The document that it is when it is added.
    pub(super) fn to_new(&self) -> NewDocument {
        NewDocument {
            row: self.row.clone(),
            keys: self.keys.clone(),
            samples: self.samples.clone(),
            text: Some(self.text.clone()),
            place: self.place.clone(),
        }
    }

    /// About how many bytes it takes.
    pub(super) fn num_bytes(&self) -> usize {
        size_of::<Self>()
            + self.row.name.len()
            // A copy is sorted, with the number of the question.
            + (8 + 16) * self.keys.len()
            + 4 * self.signature.len()
            + 8 * self.samples.len()
            + self.text.len()
            + self.place.as_deref().map_or(0, <[u8]>::len)
    }
}

/// The file of an origin, where that is not the name, and the place in it.
pub(super) fn origin_of(origin: &StoredOrigin) -> (Option<&[u8]>, Option<(u64, bool)>) {
    match origin {
        StoredOrigin::Named => (None, None),
        StoredOrigin::File(file) => (Some(file), None),
        StoredOrigin::Record { file, place, is_row } => (Some(file), Some((*place, *is_row))),
    }
}
