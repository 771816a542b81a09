//! `UnchangedReader`: reads a document once more and checks that its text is unchanged since the first pass.
//!
//! A file may change during a run, and the similarity of a pair with the changed text would be wrong. So the hash of
//! each text that is read again is compared with the hash from the first pass. A document that has changed or cannot be
//! read is reported once and never used again.

use std::collections::HashMap;
use std::sync::Mutex;

use xxhash_rust::xxh3::xxh3_128;

use crate::base::flat::offset_map::Trace;
use crate::base::problem::{Problem, Reason};
use crate::documents::document::{DocId, Documents};
use crate::documents::input::Reader;
use crate::text::normalize::Normalizer;

/// Records which documents changed or could not be read again, so that each is reported once.
pub(super) struct UnchangedReader<'a> {
    documents: &'a Documents,
    /// The consequence for the result, as part of the message.
    consequence: &'static str,
    failed: Mutex<Failed>,
}

#[derive(Default)]
struct Failed {
    /// The reason why each document could not be read, such as `changed`.
    faults: HashMap<DocId, String>,
    problems: Vec<(DocId, Problem)>,
}

impl<'a> UnchangedReader<'a> {
    pub(super) fn new(documents: &'a Documents, consequence: &'static str) -> Self {
        Self { documents, consequence, failed: Mutex::default() }
    }

    /// The normalised text of a document, in the buffer of `reader`; `None` when it cannot be read or has changed.
    ///
    /// * `trace`: records where the text comes from.
    pub(super) fn read<'r, T: Trace>(
        &self,
        document: DocId,
        reader: &'r mut Reader,
        normalizer: &mut Normalizer,
        trace: &mut T,
    ) -> Option<&'r mut Vec<u8>> {
        self.read_and(document, reader, normalizer, trace, |_, _| ())
    }

    /// Does what [`read`](Self::read) does, and passes the text to `decoded` before normalisation, with its trace, which
    /// the normalisation continues.
    pub(super) fn read_and<'r, T: Trace>(
        &self,
        document: DocId,
        reader: &'r mut Reader,
        normalizer: &mut Normalizer,
        trace: &mut T,
        decoded: impl FnOnce(&[u8], &mut T),
    ) -> Option<&'r mut Vec<u8>> {
        let is_known = self.failed.lock().expect("no holder panics").faults.contains_key(&document);
        if is_known {
            return None;
        }
        let fault = match reader.read_again(self.documents.name(document), self.documents.located(document), trace) {
            Ok(text) => {
                decoded(text, trace);
                normalizer.set_syntax(self.documents.syntax(document));
                normalizer.normalize_traced(text, trace);
                // A document without shingles has no hash, and no shingles are counted for it.
                let content = self.documents.content(document);
                if content == 0 || xxh3_128(text) == content {
                    return Some(text);
                }
                "changed".to_owned()
            }
            Err(fault) => fault,
        };
        self.fail(document, &fault);
        None
    }

    fn fail(&self, document: DocId, fault: &str) {
        let mut failed = self.failed.lock().expect("no holder panics");
        if failed.faults.insert(document, fault.to_owned()).is_none() {
            let name = String::from_utf8_lossy(self.documents.name(document));
            let detail = format!("{fault} while it was compared; {}, scan again", self.consequence);
            failed.problems.push((document, Problem::error(name, Reason::Changed, detail)));
        }
    }

    /// The reason why a document could not be read again, such as `vanished`.
    pub(super) fn fault(&self, document: DocId) -> Option<String> {
        self.failed.lock().expect("no holder panics").faults.get(&document).cloned()
    }

    /// Returns a problem for each document that could not be read again, in document order.
    pub(super) fn into_problems(self) -> Vec<Problem> {
        let mut failed = self.failed.into_inner().expect("no holder panics");
        failed.problems.sort_by_key(|&(document, _)| document);
        failed.problems.into_iter().map(|(_, problem)| problem).collect()
    }
}
