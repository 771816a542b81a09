//! The records that are sorted to find repeats.

use crate::base::storage::{SortRecord, halves};

/// Consecutive runs of a document around a common minimizer. 28 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Occurrence {
    /// The hash of the minimizer, high half first.
    gram: [u32; 2],
    /// Another hash, of all tokens of the span. Spans with the same two hashes are equal.
    hash: [u32; 2],
    pub(super) position: TokenPosition,
    pub(super) num_runs: u32,
}

/// A token of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TokenPosition {
    pub(crate) document: u32,
    /// The number of the token in the document, from 0.
    pub(crate) token: u32,
}

/// A span whose runs are compared one by one. 12 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DistinctSpan {
    pub(super) position: TokenPosition,
    pub(super) num_runs: u32,
}

/// A single run. 24 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SingleRun {
    /// The hash of its tokens, high part first.
    hash: [u32; 4],
    pub(super) position: TokenPosition,
}

/// Tokens that are cut. 20 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RepeatMark {
    /// The first token.
    pub(super) position: TokenPosition,
    /// The number of the token after the last one.
    pub(super) end: u32,
    /// The first occurrence of the tokens.
    pub(super) first: TokenPosition,
}

impl Occurrence {
    pub(super) fn new(gram: u64, hash: u64, position: TokenPosition, num_runs: u32) -> Self {
        Self { gram: halves(gram), hash: halves(hash), position, num_runs }
    }

    pub(super) fn gram(self) -> u64 {
        self.key()
    }

    /// Whether the spans are equal.
    pub(super) fn equals(self, other: Self) -> bool {
        (self.gram, self.hash) == (other.gram, other.hash)
    }
}

impl SingleRun {
    pub(super) fn new(hash: u128, position: TokenPosition) -> Self {
        let [[a, b], [c, d]] = [(hash >> 64) as u64, hash as u64].map(halves);
        Self { hash: [a, b, c, d], position }
    }

    /// Whether the runs are equal.
    pub(super) fn equals(self, other: Self) -> bool {
        self.hash == other.hash
    }
}

impl SortRecord for Occurrence {
    type Words = [u32; 7];

    fn words(self) -> [u32; 7] {
        let Self { gram, hash, position: TokenPosition { document, token }, num_runs } = self;
        [gram[0], gram[1], hash[0], hash[1], document, token, num_runs]
    }

    fn of_words([a, b, c, d, document, token, num_runs]: [u32; 7]) -> Self {
        Self { gram: [a, b], hash: [c, d], position: TokenPosition { document, token }, num_runs }
    }
}

impl SortRecord for DistinctSpan {
    type Words = [u32; 3];

    fn words(self) -> [u32; 3] {
        [self.position.document, self.position.token, self.num_runs]
    }

    fn of_words([document, token, num_runs]: [u32; 3]) -> Self {
        Self { position: TokenPosition { document, token }, num_runs }
    }

    // All spans of a document are in one partition.
    fn key(self) -> u64 {
        self.position.document.into()
    }
}

impl SortRecord for SingleRun {
    type Words = [u32; 6];

    fn words(self) -> [u32; 6] {
        let [a, b, c, d] = self.hash;
        [a, b, c, d, self.position.document, self.position.token]
    }

    fn of_words([a, b, c, d, document, token]: [u32; 6]) -> Self {
        Self { hash: [a, b, c, d], position: TokenPosition { document, token } }
    }
}

impl SortRecord for RepeatMark {
    type Words = [u32; 5];

    fn words(self) -> [u32; 5] {
        let Self { position, end, first } = self;
        [position.document, position.token, end, first.document, first.token]
    }

    fn of_words([document, token, end, first_document, first_token]: [u32; 5]) -> Self {
        let first = TokenPosition { document: first_document, token: first_token };
        Self { position: TokenPosition { document, token }, end, first }
    }

    // All marks of a document are in one partition.
    fn key(self) -> u64 {
        self.position.document.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        fn check<R: SortRecord + PartialEq + std::fmt::Debug>(record: R) {
            assert_eq!(R::of_words(record.words()), record);
        }
        let (position, first) = (TokenPosition { document: 7, token: 8 }, TokenPosition { document: 1, token: 2 });
        check(Occurrence::new(0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, position, 9));
        check(DistinctSpan { position, num_runs: 9 });
        check(SingleRun::new(0x0123_4567_89AB_CDEF_FEDC_BA98_7654_3210, position));
        check(RepeatMark { position, end: 12, first });
        assert_eq!(Occurrence::new(0x0123_4567_89AB_CDEF, 1, position, 9).gram(), 0x0123_4567_89AB_CDEF);
    }
}
