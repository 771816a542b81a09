//! Texts that an index only refers to, at their places in files.

pub(super) mod text_place;
pub(super) mod packed_file;
pub(super) mod place_reader;
