//! Tests of the guarantees of both signatures: pinned values and independence of order (here), and their statistics
//! (below).

mod family;
mod model;
mod statistics;

use xxhash_rust::xxh3::xxh3_64;

use super::*;
use crate::sign::banding::band_keys;
use crate::text::shingle::{ShingleKind, Shingler};

const METHODS: [SignatureMethod; 2] = [SignatureMethod::Classic, SignatureMethod::Fast];
const BANDS: usize = 20;
const ROWS: usize = 5;
const NUM_HASHES: usize = BANDS * ROWS;

/// The shingle hash of an item: any set of numbers is a shingle set.
fn item(number: u64) -> u64 {
    xxh3_64(&number.to_le_bytes())
}

fn items(numbers: std::ops::Range<u64>) -> Vec<u64> {
    numbers.map(item).collect()
}

fn signature(method: SignatureMethod, seed: u64, shingles: &mut dyn ShingleHashes) -> Vec<u32> {
    let mut signature = vec![0; NUM_HASHES];
    assert!(Signer::new(method, BANDS, ROWS, seed).sign(shingles, &mut signature));
    signature
}

fn keys(signature: &[u32]) -> Vec<u64> {
    let mut keys = vec![0; BANDS];
    band_keys(signature, &mut keys);
    keys
}

/// Hashes in blocks of the given length.
struct InBlocks<'h>(&'h [u64], usize);

impl ShingleHashes for InBlocks<'_> {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        self.0.chunks(self.1).for_each(visit);
    }
}

/// The first values, the first band keys and a digest of the entire signature.
fn pin(signature: &[u32]) -> ([u32; 6], [u64; 3], u64) {
    let bytes: Vec<u8> = signature.iter().flat_map(|value| value.to_le_bytes()).collect();
    (signature[..6].try_into().unwrap(), keys(signature)[..3].try_into().unwrap(), xxh3_64(&bytes))
}

// The pinned values come from a second implementation in another language, including ChaCha12, not from this program.

#[test]
fn signatures_of_a_text_are_pinned() {
    let mut shingler = Shingler::new(ShingleKind::Char, 9);
    let mut of_text = |method| pin(&signature(method, 42, &mut shingler.shingles("the quick brown fox jumps over it")));
    assert_eq!(
        of_text(SignatureMethod::Classic),
        (
            [61260425, 45044215, 221565911, 187029602, 154206491, 220977354],
            [10796723745439743845, 1591218182409072247, 17333903730723845250],
            5702256739869820841
        )
    );
    assert_eq!(
        of_text(SignatureMethod::Fast),
        (
            [3995469597, 1674777206, 2356128684, 470215684, 1968641307, 1752319019],
            [16579014381179490138, 15466995423773525176, 14690846834978105696],
            1730805832156815899
        )
    );
}

#[test]
fn signatures_of_a_thousand_items_are_pinned() {
    let of_items = |method| pin(&signature(method, 42, &mut items(0..1000).as_slice()));
    assert_eq!(
        of_items(SignatureMethod::Classic),
        (
            [757611, 1533600, 340830, 1600856, 3425392, 2352778],
            [11550639511302747946, 1243885825520255363, 15155972479595476210],
            8731672328497760239
        )
    );
    assert_eq!(
        of_items(SignatureMethod::Fast),
        (
            [1352076729, 957514381, 3570981409, 3542452383, 419221685, 4285756813],
            [18161219409842762346, 10788162265339186642, 121590163589851247],
            4229141850817696195
        )
    );
}

#[test]
fn order_repeats_and_block_boundaries_change_nothing() {
    for method in METHODS {
        for size in [1, 2, 5, 100, 1000, 5000] {
            let once = items(0..size);
            let expected = signature(method, 42, &mut once.as_slice());
            let reversed: Vec<u64> = once.iter().rev().copied().collect();
            let mut by_hash = once.clone();
            by_hash.sort_unstable();
            let often: Vec<u64> = once.iter().chain(&reversed).chain(&by_hash).copied().collect();
            for other in [&reversed, &by_hash, &often] {
                assert_eq!(signature(method, 42, &mut other.as_slice()), expected, "{method:?}, {size} shingles");
            }
            for block_len in [1, 2, 3, 7, 16, 63, 4096] {
                let in_blocks = signature(method, 42, &mut InBlocks(&often, block_len));
                assert_eq!(in_blocks, expected, "{method:?}, {size} shingles in blocks of {block_len}");
            }
        }
    }
}

#[test]
fn a_signer_carries_nothing_from_one_set_to_the_next() {
    for method in METHODS {
        let mut signer = Signer::new(method, BANDS, ROWS, 42);
        for size in [10_000, 3, 1000, 1, 100] {
            let mut values = vec![0; NUM_HASHES];
            signer.sign(&mut items(0..size).as_slice(), &mut values);
            let fresh = signature(method, 42, &mut items(0..size).as_slice());
            assert_eq!(values, fresh, "{method:?}, {size} shingles");
        }
    }
}

#[test]
fn an_empty_source_leaves_every_value_unset() {
    for method in METHODS {
        let mut signer = Signer::new(method, BANDS, ROWS, 42);
        let mut values = [0; NUM_HASHES];
        for _ in 0..2 {
            assert!(!signer.sign(&mut [].as_slice(), &mut values), "{method:?}");
            assert_eq!(values, [u32::MAX; NUM_HASHES]);
            assert!(!signer.sign(&mut InBlocks(&[], 8), &mut values));
            // The signature of an empty set does not depend on the preceding set.
            assert!(signer.sign(&mut items(0..50).as_slice(), &mut values));
            assert!(values.iter().all(|&value| value != u32::MAX));
        }
    }
}

#[test]
fn seeds_and_methods_give_unrelated_signatures() {
    for method in METHODS {
        let shingles = items(0..1000);
        // Unrelated values of 31 bits and more are equal once in 2³¹ or, as minima of 1,000, in about 2²⁰.
        let with_seed = |seed| signature(method, seed, &mut shingles.as_slice());
        for (a, b) in [(0, 1), (42, 43), (0, 1 << 32), (0, 1 << 63), (1, 1 << 56), (0, u64::MAX)] {
            assert!(equal_values(&with_seed(a), &with_seed(b)) <= 1, "{method:?}: seeds {a} and {b}");
        }
    }
    let [classic, fast] = METHODS.map(|method| signature(method, 42, &mut items(0..1000).as_slice()));
    assert!(equal_values(&classic, &fast) <= 1);
}

#[test]
fn values_lie_band_after_band() {
    let shingles = items(0..300);
    let family = hash_family::ClassicFamily::new(BANDS, ROWS, 42);
    let values = signature(SignatureMethod::Classic, 42, &mut shingles.as_slice());
    for band in 0..BANDS {
        for row in 0..ROWS {
            let function = family.rows()[row][band];
            let least = shingles.iter().map(|&shingle| function.hash(hash_family::residue31(shingle))).min();
            assert_eq!(values[band * ROWS + row], least.unwrap(), "band {band}, row {row}");
        }
    }
    // A row keeps its functions when bands are added, and slots do not depend on the bands.
    let mut longer = vec![0; 2 * NUM_HASHES];
    Signer::new(SignatureMethod::Classic, 2 * BANDS, ROWS, 42).sign(&mut shingles.as_slice(), &mut longer);
    assert_eq!(longer[..NUM_HASHES], values);
    let mut other_cut = vec![0; NUM_HASHES];
    Signer::new(SignatureMethod::Fast, ROWS, BANDS, 42).sign(&mut shingles.as_slice(), &mut other_cut);
    assert_eq!(other_cut, signature(SignatureMethod::Fast, 42, &mut shingles.as_slice()));
}
