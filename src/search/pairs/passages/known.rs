//! `KnownAlignments`: a cache of alignments that several pairs of documents have in common.
//!
//! When a text has m copies and another text has n, their documents form m × n pairs, all with the passages of the two
//! texts. Each alignment is kept in one of two generations. Using it moves it to the young one, and when the young one
//! exceeds half of the memory at the start of a round, it replaces the old one, whose alignments are forgotten.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::compare::passages::{Alignment, Passage};
use crate::compare::verify::DuplicatePair;
use crate::documents::document::Documents;

/// Two texts by their content hashes, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct ContentPair([u128; 2]);

/// The alignments of this round's pairs, and the most recently used ones of earlier rounds as far as there is room.
#[derive(Debug, Default)]
pub(super) struct KnownAlignments {
    most_bytes: u64,
    /// The alignments that only this round can use, because neither text has copies.
    once: HashMap<ContentPair, Known>,
    /// The alignments used since the generations last changed.
    young: Generation,
    /// The alignments not used since then.
    old: Generation,
}

#[derive(Debug, Default)]
struct Generation {
    alignments: HashMap<ContentPair, Known>,
    num_bytes: u64,
}

#[derive(Debug)]
struct Known {
    alignment: Alignment,
    /// The content hash of the first text of the alignment.
    first: u128,
}

impl ContentPair {
    pub(super) fn of(documents: &Documents, pair: &DuplicatePair) -> Self {
        let (a, b) = (documents.content(pair.a), documents.content(pair.b));
        Self([a.min(b), a.max(b)])
    }
}

impl KnownAlignments {
    pub(super) fn new(most_bytes: u64) -> Self {
        Self { most_bytes, ..Self::default() }
    }

    /// Begins a round. Forgets alignments that were not used for long, if memory is short.
    pub(super) fn begin_round(&mut self) {
        self.once.clear();
        if self.young.num_bytes > self.most_bytes / 2 {
            self.old = std::mem::take(&mut self.young);
        }
    }

    /// Whether the alignment of two texts is known. If so, it stays for this round.
    pub(super) fn want(&mut self, texts: ContentPair) -> bool {
        if let Some(known) = self.old.alignments.remove(&texts) {
            self.young.insert(texts, known);
        }
        self.young.alignments.contains_key(&texts)
    }

    /// Keeps the alignment of a pair of this round whose texts are not known yet.
    pub(super) fn insert(&mut self, documents: &Documents, pair: &DuplicatePair, alignment: Alignment) {
        let (texts, known) = (ContentPair::of(documents, pair), Known { alignment, first: documents.content(pair.a) });
        let is_copied = |document| {
            documents.first_of_text(document).is_some_and(|first| first != document || documents.has_copies(first))
        };
        if is_copied(pair.a) || is_copied(pair.b) {
            self.young.insert(texts, known);
        } else {
            self.once.insert(texts, known);
        }
    }

    /// The alignment of a pair of this round.
    ///
    /// # Panics
    /// When it was neither requested by `want` nor inserted.
    pub(super) fn get(&self, documents: &Documents, pair: &DuplicatePair) -> Cow<'_, Alignment> {
        let texts = ContentPair::of(documents, pair);
        let known = self.young.alignments.get(&texts).or_else(|| self.once.get(&texts)).expect("it is of this round");
        if known.first == documents.content(pair.a) {
            Cow::Borrowed(&known.alignment)
        } else {
            Cow::Owned(known.alignment.clone().swapped())
        }
    }
}

impl Generation {
    fn insert(&mut self, texts: ContentPair, known: Known) {
        // The hash table may keep as much space free again.
        let entry = 2 * size_of::<(ContentPair, Known)>() + known.alignment.passages.capacity() * size_of::<Passage>();
        self.num_bytes += entry as u64;
        self.alignments.insert(texts, known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(passages: usize) -> Known {
        let passage = |at: usize| Passage { a: at..at + 1, b: at + 5..at + 6, matched: 1, is_exact: true };
        let alignment = Alignment { passages: (0..passages).map(passage).collect(), ..Alignment::default() };
        Known { alignment, first: 1 }
    }

    #[test]
    fn what_was_wanted_last_is_kept_and_the_rest_is_forgotten() {
        let texts = |number| ContentPair([1, number]);
        let mut alignments = KnownAlignments::new(2000);
        assert!(!alignments.want(texts(2)));
        alignments.young.insert(texts(2), known(1));
        alignments.young.insert(texts(3), known(20));
        // The alignments exceed half of the memory, but nothing is forgotten within a round.
        assert!(alignments.want(texts(2)) && alignments.want(texts(3)));
        alignments.begin_round();
        assert!(alignments.want(texts(2)));
        alignments.young.insert(texts(4), known(20));
        alignments.begin_round();
        alignments.begin_round();
        assert_eq!([2, 3, 4].map(|number| alignments.want(texts(number))), [true, false, true]);
    }
}
