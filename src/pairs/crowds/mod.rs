//! Crowds among the candidates: where one text has many that are near to it, they are kept as how they differ from it, and
//! pairs of them are counted by that.
//!
//! A text whose candidates in a tile would mostly pass the outlines becomes a pivot, and all candidates near to it
//! members; later candidates of any member join when they come to hand. Crowds outlive their block, so every document
//! pays once to come in; those of which most members are behind are dropped when room is short, and what does not fit
//! is compared as if there were none.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::block::INDEXES;
use crate::document::DocId;
use crate::pairs::set_cache::{Cached, Shingles};
use crate::verify::{Crowd, Difference, Outlines, Threshold, VerifiableSet, Verifier};

/// So many candidates of a pivot the outlines should not rule out: to come in costs a member as much as a few
/// verifications, which it should save later.
const LEAST: usize = 24;
/// Least similarity of a member to the pivot, as the outlines have it: what is farther has more extras than it is worth.
/// With 0.4 instead, 46,000 source files took 1.2 times the processor time, 25,000 records with crowds 1.3 times, and pages of
/// one site a third more memory.
const NEAR: f64 = 0.8;
/// Candidates that one thread holds against a pivot at a time.
const TASK: usize = 64;

/// Where a document stands in a crowd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) crowd: u32,
    pub(super) member: u32,
}

impl Standing {
    /// In none.
    const NONE: Self = Self { crowd: u32::MAX, member: 0 };
    /// In none: it is far from a pivot whose candidate it is, and this tile does not try again.
    const FAR: Self = Self { crowd: u32::MAX, member: 1 };

    fn is_in(self) -> bool {
        self.crowd != u32::MAX
    }
}

/// All crowds at hand.
pub(super) struct Crowds {
    crowds: Vec<PivotedCrowd>,
    standings: HashMap<DocId, Standing>,
    threshold: Threshold,
    near: Threshold,
    most_bytes: u64,
    /// Bytes of the crowds and their pivots.
    crowd_bytes: u64,
}

/// A crowd and its pivot.
struct PivotedCrowd {
    pivot: Arc<Cached>,
    crowd: Crowd,
}

impl PivotedCrowd {
    fn num_bytes(&self) -> u64 {
        let pivot = match &self.pivot.shingles {
            Shingles::Set(set) => set.num_bytes(),
            Shingles::Huge(_) => 0,
        };
        (self.crowd.num_bytes() + size_of::<Self>() + pivot) as u64
    }
}

/// Documents of a tile as candidates of a block's texts; the tile and each list ascending.
pub(super) struct TileView<'t> {
    pub(super) firsts: &'t [DocId],
    pub(super) own: &'t [Option<Arc<Cached>>],
    /// The candidates of each text in the tile.
    pub(super) lists: &'t [&'t [DocId]],
    pub(super) documents: &'t [DocId],
    pub(super) sets: &'t [Option<Arc<Cached>>],
    pub(super) outlines: &'t Outlines,
    /// Where each document stands in the lists above.
    pub(super) places: &'t [u32],
}

/// Where the texts and candidates at hand stand; those in one crowd can be counted by it.
#[derive(Default)]
pub(super) struct Standings {
    texts: Vec<Standing>,
    candidates: Vec<Standing>,
}

impl Standings {
    /// The standing of a text that is in a crowd, by its number in the block.
    pub(super) fn text(&self, text: usize) -> Option<Standing> {
        self.texts.get(text).copied().filter(|standing| standing.is_in())
    }

    /// The member that a candidate is in a crowd, by its place in the tile.
    #[inline]
    pub(super) fn member(&self, place: usize, crowd: u32) -> Option<usize> {
        let standing = self.candidates[place];
        (standing.crowd == crowd).then_some(standing.member as usize)
    }

    /// From the first to the last member that any of these candidates is.
    pub(super) fn members(&self, places: impl Iterator<Item = usize>, crowd: u32) -> Range<usize> {
        let members = places.filter_map(|place| self.member(place, crowd));
        let (first, end) =
            members.fold((usize::MAX, 0), |(first, end), member| (first.min(member), end.max(member + 1)));
        first.min(end)..end
    }
}

impl Crowds {
    /// * `most_bytes`: that crowds take, with the sets of their pivots.
    pub(super) fn new(threshold: Threshold, most_bytes: u64) -> Self {
        let near = Threshold::new(NEAR).expect("in 0..=1");
        Self { crowds: Vec::new(), standings: HashMap::new(), threshold, near, most_bytes, crowd_bytes: 0 }
    }

    /// The crowd of this number, settled.
    pub(super) fn get(&self, crowd: u32) -> &Crowd {
        &self.crowds[crowd as usize].crowd
    }

    pub(super) fn num_bytes(&self) -> u64 {
        // A map is at most seven eighths full, and doubles.
        let map = self.standings.capacity() * (size_of::<(DocId, Standing)>() + 1) * 8 / 7;
        map as u64 + self.crowd_bytes
    }

    /// Whether a tile need not try to take documents in.
    fn is_full(&self) -> bool {
        self.num_bytes() > self.most_bytes / 8 * 7
    }

    /// A new block begins. When room gets short, crowds go most of whose members `is_past` tells of.
    pub(super) fn begin_block(&mut self, is_past: impl Fn(DocId) -> bool) {
        if self.crowds.is_empty() || self.num_bytes() <= self.most_bytes / 2 {
            return;
        }
        let mut to_come = vec![0; self.crowds.len()];
        for (document, standing) in &self.standings {
            to_come[standing.crowd as usize] += usize::from(!is_past(*document));
        }
        let mut kept = 0;
        let stays =
            self.crowds.iter().zip(to_come).map(|(around, to_come)| to_come > 0 && 2 * to_come >= around.crowd.len());
        let numbers: Vec<Option<u32>> = stays
            .map(|stays| {
                kept += u32::from(stays);
                stays.then(|| kept - 1)
            })
            .collect();
        let mut stays = numbers.iter();
        self.crowds.retain(|_| stays.next().is_some_and(Option::is_some));
        self.standings.retain(|_, standing| match numbers[standing.crowd as usize] {
            Some(number) => {
                standing.crowd = number;
                true
            }
            None => false,
        });
        self.standings.shrink_to_fit();
        self.crowd_bytes = self.crowds.iter().map(PivotedCrowd::num_bytes).sum();
    }

    /// Takes documents of the tile in, and says where all stand.
    pub(super) fn gather(&mut self, tile: &TileView<'_>) -> Standings {
        if self.crowds.is_empty() && tile.lists.iter().all(|list| list.len() < LEAST) {
            return Standings::default();
        }
        let standing = |document| self.standings.get(document).copied().unwrap_or(Standing::NONE);
        let mut candidates: Vec<Standing> = tile.documents.iter().map(standing).collect();
        let mut num_open = candidates.iter().filter(|&&standing| standing == Standing::NONE).count();
        for (text, list) in tile.lists.iter().enumerate() {
            if num_open == 0 || self.is_full() {
                break;
            }
            let standing = self.standings.get(&tile.firsts[text]).copied();
            if standing.is_none() && list.len().min(num_open) < LEAST {
                continue;
            }
            let is_open = |candidate: &&DocId| candidates[tile.places[candidate.index()] as usize] == Standing::NONE;
            let open: Vec<DocId> = list.iter().filter(is_open).copied().collect();
            let crowd = match standing {
                Some(standing) => standing.crowd,
                None if open.len() < LEAST => continue,
                None => self.crowds.len() as u32,
            };
            let pivot = match self.crowds.get(crowd as usize) {
                Some(around) => Arc::clone(&around.pivot),
                None => match &tile.own[text] {
                    Some(own) => Arc::clone(own),
                    None => continue,
                },
            };
            let Shingles::Set(pivot_set) = &pivot.shingles else { continue };
            let (near, num_passing) = self.near(pivot_set, &open, tile);
            num_open -= open.len();
            for candidate in &open {
                candidates[tile.places[candidate.index()] as usize] = Standing::FAR;
            }
            if standing.is_none() {
                if num_passing < LEAST {
                    continue;
                }
                self.crowds.push(PivotedCrowd { pivot: Arc::clone(&pivot), crowd: Crowd::default() });
                self.crowd_bytes += self.crowds[crowd as usize].num_bytes();
                self.join(crowd, pivot_set, &[(tile.firsts[text], pivot_set)]);
            }
            self.join(crowd, pivot_set, &near);
            for (candidate, _) in &near {
                if let Some(&standing) = self.standings.get(candidate) {
                    candidates[tile.places[candidate.index()] as usize] = standing;
                }
            }
        }
        self.crowds.par_iter_mut().for_each(|around| around.crowd.settle());
        self.crowd_bytes = self.crowds.iter().map(PivotedCrowd::num_bytes).sum();
        let standing = |first| self.standings.get(first).copied().unwrap_or(Standing::NONE);
        Standings { texts: tile.firsts.iter().map(standing).collect(), candidates }
    }

    /// The documents that may be near to the pivot, and how many of them may reach the threshold with it.
    fn near<'t>(
        &self,
        pivot: &VerifiableSet,
        documents: &[DocId],
        tile: &TileView<'t>,
    ) -> (Vec<(DocId, &'t VerifiableSet)>, usize) {
        let outline = pivot.outline();
        let near = |&document: &DocId| {
            let place = tile.places[document.index()] as usize;
            let theirs = tile.outlines.get(place)?;
            let Shingles::Set(set) = &tile.sets[place].as_ref()?.shingles else { return None };
            let is_near = !outline.rules_out(&theirs, self.near);
            is_near.then(|| (document, set, !outline.rules_out(&theirs, self.threshold)))
        };
        let near: Vec<_> = documents.par_iter().with_min_len(TASK).filter_map(near).collect();
        let num_passing = near.iter().filter(|(.., passes)| *passes).count();
        (near.into_iter().map(|(document, set, _)| (document, set)).collect(), num_passing)
    }

    /// Makes documents members of a crowd, as long as there is room.
    fn join(&mut self, crowd: u32, pivot: &VerifiableSet, documents: &[(DocId, &VerifiableSet)]) {
        let mut rest = documents;
        while !rest.is_empty() {
            // What the differences may take is known before, and what they take is mostly a tenth of it.
            let room = self.most_bytes.saturating_sub(self.num_bytes());
            let (passing_room, room) = (room / 2, room / 2);
            let most_bytes =
                |(_, set): &(DocId, &VerifiableSet)| Difference::most_bytes(set.set().len(), pivot.set().len());
            let num_fitting = num_fitting(rest.iter().map(most_bytes), passing_room);
            let Some(batch) = rest.split_off(..num_fitting) else { return };
            let differences = |batch: &[(DocId, &VerifiableSet)]| {
                let mut verifier = Verifier::reusing(pivot, INDEXES.take());
                let differences: Vec<Difference> =
                    batch.iter().map(|(_, set)| Difference::new(&mut verifier, set)).collect();
                INDEXES.set(verifier.into_indexes());
                differences
            };
            let mut differences: Vec<Difference> = batch.par_chunks(TASK).flat_map_iter(differences).collect();
            differences.truncate(self::num_fitting(differences.iter().map(Difference::most_bytes_in_crowd), room));
            if differences.is_empty() {
                return;
            }
            let around = &mut self.crowds[crowd as usize];
            for ((document, _), member) in batch.iter().zip(around.crowd.len() as u32..).take(differences.len()) {
                self.standings.insert(*document, Standing { crowd, member });
            }
            self.crowd_bytes -= around.num_bytes();
            around.crowd.extend(&differences);
            self.crowd_bytes += around.num_bytes();
            if differences.len() < batch.len() {
                return;
            }
        }
    }
}

/// How many of these sizes fit the room together.
fn num_fitting(sizes: impl Iterator<Item = u64>, mut room: u64) -> usize {
    let fits = |&size: &u64| {
        let rest = room.checked_sub(size);
        room = rest.unwrap_or(0);
        rest.is_some()
    };
    sizes.take_while(fits).count()
}

#[cfg(test)]
mod tests;
