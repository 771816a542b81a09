//! `PieceRows`: the documents of a piece, packed: 16 bytes for the hash of each text, and some bits for each other number.

use crate::base::error::Result;
use crate::base::flat::packed_numbers::PackedNumbers;
use crate::base::memory::{asking, no_room, reserve};
use crate::text::code::Syntax;

/// The name of this memory in the message of a failed allocation.
const DOCUMENTS: &str = "documents";

/// A document in its piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceRow {
    /// The hash of the text; `None` when it has no shingle.
    pub(super) content: Option<u128>,
    pub(super) num_shingles: u32,
    pub(super) name: RowName,
    /// The language of a program.
    pub(super) syntax: Option<Syntax>,
    /// Whether it has no band keys although it has shingles, because another document with the same text has them.
    pub(super) is_signed_copy: bool,
}

/// The way in which a document gets its name: from the next `len` bytes of the piece's names, or only from its line, from 0,
/// in the piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowName {
    Path { len: usize },
    Member { len: usize },
    Id { len: usize, line: u64 },
    Line { line: u64 },
}

/// Rows to which others are added only at the end.
#[derive(Debug, Default)]
pub(super) struct PieceRows {
    contents: Vec<[u64; 2]>,
    num_shingles: PackedNumbers,
    name_lens: PackedNumbers,
    /// The line of a record; `PATH` or `MEMBER` for another document.
    lines: PackedNumbers,
    /// The language of each program; empty as long as no document is one.
    syntaxes: Vec<Option<Syntax>>,
    /// The numbers of the signed copies, ascending.
    signed_copies: Vec<u32>,
}

/// Marks the absence of a name.
const NO_NAME: u64 = u32::MAX as u64;
/// Mark the absence of a line. A piece has fewer lines than bytes, and less than 4 GiB.
const PATH: u64 = u32::MAX as u64;
const MEMBER: u64 = PATH - 1;

impl PieceRows {
    pub(super) fn len(&self) -> usize {
        self.contents.len()
    }

    /// Adds a row.
    ///
    /// # Errors
    /// When memory is too small for it.
    ///
    /// # Panics
    /// When the name or the line does not fit 32 bits.
    pub(super) fn push(&mut self, row: PieceRow) -> Result<()> {
        let PieceRow { content, num_shingles, name, syntax, is_signed_copy } = row;
        let (name_len, line) = match name {
            RowName::Path { len } => (len as u64, PATH),
            RowName::Member { len } => (len as u64, MEMBER),
            RowName::Id { len, line } => (len as u64, line),
            RowName::Line { line } => (NO_NAME, line),
        };
        assert!(matches!(name, RowName::Line { .. }) || name_len < NO_NAME, "a name is shorter than its record");
        assert!(line == PATH || line <= MEMBER, "a piece has fewer lines than bytes");
        if syntax.is_some() || !self.syntaxes.is_empty() {
            let len = self.len();
            let more = len + 1 - self.syntaxes.len();
            reserve(&mut self.syntaxes, more, DOCUMENTS)?;
            self.syntaxes.resize(len, None);
            self.syntaxes.push(syntax);
        }
        if is_signed_copy {
            reserve(&mut self.signed_copies, 1, DOCUMENTS)?;
            self.signed_copies.push(u32::try_from(self.len()).expect("a piece has fewer documents than bytes"));
        }
        let packed = asking(|| {
            self.num_shingles.push(num_shingles.into())?;
            self.name_lens.push(name_len)?;
            self.lines.push(line)
        });
        packed.map_err(|len| no_room::<u64>(len, DOCUMENTS))?;
        let content = content.unwrap_or(0);
        reserve(&mut self.contents, 1, DOCUMENTS)?;
        self.contents.push([(content >> 64) as u64, content as u64]);
        Ok(())
    }

    /// All rows.
    pub(super) fn iter(&self) -> impl Iterator<Item = PieceRow> {
        let mut copies = self.signed_copies.iter().peekable();
        (0..self.len()).map(move |number| {
            let [high, low] = self.contents[number];
            let num_shingles = self.num_shingles.get(number) as u32;
            PieceRow {
                content: (num_shingles > 0).then_some(u128::from(high) << 64 | u128::from(low)),
                num_shingles,
                name: self.name(number),
                syntax: self.syntaxes.get(number).copied().flatten(),
                is_signed_copy: copies.next_if(|&&copy| copy as usize == number).is_some(),
            }
        })
    }

    fn name(&self, number: usize) -> RowName {
        let (len, line) = (self.name_lens.get(number), self.lines.get(number));
        match line {
            line if len == NO_NAME => RowName::Line { line },
            PATH => RowName::Path { len: len as usize },
            MEMBER => RowName::Member { len: len as usize },
            line => RowName::Id { len: len as usize, line },
        }
    }

    /// The number of documents without shingles.
    pub(super) fn num_empty(&self) -> usize {
        self.num_shingles.iter().filter(|&number| number == 0).count()
    }

    /// The numbers of the signed copies, ascending.
    pub(super) fn signed_copies(&self) -> impl Iterator<Item = usize> {
        self.signed_copies.iter().map(|&number| number as usize)
    }

    /// The lengths of the names that documents came with; records without an id have none.
    pub(super) fn name_lens(&self) -> impl Iterator<Item = usize> {
        self.name_lens.iter().filter(|&len| len != NO_NAME).map(|len| len as usize)
    }

    /// Whether there are members of archives, whose names may repeat.
    pub(super) fn has_members(&self) -> bool {
        self.lines.iter().any(|line| line == MEMBER)
    }

    /// Frees unused capacity.
    pub(super) fn shrink_to_fit(&mut self) {
        let Self { contents, num_shingles, name_lens, lines, syntaxes, signed_copies } = self;
        contents.shrink_to_fit();
        syntaxes.shrink_to_fit();
        signed_copies.shrink_to_fit();
        [num_shingles, name_lens, lines].into_iter().for_each(PackedNumbers::shrink_to_fit);
    }

    /// Bytes in memory.
    pub(super) fn num_bytes(&self) -> usize {
        let Self { contents, num_shingles, name_lens, lines, syntaxes, signed_copies } = self;
        let packed: usize = [num_shingles, name_lens, lines].map(PackedNumbers::num_bytes).into_iter().sum();
        packed
            + size_of_val(contents.as_slice())
            + size_of_val(syntaxes.as_slice())
            + size_of_val(signed_copies.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_that_were_added() {
        let names = [
            RowName::Path { len: 7 },
            RowName::Member { len: 0 },
            RowName::Id { len: 3, line: 0 },
            RowName::Line { line: 70_000 },
        ];
        let added: Vec<PieceRow> = (0..300)
            .map(|number: u32| {
                let num_shingles = number % 5 * (1 + number / 7);
                let is_late = number > 100;
                PieceRow {
                    content: (num_shingles > 0).then_some(u128::MAX / u128::from(number + 1)),
                    num_shingles,
                    name: names[number as usize % 3 + usize::from(is_late && number.is_multiple_of(2))],
                    syntax: Syntax::of_name(b"a.rs").filter(|_| is_late && number.is_multiple_of(4)),
                    is_signed_copy: is_late && number.is_multiple_of(6),
                }
            })
            .collect();
        let mut rows = PieceRows::default();
        added.iter().for_each(|&row| rows.push(row).unwrap());
        rows.shrink_to_fit();
        assert!(rows.iter().eq(added.iter().copied()) && rows.len() == added.len() && rows.has_members());
        assert_eq!(rows.num_empty(), added.iter().filter(|row| row.content.is_none()).count());
        let copies = (0..300).filter(|&number| added[number].is_signed_copy);
        assert!(rows.signed_copies().eq(copies));
        let lens = added.iter().filter_map(|row| match row.name {
            RowName::Path { len } | RowName::Member { len } | RowName::Id { len, .. } => Some(len),
            RowName::Line { .. } => None,
        });
        assert!(rows.name_lens().eq(lens));
    }
}
