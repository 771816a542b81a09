//! `BenchmarkDocuments`: the names and files of the benchmark documents, which are read once for each field.

use std::collections::HashMap;

use crate::documents::document::{DocId, Documents, Place};

/// The benchmark documents, by the files and places that they come from.
#[derive(Debug, Default)]
pub(super) struct BenchmarkDocuments {
    numbers: HashMap<(Vec<u8>, u64), u32>,
    /// The name and the file of each document, and whether the document is a record.
    pub(super) rows: Vec<BenchmarkDocument>,
}

/// A benchmark document.
#[derive(Debug)]
pub(super) struct BenchmarkDocument {
    pub(super) name: Vec<u8>,
    pub(super) file: Vec<u8>,
    pub(super) is_record: bool,
}

impl BenchmarkDocuments {
    /// The number of a document among all; `None` for a file that is one text and was read before for another field.
    pub(super) fn number_of(&mut self, documents: &Documents, document: DocId, is_again: bool) -> Option<u32> {
        let origin = documents.origin(document).expect("the reading keeps origins");
        let place = match origin.place {
            None => 0,
            Some(Place::Line(place) | Place::Row(place)) => place,
        };
        if is_again && origin.place.is_none() {
            return None;
        }
        let key = (origin.file.to_vec(), place);
        let next = self.rows.len() as u32;
        if origin.place.is_some()
            && let Some(&number) = self.numbers.get(&key)
        {
            return Some(number);
        }
        self.numbers.insert(key, next);
        let (name, file) = (documents.name(document).to_vec(), origin.file.to_vec());
        self.rows.push(BenchmarkDocument { name, file, is_record: origin.place.is_some() });
        Some(next)
    }
}
