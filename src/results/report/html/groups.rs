//! `AllGroups`: the groups that all pairs form, largest first, including pairs that the page does not show.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::records::PairSide;
use crate::results::report::involved::Involved;
use crate::results::report::pair::key_of;
use crate::results::report::words::whole_name;

/// The maximum number of groups whose names are remembered; the largest groups so far keep their names. A group that
/// lost its name while it was small gets the name of the next document that joins it. In the list, a group has no
/// name only if no document joined it after that.
const MOST_NAMES: usize = 1 << 16;

/// A document of a pair: its name as in the record, and its side if documents have two sides.
pub(super) type PageDocument<'a> = (&'a [u8], Option<PairSide>);

/// The groups of all pairs. Memory: 50 to 80 bytes for each document.
#[derive(Default)]
pub(super) struct AllGroups {
    involved: Involved,
    /// Size and smallest similarity of each group, indexed by the number of its first document.
    facts: Vec<Facts>,
    /// The name of a document of each group, by the number of the group's first document.
    names: HashMap<u32, String>,
    /// The numbers that a report of groups assigns, by the number of the group's first document.
    given: HashMap<u32, u64>,
}

#[derive(Clone, Copy)]
struct Facts {
    size: u32,
    least: f64,
}

/// A group of documents that pairs connect.
pub(super) struct Group {
    /// The number of the group: its rank by size, or its number in a report of groups.
    pub(super) number: u64,
    /// The number of documents.
    pub(super) size: u32,
    /// The smallest similarity of the group's pairs.
    pub(super) least: f64,
    /// The name of one of its documents, if it is remembered.
    pub(super) name: Option<String>,
    /// The number of its first document.
    pub(super) first: u32,
}

impl AllGroups {
    /// Adds a pair.
    ///
    /// * `number`: the number of the pair's group, if the report shows groups.
    pub(super) fn add(&mut self, [a, b]: [PageDocument<'_>; 2], share: f64, number: Option<u64>) {
        let (kept, gone) = self.involved.join(named(a), named(b));
        self.facts.resize(self.involved.num_documents() as usize, Facts { size: 1, least: f64::INFINITY });
        if let Some(gone) = gone {
            let Facts { size, least } = self.facts[gone as usize];
            let facts = &mut self.facts[kept as usize];
            *facts = Facts { size: facts.size + size, least: facts.least.min(least) };
            self.names.remove(&gone);
            self.given.remove(&gone);
        }
        let facts = &mut self.facts[kept as usize];
        facts.least = facts.least.min(share);
        if !self.names.contains_key(&kept) {
            if self.names.len() == MOST_NAMES {
                self.forget_the_smaller_half();
            }
            self.names.insert(kept, whole_name(&key_of(a.0, a.1)));
        }
        self.given.extend(number.map(|number| (kept, number)));
    }

    fn forget_the_smaller_half(&mut self) {
        let mut firsts: Vec<u32> = self.names.keys().copied().collect();
        firsts.sort_unstable_by_key(|&first| self.rank(first));
        for first in &firsts[firsts.len() / 2..] {
            self.names.remove(first);
        }
    }

    /// The sort key of a group: larger groups first, then by first document.
    fn rank(&self, first: u32) -> (Reverse<u32>, u32) {
        (Reverse(self.facts[first as usize].size), first)
    }

    /// All groups, largest first.
    pub(super) fn ranked(&mut self) -> Vec<Group> {
        let mut firsts: Vec<u32> = self.involved.firsts().collect();
        firsts.sort_unstable_by_key(|&first| self.rank(first));
        let group = |(place, first): (usize, u32)| {
            let Facts { size, least } = self.facts[first as usize];
            let number = self.given.get(&first).copied().unwrap_or(place as u64 + 1);
            Group { number, size, least, name: self.names.remove(&first), first }
        };
        firsts.into_iter().enumerate().map(group).collect()
    }

    /// The number of the first document in the group of this document.
    pub(super) fn first_of(&mut self, document: PageDocument<'_>) -> u32 {
        self.involved.first_of(named(document)).expect("it is in a pair")
    }
}

fn named((name, side): PageDocument<'_>) -> (&[u8], bool) {
    (name, side == Some(PairSide::B))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_pairs(pairs: &[(String, String, f64)]) -> Vec<(u64, u32, f64, Option<String>)> {
        let mut all = AllGroups::default();
        for (a, b, share) in pairs {
            all.add([(a.as_bytes(), None), (b.as_bytes(), None)], *share, None);
        }
        all.ranked().into_iter().map(|group| (group.number, group.size, group.least, group.name)).collect()
    }

    #[test]
    fn groups_join_and_keep_the_least_share_of_all_their_pairs() {
        let pair = |a: &str, b: &str, share| (a.to_owned(), b.to_owned(), share);
        let pairs = [pair("a", "b", 0.9), pair("x", "y", 0.5), pair("c", "d", 0.8), pair("d", "b", 0.95)];
        let named = |name: &str| Some(name.to_owned());
        assert_eq!(of_pairs(&pairs), [(1, 4, 0.8, named("a")), (2, 2, 0.5, named("x"))]);
        let mut all = AllGroups::default();
        // The same name on both sides means two documents.
        all.add([(b"a", Some(PairSide::A)), (b"a", Some(PairSide::B))], 1.0, Some(7));
        let (first, second) = (all.first_of((b"a", Some(PairSide::A))), all.first_of((b"a", Some(PairSide::B))));
        let groups = all.ranked();
        assert_eq!((groups.len(), groups[0].number, groups[0].size, first), (1, 7, 2, second));
    }

    #[test]
    fn the_largest_groups_have_names_where_there_are_more_groups_than_names() {
        let mut pairs: Vec<(String, String, f64)> =
            (0..2 * MOST_NAMES).map(|group| (format!("{group}/0"), format!("{group}/1"), 0.9)).collect();
        // The last group is forgotten and gets a name again.
        let last = MOST_NAMES - 1;
        pairs.extend((2..5).map(|member| (format!("{last}/0"), format!("{last}/{member}"), 0.8)));
        pairs.extend((0..MOST_NAMES).map(|group| (format!("more/{group}/0"), format!("more/{group}/1"), 0.9)));
        let groups = of_pairs(&pairs);
        assert_eq!(groups.len(), 3 * MOST_NAMES);
        assert_eq!(groups[0], (1, 5, 0.8, Some(format!("{last}/0"))));
        let named = |group: usize| Some(format!("{group}/0"));
        assert!((1..10).all(|place| groups[place].3 == named(place - 1)));
    }
}
