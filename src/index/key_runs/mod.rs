//! Sorted runs of keys: band keys, hashes of names, hashes of texts.

pub(super) mod sorted_runs;
pub(super) mod packed_run;
