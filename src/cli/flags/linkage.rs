//! The values of `--linkage`: which pairs form a group.

use dedup_scan::compare::Linkage;

use super::values::Choices;

/// Which pairs connect documents to a group.
pub(crate) const LINKAGES: Choices<Linkage> = &[
    ("components", Linkage::Components, "Documents connected by pairs"),
    (
        "star",
        Linkage::Star,
        "A centre and documents that are pairs with it: in document order, each document without a group becomes a centre and \
         takes all others",
    ),
    (
        "complete",
        Linkage::Complete,
        "Documents that are all pairs with each other; the most similar groups are joined first",
    ),
];
