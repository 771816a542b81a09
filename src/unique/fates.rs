//! `Fates`: whether each document is kept, edited, removed or skipped. A cursor visits documents in the order in which files
//! hold them.

use std::ops::Range;

use super::cut::TextEdits;
use super::side_files::RewrittenFiles;
use crate::documents::document::{DocId, DocSet, Documents, Origin, Place};

/// The decision about a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Kept,
    /// It is kept with another text.
    Edited(DocId),
    /// Another document represents it.
    Removed,
    /// It was not compared, because it is empty, binary or malformed.
    Skipped,
}

impl Fate {
    /// Whether the file of the document is not copied as it is.
    pub(super) fn changes(self) -> bool {
        matches!(self, Self::Removed | Self::Edited(_))
    }
}

/// Looks up what happens to each document.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fates<'a> {
    documents: &'a Documents,
    removed: &'a DocSet,
    /// The changes in texts, if any.
    edits: Option<TextEdits<'a>>,
    /// The number of documents in the inputs that are written, which come first.
    num_own: usize,
}

impl<'a> Fates<'a> {
    pub(super) fn new(documents: &'a Documents, removed: &'a DocSet) -> Self {
        Self { documents, removed, edits: None, num_own: documents.len() }
    }

    /// Only the first documents are in the inputs that are written.
    pub(super) fn of_first(self, num_own: usize) -> Self {
        Self { num_own, ..self }
    }

    /// Also edits documents.
    pub(super) fn with_edits(self, edits: Option<TextEdits<'a>>) -> Self {
        Self { edits, ..self }
    }

    pub(super) fn of(&self, document: DocId) -> Fate {
        match self.documents.first_of_text(document) {
            None => Fate::Skipped,
            Some(_) if self.removed.contains(document) => Fate::Removed,
            Some(_) if self.edits.is_some_and(|edits| edits.change(document)) => Fate::Edited(document),
            Some(_) => Fate::Kept,
        }
    }

    /// Whether any document is removed or edited.
    pub(super) fn any_changed(&self) -> bool {
        (0..self.len()).any(|document| self.of(DocId::new(document)).changes())
    }

    /// The number of documents in the inputs that are written.
    pub(super) fn len(&self) -> usize {
        self.num_own
    }

    pub(super) fn origin(&self, document: usize) -> Origin<'a> {
        self.documents.origin(DocId::new(document)).expect("a run that writes a corpus keeps origins")
    }

    pub(super) fn documents(&self) -> &'a Documents {
        self.documents
    }

    /// Visits the documents of a range in order.
    pub(super) fn cursor(self, documents: Range<usize>) -> FateCursor<'a> {
        FateCursor { fates: self, documents }
    }
}

/// Visits documents in order and looks up their fates.
#[derive(Debug)]
pub(super) struct FateCursor<'a> {
    fates: Fates<'a>,
    documents: Range<usize>,
}

impl FateCursor<'_> {
    /// Whether any of the remaining documents is removed or edited.
    pub(super) fn any_changed(&self) -> bool {
        self.documents.clone().any(|document| self.fates.of(DocId::new(document)).changes())
    }

    /// The first document in the file or member of this name that is edited.
    pub(super) fn edited_in(&self, name: &[u8]) -> Option<DocId> {
        let mut cursor = Self { fates: self.fates, documents: self.documents.clone() };
        while cursor.is_of(name) {
            if let Fate::Edited(document) = cursor.take() {
                return Some(document);
            }
        }
        None
    }

    /// Whether the next document belongs to the file or member of this name, or to a member inside it.
    pub(super) fn is_of(&self, name: &[u8]) -> bool {
        let is_inside = |file: &[u8]| file.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest[0] == b'!');
        self.next().is_some_and(|origin| is_inside(origin.file))
    }

    /// Whether the next document is a record of the file or member of this name, or comes from a container with this
    /// name.
    pub(super) fn has_documents_inside(&self, name: &[u8]) -> bool {
        self.is_record_of(name) || self.is_of(name) && self.next().is_some_and(|origin| origin.file != name)
    }

    /// The number of documents in the file or member of this name, and the number of those that are removed.
    pub(super) fn num_in(&self, name: &[u8]) -> (u64, u64) {
        let mut cursor = Self { fates: self.fates, documents: self.documents.clone() };
        let (mut all, mut removed) = (0, 0);
        while cursor.is_of(name) {
            all += 1;
            removed += u64::from(cursor.take() == Fate::Removed);
        }
        (all, removed)
    }

    /// The members of an archive from which a document is removed, or in which one is edited.
    pub(super) fn changed_members(&self, archive: &[u8]) -> RewrittenFiles {
        let mut changed = RewrittenFiles::default();
        for document in self.documents.clone() {
            let origin = self.fates.origin(document);
            let Some(member) = origin.file.strip_prefix(archive).and_then(|rest| rest.strip_prefix(b"!")) else {
                break;
            };
            if self.fates.of(DocId::new(document)).changes() {
                changed.insert_member(member);
            }
        }
        changed
    }

    /// The common fate of all documents in the file or member of this name; `None` if some are removed and some stay.
    pub(super) fn all_in(&mut self, name: &[u8]) -> Option<Fate> {
        let (mut goes, mut stays, mut is_compared) = (false, false, false);
        while self.is_of(name) {
            let fate = self.take();
            goes |= fate == Fate::Removed;
            stays |= fate != Fate::Removed;
            is_compared |= matches!(fate, Fate::Kept | Fate::Edited(_));
        }
        match (goes, stays) {
            (true, true) => None,
            (true, false) => Some(Fate::Removed),
            (false, _) => Some(if is_compared { Fate::Kept } else { Fate::Skipped }),
        }
    }

    /// Whether the next document is a record of the file or member of this name.
    pub(super) fn is_record_of(&self, name: &[u8]) -> bool {
        self.next().is_some_and(|origin| origin.place.is_some() && origin.file == name)
    }

    /// Whether the next document is the whole file or member of this name.
    fn is_whole(&self, name: &[u8]) -> bool {
        self.next().is_some_and(|origin| origin.place.is_none() && origin.file == name)
    }

    /// The fate of the whole file or member of this name; skipped if it is not the next document.
    pub(super) fn whole(&mut self, name: &[u8]) -> Fate {
        if self.is_whole(name) { self.take() } else { Fate::Skipped }
    }

    /// The fate of the record at this line or row of the file or member of this name; skipped if it is not the next
    /// document.
    pub(super) fn record(&mut self, name: &[u8], record: u64) -> Fate {
        let is_it = |origin: Origin| match origin.place {
            Some(Place::Line(place) | Place::Row(place)) => place == record && origin.file == name,
            None => false,
        };
        if self.next().is_some_and(is_it) { self.take() } else { Fate::Skipped }
    }

    /// Whether all documents have been visited.
    pub(super) fn is_over(&self) -> bool {
        self.documents.is_empty()
    }

    fn next(&self) -> Option<Origin<'_>> {
        self.documents.clone().next().map(|document| self.fates.origin(document))
    }

    fn take(&mut self) -> Fate {
        let document = self.documents.next().expect("it was looked at");
        self.fates.of(DocId::new(document))
    }
}
