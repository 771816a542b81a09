//! A part: what one piece of the inputs yields, in few bytes, until all parts are put together.

use xxhash_rust::xxh3::xxh3_128;

use super::Signing;
use super::band_keys::BandKeys;
use crate::banding::band_keys;
use crate::document::Located;
use crate::error::{Problem, Reason};
use crate::input::{Document, Name};
use crate::pipeline::Removed;
use crate::removal::Left;

/// The documents of one piece, and the problems between them.
pub(super) struct Part {
    pub(super) number: usize,
    /// The source of a piece of records and how many of its lines start in the piece.
    pub(super) lines: Option<(u32, u64)>,
    pub(super) rows: Vec<Row>,
    pub(super) names: Vec<u8>,
    /// The hash of the field that groups each record; empty as long as none has it.
    pub(super) fields: Vec<Option<u128>>,
    /// What stood before which row.
    pub(super) problems: Vec<(usize, PartProblem)>,
    /// The place of the band keys of the documents with shingles.
    pub(super) keys: (usize, usize),
    pub(super) num_bytes: u64,
    pub(super) short: u64,
    pub(super) removed: Removed,
}

/// A document. 48 bytes.
pub(super) struct Row {
    content: [u64; 2],
    pub(super) located: Located,
    pub(super) num_shingles: u32,
    /// Bytes of the name; `NONE` for a record that is named by its line.
    name_len: u32,
    /// The line of a record from the start of the piece, counted from 0; `NONE` for a file.
    line: u32,
}

/// In place of a length or a line.
const NONE: u32 = u32::MAX;

/// A problem, perhaps of a record that is to be named by its line.
pub(super) enum PartProblem {
    Named(Problem),
    Record { line: u64, reason: Reason, detail: String },
}

/// The next `len` bytes of the part's names, or the place alone.
pub(super) enum RowName {
    Path { len: usize },
    Id { len: usize, line: u64 },
    Line { line: u64 },
}

impl Row {
    /// The hash of the text; `None` when it has no shingle.
    pub(super) fn content(&self) -> Option<u128> {
        let [high, low] = self.content;
        (self.num_shingles > 0).then_some(u128::from(high) << 64 | u128::from(low))
    }

    pub(super) fn name(&self) -> RowName {
        match (self.name_len, self.line) {
            (NONE, line) => RowName::Line { line: line.into() },
            (len, NONE) => RowName::Path { len: len as usize },
            (len, line) => RowName::Id { len: len as usize, line: line.into() },
        }
    }
}

impl Part {
    pub(super) fn new(number: usize) -> Self {
        Self {
            number,
            lines: None,
            rows: Vec::new(),
            names: Vec::new(),
            fields: Vec::new(),
            problems: Vec::new(),
            keys: (0, 0),
            num_bytes: 0,
            short: 0,
            removed: Removed::default(),
        }
    }

    /// Signs a document; its band keys are left with `signing`.
    pub(super) fn add(&mut self, document: &Document, signing: &mut Signing) {
        let Signing { removal, left, shingler, signer, signature, num_bands, keys } = signing;
        let text = document.text;
        self.num_bytes += document.num_bytes;
        self.short += u64::from(shingler.is_short(text));
        let mut shingles = Left::new(shingler.shingles_utf8(text), *removal, left);
        let signed = signer.sign(&mut shingles, signature);
        let (num_left, num_removed) = (shingles.num_left, shingles.num_removed);
        self.removed.shingles += num_removed as u64;
        self.removed.documents += u64::from(num_removed > 0);
        self.removed.emptied += u64::from(num_removed > 0 && !signed);
        // What was taken out is kept beside the set, for the similarity of the whole; a document without a set has neither.
        let num_shingles = if signed { u32::try_from(num_left + num_removed).unwrap_or(u32::MAX) } else { 0 };
        let content = if signed { xxh3_128(text) } else { 0 };
        if signed {
            let start = keys.len();
            keys.resize(start + *num_bands, 0);
            band_keys(signature, &mut keys[start..]);
        }
        let small = |number: u64| u32::try_from(number).ok().filter(|&number| number != NONE);
        let len = |bytes: &[u8]| small(bytes.len() as u64).expect("a name is shorter than its record");
        let line_in_piece = |line| small(line).expect("a piece has fewer lines than bytes");
        let (name_len, line) = match document.name {
            Name::Path(path) => (len(path), NONE),
            Name::Id(id, line) => (len(id.as_bytes()), line_in_piece(line)),
            Name::Line(line) => (NONE, line_in_piece(line)),
        };
        match document.name {
            Name::Path(name) => self.names.extend_from_slice(name),
            Name::Id(name, _) => self.names.extend_from_slice(name.as_bytes()),
            Name::Line(_) => {}
        }
        if let Some(group) = &document.group {
            self.fields.resize(self.rows.len(), None);
            self.fields.push(Some(xxh3_128(group.as_bytes())));
        }
        let content = [(content >> 64) as u64, content as u64];
        self.rows.push(Row { content, located: document.located, num_shingles, name_len, line });
    }

    pub(super) fn num_bytes(&self) -> usize {
        let fields = self.fields.len() * size_of::<Option<u128>>();
        size_of::<Self>() + self.rows.len() * size_of::<Row>() + self.names.len() + fields
    }

    pub(super) fn add_problem(&mut self, problem: PartProblem) {
        self.problems.push((self.rows.len(), problem));
    }

    /// Leaves the band keys where they stay, and gives back what is not used.
    pub(super) fn finish(&mut self, signing: &mut Signing, band_keys: &BandKeys) {
        self.keys = (band_keys.append(&signing.keys), signing.keys.len() / signing.num_bands);
        signing.keys.clear();
        self.rows.shrink_to_fit();
        self.names.shrink_to_fit();
    }
}
