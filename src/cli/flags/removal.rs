//! The flags that take shingles out of every document before it is compared.

use std::path::PathBuf;

use clap::Args;
use dedup_scan::{MaxDf, RemovalSettings};

/// What is taken out.
#[derive(Debug, Args)]
pub(crate) struct RemovalFlags {
    /// Take the shingles of a text out of every document before it is compared: starter code, a form, a licence header; a file,
    /// or all that are in a folder or in JSON Lines; repeatable. Each line then also has `jaccard_raw`, of the whole documents
    #[arg(long, value_name = "PATH", help_heading = "Pairs")]
    pub(crate) template: Vec<PathBuf>,

    /// Take shingles out that are in more than so many documents, or in more than so many in a hundred of them, as 5%;
    /// documents with equal texts count as one. Takes at least one reading more
    #[arg(long, value_name = "N|PERCENT", allow_negative_numbers = true, help_heading = "Pairs")]
    max_df: Option<MaxDf>,
}

impl RemovalFlags {
    pub(crate) fn settings(&self) -> RemovalSettings {
        RemovalSettings { templates: self.template.clone(), max_df: self.max_df }
    }
}
