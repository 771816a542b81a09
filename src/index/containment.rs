//! Containment: the sampled shingles of questions in, the texts of an index out that share one with each; what is found by that.

use serde::Serialize;

use super::query_settings::{AddWhat, QuerySettings};
use super::reader::IndexReader;
use super::sampling::SampleRate;
use crate::error::{Error, IndexError, Result};
use crate::verify::Threshold;

/// Which texts are looked for: those that hold this part of a question, or are held by it.
#[derive(Debug, Clone, Copy)]
pub(super) struct WantedContainment {
    pub(super) rate: SampleRate,
    pub(super) least: Threshold,
}

impl WantedContainment {
    /// What a query asks for; `None` where it is similar texts.
    ///
    /// # Errors
    /// When the index has no sampled shingles, or questions are to be added: what is open is found by similarity alone.
    pub(super) fn of(reader: &IndexReader, query: &QuerySettings) -> Result<Option<Self>> {
        let Some(least) = query.containment else { return Ok(None) };
        if query.add != AddWhat::None {
            let (what, why) = ("--containment", "documents are added by what is similar to them");
            return Err(Error::Index(IndexError::NotOfAnIndex { what, why }));
        }
        let rate = reader
            .meaning
            .containment
            .ok_or_else(|| Error::Index(IndexError::NoSamples { path: reader.file.path().to_owned() }))?;
        Ok(Some(Self { rate, least }))
    }

    /// Whether one of two sets has this part of its shingles in the other.
    pub(super) fn is_met(self, shared: u64, a: u64, b: u64) -> bool {
        shared > 0 && self.least.is_met(shared, a.min(b))
    }
}

/// What a query by containment finds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ContainmentSummary {
    /// The least part of the shingles of one document that is in the other.
    pub least: f64,
    /// Of how many shingles one was sampled.
    pub one_in: u32,
    /// Of the questions, by their numbers of shingles, the median one.
    pub median: ContainmentRecall,
    /// The one that 5 % of them are shorter than.
    pub short: ContainmentRecall,
}

/// The chance that a document is found which holds a question.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ContainmentRecall {
    /// Distinct shingles of the question.
    pub shingles: u64,
    /// The chance, where the document holds just the least part of them. One that the question holds is found with the chance of
    /// its own length.
    pub recall: f64,
}

impl ContainmentSummary {
    /// * `num_shingles`: of each question that has any.
    pub(super) fn new(wanted: WantedContainment, mut num_shingles: Vec<u32>) -> Self {
        num_shingles.sort_unstable();
        let at = |percent: usize| {
            let shingles = num_shingles.get(num_shingles.len() * percent / 100).copied().unwrap_or(0);
            let shared = (wanted.least.value() * f64::from(shingles)).ceil() as u64;
            ContainmentRecall { shingles: shingles.into(), recall: wanted.rate.recall(shared) }
        };
        Self { least: wanted.least.value(), one_in: wanted.rate.number(), median: at(50), short: at(5) }
    }
}
