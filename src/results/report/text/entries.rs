//! `ViewEntries`: pairs in; the groups that they join documents to out, the most similar first.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

/// What is shown together: the two documents of a pair, or the documents of a group.
#[derive(Debug, Default)]
pub(super) struct ViewEntry {
    /// The least and the largest similarity of its pairs.
    pub(super) shares: Option<[f64; 2]>,
    /// The similarity of the two documents of a pair with names kept, where programs are compared.
    pub(super) kept: Option<f64>,
    pub(super) members: Vec<ViewMember>,
    /// The passages of a pair, each as a line.
    pub(super) passages: Vec<String>,
}

/// A document as it is shown.
#[derive(Debug)]
pub(super) struct ViewMember {
    pub(super) name: String,
    /// Where a link leads; empty for none.
    pub(super) address: String,
}

/// Groups as they grow. The memory is that of the documents in pairs, however many pairs there are.
#[derive(Debug, Default)]
pub(super) struct ViewEntries {
    /// The documents by the hashes of their names.
    numbers: HashMap<u128, usize>,
    members: Vec<ViewMember>,
    /// A document of the same group; itself for the root.
    parents: Vec<usize>,
    /// The similarities of the group, at its root.
    shares: Vec<[f64; 2]>,
}

impl ViewEntry {
    /// Reads a row: the share, the share with names kept, both names, both addresses and the passages, with NUL between them.
    pub(super) fn of_row(row: &str) -> Self {
        let mut parts = row.split('\0').map(str::to_owned);
        let mut next = || parts.next().unwrap_or_default();
        let share: f64 = next().parse().expect("it was written as a number");
        let kept = next().parse().ok();
        let [first, second, of_first, of_second, passages] = std::array::from_fn(|_| next());
        let members = [(first, of_first), (second, of_second)].map(|(name, address)| ViewMember { name, address });
        let passages = passages.lines().map(str::to_owned).collect();
        Self { shares: Some([share; 2]), kept, members: members.into(), passages }
    }
}

impl ViewEntries {
    /// Adds a pair: its similarity, and both documents with the names that tell them apart.
    pub(super) fn join(&mut self, share: f64, pair: [(&[u8], ViewMember); 2]) {
        let [a, b] = pair.map(|(name, member)| self.number(name, member));
        let (a, b) = (self.root(a), self.root(b));
        let (first, other) = (a.min(b), a.max(b));
        let [least, most] = self.shares[other];
        self.parents[other] = first;
        let [of_first, to] = self.shares[first];
        self.shares[first] = [of_first.min(least).min(share), to.max(most).max(share)];
    }

    /// Takes the groups: by falling similarity, then by the order of their first documents; members in the order of the pairs.
    pub(super) fn take(&mut self) -> Vec<ViewEntry> {
        let roots: Vec<usize> = (0..self.members.len()).map(|number| self.root(number)).collect();
        let mut entries: Vec<ViewEntry> = Vec::new();
        let mut numbers = HashMap::new();
        for (member, root) in std::mem::take(&mut self.members).into_iter().zip(roots) {
            let number = *numbers.entry(root).or_insert_with(|| {
                entries.push(ViewEntry { shares: Some(self.shares[root]), ..ViewEntry::default() });
                entries.len() - 1
            });
            entries[number].members.push(member);
        }
        let most = |entry: &ViewEntry| entry.shares.map_or(0.0, |[_, most]| most);
        entries.sort_by(|a, b| most(b).total_cmp(&most(a)));
        *self = Self::default();
        entries
    }

    fn number(&mut self, name: &[u8], member: ViewMember) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(xxh3_128(name)).or_insert(next);
        if number == next {
            self.parents.push(next);
            self.members.push(member);
            self.shares.push([f64::INFINITY, f64::NEG_INFINITY]);
        }
        number
    }

    fn root(&mut self, mut number: usize) -> usize {
        while self.parents[number] != number {
            let above = self.parents[number];
            self.parents[number] = self.parents[above];
            number = above;
        }
        number
    }
}
