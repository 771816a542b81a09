//! `Keys`: finds the entries with a key, and what they accept together.

use std::collections::HashMap;

use super::accepted::Accepted;
use super::entry::AcceptedPair;

/// Entries by their keys.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The keys, each with the number of its entry, in the order of the entries.
    entries: Vec<(u128, u32)>,
    /// For each key, what its entries accept, and whether a pair had the key.
    pub(super) found: HashMap<u128, (Accepted, bool)>,
}

impl Keys {
    /// * `keys`: adds the keys of an entry to a list.
    pub(super) fn new(entries: &[AcceptedPair], keys: impl Fn(&AcceptedPair, &mut Vec<u128>)) -> Self {
        let mut made = Self::default();
        let mut of_entry = Vec::new();
        for (number, entry) in (0..).zip(entries) {
            keys(entry, &mut of_entry);
            for key in of_entry.drain(..) {
                made.entries.push((key, number));
                made.found.entry(key).or_insert((Accepted::NOTHING, false)).0.add(entry);
            }
        }
        made
    }

    /// Marks the entries with a key that a pair had.
    pub(super) fn mark(&self, seen: &mut [bool]) {
        self.entries.iter().filter(|(key, _)| self.found[key].1).for_each(|&(_, number)| seen[number as usize] = true);
    }
}
