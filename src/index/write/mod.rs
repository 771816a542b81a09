//! Builds an index, adds to it, removes from it, merges and checks it.

pub(super) mod numbering;
pub(super) mod known_texts;
pub(super) mod build;
pub(super) mod removing;
pub(super) mod merging;
pub(super) mod writing;
pub(super) mod part_merging;
pub(super) mod adding;
pub(super) mod stored_documents;
pub(super) mod restore;
pub(super) mod search_input;
pub(super) mod check;
pub(super) mod export;
pub(super) mod info;
