//! Pivot groups among the candidates: where many texts are near to one, pairs of them are counted by how they differ from
//! it.
//!
//! [`PivotGroups`] finds the groups and keeps them from tile to tile. [`Memberships`] says who is in which group.
//! [`InPivotGroup`] counts the pairs of two members.

mod groups;
mod in_pivot_group;
mod memberships;

pub(super) use self::groups::PivotGroups;
pub(super) use self::in_pivot_group::InPivotGroup;
pub(super) use self::memberships::Memberships;

#[cfg(test)]
mod tests;
