//! `Memberships`: which texts of a block, and which candidates of a tile, are in a pivot group.

use std::ops::Range;

/// The place of a document in a pivot group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Membership {
    pub(super) group: u32,
    pub(super) member: u32,
}

impl Membership {
    /// In no group.
    pub(super) const NONE: Self = Self { group: u32::MAX, member: 0 };
    /// In no group: it is far from a pivot whose candidate it is, and this tile does not try another one.
    pub(super) const FAR: Self = Self { group: u32::MAX, member: 1 };

    fn is_in_group(self) -> bool {
        self.group != u32::MAX
    }
}

/// The memberships of a block's texts and of a tile's candidates.
#[derive(Default)]
pub(in crate::pairs::count) struct Memberships {
    pub(super) texts: Vec<Membership>,
    pub(super) candidates: Vec<Membership>,
}

impl Memberships {
    /// Whether a text is in a group, by its number in the block.
    pub(in crate::pairs::count) fn is_in_group(&self, text: usize) -> bool {
        self.text(text).is_some()
    }

    /// The membership of a text that is in a group, by its number in the block.
    pub(super) fn text(&self, text: usize) -> Option<Membership> {
        self.texts.get(text).copied().filter(|membership| membership.is_in_group())
    }

    /// The member that a candidate is in a group, by its place in the tile.
    #[inline]
    pub(super) fn member(&self, place: usize, group: u32) -> Option<usize> {
        let membership = self.candidates[place];
        (membership.group == group).then_some(membership.member as usize)
    }

    /// From the first to the last member that any of these candidates is.
    pub(super) fn members(&self, places: impl Iterator<Item = usize>, group: u32) -> Range<usize> {
        let members = places.filter_map(|place| self.member(place, group));
        let (first, end) =
            members.fold((usize::MAX, 0), |(first, end), member| (first.min(member), end.max(member + 1)));
        first.min(end)..end
    }
}
