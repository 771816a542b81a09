//! Stored texts, and what is known of their documents.

pub(super) mod docs;
pub(super) mod stored_texts;
pub(super) mod block_sizer;
pub(super) mod common_words;
pub(super) mod text_writer;
