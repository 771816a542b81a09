//! How much there is to do: so that no more threads are started than it keeps busy.

use std::fs;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::spool::Sources;
use super::walk::walk_paths;
use crate::config::Config;

/// Packed bytes that one thread is expected to be busy with.
const PACKED_BYTES: u64 = 8 << 10;

/// As many threads as the settings say, or fewer when some would have nothing to do: no more than the machine runs at
/// once, or than there are pieces of work.
///
/// A thread that finds nothing to do looks at all others for some, so a thousand of them would take seconds for what one
/// does in a moment. Looks at names and lengths of files, of no more than it needs to see, and reads none; what comes by
/// a stream may be any amount.
pub fn useful_threads(config: &Config) -> NonZeroUsize {
    let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    if config.threads <= cores {
        return config.threads;
    }
    let most = config.threads.get();
    let num_pieces = AtomicUsize::new(0);
    let sees_more = |pieces| num_pieces.fetch_add(pieces, Ordering::Relaxed) + pieces < most;
    walk_paths(&config.input, &Sources::default(), &|_| sees_more(1), &mut |job| {
        let len = job.path.filter(|_| !job.is_stream).and_then(|path| fs::metadata(path).ok());
        let pieces = len.map_or(most as u64, |metadata| metadata.len() / PACKED_BYTES + 1);
        sees_more(usize::try_from(pieces).unwrap_or(most).min(most));
    });
    let num_pieces = NonZeroUsize::new(num_pieces.into_inner()).unwrap_or(NonZeroUsize::MIN);
    config.threads.min(num_pieces.max(cores))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_no_more_than_pieces_of_work_beyond_those_that_the_machine_runs() {
        let folder = tempfile::tempdir().unwrap();
        let cores = std::thread::available_parallelism().unwrap().get();
        let threads = |asked: usize, paths: &[&str]| {
            let mut config = Config { threads: asked.try_into().unwrap(), ..Config::default() };
            config.input.paths = paths.iter().map(|path| folder.path().join(path)).collect();
            useful_threads(&config).get()
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
