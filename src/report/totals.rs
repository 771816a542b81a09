//! `ReportTotals`: what a report says of all pairs.

use super::words::{counted, percent};

/// The numbers of a whole result.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ReportTotals {
    /// Pairs of the report.
    pub pairs: u64,
    /// Documents in these.
    pub documents: u64,
    /// Groups that these pairs join the documents to.
    pub groups: u64,
    /// Whether the report is of groups, and pairs are not counted.
    pub of_groups: bool,
    /// Documents that were compared, where that is known.
    pub compared: Option<u64>,
    /// Pairs that a baseline has, which are left out.
    pub known: Option<u64>,
    /// Pairs of files that were not changed, which are left out.
    pub unchanged: Option<u64>,
    /// The least similarity of pairs, where that is known and pairs do not match by their passages.
    pub threshold: Option<f64>,
    /// Inputs that could not be used for an error.
    pub errors: u64,
}

impl ReportTotals {
    /// All of it in one sentence without an end.
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
        }
        if let Some(known) = self.known {
            text += &format!("; {} in the baseline", counted(known, "pair"));
        }
        if let Some(unchanged) = self.unchanged {
            text += &format!("; {} of unchanged files left out", counted(unchanged, "pair"));
        }
        if self.errors > 0 {
            text += &format!("; {} could not be read", counted(self.errors, "input"));
        }
        text
    }
}
