//! Finds texts that share a sampled shingle with a query, and computes the recall of that.

use serde::Serialize;

use super::query_settings::{AddWhat, QuerySettings};
use crate::base::error::{Error, IndexError, Result};
use crate::base::setting::Setting;
use crate::compare::verify::Threshold;
use crate::index::database::sampling::SampleRate;
use crate::index::read::reader::IndexReader;

/// A search by containment: finds texts that contain at least the part `least` of a query, and texts that a query
/// contains by at least this part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WantedContainment {
    pub(crate) rate: SampleRate,
    pub(crate) least: Threshold,
    /// The minimum part for which the summary has the recall.
    measured: Threshold,
}

impl WantedContainment {
    /// The containment search that a query requests; `None` for a search by similarity.
    ///
    /// # Errors
    /// When the index has no sampled shingles, or queries are to be added: the open batch is only searched by
    /// similarity. When the documents of the index have no passages.
    pub(crate) fn of(reader: &IndexReader, query: &QuerySettings) -> Result<Option<Self>> {
        let coverage = query.matching.map(|matching| matching.coverage);
        let Some(measured) = query.containment.or(coverage) else { return Ok(None) };
        if query.add != AddWhat::None {
            let setting = if query.matching.is_some() { Setting::ByPassages } else { Setting::Containment };
            let why = "documents are added by what is similar to them";
            return Err(Error::Index(IndexError::NotOfAnIndex { setting, why }));
        }
        query.matching.map_or(Ok(()), |matching| matching.check(&reader.result_settings.shingles))?;
        let rate = reader
            .result_settings
            .containment
            .ok_or_else(|| Error::Index(IndexError::NoSamples { path: reader.file.path().to_owned() }))?;
        // The passages of two texts are found only when they are compared, so that every common shingle counts.
        Ok(Some(Self { rate, least: query.containment.unwrap_or(Threshold::ZERO), measured }))
    }

    /// Whether one of two sets has the minimum part of its shingles in the other.
    pub(crate) fn is_met(self, shared: u64, a: u64, b: u64) -> bool {
        shared > 0 && self.least.is_met(shared, a.min(b))
    }
}

/// The recall of a query by containment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ContainmentSummary {
    /// The minimum part of the shingles of one document that the other one contains. In a search by passages, their minimum
    /// coverage.
    pub least: f64,
    /// One in this many shingles was sampled.
    pub one_in: u32,
    /// The recall for the query with the median number of shingles.
    pub median: ContainmentRecall,
    /// The recall for the query at the 5th percentile of the number of shingles.
    pub short: ContainmentRecall,
}

/// The chance to find a document that contains a query.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ContainmentRecall {
    /// The number of distinct shingles of the query.
    pub shingles: u64,
    /// The chance when the document contains only the minimum part of these shingles. For a document inside the query,
    /// the chance depends on the length of the document instead.
    pub recall: f64,
}

impl ContainmentSummary {
    /// Computes the recall for some queries.
    ///
    /// * `num_shingles`: the number of shingles of each query that has any.
    pub(crate) fn new(wanted: WantedContainment, mut num_shingles: Vec<u32>) -> Self {
        num_shingles.sort_unstable();
        let at = |percent: usize| {
            let shingles = num_shingles.get(num_shingles.len() * percent / 100).copied().unwrap_or(0);
            let shared = (wanted.measured.value() * f64::from(shingles)).ceil() as u64;
            ContainmentRecall { shingles: shingles.into(), recall: wanted.rate.recall(shared) }
        };
        Self { least: wanted.measured.value(), one_in: wanted.rate.number(), median: at(50), short: at(5) }
    }
}
