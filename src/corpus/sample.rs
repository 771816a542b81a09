//! `Sample`: which documents take part in a run that is a forecast, and what the others come to.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::input::{Document, GivenName};

/// Lets a share of the documents take part in a run, drawn at random by their names and places, and counts all of them. The
/// draw does not depend on threads, nor on what the documents hold.
#[derive(Debug, Clone)]
pub(crate) struct Sample {
    share: f64,
    counts: Arc<Counts>,
}

/// What was seen by all threads.
#[derive(Debug, Default)]
struct Counts {
    left_out: AtomicU64,
    left_out_bytes: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Sample {
    /// * `share`: above 0, at most 1.
    pub(crate) fn new(share: f64) -> Self {
        Self { share, counts: Arc::default() }
    }

    /// Whether a document takes part; one that does not is counted.
    pub(super) fn takes(&self, document: &Document) -> bool {
        let line = match document.name {
            GivenName::Id(_, line) | GivenName::Line(line) => line,
            GivenName::Path(_) | GivenName::Member(_) => 0,
        };
        // Records without ids are told apart by their places.
        let place = document.located.offset ^ u64::from(document.located.source) << 40 ^ line << 20;
        let hash = xxh3_64_with_seed(document.name.bytes(), place);
        let takes = (hash >> 11) as f64 / (1u64 << 53) as f64 <= self.share;
        if !takes {
            self.counts.left_out.fetch_add(1, Ordering::Relaxed);
            self.counts.left_out_bytes.fetch_add(document.num_bytes, Ordering::Relaxed);
        }
        takes
    }

    /// Adds the time since `start`, which a document that takes part has cost one thread.
    pub(super) fn add_time(&self, start: Instant) {
        self.counts.nanoseconds.fetch_add(start.elapsed().as_nanos() as u64, Ordering::Relaxed);
    }

    /// The documents that took no part, and their bytes as stored.
    pub(crate) fn left_out(&self) -> (u64, u64) {
        (self.counts.left_out.load(Ordering::Relaxed), self.counts.left_out_bytes.load(Ordering::Relaxed))
    }

    /// The time that those which took part have cost, of all threads.
    pub(crate) fn time(&self) -> Duration {
        Duration::from_nanos(self.counts.nanoseconds.load(Ordering::Relaxed))
    }
}
