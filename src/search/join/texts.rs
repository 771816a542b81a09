//! `RankedTexts`: the distinct texts in order of size, each with its rank.

use crate::documents::document::DocId;

/// The texts in order of the sizes of their shingle sets, and in document order where sizes are equal; 20 bytes per
/// text. The size of a set is the total weight of its shingles, or their number where they have no weights.
///
/// The *rank* of a text is its position in this order. Of two texts, the one with the higher rank is at least as large.
pub(super) struct RankedTexts {
    /// The size and the first document of each text, by rank.
    texts: Vec<(u64, DocId)>,
    /// The ranks of the texts in document order.
    ranks: Vec<u32>,
    /// Each distinct size, with the lowest rank of a text of that size.
    starts: Vec<(u64, u32)>,
}

impl RankedTexts {
    /// * `firsts`: the first documents of the texts, ascending, each with its size.
    pub(super) fn new(firsts: &[(u64, DocId)]) -> Self {
        let mut texts = firsts.to_vec();
        texts.sort_unstable();
        let mut ranks = vec![0; texts.len()];
        let mut starts: Vec<(u64, u32)> = Vec::new();
        for (rank, &(size, document)) in (0..).zip(&texts) {
            let position =
                firsts.binary_search_by_key(&document, |&(_, document)| document).expect("it is one of them");
            ranks[position] = rank;
            if starts.last().is_none_or(|&(last, _)| last != size) {
                starts.push((size, rank));
            }
        }
        Self { texts, ranks, starts }
    }

    /// The number of texts.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The size of a text.
    #[inline]
    pub(super) fn size(&self, rank: u32) -> u64 {
        self.texts[rank as usize].0
    }

    /// The first document of a text.
    #[inline]
    pub(super) fn document(&self, rank: u32) -> DocId {
        self.texts[rank as usize].1
    }

    /// The ranks of all texts, in document order.
    pub(super) fn in_document_order(&self) -> &[u32] {
        &self.ranks
    }

    /// The first rank of a text of at least this size; the number of texts when there is none.
    #[inline]
    pub(super) fn first_of_size(&self, size: u64) -> u32 {
        let position = self.starts.partition_point(|&(other, _)| other < size);
        self.starts.get(position).map_or(self.texts.len() as u32, |&(_, rank)| rank)
    }

    /// The sizes, ascending.
    pub(super) fn sizes(&self) -> impl Iterator<Item = u64> + '_ {
        self.texts.iter().map(|&(size, _)| size)
    }

    /// The number of low bits to drop so that any size fits in 32 bits.
    pub(super) fn coarse_bits(&self) -> u32 {
        let most = self.texts.last().map_or(0, |&(size, _)| size);
        // One bit more is dropped, since sizes are rounded up.
        (u64::BITS - most.leading_zeros()).saturating_sub(u32::BITS - 1)
    }

    /// The number of bytes in memory.
    pub(super) fn num_bytes(&self) -> usize {
        size_of_val(self.texts.as_slice()) + size_of_val(self.ranks.as_slice()) + size_of_val(self.starts.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_in_order_of_sizes_and_then_of_documents() {
        let firsts = [(7, 1), (3, 2), (7, 4), (9, 6), (3, 7)].map(|(size, document)| (size, DocId::new(document)));
        let texts = RankedTexts::new(&firsts);
        let documents: Vec<usize> = (0..5).map(|rank| texts.document(rank).index()).collect();
        assert_eq!(documents, [2, 7, 1, 4, 6]);
        assert_eq!(texts.in_document_order(), [2, 0, 3, 4, 1]);
        assert_eq!((texts.coarse_bits(), RankedTexts::new(&[(1 << 40, DocId::new(0))]).coarse_bits()), (0, 10));
        let first: Vec<u32> = [0, 3, 4, 7, 8, 9, 10, u64::MAX].map(|size| texts.first_of_size(size)).into();
        assert_eq!(first, [0, 0, 2, 2, 4, 4, 5, 5]);
    }
}
