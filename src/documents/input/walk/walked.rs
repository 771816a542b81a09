//! `Walked`: the inputs that pieces come from.

use std::path::{Path, PathBuf};

use crate::documents::input::piece::Piece;

/// The result of a walk: how the numbers of pieces relate to inputs.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The number of the first piece of `inputs.against`, or one more than the last number.
    pub(crate) against: u64,
    /// When documents are grouped by folder: the number of the first piece from each folder or archive that was given,
    /// and its path. `None` for files that were given directly.
    pub(super) roots: Vec<(u64, Option<PathBuf>)>,
    /// When documents are grouped by folder: the number of the first piece of each unpacked file, and the length of the
    /// file's path.
    pub(super) unpacked: Vec<(u64, usize)>,
    /// The number of the first piece of each input with stored documents, and its path.
    pub(super) stored: Vec<(u64, PathBuf)>,
}

impl Walked {
    /// The result of a walk whose second side begins with this piece.
    pub(crate) fn of_sides(against: u64) -> Self {
        Self { against, ..Self::default() }
    }

    /// The folder or archive argument that a piece comes from; `None` for files that were given directly.
    pub(crate) fn root(&self, piece: u64) -> Option<&Path> {
        let at = self.roots.partition_point(|&(start, _)| start <= piece).checked_sub(1)?;
        self.roots[at].1.as_deref()
    }

    /// The path of the index that stores the documents of a piece; `None` for documents that are read from files.
    pub(crate) fn index(&self, piece: u64) -> Option<&Path> {
        let at = self.stored.partition_point(|&(start, _)| start <= piece).checked_sub(1)?;
        let (start, path) = &self.stored[at];
        Piece::is_of_one_place(*start, piece).then_some(path)
    }

    /// The length of the file's path at the start of the names in a piece; `None` unless the piece was unpacked from a
    /// file.
    pub(crate) fn file_len(&self, piece: u64) -> Option<usize> {
        let at = self.unpacked.partition_point(|&(start, _)| start <= piece).checked_sub(1)?;
        let (start, len) = self.unpacked[at];
        Piece::is_of_one_place(start, piece).then_some(len)
    }
}
