//! The flags for shingles to remove: `--template` and `--max-df`.

use std::path::PathBuf;

use clap::Args;
use dedup_scan::text::{MaxDf, RemovalSettings};

/// The shingles that are removed before texts are compared.
#[derive(Debug, Args)]
pub(crate) struct RemovalFlags {
    /// Remove the shingles of a text from every document before it is compared: starter code, a form, a licence header.
    /// PATH is a file, a folder or JSON Lines; repeatable. Adds `jaccard_raw`, the similarity of the whole documents,
    /// to each line
    #[arg(long, value_name = "PATH", help_heading = "Pairs")]
    pub(crate) template: Vec<PathBuf>,

    /// Remove the shingles that occur in more than N documents, or in more than a percentage of the documents, such as
    /// 5%. Documents with equal texts count as one. Reads the documents at least once more
    #[arg(long, value_name = "N|PERCENT", allow_negative_numbers = true, help_heading = "Pairs")]
    max_df: Option<MaxDf>,
}

impl RemovalFlags {
    pub(crate) fn settings(&self) -> RemovalSettings {
        RemovalSettings { templates: self.template.clone(), max_df: self.max_df }
    }
}
