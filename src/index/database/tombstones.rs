//! `Tombstones`: marks removed documents and erased texts, with one bit each in blocks of 65,536 bits.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use super::file::IndexFile;
use crate::base::error::Result;
use crate::index::blocks::sealed::IndexTable;

/// The meaning of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum TombstoneKind {
    /// The document is removed.
    Removed = 0,
    /// The text with the number of its document is erased.
    Erased = 1,
}

/// The number of marks of a block.
const BLOCK: u32 = 1 << 16;
/// Bytes of a block.
const BYTES: usize = BLOCK as usize / 8;

/// The marks of one generation of an index; blocks are read on first use.
#[derive(Default)]
pub(crate) struct Tombstones {
    /// The row numbers of the existing blocks; all other marks are unset.
    row_ids: RefCell<BTreeSet<i64>>,
    blocks: RefCell<HashMap<i64, Box<[u8]>>>,
}

fn row_id(mark: TombstoneKind, number: u32) -> i64 {
    (mark as i64) << 32 | i64::from(number / BLOCK)
}

impl Tombstones {
    /// Creates the marks.
    ///
    /// * `row_ids`: the row numbers of the blocks, from the state of the index.
    pub(crate) fn new(row_ids: &[i64]) -> Self {
        Self { row_ids: RefCell::new(row_ids.iter().copied().collect()), blocks: RefCell::default() }
    }

    /// The row numbers of the blocks, ascending.
    pub(crate) fn row_ids(&self) -> Vec<i64> {
        self.row_ids.borrow().iter().copied().collect()
    }

    /// Whether a number is marked.
    pub(crate) fn has(&self, file: &IndexFile, mark: TombstoneKind, number: u32) -> Result<bool> {
        let at = row_id(mark, number);
        if !self.row_ids.borrow().contains(&at) {
            return Ok(false);
        }
        self.load(file, at)?;
        let bit = (number % BLOCK) as usize;
        Ok(self.blocks.borrow()[&at][bit / 8] >> (bit % 8) & 1 == 1)
    }

    /// Marks numbers.
    pub(crate) fn set(&self, file: &IndexFile, mark: TombstoneKind, numbers: &[u32]) -> Result<()> {
        let mut changed = Vec::new();
        for &number in numbers {
            let at = row_id(mark, number);
            self.load(file, at)?;
            let bit = (number % BLOCK) as usize;
            self.blocks.borrow_mut().get_mut(&at).expect("just loaded")[bit / 8] |= 1 << (bit % 8);
            changed.push(at);
        }
        changed.sort_unstable();
        changed.dedup();
        self.row_ids.borrow_mut().extend(&changed);
        changed.into_iter().try_for_each(|at| file.put(IndexTable::Dead, at, &self.blocks.borrow()[&at]))
    }

    fn load(&self, file: &IndexFile, at: i64) -> Result<()> {
        if self.blocks.borrow().contains_key(&at) {
            return Ok(());
        }
        let bits = if self.row_ids.borrow().contains(&at) {
            file.need(IndexTable::Dead, at, |bits| (bits.len() == BYTES).then(|| bits.into()))?
        } else {
            vec![0; BYTES].into()
        };
        self.blocks.borrow_mut().insert(at, bits);
        Ok(())
    }
}
