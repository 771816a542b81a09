//! `AnsweredPairs`: finds the answers of a file that belong to no pair of a result, so that they are not lost in silence.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use dedup_scan::base::shown;
use dedup_scan::records::PairRecord;
use dedup_scan::results::{Answers, SavedResult};

use crate::cli::messages::{self, Result, line};

/// The answers about pairs that were not found yet.
pub(super) struct AnsweredPairs {
    answers: Arc<Answers>,
    found: HashSet<[Vec<u8>; 2]>,
}

impl AnsweredPairs {
    pub(super) fn new(answers: Arc<Answers>) -> Self {
        Self { answers, found: HashSet::new() }
    }

    /// Notes that a pair of the result was read.
    pub(super) fn see(&mut self, pair: &PairRecord) {
        if self.answers.say_nothing() {
            return;
        }
        let names = [pair.a.to_bytes(), pair.b.to_bytes()];
        if self.answers.of(&names).is_some() || self.answers.note_of(&names).is_some() {
            self.found.insert(names);
        }
    }

    /// Warns of answers that belong to no pair.
    ///
    /// * `file`: the file of the answers; `None` without one.
    ///
    /// # Errors
    /// When the list of documents of the result cannot be read.
    pub(super) fn warn(&self, file: Option<&Path>, saved: &SavedResult) -> Result<()> {
        let Some(file) = file else { return Ok(()) };
        let (mut num_lost, mut first) = (0, None);
        for names in self.answers.pairs().filter(|names| !self.found.contains(*names)) {
            num_lost += 1;
            first.get_or_insert(names);
        }
        let Some(names) = first else { return Ok(()) };
        let mut is_known = names.each_ref().map(|_| saved.header().is_none());
        saved.each_name(&mut |name| {
            is_known.iter_mut().zip(names).for_each(|(is_known, own)| *is_known |= own.as_slice() == name);
        })?;
        let [a, b] = names.each_ref().map(|name| shown(&String::from_utf8_lossy(name)));
        let (of, result) = (shown(&file.to_string_lossy()), shown(&saved.path().to_string_lossy()));
        let why = match is_known.iter().position(|is_known| !is_known) {
            Some(at) => format!(
                "{result} has no document {}: scan the same paths from the same folder, or correct the names",
                [&a, &b][at]
            ),
            None => "a flag such as --threshold may hide the pair, or one of the texts has changed".to_owned(),
        };
        let all = messages::counted(self.answers.pairs().count() as u64, "answer");
        line(&format!(
            "dedup: warning: {of}: {num_lost} of {all} belong to no pair of {result}, such as {a} and {b}; {why}"
        ));
        Ok(())
    }
}
