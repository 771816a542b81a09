//! `DocReader`: reads the rows of documents by their numbers.

use rayon::prelude::*;

use crate::base::error::Result;
use crate::index::blocks::read_ahead::read_ahead;
use crate::index::blocks::sealed::IndexTable;
use crate::index::database::file::IndexFile;
use crate::index::texts::docs::{BLOCK, DocBlock, DocRow, stored_block};

/// The number of blocks that are read before all threads unpack them: about half a megabyte.
const BLOCKS_AT_A_TIME: usize = 64;

/// Reads documents, and caches the last blocks.
pub(crate) struct DocReader {
    next: u32,
    kept: Vec<(u32, DocBlock)>,
}

impl DocReader {
    /// The number of cached blocks.
    const KEPT: usize = 32;

    /// Creates a reader.
    ///
    /// * `next`: the number of the next document of the index.
    pub(crate) fn new(next: u32) -> Self {
        Self { next, kept: Vec::new() }
    }

    /// Reads the row of a document.
    pub(crate) fn get(&mut self, file: &IndexFile, number: u32) -> Result<DocRow> {
        let row = self.block(file, number)?.row((number % BLOCK) as usize);
        row.ok_or_else(|| file.damaged(IndexTable::Docs, (number / BLOCK).into()))
    }

    /// Reads the hash of a document's normalised text.
    pub(crate) fn content(&mut self, file: &IndexFile, number: u32) -> Result<u128> {
        Ok(self.block(file, number)?.content((number % BLOCK) as usize))
    }

    /// Reads the block that contains a document.
    fn block(&mut self, file: &IndexFile, number: u32) -> Result<&DocBlock> {
        let block = number / BLOCK;
        let place = match self.kept.iter().rposition(|&(other, _)| other == block) {
            Some(place) => place,
            None => {
                let read = stored_block(file, block, self.next)?;
                if self.kept.len() == Self::KEPT {
                    self.kept.remove(0);
                }
                self.kept.push((block, read));
                self.kept.len() - 1
            }
        };
        Ok(&self.kept[place].1)
    }
}

/// Reads many documents: the calling thread reads their blocks, and the threads of a pool unpack them.
///
/// * `next`: the number of the next document of the index.
/// * `numbers`: the numbers of the documents, ascending, each with a position.
///
/// Returns the documents with their positions.
///
/// # Errors
/// When a block is damaged.
pub(crate) fn documents_together<'n>(
    file: &IndexFile,
    next: u32,
    numbers: &'n [(u32, usize)],
    pool: &rayon::ThreadPool,
) -> Result<Vec<(usize, DocRow)>> {
    let of_blocks: Vec<&'n [(u32, usize)]> = numbers.chunk_by(|a, b| a.0 / BLOCK == b.0 / BLOCK).collect();
    let mut parts = of_blocks.chunks(BLOCKS_AT_A_TIME);
    let read_one =
        |&numbers: &&'n [(u32, usize)]| stored_block(file, numbers[0].0 / BLOCK, next).map(|block| (block, numbers));
    let read = || parts.next().map(|part| part.iter().map(read_one).collect::<Result<Vec<_>>>()).transpose();
    let unpack_one = |(block, numbers): (DocBlock, &[(u32, usize)])| {
        let row = |&(number, place): &(u32, usize)| match block.row((number % BLOCK) as usize) {
            Some(row) => Ok((place, row)),
            None => Err(number / BLOCK),
        };
        numbers.iter().map(row).collect::<std::result::Result<Vec<_>, u32>>()
    };
    let unpack = |blocks: Vec<_>| blocks.into_par_iter().map(unpack_one).collect::<Vec<_>>();
    let mut rows = Vec::with_capacity(numbers.len());
    let take = |unpacked: Vec<std::result::Result<Vec<_>, u32>>| {
        unpacked.into_iter().try_for_each(|unpacked| {
            rows.extend(unpacked.map_err(|block| file.damaged(IndexTable::Docs, block.into()))?);
            Ok(())
        })
    };
    read_ahead(pool, read, unpack, take)?;
    Ok(rows)
}
