//! The commands of the program, `scan`, `compare`, `cluster`, `explain` and `curve`: flags in, output and an exit code out.

mod cluster;
mod compare;
mod curve;
mod destination;
mod explain;
mod printer;
mod replaced_file;
mod scan;

pub(crate) use self::cluster::ClusterCommand;
pub(crate) use self::compare::Compare;
pub(crate) use self::curve::Curve;
pub(crate) use self::explain::ExplainCommand;
pub(crate) use self::scan::Scan;
