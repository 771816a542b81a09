//! `find_overlaps`: finds which groups of documents copy each other.
//!
//! Only pairs of different groups count. Equal texts of one group are one text with a weight, so the work grows with the
//! pairs of texts and not with the pairs of their copies.

use std::collections::HashMap;
use std::sync::Arc;

use super::group_summaries::OverlapSummary;
use super::search::Search;
use super::settings::Settings;
use super::summary::Summary;
use crate::base::error::Result;
use crate::base::memory::reserve;
use crate::base::observe::Observer;
use crate::compare::verify::{DuplicatePair, Threshold};
use crate::documents::document::{DocId, Documents, GroupBy, GroupSettings};
use crate::records::{Name, OverlapRecord, PairCounts};
use crate::search::pairs::PairSettings;

/// The number of entries from which they are sorted when their number has doubled.
const SORT_FROM: usize = 1 << 20;
/// The name of the entries in the message of a failed allocation.
const PARTNERS: &str = "the partners of documents in other groups";

/// Two groups of documents that have a pair in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupOverlap {
    /// The numbers of the two groups, ascending. Groups are numbered in the order of their first documents.
    pub groups: [u32; 2],
    /// The number of compared documents in each group.
    pub documents: [u64; 2],
    /// The number of documents in each group that have a verified partner in the other one.
    pub matched: [u64; 2],
    /// The number of pairs between the groups.
    pub pairs: u64,
}

impl GroupOverlap {
    /// The share of each group's documents that have a partner in the other one.
    pub fn shares(&self) -> [f64; 2] {
        [0, 1].map(|side| self.matched[side] as f64 / self.documents[side] as f64)
    }

    /// The larger of the two shares.
    pub fn share(&self) -> f64 {
        let [a, b] = self.shares();
        a.max(b)
    }
}

/// The order of overlaps. Equal ones stay in the order of their groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlapSort {
    /// The most documents with a partner first.
    Matched,
    /// The highest share first, and among equal shares the most documents with a partner.
    Share,
    /// The highest number of pairs of documents first.
    Pairs,
    /// The order of the groups.
    Order,
}

/// The groups of a corpus that have pairs in common.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GroupOverlaps {
    names: Arc<[Box<[u8]>]>,
    overlaps: Vec<GroupOverlap>,
}

impl GroupOverlaps {
    /// The pairs of groups, in the order of the groups.
    pub fn overlaps(&self) -> &[GroupOverlap] {
        &self.overlaps
    }

    /// The pairs of groups in which at least one group has this share of its documents in the other.
    pub fn sorted(&self, sort: OverlapSort, min_share: f64) -> Vec<&GroupOverlap> {
        let mut overlaps: Vec<_> = self.overlaps.iter().filter(|overlap| overlap.share() >= min_share).collect();
        let matched = |overlap: &GroupOverlap| overlap.matched[0] + overlap.matched[1];
        match sort {
            OverlapSort::Order => {}
            OverlapSort::Matched => overlaps.sort_by_key(|overlap| std::cmp::Reverse(matched(overlap))),
            OverlapSort::Pairs => overlaps.sort_by_key(|overlap| std::cmp::Reverse(overlap.pairs)),
            OverlapSort::Share => {
                overlaps.sort_by(|a, b| b.share().total_cmp(&a.share()).then_with(|| matched(b).cmp(&matched(a))))
            }
        }
        overlaps
    }

    /// The record of a pair of groups.
    pub fn record(&self, overlap: &GroupOverlap) -> OverlapRecord<'_> {
        let GroupOverlap { groups, documents, matched, pairs } = *overlap;
        let [a, b] = groups.map(|group| Name::new(&self.names[group as usize]));
        let [share_a, share_b] = overlap.shares();
        OverlapRecord {
            a,
            b,
            documents_a: documents[0],
            documents_b: documents[1],
            matched_a: matched[0],
            matched_b: matched[1],
            share_a,
            share_b,
            pairs,
        }
    }
}

/// Collects the pairs of texts of different groups.
#[derive(Debug, Default)]
pub(crate) struct OverlapBuilder {
    /// The text of a group that has a partner in another group, and that group; may repeat.
    partners: Vec<(DocId, u32)>,
    /// The number of entries after they were sorted last.
    num_sorted: usize,
    pairs: HashMap<[u32; 2], u64>,
}

impl OverlapBuilder {
    /// Adds a pair of texts. Pairs of one group are ignored.
    ///
    /// * `a`, `b`: the first documents with the texts in their groups.
    ///
    /// # Errors
    /// When there is not enough memory.
    ///
    /// # Panics
    /// When the documents have no groups.
    pub(crate) fn add(&mut self, documents: &Documents, a: DocId, b: DocId) -> Result<()> {
        let groups = &documents.scope().groups().expect("documents are grouped").of;
        let [of_a, of_b] = [a, b].map(|document| groups[document.index()]);
        if of_a == of_b {
            return Ok(());
        }
        let [num_a, num_b] = [a, b].map(|document| num_copies(documents, document));
        *self.pairs.entry([of_a.min(of_b), of_a.max(of_b)]).or_default() += num_a * num_b;
        if self.partners.len() >= SORT_FROM.max(2 * self.num_sorted) {
            self.sort();
        }
        reserve(&mut self.partners, 2, PARTNERS)?;
        self.partners.extend([(a, of_b), (b, of_a)]);
        Ok(())
    }

    fn sort(&mut self) {
        self.partners.sort_unstable();
        self.partners.dedup();
        self.num_sorted = self.partners.len();
    }

    /// The groups that have pairs in common, and their numbers.
    ///
    /// # Panics
    /// When the documents have no groups.
    pub(crate) fn finish(mut self, documents: &Documents) -> (GroupOverlaps, OverlapSummary) {
        self.sort();
        let groups = documents.scope().groups().expect("documents are grouped");
        let group_of = |document: DocId| groups.of[document.index()];
        let mut sizes = vec![0u64; groups.names.len()];
        documents.with_text().for_each(|document| sizes[group_of(document) as usize] += 1);
        let mut matched: HashMap<[u32; 2], [u64; 2]> = HashMap::new();
        let mut num_documents = 0;
        for partners in self.partners.chunk_by(|a, b| a.0 == b.0) {
            let document = partners[0].0;
            let (own, copies) = (group_of(document), num_copies(documents, document));
            num_documents += copies;
            for &(_, other) in partners {
                let of_pair = matched.entry([own.min(other), own.max(other)]).or_default();
                of_pair[usize::from(own > other)] += copies;
            }
        }
        let overlap = |(groups, pairs): ([u32; 2], u64)| GroupOverlap {
            groups,
            documents: groups.map(|group| sizes[group as usize]),
            matched: matched[&groups],
            pairs,
        };
        let mut overlaps: Vec<_> = self.pairs.into_iter().map(overlap).collect();
        overlaps.sort_unstable_by_key(|overlap| overlap.groups);
        let mut in_pairs: Vec<u32> = overlaps.iter().flat_map(|overlap| overlap.groups).collect();
        in_pairs.sort_unstable();
        in_pairs.dedup();
        let summary = OverlapSummary {
            group_pairs: overlaps.len() as u64,
            groups: in_pairs.len() as u64,
            documents: num_documents,
        };
        (GroupOverlaps { names: Arc::clone(&groups.names), overlaps }, summary)
    }
}

/// The number of documents with a text in its group.
fn num_copies(documents: &Documents, first: DocId) -> u64 {
    1 + documents.copies_of(first).len() as u64
}

/// Finds the pairs of a corpus, and which groups of documents have pairs in common.
///
/// * `by`: the rule that puts documents into groups; the groups of the settings have no effect.
/// * `min_containment`: ignores pairs in which neither document shares at least this part of its shingles with the other.
///
/// Needs 8 bytes for each text and each other group in which it has a partner, in addition to the memory of the run.
///
/// # Errors
/// When the run cannot be done.
pub fn find_overlaps(
    settings: &Settings,
    by: &GroupBy,
    min_containment: Option<Threshold>,
    observer: &dyn Observer,
) -> Result<(GroupOverlaps, Summary)> {
    let mut settings = settings.clone();
    settings.input.groups = Some(GroupSettings { by: by.clone(), within: false, with_names: true });
    settings.pairs = PairSettings { collapse_exact: true, spanning: false, ..settings.pairs };
    let mut builder = OverlapBuilder::default();
    let mut sink = |documents: &Documents, pairs: &[DuplicatePair], _: &[_]| {
        let is_kept =
            |pair: &&DuplicatePair| min_containment.is_none_or(|least| PairCounts::from(*pair).is_contained(least));
        pairs.iter().filter(is_kept).try_for_each(|pair| builder.add(documents, pair.a, pair.b))
    };
    let mut searched = Search::new(&settings, observer).run(&mut sink)?;
    let (overlaps, summary) = builder.finish(&searched.documents);
    searched.summary.overlaps = Some(summary);
    Ok((overlaps, searched.summary))
}
