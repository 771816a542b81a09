//! `AbsentBySource`: joins the absent fields of a file's pieces, so that each file of records is reported once.

use std::collections::HashMap;

use crate::input::documents::FoldedPiece;
use crate::input::spool::Sources;
use crate::input::unpack::records::absent::AbsentFields;
use crate::problem::{Problem, Reason};

/// Which of the fields that were asked for no record of a source has.
#[derive(Debug, Default)]
pub(crate) struct AbsentBySource(HashMap<u32, AbsentFields>);

impl AbsentBySource {
    /// Takes what the records of all pieces are without.
    pub(crate) fn take<P>(pieces: &mut [FoldedPiece<P>]) -> Self {
        let mut absent = Self::default();
        for piece in pieces {
            if let Some(((source, _), fields)) = piece.lines.zip(piece.absent.take()) {
                match absent.0.get_mut(&source) {
                    Some(all) => all.intersect(&fields),
                    None => drop(absent.0.insert(source, fields)),
                }
            }
        }
        absent
    }

    /// What there is to say of a source, the first time.
    pub(crate) fn take_note(&mut self, source: u32, sources: &Sources) -> Option<Problem> {
        let detail = self.0.remove(&source)?.note()?;
        Some(Problem::note(String::from_utf8_lossy(&sources.name(source)), Reason::MissingField, detail))
    }
}
