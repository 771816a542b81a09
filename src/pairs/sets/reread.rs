//! `RereadSets`: the source that reads each document a second time and makes its set anew.

use super::loaded::{LoadedDocument, LoadedShingles, SlicedSet};
use super::source::{SetSource, Slice, SlicedHashes};
use crate::corpus::{CorpusSettings, Rereader, Tools};
use crate::document::{DocId, Documents};
use crate::flat::radix_sort::sort_by_hash;
use crate::input::Sources;
use crate::observe::Observer;
use crate::problem::Problem;
use crate::removal::Removal;
use crate::shingle::ShingleHashes;
use crate::verify::VerifiableSet;

/// Makes sets of documents that it reads again.
pub(crate) struct RereadSets<'a> {
    rereader: Rereader<'a>,
    documents: &'a Documents,
    signature_bytes: usize,
    /// Distinct shingles beyond which a set is sliced.
    most_shingles: usize,
    has_weights: bool,
}

impl<'a> RereadSets<'a> {
    pub(crate) fn new(
        observer: &'a dyn Observer,
        settings: CorpusSettings<'a>,
        removal: Option<&'a Removal>,
        documents: &'a Documents,
        sources: &'a Sources,
    ) -> Self {
        Self {
            rereader: Rereader::new(observer, settings, removal, documents, sources),
            documents,
            signature_bytes: 4 * settings.banding.num_hashes(),
            most_shingles: settings.memory().set_shingles(),
            has_weights: settings.weights.is_some(),
        }
    }

    /// The documents that could not be read again, in document order.
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
        match document.whole_set() {
            Some(whole) => Some(self.rereader.sign(whole.set().hashes(), whole.weights())),
            None => self.rereader.read_again(document.document, &mut |text, tools| tools.signature_of(text)),
        }
    }

    /// Sorting touches memory in order, which for so many hashes is several times faster than an index.
    fn slice(&self, document: DocId, slice: Slice) -> Option<SlicedHashes> {
        if self.has_weights {
            return self.weighted_slice(document, slice);
        }
        let hashes = self.rereader.read_again(document, &mut |text, tools| {
            let (mut hashes, mut scratch) = (Vec::new(), Vec::new());
            let mut make_distinct = |hashes: &mut Vec<u64>| {
                sort_by_hash(hashes, &mut scratch, |&hash| hash << slice.bits);
                hashes.dedup();
            };
            let mut compact_at = self.most_shingles;
            tools.remaining(text).for_each_block(&mut |block| {
                hashes.extend(block.iter().copied().filter(|&hash| slice.contains(hash)));
                if hashes.len() > compact_at {
                    make_distinct(&mut hashes);
                    compact_at = self.most_shingles.max(2 * hashes.len());
                }
            });
            make_distinct(&mut hashes);
            hashes
        })?;
        Some(SlicedHashes { hashes, weights: Vec::new() })
    }
}

impl RereadSets<'_> {
    /// A slice with weights.
    fn weighted_slice(&self, document: DocId, slice: Slice) -> Option<SlicedHashes> {
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
        let (hashes, weights) = shingles.into_iter().unzip();
        Some(SlicedHashes { hashes, weights })
    }
}

/// The set of a text's shingles that are not removed, sliced when they are more than `most`, and the removed ones.
fn set_of(tools: &mut Tools, text: &[u8], most: usize) -> (LoadedShingles, Box<[u64]>) {
    let mut removed = Vec::new();
    let (mut num_hashes, mut hashes_at_most) = (0, 0);
    let mut builder = std::mem::take(&mut tools.builder);
    let mut weights = Vec::new();
    builder.expect(tools.shingler.expected(text).min(most));
    let mut compact_at = 1 << 16;
    let mut remove = |hash| {
        removed.push(hash);
        if removed.len() > compact_at {
            sort_distinct(&mut removed);
            compact_at = compact_at.max(2 * removed.len());
        }
    };
    let has_weights = tools.has_weights();
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
    // Were all later hashes new, this many slices would be full.
    (LoadedShingles::Sliced(SlicedSet::new(num_hashes.div_ceil(hashes_at_most), has_weights)), removed)
}

fn sort_distinct(hashes: &mut Vec<u64>) {
    hashes.sort_unstable();
    hashes.dedup();
}
