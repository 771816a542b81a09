//! `IdNames`: makes the name of a record from its id, with the name of its source as a prefix on request.

use crate::documents::input::streams::spool::Sources;

/// Makes names from ids, and caches the prefix of the last source.
#[derive(Debug)]
pub(super) struct IdNames {
    has_prefix: bool,
    source: Option<u32>,
    /// The prefix, followed by the last id.
    name: Vec<u8>,
    prefix_len: usize,
}

impl IdNames {
    /// * `has_prefix`: whether the name of the source and a `#` precede each id.
    pub(super) fn new(has_prefix: bool) -> Self {
        Self { has_prefix, source: None, name: Vec::new(), prefix_len: 0 }
    }

    /// The name of a record of a source; `None` when its id is empty or only white space.
    pub(super) fn name<'n>(&'n mut self, id: &'n str, source: u32, sources: &Sources) -> Option<&'n [u8]> {
        if id.trim().is_empty() {
            return None;
        }
        if !self.has_prefix {
            return Some(id.as_bytes());
        }
        if self.source != Some(source) {
            self.source = Some(source);
            self.name = sources.name(source);
            self.name.push(b'#');
            self.prefix_len = self.name.len();
        }
        self.name.truncate(self.prefix_len);
        self.name.extend_from_slice(id.as_bytes());
        Some(&self.name)
    }
}
