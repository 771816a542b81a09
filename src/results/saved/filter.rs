//! `PairFilter`: selects pairs of a result, without another scan.

use std::path::Path;

use super::header::ResultHeader;
use crate::base::error::{Error, Result};
use crate::compare::verify::Threshold;
use crate::records::{PairCounts, PairRecord};

/// Selects pairs of a result. Default: all pairs.
///
/// A filter can only drop pairs, not find pairs that the scan did not report, so lower limits than the result's are
/// refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PairFilter {
    /// The minimum Jaccard similarity, inclusive. It applies to pairs that do not match by their passages.
    pub threshold: Option<Threshold>,
    /// The minimum containment, inclusive: the share of a document's shingles that the other document has too. One of
    /// the two documents must reach it.
    pub min_containment: Option<Threshold>,
    /// The minimum share of the shorter document's tokens that passages cover, inclusive. It applies to pairs that
    /// match by their passages, as [`MatchSettings::coverage`](crate::search::MatchSettings::coverage).
    pub coverage: Option<Threshold>,
    /// The minimum number of tokens that passages cover, as
    /// [`MatchSettings::min_matched`](crate::search::MatchSettings::min_matched). Documents with the same tokens pass however
    /// few these are.
    pub min_matched: Option<u64>,
}

impl PairFilter {
    /// Checks that the result contains all pairs that the filter selects.
    ///
    /// * `header`: the header of the result; a result without a header is not checked.
    ///
    /// # Errors
    /// When the result was saved with a higher limit; when the filter is about passages and the result's pairs do not
    /// match by them, or the reverse.
    pub(super) fn check(&self, header: Option<&ResultHeader>, path: &Path) -> Result<()> {
        let Some(header) = header else { return Ok(()) };
        let check = |limit, saved: f64, given: f64| match given < saved {
            true => Err(Error::SavedLimit { path: path.to_owned(), limit, saved, given }),
            false => Ok(()),
        };
        let matching = header.matching()?;
        match self.threshold {
            Some(_) if matching.is_some() => return Err(by_passages(path)),
            Some(threshold) => check("threshold", header.threshold()?, threshold.value())?,
            None => {}
        }
        if !self.is_of_passages() {
            return Ok(());
        }
        let Some(matching) = matching else { return Err(without_passages(path)) };
        self.coverage.map_or(Ok(()), |given| check("coverage", matching.coverage, given.value()))?;
        self.min_matched.map_or(Ok(()), |given| check("min-matched", matching.min_matched as f64, given as f64))
    }

    /// Whether the filter selects a pair. A pair whose documents could not be read again has no coverage, so limits on
    /// passages drop it.
    ///
    /// # Errors
    /// When the filter is about passages and the pair was not found by them, or about similarity and the pair was found
    /// by passages.
    pub(super) fn keeps(&self, pair: &PairRecord, path: &Path) -> Result<bool> {
        if self.threshold.is_some() && pair.matched.is_some() {
            return Err(by_passages(path));
        }
        let counts = PairCounts::from(pair);
        let is_similar = self.threshold.is_none_or(|least| counts.reaches(least));
        let is_contained = self.min_containment.is_none_or(|least| counts.is_contained(least));
        if !self.is_of_passages() || pair.passages == Some(None) {
            return Ok(is_similar && is_contained && !self.is_of_passages());
        }
        let (Some(matched), Some(longest)) = (pair.matched, pair.longest) else { return Err(without_passages(path)) };
        // The nearest `f64` to a share determines the number of tokens, if there are fewer than 2^52.
        let shorter = ((matched as f64 / counts.coverage).round() as u64).max(1);
        let is_covered = self.coverage.is_none_or(|least| least.is_met(matched, shorter));
        // A single run of equal tokens covers both documents completely.
        let is_equal = longest == matched && pair.coverage_a == Some(1.0) && pair.coverage_b == Some(1.0);
        let is_long = is_equal || self.min_matched.is_none_or(|least| matched >= least);
        Ok(is_similar && is_contained && is_covered && is_long)
    }

    fn is_of_passages(&self) -> bool {
        self.coverage.is_some() || self.min_matched.is_some()
    }
}

fn by_passages(path: &Path) -> Error {
    Error::SavedByPassages { path: path.to_owned() }
}

fn without_passages(path: &Path) -> Error {
    Error::SavedWithoutPassages { path: path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(matched: u64, longest: u64, tokens: [u64; 2]) -> String {
        let [a, b] = tokens.map(|tokens| matched as f64 / tokens as f64);
        format!(
            r#"{{"a":"a","b":"b","jaccard":0.5,"containment_a":0.5,"containment_b":1.0,"shared":5,"shingles_a":10,
            "shingles_b":5,"estimate":0.5,"coverage_a":{a},"coverage_b":{b},"matched":{matched},"longest":{longest},
            "passages":[]}}"#
        )
    }

    fn keeps(filter: PairFilter, pair: &str) -> Result<bool> {
        filter.keeps(&serde_json::from_str(pair).unwrap(), Path::new("p"))
    }

    #[test]
    fn shares_are_compared_in_whole_tokens() {
        for (share, tokens) in [(0.1, 10u64), (0.3, 10), (0.7, 10), (0.07, 100), (0.29, 100), (0.513, 1000)] {
            let coverage = Some(Threshold::new(share).unwrap());
            let filter = PairFilter { coverage, ..PairFilter::default() };
            for times in [1u64, 3, 7, 123_457, 999_999_937] {
                let tokens = tokens * times;
                let least = (share * 1000.0).round() as u64 * tokens / 1000;
                assert!(keeps(filter, &pair(least, 1, [tokens, tokens + 1])).unwrap(), "{share} of {tokens}");
                assert!(!keeps(filter, &pair(least - 1, 1, [2 * tokens, tokens])).unwrap(), "{share} of {tokens}");
            }
        }
    }

    #[test]
    fn equal_documents_are_kept_however_short_and_moved_sentences_are_not() {
        let filter = PairFilter { min_matched: Some(20), ..PairFilter::default() };
        assert!(keeps(filter, &pair(20, 8, [900, 900])).unwrap());
        assert!(!keeps(filter, &pair(19, 19, [19, 20])).unwrap() && !keeps(filter, &pair(19, 9, [19, 19])).unwrap());
        assert!(keeps(filter, &pair(2, 2, [2, 2])).unwrap());
    }

    #[test]
    fn pairs_without_passages_are_refused_and_those_that_could_not_be_read_again_left_out() {
        let filter = PairFilter { min_matched: Some(1), ..PairFilter::default() };
        let whole = pair(9, 9, [9, 9]);
        let by_similarity = whole.replace(r#""matched":9,"longest":9,"#, "");
        assert!(keeps(PairFilter::default(), &by_similarity).unwrap());
        assert!(matches!(keeps(filter, &by_similarity), Err(Error::SavedWithoutPassages { .. })));
        let similar = PairFilter { threshold: Some(Threshold::ZERO), ..PairFilter::default() };
        assert!(keeps(similar, &by_similarity).unwrap());
        assert!(matches!(keeps(similar, &whole), Err(Error::SavedByPassages { .. })));
        let start = whole.split_once(r#","coverage_a""#).unwrap().0;
        let unread = format!(r#"{start},"passages":null}}"#);
        assert!(keeps(PairFilter::default(), &unread).unwrap() && !keeps(filter, &unread).unwrap());
    }
}
