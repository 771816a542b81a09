//! Finds the two prints of each finger among the prints of other fingers, by a family of functions made for the data
//! (MMDS 3.8.5).
//!
//! A print is the set of grid points that have a minutia, a place where ridges end or merge. A function of the family
//! chooses three points, and its only bucket holds the prints with minutiae in all three. So prints of one finger often
//! share a bucket, and most prints of different fingers never do. Prints that share a bucket are compared exactly.
//!
//! ```text
//! cargo run --example fingerprints
//! ```

mod hash_families;

use dedup_scan::compare::VerifiableSet;
use dedup_scan::sign::banding::BucketTable;
use dedup_scan::{DocId, ShingleSet, Threshold, Verifier};
use xxhash_rust::xxh3::xxh3_64;

use self::hash_families::Draws;

/// The number of points in the grid.
const POINTS: usize = 1000;
/// The probability that a print has a minutia at a point.
const MINUTIA: f64 = 0.2;
/// The probability that it has a minutia at a point where another print of the same finger has one.
const AGAIN: f64 = 0.8;
/// The number of functions, and the number of points that each of them chooses.
const FUNCTIONS: usize = 1024;
const CHOSEN: usize = 3;
/// The number of fingers, with two prints each.
const FINGERS: usize = 400;

/// Shares of two kinds of pairs: prints of the same finger, and prints of different fingers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shares {
    /// The share that one function declares candidates, on average.
    pub one_function: [f64; 2],
    /// The share that any function declares candidates.
    pub any: [f64; 2],
    /// The share that both of two groups of functions declare candidates.
    pub both: [f64; 2],
}

/// The result of comparing candidates exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compared {
    /// The number of pairs that share a bucket.
    pub candidates: usize,
    /// The number of pairs of the same finger that were found.
    pub right: usize,
    /// The number of pairs of different fingers that were taken for the same finger.
    pub wrong: usize,
}

fn main() -> dedup_scan::Result<()> {
    let computed = computed();
    let (simulated, compared) = simulated(42)?;
    println!("                        one function    any of {FUNCTIONS}    both of two groups");
    for (how, shares) in [("computed", computed), ("simulated", simulated)] {
        for (who, name) in ["one finger", "strangers"].into_iter().enumerate() {
            let [one, any, both] = [shares.one_function, shares.any, shares.both].map(|shares| shares[who]);
            println!("{how:<10} {name:<10} {one:>15.6} {any:>14.3} {both:>21.3}");
        }
    }
    let Compared { candidates, right, wrong } = compared;
    let all = FINGERS * (2 * FINGERS - 1);
    println!(
        "\n{candidates} of {all} pairs compared exactly: {right} of {FINGERS} fingers found, {wrong} strangers taken for one"
    );
    Ok(())
}

/// The shares that the lecture computes: all chosen points must have minutiae in both prints.
pub fn computed() -> Shares {
    let one_function = [MINUTIA * AGAIN, MINUTIA * MINUTIA].map(|point: f64| point.powi(CHOSEN as i32));
    let any = one_function.map(|chance| 1.0 - (1.0 - chance).powi(FUNCTIONS as i32));
    Shares { one_function, any, both: any.map(|chance| chance * chance) }
}

/// The shares of generated prints, and the result of comparing the candidates of one group exactly.
///
/// # Errors
/// None: the threshold is one.
pub fn simulated(seed: u64) -> dedup_scan::Result<(Shares, Compared)> {
    let mut draws = Draws::new(seed);
    let prints = prints(&mut draws);
    let groups = [functions(&mut draws), functions(&mut draws)];
    let (mut any, mut both) = ([0; 2], [0; 2]);
    let candidates = groups.each_ref().map(|functions| candidates(&prints, functions));
    for a in 0..prints.len() {
        for b in a + 1..prints.len() {
            let who = usize::from(a / 2 != b / 2);
            let [first, second] = candidates.each_ref().map(|found| found[a].binary_search(&DocId::new(b)).is_ok());
            any[who] += usize::from(first);
            both[who] += usize::from(first && second);
        }
    }
    let pairs = [FINGERS, 2 * FINGERS * (FINGERS - 1)];
    let share = |counts: [usize; 2]| [0, 1].map(|who| counts[who] as f64 / pairs[who] as f64);
    let one_function = share(in_buckets(&prints, &groups[0])).map(|share| share / FUNCTIONS as f64);
    let shares = Shares { one_function, any: share(any), both: share(both) };
    Ok((shares, compare(&prints, &candidates[0])?))
}

/// Counts the pairs that share a bucket, once for each function: pairs of the same finger, and pairs of different
/// fingers.
fn in_buckets(prints: &[Print], functions: &[Vec<usize>]) -> [usize; 2] {
    let mut pairs = [0; 2];
    for function in functions {
        let bucket: Vec<usize> = (0..prints.len()).filter(|&print| has_all(&prints[print], function)).collect();
        // Prints of the same finger are neighbours.
        let of_finger = bucket.windows(2).filter(|pair| pair[0] / 2 == pair[1] / 2).count();
        pairs[0] += of_finger;
        pairs[1] += bucket.len() * bucket.len().saturating_sub(1) / 2 - of_finger;
    }
    pairs
}

/// A print: for each point of the grid, whether it has a minutia there.
type Print = Vec<bool>;

/// Compares candidates exactly. Prints of the same finger have 0.8 of their minutiae in common, a similarity of 0.8 /
/// 1.2. Prints of different fingers have 0.2 in common, a similarity of 0.2 / 1.8.
fn compare(prints: &[Print], candidates: &[Vec<DocId>]) -> dedup_scan::Result<Compared> {
    let threshold = Threshold::new(0.4)?;
    // The set of the points with minutiae, hashed to 64 bits.
    let set_of = |print: &Print| {
        let points = (0..POINTS as u64).filter(|&point| print[point as usize]);
        let hashes: Vec<u64> = points.map(|point| xxh3_64(&point.to_le_bytes())).collect();
        VerifiableSet::new(ShingleSet::new(hashes.as_slice()))
    };
    let sets: Vec<VerifiableSet> = prints.iter().map(set_of).collect();
    let mut compared = Compared { candidates: 0, right: 0, wrong: 0 };
    for (a, candidates) in candidates.iter().enumerate() {
        let mut verifier = Verifier::new(&sets[a]);
        compared.candidates += candidates.len();
        for b in candidates.iter().map(|b| b.index()) {
            if verifier.verify(&sets[b], threshold).is_some() {
                *if a / 2 == b / 2 { &mut compared.right } else { &mut compared.wrong } += 1;
            }
        }
    }
    Ok(compared)
}

/// Generates two prints of each finger, one after the other.
fn prints(draws: &mut Draws) -> Vec<Print> {
    // This probability gives the second print as many minutiae as the first one has, on average.
    let elsewhere = MINUTIA * (1.0 - AGAIN) / (1.0 - MINUTIA);
    let mut of_finger = || {
        let first: Print = (0..POINTS).map(|_| draws.unit() < MINUTIA).collect();
        let again = |&in_first: &bool| draws.unit() < if in_first { AGAIN } else { elsewhere };
        let second = first.iter().map(again).collect();
        [first, second]
    };
    (0..FINGERS).flat_map(|_| of_finger()).collect()
}

/// Draws random functions: the distinct points that each of them chooses.
fn functions(draws: &mut Draws) -> Vec<Vec<usize>> {
    let choose = |_| {
        let mut chosen = Vec::new();
        while chosen.len() < CHOSEN {
            let point = draws.below(POINTS);
            if !chosen.contains(&point) {
                chosen.push(point);
            }
        }
        chosen
    };
    (0..FUNCTIONS).map(choose).collect()
}

fn has_all(print: &Print, points: &[usize]) -> bool {
    points.iter().all(|&point| print[point])
}

/// The later prints with which each print shares a bucket, ascending.
fn candidates(prints: &[Print], functions: &[Vec<usize>]) -> Vec<Vec<DocId>> {
    // A print that lacks a chosen point is not in the bucket of the function.
    let table = BucketTable::build(functions.len(), prints.len(), |function, bucket| {
        let in_bucket = (0..prints.len()).filter(|&print| has_all(&prints[print], &functions[function]));
        bucket.extend(in_bucket.map(|print| (0, DocId::new(print))));
    });
    let mut candidates = table.candidates();
    (0..prints.len()).map(|print| candidates.of(DocId::new(print)).to_vec()).collect()
}
