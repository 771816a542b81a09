//! `TextEdits`: which documents are written with another text, and what changes in them.

use std::collections::HashMap;
use std::ops::Range;

use crate::documents::document::DocId;
use crate::search::repeats::RepeatedRuns;

/// The changes in the texts of documents.
#[derive(Debug, Clone, Copy)]
pub(in crate::unique) enum TextEdits<'a> {
    /// These runs of tokens are cut.
    Repeats(&'a RepeatedRuns),
    /// These bytes of the decoded texts are cut.
    Bytes(&'a ByDocument<Vec<Range<usize>>>),
    /// The records get a last field, in JSON as `"name":value`.
    Fields(&'a ByDocument<Vec<u8>>),
}

/// Values of some documents.
pub(in crate::unique) type ByDocument<T> = HashMap<DocId, T>;

impl TextEdits<'_> {
    /// Whether a document changes.
    pub(in crate::unique) fn change(&self, document: DocId) -> bool {
        match self {
            Self::Repeats(runs) => !runs.of(document).is_empty(),
            Self::Bytes(cuts) => cuts.contains_key(&document),
            Self::Fields(fields) => fields.contains_key(&document),
        }
    }
}
