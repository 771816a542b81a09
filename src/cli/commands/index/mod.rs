//! `dedup index`: makes, changes and reads an index; one file for each kind of command.

mod changing;
mod looking;
mod making;
mod restoring;

use clap::{Args, Subcommand};

use self::changing::{IndexAdd, IndexCompact, IndexRemove};
use self::looking::{IndexCheck, IndexExport, IndexInfoCommand, IndexList};
use self::making::IndexBuild;
use self::restoring::{IndexMerge, IndexRebuild};
use crate::cli::exit_code::ExitCode;
use crate::cli::messages::Result;

/// Build and update an index, the file that `dedup query` searches
///
/// An index is updated in place: documents are added and removed while other processes query it.
#[derive(Debug, Args)]
#[command(after_help = ExitCode::help(None))]
pub(crate) struct IndexCommand {
    #[command(subcommand)]
    command: IndexSubcommand,
}

#[derive(Debug, Subcommand)]
enum IndexSubcommand {
    Build(Box<IndexBuild>),
    Add(Box<IndexAdd>),
    Remove(IndexRemove),
    Merge(IndexMerge),
    Rebuild(Box<IndexRebuild>),
    Compact(IndexCompact),
    Check(IndexCheck),
    Info(IndexInfoCommand),
    List(IndexList),
    Export(IndexExport),
}

impl IndexCommand {
    /// * `given`: the ids of the flags on the command line.
    pub(crate) fn run(self, given: &[String]) -> Result<ExitCode> {
        match self.command {
            IndexSubcommand::Build(build) => build.run(),
            IndexSubcommand::Add(add) => add.run(given),
            IndexSubcommand::Remove(remove) => remove.run(),
            IndexSubcommand::Merge(merge) => merge.run(),
            IndexSubcommand::Rebuild(rebuild) => rebuild.run(given),
            IndexSubcommand::Compact(compact) => compact.run(),
            IndexSubcommand::Check(check) => check.run(),
            IndexSubcommand::Info(info) => info.run(),
            IndexSubcommand::List(list) => list.run(),
            IndexSubcommand::Export(export) => export.run(),
        }
    }
}
