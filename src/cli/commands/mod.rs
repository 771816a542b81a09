//! The commands of the program, `scan`, `compare`, `cluster` and `curve`: flags in, output and an exit code out; one file each.

mod cluster;
mod compare;
mod curve;
mod destination;
mod printer;
mod replaced_file;
mod scan;

pub(crate) use self::cluster::ClusterCommand;
pub(crate) use self::compare::Compare;
pub(crate) use self::curve::Curve;
pub(crate) use self::scan::Scan;
