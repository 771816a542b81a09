//! `PairLists`: turns the lists of texts with a common hash into pairs of texts, each pair once, however many hashes they
//! share.
//!
//! The lists of all hashes follow one another in one array, and each text knows its places in it. The partners of a
//! text are found by reading the array from each of its places to the end of that list; a bit per text marks the
//! partners already found. The alternative, sorting one record for each pair and hash, took ten times as long for
//! source files with a common header.

use rayon::prelude::*;

use crate::base::error::Result;
use crate::base::flat::bit_set::BitSet;
use crate::documents::document::DocId;

/// The bit that marks the last text in the list of a hash. Document ids are below 2³¹.
const LAST: u32 = 1 << 31;

/// The texts of some hashes, ascending for each hash; 4 bytes for each text of each hash.
#[derive(Debug, Default)]
pub(super) struct TextLists {
    texts: Vec<u32>,
}

impl TextLists {
    /// Adds the texts of a hash: at least two, ascending.
    pub(super) fn push(&mut self, texts: &[DocId]) {
        self.texts.extend(texts.iter().map(|text| text.get()));
        *self.texts.last_mut().expect("several texts") |= LAST;
    }

    /// The number of entries of all hashes.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }
}

/// The texts of some hashes, and the places of each text among them: 8 bytes for each text of each hash, and 8 for each
/// document.
pub(super) struct PairLists {
    texts: Vec<u32>,
    /// The end of each text's part of `places`.
    ends: Vec<u64>,
    /// The places of each text in `texts`, except places at the end of a list.
    places: Vec<u32>,
}

impl PairLists {
    /// The maximum number of entries of all hashes together.
    pub(super) const MOST: usize = u32::MAX as usize;
    /// The bytes of an entry and its place.
    pub(super) const TEXT_BYTES: usize = 2 * size_of::<u32>();

    /// * `lists`: at most [`MOST`](Self::MOST) entries together.
    pub(super) fn new(lists: Vec<TextLists>, num_documents: usize) -> Self {
        let mut texts = Vec::with_capacity(lists.iter().map(TextLists::len).sum());
        lists.into_iter().for_each(|list| texts.extend_from_slice(&list.texts));
        let mut ends = vec![0u64; num_documents + 1];
        let others = || texts.iter().zip(0u32..).filter(|(text, _)| **text & LAST == 0);
        others().for_each(|(&text, _)| ends[text as usize + 1] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        // Until the places of a text are filled in, its end is where they begin.
        let mut places = vec![0; sum as usize];
        for (&text, place) in others() {
            let end = &mut ends[text as usize];
            places[*end as usize] = place;
            *end += 1;
        }
        Self { texts, ends, places }
    }

    /// Passes on each text with the later texts that share a hash with it, in no particular order; in the thread pool.
    ///
    /// # Errors
    /// When `visit` fails.
    pub(super) fn for_each_text(&self, visit: impl Fn(DocId, &[DocId]) -> Result<()> + Sync) -> Result<()> {
        let num_documents = self.ends.len() - 1;
        let later = |(met, later): &mut (BitSet, Vec<DocId>), text: usize| {
            let start = text.checked_sub(1).map_or(0, |before| self.ends[before]);
            later.clear();
            for &place in &self.places[start as usize..self.ends[text] as usize] {
                for &other in &self.texts[place as usize + 1..] {
                    let number = (other & !LAST) as usize;
                    if met.insert_new(number) {
                        later.push(DocId::new(number));
                    }
                    if other & LAST != 0 {
                        break;
                    }
                }
            }
            later.iter().for_each(|other| met.remove_word_of(other.index()));
            if later.is_empty() { Ok(()) } else { visit(DocId::new(text), later) }
        };
        let tools = || (BitSet::new(num_documents), Vec::new());
        (0..num_documents)
            .into_par_iter()
            .with_min_len(num_documents.div_ceil(1 << 10))
            .map_init(tools, |tools, text| later(tools, text))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::sync::Mutex;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pairs_of_all_lists_come_once(
            lists in prop::collection::vec(prop::collection::btree_set(0usize..150, 2..9), 0..40),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut expected = BTreeSet::new();
            let mut added = [TextLists::default(), TextLists::default()];
            for (number, list) in lists.iter().enumerate() {
                let list: Vec<DocId> = list.iter().copied().map(DocId::new).collect();
                added[usize::from(number >= cut.index(lists.len()))].push(&list);
                for (at, &a) in list.iter().enumerate() {
                    expected.extend(list[at + 1..].iter().map(|&b| (a, b)));
                }
            }
            let found = Mutex::new(Vec::new());
            let buckets = PairLists::new(added.into(), 150);
            let visit = |a, later: &[DocId]| {
                found.lock().unwrap().extend(later.iter().map(|&b| (a, b)));
                Ok(())
            };
            buckets.for_each_text(visit).unwrap();
            let mut found = found.into_inner().unwrap();
            found.sort_unstable();
            prop_assert!(found.iter().eq(expected.iter()), "{:?} {:?}", found, expected);
        }
    }
}
