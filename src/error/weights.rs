//! `WeightsError`: why weights cannot be used.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::shown::shown;

/// Why weights cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// A fault of a file.
    #[error("{}: {fault}", shown(&path.to_string_lossy()))]
    In {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        fault: Box<WeightsError>,
    },
    /// The file cannot be read.
    #[error("cannot read the weights: {0}")]
    Unreadable(#[source] io::Error),
    /// A fault of one line.
    #[error("line {number}: {fault}")]
    Line {
        /// Its number, from 1.
        number: u64,
        /// What is wrong with it, and what to do.
        fault: String,
    },
    /// A default that is no weight.
    #[error("a default weight of {given}: give a number from 0 to {most}")]
    Default {
        /// As given.
        given: f64,
        /// The greatest weight.
        most: f64,
    },
    /// Weights of tokens that add up to more than a shingle may weigh.
    #[error(
        "a weight of {greatest} for each of {size} tokens is too much for one shingle; divide all weights by the same number, \
         which changes no similarity, so that none is above {most}"
    )]
    Sum {
        /// The greatest weight.
        greatest: f64,
        /// Tokens of a shingle.
        size: usize,
        /// The greatest weight that fits.
        most: f64,
    },
    /// A table for shingles that are not made of tokens that follow one another.
    #[error(
        "a file of weights only applies to characters, words, lines, sentences or elements; use idf for this kind of shingle"
    )]
    Kind,
    /// Weights where something else decides what is a pair.
    #[error("weights: {0}")]
    Unused(&'static str),
}
