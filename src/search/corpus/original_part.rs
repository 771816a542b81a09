//! `OriginalPart`: a part of an original document, by lines and bytes.

use std::ops::Range;
use std::sync::Arc;

use crate::compare::passages::{DocumentPart, PartFiles};
use crate::documents::document::OffsetsOf;

/// A part of an original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OriginalPart {
    /// The first and the last line of the part, from 1 and inclusive.
    pub(crate) lines: [u64; 2],
    /// The first and the last slide, chapter or cell, from 1 and inclusive, in the text of a document with several.
    pub(crate) parts: Option<[u64; 2]>,
    /// The bytes of the part, from 0.
    pub(crate) bytes: Range<usize>,
    /// In a document that is joined from files, the files in which the part begins and ends; lines and bytes count in
    /// these.
    pub(crate) files: Option<[Arc<str>; 2]>,
}

impl OriginalPart {
    /// The part and its files as they are printed.
    ///
    /// * `of`: which bytes the offsets count.
    pub(crate) fn located(self, of: OffsetsOf) -> (DocumentPart, Option<PartFiles>) {
        let bytes = [self.bytes.start as u64, self.bytes.end as u64];
        let files = self.files.map(|[first, last]| PartFiles::new(&first, &last));
        (DocumentPart { lines: self.lines, parts: self.parts, bytes, of }, files)
    }
}
