//! `Buckets`: the texts of many hashes in, the pairs of texts that share one out; each once, however many hashes they share.
//!
//! The texts of one hash after another are a list, and each text knows its places there. So one text's pairs are found by
//! going through what stands behind its places, with a bit for each text that was met. To write down a pair for each hash and
//! sort these took ten times as long for sources with a common header.

use rayon::prelude::*;

use crate::document::DocId;
use crate::error::Result;
use crate::flat::bit_set::BitSet;

/// Stands beside the last text of a hash. Ids are below 2³¹.
const LAST: u32 = 1 << 31;

/// The texts of some hashes, ascending for each; 4 bytes for each text of a hash.
#[derive(Debug, Default)]
pub(super) struct TextLists {
    texts: Vec<u32>,
}

impl TextLists {
    /// Adds the texts of a hash: two at least, ascending.
    pub(super) fn push(&mut self, texts: &[DocId]) {
        self.texts.extend(texts.iter().map(|text| text.get()));
        *self.texts.last_mut().expect("several texts") |= LAST;
    }

    /// The texts of all hashes.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }
}

/// The texts of some hashes, and where each text stands among them: 8 bytes for each text of a hash, and 8 for each text.
pub(super) struct Buckets {
    texts: Vec<u32>,
    /// Where the places of each text end.
    ends: Vec<u64>,
    /// The places of each text, but for those that are the last of a hash.
    places: Vec<u32>,
}

impl Buckets {
    /// Most texts of all hashes together.
    pub(super) const MOST: usize = u32::MAX as usize;
    /// Bytes of a text of a hash.
    pub(super) const TEXT_BYTES: usize = 2 * size_of::<u32>();

    /// * `lists`: of at most [`MOST`](Self::MOST) texts together.
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
        // Each end is where the places of the text begin, until they are there.
        let mut places = vec![0; sum as usize];
        for (&text, place) in others() {
            let end = &mut ends[text as usize];
            places[*end as usize] = place;
            *end += 1;
        }
        Self { texts, ends, places }
    }

    /// Passes on the pairs of each text with later ones, in no particular order; in the thread pool.
    ///
    /// # Errors
    /// Those of `visit`.
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
            let buckets = Buckets::new(added.into(), 150);
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
