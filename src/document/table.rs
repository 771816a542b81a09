//! `Documents`: the table of all documents in flat arrays: names, places, content hashes, copies.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::copies;
use super::id::{DocId, DocSet};
use super::located::{Located, LocatedList};
use super::origin::{Origin, Origins};
use super::scope::Scope;
use super::value::{FieldOrder, FieldValue};
use crate::code::Syntax;
use crate::error::Result;
use crate::memory::{reserve, reserve_exact};

/// The documents of a run, in flat arrays: 32 bytes and the name for each, and 16 more where not all are files of one text.
#[derive(Default)]
pub struct Documents {
    names: Vec<u8>,
    rows: Vec<DocumentRow>,
    located: LocatedList,
    num_shingles: Vec<u32>,
    /// The first document of its cell with the same text; `EMPTY` for one without shingles. Set by `group_copies`.
    first_of_text: Vec<u32>,
    /// (first, copy) of every exact copy, ascending.
    copies: Vec<(DocId, DocId)>,
    /// The first documents of texts with copies; of no documents when there are no copies.
    has_copies: DocSet,
    scope: Scope,
    origins: Option<Origins>,
    /// The value of a field of each document; empty unless asked for.
    values: Vec<FieldValue>,
    /// The language of each document; empty unless they are programs.
    syntaxes: Vec<Option<Syntax>>,
    /// The name of the index that each document is in; empty unless several are asked.
    indexes: Vec<Option<Arc<[u8]>>>,
}

struct DocumentRow {
    name_end: u64,
    content: [u64; 2],
}

const EMPTY: u32 = u32::MAX;
/// What there may be no room for.
const TABLE: &str = "the table of documents";

impl Documents {
    /// The number of documents.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The name of a document, unique in the run: a path as given, an id, or `file:line`. It may not be UTF-8.
    pub fn name(&self, document: DocId) -> &[u8] {
        let start = document.index().checked_sub(1).map_or(0, |before| self.rows[before].name_end);
        &self.names[start as usize..self.rows[document.index()].name_end as usize]
    }

    /// Whether a document is compared with others: it has a shingle. An empty one is in no pair.
    ///
    /// # Panics
    /// When there is no such document.
    pub fn is_compared(&self, document: DocId) -> bool {
        self.first_of_text(document).is_some()
    }

    /// Where a document comes from; `None` unless [`InputSettings::with_source`](crate::InputSettings::with_source) asks for it.
    pub fn origin(&self, document: DocId) -> Option<Origin<'_>> {
        self.origins.as_ref().map(|origins| origins.get(document, self.name(document)))
    }

    /// The index that a document is in, as given; `None` unless several indexes were asked.
    pub fn index(&self, document: DocId) -> Option<&[u8]> {
        self.indexes.get(document.index())?.as_deref()
    }

    /// Says which index the document that was pushed last is in.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(crate) fn push_index(&mut self, index: Option<Arc<[u8]>>) -> Result<()> {
        reserve(&mut self.indexes, 1, TABLE)?;
        self.indexes.push(index);
        Ok(())
    }

    /// To be called once, when all documents are there.
    pub(crate) fn set_origins(&mut self, origins: Option<Origins>) {
        self.origins = origins;
    }

    /// Adds the value of a field of the document that was pushed last.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(crate) fn push_value(&mut self, value: FieldValue) -> Result<()> {
        reserve(&mut self.values, 1, TABLE)?;
        self.values.push(value);
        Ok(())
    }

    /// The order of the values that [`InputSettings::value_field`](crate::InputSettings::value_field) names; `None` when no
    /// document has one.
    pub fn field_order(&self) -> Option<FieldOrder> {
        FieldOrder::of(self.values.iter())
    }

    /// The value of that field, as it was pushed.
    pub(crate) fn value(&self, document: DocId) -> FieldValue {
        self.values.get(document.index()).copied().unwrap_or_default()
    }

    /// Adds the language of the program that was pushed last.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(crate) fn push_syntax(&mut self, syntax: Option<Syntax>) -> Result<()> {
        reserve(&mut self.syntaxes, 1, TABLE)?;
        self.syntaxes.push(syntax);
        Ok(())
    }

    /// The language that a program was cut by; `None` when that is not known, and for other texts.
    pub fn syntax(&self, document: DocId) -> Option<Syntax> {
        self.syntaxes.get(document.index()).copied().flatten()
    }

    /// None yet, with room for `len`.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn with_capacity(len: usize) -> Result<Self> {
        let mut documents = Self::default();
        reserve_exact(&mut documents.rows, len, TABLE)?;
        reserve_exact(&mut documents.num_shingles, len, TABLE)?;
        reserve_exact(&mut documents.first_of_text, len, TABLE)?;
        Ok(documents)
    }

    /// Adds a document whose normalised text has this hash and so many shingles, repeats counted; an empty text has no hash.
    ///
    /// # Errors
    /// When there is no room for its name.
    pub(crate) fn push(
        &mut self,
        name: &[u8],
        content: Option<u128>,
        num_shingles: u32,
        located: Located,
    ) -> Result<DocId> {
        let document = DocId::new(self.rows.len());
        reserve(&mut self.names, name.len(), "names")?;
        self.names.extend_from_slice(name);
        let hash = content.unwrap_or(0);
        let content_halves = [(hash >> 64) as u64, hash as u64];
        self.located.push(document.index(), located, self.rows.capacity())?;
        self.rows.push(DocumentRow { name_end: self.names.len() as u64, content: content_halves });
        self.num_shingles.push(num_shingles);
        self.first_of_text.push(if content.is_some() { document.get() } else { EMPTY });
        Ok(document)
    }

    /// Bytes of the rows, names and copies.
    pub(crate) fn num_bytes(&self) -> usize {
        let row = size_of::<DocumentRow>() + size_of::<u32>() * 2;
        self.rows.len() * row
            + self.names.len()
            + self.located.num_bytes()
            + self.copies.len() * size_of::<(DocId, DocId)>()
            + self.has_copies.num_bytes()
            + self.scope.num_bytes()
            + self.origins.as_ref().map_or(0, Origins::num_bytes)
            + size_of_val(self.values.as_slice())
            + size_of_val(self.syntaxes.as_slice())
    }

    pub(crate) fn located(&self, document: DocId) -> Located {
        self.located.get(document.index())
    }

    /// The number of the document's shingles, repeats counted; `u32::MAX` for that many and more.
    pub(crate) fn num_shingles(&self, document: DocId) -> u32 {
        self.num_shingles[document.index()]
    }

    /// The hash of a document's normalised text, `xxh3_128`; `None` of one that is not compared.
    ///
    /// # Panics
    /// When there is no such document.
    pub fn text_hash(&self, document: DocId) -> Option<u128> {
        self.is_compared(document).then(|| self.content(document))
    }

    /// The hash of the document's normalised text, as of the first pass.
    pub(crate) fn content(&self, document: DocId) -> u128 {
        let [high, low] = self.rows[document.index()].content;
        u128::from(high) << 64 | u128::from(low)
    }

    /// Finds the documents with equal texts in each cell of `scope`; a text that occurs in several is one text in each. To
    /// be called once, when all documents are there.
    ///
    /// # Errors
    /// When there is no room to sort them.
    pub(crate) fn group_copies(&mut self, scope: Scope) -> Result<()> {
        self.scope = scope;
        let copies = copies::find(|| self.with_text(), |document| self.content(document), &self.scope)?;
        for &(first, copy) in &copies {
            self.first_of_text[copy.index()] = first.get();
        }
        self.copies = copies;
        self.mark_copies();
        Ok(())
    }

    fn mark_copies(&mut self) {
        self.has_copies = DocSet::new(if self.copies.is_empty() { 0 } else { self.rows.len() });
        self.copies.iter().for_each(|&(first, _)| self.has_copies.insert(first));
    }

    /// Which of the documents may be pairs.
    pub(crate) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// From now on these texts, by their first documents, have no shingle, and neither have their copies.
    pub(crate) fn forget_texts(&mut self, firsts: &HashSet<DocId>) {
        self.copies.retain(|(first, _)| !firsts.contains(first));
        self.mark_copies();
        for (first, num_shingles) in self.first_of_text.iter_mut().zip(&mut self.num_shingles) {
            if *first != EMPTY && firsts.contains(&DocId::new(*first as usize)) {
                (*first, *num_shingles) = (EMPTY, 0);
            }
        }
    }

    /// The first document with this one's text in its cell; `None` when it has no shingle.
    pub(crate) fn first_of_text(&self, document: DocId) -> Option<DocId> {
        match self.first_of_text[document.index()] {
            EMPTY => None,
            first => Some(DocId::new(first as usize)),
        }
    }

    /// The documents that have shingles.
    pub(crate) fn with_text(&self) -> impl Iterator<Item = DocId> + '_ {
        let firsts = self.first_of_text.iter().enumerate();
        firsts.filter(|&(_, &first)| first != EMPTY).map(|(index, _)| DocId::new(index))
    }

    /// Whether the document has shingles and is the first of its text in its cell: the ones that are banded.
    pub(crate) fn is_first(&self, document: DocId) -> bool {
        self.first_of_text[document.index()] == document.get()
    }

    /// The later documents with the text of `first` in its cell, ascending.
    pub(crate) fn copies_of(&self, first: DocId) -> impl ExactSizeIterator<Item = DocId> + DoubleEndedIterator + '_ {
        let copies = if self.has_copies(first) {
            let start = self.copies.partition_point(|&(other, _)| other < first);
            let len = self.copies[start..].partition_point(|&(other, _)| other == first);
            &self.copies[start..start + len]
        } else {
            &[]
        };
        copies.iter().map(|&(_, copy)| copy)
    }

    /// Whether the document is the first of its text in its cell and has copies there.
    pub(crate) fn has_copies(&self, document: DocId) -> bool {
        self.has_copies.contains(document)
    }

    /// The groups of equal texts: the first document of each, ascending, and the number of its copies.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (DocId, usize)> + '_ {
        self.copies.chunk_by(|a, b| a.0 == b.0).map(|group| (group[0].0, group.len()))
    }

    /// The texts that several documents of one cell have: the number of pairs among all documents with the text, and the number of
    /// these documents. Texts without such a pair are not among them, and the order is not defined.
    pub(crate) fn pairs_of_copies(&self) -> Vec<(u64, u64)> {
        if self.scope.compares_within_cells() {
            let sizes = self.groups().map(|(_, copies)| 1 + copies as u64);
            return sizes.map(|size| (size * (size - 1) / 2, size)).collect();
        }
        let texts: HashSet<u128> = self.groups().map(|(first, _)| self.content(first)).collect();
        if texts.is_empty() {
            return Vec::new();
        }
        let firsts = self.with_text().filter(|&document| self.is_first(document));
        let firsts = firsts.filter(|&first| texts.contains(&self.content(first)));
        let mut cells: Vec<_> = firsts.map(|first| (first, 1 + self.copies_of(first).len() as u64)).collect();
        cells.sort_unstable_by_key(|&(first, _)| {
            let (side, group) = self.scope.cell(first);
            (self.content(first), group, side)
        });
        let of_text = cells.chunk_by(|a, b| self.content(a.0) == self.content(b.0));
        let counted = of_text.map(|cells| (self.scope.num_pairs(cells), cells.iter().map(|cell| cell.1).sum()));
        counted.filter(|&(pairs, _)| pairs > 0).collect()
    }
}

impl fmt::Debug for Documents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Documents").field("len", &self.len()).finish_non_exhaustive()
    }
}
