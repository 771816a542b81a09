//! `QuerySettings`: the search in an index, and which queries are added to it.

use std::path::PathBuf;
use std::time::Duration;

use crate::compare::passages::PassageSettings;
use crate::compare::verify::Threshold;
use crate::index::write::writing::KnownName;
use crate::search::matching::MatchSettings;

/// The settings of a query.
#[derive(Debug, Clone, Default)]
pub struct QuerySettings {
    /// The file of the index.
    pub index: PathBuf,
    /// More indexes to search; they must have the same settings. Documents are only added to the first index.
    pub others: Vec<PathBuf>,
    /// The minimum similarity of a result. Default: the threshold that the index was built with.
    pub threshold: Option<Threshold>,
    /// Search by containment instead of similarity: for documents that contain at least this part of a query, or that a
    /// query contains by at least this part. The index must be built for this.
    pub containment: Option<Threshold>,
    /// Search by passages instead of similarity: for documents whose passages in common with a query meet these limits. The
    /// index must be built to find contained documents. The passages are part of the results.
    pub matching: Option<MatchSettings>,
    /// The maximum number of results per query, in descending order of similarity. Default: all, in the order of the
    /// index.
    pub best: Option<usize>,
    /// Exclude the document that has the name of the query. The first index never returns a query that is added to it.
    pub skip_self: bool,
    /// The settings of passages, if pairs should have their passages.
    pub passages: Option<PassageSettings>,
    /// The number of tokens of a shingle with identifiers kept, for a second comparison of programs; 0 disables it.
    /// Default: as the index was built.
    pub kept_names: Option<usize>,
    /// The queries to add to the index. Default: none.
    pub add: AddWhat,
    /// The handling of an added query whose name another text in the index has.
    pub known: KnownName,
    /// How long to wait for another process that writes to the index, when queries are added. Default: not at all.
    pub wait: Duration,
}

/// The queries that are added to an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AddWhat {
    /// No queries.
    #[default]
    None,
    /// All queries.
    All,
    /// Queries without a similar document in the index, including queries that were added earlier.
    Unseen,
}

impl QuerySettings {
    /// The settings of passages, if results have their passages.
    pub(crate) fn passage_settings(&self) -> Option<PassageSettings> {
        self.passages.or(self.matching.map(|matching| matching.passages))
    }

    /// Whether documents are found by sampled shingles instead of bands.
    pub(crate) fn is_by_samples(&self) -> bool {
        self.containment.is_some() || self.matching.is_some()
    }

    /// Whether an index excludes the document with the name of the query. The index that queries are added to always
    /// does.
    ///
    /// * `index`: the position of the index.
    pub(crate) fn leaves_out_own(&self, index: usize) -> bool {
        self.skip_self || self.add != AddWhat::None && index == 0
    }
}
