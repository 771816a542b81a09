//! The passes over a corpus: reading and signing, candidates, verification.
//!
//! In order; a module imports only from the modules above it:
//!
//! | Module | Comes in, goes out |
//! | --- | --- |
//! | `corpus` | The first pass: inputs in; signed documents and a summary out. |
//! | `matching` | Documents in; pairs of texts that share enough passages out. |
//! | `join` | Documents in; all pairs of texts that may reach the threshold out, without signatures. |
//! | `pairs` | The second pass: candidate pairs in; verified duplicate pairs out. |
//! | `estimate` | Samples of documents in; the recall of a run or the distribution of similarities out. |
//! | `run` | Settings in; pairs and the summary of the run out. It combines the passes. |
//! | `repeats` | Settings in; the repeated runs of all documents out, exactly. |
//! | `contamination` | A corpus and benchmarks in; the documents of the corpus that contain passages of the benchmarks out. |
//! | `forecast` | Settings in; an estimate of time, memory and pairs from a sample out. |
//!
//! A new source of candidates is a module after `join`, and a variant of `PairSource` in `pairs`; the compiler then finds the
//! places in `run` and elsewhere that the source concerns.

pub(crate) mod corpus;
pub(crate) mod matching;
pub(crate) mod join;
pub(crate) mod pairs;
pub(crate) mod estimate;
pub(crate) mod run;
pub(crate) mod repeats;
pub(crate) mod contamination;
pub(crate) mod forecast;

pub use self::contamination::{
    BenchmarkFile, BenchmarkRecord, ContaminationSettings, ContaminationSummary, FieldRecord, FoundInRecord,
    MarkRecord, SpanRecord,
};
pub use self::corpus::{CodeSummary, GroupSummary, NamedText, Removed, Side, Sides, TextKind, read_texts};
pub use self::estimate::audit::{AuditBucket, AuditCounts, AuditSettings, AuditSummary, MissedPair};
pub use self::estimate::similarities::{ExpectedRun, SimilaritySample};
pub use self::forecast::{Estimate, ForecastMemory, ForecastSeconds, RunForecast, forecast};
pub use self::join::JoinSummary;
pub use self::matching::{KeyCap, MatchSettings, MatchSummary, NamedDocuments};
pub use self::pairs::{Coverages, PairBatch, PairSettings, PairSink, PairSource, Sink};
pub use self::repeats::{KeptOccurrence, RepeatScope, RepeatSettings, RepeatUnit};
pub use self::run::{
    ClusterSettings, ClusterSummary, CommonFrame, DocumentDuplication, DocumentSink, Duplication, FoundClusters,
    GroupOverlap, GroupOverlaps, LargestBucket, LineSet, MatchingRecord, Memory, OrderOf, OverlapSort, OverlapSummary,
    Search, Searched, Seconds, Settings, SettingsRecord, Summary, find_clusters, find_duplicates, find_overlaps,
    find_passages, list_documents, sample_similarities, sign_documents,
};
