//! `Against`: the second side of a run: documents to compare with, or old documents.

use std::path::PathBuf;

use super::path_glob::PathGlob;
use super::stored_input::StoredInput;

/// The other side of a comparison, a separate corpus with its own names: a file on both sides is a separate document of
/// each. Both sides are read with the same settings, except for the globs.
#[derive(Debug, Clone, Default)]
pub struct Against {
    /// Files and folders, in the order of the documents; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// More files and folders, from a list.
    pub listed: Vec<PathBuf>,
    /// The files of `paths` that are indexes, from [`documents_of_index`](crate::index::documents_of_index), as
    /// [`InputSettings::stored`](super::InputSettings::stored). Default: none.
    pub stored: Vec<StoredInput>,
    /// When not empty, read only files that match one of these globs.
    pub include: Vec<PathGlob>,
    /// Skip files and folders that match one of these globs.
    pub exclude: Vec<PathGlob>,
    /// Which documents are compared. Default: documents of different sides.
    pub compared: Compared,
}

/// The pairs that are looked for where documents are [`Against`] others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Compared {
    /// Documents of different sides.
    #[default]
    Sides,
    /// All documents but two of the second side: its documents are old. Both sides have one set of names, and a file on
    /// both sides is an old document.
    NewWithAll,
    /// All documents, as one corpus.
    All,
}

impl Against {
    /// Whether some documents are not compared with one another.
    pub(crate) fn limits_pairs(&self) -> bool {
        self.compared != Compared::All
    }

    /// Whether the documents of the second side are old.
    pub(crate) fn is_old(&self) -> bool {
        self.compared == Compared::NewWithAll
    }
}
