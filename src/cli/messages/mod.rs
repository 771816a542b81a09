//! Messages: all that people read on stderr.

mod failure;
mod report;
pub(crate) mod usage;
pub(crate) mod waiting;
mod warnings;

pub(crate) use self::failure::{Failure, Result};
pub(crate) use self::report::{Reporter, banding, line, percent, summary};
pub(crate) use self::warnings::warnings;
