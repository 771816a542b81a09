//! `ExchangeError`: what ends a filter of rows, as one line that says what happened and what to do.

use std::io;

use thiserror::Error;

/// What ends a filter of rows.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// A row that cannot be used.
    #[error("row {row}: {fault}; the output is incomplete")]
    Row {
        /// Its number, from 1.
        row: u64,
        /// What is wrong with it, and what to do.
        fault: String,
    },
    /// Rows could not be read.
    #[error("the rows cannot be read: {0}; the output is incomplete")]
    Input(#[source] io::Error),
    /// Rows could not be written.
    #[error("the rows cannot be written: {0}; the output is incomplete")]
    Output(#[source] io::Error),
    /// A setting that needs more than the rows.
    #[error("{what}: {why}; remove it")]
    NotOfRows {
        /// The setting.
        what: &'static str,
        /// Why it cannot be.
        why: &'static str,
    },
    /// The parameters are others than those that are asked for.
    #[error("the parameters differ: {0}; run every filter with the flags and the version of dedup that printed them")]
    Params(String),
}
