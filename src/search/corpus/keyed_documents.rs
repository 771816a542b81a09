//! `KeyedDocuments`: records which documents have band keys, and which text these keys represent.
//!
//! Exact copies have the same keys, so usually only one document of each text is signed. Which one depends on the
//! threads, but the bucket table always lists a text by its first document.

use std::mem::size_of_val;

use crate::documents::document::{DocId, DocSet, Documents};

/// Which of the documents with shingles have band keys.
#[derive(Debug, Default)]
pub(super) struct KeyedDocuments {
    firsts_only: bool,
    /// The documents with shingles but without keys.
    without: DocSet,
    /// The copies whose keys represent a text whose first document has no keys, each with that first document,
    /// ascending.
    stand_ins: Box<[(DocId, DocId)]>,
}

impl KeyedDocuments {
    /// The first document of each text in its cell has keys.
    pub(super) fn firsts() -> Self {
        Self { firsts_only: true, ..Self::default() }
    }

    /// All documents with shingles have keys, except those in `without`.
    ///
    /// # Panics
    /// When all documents of a text are in `without`.
    pub(super) fn all_but(without: DocSet, documents: &Documents) -> Self {
        let stand_in = |first| {
            let copy = documents.copies_of(first).find(|&copy| !without.contains(copy));
            (copy.expect("a text has a document with keys"), first)
        };
        let firsts = documents.groups().map(|(first, _)| first).filter(|&first| without.contains(first));
        let mut stand_ins: Vec<(DocId, DocId)> = firsts.map(stand_in).collect();
        stand_ins.sort_unstable();
        Self { firsts_only: false, without, stand_ins: stand_ins.into() }
    }

    /// The documents that have keys, in order. Each comes with the first document of the text that its keys represent,
    /// or with `None` if the keys of another document represent the text.
    pub(super) fn documents<'k>(&'k self, documents: &'k Documents) -> impl Iterator<Item = Option<DocId>> + 'k {
        let mut stand_ins = self.stand_ins.iter().peekable();
        let has_keys = |document: &DocId| match self.firsts_only {
            true => documents.is_first(*document),
            false => !self.without.contains(*document),
        };
        documents.with_text().filter(has_keys).map(move |document| {
            let stands_for = stand_ins.next_if(|&&(copy, _)| copy == document).map(|&(_, first)| first);
            stands_for.or_else(|| documents.is_first(document).then_some(document))
        })
    }

    pub(super) fn num_bytes(&self) -> usize {
        self.without.num_bytes() + size_of_val(&*self.stand_ins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::document::{DocumentLocation, Scope};

    /// Documents with these texts; 0 is an empty document.
    fn documents(texts: &[u128]) -> Documents {
        let mut documents = Documents::default();
        for (number, &text) in texts.iter().enumerate() {
            let content = (text > 0).then_some(text);
            documents
                .push(number.to_string().as_bytes(), content, u32::from(text > 0), DocumentLocation::file())
                .unwrap();
        }
        documents.group_copies(Scope::default()).unwrap();
        documents
    }

    #[test]
    fn each_text_has_the_keys_of_its_earliest_document_that_has_some() {
        let documents = documents(&[7, 0, 8, 7, 9, 8, 7, 8]);
        let mut without = DocSet::new(6);
        [0, 2, 5].map(DocId::new).into_iter().for_each(|document| without.insert(document));
        let keyed = KeyedDocuments::all_but(without, &documents);
        let found: Vec<_> = keyed.documents(&documents).map(|first| first.map(DocId::index)).collect();
        assert_eq!(found, [Some(0), Some(4), None, Some(2)]);
    }

    #[test]
    fn first_documents_have_their_own_keys() {
        let documents = documents(&[0, 7, 7, 8]);
        let of = |keyed: KeyedDocuments| -> Vec<_> {
            keyed.documents(&documents).map(|first| first.map(DocId::index)).collect()
        };
        assert_eq!(of(KeyedDocuments::firsts()), [Some(1), Some(3)]);
        assert_eq!(of(KeyedDocuments::all_but(DocSet::default(), &documents)), [Some(1), None, Some(3)]);
    }
}
