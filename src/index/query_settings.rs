//! `QuerySettings`: what is asked of an index, and what becomes of the questions.

use std::path::PathBuf;
use std::time::Duration;

use super::writing::KnownName;
use crate::passages::PassageSettings;
use crate::verify::Threshold;

/// What is asked of an index, and how.
#[derive(Debug, Clone, Default)]
pub struct QuerySettings {
    /// The file of the index.
    pub index: PathBuf,
    /// More indexes that are asked, of the same meaning. Only the first one is added to.
    pub others: Vec<PathBuf>,
    /// The least similarity of an answer. Default: the one that the index was made with.
    pub threshold: Option<Threshold>,
    /// Look for the documents that hold this part of a question, or of which a question holds this part, in place of similar ones.
    /// The index has to be built for that.
    pub containment: Option<Threshold>,
    /// Only so many answers to each question, those of the highest similarity first. Default: all, in the order of the index.
    pub best: Option<usize>,
    /// Leave out the document that has the name of the question. Questions that are added are never their own
    /// answers from the first index.
    pub skip_self: bool,
    /// What counts as a passage, where each pair is to have its passages.
    pub passages: Option<PassageSettings>,
    /// Tokens in a shingle of programs with their names kept, by which each pair is compared too; 0 compares none. Default: as the
    /// index was made.
    pub kept_names: Option<usize>,
    /// Which questions are added to the index. Default: none.
    pub add: AddWhat,
    /// What becomes of a question that is to be added, whose name another text has in the index.
    pub known: KnownName,
    /// How long to wait for another process that writes, where questions are added. Default: not at all.
    pub wait: Duration,
}

/// Which questions are added to an index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AddWhat {
    /// None.
    #[default]
    None,
    /// All.
    All,
    /// Those that nothing in the index is similar to, earlier questions that were added included.
    Unseen,
}

impl QuerySettings {
    /// Whether the document of an index that has the name of the question is no answer: a question that is added is not found
    /// where it is added to.
    ///
    /// * `index`: its place among the indexes.
    pub(super) fn leaves_out_own(&self, index: usize) -> bool {
        self.skip_self || self.add != AddWhat::None && index == 0
    }
}
