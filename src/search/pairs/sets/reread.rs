//! `RereadSets`: a source of shingle sets that reads each document a second time and makes its set again.
//!
//! Most sets keep their shingles in text order, and are compared by means of a hash index. A set of millions of
//! shingles is sorted instead, since such an index would be larger than any cache. A set that exceeds the memory for
//! one set is not kept at all: it is made slice by slice whenever it is counted.

use super::loaded::{LoadedDocument, LoadedShingles, SlicedSet};
use super::source::{SetSource, Slice, SlicedHashes};
use crate::base::flat::radix_sort::sort_by_hash;
use crate::base::problem::Problem;
use crate::compare::verify::VerifiableSet;
use crate::documents::document::{DocId, Documents};
use crate::search::corpus::{ReadCorpus, Rereader, Tools};
use crate::text::shingle::ShingleHashes;

/// The number of shingles from which on a set is sorted instead of indexed: the set and its index would be larger than
/// any cache.
const SORTED_FROM: usize = 1 << 23;

/// Makes the sets of documents by reading them again.
pub(crate) struct RereadSets<'a> {
    rereader: Rereader<'a>,
    documents: &'a Documents,
    signature_bytes: usize,
    /// The maximum number of distinct shingles of a set that is not sliced.
    most_shingles: usize,
    has_weights: bool,
}

impl<'a> RereadSets<'a> {
    pub(crate) fn new(corpus: ReadCorpus<'a>) -> Self {
        let settings = corpus.settings;
        Self {
            rereader: corpus.rereader(),
            documents: corpus.documents,
            signature_bytes: 4 * settings.banding.num_hashes(),
            most_shingles: settings.memory().set_shingles(),
            has_weights: settings.weights.is_some(),
        }
    }

    /// Returns a problem for each document that could not be read again, in document order.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.rereader.into_problems()
    }
}

impl SetSource for RereadSets<'_> {
    fn load(&self, document: DocId) -> Option<LoadedDocument> {
        let (shingles, removed) =
            self.rereader.read_again(document, &mut |text, tools| set_of(tools, text, self.most_shingles))?;
        Some(LoadedDocument::new(document, shingles, removed, self.signature_bytes))
    }

    fn most_bytes(&self, document: DocId) -> u64 {
        let num_shingles = (self.documents.num_shingles(document) as usize).min(self.most_shingles);
        LoadedDocument::most_bytes(num_shingles, self.signature_bytes, self.has_weights)
    }

    fn signature(&self, document: &LoadedDocument) -> Option<Box<[u32]>> {
        match (document.whole_set(), document.sorted_hashes()) {
            (Some(whole), _) => Some(self.rereader.sign(whole.set().hashes(), whole.weights())),
            (None, Some(sorted)) => Some(self.rereader.sign(sorted, &[])),
            (None, None) => self.rereader.read_again(document.document, &mut |text, tools| tools.signature_of(text)),
        }
    }

    /// Sorts the hashes, since sorting accesses memory in order, which for this many hashes is several times faster
    /// than an index.
    fn slice(&self, document: DocId, slice: Slice) -> Option<SlicedHashes<'static>> {
        if self.has_weights {
            return self.weighted_slice(document, slice);
        }
        let hashes = self.rereader.read_again(document, &mut |text, tools| {
            let mut sorted = SortedHashes::new(slice.bits, self.most_shingles);
            tools.remaining(text).for_each_block(&mut |block| {
                sorted.extend(block.iter().copied().filter(|&hash| slice.contains(hash)));
            });
            sorted.finish()
        })?;
        Some(SlicedHashes { hashes: hashes.into(), weights: Vec::new() })
    }
}

impl RereadSets<'_> {
    /// A slice of a set with weights.
    fn weighted_slice(&self, document: DocId, slice: Slice) -> Option<SlicedHashes<'static>> {
        let shingles = self.rereader.read_again(document, &mut |text, tools| {
            let mut shingles: Vec<(u64, u32)> = Vec::new();
            let make_distinct = |shingles: &mut Vec<(u64, u32)>| {
                shingles.sort_unstable();
                shingles.dedup();
            };
            let mut compact_at = self.most_shingles;
            tools.for_each_weighted(text, &mut |_| {}, &mut |hashes, weights| {
                let all = hashes.iter().copied().zip(weights.iter().copied());
                shingles.extend(all.filter(|&(hash, _)| slice.contains(hash)));
                if shingles.len() > compact_at {
                    make_distinct(&mut shingles);
                    compact_at = self.most_shingles.max(2 * shingles.len());
                }
            });
            make_distinct(&mut shingles);
            shingles
        })?;
        let (hashes, weights): (Vec<u64>, _) = shingles.into_iter().unzip();
        Some(SlicedHashes { hashes: hashes.into(), weights })
    }
}

/// The set of a text's shingles that are not removed, sliced when there are more than `most`, and the removed shingles.
fn set_of(tools: &mut Tools, text: &[u8], most: usize) -> (LoadedShingles, Box<[u64]>) {
    let mut removed = Vec::new();
    let mut compact_at = 1 << 16;
    let mut remove = |hash| {
        removed.push(hash);
        if removed.len() > compact_at {
            sort_distinct(&mut removed);
            compact_at = compact_at.max(2 * removed.len());
        }
    };
    let (expected, has_weights) = (tools.shingler.expected(text), tools.has_weights());
    if expected >= SORTED_FROM && !has_weights {
        let shingles = sorted_set(tools, text, most, expected, &mut remove);
        sort_distinct(&mut removed);
        return (shingles, removed.into());
    }
    let (mut num_hashes, mut hashes_at_most) = (0, 0);
    let (mut builder, mut weights) = (std::mem::take(&mut tools.builder), Vec::new());
    builder.expect(expected.min(most));
    if has_weights {
        tools.for_each_weighted(text, &mut remove, &mut |block, of_block| {
            num_hashes += block.len();
            if builder.len() <= most {
                builder.extend_weighted(block, of_block, &mut weights);
                hashes_at_most = num_hashes;
            }
        });
    } else {
        tools.remaining(text).for_each_block_and(&mut remove, &mut |block| {
            num_hashes += block.len();
            if builder.len() <= most {
                builder.extend(block);
                hashes_at_most = num_hashes;
            }
        });
    }
    let set = builder.take();
    tools.builder = builder;
    sort_distinct(&mut removed);
    let removed = removed.into();
    if set.len() <= most {
        let set = if has_weights { VerifiableSet::weighted(set, weights.into()) } else { VerifiableSet::new(set) };
        return (LoadedShingles::Whole(set), removed);
    }
    // If the later hashes repeat as often as the first ones, each of this many slices has about `most` distinct hashes.
    (LoadedShingles::Sliced(SlicedSet::new(num_hashes.div_ceil(hashes_at_most), has_weights)), removed)
}

/// The set of a long text in sorted order, or only the number of its slices when it has more than `most` distinct
/// shingles.
///
/// Sorting reads and writes memory in order. In an index of this size, almost every look-up misses the processor's
/// caches, so it would need several times as long.
fn sorted_set(
    tools: &mut Tools,
    text: &[u8],
    most: usize,
    expected: usize,
    remove: &mut dyn FnMut(u64),
) -> LoadedShingles {
    let mut sorted = SortedHashes::new(0, most);
    sorted.hashes.reserve_exact(expected.min(most));
    let (mut num_hashes, mut hashes_at_most) = (0, 0);
    tools.remaining(text).for_each_block_and(remove, &mut |block| {
        num_hashes += block.len();
        if sorted.num_distinct <= most {
            sorted.extend(block.iter().copied());
            hashes_at_most = num_hashes;
        }
    });
    let hashes = sorted.finish();
    if hashes.len() > most {
        return LoadedShingles::Sliced(SlicedSet::new(num_hashes.div_ceil(hashes_at_most), false));
    }
    LoadedShingles::Sliced(SlicedSet::sorted(hashes.into()))
}

/// The distinct hashes of a stream, in sorted order.
struct SortedHashes {
    hashes: Vec<u64>,
    scratch: Vec<u64>,
    /// The number of leading bits that all the hashes have in common.
    common_bits: u32,
    /// The number of hashes at which repeats are removed.
    compact_at: usize,
    /// The number of distinct hashes when repeats were last removed.
    num_distinct: usize,
}

impl SortedHashes {
    fn new(common_bits: u32, compact_at: usize) -> Self {
        Self { hashes: Vec::new(), scratch: Vec::new(), common_bits, compact_at, num_distinct: 0 }
    }

    fn extend(&mut self, hashes: impl Iterator<Item = u64>) {
        self.hashes.extend(hashes);
        if self.hashes.len() > self.compact_at {
            self.make_distinct();
            self.compact_at = self.compact_at.max(2 * self.num_distinct);
        }
    }

    fn make_distinct(&mut self) {
        let bits = self.common_bits;
        sort_by_hash(&mut self.hashes, &mut self.scratch, |&hash| hash << bits);
        self.hashes.dedup();
        self.num_distinct = self.hashes.len();
    }

    fn finish(mut self) -> Vec<u64> {
        self.make_distinct();
        self.hashes
    }
}

fn sort_distinct(hashes: &mut Vec<u64>) {
    hashes.sort_unstable();
    hashes.dedup();
}
