//! `ContainerItems`: how much each mail file and web crawl holds, by document name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use xxhash_rust::xxh3::xxh3_128;

/// The number of documents, and of parts that could not be compared, in each mail message, mailbox and web crawl. A run that
/// writes a corpus collects it while it reads: 32 bytes for each. All clones share one collection.
///
/// Default: nothing is collected.
#[derive(Debug, Clone, Default)]
pub struct ContainerItems(Option<Arc<Mutex<HashMap<u128, u64>>>>);

impl ContainerItems {
    /// An empty collection that is filled during the run.
    pub fn collected() -> Self {
        Self(Some(Arc::default()))
    }

    /// Adds the number of items in a container, if numbers are collected.
    ///
    /// * `name`: the name of the container, such as `a.tar!b.mbox`.
    pub(crate) fn add(&self, name: &[u8], items: u64) {
        if let Some(containers) = &self.0 {
            containers.lock().expect("no holder panics").insert(xxh3_128(name), items);
        }
    }

    /// The number of items in the container of this name; `None` if it is not known to be a container.
    pub(crate) fn of(&self, name: &[u8]) -> Option<u64> {
        self.0.as_ref()?.lock().expect("no holder panics").get(&xxh3_128(name)).copied()
    }
}
