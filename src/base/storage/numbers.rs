//! `NumberColumn`: stores a sequence of numbers and reads any range of it, in bounded memory.

use std::ops::Range;

use super::blocks::{SpillWriter, block_len, bytes_of, read_spilled};
use super::record::SortRecord;
use super::spill::Spill;
use crate::base::error::Result;

const NUMBER: usize = size_of::<u32>();
/// The number of numbers in a block of the spill.
const BLOCK: usize = block_len::<u32>();
/// The number of blocks that are written at a time.
const BLOCKS: usize = 4;

/// Numbers in the order in which they were added: in memory as long as they fit, otherwise in the spill.
pub(crate) struct NumberColumn {
    /// All numbers, or the numbers after the last whole block of the spill.
    kept: Vec<u32>,
    most: usize,
    spill: Option<Spill>,
    num_spilled: usize,
}

impl NumberColumn {
    /// Creates an empty column.
    ///
    /// * `memory_bytes`: bytes that the numbers may use before they are moved to the spill.
    pub(crate) fn new(memory_bytes: u64) -> Self {
        let most = usize::try_from(memory_bytes / NUMBER as u64).unwrap_or(usize::MAX);
        Self { kept: Vec::new(), most: most.max(BLOCKS * BLOCK), spill: None, num_spilled: 0 }
    }

    /// Adds a number.
    ///
    /// * `what`: the kind of numbers, for messages, in the singular.
    ///
    /// # Errors
    /// When the number cannot be written to the disk.
    pub(crate) fn push(&mut self, number: u32, what: &'static str) -> Result<()> {
        self.kept.push(number);
        if self.kept.len() < if self.spill.is_some() { BLOCKS * BLOCK } else { self.most } {
            return Ok(());
        }
        let spill = self.spill.get_or_insert_with(|| Spill::new(what));
        let num_whole = self.kept.len() / BLOCK * BLOCK;
        let mut writer = SpillWriter::new(spill, spill.reserve(bytes_of::<u32>(num_whole)));
        self.kept.drain(..num_whole).try_for_each(|number| writer.push(number))?;
        writer.finish()?;
        self.num_spilled += num_whole;
        self.kept.shrink_to(2 * BLOCKS * BLOCK);
        Ok(())
    }

    /// Appends the numbers of a range of positions to `numbers`.
    ///
    /// # Errors
    /// When the numbers cannot be read, or have changed since they were written.
    pub(crate) fn read(&self, positions: Range<usize>, numbers: &mut Vec<u32>) -> Result<()> {
        let (mut at, mut block) = (positions.start, Vec::new());
        while at < positions.end.min(self.num_spilled) {
            let spill = self.spill.as_ref().expect("numbers were spilled");
            let start = at / BLOCK * BLOCK;
            let content = read_spilled::<u32>(spill, 0..bytes_of::<u32>(self.num_spilled), at / BLOCK, &mut block)?;
            let end = positions.end.min(start + BLOCK);
            let wanted = &content[NUMBER * (at - start)..NUMBER * (end - start)];
            numbers.extend(wanted.as_chunks().0.iter().map(|&bytes| u32::from_le_bytes(bytes)));
            at = end;
        }
        if at < positions.end {
            numbers.extend_from_slice(&self.kept[at - self.num_spilled..positions.end - self.num_spilled]);
        }
        Ok(())
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        NUMBER * self.kept.capacity()
    }
}

impl SortRecord for u32 {
    type Words = [Self; 1];

    fn words(self) -> [Self; 1] {
        [self]
    }

    fn of_words([number]: [Self; 1]) -> Self {
        number
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn ranges_are_those_of_a_vector(
            len in 0usize..30_000,
            memory_bytes in prop_oneof![Just(0u64), Just(40_000), Just(1 << 30)],
            ranges in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 20),
        ) {
            let all: Vec<u32> = (0..len as u32).map(|number| number.wrapping_mul(0x9E37_79B9)).collect();
            let mut column = NumberColumn::new(memory_bytes);
            all.iter().for_each(|&number| column.push(number, "a number").unwrap());
            prop_assert!(memory_bytes > 0 || column.num_bytes() <= 2 * NUMBER * BLOCKS * BLOCK);
            for (a, b) in ranges {
                let (a, b) = (a.index(len + 1), b.index(len + 1));
                let range = a.min(b)..a.max(b);
                let mut numbers = vec![7];
                column.read(range.clone(), &mut numbers).unwrap();
                prop_assert_eq!(&numbers[1..], &all[range]);
            }
        }
    }

    #[test]
    fn a_damaged_block_is_an_error() {
        let mut column = NumberColumn::new(0);
        (0..4 * BLOCK as u32).for_each(|number| column.push(number, "a number").unwrap());
        column.spill.as_ref().unwrap().write(bytes_of::<u32>(BLOCK) + 9, &[0xFF]).unwrap();
        let mut numbers = Vec::new();
        assert!(column.read(0..BLOCK, &mut numbers).is_ok() && numbers.len() == BLOCK);
        let error = column.read(BLOCK..BLOCK + 1, &mut numbers).unwrap_err();
        assert!(error.to_string().contains("a number is damaged on the disk"), "{error}");
    }
}
