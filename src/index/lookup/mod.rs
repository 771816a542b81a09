//! Finds the documents of indexes that are similar to a query.
//!
//! `query` searches for the documents of inputs, which `query_reading` reads in batches. `query_run` passes each batch
//! on to `searcher`, which finds candidates by keys (`candidates`) or by sampled shingles (`containment`), reads their
//! texts (`text_blocks`), and proves each result by an exact count. `copies` adds the documents with an equal text, and
//! `details` the passages. `result_table` turns the results into documents and pairs for the output. `follow` and
//! `open_index` are the entrances for one query at a time.

pub(super) mod query_document;
pub(super) mod query_round;
pub(super) mod text_blocks;
pub(super) mod copies;
pub(super) mod candidates;
pub(super) mod open_batch;
pub(super) mod query_settings;
pub(super) mod containment;
pub(super) mod searcher;
pub(super) mod result_table;
pub(super) mod found_match;
pub(super) mod details;
pub(super) mod source;
pub(super) mod searched_indexes;
pub(super) mod query_reading;
pub(super) mod query_run;
pub(super) mod query;
pub(super) mod follow_records;
pub(super) mod open_index;
pub(super) mod follow;
