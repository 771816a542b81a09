//! `ReportTotals`: the totals over all pairs in a report.

use super::method::ReportMethod;
use super::words::{counted, grouped, percent};

/// The totals of a whole result.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReportTotals {
    /// Pairs that remain after all filters, before the limit on their number.
    pub pairs: u64,
    /// The number of documents in these pairs.
    pub documents: u64,
    /// The number of groups that these pairs form.
    pub groups: u64,
    /// The number of pairs or groups in the report, if it does not have all of them; they are the first ones.
    pub shown: Option<u64>,
    /// Whether the report shows groups, so that pairs are not counted.
    pub of_groups: bool,
    /// The number of documents that were compared, if it is known.
    pub compared: Option<u64>,
    /// The number of pairs that are excluded because a baseline contains them.
    pub known: Option<u64>,
    /// The number of pairs that are excluded because their files were not changed.
    pub unchanged: Option<u64>,
    /// The minimum similarity of pairs, if it is known and pairs do not match by their passages.
    pub threshold: Option<f64>,
    /// The number of inputs that could not be used because of an error.
    pub errors: u64,
    /// How documents were compared, if it is known.
    pub method: ReportMethod,
}

impl ReportTotals {
    /// The number of pairs in the report, or of groups in a report of groups.
    pub(super) fn num_reported(&self) -> u64 {
        self.shown.unwrap_or(if self.of_groups { self.groups } else { self.pairs })
    }

    /// All totals in one sentence without a full stop.
    pub(super) fn sentence(&self) -> String {
        let new = if self.known.is_some() { "new pair" } else { "pair" };
        let mut text = if self.of_groups { counted(self.groups, "group") } else { counted(self.pairs, new) };
        if self.of_groups && self.groups > 0 {
            text += &format!(" of {}", counted(self.documents, "document"));
        } else if self.pairs > 0 {
            text += &format!(" of {} in {}", counted(self.documents, "document"), counted(self.groups, "group"));
        }
        if let Some(compared) = self.compared {
            text += &format!("; {} compared", counted(compared, "document"));
        }
        if let Some(threshold) = self.threshold {
            text += &format!(", at or above {}", percent(threshold));
            if let Some(weights) = self.method.weights() {
                text += &format!(" by weights ({weights})");
            }
        }
        if let Some(known) = self.known {
            text += &format!("; {} in the baseline", counted(known, "pair"));
        }
        if let Some(unchanged) = self.unchanged {
            text += &format!("; {} of unchanged files left out", counted(unchanged, "pair"));
        }
        if let Some(shown) = self.shown {
            text += &format!(
                "; the first {}",
                if shown == 1 { "is shown".to_owned() } else { format!("{} are shown", grouped(shown)) }
            );
        }
        if self.errors > 0 {
            text += &format!("; {} could not be read", counted(self.errors, "input"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_and_existing_pairs_are_distinguished() {
        let all =
            ReportTotals { pairs: 1900, documents: 4000, groups: 7, threshold: Some(0.3), ..ReportTotals::default() };
        let text = "1,900 pairs of 4,000 documents in 7 groups, at or above 30 %";
        assert_eq!((all.sentence(), all.num_reported()), (text.to_owned(), 1900));
        let first = |shown: u64| ReportTotals { shown: Some(shown), errors: 1, ..all.clone() };
        assert_eq!(first(1).sentence(), format!("{text}; the first is shown; 1 input could not be read"));
        assert_eq!(first(1000).sentence(), format!("{text}; the first 1,000 are shown; 1 input could not be read"));
        assert_eq!((first(1000).num_reported(), first(1).num_reported()), (1000, 1));
        assert_eq!(ReportTotals { of_groups: true, ..all }.num_reported(), 7);
    }
}
