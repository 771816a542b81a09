//! Measures families of locality-sensitive functions against their formulas, on points at known distances.
//!
//! ```text
//! cargo run --example families
//! ```

mod hash_families;

use dedup_scan::{ShingleSet, jaccard};

use self::hash_families::{
    Draws, EditFamily, EuclideanFamily, HammingFamily, HashFamily, HashFunction, HyperplaneFamily, JaccardFamily,
    SketchFamily, edit_distance,
};

/// The number of functions drawn at each distance; a share has a standard deviation of at most 0.016.
const FUNCTIONS: usize = 1000;
const DIMENSIONS: usize = 64;

fn main() {
    let mut draws = Draws::new(2024);

    table("Jaccard distance of sets, 1 - d", &JaccardFamily, [0.0, 0.2, 0.5, 0.8], &mut draws, |distance, draws| {
        // Both sets together have 100 elements.
        let elements: Vec<u64> = (0..100).map(|_| draws.bits()).collect();
        let shared = (100.0 * (1.0 - distance)).round() as usize;
        let middle = shared + (100 - shared) / 2;
        (elements[..middle].to_vec(), [&elements[..shared], &elements[middle..]].concat())
    });
    table(
        "Angle of vectors in degrees, 1 - d / 180, by hyperplanes",
        &HyperplaneFamily::new(DIMENSIONS),
        [10.0, 30.0, 90.0, 150.0],
        &mut draws,
        vectors_at_angle,
    );
    table(
        "The same by vectors of +1 and -1",
        &SketchFamily::new(DIMENSIONS),
        [10.0, 30.0, 90.0, 150.0],
        &mut draws,
        vectors_at_angle,
    );
    table(
        "Euclidean distance, buckets of width 4",
        &EuclideanFamily::new(DIMENSIONS, 4.0),
        [0.4, 2.0, 4.0, 8.0],
        &mut draws,
        |distance, draws| {
            let (from, to) = vectors_at_angle(90.0, draws);
            let moved = from.iter().zip(&to).map(|(from, to)| from + distance as f32 * to).collect();
            (from, moved)
        },
    );
    table(
        "Different bits of 128, 1 - d / 128",
        &HammingFamily::new(128),
        [0.0, 8.0, 32.0, 96.0],
        &mut draws,
        |distance, draws| {
            let from = vec![draws.bits(), draws.bits()];
            let mut to = from.clone();
            (0..distance as usize).for_each(|bit| to[bit % 2] ^= 1 << (bit / 2));
            (from, to)
        },
    );
    edits(&mut draws);
}

/// Prints the probability at each distance, by the formula and as measured, for single functions and for 8 bands of 3
/// rows.
fn table<F, P>(
    title: &str,
    family: &F,
    distances: [f64; 4],
    draws: &mut Draws,
    points: impl Fn(f64, &mut Draws) -> (Vec<P>, Vec<P>),
) where
    F: HashFamily<Point = [P]> + Clone,
{
    let amplified = family.clone().and(3).or(8);
    println!("{title}\n    distance   formula  measured   and(3).or(8)  measured");
    for distance in distances {
        let (a, b) = points(distance, draws);
        let shares = [measured(family, &a, &b, draws), measured(&amplified, &a, &b, draws)];
        let chances = [family.chance(distance), amplified.chance(distance)];
        println!("{distance:>12} {:>9.3} {:>9.3} {:>14.3} {:>9.3}", chances[0], shares[0], chances[1], shares[1]);
    }
    println!();
}

fn measured<F: HashFamily>(family: &F, a: &F::Point, b: &F::Point, draws: &mut Draws) -> f64 {
    (0..FUNCTIONS).filter(|_| family.draw(draws).declares(a, b)).count() as f64 / FUNCTIONS as f64
}

/// Two vectors of length 1 with this angle between them, in random directions.
fn vectors_at_angle(degrees: f64, draws: &mut Draws) -> (Vec<f32>, Vec<f32>) {
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let unit = |vector: Vec<f64>| {
        let length = product(&vector, &vector).sqrt();
        vector.into_iter().map(|component| component / length).collect::<Vec<f64>>()
    };
    let from = unit(draws.normals(DIMENSIONS));
    let other = draws.normals(DIMENSIONS);
    let along = product(&from, &other);
    let across = unit(other.iter().zip(&from).map(|(other, from)| other - along * from).collect());
    let (sin, cos) = degrees.to_radians().sin_cos();
    let to = from.iter().zip(&across).map(|(from, across)| (cos * from + sin * across) as f32).collect();
    (from.into_iter().map(|component| component as f32).collect(), to)
}

/// Measures texts after some edits: prints the lower bound of the probability, and the similarity of the shingles,
/// which is the probability itself.
fn edits(draws: &mut Draws) {
    const SIZE: usize = 5;
    let text: Vec<char> = (0..400).map(|_| char::from(b'a' + draws.below(26) as u8)).collect();
    println!("Edits in a text of 400 characters, shingles of {SIZE}\n    distance  at least  measured     similarity");
    for edits in [1, 5, 20, 40] {
        let mut edited = text.clone();
        for _ in 0..edits {
            let at = draws.below(edited.len());
            match draws.below(3) {
                0 => edited.insert(at, '#'),
                1 => drop(edited.remove(at)),
                _ => edited[at] = '#',
            }
        }
        let [a, b]: [String; 2] = [&text, &edited].map(|text| text.iter().collect());
        let distance = edit_distance(&a, &b, edits).expect("no more than the edits made");
        let [a, b]: [ShingleSet; 2] = [&a, &b].map(|text| EditFamily::new(SIZE, 1).shingles(text));
        let family = EditFamily::new(SIZE, a.len());
        let share = measured(&family, a.hashes(), b.hashes(), draws);
        println!("{distance:>12} {:>9.3} {share:>9.3} {:>14.3}", family.chance(distance as f64), jaccard(&a, &b));
    }
}
