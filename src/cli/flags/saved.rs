//! `SavedFlags`: which saved result is read, and which of its pairs are used.

use std::path::{Path, PathBuf};

use clap::Args;
use dedup_scan::Threshold;
use dedup_scan::results::PairFilter;

use super::values::{coverage, similarity, whole};
use crate::cli::messages::Result;

/// The saved result to read.
#[derive(Debug, Args)]
pub(crate) struct ResultArgument {
    /// A folder of `dedup scan --save`, a file of pairs, or `-` for pairs on standard input
    #[arg(value_name = "RESULT", required_unless_present = "from")]
    result: Option<PathBuf>,

    /// The result, as it was given before it became an argument
    #[arg(long, value_name = "RESULT", hide = true, conflicts_with = "result")]
    from: Option<PathBuf>,
}

impl ResultArgument {
    /// The path of the result as given.
    pub(crate) fn path(&self) -> &Path {
        self.result.as_deref().or(self.from.as_deref()).expect("clap requires one of them")
    }
}

/// The saved result to read, and the limits for its pairs.
#[derive(Debug, Args)]
pub(crate) struct SavedFlags {
    #[command(flatten)]
    result: ResultArgument,

    /// Use pairs with at least this Jaccard similarity, from 0 to 1 [default: all]
    #[arg(short, long, value_name = "SIMILARITY", value_parser = similarity, allow_negative_numbers = true)]
    threshold: Option<f64>,

    /// Use pairs of --match passages whose passages cover at least this share of the shorter document, from 0 to 1
    /// [default: all]
    #[arg(long, value_name = "SHARE", value_parser = coverage, allow_negative_numbers = true)]
    coverage: Option<f64>,

    /// Use pairs of --match passages whose passages cover at least this number of tokens [default: all]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    min_matched: Option<u64>,
}

impl SavedFlags {
    /// The path of the result as given.
    pub(crate) fn path(&self) -> &Path {
        self.result.path()
    }

    /// The filter for the pairs of the result.
    pub(crate) fn filter(&self) -> Result<PairFilter> {
        Ok(PairFilter {
            threshold: self.threshold.map(Threshold::new).transpose()?,
            coverage: self.coverage.map(Threshold::new).transpose()?,
            min_matched: self.min_matched,
            ..PairFilter::default()
        })
    }
}
