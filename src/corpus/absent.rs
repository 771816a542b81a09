//! Absent fields, by source: what the pieces of a file of records are all without is said once.

use std::collections::HashMap;

use crate::error::{Problem, Reason};
use crate::input::{AbsentFields, Sources};

/// Which of the fields that were asked for no record of a source has.
#[derive(Debug, Default)]
pub(crate) struct AbsentBySource(HashMap<u32, AbsentFields>);

impl AbsentBySource {
    /// Adds what the records of a piece are without.
    pub(crate) fn add(&mut self, source: u32, absent: AbsentFields) {
        match self.0.get_mut(&source) {
            Some(all) => all.intersect(&absent),
            None => drop(self.0.insert(source, absent)),
        }
    }

    /// What there is to say of a source, the first time.
    pub(crate) fn take_note(&mut self, source: u32, sources: &Sources) -> Option<Problem> {
        let detail = self.0.remove(&source)?.note()?;
        Some(Problem::note(String::from_utf8_lossy(&sources.name(source)), Reason::MissingField, detail))
    }
}
