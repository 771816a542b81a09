//! `ViewEntries`: joins pairs into groups of documents, and sorts the groups by similarity.

use std::collections::HashMap;

use xxhash_rust::xxh3::xxh3_128;

use crate::compare::clusters::{CentreOrder, ClusterBuilder, Linkage, VerifiedEdge};
use crate::documents::document::DocId;

/// An entry of the view: the two documents of a pair, or the documents of a group.
#[derive(Debug, Default)]
pub(super) struct ViewEntry {
    /// The smallest and the largest similarity of the entry's pairs.
    pub(super) shares: Option<[f64; 2]>,
    /// The similarity of a pair with identifiers kept, where programs are compared.
    pub(super) kept: Option<f64>,
    pub(super) members: Vec<ViewMember>,
    /// The passages of a pair, one line for each.
    pub(super) passages: Vec<String>,
}

/// A document of an entry.
#[derive(Debug, Clone, Default)]
pub(super) struct ViewMember {
    pub(super) name: String,
    /// Whether this is the name of a file. Otherwise it is the identifier of a record.
    pub(super) is_file: bool,
    /// The length of the time and the mark at the end of the name.
    pub(super) mark_len: usize,
    /// The target of the link; empty for none.
    pub(super) address: String,
    /// The share of the edge that added the document to its group, and the other member, unless it represents the
    /// group.
    pub(super) join: Option<(f64, Option<usize>)>,
}

impl ViewMember {
    /// The name without the folder that contains all files of the view; identifiers of records are whole.
    pub(super) fn name_in(&self, folder: &str) -> &str {
        if self.is_file { self.name.strip_prefix(folder).unwrap_or(&self.name) } else { &self.name }
    }

    /// The name without the folder, the time and the mark.
    pub(super) fn bare_name_in(&self, folder: &str) -> &str {
        let name = self.name_in(folder);
        &name[..name.len().saturating_sub(self.mark_len)]
    }

    /// Parses a document of a row: NUL-separated fields.
    fn of_fields<'r>(fields: &mut impl Iterator<Item = &'r str>) -> Self {
        let mut next = || fields.next().unwrap_or_default().to_owned();
        let (name, is_file, address) = (next(), next(), next());
        Self { name, is_file: !is_file.is_empty(), address, mark_len: 0, join: None }
    }

    /// The fields of the document in a row.
    pub(super) fn fields(&self) -> String {
        [self.name.as_str(), if self.is_file { "file" } else { "" }, &self.address].join("\0")
    }
}

/// Groups that grow with each pair. Memory depends only on the number of documents in pairs.
pub(super) struct ViewEntries {
    /// The documents by the hashes of their names.
    numbers: HashMap<u128, usize>,
    members: Vec<ViewMember>,
    /// The parent of each document in a union-find forest; the root is its own parent.
    parents: Vec<usize>,
    /// The smallest and the largest similarity of each group, at its root.
    shares: Vec<[f64; 2]>,
    /// The strongest edges that connect the documents.
    edges: ClusterBuilder,
}

impl ViewEntry {
    /// Parses a row of NUL-separated fields: the similarity, the similarity with identifiers kept, both documents and
    /// the passages.
    pub(super) fn of_row(row: &str) -> Self {
        let mut fields = row.split('\0');
        let share: f64 = fields.next().unwrap_or_default().parse().expect("it was written as a number");
        let kept = fields.next().and_then(|kept| kept.parse().ok());
        let members = vec![ViewMember::of_fields(&mut fields), ViewMember::of_fields(&mut fields)];
        let passages = fields.next().unwrap_or_default().lines().map(str::to_owned).collect();
        Self { shares: Some([share; 2]), kept, members, passages }
    }
}

impl Default for ViewEntries {
    fn default() -> Self {
        let edges = ClusterBuilder::new(Linkage::Components, 0);
        Self { numbers: HashMap::new(), members: Vec::new(), parents: Vec::new(), shares: Vec::new(), edges }
    }
}

impl ViewEntries {
    /// Adds a pair: its similarity, and both documents with the names that identify them.
    pub(super) fn join(&mut self, share: f64, pair: [(&[u8], ViewMember); 2]) {
        let [a, b] = pair.map(|(name, member)| self.number(name, member));
        // Two documents of one name count as one.
        if a != b {
            self.edges.grow_to(self.members.len());
            self.edges.add(VerifiedEdge::new(DocId::new(a), DocId::new(b), share));
        }
        let (a, b) = (self.root(a), self.root(b));
        let (first, other) = (a.min(b), a.max(b));
        let [least, most] = self.shares[other];
        self.parents[other] = first;
        let [of_first, to] = self.shares[first];
        self.shares[first] = [of_first.min(least).min(share), to.max(most).max(share)];
    }

    /// Takes the groups, sorted by falling similarity, then by first document; members are in the order of the pairs, and
    /// each has the edge that added it.
    pub(super) fn take(&mut self) -> Vec<ViewEntry> {
        self.take_joins();
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

    /// Gives each member except the first of a group the edge that added it.
    fn take_joins(&mut self) {
        let edges = std::mem::replace(&mut self.edges, ClusterBuilder::new(Linkage::Components, 0));
        for group in edges.finish(&CentreOrder::of_documents()).iter() {
            for joined in group.joined {
                let by = group.members.binary_search(&joined.by).ok().filter(|_| joined.by != group.representative);
                self.members[joined.document.index()].join = Some((joined.similarity, by));
            }
        }
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
