//! `Family`: some texts of a component with all their candidates.

use std::ops::Range;

use rayon::prelude::*;

use crate::base::flat::bit_set::BitSet;
use crate::base::flat::ragged::Ragged;
use crate::documents::document::DocId;
use crate::search::pairs::context::VerifyContext;

/// Marks a document whose candidates are not counted.
const NO_ROW: u32 = u32::MAX;

/// Documents, each with a position from 0 on, and the pairs of them that are counted.
#[derive(Default)]
pub(in crate::search::pairs) struct Family {
    /// The document at each position.
    documents: Vec<DocId>,
    /// The position of each text whose candidates are counted.
    texts: Vec<u32>,
    /// The positions of the candidates of each such text.
    candidates: Ragged<u32>,
    /// The candidates before they had positions.
    gathered: Ragged<DocId>,
}

impl Family {
    /// The pairs of each of some texts with all later ones.
    ///
    /// * `of`: the positions of the texts whose pairs are counted.
    pub(in crate::search::pairs) fn of_all_pairs(documents: &[DocId], of: Range<usize>) -> Self {
        let mut family = Self { documents: documents.to_vec(), ..Self::default() };
        for text in of {
            family.texts.push(text as u32);
            family.candidates.open_row().extend(text as u32 + 1..documents.len() as u32);
            family.candidates.end_row();
        }
        family
    }

    /// Gathers the candidates of some texts, in document order; returns `false` when there are more than
    /// `most_documents` documents in total.
    pub(super) fn gather_few(
        &mut self,
        core: &VerifyContext<'_>,
        firsts: impl ExactSizeIterator<Item = DocId> + Clone,
        most_documents: usize,
    ) -> bool {
        self.gathered.clear();
        if firsts.len() > most_documents {
            return false;
        }
        for first in firsts.clone() {
            if core.candidates.least_candidates(first) >= most_documents {
                return false;
            }
            core.gather(first, self.gathered.open_row());
            if self.gathered.open_len() >= most_documents {
                return false;
            }
            self.gathered.end_row();
        }
        self.set_documents(firsts);
        self.documents.len() <= most_documents
    }

    /// Gathers the candidates of any number of texts.
    pub(super) fn gather(&mut self, core: &VerifyContext<'_>, firsts: &[DocId]) {
        let gather = |&first: &DocId| {
            let mut candidates = Vec::new();
            core.gather(first, &mut candidates);
            candidates
        };
        let lists: Vec<Vec<DocId>> = firsts.par_iter().map(gather).collect();
        self.gathered.clear();
        for list in lists {
            self.gathered.open_row().extend(list);
            self.gathered.end_row();
        }
        self.set_documents(firsts.iter().copied());
        self.put_candidates_together();
        self.gathered = Ragged::default();
    }

    /// Gives each document its position in document order.
    fn set_documents(&mut self, firsts: impl Iterator<Item = DocId> + Clone) {
        let Self { documents, texts, candidates, gathered } = self;
        documents.clear();
        documents.extend(firsts.clone().chain(gathered.items().iter().copied()));
        sort_distinct(documents);
        texts.clear();
        texts.extend(positions(documents, firsts));
        candidates.clear();
        for list in gathered.rows() {
            candidates.open_row().extend(positions(documents, list.iter().copied()));
            candidates.end_row();
        }
    }

    /// Moves each document next to the first text that it is a candidate of, so that few pairs have texts in two blocks.
    fn put_candidates_together(&mut self) {
        let mut new_positions = vec![NO_ROW; self.documents.len()];
        let mut documents = Vec::with_capacity(self.documents.len());
        for (&text, list) in self.texts.iter().zip(self.candidates.rows()) {
            for &position in std::iter::once(&text).chain(list) {
                if new_positions[position as usize] == NO_ROW {
                    new_positions[position as usize] = documents.len() as u32;
                    documents.push(self.documents[position as usize]);
                }
            }
        }
        self.documents = documents;
        self.texts.iter_mut().for_each(|text| *text = new_positions[*text as usize]);
        let mut candidates = Ragged::default();
        for list in self.candidates.rows() {
            let start = candidates.open_row().len();
            candidates.open_row().extend(list.iter().map(|&position| new_positions[position as usize]));
            candidates.open_row()[start..].sort_unstable();
            candidates.end_row();
        }
        self.candidates = candidates;
    }

    /// The documents by position.
    pub(in crate::search::pairs) fn documents(&self) -> &[DocId] {
        &self.documents
    }

    /// The number of pairs.
    pub(in crate::search::pairs) fn num_pairs(&self) -> usize {
        self.candidates.items().len()
    }

    /// The number of texts whose candidates are counted.
    pub(super) fn num_texts(&self) -> usize {
        self.texts.len()
    }

    /// A text by number: its position, the positions of its candidates, and the number of its first pair.
    pub(in crate::search::pairs) fn text(&self, text: usize) -> (usize, &[u32], usize) {
        (self.texts[text] as usize, self.candidates.row(text), self.candidates.start(text))
    }

    /// All texts.
    pub(in crate::search::pairs) fn texts(&self) -> impl Iterator<Item = (usize, &[u32], usize)> {
        (0..self.texts.len()).map(|text| self.text(text))
    }

    /// The number of the text at each position, if its candidates are counted.
    pub(super) fn texts_by_position(&self) -> Vec<Option<u32>> {
        let mut texts = vec![None; self.documents.len()];
        (0..).zip(&self.texts).for_each(|(text, &position)| texts[position as usize] = Some(text));
        texts
    }

    /// Bytes in memory.
    pub(super) fn num_bytes(&self) -> usize {
        4 * (self.documents.capacity() + self.texts.capacity()) + self.candidates.num_bytes()
    }

    /// Cuts the texts into ranges that have at most `most_documents` documents with their candidates; `None` when these
    /// ranges have more than `most_in_all` documents together.
    pub(super) fn cut(&self, most_documents: usize, most_in_all: usize) -> Option<Vec<Range<usize>>> {
        let (mut ranges, mut start, mut num_documents, mut num_in_all) = (Vec::new(), 0, 0, 0);
        // The last range that has each document.
        let mut ranges_of = vec![u32::MAX; self.documents.len()];
        for (text, (position, list, _)) in self.texts().enumerate() {
            let range = ranges.len() as u32;
            let members = || std::iter::once(position).chain(list.iter().map(|&position| position as usize));
            let num_new = members().filter(|&position| ranges_of[position] != range).count();
            let is_next = num_documents + num_new > most_documents && text > start;
            if is_next {
                ranges.push(start..text);
                (start, num_documents) = (text, 0);
            }
            let range = ranges.len() as u32;
            for position in members() {
                let is_new = ranges_of[position] != range;
                num_documents += usize::from(is_new);
                num_in_all += usize::from(is_new);
                ranges_of[position] = range;
            }
            if num_documents > most_documents || num_in_all > most_in_all {
                return None;
            }
        }
        ranges.push(start..self.texts.len());
        Some(ranges)
    }
}

/// Sorts documents and removes repeats.
fn sort_distinct(documents: &mut Vec<DocId>) {
    let (Some(&first), Some(&last)) = (documents.iter().min(), documents.iter().max()) else { return };
    let span = last.index() - first.index() + 1;
    if documents.len() < span / 64 + 64 {
        documents.sort_unstable();
        documents.dedup();
        return;
    }
    let mut all = BitSet::new(span);
    documents.iter().for_each(|document| all.insert(document.index() - first.index()));
    documents.clear();
    documents.extend(all.iter().map(|at| DocId::new(first.index() + at)));
}

/// The positions of ascending documents in a list that contains all of them, ascending.
fn positions(list: &[DocId], documents: impl Iterator<Item = DocId>) -> impl Iterator<Item = u32> {
    let mut start = 0;
    documents.map(move |document| {
        // The next one is often near.
        let mut step = 1;
        while list.get(start + step).is_some_and(|&there| there <= document) {
            start += step;
            step *= 2;
        }
        let end = list.len().min(start + step);
        start += list[start..end].partition_point(|&there| there < document);
        start as u32
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn positions_are_found_and_ranges_have_all_candidates(
            lists in prop::collection::vec(prop::collection::vec(1usize..300, 0..30), 1..40),
            spread in 1usize..40,
            most_documents in 1usize..60,
        ) {
            let mut family = Family::default();
            let firsts: Vec<DocId> = (0..lists.len()).map(|text| DocId::new(text * spread)).collect();
            for (first, list) in firsts.iter().zip(&lists) {
                let mut list: Vec<DocId> = list.iter().map(|by| DocId::new(first.index() + by)).collect();
                list.sort_unstable();
                list.dedup();
                family.gathered.open_row().extend(list);
                family.gathered.end_row();
            }
            family.set_documents(firsts.iter().copied());
            for is_moved in [false, true] {
                if is_moved {
                    family.put_candidates_together();
                }
                for ((position, list, start), (text, first)) in family.texts().zip(firsts.iter().enumerate()) {
                    prop_assert_eq!(family.documents[position], *first);
                    let mut documents: Vec<DocId> = list.iter().map(|&position| family.documents[position as usize]).collect();
                    documents.sort_unstable();
                    prop_assert_eq!(&documents[..], family.gathered.row(text));
                    prop_assert_eq!(&family.candidates.items()[start..start + list.len()], list);
                    prop_assert!(list.is_sorted());
                }
                if let Some(ranges) = family.cut(most_documents, usize::MAX) {
                    let mut end = 0;
                    for range in ranges {
                        prop_assert_eq!(range.start, end);
                        end = range.end;
                        let texts = range.map(|text| family.text(text));
                        let mut positions: Vec<usize> =
                            texts.flat_map(|(position, list, _)| list.iter().map(|&at| at as usize).chain([position])).collect();
                        positions.sort_unstable();
                        positions.dedup();
                        prop_assert!(!positions.is_empty() && positions.len() <= most_documents);
                    }
                    prop_assert_eq!(end, lists.len());
                }
            }
        }
    }
}
