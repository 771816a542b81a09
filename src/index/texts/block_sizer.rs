//! `BlockSizer`: chooses the number of bytes of texts in the next block, so that blocks fill the pages of SQLite.
//!
//! SQLite writes new blocks to a page one after another. A block that does not fit in the rest of the page goes to a
//! new page, and the rest is wasted. Texts are never cut to fill a block, and the size of a block is only known after
//! compression. So the remaining blocks of a page share the rest of it. Several blocks are compressed at a time; blocks
//! that are not written yet count with their expected size.

use crate::index::blocks::sealed::SEAL;
use crate::index::database::file::PAGE_BYTES;

/// The minimum and maximum bytes of the texts of a block before compression.
const TEXTS: [usize; 2] = [2 << 10, 32 << 10];
/// The first estimate of the compression ratio: two fifths, as for most texts.
const FIRST_SHARE: f64 = 0.4;
/// The first estimate of the mean deviation from the compression ratio.
const FIRST_DEVIATION: f64 = 0.02;
/// The weight of the last block in these means: they adapt to another kind of texts within about eight blocks.
const NEWEST: f64 = 0.125;
/// The margin of the last block of a page, in mean deviations, since a block that does not fit wastes all of its place.
/// With a margin of 1.5, short records at two blocks per page need 2 % more disk space and web pages 0.3 % less;
/// sources, revisions and licences need the same.
const SPARE: f64 = 2.0;
/// Bytes of the header of a page, and bytes of a row in addition to its block: two for its offset in the page, two for
/// its length, seven for its number, five for its header.
const PAGE_HEADER: usize = 8;
const ROW_HEADER: usize = 16;
/// Bytes of a page that are available for rows.
const PAGE_ROOM: usize = PAGE_BYTES as usize - PAGE_HEADER;

/// The space left on the last page, and the compression of recent blocks.
pub(crate) struct BlockSizer {
    blocks_a_page: usize,
    /// Bytes left on the last page.
    left: usize,
    /// The mean compression ratio.
    share: f64,
    /// The mean deviation from the compression ratio, relative to it.
    deviation: f64,
}

impl BlockSizer {
    pub(crate) fn new(blocks_a_page: usize) -> Self {
        Self { blocks_a_page, left: PAGE_ROOM, share: FIRST_SHARE, deviation: FIRST_DEVIATION }
    }

    pub(crate) fn set_blocks_a_page(&mut self, blocks_a_page: usize) {
        self.blocks_a_page = blocks_a_page;
    }

    /// The number of bytes of texts for the next block.
    ///
    /// * `ahead`: the bytes of texts of each block that will be written before it.
    pub(crate) fn bytes(&self, ahead: impl ExactSizeIterator<Item = usize>) -> usize {
        let num_unknown = 1 + ahead.len().min(self.blocks_a_page - 1);
        let left = ahead.fold(self.left, |left, texts| left_behind(left, (texts as f64 * self.share) as usize));
        let of_page = left * self.blocks_a_page;
        let num_blocks = (of_page + PAGE_ROOM / 2) / PAGE_ROOM;
        // If the rest of the page is too small for a block, the block goes to a new page.
        let (left, num_blocks) = if num_blocks == 0 { (PAGE_ROOM, self.blocks_a_page) } else { (left, num_blocks) };
        let block = (left / num_blocks).saturating_sub(ROW_HEADER + SEAL) as f64;
        // The lengths of the blocks ahead are estimates. Their errors add up like independent errors.
        let spare = if num_blocks == 1 { SPARE * self.deviation * (num_unknown as f64).sqrt() } else { 0.0 };
        ((block * (1.0 - spare) / self.share) as usize).clamp(TEXTS[0], TEXTS[1])
    }

    /// Records that a block was written.
    ///
    /// * `texts`: the bytes of its texts before compression.
    /// * `payload`: the bytes of the block as stored, without the seal.
    pub(crate) fn wrote(&mut self, texts: usize, payload: usize) {
        // The last block of a batch may be too short for a good estimate.
        if texts >= TEXTS[0] {
            let share = payload as f64 / texts as f64;
            self.deviation += NEWEST * ((share / self.share - 1.0).abs().min(1.0) - self.deviation);
            self.share += NEWEST * (share - self.share);
        }
        self.left = left_behind(self.left, payload);
    }
}

/// The bytes left on the last page after a block is written.
///
/// * `left`: the bytes left on the last page before.
/// * `payload`: the bytes of the block, without the seal.
fn left_behind(left: usize, payload: usize) -> usize {
    let row = payload + SEAL + ROW_HEADER;
    // A block that does not fit goes to a new page; the rest of a larger block is written to separate overflow pages.
    left.checked_sub(row).unwrap_or(PAGE_ROOM.saturating_sub(row))
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use rand::rngs::ChaCha12Rng;
    use rand::{RngExt, SeedableRng};

    use super::super::text_writer::AHEAD;
    use super::*;

    /// The part of the pages that is filled with texts of some length, which are compressed to about a third.
    fn share_filled(blocks_a_page: usize, text: usize) -> f64 {
        let mut random = ChaCha12Rng::seed_from_u64(7);
        let mut room = BlockSizer::new(blocks_a_page);
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
        // Three texts fill a page with a part of a fourth one unused.
        assert!(share_filled(6, 15_000) > 0.88, "{}", share_filled(6, 15_000));
    }

    #[test]
    fn a_block_that_is_larger_than_a_page_leaves_a_new_one() {
        let mut room = BlockSizer::new(2);
        let bytes = |room: &BlockSizer| room.bytes([].into_iter());
        let first = bytes(&room);
        room.wrote(1 << 20, 1 << 19);
        assert!(bytes(&room) < first, "texts are compressed less well");
        room.wrote(10, 10);
        assert!((TEXTS[0]..=TEXTS[1]).contains(&bytes(&room)));
    }
}
