//! Chunks of a text's stream of shingles: runs that are cut where the content says so, wherever they stand.
//!
//! A chunk ends with a shingle whose lowest bits are 0, so a passage is cut in the same places in every text that has it
//! (Muthitacharoen, Chen and Mazières 2001). A chunk's id depends on the shingles in it and on nothing else.

/// Shingles of a chunk, on average.
const MEAN_LEN: u64 = 32;
/// A chunk of this many ends where it stands.
const MAX_LEN: usize = 256;

/// Cuts one stream after another.
#[derive(Debug, Default)]
pub(super) struct Chunker {
    /// What has no end yet.
    open: Vec<u64>,
}

impl Chunker {
    /// Passes on the chunks that end in this block of the stream, with their ids.
    ///
    /// Two chunks of different sets have one id with the chance that two shingles have one hash.
    pub(super) fn cut(&mut self, block: &[u64], visit: &mut dyn FnMut(u64, &[u64])) {
        let mut rest = block;
        while !rest.is_empty() {
            let most = &rest[..rest.len().min(MAX_LEN - self.open.len())];
            let end = most.iter().position(|hash| hash % MEAN_LEN == 0);
            let (chunk, is_whole) = match end {
                Some(last) => (&rest[..=last], true),
                None => (most, self.open.len() + most.len() == MAX_LEN),
            };
            rest = &rest[chunk.len()..];
            if !is_whole || !self.open.is_empty() {
                self.open.extend_from_slice(chunk);
                if is_whole {
                    self.end(visit);
                }
            } else {
                visit(id(chunk), chunk);
            }
        }
    }

    /// Passes on the last chunk of the stream; the next one begins.
    pub(super) fn end(&mut self, visit: &mut dyn FnMut(u64, &[u64])) {
        if !self.open.is_empty() {
            visit(id(&self.open), &self.open);
            self.open.clear();
        }
    }
}

/// The sum of the shingles, which are hashes, and of a constant for each: its order does not matter to a set.
fn id(chunk: &[u64]) -> u64 {
    chunk.iter().fold(0, |sum: u64, &hash| sum.wrapping_add(hash ^ 0x9E37_79B9_7F4A_7C15))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn chunks_cover_the_stream_and_end_at_the_cuts_however_it_comes(
            hashes in prop::collection::vec((1u64..80).prop_map(|hash| hash * 8), 0..900),
            cut in 1usize..200,
        ) {
            let mut chunker = Chunker::default();
            for _ in 0..2 {
                let mut chunks: Vec<(u64, Vec<u64>)> = Vec::new();
                hashes.chunks(cut).for_each(|block| chunker.cut(block, &mut |id, chunk| chunks.push((id, chunk.into()))));
                chunker.end(&mut |id, chunk| chunks.push((id, chunk.into())));
                let all: Vec<u64> = chunks.iter().flat_map(|(_, chunk)| chunk.iter().copied()).collect();
                prop_assert_eq!(&all, &hashes);
                for (number, (chunk_id, chunk)) in chunks.iter().enumerate() {
                    prop_assert_eq!(*chunk_id, id(chunk));
                    let (last, inner) = chunk.split_last().unwrap();
                    prop_assert!(inner.iter().all(|hash| hash % MEAN_LEN != 0) && chunk.len() <= MAX_LEN);
                    prop_assert!(last % MEAN_LEN == 0 || chunk.len() == MAX_LEN || number + 1 == chunks.len());
                }
            }
        }
    }

    #[test]
    fn a_shared_passage_has_the_same_chunks_wherever_it_stands() {
        let hash = |i: u64| xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes());
        let ids = |shingles: &[u64]| {
            let mut ids = Vec::new();
            let mut chunker = Chunker::default();
            chunker.cut(shingles, &mut |id, _| ids.push(id));
            chunker.end(&mut |id, _| ids.push(id));
            ids
        };
        let passage: Vec<u64> = (0..3000).map(hash).collect();
        let moved: Vec<u64> = (5000..5123).map(hash).chain(passage.iter().copied()).collect();
        let (here, there) = (ids(&passage), ids(&moved));
        let shared = here.iter().filter(|id| there.contains(id)).count();
        assert!(here.len() > 60 && shared + 1 >= here.len(), "{shared} of {}", here.len());
    }
}
