//! `Weighting`: what shingles weigh, as settings say it.

use super::tokens::{TokenWeights, WeightTableRecord};

/// What shingles weigh.
#[derive(Debug, Clone)]
pub enum Weighting {
    /// The rarer in the corpus the more: log₂((n + 1) / d) for a shingle in d of n texts, counted exactly; exact copies are one
    /// text. See [`weight_of_frequency`](crate::weight_of_frequency).
    Idf,
    /// The sum of what their tokens weigh in a table.
    Tokens(TokenWeights),
}

impl Weighting {
    /// `idf` or `table`, as settings are written down.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Idf => "idf",
            Self::Tokens(_) => "table",
        }
    }

    /// What a summary says of the table; `None` of `idf`.
    pub(crate) fn table(&self) -> Option<WeightTableRecord> {
        match self {
            Self::Idf => None,
            Self::Tokens(weights) => Some(weights.record()),
        }
    }
}
