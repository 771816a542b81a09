//! `OnlyNames`: the documents of `report --only`, and the pairs that contain one of them.

use std::ffi::OsString;

use dedup_scan::base::shown;
use dedup_scan::records::PairRecord;
use dedup_scan::results::SavedResult;

use crate::cli::messages::{Failure, Result};

/// Names of documents, folders and archives, each with whether a document of that name was found.
pub(super) struct OnlyNames {
    names: Vec<(Vec<u8>, bool)>,
    /// For each name, the first document that has it below some folder.
    longer: Vec<Option<Vec<u8>>>,
}

impl OnlyNames {
    /// * `given`: the values of `--only`; without a value every pair is kept.
    pub(super) fn new(given: &[OsString]) -> Self {
        let name = |given: &OsString| {
            let bytes = given.as_encoded_bytes();
            (bytes.strip_suffix(b"/").filter(|name| !name.is_empty()).unwrap_or(bytes).to_vec(), false)
        };
        Self { names: given.iter().map(name).collect(), longer: vec![None; given.len()] }
    }

    /// Whether a pair contains one of the documents.
    pub(super) fn keeps(&mut self, pair: &PairRecord) -> bool {
        if self.names.is_empty() {
            return true;
        }
        // Both are looked at, so that a name counts as found on either side.
        let [a, b] = [&pair.a, &pair.b].map(|name| self.find(&name.to_bytes()));
        a || b
    }

    /// Finds the names among the documents of a saved result.
    ///
    /// # Errors
    /// When the list of documents cannot be read, or lacks a name. A file of pairs has no such list.
    pub(super) fn check_documents(&mut self, saved: &SavedResult) -> Result<()> {
        if self.names.is_empty() || saved.header().is_none() {
            return Ok(());
        }
        saved.each_name(&mut |name| {
            self.find(name);
        })?;
        self.check(saved)
    }

    /// Refuses a name that was not found.
    pub(super) fn check(&self, saved: &SavedResult) -> Result<()> {
        let Some(at) = self.names.iter().position(|(_, is_found)| !is_found) else { return Ok(()) };
        let such_as = |longer: &Vec<u8>| format!(", such as {}", shown(&String::from_utf8_lossy(longer)));
        let such_as = self.longer[at].as_ref().map_or_else(String::new, such_as);
        let result = shown(&saved.path().to_string_lossy());
        let what = if saved.header().is_some() { "document" } else { "pair" };
        Err(Failure::of_value(
            "--only",
            shown(&String::from_utf8_lossy(&self.names[at].0)),
            format!("no {what} of {result} has this name or folder; give a name as the pairs have it{such_as}"),
        ))
    }

    /// Whether one of the names is the name of the document, of a folder or of an archive that contains it.
    fn find(&mut self, document: &[u8]) -> bool {
        let mut is_one = false;
        for ((name, is_found), longer) in self.names.iter_mut().zip(&mut self.longer) {
            let rest = document.strip_prefix(name.as_slice());
            if rest.is_some_and(|rest| matches!(rest.first(), None | Some(b'/' | b'!' | b':'))) {
                (*is_found, is_one) = (true, true);
            } else if longer.is_none()
                && document.strip_suffix(name.as_slice()).is_some_and(|folder| folder.ends_with(b"/"))
            {
                *longer = Some(document.to_vec());
            }
        }
        is_one
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_document_or_what_contains_it() {
        let found = |name: &str, document: &str| OnlyNames::new(&[name.into()]).find(document.as_bytes());
        for document in ["in/alice", "in/alice/a.py", "in/alice!a.py", "in/alice:3"] {
            assert!(found("in/alice", document) && found("in/alice/", document), "{document}");
        }
        for document in ["in/alice2", "in/alice.py", "alice", "in"] {
            assert!(!found("in/alice", document), "{document}");
        }
        assert!(found("/", "/"));
        let mut only = OnlyNames::new(&["a.py".into()]);
        assert!(!only.find(b"in/aa.py") && !only.find(b"in/bob/a.py") && !only.find(b"in/cy/a.py"));
        assert_eq!(only.longer, [Some(b"in/bob/a.py".to_vec())]);
    }
}
