//! Finds the documents of indexes that are similar to a query.

pub(super) mod query_document;
pub(super) mod query_round;
pub(super) mod text_blocks;
pub(super) mod copies;
pub(super) mod candidates;
pub(super) mod open_batch;
pub(super) mod query_settings;
pub(super) mod containment;
pub(super) mod searcher;
pub(super) mod match_table;
pub(super) mod located_match;
pub(super) mod details;
pub(super) mod source;
pub(super) mod searched_indexes;
pub(super) mod query_run;
pub(super) mod query;
pub(super) mod follow_records;
pub(super) mod open_index;
pub(super) mod follow;
