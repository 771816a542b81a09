//! Cuts repeated parts out of the texts of a corpus: passages, lines, paragraphs or sentences that occur elsewhere.
//!
//! The search ([`repeats`](crate::search)) finds the tokens that are cut. A corpus with cuts is written like one without
//! its duplicates, file by file; only the texts change ([`TextEditor`]). A seam joins the parts around a cut
//! (`seam`). Each cut can be listed with its first occurrence (`list`).

mod editor;
mod list;
mod seam;
mod text_edits;
mod texts;

pub(super) use self::editor::TextEditor;
pub(super) use self::list::list;
pub use self::list::{CutPlace, CutSink, RepeatCutRecord};
pub(super) use self::text_edits::TextEdits;
pub(super) use self::texts::{TextFile, write_lines};
use crate::documents::document::DocId;
use crate::documents::input::Sources;
use crate::search::repeats::{RepeatSettings, RepeatedRuns};

/// Selects the parts of texts that are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CutSettings {
    /// The repeats that are cut.
    pub repeats: RepeatSettings,
    /// Remove documents with fewer tokens left, including documents that lose nothing. For lines, paragraphs and sentences,
    /// words count. Default: 0, which removes none.
    pub drop_shorter: u64,
}

/// The numbers of a corpus whose repeats are cut.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct CutCounts {
    /// The documents that lose a part and stay.
    pub documents: u64,
    /// The documents that stay although all their tokens are cut.
    pub emptied: u64,
    /// The consecutive parts that are cut.
    pub cuts: u64,
    /// The tokens that are cut.
    pub tokens: u64,
    /// The tokens of all documents.
    pub of_tokens: u64,
    /// The documents that are removed because fewer tokens than requested are left.
    pub dropped: u64,
}

/// The repeated runs of a corpus, and the sources to read its texts again.
pub(in crate::unique) struct CorpusCuts {
    pub(in crate::unique) settings: CutSettings,
    pub(in crate::unique) runs: RepeatedRuns,
    pub(in crate::unique) sources: Sources,
    /// The documents that are removed because they are too short, in order, with the number of tokens that are left.
    pub(in crate::unique) dropped: Vec<(DocId, u64)>,
}
