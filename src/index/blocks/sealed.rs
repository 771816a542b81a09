//! Sealed blocks: the contents of an index row with a checksum that also covers the row's table and number.
//!
//! SQLite has no checksums. The seal detects a block that was changed, cut, or replaced by another block before its
//! contents are used.

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The tables of an index. All have the same columns: a row number and a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexTable {
    /// The settings, the state, the templates and the dictionaries.
    Meta,
    /// The first key of each block of a run.
    Fences,
    /// The blocks of sorted runs.
    Runs,
    /// The texts.
    Texts,
    /// The rows of documents.
    Docs,
    /// The marks of removed documents and erased texts.
    Dead,
}

impl IndexTable {
    pub(crate) const ALL: [Self; 6] = [Self::Meta, Self::Fences, Self::Runs, Self::Texts, Self::Docs, Self::Dead];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Fences => "fences",
            Self::Runs => "runs",
            Self::Texts => "texts",
            Self::Docs => "docs",
            Self::Dead => "dead",
        }
    }

    /// The SQL statement that creates the table.
    pub(crate) fn schema(self) -> String {
        format!("CREATE TABLE {}(at INTEGER PRIMARY KEY, block BLOB NOT NULL)", self.name())
    }
}

/// Bytes of a seal.
pub(crate) const SEAL: usize = 10;
/// The version of the block format.
const VERSION: u8 = 1;

/// Makes a block from a payload.
pub(crate) fn sealed(table: IndexTable, at: i64, payload: &[u8]) -> Vec<u8> {
    let mut block = Vec::with_capacity(SEAL + payload.len());
    block.extend_from_slice(&[VERSION, table as u8]);
    block.extend_from_slice(&checksum(table, at, payload).to_le_bytes());
    block.extend_from_slice(payload);
    block
}

/// The payload of a block; `None` when the block is not the one that was written there.
pub(crate) fn unsealed(table: IndexTable, at: i64, block: &[u8]) -> Option<&[u8]> {
    let (seal, payload) = block.split_first_chunk::<SEAL>()?;
    let [version, kind, sum @ ..] = *seal;
    let is_own = version == VERSION && kind == table as u8 && sum == checksum(table, at, payload).to_le_bytes();
    is_own.then_some(payload)
}

fn checksum(table: IndexTable, at: i64, payload: &[u8]) -> u64 {
    // The row number is spread over all bits, so that adjacent numbers differ in many bits.
    xxh3_64_with_seed(payload, (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (table as u64) << 56)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_its_own_at_its_place_alone() {
        let block = sealed(IndexTable::Runs, 7, b"payload");
        assert_eq!(unsealed(IndexTable::Runs, 7, &block), Some(&b"payload"[..]));
        assert_eq!((unsealed(IndexTable::Runs, 8, &block), unsealed(IndexTable::Texts, 7, &block)), (None, None));
        for len in 0..block.len() {
            assert_eq!(unsealed(IndexTable::Runs, 7, &block[..len]), None);
        }
        for bit in 0..8 * block.len() {
            let mut changed = block.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(unsealed(IndexTable::Runs, 7, &changed), None, "bit {bit}");
        }
        assert_eq!(sealed(IndexTable::Meta, 1, b""), [1, 0, 139, 44, 102, 214, 44, 14, 43, 96], "pinned");
    }
}
