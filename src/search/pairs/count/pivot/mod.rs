//! Pivot groups: where many texts are near to one text, the pivot, pairs of them are counted from their differences to
//! it.
//!
//! [`PivotGroups`] finds the groups and keeps them from tile to tile. [`Memberships`] maps documents to their groups.
//! [`PivotCounter`] counts the pairs of two members.

mod groups;
mod in_pivot_group;
mod memberships;

pub(super) use self::groups::PivotGroups;
pub(super) use self::in_pivot_group::PivotCounter;
pub(super) use self::memberships::Memberships;

#[cfg(test)]
mod tests;
