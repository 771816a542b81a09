//! `SpreadMap`: a map from numbers, without the cost of a hasher that withstands chosen ones.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A map whose keys are hashes already, or places; those that are chosen to meet cost time alone.
pub(crate) type SpreadMap<V> = HashMap<u64, V, BuildHasherDefault<Spread>>;

/// Keys may differ in some of the bits only, which this spreads (Knuth, 6.4).
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
