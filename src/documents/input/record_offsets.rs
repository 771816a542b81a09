//! `RecordOffsets`: the offsets of the records of web crawls, by document name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use xxhash_rust::xxh3::xxh3_128;

/// The offsets of records, which a run collects while it reads them: 32 bytes per record. All clones share one
/// collection.
#[derive(Debug, Clone, Default)]
pub struct RecordOffsets(Arc<Mutex<HashMap<u128, u64>>>);

impl RecordOffsets {
    /// Adds the offset of a record in its unpacked file.
    pub(crate) fn add(&self, name: &[u8], offset: u64) {
        self.0.lock().expect("no holder panics").insert(xxh3_128(name), offset);
    }

    /// The offset of the record with this document name.
    pub(crate) fn of(&self, name: &[u8]) -> Option<u64> {
        self.0.lock().expect("no holder panics").get(&xxh3_128(name)).copied()
    }
}
