//! `ExchangeError`: why a filter over rows failed, as one line that says what happened and what to do.

use std::io;

use thiserror::Error;

use crate::base::setting::Setting;

/// The reason why a filter over rows failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// A row that cannot be used.
    #[error("row {row}: {fault}; the output is incomplete")]
    Row {
        /// The number of the row, from 1.
        row: u64,
        /// The fault of the row, and what to do.
        fault: String,
    },
    /// Rows could not be read.
    #[error("the rows cannot be read: {0}; the output is incomplete")]
    Input(#[source] io::Error),
    /// Rows could not be written.
    #[error("the rows cannot be written: {0}; the output is incomplete")]
    Output(#[source] io::Error),
    /// A setting that depends on more than the rows of one filter.
    #[error("{setting}: {why}; remove it")]
    NotOfRows {
        /// The setting.
        setting: Setting,
        /// The reason why it does not apply.
        why: &'static str,
    },
    /// The parameters differ from the expected ones; holds the difference.
    #[error("the parameters differ: {0}; run every filter with the same settings and version of dedup")]
    Params(String),
    /// The expected parameters are not parameters at all.
    #[error("the expected parameters are not parameters of rows; run every filter with the same ones")]
    NotParams,
}
