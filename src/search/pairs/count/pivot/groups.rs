//! `PivotGroups`: finds pivots and their members tile by tile, and keeps the groups in a bounded number of bytes.
//!
//! A text becomes a pivot when the outlines rule out few of its candidates in a tile. All candidates near to it become
//! members, and later candidates of any member join when they are loaded. Groups outlive their block, so a document
//! joins only once. When memory is short, groups whose members the search has mostly passed are dropped. Pairs of
//! documents that do not fit any more are counted without groups.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::memberships::{Membership, Memberships};
use crate::compare::verify::{Difference, PivotGroup, Threshold, VerifiableSet};
use crate::documents::document::DocId;
use crate::search::pairs::context::ReusingVerifier;
use crate::search::pairs::count::tile::{Tile, TileTexts};
use crate::search::pairs::sets::LoadedDocument;

/// The minimum number of a pivot's candidates that the outlines must not rule out. Joining costs a member as much as a
/// few verifications, and should save more than that later.
const LEAST: usize = 24;
/// The minimum similarity of a member and the pivot, as far as the outlines show it. A less similar member has too
/// many hashes that the pivot lacks. With 0.8 instead, pages of one site needed 1.3 times the processor time (three
/// pairs of runs), because pairs of different groups were counted one by one; all other kinds of text needed the same
/// time as with 0.7. With 0.4, pages needed 1.5 times, and source files 1.2 times.
const NEAR: f64 = 0.7;
/// The number of candidates that one thread compares with a pivot in one task.
const TASK: usize = 64;

/// All pivot groups in memory.
pub(in crate::search::pairs::count) struct PivotGroups {
    groups: GroupList,
    memberships: HashMap<DocId, Membership>,
    threshold: Threshold,
    near: Threshold,
    most_bytes: u64,
    /// The bytes of the groups and of their pivots' sets.
    group_bytes: u64,
}

/// The pivot groups, by number.
#[derive(Default)]
pub(in crate::search::pairs::count) struct GroupList(Vec<GroupOfPivot>);

impl GroupList {
    /// The settled group with this number.
    pub(super) fn get(&self, group: u32) -> &PivotGroup {
        &self.0[group as usize].group
    }

    fn num_bytes(&self) -> u64 {
        self.0.iter().map(GroupOfPivot::num_bytes).sum()
    }
}

/// A pivot and its group.
struct GroupOfPivot {
    pivot: Arc<LoadedDocument>,
    group: PivotGroup,
}

impl GroupOfPivot {
    fn num_bytes(&self) -> u64 {
        let pivot = self.pivot.whole_set().map_or(0, VerifiableSet::num_bytes);
        (self.group.num_bytes() + size_of::<Self>() + pivot) as u64
    }
}

impl PivotGroups {
    /// * `most_bytes`: the maximum size of the groups, with the sets of their pivots.
    pub(in crate::search::pairs::count) fn new(threshold: Threshold, most_bytes: u64) -> Self {
        let near = Threshold::new(NEAR).expect("in 0..=1");
        let (groups, memberships) = (GroupList::default(), HashMap::new());
        Self { groups, memberships, threshold, near, most_bytes, group_bytes: 0 }
    }

    pub(in crate::search::pairs::count) fn num_bytes(&self) -> u64 {
        // A map is at most seven eighths full, and doubles when it grows.
        let map = self.memberships.capacity() * (size_of::<(DocId, Membership)>() + 1) * 8 / 7;
        map as u64 + self.group_bytes
    }

    /// Begins a block; documents join only during a block. When memory is short, drops groups if `is_past` returns true
    /// for most of their members.
    pub(in crate::search::pairs::count) fn begin_block(&mut self, is_past: impl Fn(DocId) -> bool) -> BlockGroups<'_> {
        if !self.groups.0.is_empty() && self.num_bytes() > self.most_bytes / 2 {
            self.drop_past(is_past);
        }
        BlockGroups { all: self }
    }

    fn drop_past(&mut self, is_past: impl Fn(DocId) -> bool) {
        let mut to_come = vec![0; self.groups.0.len()];
        for (document, membership) in &self.memberships {
            to_come[membership.group as usize] += usize::from(!is_past(*document));
        }
        let mut num_kept = 0;
        let new_number = |(of_pivot, to_come): (&GroupOfPivot, usize)| {
            let stays = to_come > 0 && 2 * to_come >= of_pivot.group.len();
            num_kept += u32::from(stays);
            stays.then(|| num_kept - 1)
        };
        let numbers: Vec<Option<u32>> = self.groups.0.iter().zip(to_come).map(new_number).collect();
        let mut stays = numbers.iter();
        self.groups.0.retain(|_| stays.next().is_some_and(Option::is_some));
        self.memberships.retain(|_, membership| {
            let number = numbers[membership.group as usize];
            membership.group = number.unwrap_or(u32::MAX);
            number.is_some()
        });
        self.memberships.shrink_to_fit();
        self.group_bytes = self.groups.num_bytes();
    }

    /// Whether the groups are so nearly full that a tile should add no more documents.
    fn is_full(&self) -> bool {
        self.num_bytes() > self.most_bytes / 8 * 7
    }

    /// The membership of a document, or [`Membership::NONE`].
    fn membership(&self, document: DocId) -> Membership {
        self.memberships.get(&document).copied().unwrap_or(Membership::NONE)
    }

    /// The documents that may be near to the pivot with their sets, and how many of them may reach the threshold with
    /// it.
    fn near<'t>(
        &self,
        pivot: &VerifiableSet,
        documents: &[DocId],
        tile: &'t Tile<'_>,
    ) -> (Vec<(DocId, &'t VerifiableSet)>, usize) {
        let outline = pivot.outline();
        let near = |&document: &DocId| {
            let place = tile.place(document);
            let theirs = tile.outlines().get(place)?;
            let set = tile.document(place)?.whole_set()?;
            let is_near = !outline.rules_out(&theirs, self.near);
            is_near.then(|| (document, set, !outline.rules_out(&theirs, self.threshold)))
        };
        let near: Vec<_> = documents.par_iter().with_min_len(TASK).filter_map(near).collect();
        let num_passing = near.iter().filter(|(.., passes)| *passes).count();
        (near.into_iter().map(|(document, set, _)| (document, set)).collect(), num_passing)
    }

    /// Makes documents members of a group, as long as there is memory.
    fn join(&mut self, group: u32, pivot: &VerifiableSet, documents: &[(DocId, &VerifiableSet)]) {
        let mut rest = documents;
        while !rest.is_empty() {
            // Half of the memory is for making the differences, and half for the group. An upper bound of a
            // difference's size is known in advance; its real size is mostly a tenth of that.
            let room = self.most_bytes.saturating_sub(self.num_bytes());
            let (passing_room, room) = (room / 2, room / 2);
            let most_bytes =
                |(_, set): &(DocId, &VerifiableSet)| Difference::most_bytes(set.set().len(), pivot.set().len());
            let num_fitting = num_fitting(rest.iter().map(most_bytes), passing_room);
            let Some(batch) = rest.split_off(..num_fitting) else { return };
            let differences = |batch: &[(DocId, &VerifiableSet)]| {
                let mut verifier = ReusingVerifier::new(pivot);
                batch.iter().map(|(_, set)| Difference::new(&mut verifier, set)).collect::<Vec<_>>()
            };
            let mut differences: Vec<Difference> = batch.par_chunks(TASK).flat_map_iter(differences).collect();
            differences.truncate(self::num_fitting(differences.iter().map(Difference::most_bytes_in_group), room));
            if differences.is_empty() {
                return;
            }
            let of_pivot = &mut self.groups.0[group as usize];
            for ((document, _), member) in batch.iter().zip(of_pivot.group.len() as u32..).take(differences.len()) {
                self.memberships.insert(*document, Membership { group, member });
            }
            self.group_bytes -= of_pivot.num_bytes();
            of_pivot.group.extend(&differences);
            self.group_bytes += of_pivot.num_bytes();
            if differences.len() < batch.len() {
                return;
            }
        }
    }
}

/// The pivot groups during one block.
pub(in crate::search::pairs::count) struct BlockGroups<'g> {
    all: &'g mut PivotGroups,
}

impl BlockGroups<'_> {
    /// Adds documents of the tile to groups, and returns the memberships of all texts and candidates.
    pub(in crate::search::pairs::count) fn gather(&mut self, texts: &TileTexts<'_>, tile: &Tile<'_>) -> Memberships {
        let all = &mut *self.all;
        // Groups count shingles, so they do not apply where shingles have weights.
        let has_weights = || texts.own.iter().flatten().any(|own| own.has_weights());
        if all.groups.0.is_empty() && (texts.lists.iter().all(|list| list.len() < LEAST) || has_weights()) {
            return Memberships::default();
        }
        let mut candidates: Vec<Membership> = tile.documents.iter().map(|&document| all.membership(document)).collect();
        let mut num_open = candidates.iter().filter(|&&membership| membership == Membership::NONE).count();
        for (text, list) in texts.lists.iter().enumerate() {
            if num_open == 0 || all.is_full() {
                break;
            }
            let membership = all.memberships.get(&texts.firsts[text]).copied();
            if membership.is_none() && list.len().min(num_open) < LEAST {
                continue;
            }
            let is_open = |candidate: &&DocId| candidates[tile.place(**candidate)] == Membership::NONE;
            let open: Vec<DocId> = list.iter().filter(is_open).copied().collect();
            let group = match membership {
                Some(membership) => membership.group,
                None if open.len() < LEAST => continue,
                None => all.groups.0.len() as u32,
            };
            let pivot = match all.groups.0.get(group as usize) {
                Some(of_pivot) => Arc::clone(&of_pivot.pivot),
                None => match &texts.own[text] {
                    Some(own) => Arc::clone(own),
                    None => continue,
                },
            };
            let Some(pivot_set) = pivot.whole_set() else { continue };
            let (near, num_passing) = all.near(pivot_set, &open, tile);
            num_open -= open.len();
            for &candidate in &open {
                candidates[tile.place(candidate)] = Membership::FAR;
            }
            if membership.is_none() {
                if num_passing < LEAST {
                    continue;
                }
                all.groups.0.push(GroupOfPivot { pivot: Arc::clone(&pivot), group: PivotGroup::default() });
                all.group_bytes += all.groups.0[group as usize].num_bytes();
                all.join(group, pivot_set, &[(texts.firsts[text], pivot_set)]);
            }
            all.join(group, pivot_set, &near);
            for (candidate, _) in &near {
                if let Some(&membership) = all.memberships.get(candidate) {
                    candidates[tile.place(*candidate)] = membership;
                }
            }
        }
        all.groups.0.par_iter_mut().for_each(|of_pivot| of_pivot.group.settle());
        all.group_bytes = all.groups.num_bytes();
        Memberships { texts: texts.firsts.iter().map(|&first| all.membership(first)).collect(), candidates }
    }

    /// All groups.
    pub(in crate::search::pairs::count) fn groups(&self) -> &GroupList {
        &self.all.groups
    }

    pub(in crate::search::pairs::count) fn num_bytes(&self) -> u64 {
        self.all.num_bytes()
    }
}

/// How many of these sizes fit into `room` bytes together.
fn num_fitting(sizes: impl Iterator<Item = u64>, mut room: u64) -> usize {
    let fits = |&size: &u64| {
        let rest = room.checked_sub(size);
        room = rest.unwrap_or(0);
        rest.is_some()
    };
    sizes.take_while(fits).count()
}
