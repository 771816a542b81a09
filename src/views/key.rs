//! `ViewKey`: which document a view is of.

use crate::document::Place;
use crate::output::{PairSide, Source};

/// A document of a pair: its name, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewKey {
    /// Its name, as pairs have it.
    pub name: Vec<u8>,
    /// The file that it is in, as given, or `archive!member`; the name where nothing else is known.
    pub file: Vec<u8>,
    /// Where it stands in that file; `None` when the file is the document.
    pub place: Option<Place>,
    /// Which of the pair it is. Where documents are of two sides, a name may be on both.
    pub side: PairSide,
    /// The hash of its normalised text when it was compared, where a result says it.
    pub text_hash: Option<u128>,
}

impl ViewKey {
    /// * `source`: where the document comes from, where that is not its name.
    pub fn new(name: &[u8], side: PairSide, source: Option<&Source>) -> Self {
        let place = source.and_then(|source| source.line.map(Place::Line).or(source.row.map(Place::Row)));
        let file = source.map_or_else(|| name.to_vec(), |source| source.file.to_bytes());
        Self { name: name.to_vec(), file, place, side, text_hash: None }
    }

    /// The same, of the text with this hash.
    pub fn with_hash(self, text_hash: Option<u128>) -> Self {
        Self { text_hash, ..self }
    }
}
