//! `useful_threads`: estimates from the inputs how many threads they keep busy, so that a run does not start more.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::documents::input::settings::Inputs;
use crate::documents::input::streams::spool::Sources;
use crate::documents::input::walk::walk_paths;

/// Packed bytes that are expected to keep one thread busy.
const PACKED_BYTES: u64 = 8 << 10;

/// The number of threads that the inputs keep busy, at most `threads`. If `threads` is at least the number of cores,
/// the result is too. [`Settings::useful_threads`](crate::search::Settings::useful_threads) explains why.
pub(crate) fn useful_threads(inputs: Inputs, threads: NonZeroUsize) -> NonZeroUsize {
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    if threads <= cores {
        return threads;
    }
    let most = threads.get();
    let num_pieces = AtomicUsize::new(0);
    let sees_more = |pieces| num_pieces.fetch_add(pieces, Ordering::Relaxed) + pieces < most;
    walk_paths(inputs, &Sources::default(), &|_| sees_more(1), &mut |job| {
        let len = job.path.filter(|_| !job.is_stream).and_then(|path| fs::metadata(path).ok());
        let pieces = len.map_or(most as u64, |metadata| metadata.len() / PACKED_BYTES + 1);
        sees_more(usize::try_from(pieces).unwrap_or(most).min(most));
    });
    let num_pieces = NonZeroUsize::new(num_pieces.into_inner()).unwrap_or(NonZeroUsize::MIN);
    threads.min(num_pieces.max(cores))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::input::settings::InputSettings;

    #[test]
    fn threads_are_no_more_than_pieces_of_work_beyond_those_that_the_machine_runs() {
        let folder = tempfile::tempdir().unwrap();
        let cores = std::thread::available_parallelism().unwrap().get();
        let threads = |asked: usize, paths: &[&str]| {
            let settings = InputSettings::of(paths.iter().map(|path| folder.path().join(path)).collect());
            useful_threads(Inputs { settings: &settings, sets: false }, asked.try_into().unwrap()).get()
        };
        for number in 0..40 {
            fs::write(folder.path().join(number.to_string()), "a text").unwrap();
        }
        assert_eq!(threads(1, &[""]), 1);
        assert_eq!(threads(1000, &[""]), 40.max(cores));
        assert_eq!(threads(cores + 3, &[""]), (cores + 3).min(40.max(cores)));
        assert_eq!(threads(1000, &["7"]), cores.min(1000));
        fs::write(folder.path().join("packed.zip"), vec![0; 1 << 20]).unwrap();
        assert_eq!(threads(100, &["packed.zip"]), 100);
    }
}
