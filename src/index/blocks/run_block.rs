//! Blocks of sorted runs: 48-bit keys, each with the number of a document, in about six bytes per row.
//!
//! Rows are stored in groups of up to 128. A group has its first key in full, the other keys as differences, and the
//! numbers as offsets from the smallest number; both columns are packed with as many bits as the group needs.

use super::packing::{MOST_WIDTH, packed_len, push_packed, unpack, width_of};

/// A row of a run: a key, and the number of a document.
pub(crate) type RunRow = (u64, u32);

/// The number of bits of a key.
pub(crate) const KEY_BITS: u32 = 48;
/// The maximum bytes of a block, so that a row of SQLite fits in a page of 16 KiB.
pub(crate) const BLOCK_BYTES: usize = 16_300;
/// The maximum number of rows of a group.
const GROUP: usize = 128;
/// Bytes of a group before its columns: the first key, the number of rows, two widths, the smallest number.
const HEADER: usize = 13;

/// The key of a 64-bit hash: its highest bits.
pub(crate) fn key_of(hash: u64) -> u64 {
    hash >> (64 - KEY_BITS)
}

/// Packs sorted rows into blocks.
#[derive(Default)]
pub(crate) struct BlockPacker {
    /// The last block, which is not full yet.
    open: PackedBlock,
    group: Vec<RunRow>,
}

/// A packed block, with its first key.
#[derive(Default)]
pub(crate) struct PackedBlock {
    pub(crate) first_key: u64,
    pub(crate) num_rows: u64,
    pub(crate) bytes: Vec<u8>,
}

impl BlockPacker {
    /// Adds a row, which must be greater than the previous one; returns a block when it is full.
    pub(crate) fn push(&mut self, row: RunRow) -> Option<PackedBlock> {
        let full = if self.group.len() == GROUP { self.close_group() } else { None };
        self.group.push(row);
        full
    }

    /// Returns the last block, if there are rows left.
    ///
    /// Call it until it returns `None`: the last group may need a separate block.
    pub(crate) fn finish(&mut self) -> Option<PackedBlock> {
        if let Some(full) = if self.group.is_empty() { None } else { self.close_group() } {
            return Some(full);
        }
        (self.open.num_rows > 0).then(|| std::mem::take(&mut self.open))
    }

    fn close_group(&mut self) -> Option<PackedBlock> {
        let (first_key, _) = self.group[0];
        let base = self.group.iter().map(|&(_, number)| number).min().expect("a group has rows");
        let deltas = || self.group.windows(2).map(|rows| rows[1].0 - rows[0].0);
        let numbers = || self.group.iter().map(|&(_, number)| u64::from(number - base));
        let widths = [width_of(deltas().max().unwrap_or(0)), width_of(numbers().max().unwrap_or(0))];
        let len = HEADER + packed_len(self.group.len() - 1, widths[0]) + packed_len(self.group.len(), widths[1]);
        let open = &mut self.open;
        let full = (open.bytes.len() + len > BLOCK_BYTES).then(|| std::mem::take(open));
        if open.num_rows == 0 {
            open.first_key = first_key;
        }
        open.num_rows += self.group.len() as u64;
        open.bytes.extend_from_slice(&first_key.to_le_bytes()[..6]);
        open.bytes.extend_from_slice(&[self.group.len() as u8, widths[0] as u8, widths[1] as u8]);
        open.bytes.extend_from_slice(&base.to_le_bytes());
        push_packed(deltas(), widths[0], &mut open.bytes);
        push_packed(numbers(), widths[1], &mut open.bytes);
        self.group.clear();
        full
    }
}

/// A block for reading: it unpacks single groups, and caches the last one.
#[derive(Default)]
pub(crate) struct OpenBlock {
    bytes: Vec<u8>,
    /// The first key of each group, and the offset of the group.
    groups: Vec<(u64, usize)>,
    group: Option<usize>,
    rows: Vec<RunRow>,
}

impl OpenBlock {
    /// Loads another block; returns `None` when it is invalid.
    pub(crate) fn open(&mut self, block: &[u8]) -> Option<()> {
        self.bytes.clear();
        self.bytes.extend_from_slice(block);
        self.group = None;
        let is_sound = self.find_groups().is_some();
        if !is_sound {
            self.groups.clear();
        }
        is_sound.then_some(())
    }

    fn find_groups(&mut self) -> Option<()> {
        self.groups.clear();
        let mut at = 0;
        while at < self.bytes.len() {
            let header = Header::read(&self.bytes[at..])?;
            self.groups.push((header.first_key, at));
            at += header.len();
        }
        (at == self.bytes.len()).then_some(())
    }

    pub(crate) fn num_groups(&self) -> usize {
        self.groups.len()
    }

    /// The rows of a group; `None` when the group cannot be unpacked.
    pub(crate) fn rows_of(&mut self, group: usize) -> Option<&[RunRow]> {
        if self.group != Some(group) {
            self.group = None;
            unpack_group(&self.bytes[self.groups[group].1..], &mut self.rows)?;
            self.group = Some(group);
        }
        Some(&self.rows)
    }

    /// Passes on the number of each row with a key, ascending; `None` when a group cannot be unpacked.
    pub(crate) fn find(&mut self, key: u64, mut visit: impl FnMut(u32)) -> Option<()> {
        // The rows of a key may begin in the group before the first one that starts with this key.
        let first = self.groups.partition_point(|&(first_key, _)| first_key < key).saturating_sub(1);
        for group in first..self.groups.len() {
            if self.groups[group].0 > key {
                break;
            }
            let rows = self.rows_of(group)?;
            let start = rows.partition_point(|&(other, _)| other < key);
            rows[start..].iter().take_while(|&&(other, _)| other == key).for_each(|&(_, number)| visit(number));
        }
        Some(())
    }
}

struct Header {
    first_key: u64,
    num_rows: usize,
    widths: [u32; 2],
    base: u32,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let header = bytes.first_chunk::<HEADER>()?;
        let mut key = [0; 8];
        key[..6].copy_from_slice(&header[..6]);
        let read = Self {
            first_key: u64::from_le_bytes(key),
            num_rows: header[6] as usize,
            widths: [header[7].into(), header[8].into()],
            base: u32::from_le_bytes([header[9], header[10], header[11], header[12]]),
        };
        let is_sound =
            (1..=GROUP).contains(&read.num_rows) && read.widths[0] <= MOST_WIDTH && read.widths[1] <= u32::BITS;
        (is_sound && bytes.len() >= read.len()).then_some(read)
    }

    fn len(&self) -> usize {
        HEADER + packed_len(self.num_rows - 1, self.widths[0]) + packed_len(self.num_rows, self.widths[1])
    }
}

/// Unpacks a group into `rows`; returns `None` when the group is invalid.
fn unpack_group(group: &[u8], rows: &mut Vec<RunRow>) -> Option<()> {
    rows.clear();
    let header = Header::read(group)?;
    let (deltas, numbers) = group[HEADER..].split_at_checked(packed_len(header.num_rows - 1, header.widths[0]))?;
    let mut key = header.first_key;
    rows.push((key, 0));
    unpack(deltas, header.num_rows - 1, header.widths[0], |delta| {
        key = key.wrapping_add(delta);
        rows.push((key, 0));
    })?;
    let mut at = 0;
    unpack(numbers, header.num_rows, header.widths[1], |number| {
        rows[at].1 = header.base.wrapping_add(number as u32);
        at += 1;
    })?;
    (key >> KEY_BITS == 0).then_some(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) fn packed(rows: &[RunRow]) -> Vec<PackedBlock> {
        let mut packer = BlockPacker::default();
        let mut blocks: Vec<PackedBlock> = rows.iter().filter_map(|&row| packer.push(row)).collect();
        blocks.extend(std::iter::from_fn(|| packer.finish()));
        blocks
    }

    proptest! {
        #[test]
        fn rows_come_back(
            keys in prop::collection::vec((0u64..1 << 48, any::<u32>()), 0..9000),
            shift in prop_oneof![Just(0u32), Just(40u32), Just(47u32)],
        ) {
            let mut rows: Vec<RunRow> = keys.into_iter().map(|(key, number)| (key >> shift, number)).collect();
            rows.sort_unstable();
            rows.dedup();
            let (mut unpacked, mut open) = (Vec::new(), OpenBlock::default());
            for block in packed(&rows) {
                prop_assert!(block.bytes.len() <= BLOCK_BYTES);
                prop_assert!(open.open(&block.bytes).is_some());
                prop_assert_eq!(open.groups[0], (block.first_key, 0));
                for group in 0..open.num_groups() {
                    let first_key = open.groups[group].0;
                    let rows = open.rows_of(group);
                    prop_assert_eq!(rows.map(|rows| rows[0].0), Some(first_key));
                    unpacked.extend_from_slice(rows.unwrap_or_default());
                }
            }
            prop_assert_eq!(unpacked, rows);
        }

        #[test]
        fn any_bytes_are_a_block_or_none(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let mut block = OpenBlock::default();
            if block.open(&bytes).is_some() {
                for group in 0..block.num_groups() {
                    let _ = block.rows_of(group);
                }
                let _ = block.find(7, |_| ());
            }
        }
    }

    #[test]
    fn a_row_of_many_random_keys_takes_less_than_seven_bytes() {
        // The keys of 100,000 documents with 20 bands.
        let mut rows: Vec<RunRow> = (0..2_000_000u64)
            .map(|number| (key_of(number.wrapping_mul(0x9E37_79B9_7F4A_7C15)), number as u32 / 20))
            .collect();
        rows.sort_unstable();
        let bytes: usize = packed(&rows).iter().map(|block| block.bytes.len()).sum();
        assert!(bytes < 7 * rows.len(), "{} bytes a row", bytes as f64 / rows.len() as f64);
    }
}
