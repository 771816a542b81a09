//! `SpreadMap`: a hash map for numbers, with a hasher that is fast and does not resist chosen collisions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose keys are hashes or positions; chosen collisions only cost time.
pub(crate) type SpreadMap<V> = HashMap<u64, V, BuildHasherDefault<Spread>>;

/// A hasher for keys that may differ in only some of their bits: it spreads them (Knuth, 6.4).
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are u64");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
