//! `PrefixLists`: turns the texts of each rare shingle into the pairs of texts that share one, each pair once.
//!
//! The texts of a shingle are listed in order of rank, that is, of size. The rest of a text at a shingle (see
//! [`prefix`](super::prefix)) bounds what it shares with any other text for which this is the first common shingle. So
//! it also bounds how much larger or smaller that other text may be (the position-enhanced length filter of Mann and
//! Augsten 2014), and each text checks only one stretch of the list.

use rayon::prelude::*;

use super::posting::PrefixPosting;
use super::texts::RankedTexts;
use crate::base::error::Result;
use crate::base::flat::bit_set::BitSet;
use crate::compare::verify::Threshold;

/// A text in the list of a shingle, where larger texts find it. 8 bytes.
#[derive(Debug, Clone, Copy)]
struct PrefixEntry {
    rank: u32,
    /// Only texts of lower rank than this can reach the threshold with it by this shingle.
    end: u32,
}

/// The stretch of the lists in which a text finds smaller texts. 8 bytes.
#[derive(Debug, Clone, Copy, Default)]
struct ListStretch {
    start: u32,
    end: u32,
}

/// The lists of some shingles.
#[derive(Default)]
pub(super) struct ShingleLists {
    listed: Vec<PrefixEntry>,
    /// The ranks of the texts that search, each with a stretch to search.
    stretches: Vec<(u32, ListStretch)>,
    /// The number of checks of one listed text.
    pub(super) num_checks: u64,
}

impl ShingleLists {
    /// The maximum number of bytes per posting, in this struct and in [`PrefixLists`], while both exist.
    pub(super) const POSTING_BYTES: usize = size_of::<PrefixEntry>()
        + size_of::<(u32, ListStretch)>()
        + size_of::<PrefixEntry>()
        + size_of::<ListStretch>();

    /// Adds the texts that have one shingle in their prefixes.
    ///
    /// * `postings`: the texts, ascending.
    pub(super) fn push(&mut self, postings: &[PrefixPosting], texts: &RankedTexts, threshold: Threshold) {
        let Self { listed, stretches, num_checks } = self;
        let start = listed.len();
        let coarse_bits = texts.coarse_bits();
        // Texts from this rank on are too large.
        let end = |posting: &PrefixPosting| {
            let most = threshold.most_size(texts.size(posting.rank), posting.rest(coarse_bits));
            texts.first_of_size(most.saturating_add(1))
        };
        let num_stretches = stretches.len();
        for posting in postings {
            let (rank, end) = (posting.rank, end(posting));
            let own = &listed[start..];
            let least = texts.first_of_size(threshold.least_size(texts.size(rank)));
            // All texts listed so far have lower ranks.
            let from = own.partition_point(|other| other.rank < least);
            let to = if end >= rank { own.len() } else { own.partition_point(|other| other.rank < end) };
            if from < to {
                let place = |at| u32::try_from(start + at).expect("so few lists are made at a time");
                stretches.push((rank, ListStretch { start: place(from), end: place(to) }));
                *num_checks += (to - from) as u64;
            }
            if end > rank + 1 {
                listed.push(PrefixEntry { rank, end });
            }
        }
        if stretches.len() == num_stretches {
            listed.truncate(start);
        }
    }
}

/// The lists of many shingles, and the stretches that each text searches: 16 bytes per posting and 4 per text.
pub(super) struct PrefixLists {
    listed: Vec<PrefixEntry>,
    /// The end of each text's part of `stretches`.
    ends: Vec<u32>,
    stretches: Vec<ListStretch>,
    pub(super) num_checks: u64,
}

impl PrefixLists {
    /// The maximum number of postings.
    pub(super) const MOST: usize = u32::MAX as usize;

    pub(super) fn new(parts: Vec<ShingleLists>, num_texts: usize) -> Self {
        let num_checks = parts.iter().map(|part| part.num_checks).sum();
        let mut ends = vec![0u32; num_texts + 1];
        parts.iter().flat_map(|part| &part.stretches).for_each(|&(rank, _)| ends[rank as usize + 1] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        let mut listed = Vec::with_capacity(parts.iter().map(|part| part.listed.len()).sum());
        // Until the stretches of a text are filled in, its end is where they begin.
        let mut stretches = vec![ListStretch::default(); sum as usize];
        for part in parts {
            let start = listed.len() as u32;
            listed.extend_from_slice(&part.listed);
            for (rank, stretch) in part.stretches {
                let place = &mut ends[rank as usize];
                stretches[*place as usize] = ListStretch { start: start + stretch.start, end: start + stretch.end };
                *place += 1;
            }
        }
        ends.pop();
        Self { listed, ends, stretches, num_checks }
    }

    /// Calls `visit` with the smaller texts that each text finds, each once and in no particular order; in the thread
    /// pool.
    ///
    /// * `visit`: receives the rank of a text and the ranks of the texts that it finds. It is called for all texts,
    ///   even if they find none.
    ///
    /// # Errors
    /// When `visit` fails.
    pub(super) fn for_each_text(&self, visit: impl Fn(u32, &[u32]) -> Result<()> + Sync) -> Result<()> {
        let num_texts = self.ends.len();
        let find = |(met, found): &mut (BitSet, Vec<u32>), text: usize| {
            let start = text.checked_sub(1).map_or(0, |before| self.ends[before]);
            found.clear();
            for stretch in &self.stretches[start as usize..self.ends[text] as usize] {
                for other in &self.listed[stretch.start as usize..stretch.end as usize] {
                    if text < other.end as usize && met.insert_new(other.rank as usize) {
                        found.push(other.rank);
                    }
                }
            }
            found.iter().for_each(|&other| met.remove_word_of(other as usize));
            visit(text as u32, found)
        };
        let tools = || (BitSet::new(num_texts), Vec::new());
        // Texts of one size are neighbours, and some sizes cost far more than others, so the ranges are small.
        let threads = (0..num_texts).into_par_iter().with_min_len(num_texts.div_ceil(1 << 10));
        threads.map_init(tools, |tools, text| find(tools, text)).collect()
    }
}
