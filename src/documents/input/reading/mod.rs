//! Reads every document, in parallel and in order, and reads documents again.

pub(super) mod reader;
pub(super) mod folded_piece;
pub(super) mod places;
pub(super) mod absent_by_source;
mod units;
pub(super) mod documents;
pub(super) mod in_order;
pub(super) mod work;
