//! `PairLists`: turns the lists of texts with a common hash into pairs of texts.

use crate::base::error::Result;
use crate::base::flat::ragged::Ragged;
use crate::documents::document::DocId;
use crate::sign::banding::{Partners, for_each_text};

/// The bit that marks the last text in the list of a hash. Document ids are below 2³¹.
const LAST: u32 = 1 << 31;

/// The texts of some hashes, ascending for each hash; 4 bytes for each text of each hash.
#[derive(Debug, Default)]
pub(super) struct TextLists {
    texts: Vec<u32>,
}

impl TextLists {
    /// Adds the texts of a hash: at least two, ascending.
    pub(super) fn push(&mut self, texts: impl Iterator<Item = DocId>) {
        self.texts.extend(texts.map(DocId::get));
        *self.texts.last_mut().expect("several texts") |= LAST;
    }
}

/// The texts of some hashes, and the positions of each text among them: 8 bytes for each text of each hash, and 4 for each
/// document.
pub(super) struct PairLists {
    texts: Vec<u32>,
    /// The positions of each text in `texts`, except positions at the end of a list.
    positions: Ragged<u32>,
}

impl PairLists {
    /// The maximum number of entries of all hashes together.
    pub(super) const MOST: usize = u32::MAX as usize;
    /// The bytes of an entry and its position.
    pub(super) const TEXT_BYTES: usize = 2 * size_of::<u32>();

    /// * `lists`: at most [`MOST`](Self::MOST) entries together.
    pub(super) fn new(lists: Vec<TextLists>, num_documents: usize) -> Self {
        let mut texts = Vec::with_capacity(lists.iter().map(|list| list.texts.len()).sum());
        lists.into_iter().for_each(|list| texts.extend_from_slice(&list.texts));
        let others = || texts.iter().map(|&text| text as usize).zip(0..).filter(|&(text, _)| text < LAST as usize);
        let mut positions = Ragged::default();
        positions.fill(num_documents, others().map(|(text, _)| text), others());
        Self { texts, positions }
    }

    /// Passes on each text with the later texts that share a hash with it, in no particular order; in the thread pool.
    ///
    /// # Errors
    /// When `visit` fails.
    pub(super) fn for_each_text(&self, visit: impl Fn(u32, &[u32]) -> Result<()> + Sync) -> Result<()> {
        let search = |_: u32, position: u32, partners: &mut Partners| {
            for &other in &self.texts[position as usize + 1..] {
                partners.add(other & !LAST);
                if other & LAST != 0 {
                    break;
                }
            }
        };
        for_each_text(&self.positions, search, |text, later| if later.is_empty() { Ok(()) } else { visit(text, later) })
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
                let list: Vec<u32> = list.iter().map(|&text| text as u32).collect();
                let documents = list.iter().map(|&text| DocId::new(text as usize));
                added[usize::from(number >= cut.index(lists.len()))].push(documents);
                for (at, &a) in list.iter().enumerate() {
                    expected.extend(list[at + 1..].iter().map(|&b| (a, b)));
                }
            }
            let found = Mutex::new(Vec::new());
            let buckets = PairLists::new(added.into(), 150);
            let visit = |a, later: &[u32]| {
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
