//! `Fates`: what becomes of each document; a cursor meets documents in the order in which files hold them.

use std::ops::Range;

use super::side_files::RewrittenFiles;
use crate::documents::document::{DocId, DocSet, Documents, Origin, Place};

/// What becomes of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Kept,
    /// Another one stands for it.
    Removed,
    /// It was not compared, as something empty, binary or malformed is not.
    Skipped,
}

/// What becomes of all documents.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fates<'a> {
    documents: &'a Documents,
    removed: &'a DocSet,
}

impl<'a> Fates<'a> {
    pub(super) fn new(documents: &'a Documents, removed: &'a DocSet) -> Self {
        Self { documents, removed }
    }

    pub(super) fn of(&self, document: DocId) -> Fate {
        match self.documents.first_of_text(document) {
            None => Fate::Skipped,
            Some(_) if self.removed.contains(document) => Fate::Removed,
            Some(_) => Fate::Kept,
        }
    }

    /// Whether any document is removed.
    pub(super) fn any_removed(&self) -> bool {
        (0..self.len()).any(|document| self.removed.contains(DocId::new(document)))
    }

    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    pub(super) fn origin(&self, document: usize) -> Origin<'a> {
        self.documents.origin(DocId::new(document)).expect("a run that writes a corpus keeps origins")
    }

    /// Meets the documents of a range, one after another.
    pub(super) fn cursor(self, documents: Range<usize>) -> FateCursor<'a> {
        FateCursor { fates: self, documents }
    }
}

/// Meets documents in order.
#[derive(Debug)]
pub(super) struct FateCursor<'a> {
    fates: Fates<'a>,
    documents: Range<usize>,
}

impl FateCursor<'_> {
    /// Whether any of the documents to come is removed.
    pub(super) fn any_removed(&self) -> bool {
        self.documents.clone().any(|document| self.fates.of(DocId::new(document)) == Fate::Removed)
    }

    /// Whether the next document is of what has this name, or of something in it.
    pub(super) fn is_of(&self, name: &[u8]) -> bool {
        let is_inside = |file: &[u8]| file.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest[0] == b'!');
        self.next().is_some_and(|origin| is_inside(origin.file))
    }

    /// The members of an archive that lose a document.
    pub(super) fn changed_members(&self, archive: &[u8]) -> RewrittenFiles {
        let mut changed = RewrittenFiles::default();
        for document in self.documents.clone() {
            let origin = self.fates.origin(document);
            let Some(member) = origin.file.strip_prefix(archive).and_then(|rest| rest.strip_prefix(b"!")) else {
                break;
            };
            if self.fates.of(DocId::new(document)) == Fate::Removed {
                changed.insert_member(member);
            }
        }
        changed
    }

    /// The fate of all that is in what has this name; `None` where some of it goes and some stays.
    pub(super) fn all_in(&mut self, name: &[u8]) -> Option<Fate> {
        let (mut goes, mut stays, mut is_compared) = (false, false, false);
        while self.is_of(name) {
            let fate = self.take();
            goes |= fate == Fate::Removed;
            stays |= fate != Fate::Removed;
            is_compared |= fate == Fate::Kept;
        }
        match (goes, stays) {
            (true, true) => None,
            (true, false) => Some(Fate::Removed),
            (false, _) => Some(if is_compared { Fate::Kept } else { Fate::Skipped }),
        }
    }

    /// Whether the next document is a record of what has this name.
    pub(super) fn is_record_of(&self, name: &[u8]) -> bool {
        self.next().is_some_and(|origin| origin.place.is_some() && origin.file == name)
    }

    /// Whether the next document is a file or member of this name as a whole.
    fn is_whole(&self, name: &[u8]) -> bool {
        self.next().is_some_and(|origin| origin.place.is_none() && origin.file == name)
    }

    /// The fate of the file or member of this name.
    pub(super) fn whole(&mut self, name: &[u8]) -> Fate {
        if self.is_whole(name) { self.take() } else { Fate::Skipped }
    }

    /// The fate of the record at this line or row of what has this name.
    pub(super) fn record(&mut self, name: &[u8], record: u64) -> Fate {
        let is_it = |origin: Origin| match origin.place {
            Some(Place::Line(place) | Place::Row(place)) => place == record && origin.file == name,
            None => false,
        };
        if self.next().is_some_and(is_it) { self.take() } else { Fate::Skipped }
    }

    /// Whether all documents were met.
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
