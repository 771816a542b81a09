//! `Involved`: the documents in pairs, the number of groups that the pairs form, and the number of documents on the
//! first side.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128_with_seed;

/// The documents in pairs, by the hashes of their names. Memory: 35 to 60 bytes for each document.
#[derive(Debug, Default)]
pub struct Involved {
    /// The number of each document, by the two halves of its hash; halves avoid the padding that a `u128` key needs.
    numbers: HashMap<[u64; 2], u32>,
    /// The parent of each document in a union-find forest: an earlier document of its group; the first document is
    /// its own parent.
    parents: Vec<u32>,
    num_joins: usize,
    num_first: u64,
}

impl Involved {
    /// Adds the documents of a pair.
    ///
    /// * `has_sides`: whether the second document belongs to the second side, where the same name means another
    ///   document.
    pub fn add(&mut self, a: &[u8], b: &[u8], has_sides: bool) {
        self.join((a, false), (b, has_sides));
    }

    /// Adds the documents of a pair, each with whether it belongs to the second side. Returns the first document of
    /// their group. If the pair merged two groups, also returns the former first document of the group that was
    /// merged into the other.
    pub(super) fn join(&mut self, a: (&[u8], bool), b: (&[u8], bool)) -> (u32, Option<u32>) {
        let (a, b) = (self.number(a), self.number(b));
        let (a, b) = (self.root(a), self.root(b));
        let (first, other) = (a.min(b), a.max(b));
        if first == other {
            return (first, None);
        }
        self.parents[other as usize] = first;
        self.num_joins += 1;
        (first, Some(other))
    }

    /// The numbers of the first documents of all groups.
    pub(super) fn firsts(&self) -> impl Iterator<Item = u32> {
        (0..).zip(&self.parents).filter(|&(number, &parent)| number == parent).map(|(number, _)| number)
    }

    /// The number of the first document in a document's group; `None` if the document is not in any pair.
    pub(super) fn first_of(&mut self, (name, is_second): (&[u8], bool)) -> Option<u32> {
        let number = *self.numbers.get(&key_of(name, is_second))?;
        Some(self.root(number))
    }

    /// The number of documents.
    pub fn num_documents(&self) -> u64 {
        self.parents.len() as u64
    }

    /// The number of documents that do not belong to the second side.
    pub fn num_first(&self) -> u64 {
        self.num_first
    }

    /// The number of groups of documents that pairs connect, directly or through other documents.
    pub fn num_groups(&self) -> u64 {
        (self.parents.len() - self.num_joins) as u64
    }

    fn number(&mut self, (name, is_second): (&[u8], bool)) -> u32 {
        let next = self.parents.len() as u32;
        let number = *self.numbers.entry(key_of(name, is_second)).or_insert(next);
        if number == next {
            self.parents.push(next);
            self.num_first += u64::from(!is_second);
        }
        number
    }

    fn root(&mut self, mut number: u32) -> u32 {
        while self.parents[number as usize] != number {
            let above = self.parents[number as usize];
            self.parents[number as usize] = self.parents[above as usize];
            number = above;
        }
        number
    }
}

fn key_of(name: &[u8], is_second: bool) -> [u64; 2] {
    let hash = xxh3_128_with_seed(name, is_second.into());
    [hash as u64, (hash >> 64) as u64]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_and_groups_are_counted_once_and_sides_apart() {
        let mut involved = Involved::default();
        for (a, b) in [("a", "b"), ("c", "d"), ("a", "b"), ("b", "d"), ("x", "y")] {
            involved.add(a.as_bytes(), b.as_bytes(), false);
        }
        assert_eq!((involved.num_documents(), involved.num_groups(), involved.num_first()), (6, 2, 6));
        let mut sides = Involved::default();
        sides.add(b"a", b"a", true);
        sides.add(b"b", b"a", true);
        assert_eq!((sides.num_documents(), sides.num_groups(), sides.num_first()), (3, 1, 2));
    }
}
