//! `OpenBatch`: documents that will be added to an index, and which queries already find.

use std::collections::HashMap;

use super::query_document::QueryDocument;
use crate::compare::verify::{Threshold, Verifier};
use crate::index::read::index_match::IndexMatch;
use crate::index::read::loaded_text::StoredSet;
use crate::index::write::numbering::NewDocument;

/// Documents that wait to be added to an index.
#[derive(Default)]
pub(crate) struct OpenBatch {
    documents: Vec<NewDocument>,
    /// The distinct texts: the set of each, and the documents that have it.
    texts: Vec<(StoredSet, Vec<u32>)>,
    /// Positions in `texts` by the hash of the normalised text.
    by_content: HashMap<u128, u32>,
    /// Positions in `texts` by band keys.
    by_key: HashMap<u64, Vec<u32>>,
    by_name: HashMap<Vec<u8>, u32>,
}

impl OpenBatch {
    /// The number of documents.
    pub(crate) fn len(&self) -> usize {
        self.documents.len()
    }

    /// A document, by its position.
    pub(crate) fn get(&self, position: u32) -> &NewDocument {
        &self.documents[position as usize]
    }

    /// The document with a name.
    pub(crate) fn with_name(&self, name: &[u8]) -> Option<&NewDocument> {
        self.by_name.get(name).map(|&position| self.get(position))
    }

    /// Adds a query as a document.
    ///
    /// * `text`: the set of its text.
    pub(crate) fn push(&mut self, query: &QueryDocument, text: StoredSet) {
        let position = self.documents.len() as u32;
        self.by_name.insert(query.row.name.clone(), position);
        if query.row.has_text() {
            let next = self.texts.len() as u32;
            let of_text = *self.by_content.entry(query.row.content).or_insert(next);
            if of_text == next {
                self.texts.push((text, Vec::new()));
                for &key in &query.keys {
                    self.by_key.entry(key).or_default().push(next);
                }
            }
            self.texts[of_text as usize].1.push(position);
        }
        self.documents.push(query.to_new());
    }

    /// The documents that are similar to a query, by their positions, ascending.
    ///
    /// * `text`: the set of the query.
    /// * `removes`: whether the index removes template shingles from texts.
    pub(crate) fn matches(
        &self,
        query: &QueryDocument,
        text: &StoredSet,
        threshold: Threshold,
        removes: bool,
    ) -> Vec<IndexMatch> {
        let of_key = |key| self.by_key.get(key).into_iter().flatten().copied();
        let mut candidates: Vec<u32> = query.keys.iter().flat_map(of_key).collect();
        candidates.sort_unstable();
        candidates.dedup();
        let mut matches = Vec::new();
        let mut verifier = Verifier::new(&text.set);
        for candidate in candidates {
            let (other, documents) = &self.texts[candidate as usize];
            if let Some(shared) = verifier.verify(&other.set, threshold) {
                let matched = text.matched(0, other, shared, &other.signature, removes);
                matches.extend(documents.iter().map(|&document| IndexMatch { document, ..matched }));
            }
        }
        matches.sort_unstable_by_key(|matched| matched.document);
        matches
    }

    /// Removes and returns all documents, in order.
    pub(crate) fn take(&mut self) -> Vec<NewDocument> {
        std::mem::take(self).documents
    }
}
