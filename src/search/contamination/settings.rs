//! `ContaminationSettings`: what counts as a leaked passage, and which documents count as contaminated.

use crate::base::error::{Error, Result};
use crate::compare::verify::Threshold;

/// The rule for passages of a benchmark in other documents.
#[derive(Debug, Clone, PartialEq)]
pub struct ContaminationSettings {
    /// The minimum number of consecutive words that a document and a benchmark have in common. Default: 13, as in the
    /// report on GPT-3 and in `lm-evaluation-harness`.
    pub min_run: usize,
    /// The minimum number of words of a benchmark text that is shorter than `min_run`; it must occur as a whole. Shorter
    /// texts are not searched for. Default: 8, as in the report on GPT-3.
    pub min_whole: usize,
    /// A document is contaminated when it contains at least this share of the words of a benchmark text, in runs. Default:
    /// 0.5, as for Tülu 3.
    pub coverage: Threshold,
    /// A document is also contaminated when it contains at least this many words of a benchmark text, in runs. Default: 50,
    /// the length at which language models are said to repeat their training data.
    pub min_matched: u64,
    /// The fields of a benchmark's records that are searched for separately. Default: none; the text fields of each record
    /// are one text.
    pub fields: Vec<String>,
}

impl Default for ContaminationSettings {
    fn default() -> Self {
        Self {
            min_run: Self::DEFAULT_MIN_RUN,
            min_whole: Self::DEFAULT_MIN_WHOLE,
            coverage: Threshold::new(Self::DEFAULT_COVERAGE).expect("a share"),
            min_matched: Self::DEFAULT_MIN_MATCHED,
            fields: Vec::new(),
        }
    }
}

impl ContaminationSettings {
    /// Default of [`min_run`](Self::min_run).
    pub const DEFAULT_MIN_RUN: usize = 13;
    /// Default of [`min_whole`](Self::min_whole).
    pub const DEFAULT_MIN_WHOLE: usize = 8;
    /// Default of [`coverage`](Self::coverage).
    pub const DEFAULT_COVERAGE: f64 = 0.5;
    /// Default of [`min_matched`](Self::min_matched).
    pub const DEFAULT_MIN_MATCHED: u64 = 50;
    /// The maximum of [`min_run`](Self::min_run).
    pub const MAX_MIN_RUN: usize = 1000;

    /// The length from which short texts are searched for as a whole; `min_run` if none are.
    pub(super) fn whole_len(&self) -> usize {
        self.min_whole.min(self.min_run)
    }

    /// Whether a text counts as found.
    ///
    /// * `matched`: the number of its words that are in runs of a document.
    /// * `len`: the number of its words.
    pub(super) fn is_found(&self, matched: u64, len: u64) -> bool {
        matched > 0 && (self.coverage.is_met(matched, len) || matched >= self.min_matched)
    }

    /// # Errors
    /// When a length is 0 or too large.
    pub(crate) fn check(&self) -> Result<()> {
        let is_valid = |len| (1..=Self::MAX_MIN_RUN).contains(&len);
        if is_valid(self.min_run) && is_valid(self.min_whole) {
            return Ok(());
        }
        Err(Error::RunLength { most: Self::MAX_MIN_RUN })
    }
}
