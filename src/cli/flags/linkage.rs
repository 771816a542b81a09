//! `LinkageFlag`: which pairs form a group.

use clap::ValueEnum;
use dedup_scan::compare::Linkage;

/// Which pairs connect documents to a group.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum LinkageFlag {
    /// Documents connected by pairs
    Components,
    /// A centre and documents that are pairs with it: in document order, each document without a group becomes a centre
    /// and takes all others
    Star,
    /// Documents that are all pairs with each other; the most similar groups are joined first
    Complete,
}

impl From<LinkageFlag> for Linkage {
    fn from(linkage: LinkageFlag) -> Self {
        match linkage {
            LinkageFlag::Components => Self::Components,
            LinkageFlag::Star => Self::Star,
            LinkageFlag::Complete => Self::Complete,
        }
    }
}
