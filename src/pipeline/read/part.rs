//! A part: what one piece of the inputs yields, in few bytes, until all parts are put together.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_128;

use super::band_keys::BandKeys;
use super::signing::Signing;
use crate::document::Located;
use crate::error::{Problem, Reason, Result};
use crate::input::{AbsentFields, Document, Name};
use crate::memory::reserve;
use crate::pipeline::Removed;
use crate::pipeline::sparse::sparse;
use crate::shown::counted;

/// The documents of one piece, and the problems between them.
pub(super) struct Part {
    pub(super) number: u64,
    /// The source of a piece of records and how many of its lines start in the piece.
    pub(super) lines: Option<(u32, u64)>,
    /// What those records are all without.
    pub(super) absent: Option<AbsentFields>,
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
    /// Of each document, when they are to be listed.
    pub(super) sizes: Vec<Sizes>,
}

/// What the program saw of a document.
#[derive(Debug, Clone, Copy)]
pub(in crate::pipeline) struct Sizes {
    pub(in crate::pipeline) num_bytes: u64,
    pub(in crate::pipeline) num_tokens: u64,
    /// Distinct ones that are left.
    pub(in crate::pipeline) num_shingles: u64,
    pub(in crate::pipeline) is_short: bool,
    /// Whether it has shingles and all of them are taken out.
    pub(in crate::pipeline) is_emptied: bool,
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
/// In place of the line of a member of an archive.
const MEMBER: u32 = u32::MAX - 1;

/// A problem, perhaps of a record that is to be named by its line.
pub(super) enum PartProblem {
    Named(Problem),
    Record { line: u64, reason: Reason, detail: Arc<str>, is_error: bool },
}

/// The next `len` bytes of the part's names, or the place alone.
pub(super) enum RowName {
    Path { len: usize },
    Member { len: usize },
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
            (len, MEMBER) => RowName::Member { len: len as usize },
            (len, line) => RowName::Id { len: len as usize, line: line.into() },
        }
    }
}

impl Part {
    pub(super) fn new(number: u64) -> Self {
        Self {
            number,
            lines: None,
            absent: None,
            rows: Vec::new(),
            names: Vec::new(),
            fields: Vec::new(),
            problems: Vec::new(),
            keys: (0, 0),
            num_bytes: 0,
            short: 0,
            removed: Removed::default(),
            sizes: Vec::new(),
        }
    }

    /// Signs a document; its band keys are left with `signing`.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(super) fn add(&mut self, document: &Document, signing: &mut Signing) -> Result<()> {
        let text = document.text;
        let signed = signing.sign(text);
        let cut = signed.map(|signed| signed.cut);
        let is_emptied = signed.is_some_and(|signed| !signed.is_left);
        let min_tokens = signing.min_tokens;
        let num_tokens = signed.map_or_else(|| signing.num_tokens(), |signed| signed.cut.num_tokens);
        if num_tokens < min_tokens {
            let tokens = counted(num_tokens, "token");
            let detail = format!("{tokens}, fewer than --min-tokens {min_tokens}; left out");
            self.note(&document.name, Reason::FewTokens, detail);
            return Ok(());
        }
        if let Some(signed) = signed {
            self.removed.add(signed.num_removed, is_emptied);
            if signed.is_left {
                signing.add_keys()?;
            }
        }
        if let Some(detail) = sparse(signing.shingle_kind, cut.unwrap_or_default(), text) {
            self.note(&document.name, Reason::Sparse, detail);
        }
        if signing.lists {
            self.sizes.push(Sizes {
                num_bytes: document.num_bytes,
                num_tokens: cut.map_or(0, |cut| cut.num_tokens),
                num_shingles: signing.num_distinct(text, cut.map_or(0, |cut| cut.num_shingles)),
                is_short: cut.is_some_and(|cut| cut.num_shingles == 0),
                is_emptied,
            });
        }
        self.num_bytes += document.num_bytes;
        self.short += u64::from(cut.is_some_and(|cut| cut.num_shingles == 0));
        // A text without a whole shingle is one. What is taken out is kept beside the set, for the similarity of the whole;
        // a document without a set has neither.
        let num_shingles =
            cut.filter(|_| !is_emptied).map_or(0, |cut| u32::try_from(cut.num_shingles.max(1)).unwrap_or(u32::MAX));
        let content = if num_shingles > 0 { xxh3_128(text) } else { 0 };
        let small = |number: u64| u32::try_from(number).ok().filter(|&number| number < MEMBER);
        let len = |bytes: &[u8]| small(bytes.len() as u64).expect("a name is shorter than its record");
        let line_in_piece = |line| small(line).expect("a piece has fewer lines than bytes");
        let (name_len, line) = match document.name {
            Name::Path(path) => (len(path), NONE),
            Name::Member(name) => (len(name), MEMBER),
            Name::Id(id, line) => (len(id), line_in_piece(line)),
            Name::Line(line) => (NONE, line_in_piece(line)),
        };
        let name = match document.name {
            Name::Path(name) | Name::Member(name) | Name::Id(name, _) => name,
            Name::Line(_) => &[],
        };
        reserve(&mut self.names, name.len(), "names")?;
        self.names.extend_from_slice(name);
        if let Some(group) = &document.group {
            self.fields.resize(self.rows.len(), None);
            self.fields.push(Some(xxh3_128(group)));
        }
        let content = [(content >> 64) as u64, content as u64];
        reserve(&mut self.rows, 1, "documents")?;
        self.rows.push(Row { content, located: document.located, num_shingles, name_len, line });
        Ok(())
    }

    pub(super) fn num_bytes(&self) -> usize {
        let fields = self.fields.len() * size_of::<Option<u128>>();
        size_of::<Self>() + self.rows.len() * size_of::<Row>() + self.names.len() + fields
    }

    /// Adds what is to be said of a document without its being an error.
    fn note(&mut self, name: &Name, reason: Reason, detail: String) {
        self.add_problem(match *name {
            Name::Path(path) | Name::Member(path) => {
                PartProblem::Named(Problem::note(String::from_utf8_lossy(path), reason, detail))
            }
            // Who looks for what was left out knows it by its id.
            Name::Id(id, _) if reason == Reason::FewTokens => {
                PartProblem::Named(Problem::note(String::from_utf8_lossy(id), reason, detail))
            }
            Name::Id(_, line) | Name::Line(line) => return self.add_record_problem(line, reason, detail, false),
        });
    }

    /// Adds what is wrong with a record. What is wrong with all records of a file takes the room of its words once.
    pub(super) fn add_record_problem(&mut self, line: u64, reason: Reason, detail: String, is_error: bool) {
        let detail = match self.problems.last() {
            Some((_, PartProblem::Record { detail: last, .. })) if **last == *detail => Arc::clone(last),
            _ => detail.into(),
        };
        self.add_problem(PartProblem::Record { line, reason, detail, is_error });
    }

    pub(super) fn add_problem(&mut self, problem: PartProblem) {
        self.problems.push((self.rows.len(), problem));
    }

    /// The names that documents came with: all but those of records without an id.
    pub(super) fn names(&self) -> impl Iterator<Item = &[u8]> {
        let mut names = self.names.as_slice();
        let lens = self.rows.iter().filter(|row| row.name_len != NONE).map(|row| row.name_len as usize);
        lens.map(move |len| names.split_off(..len).expect("a part holds its names"))
    }

    /// Bytes of the documents' names, about.
    ///
    /// * `source_len`: the length of a source's name, with which records without an id are named.
    pub(super) fn name_bytes(&self, source_len: impl FnOnce(u32) -> usize) -> u64 {
        /// A colon and the number of a line.
        const PLACE: usize = 7;
        let num_unnamed = self.rows.iter().filter(|row| row.name_len == NONE).count();
        let place = self.lines.filter(|_| num_unnamed > 0).map_or(0, |(source, _)| source_len(source) + PLACE);
        (self.names.len() + num_unnamed * place) as u64
    }

    /// Whether names of this part may be those of others.
    pub(super) fn names_may_repeat(&self) -> bool {
        self.lines.is_some() || self.rows.iter().any(|row| row.line == MEMBER)
    }

    pub(super) fn has_error(&self) -> bool {
        self.problems.iter().any(|(_, problem)| match problem {
            PartProblem::Named(problem) => problem.is_error,
            PartProblem::Record { is_error, .. } => *is_error,
        })
    }

    /// Leaves the band keys where they stay, and gives back what is not used.
    ///
    /// # Errors
    /// When there is no room for the keys.
    pub(super) fn finish(&mut self, signing: &mut Signing, band_keys: &BandKeys) -> Result<()> {
        self.keys = (band_keys.append(&signing.keys)?, signing.keys.len() / signing.num_bands);
        self.rows.shrink_to_fit();
        self.names.shrink_to_fit();
        self.fields.shrink_to_fit();
        Ok(())
    }
}
