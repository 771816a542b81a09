//! Records: reads formats in which one file holds many documents, as lines or rows.

pub(in crate::documents::input) mod absent;
#[cfg(feature = "arrow")]
pub(in crate::documents::input) mod arrow;
#[cfg(feature = "arrow")]
mod arrow_lengths;
#[cfg(feature = "parquet")]
pub(in crate::documents::input) mod cells;
pub(in crate::documents::input) mod delimited;
pub(in crate::documents::input) mod dialect;
pub(in crate::documents::input) mod doubtful_quotes;
pub(in crate::documents::input) mod fields;
pub(in crate::documents::input) mod first_rows;
pub(in crate::documents::input) mod json;
pub(in crate::documents::input) mod json_files;
pub(in crate::documents::input) mod lines;
pub(in crate::documents::input) mod malformed;
#[cfg(feature = "parquet")]
pub(in crate::documents::input) mod parquet;
pub(in crate::documents::input) mod record;
pub(in crate::documents::input) mod rows;
pub(in crate::documents::input) mod sets;
pub(in crate::documents::input) mod splitter;
pub(in crate::documents::input) mod stored_rows;
pub(in crate::documents::input) mod text_values;
