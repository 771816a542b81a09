//! `PrefixLists`: turns the texts of each rare shingle into the pairs of texts that share one, each pair once.
//!
//! The texts of a shingle are listed in order of rank, that is, of size. The rest of a text at a shingle (see
//! [`prefix`](super::prefix)) bounds what it shares with any other text for which this is the first common shingle. So
//! it also bounds how much larger or smaller that other text may be (the position-enhanced length filter of Mann and
//! Augsten 2014), and each text checks only one span of the list.

use super::posting::PrefixPosting;
use super::texts::RankedTexts;
use crate::base::error::Result;
use crate::base::flat::ragged::Ragged;
use crate::compare::verify::Threshold;
use crate::sign::banding::{Partners, for_each_text};

/// A text in the list of a shingle, where larger texts find it. 8 bytes.
#[derive(Debug, Clone, Copy)]
struct PrefixEntry {
    rank: u32,
    /// Only texts of lower rank than this can reach the threshold with it by this shingle.
    end: u32,
}

/// The span of the lists in which a text finds smaller texts. 8 bytes.
#[derive(Debug, Clone, Copy, Default)]
struct ListSpan {
    start: u32,
    end: u32,
}

/// The lists of some shingles.
#[derive(Default)]
pub(super) struct ShingleLists {
    listed: Vec<PrefixEntry>,
    /// The ranks of the texts that search, each with a span to search.
    spans: Vec<(u32, ListSpan)>,
    /// The number of checks of one listed text.
    pub(super) num_checks: u64,
}

impl ShingleLists {
    /// The maximum number of bytes per posting, in this struct and in [`PrefixLists`], while both exist.
    pub(super) const POSTING_BYTES: usize =
        size_of::<PrefixEntry>() + size_of::<(u32, ListSpan)>() + size_of::<PrefixEntry>() + size_of::<ListSpan>();

    /// Adds the texts that have one shingle in their prefixes.
    ///
    /// * `postings`: the texts, ascending.
    pub(super) fn push(&mut self, postings: &[PrefixPosting], texts: &RankedTexts, threshold: Threshold) {
        let Self { listed, spans, num_checks } = self;
        let start = listed.len();
        let coarse_bits = texts.coarse_bits();
        // Texts from this rank on are too large.
        let end = |posting: &PrefixPosting| {
            let most = threshold.most_size(texts.size(posting.rank), posting.rest(coarse_bits));
            texts.first_of_size(most.saturating_add(1))
        };
        let num_spans = spans.len();
        for posting in postings {
            let (rank, end) = (posting.rank, end(posting));
            let own = &listed[start..];
            let least = texts.first_of_size(threshold.least_size(texts.size(rank)));
            // All texts listed so far have lower ranks.
            let from = own.partition_point(|other| other.rank < least);
            let to = if end >= rank { own.len() } else { own.partition_point(|other| other.rank < end) };
            if from < to {
                let position = |at| u32::try_from(start + at).expect("so few lists are made at a time");
                spans.push((rank, ListSpan { start: position(from), end: position(to) }));
                *num_checks += (to - from) as u64;
            }
            if end > rank + 1 {
                listed.push(PrefixEntry { rank, end });
            }
        }
        if spans.len() == num_spans {
            listed.truncate(start);
        }
    }
}

/// The lists of many shingles, and the spans that each text searches: 16 bytes per posting and 4 per text.
pub(super) struct PrefixLists {
    listed: Vec<PrefixEntry>,
    spans: Ragged<ListSpan>,
    pub(super) num_checks: u64,
}

impl PrefixLists {
    /// The maximum number of postings.
    pub(super) const MOST: usize = u32::MAX as usize;

    pub(super) fn new(parts: &[ShingleLists], num_texts: usize) -> Self {
        let num_checks = parts.iter().map(|part| part.num_checks).sum();
        let listed = parts.iter().flat_map(|part| &part.listed).copied().collect();
        let starts = parts.iter().scan(0, |end, part| Some(std::mem::replace(end, *end + part.listed.len() as u32)));
        let positioned = starts.zip(parts).flat_map(|(start, part)| {
            part.spans.iter().map(move |&(rank, ListSpan { start: from, end })| {
                (rank as usize, ListSpan { start: start + from, end: start + end })
            })
        });
        let ranks = parts.iter().flat_map(|part| &part.spans).map(|&(rank, _)| rank as usize);
        let mut spans = Ragged::default();
        spans.fill(num_texts, ranks, positioned);
        Self { listed, spans, num_checks }
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
        let search = |text: u32, ListSpan { start, end }, partners: &mut Partners| {
            let others = &self.listed[start as usize..end as usize];
            others.iter().filter(|other| text < other.end).for_each(|other| partners.add(other.rank));
        };
        for_each_text(&self.spans, search, visit)
    }
}
