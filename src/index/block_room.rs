//! `BlockRoom`: decides how many bytes of texts the next block takes, so that blocks fill the pages of SQLite.
//!
//! SQLite puts new blocks on a page one behind another. A block that does not fit the rest of the page goes to a new one, and the rest
//! is wasted. No text is cut to fill a block, and its size is known only after compression. So the blocks that are still to come on a
//! page share what is left of it. Several blocks are compressed at a time: those that are not written yet count as what they are
//! expected to take.

use super::file::PAGE_BYTES;
use super::sealed::SEAL;

/// Least and most bytes of texts in a block before they are compressed.
const TEXTS: [usize; 2] = [2 << 10, 32 << 10];
/// What texts are compressed to at first: two fifths, as most are.
const FIRST_SHARE: f64 = 0.4;
/// By how much blocks are compressed better or worse than the mean, at first.
const FIRST_DEVIATION: f64 = 0.02;
/// What the last block counts in these means: they follow new kinds of texts within about eight blocks.
const NEWEST: f64 = 0.125;
/// Mean deviations by which the last block of a page is smaller than its place, since one that does not fit wastes all of it. Of short
/// records, two blocks a page, 1.5 takes 2 % more room, and of web pages 0.3 % less; sources, revisions and licences are the same.
const SPARE: f64 = 2.0;
/// Bytes of a page that are not for rows, and bytes of a row beside its block: two of its place in the page, two of its length, seven of
/// its number, five of its header.
const PAGE_HEADER: usize = 8;
const ROW_HEADER: usize = 16;
/// Bytes of rows that a page holds.
const PAGE_ROOM: usize = PAGE_BYTES as usize - PAGE_HEADER;

/// The room of blocks of texts.
pub(super) struct BlockRoom {
    blocks_a_page: usize,
    /// Bytes that are left of the last page.
    left: usize,
    /// Mean share that texts are compressed to.
    share: f64,
    /// Mean deviation from it, as a share of it.
    deviation: f64,
}

impl BlockRoom {
    pub(super) fn new(blocks_a_page: usize) -> Self {
        Self { blocks_a_page, left: PAGE_ROOM, share: FIRST_SHARE, deviation: FIRST_DEVIATION }
    }

    pub(super) fn set_blocks_a_page(&mut self, blocks_a_page: usize) {
        self.blocks_a_page = blocks_a_page;
    }

    /// Bytes of texts of the next block.
    ///
    /// * `ahead`: the same of each block that is to be written before it.
    pub(super) fn bytes(&self, ahead: impl ExactSizeIterator<Item = usize>) -> usize {
        let num_unknown = 1 + ahead.len().min(self.blocks_a_page - 1);
        let left = ahead.fold(self.left, |left, texts| left_behind(left, (texts as f64 * self.share) as usize));
        let of_page = left * self.blocks_a_page;
        let num_blocks = (of_page + PAGE_ROOM / 2) / PAGE_ROOM;
        // What is left is too little for a block, which comes to a new page.
        let (left, num_blocks) = if num_blocks == 0 { (PAGE_ROOM, self.blocks_a_page) } else { (left, num_blocks) };
        let block = (left / num_blocks).saturating_sub(ROW_HEADER + SEAL) as f64;
        // The lengths of those ahead are expected ones. Their errors add up as those of independent ones do.
        let spare = if num_blocks == 1 { SPARE * self.deviation * (num_unknown as f64).sqrt() } else { 0.0 };
        ((block * (1.0 - spare) / self.share) as usize).clamp(TEXTS[0], TEXTS[1])
    }

    /// Notes a block that was written.
    ///
    /// * `texts`: its bytes before they were compressed.
    /// * `payload`: its bytes as they are stored, without the seal.
    pub(super) fn wrote(&mut self, texts: usize, payload: usize) {
        // The last block of a batch may be too short to tell anything.
        if texts >= TEXTS[0] {
            let share = payload as f64 / texts as f64;
            self.deviation += NEWEST * ((share / self.share - 1.0).abs().min(1.0) - self.deviation);
            self.share += NEWEST * (share - self.share);
        }
        self.left = left_behind(self.left, payload);
    }
}

/// Bytes that are left of the page that a block comes to.
///
/// * `left`: of the last page.
/// * `payload`: bytes of the block, without the seal.
fn left_behind(left: usize, payload: usize) -> usize {
    let row = payload + SEAL + ROW_HEADER;
    // One that does not fit comes to a new page; the rest of a block that is larger has pages of its own.
    left.checked_sub(row).unwrap_or(PAGE_ROOM.saturating_sub(row))
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use rand::rngs::ChaCha12Rng;
    use rand::{RngExt, SeedableRng};

    use super::super::text_writer::AHEAD;
    use super::*;

    /// The share of pages that texts of some length fill, which are compressed to a third, more or less.
    fn share_filled(blocks_a_page: usize, text: usize) -> f64 {
        let mut random = ChaCha12Rng::seed_from_u64(7);
        let mut room = BlockRoom::new(blocks_a_page);
        let mut ahead: VecDeque<(usize, usize)> = VecDeque::new();
        let (mut filled, mut num_pages, mut left) = (0, 0, 0);
        for _ in 0..2_000 {
            let texts = (room.bytes(ahead.iter().map(|&(texts, _)| texts)) / text).max(1) * text;
            ahead.push_back((texts, (texts as f64 * random.random_range(0.32..0.34)) as usize));
            if ahead.len() <= AHEAD {
                continue;
            }
            let (texts, payload) = ahead.pop_front().unwrap();
            room.wrote(texts, payload);
            let row = payload + SEAL + ROW_HEADER;
            if row > left {
                (num_pages, left) = (num_pages + 1, PAGE_ROOM);
            }
            (filled, left) = (filled + row, left - row);
        }
        filled as f64 / (num_pages * PAGE_ROOM) as f64
    }

    #[test]
    fn blocks_fill_pages_whatever_the_length_of_their_texts() {
        assert!(share_filled(6, 485) > 0.97, "{}", share_filled(6, 485));
        assert!(share_filled(2, 485) > 0.955, "{}", share_filled(2, 485));
        assert!(share_filled(2, 3_000) > 0.95, "{}", share_filled(2, 3_000));
        // Three of them make a page, and a part of a fourth one is left.
        assert!(share_filled(6, 15_000) > 0.88, "{}", share_filled(6, 15_000));
    }

    #[test]
    fn a_block_that_is_larger_than_a_page_leaves_a_new_one() {
        let mut room = BlockRoom::new(2);
        let bytes = |room: &BlockRoom| room.bytes([].into_iter());
        let first = bytes(&room);
        room.wrote(1 << 20, 1 << 19);
        assert!(bytes(&room) < first, "texts are compressed less well");
        room.wrote(10, 10);
        assert!((TEXTS[0]..=TEXTS[1]).contains(&bytes(&room)));
    }
}
