//! The flags that take shingles out of every document before it is compared.

use std::path::PathBuf;

use clap::Args;

/// What is taken out.
#[derive(Debug, Args)]
pub(crate) struct TemplateFlags {
    /// Take the shingles of a text out of every document before it is compared: starter code, a form, a licence header; a file,
    /// or all that are in a folder or in JSON Lines; repeatable. Each line then also has `jaccard_raw`, of the whole documents
    #[arg(long, value_name = "PATH", help_heading = "Pairs")]
    pub(crate) template: Vec<PathBuf>,
}
