//! `Memberships`: maps the texts of a block and the candidates of a tile to their pivot groups.
//!
//! The memberships are copied from the map of all groups to arrays in the order of the texts and candidates, so that
//! counting a pair needs no look-up in a map.

use std::ops::Range;

/// The number of a pivot group, and the number of a document among its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Membership {
    pub(super) group: u32,
    pub(super) member: u32,
}

impl Membership {
    /// Marks a document without a group.
    pub(super) const NONE: Self = Self { group: u32::MAX, member: 0 };
    /// Marks a document that was compared with a pivot and did not join its group; this tile does not try another
    /// pivot.
    pub(super) const FAR: Self = Self { group: u32::MAX, member: 1 };

    fn is_in_group(self) -> bool {
        self.group != u32::MAX
    }
}

/// The memberships of a block's texts and of a tile's candidates.
#[derive(Default)]
pub(in crate::search::pairs::count) struct Memberships {
    pub(super) texts: Vec<Membership>,
    pub(super) candidates: Vec<Membership>,
}

impl Memberships {
    /// Whether a text is in a group.
    ///
    /// * `text`: the number of the text in the block.
    pub(in crate::search::pairs::count) fn is_in_group(&self, text: usize) -> bool {
        self.text(text).is_some()
    }

    /// The membership of a text, if it is in a group.
    ///
    /// * `text`: the number of the text in the block.
    pub(super) fn text(&self, text: usize) -> Option<Membership> {
        self.texts.get(text).copied().filter(|membership| membership.is_in_group())
    }

    /// The number of a candidate among the members of a group, if it is in that group.
    ///
    /// * `place`: the position of the candidate in the tile.
    #[inline]
    pub(super) fn member(&self, place: usize, group: u32) -> Option<usize> {
        let membership = self.candidates[place];
        (membership.group == group).then_some(membership.member as usize)
    }

    /// The smallest range that contains the member numbers of all these candidates.
    pub(super) fn members(&self, places: impl Iterator<Item = usize>, group: u32) -> Range<usize> {
        let members = places.filter_map(|place| self.member(place, group));
        let (first, end) =
            members.fold((usize::MAX, 0), |(first, end), member| (first.min(member), end.max(member + 1)));
        first.min(end)..end
    }
}
