//! `RereadSets`: the source that reads each document a second time and makes its set anew.

use super::loaded::{LoadedDocument, LoadedShingles, SlicedSet};
use super::source::{SetSource, Slice};
use crate::corpus::{CorpusSettings, Rereader, Tools};
use crate::document::{DocId, Documents};
use crate::flat::radix_sort::sort_by_hash;
use crate::input::Sources;
use crate::observe::Observer;
use crate::problem::Problem;
use crate::removal::{Remaining, Removal};
use crate::shingle::ShingleHashes;
use crate::verify::VerifiableSet;

/// Makes sets of documents that it reads again.
pub(crate) struct RereadSets<'a> {
    rereader: Rereader<'a>,
    documents: &'a Documents,
    signature_bytes: usize,
    /// Distinct shingles beyond which a set is sliced.
    most_shingles: usize,
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
        LoadedDocument::most_bytes(num_shingles, self.signature_bytes)
    }

    fn signature(&self, document: &LoadedDocument) -> Option<Box<[u32]>> {
        match document.whole_set() {
            Some(whole) => Some(self.rereader.sign(&mut whole.set())),
            None => self.rereader.read_again(document.document, &mut |text, tools| tools.signature_of(text)),
        }
    }

    /// Sorting touches memory in order, which for so many hashes is several times faster than an index.
    fn slice(&self, document: DocId, slice: Slice) -> Option<Vec<u64>> {
        self.rereader.read_again(document, &mut |text, tools| {
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
        })
    }
}

/// The set of a text's shingles that are not removed, sliced when they are more than `most`, and the removed ones.
fn set_of(tools: &mut Tools, text: &[u8], most: usize) -> (LoadedShingles, Box<[u64]>) {
    let Tools { shingler, builder, removal, remaining, .. } = tools;
    let mut removed = Vec::new();
    let (mut num_hashes, mut hashes_at_most) = (0, 0);
    builder.expect(shingler.expected(text));
    let mut remaining = Remaining::new(shingler.shingles_utf8(text), *removal, remaining);
    let mut compact_at = 1 << 16;
    let mut remove = |hash| {
        removed.push(hash);
        if removed.len() > compact_at {
            sort_distinct(&mut removed);
            compact_at = compact_at.max(2 * removed.len());
        }
    };
    remaining.for_each_block_and(&mut remove, &mut |block| {
        num_hashes += block.len();
        if builder.len() <= most {
            builder.extend(block);
            hashes_at_most = num_hashes;
        }
    });
    let set = builder.take();
    sort_distinct(&mut removed);
    let removed = removed.into();
    if set.len() <= most {
        return (LoadedShingles::Whole(VerifiableSet::new(set)), removed);
    }
    // Were all later hashes new, this many slices would be full.
    (LoadedShingles::Sliced(SlicedSet::new(num_hashes.div_ceil(hashes_at_most))), removed)
}

fn sort_distinct(hashes: &mut Vec<u64>) {
    hashes.sort_unstable();
    hashes.dedup();
}
