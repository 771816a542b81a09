//! Reads one generation of an index.

pub(super) mod doc_reader;
pub(super) mod reader;
pub(super) mod text_reader;
pub(super) mod referred_texts;
pub(super) mod stale;
pub(super) mod index_match;
pub(super) mod loaded_text;
