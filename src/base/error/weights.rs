//! `WeightsError`: why weights cannot be used.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::base::shown::shown;

/// Why weights cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// A fault in a file of weights.
    #[error("{}: {fault}", shown(&path.to_string_lossy()))]
    In {
        /// The path of the file.
        path: PathBuf,
        /// The fault.
        #[source]
        fault: Box<WeightsError>,
    },
    /// The file cannot be read.
    #[error("cannot read the weights: {0}")]
    Unreadable(#[source] io::Error),
    /// A fault in one line of the file.
    #[error("line {number}: {fault}")]
    Line {
        /// The number of the line, from 1.
        number: u64,
        /// The fault, and what to do.
        fault: String,
    },
    /// A default weight that is out of range.
    #[error("a default weight of {given}: give a number from 0 to {most}")]
    Default {
        /// The default weight that was given.
        given: f64,
        /// The maximum weight.
        most: f64,
    },
    /// The weights of the tokens of one shingle can add up to more than a shingle may weigh.
    #[error(
        "a weight of {greatest} for each of {size} tokens is too much for one shingle; divide all weights by the same number, \
         which changes no similarity, so that none is above {most}"
    )]
    Sum {
        /// The greatest weight in use.
        greatest: f64,
        /// The number of tokens of a shingle.
        size: usize,
        /// The maximum weight of a token for shingles of this size.
        most: f64,
    },
    /// A file of weights for a kind of shingle that is not made of consecutive tokens.
    #[error(
        "a file of weights only applies to characters, words, lines, sentences or elements; use idf for this kind of shingle"
    )]
    Kind,
    /// Weights were given where they do not decide what is a pair; holds the reason.
    #[error("weights: {0}")]
    Unused(String),
}
