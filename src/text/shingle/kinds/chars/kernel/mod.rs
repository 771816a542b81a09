//! The inner loop of shingles of characters: hashes all windows of a run of bytes.

use xxhash_rust::xxh3::xxh3_64;

#[cfg(target_arch = "x86_64")]
mod x86_64;

/// Appends the `xxh3_64` of every window of the given number of bytes to a list. There must be at least one window.
pub(super) type HashWindows = fn(&[u8], usize, &mut Vec<u64>);

/// The fastest implementation that this processor can run.
pub(super) fn best() -> HashWindows {
    available().last().expect("the scalar kernel runs everywhere").1
}

/// Every implementation that this processor can run, with its name: the reference first and the fastest last.
pub(super) fn available() -> Vec<(&'static str, HashWindows)> {
    let mut kernels: Vec<(&'static str, HashWindows)> = vec![("scalar", scalar)];
    #[cfg(target_arch = "x86_64")]
    kernels.extend(x86_64::available());
    kernels
}

fn scalar(run: &[u8], size: usize, hashes: &mut Vec<u64>) {
    // With the default size as a constant, the compiler removes the choice of the hash formula by length.
    match size {
        9 => hashes.extend(run.windows(9).map(|window| xxh3_64(&window[..9]))),
        _ => hashes.extend(run.windows(size).map(xxh3_64)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_kernel_equals_the_hash_of_each_window(
            run in prop::collection::vec(any::<u8>(), 1..300), size in prop_oneof![1usize..20, 1usize..300],
        ) {
            let size = size.min(run.len());
            let expected: Vec<u64> = [7].into_iter().chain(run.windows(size).map(xxh3_64)).collect();
            for (name, hash_windows) in available() {
                let mut hashes = vec![7];
                hash_windows(&run, size, &mut hashes);
                prop_assert_eq!(&hashes, &expected, "{} {}", name, size);
            }
        }
    }
}
