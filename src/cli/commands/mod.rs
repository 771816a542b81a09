//! The commands of the program: flags in, output and an exit code out; one file or folder each.

mod baseline;
mod cluster;
mod compare;
mod curve;
mod destination;
mod explain;
mod gate;
mod index;
mod plan;
mod printer;
mod query;
mod replaced_file;
mod report;
mod reports;
mod review;
mod saved_pairs;
mod scan;
mod sign;
mod unique;

pub(crate) use self::baseline::BaselineCommand;
pub(crate) use self::cluster::ClusterCommand;
pub(crate) use self::compare::Compare;
pub(crate) use self::curve::Curve;
pub(crate) use self::explain::ExplainCommand;
pub(crate) use self::index::IndexCommand;
pub(crate) use self::plan::PlanCommand;
pub(crate) use self::query::Query;
pub(crate) use self::report::ReportCommand;
pub(crate) use self::review::ReviewCommand;
pub(crate) use self::scan::Scan;
pub(crate) use self::sign::SignCommand;
pub(crate) use self::unique::Unique;
