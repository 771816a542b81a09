//! Finds the documents of indexes that are similar to a query.

pub(super) mod question;
pub(super) mod question_sets;
pub(super) mod text_blocks;
pub(super) mod copies;
pub(super) mod candidates;
pub(super) mod open_batch;
pub(super) mod query_settings;
pub(super) mod containment;
pub(super) mod answers;
pub(super) mod answer_table;
pub(super) mod found;
pub(super) mod details;
pub(super) mod source;
pub(super) mod asked;
pub(super) mod query_run;
pub(super) mod query;
pub(super) mod followed;
pub(super) mod open_index;
pub(super) mod follow;
