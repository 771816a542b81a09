//! `Weighting`: the setting that selects the weights of shingles.

use super::tokens::{TokenWeights, WeightTableRecord};

/// The weights of shingles.
#[derive(Debug, Clone)]
pub enum Weighting {
    /// A shingle weighs more the rarer it is in the corpus: log₂((n + 1) / d) for a shingle in d of n texts. The
    /// frequencies are exact, and exact copies count as one text. See
    /// [`weight_of_frequency`](crate::text::weight_of_frequency).
    Idf,
    /// The weight of a shingle is the sum of the weights of its tokens in a table.
    Tokens(TokenWeights),
}

impl Weighting {
    /// The name of the weighting in saved settings: `idf` or `table`.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Idf => "idf",
            Self::Tokens(_) => "table",
        }
    }

    /// The record of the table for a summary; `None` for `idf`.
    pub(crate) fn table(&self) -> Option<WeightTableRecord> {
        match self {
            Self::Idf => None,
            Self::Tokens(weights) => Some(weights.record()),
        }
    }
}
