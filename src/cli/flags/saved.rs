//! `SavedFlags`: which result is read, and which of its pairs are taken.

use std::path::PathBuf;

use clap::Args;
use dedup_scan::{PairFilter, Threshold};

use super::values::{coverage, similarity, whole};
use crate::cli::messages::Result;

/// A saved result.
#[derive(Debug, Args)]
pub(crate) struct SavedFlags {
    /// The result: a folder of `dedup scan --save`, a file of pairs, or `-`
    #[arg(long, value_name = "RESULT")]
    pub(crate) from: PathBuf,

    /// Take pairs of this Jaccard similarity or more, from 0 to 1 [default: all]
    #[arg(long, value_name = "SIMILARITY", value_parser = similarity, allow_negative_numbers = true)]
    threshold: Option<f64>,

    /// Take pairs of --match passages whose passages cover this share of the shorter document or more, from 0 to 1 [default: all]
    #[arg(long, value_name = "SHARE", value_parser = coverage, allow_negative_numbers = true)]
    coverage: Option<f64>,

    /// Take pairs of --match passages whose passages cover this many tokens or more [default: all]
    #[arg(long, value_name = "TOKENS", value_parser = whole::<u64>(0..=u64::MAX), allow_negative_numbers = true)]
    min_matched: Option<u64>,
}

impl SavedFlags {
    /// Which pairs are taken.
    pub(crate) fn filter(&self) -> Result<PairFilter> {
        Ok(PairFilter {
            threshold: self.threshold.map(Threshold::new).transpose()?,
            coverage: self.coverage.map(Threshold::new).transpose()?,
            min_matched: self.min_matched,
            ..PairFilter::default()
        })
    }
}
