//! `Chunks`: cuts a shingle set into runs of hashes that are compared as a whole.
//!
//! Near-duplicates, and unrelated documents with the same boilerplate, share long runs of hashes in the same order. A
//! chunk ends after each hash whose lowest bits are 0, so a shared passage is cut in the same way in every document
//! that contains it (Muthitacharoen, Chen and Mazières 2001, on files). The hashes of a set are distinct. A chunk that
//! two sets have in common therefore holds only shared hashes, and none of them occurs anywhere else in either set.
//! Such chunks are counted without comparing their hashes: a sixteenth of the comparisons and of the memory traffic.

use xxhash_rust::xxh3::xxh3_64;

/// Average number of hashes in a chunk.
const MEAN_LEN: u64 = 16;
/// Maximum number of hashes in a chunk, so that no chunk outgrows its buffer.
const MAX_LEN: usize = 128;

/// The chunks of a list of distinct hashes, in the order of the list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunks<'a> {
    ids: &'a [u64],
    ends: &'a [u64],
}

impl<'a> Chunks<'a> {
    /// Appends the chunks of `hashes` to `words`: first all ids, then all ends. About one byte per hash.
    pub(super) fn append(hashes: &[u64], words: &mut Vec<u64>) {
        let expected = hashes.len() / MEAN_LEN as usize * 5 / 4 + 4;
        words.reserve(2 * expected);
        let mut ends = Vec::with_capacity(expected);
        let mut bytes = [[0; 8]; MAX_LEN];
        let mut start = 0;
        while start < hashes.len() {
            let rest = &hashes[start..hashes.len().min(start + MAX_LEN)];
            let len = rest.iter().position(|hash| hash % MEAN_LEN == 0).map_or(rest.len(), |last| last + 1);
            for (bytes, hash) in bytes.iter_mut().zip(&rest[..len]) {
                *bytes = hash.to_le_bytes();
            }
            start += len;
            words.push(xxh3_64(bytes[..len].as_flattened()));
            ends.push(start as u64);
        }
        words.extend_from_slice(&ends);
    }

    /// Reads the chunks that [`append`](Self::append) wrote.
    pub(super) fn from_words(words: &'a [u64]) -> Self {
        let (ids, ends) = words.split_at(words.len() / 2);
        Self { ids, ends }
    }

    /// A 64-bit hash of each chunk's content. Chunks with equal ids count as equal: the probability of an error is as
    /// for shingle hashes, with a sixteenth of the items.
    pub(super) fn ids(&self) -> &'a [u64] {
        self.ids
    }

    /// Position of a chunk's first hash in the list; the length of the list for the number after the last chunk.
    pub(super) fn start(&self, chunk: usize) -> usize {
        chunk.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(hashes: &[u64]) -> Vec<u64> {
        let mut words = Vec::new();
        Chunks::append(hashes, &mut words);
        words
    }

    proptest! {
        #[test]
        fn chunks_cover_the_list_and_end_at_the_cuts(
            hashes in prop::collection::vec((1u64..40).prop_map(|hash| hash * 5), 0..400),
        ) {
            let words = words(&hashes);
            let chunks = Chunks::from_words(&words);
            let mut start = 0;
            for (chunk, &id) in chunks.ids().iter().enumerate() {
                prop_assert_eq!(chunks.start(chunk), start);
                let end = chunks.start(chunk + 1);
                let (last, inner) = hashes[start..end].split_last().unwrap();
                prop_assert!(inner.iter().all(|hash| hash % 16 != 0) && inner.len() < MAX_LEN);
                prop_assert!(last % 16 == 0 || inner.len() + 1 == MAX_LEN || end == hashes.len());
                let bytes: Vec<u8> = hashes[start..end].iter().flat_map(|hash| hash.to_le_bytes()).collect();
                prop_assert_eq!(id, xxh3_64(&bytes));
                start = end;
            }
            prop_assert_eq!(start, hashes.len());
        }
    }

    #[test]
    fn a_shared_passage_has_the_same_chunks_wherever_it_stands() {
        let hash = |i: u64| xxh3_64(&i.to_le_bytes());
        let passage: Vec<u64> = (0..1000).map(hash).collect();
        let moved: Vec<u64> = (5000..5123).map(hash).chain(passage.iter().copied()).collect();
        let (here, there) = (words(&passage), words(&moved));
        let (here, there) = (Chunks::from_words(&here), Chunks::from_words(&there));
        let shared = here.ids().iter().filter(|id| there.ids().contains(id)).count();
        assert!(here.ids().len() > 40 && shared + 1 >= here.ids().len(), "{shared} of {}", here.ids().len());
    }
}
