//! `Winnower`: selects a few hashes of a text, so that two texts with a long common run share at least one.
//!
//! Robust winnowing (Schleimer, Wilkerson and Aiken 2003): of every w consecutive hashes of k tokens the smallest one
//! is kept, the rightmost of equal ones. A common run of w + k - 1 tokens has the same w hashes in both texts, and the
//! same one of these is kept. So the run is always found, whatever surrounds it.

use std::collections::VecDeque;

use super::rolling_hash::{RollingHash, TokenId, hash_of_all};
use super::settings::PassageSettings;
use crate::text::shingle::{Ids, Tokens};

/// Selects the hashes by which texts with common passages are found. It keeps its buffers, so each thread needs its
/// own.
///
/// ```
/// use dedup_scan::compare::passages::{PassageSettings, Winnower};
/// use dedup_scan::{ShingleKind, Shingler};
///
/// let mut shingler = Shingler::new(ShingleKind::Word, 5);
/// let mut winnower = Winnower::new(PassageSettings::new(5, 8, 10)?);
/// let mut kept = |text: &str| {
///     let mut hashes = Vec::new();
///     winnower.keep(&shingler.tokens(text.to_owned()), |hash, _| hashes.push(hash));
///     hashes
/// };
/// // Eight words are the same, and so is a hash.
/// let a = kept("And then the night was long and the wind came over the hill.");
/// let b = kept("All that night was long and the wind came over all of us.");
/// assert!(a.iter().any(|hash| b.contains(hash)));
/// # Ok::<(), dedup_scan::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Winnower {
    min_run: usize,
    window: usize,
    /// The hashes of the window that are smaller than all later ones, and their positions.
    least: VecDeque<(u64, usize)>,
}

impl Winnower {
    /// Creates a winnower that keeps a shared hash for any two texts with a common run of
    /// [`anchor`](PassageSettings::anchor) tokens.
    pub fn new(settings: PassageSettings) -> Self {
        let window = settings.anchor() - settings.min_run() + 1;
        Self { min_run: settings.min_run(), window, least: VecDeque::new() }
    }

    /// Passes on the kept hashes of a text and the positions of their first tokens, ascending. It keeps about 2 of w
    /// + 1 random hashes.
    ///
    /// A text that is shorter than an anchor has one hash; a text that is shorter than a run, the hash of all its
    /// tokens. So equal texts share a hash, however short. A text without tokens has none.
    ///
    /// The time is linear in the tokens, regardless of the window.
    pub fn keep(&mut self, tokens: &Tokens, keep: impl FnMut(u64, usize)) {
        match tokens.ids() {
            Ids::Ascii(ids) => self.keep_ids(ids, keep),
            Ids::Chars(ids) => self.keep_ids(ids, keep),
            Ids::Pieces(ids) => self.keep_ids(ids, keep),
        }
    }

    fn keep_ids<T: TokenId>(&mut self, ids: &[T], mut keep: impl FnMut(u64, usize)) {
        let Self { min_run, window, least } = self;
        if ids.len() < *min_run {
            if !ids.is_empty() {
                keep(hash_of_all(ids), 0);
            }
            return;
        }
        let num_hashes = ids.len() + 1 - *min_run;
        let window = (*window).min(num_hashes);
        let mut hashes = RollingHash::new(ids, *min_run);
        let mut last = None;
        least.clear();
        for position in 0..num_hashes {
            let hash = hashes.at(position);
            while least.back().is_some_and(|&(other, _)| other >= hash) {
                least.pop_back();
            }
            least.push_back((hash, position));
            if least[0].1 + window == position {
                least.pop_front();
            }
            if position + 1 >= window && last != Some(least[0].1) {
                keep(least[0].0, least[0].1);
                last = Some(least[0].1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn kept(ids: &[u32], min_run: usize, anchor: usize) -> Vec<(u64, usize)> {
        let mut winnower = Winnower::new(PassageSettings::new(min_run, anchor, 0).unwrap());
        let mut kept = Vec::new();
        winnower.keep_ids(ids, |hash, position| kept.push((hash, position)));
        kept
    }

    /// Length of the longest common run of tokens.
    fn longest_common(a: &[u32], b: &[u32]) -> usize {
        let at = |i: usize, j: usize| a[i..].iter().zip(&b[j..]).take_while(|(a, b)| a == b).count();
        (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| at(i, j))).max().unwrap_or(0)
    }

    proptest! {
        #[test]
        fn of_every_window_the_rightmost_least_hash_is_kept_and_no_other(
            ids in prop::collection::vec(0u32..4, 0..120),
            min_run in 1usize..6,
            more in 0usize..7,
        ) {
            let window = more + 1;
            let kept = kept(&ids, min_run, min_run + more);
            let hashes: Vec<u64> = ids.windows(min_run).map(|run| RollingHash::new(run, min_run).at(0)).collect();
            let mut expected = BTreeSet::new();
            for (start, hashes) in hashes.windows(window.min(hashes.len()).max(1)).enumerate() {
                let least = *hashes.iter().min().unwrap();
                let at = hashes.iter().rposition(|&hash| hash == least).unwrap();
                expected.insert((start + at, least));
            }
            if ids.len() < min_run {
                prop_assert_eq!(kept.len(), usize::from(!ids.is_empty()));
            } else {
                let expected: Vec<_> = expected.into_iter().map(|(position, hash)| (hash, position)).collect();
                prop_assert_eq!(kept, expected);
            }
        }

        #[test]
        fn texts_with_a_common_run_of_an_anchor_share_a_hash(
            before in prop::collection::vec((0u32..6, 0u32..6), 0..30),
            common in prop::collection::vec(0u32..6, 0..14),
            behind in prop::collection::vec((0u32..6, 0u32..6), 0..30),
            min_run in 1usize..6,
            more in 0usize..7,
        ) {
            let side = |of: fn(&(u32, u32)) -> u32| -> Vec<u32> {
                before.iter().map(of).chain(common.iter().copied()).chain(behind.iter().map(of)).collect()
            };
            let (a, b) = (side(|pair| pair.0), side(|pair| pair.1));
            let hashes = |ids: &[u32]| -> BTreeSet<u64> {
                kept(ids, min_run, min_run + more).into_iter().map(|(hash, _)| hash).collect()
            };
            let (hashes_a, hashes_b) = (hashes(&a), hashes(&b));
            let is_found = hashes_a.intersection(&hashes_b).next().is_some();
            if longest_common(&a, &b) >= min_run + more || a == b && !a.is_empty() {
                prop_assert!(is_found);
            }
            if longest_common(&a, &b) < min_run.min(a.len()).min(b.len()) {
                prop_assert!(!is_found, "a shared hash is a common run");
            }
        }
    }

    #[test]
    fn two_of_w_and_one_hashes_are_kept() {
        let ids: Vec<u32> = (0..100_000u32).map(|at| at.wrapping_mul(at) % 10_007).collect();
        for (window, least, most) in [(1, 0.99, 1.0), (4, 0.38, 0.42), (9, 0.19, 0.21)] {
            let share = kept(&ids, 5, 5 + window - 1).len() as f64 / ids.len() as f64;
            assert!((least..=most).contains(&share), "{window}: {share}");
        }
        // The rightmost of equal hashes is kept, so each of the 993 windows keeps a different one.
        assert_eq!(kept(&[7; 1000], 5, 8).len(), 993);
    }
}
