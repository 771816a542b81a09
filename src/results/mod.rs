//! What people do with pairs: save, explain, show, review, accept and report them.
//!
//! In order; a module imports only from the modules above it:
//!
//! | Module | Comes in, goes out |
//! | --- | --- |
//! | `saved` | Pairs and documents in; a saved result out, and read again. |
//! | `check` | A saved result and its documents in; every difference between them out. |
//! | `explain` | Two documents in; how they compare and why they are or are not a pair out. |
//! | `views` | Pairs in; their texts as people read them out. |
//! | `review` | A saved result and the answers of a person in; the next question and a better threshold out. |
//! | `baseline` | Accepted pairs, and whether another pair is new. |
//! | `changes` | A revision of git in; the files that changed since out. |
//! | `report` | Pairs in; reports for people and other programs out. Each format has its own file. |

pub(crate) mod saved;
pub(crate) mod check;
pub(crate) mod explain;
pub(crate) mod views;
pub(crate) mod review;
pub(crate) mod baseline;
pub(crate) mod changes;
pub mod report;

pub use self::baseline::{AcceptedPair, AcceptedRecord, BASELINE_FORM, Baseline};
pub use self::changes::{ChangedFiles, ChangesError};
pub use self::check::{CheckSettings, CheckSummary, Fault, FaultKind, FaultSink, check_result};
pub use self::explain::{
    BandAgreement, Comparison, ExplainableCorpus, ExplainedDocument, ExplainedPassage, ExplainedPassages, Explanation,
    ExplanationRecord, NearestDocuments, Verdict, explain,
};
pub use self::review::{
    Answer, AnswerFile, AnswerRecord, Answers, CutRecord, Cuts, PairTexts, Question, Review, ReviewRecord, ThresholdCut,
};
pub use self::saved::{
    InputRecord, PairFilter, ReadingRecord, ResultHeader, ResultWriter, SavedDocuments, SavedResult, cluster_result,
    overlap_result,
};
pub use self::views::{PairView, TextView, ViewKey, ViewReader, ViewedPassage, ViewedRun};
