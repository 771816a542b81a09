//! `ByName`: values of files, members and records that a run collects while it reads them, by document name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use xxhash_rust::xxh3::xxh3_128;

/// Values by document name: a hash of 16 bytes and the value for each. All clones share one collection.
///
/// Default: nothing is collected.
#[derive(Debug)]
pub struct ByName<T>(Option<Arc<Mutex<HashMap<u128, T>>>>);

impl<T> Clone for ByName<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> Default for ByName<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Copy> ByName<T> {
    /// An empty collection that is filled during the run.
    pub fn collected() -> Self {
        Self(Some(Arc::default()))
    }

    /// Adds a value, if values are collected.
    ///
    /// * `name`: the document name, such as `a.tar!b.zip!c.txt`.
    pub(crate) fn add(&self, name: &[u8], value: T) {
        if let Some(values) = &self.0 {
            values.lock().expect("no holder panics").insert(xxh3_128(name), value);
        }
    }

    /// The value of the first of some names that has one.
    pub(crate) fn first_of<'n>(&self, mut names: impl Iterator<Item = &'n [u8]>) -> Option<T> {
        let values = self.0.as_ref()?.lock().expect("no holder panics");
        names.find_map(|name| values.get(&xxh3_128(name)).copied())
    }

    /// The value of a name.
    pub(crate) fn of(&self, name: &[u8]) -> Option<T> {
        self.first_of(std::iter::once(name))
    }

    /// Whether values are collected.
    pub(crate) fn is_collected(&self) -> bool {
        self.0.is_some()
    }
}
