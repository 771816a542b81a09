//! `Documents`: the table of all documents in flat arrays: names, places, content hashes, copies.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use super::copies;
use super::id::{DocId, DocSet};
use super::located::{DocumentLocation, LocatedList};
use super::origin::{Origin, Origins};
use super::scope::Scope;
use super::value::{FieldOrder, FieldValue};
use crate::base::error::Result;
use crate::base::flat::packed_numbers::PackedNumbers;
use crate::base::flat::ranked_set::{RankedSet, SharedBits};
use crate::base::memory::{asking_for_table, no_room, reserve, reserve_exact};
use crate::text::code::Syntax;

/// The documents of a run, in flat arrays: about 20 bytes and the name per document, and some 4 bytes more unless every
/// document is a file.
#[derive(Default)]
pub struct Documents {
    names: Vec<u8>,
    name_ends: PackedNumbers,
    /// The hash of each text, in two halves.
    contents: Vec<[u64; 2]>,
    located: LocatedList,
    num_shingles: PackedNumbers,
    /// The documents that have shingles.
    with_text: DocSet,
    /// Every exact copy as (first document, copy), ascending. Set by `group_copies`, as are the next two.
    copies: Vec<(DocId, DocId)>,
    /// The documents that are copies, and the first document of the text of each.
    copy_set: RankedSet,
    firsts_of_copies: Box<[DocId]>,
    /// The documents that are the first of their text and have copies; a set without capacity when there are no copies.
    has_copies: DocSet,
    scope: Scope,
    origins: Option<Origins>,
    /// The value of a field of each document; empty unless requested.
    values: Vec<FieldValue>,
    /// The language of each document; empty unless the documents are program source.
    syntaxes: Vec<Option<Syntax>>,
    /// The name of the index that each document is in; empty unless several indexes are queried.
    indexes: Vec<Option<Arc<[u8]>>>,
}

/// The name of this memory in the message of a failed allocation.
const TABLE: &str = "the table of documents";

impl Documents {
    /// The number of documents.
    pub fn len(&self) -> usize {
        self.contents.len()
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.contents.is_empty()
    }

    /// The name of a document, unique in the run: a path as given, an id, or `file:line`. It may not be UTF-8.
    pub fn name(&self, document: DocId) -> &[u8] {
        let start = document.index().checked_sub(1).map_or(0, |before| self.name_ends.get(before));
        &self.names[start as usize..self.name_ends.get(document.index()) as usize]
    }

    /// Whether a document is compared with others, which requires at least one shingle. An empty document is in no
    /// pair.
    pub fn is_compared(&self, document: DocId) -> bool {
        self.first_of_text(document).is_some()
    }

    /// The origin of a document; `None` unless [`InputSettings::with_source`](crate::documents::InputSettings::with_source)
    /// requests it.
    pub fn origin(&self, document: DocId) -> Option<Origin<'_>> {
        self.origins.as_ref().map(|origins| origins.get(document, self.name(document)))
    }

    /// The index that contains a document, as given; `None` unless several indexes are queried.
    pub fn index(&self, document: DocId) -> Option<&[u8]> {
        self.indexes.get(document.index())?.as_deref()
    }

    /// Sets the index that contains the document pushed last.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub(crate) fn push_index(&mut self, index: Option<Arc<[u8]>>) -> Result<()> {
        reserve(&mut self.indexes, 1, TABLE)?;
        self.indexes.push(index);
        Ok(())
    }

    /// Sets the origins of all documents. Call it once, after the last document was pushed.
    pub(crate) fn set_origins(&mut self, origins: Option<Origins>) {
        self.origins = origins;
    }

    /// Adds the value of a field of the document that was pushed last.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub(crate) fn push_value(&mut self, value: FieldValue) -> Result<()> {
        reserve(&mut self.values, 1, TABLE)?;
        self.values.push(value);
        Ok(())
    }

    /// The order of the values of the field [`InputSettings::value_field`](crate::documents::InputSettings::value_field); `None`
    /// when no document has a value.
    pub fn field_order(&self) -> Option<FieldOrder> {
        FieldOrder::of(self.values.iter())
    }

    /// The time in the field [`InputSettings::value_field`](crate::documents::InputSettings::value_field) of a document; `None`
    /// if it is not a date since 1970.
    pub fn time(&self, document: DocId) -> Option<SystemTime> {
        self.value(document).time()
    }

    /// The value of the field that orders documents, as it was pushed.
    pub(crate) fn value(&self, document: DocId) -> FieldValue {
        self.values.get(document.index()).copied().unwrap_or_default()
    }

    /// Adds the language of the document that was pushed last.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub(crate) fn push_syntax(&mut self, syntax: Option<Syntax>) -> Result<()> {
        reserve(&mut self.syntaxes, 1, TABLE)?;
        self.syntaxes.push(syntax);
        Ok(())
    }

    /// The language whose lexical rules cut the document into tokens; `None` when the language is unknown, and for
    /// other texts.
    pub fn syntax(&self, document: DocId) -> Option<Syntax> {
        self.syntaxes.get(document.index()).copied().flatten()
    }

    /// An empty table with capacity for `len` documents, whose names have about `name_bytes` bytes together.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub(crate) fn with_capacity(len: usize, name_bytes: usize) -> Result<Self> {
        let mut documents = Self::default();
        reserve_exact(&mut documents.contents, len, TABLE)?;
        reserve_exact(&mut documents.names, name_bytes, "names")?;
        Ok(documents)
    }

    /// Adds a document.
    ///
    /// * `content`: the hash of the normalised text; `None` for an empty text.
    /// * `num_shingles`: the number of shingles, counting repeats.
    ///
    /// # Errors
    /// When there is not enough memory for the name.
    pub(crate) fn push(
        &mut self,
        name: &[u8],
        content: Option<u128>,
        num_shingles: u32,
        located: DocumentLocation,
    ) -> Result<DocId> {
        let document = DocId::new(self.len());
        reserve(&mut self.names, name.len(), "names")?;
        self.names.extend_from_slice(name);
        let hash = content.unwrap_or(0);
        self.located.push(document.index(), located)?;
        let packed = asking_for_table(|| {
            self.name_ends.push(self.names.len() as u64)?;
            self.num_shingles.push(num_shingles.into())
        });
        packed.map_err(|len| no_room::<u64>(len, TABLE))?;
        self.contents.push([(hash >> 64) as u64, hash as u64]);
        if content.is_some() {
            self.with_text.insert_growing(document);
        }
        Ok(document)
    }

    /// Bytes of memory in use.
    pub(crate) fn num_bytes(&self) -> usize {
        size_of_val(self.contents.as_slice())
            + self.with_text.num_bytes()
            + self.copy_set.num_bytes()
            + size_of_val(&*self.firsts_of_copies)
            + self.num_shingles.num_bytes()
            + self.name_ends.num_bytes()
            + self.names.len()
            + self.located.num_bytes()
            + self.copies.len() * size_of::<(DocId, DocId)>()
            + self.has_copies.num_bytes()
            + self.scope.num_bytes()
            + self.origins.as_ref().map_or(0, Origins::num_bytes)
            + size_of_val(self.values.as_slice())
            + size_of_val(self.syntaxes.as_slice())
    }

    pub(crate) fn located(&self, document: DocId) -> DocumentLocation {
        self.located.get(document.index())
    }

    /// The number of shingles of the document, counting repeats; `u32::MAX` for that number or more.
    pub(crate) fn num_shingles(&self, document: DocId) -> u32 {
        // The number of a text that was dropped later is still stored.
        if self.is_compared(document) { self.num_shingles.get(document.index()) as u32 } else { 0 }
    }

    /// The `xxh3_128` hash of a document's normalised text; `None` for a document that is not compared.
    ///
    /// # Panics
    /// When the document is not in this table.
    pub fn text_hash(&self, document: DocId) -> Option<u128> {
        self.is_compared(document).then(|| self.content(document))
    }

    /// The hash of the document's normalised text, from the first pass.
    pub(crate) fn content(&self, document: DocId) -> u128 {
        let [high, low] = self.contents[document.index()];
        u128::from(high) << 64 | u128::from(low)
    }

    /// Finds the documents with equal texts in each cell of `scope`; a text that occurs in several cells counts as one
    /// text in each. Call it once, after the last document was pushed.
    ///
    /// # Errors
    /// When there is not enough memory to sort the hashes.
    pub(crate) fn group_copies(&mut self, scope: Scope) -> Result<()> {
        self.scope = scope;
        let copies = copies::find(|| self.with_text(), |document| self.content(document), &self.scope)?;
        let copy_set = SharedBits::new(self.len());
        copies.iter().for_each(|&(_, copy)| copy_set.insert(copy.index()));
        self.copy_set = copy_set.into_ranked();
        self.firsts_of_copies = copies.iter().map(|&(first, _)| first).collect();
        for &(first, copy) in &copies {
            self.firsts_of_copies[self.copy_set.rank(copy.index()).expect("just added")] = first;
        }
        self.copies = copies;
        self.mark_copies();
        Ok(())
    }

    /// Sets the scope of documents whose equal texts are not joined.
    pub(crate) fn set_scope(&mut self, scope: Scope) {
        self.scope = scope;
    }

    fn mark_copies(&mut self) {
        self.has_copies = DocSet::new(if self.copies.is_empty() { 0 } else { self.len() });
        self.copies.iter().for_each(|&(first, _)| self.has_copies.insert(first));
    }

    /// The scope, which decides which documents may be pairs.
    pub(crate) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Drops the shingles of texts and of their copies.
    ///
    /// * `firsts`: the first document of each text.
    pub(crate) fn forget_texts(&mut self, firsts: &HashSet<DocId>) {
        self.copies.retain(|(first, _)| !firsts.contains(first));
        self.mark_copies();
        let forgotten = self
            .with_text()
            .filter(|&document| self.first_of_text(document).is_some_and(|first| firsts.contains(&first)));
        let forgotten: Vec<DocId> = forgotten.collect();
        forgotten.into_iter().for_each(|document| self.with_text.remove(document));
    }

    /// The first document with the same text in the same cell; `None` when the document has no shingles.
    pub(crate) fn first_of_text(&self, document: DocId) -> Option<DocId> {
        let first = || self.copy_set.rank(document.index()).map_or(document, |copy| self.firsts_of_copies[copy]);
        self.with_text.contains(document).then(first)
    }

    /// The documents that have shingles.
    pub(crate) fn with_text(&self) -> impl Iterator<Item = DocId> + '_ {
        self.with_text.iter()
    }

    /// Whether the document has shingles and is the first with its text in its cell. Only such documents are banded.
    pub(crate) fn is_first(&self, document: DocId) -> bool {
        self.with_text.contains(document) && self.copy_set.rank(document.index()).is_none()
    }

    /// The later documents with the same text as `first` in the same cell, ascending.
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

    /// Whether the document is the first with its text in its cell and has copies there.
    pub(crate) fn has_copies(&self, document: DocId) -> bool {
        self.has_copies.contains(document)
    }

    /// The groups of equal texts: the first document of each group, ascending, and the number of its copies.
    pub(crate) fn groups(&self) -> impl Iterator<Item = (DocId, usize)> + '_ {
        self.copies.chunk_by(|a, b| a.0 == b.0).map(|group| (group[0].0, group.len()))
    }

    /// For each text that several comparable documents have: the number of pairs of documents with the text, and the
    /// number of these documents. The order is unspecified.
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
