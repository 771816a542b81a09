//! `AbsentBySource`: combines the absent fields of a file's pieces, so that each file of records is reported once.

use std::collections::HashMap;

use super::folded_piece::FoldedPiece;
use crate::base::problem::{Problem, Reason};
use crate::documents::input::streams::spool::Sources;
use crate::documents::input::unpack::records::absent::AbsentFields;

/// For each source, the requested fields that none of its records has.
#[derive(Debug, Default)]
pub(crate) struct AbsentBySource(HashMap<u32, AbsentFields>);

impl AbsentBySource {
    /// Moves the absent fields out of all pieces.
    pub(crate) fn take<P>(pieces: &mut [FoldedPiece<P>]) -> Self {
        let mut absent = Self::default();
        pieces.iter_mut().for_each(|piece| absent.add(piece));
        absent
    }

    /// Moves the absent fields out of a piece.
    pub(crate) fn add<P>(&mut self, piece: &mut FoldedPiece<P>) {
        if let Some(((source, _), fields)) = piece.lines.zip(piece.absent.take()) {
            match self.0.get_mut(&source) {
                Some(all) => all.intersect(&fields),
                None => drop(self.0.insert(source, fields)),
            }
        }
    }

    /// The notes about all sources, in their order.
    pub(crate) fn into_notes(mut self, sources: &Sources) -> Vec<Problem> {
        let mut all: Vec<u32> = self.0.keys().copied().collect();
        all.sort_unstable();
        all.into_iter().filter_map(|source| self.take_note(source, sources)).collect()
    }

    /// The note about a source, on the first call for it.
    pub(crate) fn take_note(&mut self, source: u32, sources: &Sources) -> Option<Problem> {
        let absent = self.0.remove(&source)?;
        let note = Problem::note(String::from_utf8_lossy(&sources.name(source)), Reason::MissingField, absent.note()?);
        // When no record of a file is compared, the flags are probably wrong for that file.
        Some(Problem { is_error: absent.is_textless(), setting: absent.setting(), ..note })
    }
}
