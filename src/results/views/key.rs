//! `ViewKey`: identifies the document that a view shows.

use crate::documents::document::Place;
use crate::records::{Name, PairSide, Source};

/// A document of a pair: its name, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewKey {
    /// The name of the document in pairs.
    pub name: Vec<u8>,
    /// The file that contains the document, as given, or `archive!member`. The document's name if the file is unknown.
    pub file: Vec<u8>,
    /// The path of the index that stores the document, as given. The file is then the file that was indexed.
    pub index: Option<Vec<u8>>,
    /// The document's place in that file; `None` when the file is the document.
    pub place: Option<Place>,
    /// The document's position in its pair. With two sides, a name may occur on both.
    pub side: PairSide,
    /// The hash of the document's normalised text when it was compared, if the result contains it.
    pub text_hash: Option<u128>,
}

impl ViewKey {
    /// * `source`: the document's origin; `None` if it equals the name.
    pub fn new(name: &[u8], side: PairSide, source: Option<&Source>) -> Self {
        let place = source.and_then(|source| source.line.map(Place::Line).or(source.row.map(Place::Row)));
        let file = source.map_or_else(|| name.to_vec(), |source| source.file.to_bytes());
        let index = source.and_then(|source| source.index.as_ref()).map(Name::to_bytes);
        Self { name: name.to_vec(), file, index, place, side, text_hash: None }
    }

    /// Sets the hash of the normalised text.
    pub fn with_hash(self, text_hash: Option<u128>) -> Self {
        Self { text_hash, ..self }
    }
}
