//! The commands of the program, `scan`, `compare` and `curve`: flags in, output and an exit code out; one file each.

mod compare;
mod curve;
mod scan;
mod summary_file;

pub(crate) use self::compare::Compare;
pub(crate) use self::curve::Curve;
pub(crate) use self::scan::Scan;
