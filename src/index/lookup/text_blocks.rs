//! `TextBlocks`: the blocks that contain some texts, read on the thread that owns the index, for other threads to
//! verify.

use std::collections::HashMap;

use super::candidates::Candidate;
use super::query_round::QueryRound;
use crate::base::error::{Error, IndexError, Result};
use crate::index::database::tombstones::TombstoneKind;
use crate::index::read::reader::IndexReader;
use crate::index::texts::stored_texts::{StoredBlock, find_block, text_of};
use crate::text::code::Syntax;

/// A text of the index, with its language and the queries that it may match.
pub(crate) type WantedText<'c> = (&'c [Candidate], Option<Syntax>);
/// A block, and the wanted texts in it.
pub(crate) type BlockOfTexts<'c> = (StoredBlock, Vec<WantedText<'c>>);

/// Blocks that were read, to be verified.
#[derive(Default)]
pub(crate) struct TextBlocks<'c> {
    pub(crate) blocks: Vec<BlockOfTexts<'c>>,
    /// Candidates whose text has the hash of the query's text, so that the text need not be read.
    pub(crate) equal: Vec<Candidate>,
    /// Texts that consist of several parts, by the position of their block.
    pub(crate) whole: HashMap<usize, Vec<u8>>,
    /// The faults of the parts that could not be read.
    pub(crate) faults: Vec<Error>,
}

impl<'c> TextBlocks<'c> {
    /// Reads the blocks of texts.
    ///
    /// * `sets`: the sets of the queries.
    /// * `of_programs`: whether texts are programs, each in its own language.
    ///
    /// # Errors
    /// When the index cannot be read. Damaged blocks are recorded in the faults.
    pub(crate) fn read(
        reader: &IndexReader,
        sets: &QueryRound,
        texts: &[&'c [Candidate]],
        of_programs: bool,
    ) -> Result<Self> {
        let mut read = Self::default();
        let Self { blocks, equal, whole, faults } = &mut read;
        // Texts of one block are adjacent, so the block is read and unpacked once.
        for &of_text in texts {
            let number = of_text[0].0;
            let is_erased = reader.marks.has(&reader.file, TombstoneKind::Erased, number);
            if unless_damaged(is_erased, faults)?.unwrap_or(true) {
                continue;
            }
            // If the hash cannot be read, the text itself is compared.
            let content = unless_damaged(reader.content(number), &mut Vec::new())?;
            if of_text.iter().all(|&(_, query)| Some(sets.query(query).row.content) == content) {
                equal.extend(of_text);
                continue;
            }
            let document = of_programs.then(|| reader.document(number)).transpose();
            let syntax = unless_damaged(document, faults)?.flatten().and_then(|document| document.syntax);
            match blocks.last_mut().filter(|(block, _)| block.may_hold(number)) {
                Some((_, of_block)) => of_block.push((of_text, syntax)),
                None => {
                    let Some(block) = unless_damaged(find_block(&reader.file, number), faults)? else { continue };
                    blocks.push((block, vec![(of_text, syntax)]));
                }
            }
        }
        // A text in several parts is read as a whole here, since the other threads cannot read.
        for (at, (block, of_block)) in blocks.iter().enumerate().filter(|(_, (block, _))| block.num_parts() > 1) {
            let number = of_block[0].0[0].0;
            if let Some(text) = unless_damaged(text_of(&reader.file, block, number), faults)? {
                whole.insert(at, text);
            }
        }
        Ok(read)
    }
}

/// The value, unless the index is damaged; then the fault is recorded.
pub(crate) fn unless_damaged<T>(read: Result<T>, faults: &mut Vec<Error>) -> Result<Option<T>> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(error @ Error::Index(IndexError::Damaged { .. })) => {
            faults.push(error);
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The error for a damaged block of texts, with the documents that it affects.
pub(crate) fn damaged_texts(reader: &IndexReader, block: &StoredBlock) -> Result<Error> {
    let numbers = block.numbers();
    let name = |number: Option<&u32>| match number.map(|&number| reader.document(number)) {
        Some(Ok(document)) => String::from_utf8_lossy(&document.name).into_owned(),
        _ => "?".to_owned(),
    };
    let part = format!(
        "texts block {} (the texts of {} documents, from {:?} to {:?})",
        block.at,
        numbers.len(),
        name(numbers.first()),
        name(numbers.last())
    );
    Ok(Error::Index(IndexError::Damaged { path: reader.file.path().to_owned(), part }))
}
