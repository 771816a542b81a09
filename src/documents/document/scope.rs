//! `Scope`: decides which documents are compared with each other.
//!
//! A scope assigns every document to a *cell*: its side of a comparison, and its group. Documents of one cell with
//! equal texts are interchangeable, so each text of a cell is banded and verified once. Whether two documents may be a
//! pair follows from their cells. With two sides the cells are the sides. The documents of the first side come first,
//! so `a` of a pair always belongs to the first side.

use std::sync::Arc;

use super::id::DocId;

/// Which documents may be a pair.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// The side of each document, 0 or 1; documents of different sides are compared.
    sides: Option<Arc<[u32]>>,
    /// Whether documents of side 0 are also compared with one another. The documents of side 1 are the old ones then.
    has_old: bool,
    groups: Option<Groups>,
    /// The first of the documents that are not compared with each other, up to the last one.
    settled_from: Option<DocId>,
}

/// The group of each document.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    pub(crate) of: Arc<[u32]>,
    /// Compare only documents of the same group. Otherwise only documents of different groups are compared.
    pub(crate) within: bool,
    /// The name of each group; empty unless names are kept.
    pub(crate) names: Arc<[Box<[u8]>]>,
}

/// The reason why two documents are not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bar {
    /// Both documents are on one side of a comparison.
    SameSide,
    /// Both documents are old, and old documents are not compared with one another.
    BothOld,
    /// Both documents are in one group, and only different groups are compared.
    SameGroup,
    /// The documents are in different groups, and only documents of the same group are compared.
    OtherGroup,
}

impl Scope {
    /// A scope without restrictions unless `against` or `groups` add them.
    ///
    /// * `against`: the number of documents, at the start of the list, that are compared with the others but not among
    ///   themselves.
    pub(crate) fn new(num_documents: usize, against: Option<usize>, groups: Option<Groups>) -> Self {
        let sides = against.map(|start| (0..num_documents).map(|document| u32::from(document >= start)).collect());
        Self { sides, has_old: false, groups, settled_from: None }
    }

    /// Does not compare the documents from `first` on with each other, only with those before them. They stay in one cell
    /// with these, so a text counts as one of the documents before `first` when any of its documents is.
    pub(crate) fn with_settled_from(self, first: Option<usize>) -> Self {
        Self { settled_from: first.map(DocId::new), ..self }
    }

    /// Whether a document is a pair only with documents before it.
    pub(crate) fn is_settled(&self, document: DocId) -> bool {
        self.settled_from.is_some_and(|first| document >= first)
    }

    /// A scope in which only the last documents are not compared among themselves: the old ones.
    ///
    /// * `num_new`: the number of documents at the start of the list, which are compared with all others.
    pub(crate) fn with_old(num_documents: usize, num_new: usize, groups: Option<Groups>) -> Self {
        Self { has_old: true, ..Self::new(num_documents, Some(num_new), groups) }
    }

    /// Whether two different documents may be a pair.
    pub(crate) fn may_pair(&self, a: DocId, b: DocId) -> bool {
        let differ = |of: &[u32]| of[a.index()] != of[b.index()];
        !(self.is_settled(a) && self.is_settled(b))
            && self.sides.as_deref().is_none_or(|sides| differ(sides) || self.has_old && sides[a.index()] == 0)
            && self.groups.as_ref().is_none_or(|groups| differ(&groups.of) != groups.within)
    }

    /// The group of each document, and the names of the groups; `None` without groups.
    pub(crate) fn groups(&self) -> Option<&Groups> {
        self.groups.as_ref()
    }

    /// Removes the documents that `a` may not form a pair with from a list.
    ///
    /// * `start`: the place of the first document in the list.
    pub(crate) fn retain(&self, a: DocId, documents: &mut Vec<DocId>, start: usize) {
        if self.is_all() {
            return;
        }
        let mut end = start;
        for at in start..documents.len() {
            let document = documents[at];
            documents[end] = document;
            end += usize::from(self.may_pair(a, document));
        }
        documents.truncate(end);
    }

    /// Why two different documents cannot be a pair; `None` when they can.
    pub(crate) fn bar(&self, a: DocId, b: DocId) -> Option<Bar> {
        let differ = |of: &[u32]| of[a.index()] != of[b.index()];
        match self.sides.as_deref().filter(|sides| !differ(sides)) {
            Some(sides) if self.has_old && sides[a.index()] == 0 => {}
            Some(_) if self.has_old => return Some(Bar::BothOld),
            Some(_) => return Some(Bar::SameSide),
            None => {}
        }
        let groups = self.groups.as_ref().filter(|groups| differ(&groups.of) == groups.within)?;
        Some(if groups.within { Bar::OtherGroup } else { Bar::SameGroup })
    }

    /// Whether documents of one cell may be pairs, for every cell.
    pub(crate) fn compares_within_cells(&self) -> bool {
        self.sides.is_none() && self.groups.as_ref().is_none_or(|groups| groups.within)
    }

    /// Whether the documents of the cell of `document` may be pairs.
    pub(crate) fn compares_within_cell(&self, document: DocId) -> bool {
        let is_new = || self.has_old && !self.is_old(document);
        (self.sides.is_none() || is_new()) && self.groups.as_ref().is_none_or(|groups| groups.within)
    }

    /// Whether a document is looked at for blocks that it repeats: a document of the first side, unless only different groups
    /// are compared.
    pub(crate) fn compares_within(&self, document: DocId) -> bool {
        self.sides.as_deref().is_none_or(|sides| sides[document.index()] == 0)
            && self.groups.as_ref().is_none_or(|groups| groups.within)
    }

    /// Whether the document is old: one of those that are not compared with one another.
    pub(crate) fn is_old(&self, document: DocId) -> bool {
        self.has_old && self.sides.as_ref().is_some_and(|sides| sides[document.index()] != 0)
    }

    /// Whether all documents are compared with all others.
    pub(crate) fn is_all(&self) -> bool {
        self.sides.is_none() && self.groups.is_none() && self.settled_from.is_none()
    }

    /// The side of a document, 0 or 1; `None` without two sides, such as with old documents.
    pub(crate) fn side(&self, document: DocId) -> Option<u32> {
        self.sides.as_ref().filter(|_| !self.has_old).map(|sides| sides[document.index()])
    }

    /// The cell of a document.
    pub(crate) fn cell(&self, document: DocId) -> (u32, u32) {
        let of = |of: Option<&Arc<[u32]>>| of.map_or(0, |of| of[document.index()]);
        (of(self.sides.as_ref()), of(self.groups.as_ref().map(|groups| &groups.of)))
    }

    /// A number for each document, such that two documents with the same number are never a pair. `None` when the scope
    /// yields no such numbers.
    pub(crate) fn classes(&self) -> Option<Arc<[u32]>> {
        let across = self.groups.as_ref().filter(|groups| !groups.within).map(|groups| &groups.of);
        match &self.sides {
            // Each new document is a separate class.
            Some(sides) if self.has_old => {
                Some(sides.iter().zip(1..).map(|(&side, number)| if side == 0 { number } else { 0 }).collect())
            }
            sides => sides.as_ref().or(across).map(Arc::clone),
        }
    }

    /// The number of pairs among the documents of some cells.
    ///
    /// * `cells`: for each cell one of its documents and the number of documents in it, sorted by group.
    pub(super) fn num_pairs(&self, cells: &[(DocId, u64)]) -> u64 {
        let among = |cells: &[(DocId, u64)]| {
            let of_side =
                |side| cells.iter().filter(|cell| self.cell(cell.0).0 == side).map(|cell| cell.1).sum::<u64>();
            match self.sides {
                Some(_) if self.has_old => of_side(0) * of_side(1) + of_side(0) * of_side(0).saturating_sub(1) / 2,
                Some(_) => of_side(0) * of_side(1),
                None => of_side(0) * of_side(0).saturating_sub(1) / 2,
            }
        };
        let group = |cell: &(DocId, u64)| self.cell(cell.0).1;
        let within = || cells.chunk_by(|a, b| group(a) == group(b)).map(among).sum::<u64>();
        match &self.groups {
            None => among(cells),
            Some(groups) if groups.within => within(),
            Some(_) => among(cells) - within(),
        }
    }

    /// The value that is mixed into a document's band keys, so that documents of different groups rarely share a bucket
    /// when only documents of the same group are compared. The decision remains with [`may_pair`](Self::may_pair).
    pub(crate) fn salt(&self, document: DocId) -> u64 {
        let within = self.groups.as_ref().filter(|groups| groups.within);
        // Odd and close to 2⁶⁴ / φ, so different groups differ in many of the highest bits (Knuth, 6.4).
        within.map_or(0, |groups| u64::from(groups.of[document.index()]).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Bytes of memory that the sides and groups use.
    pub(crate) fn num_bytes(&self) -> usize {
        let len = |of: Option<&Arc<[u32]>>| of.map_or(0, |of| of.len());
        size_of::<u32>() * (len(self.sides.as_ref()) + len(self.groups.as_ref().map(|groups| &groups.of)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pairs_are_counted_as_one_by_one(
            groups in prop::collection::vec(0u32..4, 1..20),
            within in prop::option::of(any::<bool>()),
            against in prop::option::of(0usize..20),
            has_old in any::<bool>(),
        ) {
            let num_documents = groups.len();
            let with_groups = within.map(|within| Groups { of: groups.into(), within, names: Arc::default() });
            let scope = match against {
                Some(num_new) if has_old => Scope::with_old(num_documents, num_new, with_groups),
                _ => Scope::new(num_documents, against, with_groups),
            };
            let mut documents: Vec<DocId> = (0..num_documents).map(DocId::new).collect();
            let pairs = |&a: &DocId| documents.iter().filter(|&&b| a < b && scope.may_pair(a, b)).count() as u64;
            let expected: u64 = documents.iter().map(pairs).sum();
            let group_and_side = |document: DocId| (scope.cell(document).1, scope.cell(document).0);
            documents.sort_unstable_by_key(|&document| group_and_side(document));
            let cells = documents.chunk_by(|&a, &b| scope.cell(a) == scope.cell(b));
            let cells: Vec<_> = cells.map(|cell| (cell[0], cell.len() as u64)).collect();
            prop_assert_eq!(scope.num_pairs(&cells), expected);
            let within: Vec<bool> = documents.iter().map(|&document| scope.compares_within_cell(document)).collect();
            for (&a, within) in documents.iter().zip(within) {
                for &b in &documents {
                    prop_assert!(a == b || scope.may_pair(a, b) == scope.bar(a, b).is_none());
                    prop_assert!(a == b || scope.cell(a) != scope.cell(b) || scope.may_pair(a, b) == within);
                }
            }
            if let Some(classes) = scope.classes() {
                let one_class = |a: DocId, b: DocId| a != b && classes[a.index()] == classes[b.index()];
                let is_pair = documents.iter().any(|&a| documents.iter().any(|&b| one_class(a, b) && scope.may_pair(a, b)));
                prop_assert!(!is_pair);
            }
        }
    }
}
