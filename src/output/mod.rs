//! Output: the JSON Lines format of pairs.

mod json_lines;

pub use self::json_lines::{JsonLines, Name, PairRecord};
