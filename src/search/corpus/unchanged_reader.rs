//! `UnchangedReader`: reads a document once more and checks that its text is unchanged since the first pass.
//!
//! A file may change during a run, and the similarity of a pair with the changed text would be wrong. So the hash of
//! each text that is read again is compared with the hash from the first pass. A document that has changed or cannot be
//! read is reported once and never used again.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use xxhash_rust::xxh3::xxh3_128;

use crate::base::flat::offset_map::Trace;
use crate::base::problem::{Problem, Reason};
use crate::documents::document::{DocId, DocumentLocation, Documents};
use crate::documents::input::{Reader, Sources};
use crate::text::normalize::Normalizer;

/// Records which documents changed or could not be read again, so that each is reported once.
pub(super) struct UnchangedReader<'a> {
    documents: &'a Documents,
    sources: &'a Sources,
    /// The consequence for the result, as part of the message.
    consequence: &'static str,
    /// The reason why each document could not be read, such as `changed`.
    failed: Mutex<HashMap<DocId, String>>,
}

/// Maximum number of records of one file that are reported one by one. If more of them changed, the file did.
const MOST_RECORDS: u64 = 5;

impl<'a> UnchangedReader<'a> {
    /// * `sources`: the files of the records.
    pub(super) fn new(documents: &'a Documents, sources: &'a Sources, consequence: &'static str) -> Self {
        Self { documents, sources, consequence, failed: Mutex::default() }
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
        let is_known = self.failed.lock().expect("no holder panics").contains_key(&document);
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
        self.failed.lock().expect("no holder panics").entry(document).or_insert(fault);
        None
    }

    /// The reason why a document could not be read again, such as `vanished`.
    pub(super) fn fault(&self, document: DocId) -> Option<String> {
        self.failed.lock().expect("no holder panics").get(&document).cloned()
    }

    /// Returns a problem for each document that could not be read again, in document order. Many records of one file with the
    /// same fault are one problem of that file.
    pub(super) fn into_problems(self) -> Vec<Problem> {
        let mut failed: Vec<(DocId, String)> =
            self.failed.into_inner().expect("no holder panics").into_iter().collect();
        failed.sort_unstable_by_key(|&(document, _)| document);
        let file_of = |document: DocId| {
            let located = self.documents.located(document);
            (located.source != DocumentLocation::FILE && located.how_kept().is_none()).then_some(located.source)
        };
        let mut numbers: HashMap<(u32, &str), u64> = HashMap::new();
        for (document, fault) in &failed {
            if let Some(file) = file_of(*document) {
                *numbers.entry((file, fault)).or_default() += 1;
            }
        }
        let problem = |name: &[u8], what: String| {
            Problem::error(
                String::from_utf8_lossy(name),
                Reason::Changed,
                format!("{what}; {}, scan again", self.consequence),
            )
        };
        let (mut problems, mut reported) = (Vec::new(), HashSet::new());
        for (document, fault) in &failed {
            let of_file = file_of(*document).map(|file| (file, numbers[&(file, fault.as_str())]));
            if let Some((file, number)) = of_file.filter(|&(_, number)| number > MOST_RECORDS) {
                // The problem of the file is reported at its first record.
                if reported.insert((file, fault)) {
                    let what = format!("{fault} while {number} of its documents were compared");
                    problems.push(Problem { number, ..problem(&self.sources.name(file), what) });
                }
            } else {
                problems.push(problem(self.documents.name(*document), format!("{fault} while it was compared")));
            }
        }
        problems
    }
}
