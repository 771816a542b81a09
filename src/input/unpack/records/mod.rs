//! Records: reads formats in which one file holds many documents, as lines or rows.

pub(in crate::input) mod absent;
pub(in crate::input) mod array;
#[cfg(feature = "parquet")]
pub(in crate::input) mod cells;
pub(in crate::input) mod delimited;
pub(in crate::input) mod dialect;
pub(in crate::input) mod fields;
pub(in crate::input) mod first_rows;
pub(in crate::input) mod json;
pub(in crate::input) mod json_files;
pub(in crate::input) mod lines;
pub(in crate::input) mod malformed;
#[cfg(feature = "parquet")]
pub(in crate::input) mod parquet;
pub(in crate::input) mod record;
pub(in crate::input) mod rows;
pub(in crate::input) mod sets;
pub(in crate::input) mod splitter;
pub(in crate::input) mod stored_rows;
