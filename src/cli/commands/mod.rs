//! The commands of the program, `scan`, `compare`, `unique` and `curve`: flags in, output and an exit code out; one file each.

mod compare;
mod curve;
mod own_files;
mod scan;
mod summary_file;
mod unique;

pub(crate) use self::compare::Compare;
pub(crate) use self::curve::Curve;
pub(crate) use self::scan::Scan;
pub(crate) use self::unique::Unique;
