//! The records that are sorted to find repeats.

use crate::base::storage::SortRecord;

/// Consecutive runs of a document around a common minimizer. 28 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Occurrence {
    /// The hash of the minimizer, high half first.
    gram: [u32; 2],
    /// Another hash, of all tokens of the stretch. Stretches with the same two hashes are equal.
    hash: [u32; 2],
    pub(super) place: TokenPlace,
    pub(super) num_runs: u32,
}

/// A token of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TokenPlace {
    pub(crate) document: u32,
    /// The number of the token in the document, from 0.
    pub(crate) token: u32,
}

/// A stretch whose runs are compared one by one. 12 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DistinctStretch {
    pub(super) place: TokenPlace,
    pub(super) num_runs: u32,
}

/// A single run. 24 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SingleRun {
    /// The hash of its tokens, high part first.
    hash: [u32; 4],
    pub(super) place: TokenPlace,
}

/// Tokens that are cut. 20 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RepeatMark {
    /// The first token.
    pub(super) place: TokenPlace,
    /// The number of the token after the last one.
    pub(super) end: u32,
    /// The first occurrence of the tokens.
    pub(super) first: TokenPlace,
}

impl Occurrence {
    pub(super) fn new(gram: u64, hash: u64, place: TokenPlace, num_runs: u32) -> Self {
        Self { gram: halves(gram), hash: halves(hash), place, num_runs }
    }

    pub(super) fn gram(self) -> u64 {
        self.key()
    }

    /// Whether the stretches are equal.
    pub(super) fn equals(self, other: Self) -> bool {
        (self.gram, self.hash) == (other.gram, other.hash)
    }
}

impl SingleRun {
    pub(super) fn new(hash: u128, place: TokenPlace) -> Self {
        let [[a, b], [c, d]] = [(hash >> 64) as u64, hash as u64].map(halves);
        Self { hash: [a, b, c, d], place }
    }

    /// Whether the runs are equal.
    pub(super) fn equals(self, other: Self) -> bool {
        self.hash == other.hash
    }
}

fn halves(hash: u64) -> [u32; 2] {
    [(hash >> 32) as u32, hash as u32]
}

fn whole([high, low]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn write<const N: usize>(numbers: [u32; N], bytes: &mut Vec<u8>) {
    numbers.iter().for_each(|number| bytes.extend_from_slice(&number.to_le_bytes()));
}

fn read<const N: usize>(bytes: &[u8]) -> [u32; N] {
    let mut numbers = bytes.chunks_exact(4).map(|part| u32::from_le_bytes([part[0], part[1], part[2], part[3]]));
    std::array::from_fn(|_| numbers.next().expect("a whole record"))
}

impl SortRecord for Occurrence {
    const BYTES: usize = 28;

    fn key(self) -> u64 {
        whole(self.gram)
    }

    fn write(self, bytes: &mut Vec<u8>) {
        let Self { gram, hash, place: TokenPlace { document, token }, num_runs } = self;
        write([gram[0], gram[1], hash[0], hash[1], document, token, num_runs], bytes);
    }

    fn read(bytes: &[u8]) -> Self {
        let [a, b, c, d, document, token, num_runs] = read(bytes);
        Self { gram: [a, b], hash: [c, d], place: TokenPlace { document, token }, num_runs }
    }
}

impl SortRecord for DistinctStretch {
    const BYTES: usize = 12;

    fn key(self) -> u64 {
        self.place.document.into()
    }

    fn write(self, bytes: &mut Vec<u8>) {
        write([self.place.document, self.place.token, self.num_runs], bytes);
    }

    fn read(bytes: &[u8]) -> Self {
        let [document, token, num_runs] = read(bytes);
        Self { place: TokenPlace { document, token }, num_runs }
    }
}

impl SortRecord for SingleRun {
    const BYTES: usize = 24;

    fn key(self) -> u64 {
        whole([self.hash[0], self.hash[1]])
    }

    fn write(self, bytes: &mut Vec<u8>) {
        let [a, b, c, d] = self.hash;
        write([a, b, c, d, self.place.document, self.place.token], bytes);
    }

    fn read(bytes: &[u8]) -> Self {
        let [a, b, c, d, document, token] = read(bytes);
        Self { hash: [a, b, c, d], place: TokenPlace { document, token } }
    }
}

impl SortRecord for RepeatMark {
    const BYTES: usize = 20;

    fn key(self) -> u64 {
        self.place.document.into()
    }

    fn write(self, bytes: &mut Vec<u8>) {
        let Self { place, end, first } = self;
        write([place.document, place.token, end, first.document, first.token], bytes);
    }

    fn read(bytes: &[u8]) -> Self {
        let [document, token, end, first_document, first_token] = read(bytes);
        let first = TokenPlace { document: first_document, token: first_token };
        Self { place: TokenPlace { document, token }, end, first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        fn check<R: SortRecord + PartialEq + std::fmt::Debug>(record: R) {
            let mut bytes = Vec::new();
            record.write(&mut bytes);
            assert_eq!((bytes.len(), R::read(&bytes)), (R::BYTES, record));
        }
        let (place, first) = (TokenPlace { document: 7, token: 8 }, TokenPlace { document: 1, token: 2 });
        check(Occurrence::new(0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, place, 9));
        check(DistinctStretch { place, num_runs: 9 });
        check(SingleRun::new(0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210, place));
        check(RepeatMark { place, end: 12, first });
        assert_eq!(Occurrence::new(0x0123_4567_89AB_CDEF, 1, place, 9).gram(), 0x0123_4567_89AB_CDEF);
    }
}
