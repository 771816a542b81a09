//! `PieceDocuments`: the data that the first pass keeps of the documents of one piece, in few bytes, until the
//! assembly.
//!
//! The inputs are read in pieces, each by one worker. A worker reduces each document to a row of about 20 bytes and its name,
//! and stores everything optional in lists that stay empty until a document needs them. The names of a piece are one
//! string, from which the rows take their parts in order.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

use super::band_keys::{BandKeys, KeyRun};
use super::piece_rows::{PieceRow, PieceRows, RowName};
use super::piece_texts::PieceTexts;
use super::programs::{CodeSummary, unclosed_note};
use super::signing::Signing;
use super::sparse_texts::sparse_note;
use super::summary::Removed;
use crate::base::error::Result;
use crate::base::flat::ragged::Ragged;
use crate::base::memory::{reserve, table};
use crate::base::problem::Reason;
use crate::base::setting::Setting;
use crate::base::shown::counted;
use crate::documents::document::{FieldValue, LocatedList};
use crate::documents::input::{Document, DocumentName, Folded, FoldedPiece};
use crate::text::code::Syntax;
use crate::text::normalize::{CodeText, Disguises, Normalizer};

/// The data that the first pass keeps of the documents of one piece.
#[derive(Default)]
pub(super) struct PieceDocuments {
    pub(super) rows: PieceRows,
    pub(super) located: LocatedList,
    pub(super) names: Vec<u8>,
    /// The hash of the field that groups each record; empty as long as no record has it.
    pub(super) fields: Vec<Option<u128>>,
    /// The values that have the hashes of `fields`; empty unless they name groups.
    pub(super) group_names: HashMap<u128, Box<[u8]>>,
    /// The value of the field that orders records; empty as long as no record has it.
    pub(super) values: Vec<FieldValue>,
    /// The place of the first band keys and their number: one set for each document that has shingles and is not a
    /// signed copy.
    pub(super) keys: KeyRun,
    /// The band keys and signatures themselves, where they are passed on with the piece.
    pub(super) signed: (Vec<u64>, Vec<u32>),
    /// The texts before normalisation, where they are passed on with the piece.
    pub(super) texts: PieceTexts,
    /// The sampled shingles of each document, where they are passed on with the piece.
    pub(super) samples: Ragged<u64>,
    pub(super) num_bytes: u64,
    pub(super) short: u64,
    pub(super) removed: Removed,
    /// The numbers of the documents that are programs.
    pub(super) code: CodeSummary,
    /// The sizes of each document; empty unless documents are listed.
    pub(super) sizes: Vec<DocumentSizes>,
}

/// The sizes of a document, as a list of documents reports them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentSizes {
    pub(crate) num_bytes: u64,
    pub(crate) num_tokens: u64,
    /// The number of distinct shingles that were not removed.
    pub(crate) num_shingles: u64,
    pub(crate) is_short: bool,
    /// Whether the document has shingles and all of them are removed.
    pub(crate) is_emptied: bool,
    /// The disguises that were undone in the text.
    pub(crate) disguises: Disguises,
    /// The language and the defects of the document, if it is a program.
    pub(crate) code: Option<CodeText>,
}

/// The row of a document, without its name.
pub(super) struct NewRow {
    /// The hash of the text; 0 when it has no shingle.
    pub(super) content: u128,
    pub(super) num_shingles: u32,
    pub(super) syntax: Option<Syntax>,
    /// See [`PieceRow::is_signed_copy`](super::piece_rows::PieceRow::is_signed_copy).
    pub(super) is_signed_copy: bool,
}

impl Folded for PieceDocuments {
    fn num_documents(&self) -> usize {
        self.rows.len()
    }
}

impl PieceDocuments {
    /// Signs a document whose text `normalizer` has normalised, and adds it to a piece. Its band keys are collected in
    /// `signing`.
    ///
    /// # Errors
    /// When memory is too small for it.
    pub(super) fn add(
        piece: &mut FoldedPiece<Self>,
        document: &Document,
        normalizer: &Normalizer,
        signing: &mut Signing,
    ) -> Result<()> {
        let (wanted, text) = (signing.piece, document.text.as_slice());
        let content = xxh3_128(text);
        let known = wanted.signed_texts.and_then(|texts| texts.find(content));
        let signed = known.or_else(|| signing.sign(text));
        let cut = signed.map(|signed| signed.cut);
        let is_emptied = signed.is_some_and(|signed| !signed.has_remaining);
        let num_tokens = signed.map_or_else(|| signing.num_tokens(), |signed| signed.cut.num_tokens);
        if num_tokens < wanted.min_tokens {
            let (tokens, least) = (counted(num_tokens, "token"), wanted.min_tokens);
            let detail = format!("{tokens}, fewer than {} {least}; skipped", Setting::MinTokens);
            piece.add_note(&document.name, Reason::FewTokens, detail);
            return Ok(());
        }
        if let Some(signed) = signed {
            piece.folded.removed.add(signed.num_removed, is_emptied);
            if signed.has_remaining && known.is_none() {
                signing.add_keys()?;
                wanted.signed_texts.into_iter().for_each(|texts| texts.add(content, signed));
            }
        }
        if let Some(detail) = sparse_note(wanted.shingle_kind, cut.unwrap_or_default(), text) {
            piece.add_note(&document.name, Reason::Sparse, detail);
        }
        let unclosed = wanted.of_programs.then(|| unclosed_note(normalizer.code(), normalizer.unclosed_file()));
        if let Some(detail) = unclosed.flatten() {
            piece.add_note(&document.name, Reason::Unclosed, detail);
        }
        let folded = &mut piece.folded;
        if wanted.lists {
            folded.sizes.push(DocumentSizes {
                num_bytes: document.num_bytes,
                num_tokens: cut.map_or(0, |cut| cut.num_tokens),
                num_shingles: signing.num_distinct(text, cut.map_or(0, |cut| cut.num_shingles)),
                is_short: cut.is_some_and(|cut| cut.num_shingles == 0),
                is_emptied,
                disguises: normalizer.disguises(),
                code: wanted.of_programs.then(|| normalizer.code()),
            });
        }
        if wanted.of_programs {
            folded.code.add(normalizer.code(), num_tokens);
        }
        folded.num_bytes += document.num_bytes;
        folded.short += u64::from(cut.is_some_and(|cut| cut.num_shingles == 0));
        // A text shorter than a shingle has one shingle. An emptied document counts as having none, since there is no
        // set to which its removed shingles could be added.
        let num_shingles =
            cut.filter(|_| !is_emptied).map_or(0, |cut| u32::try_from(cut.num_shingles.max(1)).unwrap_or(u32::MAX));
        let content = if num_shingles > 0 { content } else { 0 };
        if let Some(kept) = wanted.kept.filter(|_| num_shingles > 0) {
            kept.keep(content, text);
        }
        let row = NewRow { content, num_shingles, syntax: normalizer.code().syntax, is_signed_copy: known.is_some() };
        if let Some(group) = document.group.filter(|_| wanted.keeps_group_names) {
            folded.group_names.entry(xxh3_128(group)).or_insert_with(|| group.into());
        }
        folded.push(document, row, wanted.keeps_values)
    }

    /// Adds the row of a document.
    ///
    /// * `keeps_values`: whether the value of a record's field is kept to order records, and not to group them.
    ///
    /// # Errors
    /// When memory is too small for it.
    pub(super) fn push(&mut self, document: &Document, row: NewRow, keeps_values: bool) -> Result<()> {
        let NewRow { content, num_shingles, syntax, is_signed_copy } = row;
        let row_name = match document.name {
            DocumentName::Path(path) => RowName::Path { len: path.len() },
            DocumentName::Member(name) => RowName::Member { len: name.len() },
            DocumentName::Id(id, line) => RowName::Id { len: id.len(), line },
            DocumentName::Line(line) => RowName::Line { line },
        };
        let name = document.name.bytes();
        reserve(&mut self.names, name.len(), "names")?;
        self.names.extend_from_slice(name);
        if let Some(value) = document.group.filter(|_| keeps_values) {
            self.values.resize(self.rows.len(), FieldValue::default());
            self.values.push(FieldValue::new(value));
        } else if let Some(group) = &document.group {
            self.fields.resize(self.rows.len(), None);
            self.fields.push(Some(xxh3_128(group)));
        }
        let content = (num_shingles > 0).then_some(content);
        self.located.push(self.rows.len(), document.located)?;
        self.rows.push(PieceRow { content, num_shingles, name: row_name, syntax, is_signed_copy })
    }

    /// The bytes of the rows, names and fields.
    pub(super) fn num_bytes(&self) -> usize {
        let fields = self.fields.len() * size_of::<Option<u128>>() + size_of_val(self.values.as_slice());
        let fields = fields + self.group_names.values().map(|name| name.len() + 40).sum::<usize>();
        self.rows.num_bytes() + self.located.num_bytes() + self.names.len() + fields
    }

    /// The names that documents came with; records without an id have none.
    pub(super) fn names(&self) -> impl Iterator<Item = &[u8]> {
        let mut names = self.names.as_slice();
        self.rows.name_lens().map(move |len| names.split_off(..len).expect("a piece holds its names"))
    }

    /// Estimates the bytes of the documents' names.
    ///
    /// * `source`: the source of the records.
    /// * `source_len`: returns the length of a source's name, with which the names of records without an id begin.
    pub(super) fn name_bytes(&self, source: Option<u32>, source_len: impl FnOnce(u32) -> usize) -> u64 {
        /// A colon and a line number.
        const PLACE: usize = 7;
        let num_unnamed = self.rows.len() - self.rows.name_lens().count();
        let place = source.filter(|_| num_unnamed > 0).map_or(0, |source| source_len(source) + PLACE);
        (self.names.len() + num_unnamed * place) as u64
    }

    /// Moves the band keys and signatures from `signing` into the piece.
    pub(super) fn finish_signed(&mut self, signing: &mut Signing) {
        self.signed = signing.keys.take();
    }

    /// Moves the band keys from `signing` to `band_keys`, and frees unused capacity.
    ///
    /// # Errors
    /// When memory is too small for the keys.
    pub(super) fn finish(&mut self, signing: &mut Signing, band_keys: &BandKeys) -> Result<()> {
        self.keys = signing.keys.move_to(band_keys)?;
        // The rows have reached their length, so that an allocator can move them to the disk.
        table(|| {
            self.rows.shrink_to_fit();
            self.located.shrink_to_fit();
            self.names.shrink_to_fit();
            self.fields.shrink_to_fit();
            self.values.shrink_to_fit();
        });
        Ok(())
    }
}
