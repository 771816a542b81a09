//! Records: documents that are lines or rows of something larger.

mod absent;
pub(super) mod array;
pub(super) mod delimited;
mod fields;
pub(super) mod json;
pub(super) mod json_files;
pub(super) mod lines;
mod malformed;
#[cfg(feature = "parquet")]
pub(super) mod parquet;
mod rows;
pub(super) mod sets;

pub(super) use self::absent::Absence;
pub(crate) use self::absent::AbsentFields;
pub(super) use self::fields::Fields;
