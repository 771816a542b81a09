//! `PivotCounter`: counts pairs of two members of the same pivot group.
//!
//! A group stores for each member which hashes of the pivot it has, as bits, and its other hashes as a short list. So a
//! pair of members is counted from bits and short lists, without the sets.

use std::cell::Cell;

use super::groups::GroupList;
use super::memberships::{Membership, Memberships};
use crate::compare::verify::{PivotGroupVerifier, SharedShingles, Threshold};
use crate::documents::document::DocId;
use crate::search::pairs::count::strategy::{Counted, Strategy};
use crate::search::pairs::count::tile::Tile;

/// Counts the shingles that a member of a pivot group shares with other members.
pub(in crate::search::pairs::count) struct PivotCounter<'t> {
    memberships: &'t Memberships,
    group: u32,
    verifier: PivotGroupVerifier<'t>,
    threshold: Threshold,
}

thread_local! {
    /// The buffer for the last member that a thread compared with others.
    static MEMBER: Cell<Vec<u32>> = Cell::default();
}

impl<'t> PivotCounter<'t> {
    /// Returns `None` when the text is not in a group.
    ///
    /// * `text`: the number of the text in the block.
    /// * `candidates`: the candidates with which it is compared.
    pub(in crate::search::pairs::count) fn new(
        groups: &'t GroupList,
        memberships: &'t Memberships,
        text: usize,
        candidates: &[DocId],
        tile: &Tile<'_>,
        threshold: Threshold,
    ) -> Option<Self> {
        let Membership { group, member } = memberships.text(text)?;
        let others = memberships.members(candidates.iter().map(|&candidate| tile.place(candidate)), group);
        let verifier = PivotGroupVerifier::new(groups.get(group), member as usize, others, MEMBER.take());
        Some(Self { memberships, group, verifier, threshold })
    }
}

impl Strategy for PivotCounter<'_> {
    /// Returns `Unable` when the candidate is not in the group.
    #[inline]
    fn count(&mut self, place: usize) -> Counted {
        let Some(member) = self.memberships.member(place, self.group) else { return Counted::Unable };
        let shared = self.verifier.verify(member, self.threshold);
        Counted::new(shared.map(|shingles| SharedShingles::counted(shingles as u64)))
    }
}

impl Drop for PivotCounter<'_> {
    fn drop(&mut self) {
        MEMBER.set(self.verifier.take_memory());
    }
}
