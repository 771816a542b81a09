//! Candidates: finds the distinct pairs of texts that share a kept hash, in document order.
//!
//! The kept hashes come sorted, so the texts of each hash follow one another. Their lists are read in portions that fit
//! the memory, and [`PairLists`] turns each portion into pairs. Sorting the pairs of all portions removes repeats. A list
//! that equals a recent one is skipped, since near-duplicates share many hashes with the same texts.

use std::ops::Range;
use std::sync::Mutex;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::buckets::{PairLists, TextLists};
use super::postings::{Posting, Postings};
use super::summary::KeyCap;
use crate::base::error::{Error, Result};
use crate::base::flat::per_thread::PerThread;
use crate::base::memory::MemoryPlan;
use crate::base::observe::Observer;
use crate::base::storage::{SortRecord, SortedRecords};
use crate::documents::document::{DocSet, Documents};
use crate::documents::input::Sources;
use crate::sign::banding::{TextPair, text_pair_sorter};

/// A run of more documents than this calls [`Observer::many_keys`], unless the number of texts per hash is capped.
const MANY_DOCUMENTS: u64 = 10_000;
/// The caps that a run may propose.
const PROPOSED: [u64; 8] = [50, 100, 200, 500, 1000, 2000, 5000, 10_000];
/// The largest cap that leaves at most this many pairs per document is proposed, or else the smallest cap.
const PROPOSED_PAIRS: u64 = 100;
/// The number of lists of texts that a thread remembers, to avoid pairing them again: 16 bytes each.
const REMEMBERED: usize = 1 << 14;

/// Makes pairs of the texts that share a hash.
pub(super) struct PairMaker<'a> {
    pub(super) observer: &'a dyn Observer,
    pub(super) documents: &'a Documents,
    pub(super) sources: &'a Sources,
    pub(super) memory: MemoryPlan,
    pub(super) num_threads: usize,
}

impl PairMaker<'_> {
    /// The pairs, and a summary of the hashes that the cap excluded. In the thread pool of the run.
    ///
    /// * `max_key_df`: a hash in more texts than this makes no pairs.
    /// * `may_match`: whether two texts are to be aligned.
    ///
    /// # Errors
    /// When memory is too small for the pairs, or the run was cancelled.
    pub(super) fn pairs(
        &self,
        postings: &Postings,
        max_key_df: Option<u64>,
        may_match: impl Fn(TextPair) -> bool + Sync,
    ) -> Result<(SortedRecords<TextPair>, Option<KeyCap>)> {
        if max_key_df.is_none() && self.documents.len() as u64 > MANY_DOCUMENTS {
            self.warn(postings)?;
        }
        let sorter = text_pair_sorter(self.documents.len(), self.memory.candidate_pairs() / 2, self.num_threads);
        let scope = self.documents.scope();
        let capped = Mutex::new((0, DocSet::new(self.documents.len())));
        let take = |(remembered, lists): &mut (Remembered, TextLists), texts: &[Posting]| {
            if max_key_df.is_some_and(|most| texts.len() as u64 > most) {
                let (hashes, documents) = &mut *capped.lock().expect("no holder panics");
                *hashes += 1;
                texts.iter().for_each(|text| documents.insert(text.document));
            } else if !remembered.is_known(texts) {
                lists.push(texts.iter().map(|text| text.document));
            }
            Ok(())
        };
        let most = (self.memory.candidate_pairs() / 2 / PairLists::TEXT_BYTES as u64).min(PairLists::MOST as u64);
        let mut start = 0;
        while start < postings.records.num_partitions() {
            let partitions = postings.records.partitions_of(start, usize::try_from(most).unwrap_or(usize::MAX));
            start = partitions.end;
            let lists = self.for_each_bucket(postings, partitions, take)?.into_iter().map(|(_, lists)| lists);
            PairLists::new(lists.collect(), self.documents.len()).for_each_text(|a, later| {
                if self.sources.has_failed() {
                    return Err(Error::Cancelled);
                }
                let pairs = later.iter().map(|&b| TextPair::of_words([a, b]));
                sorter.push(pairs.filter(|pair| scope.may_pair(pair.a, pair.b) && may_match(*pair)))
            })?;
        }
        let (hashes, documents) = capped.into_inner().expect("no holder panics");
        let cap = max_key_df.map(|more_than| KeyCap::new(more_than, hashes, self.documents, &documents));
        Ok((sorter.finish(), cap))
    }

    /// Reports how many pairs the hashes make, and which cap leaves few of them.
    fn warn(&self, postings: &Postings) -> Result<()> {
        let totals = Mutex::new((0u64, [0u64; PROPOSED.len()]));
        let all = 0..postings.records.num_partitions();
        self.for_each_bucket(postings, all, |(): &mut (), texts| {
            let len = texts.len() as u64;
            let (all, below) = &mut *totals.lock().expect("no holder panics");
            *all += len * (len - 1) / 2;
            for (below, _) in below.iter_mut().zip(PROPOSED).filter(|&(_, most)| len <= most) {
                *below += len * (len - 1) / 2;
            }
            Ok(())
        })?;
        let (all, below) = totals.into_inner().expect("no holder panics");
        let most = PROPOSED_PAIRS * self.documents.len() as u64;
        let proposed = below.iter().rposition(|&pairs| pairs <= most).unwrap_or(0);
        self.observer.many_keys(self.documents.len() as u64, all, PROPOSED[proposed], below[proposed]);
        Ok(())
    }

    /// Passes on the texts of each hash that several texts have, ascending, with the value of the current thread;
    /// returns the values of all threads.
    fn for_each_bucket<T: Default + Send>(
        &self,
        postings: &Postings,
        partitions: Range<usize>,
        visit: impl Fn(&mut T, &[Posting]) -> Result<()> + Sync,
    ) -> Result<Vec<T>> {
        let values = PerThread::new(self.num_threads, T::default);
        partitions.into_par_iter().with_max_len(1).try_for_each(|partition| {
            if self.sources.has_failed() {
                return Err(Error::Cancelled);
            }
            let value = &mut *values.get();
            postings.records.for_each_group(partition, self.num_threads, Posting::hash, |texts| {
                if texts.len() > 1 { visit(value, texts) } else { Ok(()) }
            })
        })?;
        Ok(values.into_values().collect())
    }
}

/// Lists of texts that were already paired. Near-duplicates share many hashes with the same list of texts.
#[derive(Default)]
struct Remembered {
    /// The hashes of lists; the lowest bits of a hash are its index.
    lists: Vec<u128>,
    /// The bytes of the last list.
    bytes: Vec<u8>,
}

impl Remembered {
    /// Whether a list is remembered as paired; remembers it if not.
    fn is_known(&mut self, texts: &[Posting]) -> bool {
        if self.lists.is_empty() {
            self.lists.resize(REMEMBERED, 0);
        }
        self.bytes.clear();
        self.bytes.extend(texts.iter().flat_map(|text| text.document.get().to_le_bytes()));
        let hash = xxh3_128(&self.bytes);
        std::mem::replace(&mut self.lists[hash as usize % REMEMBERED], hash) == hash
    }
}
