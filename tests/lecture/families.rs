//! Families of functions (3.6 to 3.8): each curve measured against its formula, amplification against arithmetic, and the numbers
//! that the book prints.

use std::collections::HashSet;

use dedup_scan::{DocId, jaccard};
use proptest::prelude::*;

use crate::hash_families::{
    Draws, EditFamily, EuclideanFamily, HammingFamily, HashFamily, HashFunction, HyperplaneFamily, JaccardFamily,
    SignVector, SketchFamily, angle, bucket_table, edit_distance,
};

/// Functions that each measurement draws.
const FUNCTIONS: usize = 4000;

/// How often functions of a family declare two points a candidate pair.
fn measured<F: HashFamily>(family: &F, a: &F::Point, b: &F::Point, seed: u64) -> f64 {
    let mut draws = Draws::new(seed);
    let declared = (0..FUNCTIONS).filter(|_| family.draw(&mut draws).declares(a, b)).count();
    declared as f64 / FUNCTIONS as f64
}

/// A share of `FUNCTIONS` independent functions has a standard deviation of sqrt(p(1 − p) / FUNCTIONS), at most 0.0079. Five of
/// them are allowed, and a fifth of one function's share where p is 0 or 1.
#[track_caller]
fn assert_near(measured: f64, chance: f64) {
    let deviation = (chance * (1.0 - chance) / FUNCTIONS as f64).sqrt();
    assert!((measured - chance).abs() <= 5.0 * deviation + 0.2 / FUNCTIONS as f64, "{measured} and {chance}");
}

/// A vector of normal components, whose direction is uniform.
fn vector(draws: &mut Draws, dimensions: usize) -> Vec<f32> {
    draws.normals(dimensions).into_iter().map(|component| component as f32).collect()
}

/// A vector at this angle from another one, in a random direction.
fn at_angle(draws: &mut Draws, from: &[f32], degrees: f64) -> Vec<f32> {
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let from: Vec<f64> = from.iter().map(|&component| f64::from(component)).collect();
    let mut other = draws.normals(from.len());
    let share = product(&other, &from) / product(&from, &from);
    other.iter_mut().zip(&from).for_each(|(other, from)| *other -= share * from);
    let (along, across) = (product(&from, &from).sqrt(), product(&other, &other).sqrt());
    let radians = degrees.to_radians();
    let mix = |(from, other): (&f64, &f64)| (from / along * radians.cos() + other / across * radians.sin()) as f32;
    from.iter().zip(&other).map(mix).collect()
}

#[test]
fn sets_agree_as_often_as_their_similarity_says() {
    let mut draws = Draws::new(3);
    for (shared, own) in [(0, 20), (10, 45), (30, 10), (60, 2), (50, 0)] {
        let elements: Vec<u64> = (0..shared + 2 * own).map(|_| draws.bits()).collect();
        let (a, b) = (&elements[..shared + own], [&elements[..shared], &elements[shared + own..]].concat());
        let distance = 1.0 - shared as f64 / (shared + 2 * own) as f64;
        assert_near(measured(&JaccardFamily, a, &b, 11), JaccardFamily.chance(distance));
        let combined = JaccardFamily.and(3).or(4);
        assert_near(measured(&combined, a, &b, 12), combined.chance(distance));
    }
}

#[test]
fn vectors_agree_as_often_as_their_angle_says() {
    let mut draws = Draws::new(5);
    for degrees in [0.0, 10.0, 45.0, 90.0, 120.0, 175.0] {
        for dimensions in [2, 3, 50] {
            let a = vector(&mut draws, dimensions);
            let b = at_angle(&mut draws, &a, degrees);
            // Rounding to 24 bits turns a vector by less than a thousandth of a degree.
            assert!((angle(&a, &b) - degrees).abs() < 0.03, "{degrees}");
            let family = HyperplaneFamily::new(dimensions);
            // Equal vectors after rounding are not the same bits, and may lie on two sides of a plane through them.
            let b = if degrees == 0.0 { a.clone() } else { b };
            assert_near(measured(&family, &a, &b, 21), family.chance(degrees));
            assert_near(measured(&family.and(2).or(3), &a, &b, 22), family.and(2).or(3).chance(degrees));
        }
    }
}

#[test]
fn sketches_of_many_dimensions_agree_as_often_as_angles_say() {
    // Of 400 dimensions, the product with a random sign vector is normal but for an error of the order of 1/400 (Berry and
    // Esseen, with third moments that cancel): that much is allowed beside chance.
    let mut draws = Draws::new(6);
    let family = SketchFamily::new(400);
    for degrees in [10.0, 60.0, 90.0, 150.0] {
        let a = vector(&mut draws, 400);
        let b = at_angle(&mut draws, &a, degrees);
        let (chance, measured) = (family.chance(degrees), measured(&family, &a, &b, 23));
        let deviation = (chance * (1.0 - chance) / FUNCTIONS as f64).sqrt();
        assert!((measured - chance).abs() < 5.0 * deviation + 1.0 / 400.0, "{degrees}: {measured} and {chance}");
    }
}

#[test]
fn sketches_of_the_book_have_the_books_numbers() {
    // MMDS 3.7.3, example 3.22.
    let (x, y) = ([3.0, 4.0, 5.0, 6.0], [4.0, 3.0, 2.0, 1.0]);
    let vectors = [[1, -1, 1, 1], [-1, 1, -1, 1], [1, 1, -1, -1]].map(|signs| SignVector::of(&signs));
    let sketch = |point: &[f32]| vectors.iter().map(|vector| vector.keys(point)[0]).collect::<Vec<_>>();
    assert_eq!((sketch(&x), sketch(&y)), (vec![1, 1, 0], vec![1, 0, 1]));
    assert_eq!(angle(&x, &y).round(), 38.0);
    // Of all 16 vectors four put them on different sides, so that all of them would estimate 45 degrees.
    let all = (0..16).map(|bits: i32| [0, 1, 2, 3].map(|at| 1 - 2 * (bits >> at & 1) as i8));
    let apart = all.filter(|signs| !SignVector::of(signs).declares(&x, &y)).count();
    assert_eq!(180.0 * apart as f64 / 16.0, 45.0);
}

#[test]
fn points_share_a_bucket_as_often_as_their_distance_says() {
    let mut draws = Draws::new(7);
    for dimensions in [1, 2, 20] {
        for ratio in [0.0, 0.1, 0.5, 1.0, 2.0, 7.0, 40.0] {
            let (a, direction) = (vector(&mut draws, dimensions), draws.normals(dimensions));
            let length = direction.iter().map(|component| component * component).sum::<f64>().sqrt();
            let step = |component: &f64| (2.5 * ratio * component / length) as f32;
            let b: Vec<f32> = a.iter().zip(&direction).map(|(a, component)| a + step(component)).collect();
            let family = EuclideanFamily::new(dimensions, 2.5);
            assert_near(measured(&family, &a, &b, 31), family.chance(2.5 * ratio));
            let combined = family.and(2).or(5);
            assert_near(measured(&combined, &a, &b, 32), combined.chance(2.5 * ratio));
        }
    }
}

#[test]
fn the_chance_of_a_bucket_is_its_closed_form() {
    // 1 − 2Φ(−r) − 2 / (√(2π) r) · (1 − e^(−r²/2)) for r = a/d (Datar et al. 2004), by values of Φ from tables.
    let family = EuclideanFamily::new(3, 4.0);
    for (ratio, below) in
        [(0.5, 0.308_537_538_726), (1.0, 0.158_655_253_931), (2.0, 0.022_750_131_948), (4.0, 0.000_031_671_242)]
    {
        let rest = 2.0 / ((2.0 * std::f64::consts::PI).sqrt() * ratio) * (1.0 - (-ratio * ratio / 2.0_f64).exp());
        assert!((family.chance(4.0 / ratio) - (1.0 - 2.0 * below - rest)).abs() < 1e-9, "{ratio}");
    }
    assert_eq!(family.chance(0.0), 1.0);
    assert!((family.chance(1e-9) - 1.0).abs() < 1e-9 && family.chance(1e12) < 1e-11);
    // MMDS 3.7.4: (a/2, 2a, 1/2, 1/3)-sensitive.
    let sensitivity = family.sensitivity(2.0, 8.0);
    assert!(sensitivity.p1 >= 0.5 && sensitivity.p2 <= 1.0 / 3.0, "{sensitivity:?}");
    assert_eq!([sensitivity.p1, sensitivity.p2].map(|chance| (chance * 1000.0).round()), [610.0, 195.0]);
}

#[test]
fn bits_agree_as_often_as_their_number_says() {
    let family = HammingFamily::new(100);
    for different in [0, 1, 30, 99, 100] {
        let b: u128 = (0..different).map(|at| 1 << (at * 7 % 100)).sum();
        let words = [b as u64, (b >> 64) as u64];
        assert_eq!(b.count_ones(), different);
        assert_near(measured(&family, &[0, 0], &words, 41), family.chance(f64::from(different)));
    }
}

#[test]
fn texts_agree_at_least_as_often_as_their_edits_say() {
    let mut draws = Draws::new(8);
    let text: Vec<char> = (0..300).map(|_| char::from(b'a' + draws.below(26) as u8)).collect();
    for edits in [0, 1, 3, 8, 20] {
        let mut edited = text.clone();
        for _ in 0..edits {
            let at = draws.below(edited.len());
            match draws.below(3) {
                0 => edited.insert(at, '#'),
                1 => drop(edited.remove(at)),
                _ => edited[at] = '%',
            }
        }
        let [a, b] = [&text, &edited].map(|text| text.iter().collect::<String>());
        let distance = edit_distance(&a, &b, edits).expect("at most the edits made");
        let [a_set, b_set] = [&a, &b].map(|text| EditFamily::new(5, 1).shingles(text));
        let family = EditFamily::new(5, a_set.len());
        let similarity = jaccard(&a_set, &b_set);
        assert!(similarity >= family.chance(distance as f64), "{edits}");
        assert_near(measured(&family, a_set.hashes(), b_set.hashes(), 51), similarity);
    }
    // The same shingles in another order: far by edits, and always declared.
    let (a, b) = ("abcXabdXabeX".repeat(9), "abdXabeXabcX".repeat(9));
    let family = EditFamily::new(2, 1);
    assert_eq!(measured(&family, family.shingles(&a).hashes(), family.shingles(&b).hashes(), 52), 1.0);
    assert!(edit_distance(&a, &b, 7).is_none() && family.most_chance(8.0) == 1.0);
}

#[test]
fn amplification_has_the_books_numbers() {
    let round = |value: f64| (value * 10_000.0).round() / 10_000.0;
    // MMDS figure 3.11: 4-way AND, then 4-way OR.
    let and_or = JaccardFamily.and(4).or(4);
    let expected = [
        (0.2, 0.0064),
        (0.3, 0.0320),
        (0.4, 0.0985),
        (0.5, 0.2275),
        (0.6, 0.4260),
        (0.7, 0.6666),
        (0.8, 0.8785),
        (0.9, 0.9860),
    ];
    for (p, chance) in expected {
        assert_eq!(round(and_or.chance(1.0 - p)), chance, "{p}");
    }
    // Figure 3.12: 4-way OR, then 4-way AND.
    let or_and = JaccardFamily.or(4).and(4);
    let expected = [
        (0.1, 0.0140),
        (0.2, 0.1215),
        (0.3, 0.3334),
        (0.4, 0.5740),
        (0.5, 0.7725),
        (0.6, 0.9015),
        (0.7, 0.9680),
        (0.8, 0.9936),
    ];
    for (p, chance) in expected {
        assert_eq!(round(or_and.chance(1.0 - p)), chance, "{p}");
    }
    // Both, one after the other: a (0.2, 0.8, 0.8, 0.2)-sensitive family becomes a (0.2, 0.8, 0.9999996, 0.0008715)-sensitive one.
    let both = |p: f64| {
        let or_and = JaccardFamily.or(4).and(4).chance(1.0 - p);
        JaccardFamily.and(4).or(4).chance(1.0 - or_and)
    };
    assert_eq!((both(0.8) * 1e7).round() / 1e7, 0.999_999_6);
    assert_eq!((both(0.2) * 1e7).round() / 1e7, 0.000_871_5);
}

#[test]
fn a_family_promises_what_its_chances_are() {
    let family = JaccardFamily.and(2).or(3);
    let sensitivity = family.sensitivity(0.2, 0.6);
    assert_eq!((sensitivity.d1, sensitivity.d2), (0.2, 0.6));
    assert!((sensitivity.p1 - (1.0 - (1.0 - 0.64_f64).powi(3))).abs() < 1e-12);
    assert!((sensitivity.p2 - (1.0 - (1.0 - 0.16_f64).powi(3))).abs() < 1e-12);
    let edits = EditFamily::new(5, 100).and(2).or(3).sensitivity(1.0, 50.0);
    assert_eq!((edits.p2, (edits.p1 * 1000.0).round()), (1.0, 994.0));
}

#[test]
fn a_table_has_the_pairs_that_share_a_key() {
    let mut draws = Draws::new(9);
    let points: Vec<Vec<f32>> = (0..60).map(|_| draws.normals(2).iter().map(|&at| at as f32).collect()).collect();
    let function = EuclideanFamily::new(2, 0.5).and(2).or(3).draw(&mut draws);
    let table = bucket_table(&function, points.iter().map(Vec::as_slice));
    let mut candidates = table.candidates();
    let mut num_pairs = 0;
    for a in 0..points.len() {
        let declared: Vec<DocId> =
            (a + 1..points.len()).filter(|&b| function.declares(&points[a], &points[b])).map(DocId::new).collect();
        num_pairs += declared.len();
        assert_eq!(candidates.of(DocId::new(a)), declared);
    }
    assert!((20..1700).contains(&num_pairs), "{num_pairs}");
}

#[test]
fn numbers_below_an_end_are_uniform_and_seeds_draw_the_same() {
    let mut draws = Draws::new(10);
    // 60,000 numbers below 6: each has a standard deviation of sqrt(60000 · 1/6 · 5/6) = 91.3.
    let mut counts = [0_i32; 6];
    (0..60_000).for_each(|_| counts[draws.below(6)] += 1);
    assert!(counts.iter().all(|count| (count - 10_000).abs() < 457), "{counts:?}");
    let normals = draws.normals(40_001);
    let mean = normals.iter().sum::<f64>() / 40_001.0;
    let square = normals.iter().map(|normal| normal * normal).sum::<f64>() / 40_001.0;
    // Standard deviations of 0.005 and sqrt(2) · 0.005.
    assert!(mean.abs() < 0.025 && (square - 1.0).abs() < 0.0354, "{mean} {square}");
    let same = |seed| (0..4).map(|_| 0).scan(Draws::new(seed), |draws, _| Some(draws.bits())).collect::<Vec<_>>();
    assert_eq!(same(1), same(1));
    assert_ne!(same(1), same(2));
    // Functions of a seed stay what they are.
    assert_eq!(same(42)[..2], [16_794_138_483_974_575_798, 16_206_483_587_704_226_894]);
    assert_eq!(JaccardFamily.draw(&mut Draws::new(42)).keys(&[1, 2, 3]), [1_406_083_352_312_412_430]);
}

#[test]
#[should_panic = "not too many keys"]
fn keys_are_bounded() {
    let _ = JaccardFamily.or(300).and(2);
}

proptest! {
    #[test]
    fn and_and_or_declare_what_all_and_any_declare(
        a in prop::collection::vec(0u64..20, 1..12), b in prop::collection::vec(0u64..20, 1..12), seed in any::<u64>(),
        rows in 1usize..4, bands in 1usize..4,
    ) {
        let single = |draws: &mut Draws| JaccardFamily.draw(draws).declares(&a, &b);
        let mut draws = Draws::new(seed);
        let all_of_any = (0..rows).map(|_| (0..bands).map(|_| single(&mut draws)).fold(false, |any, one| any | one)).fold(true, |all, any| all & any);
        let function = JaccardFamily.or(bands).and(rows).draw(&mut Draws::new(seed));
        prop_assert_eq!(function.declares(&a, &b), all_of_any);
        prop_assert_eq!(function.keys(&a).len(), bands.pow(rows as u32));
        let mut draws = Draws::new(seed);
        let any_of_all = (0..bands).map(|_| (0..rows).map(|_| single(&mut draws)).fold(true, |all, one| all & one)).fold(false, |any, all| any | all);
        let function = JaccardFamily.and(rows).or(bands).draw(&mut Draws::new(seed));
        prop_assert_eq!(function.declares(&a, &b), any_of_all);
        prop_assert_eq!(function.num_keys(), bands);
    }

    #[test]
    fn chances_fall_with_the_distance(rows in 1usize..6, bands in 1usize..30, at in 0.0..1.0f64, further in 0.0..1.0f64) {
        let (near, far) = (at.min(further), at.max(further));
        let falls = |near: f64, far: f64| near >= far - 1e-12 && (0.0..=1.0).contains(&near);
        let (jaccard, cosine) = (JaccardFamily.and(rows).or(bands), HyperplaneFamily::new(3).and(rows).or(bands));
        prop_assert!(falls(jaccard.chance(near), jaccard.chance(far)));
        prop_assert!(falls(cosine.chance(180.0 * near), cosine.chance(180.0 * far)));
        let (euclidean, edit) = (EuclideanFamily::new(3, 0.3).and(rows).or(bands), EditFamily::new(5, 90).and(rows).or(bands));
        prop_assert!(falls(euclidean.chance(near), euclidean.chance(far)));
        prop_assert!(falls(edit.chance(20.0 * near), edit.chance(20.0 * far)));
    }

    #[test]
    fn an_edit_changes_as_many_shingles_as_a_shingle_has_characters(
        text in "[ab]{5,60}", at in any::<prop::sample::Index>(), kind in 0..3, size in 1usize..6,
    ) {
        let mut edited: Vec<char> = text.chars().collect();
        let at = at.index(edited.len());
        match kind {
            0 => edited.insert(at, 'c'),
            1 => drop(edited.remove(at)),
            _ => edited[at] = 'c',
        }
        let edited: String = edited.into_iter().collect();
        prop_assume!(edited.len() >= size);
        let family = EditFamily::new(size, 1);
        let sets = [&text, &edited].map(|text| family.shingles(text).hashes().iter().copied().collect::<HashSet<u64>>());
        prop_assert!(sets[0].difference(&sets[1]).count() <= size && sets[1].difference(&sets[0]).count() <= size);
    }

    #[test]
    fn edit_distances_are_those_of_the_whole_table(a in "[abß]{0,12}", b in "[abß]{0,12}", most in 0usize..15) {
        let (a_chars, b_chars): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let mut cells: Vec<usize> = (0..=b_chars.len()).collect();
        for (row, a) in a_chars.iter().enumerate() {
            let mut before = std::mem::replace(&mut cells[0], row + 1);
            for (column, b) in b_chars.iter().enumerate() {
                let cell = (before + usize::from(a != b)).min(cells[column] + 1).min(cells[column + 1] + 1);
                before = std::mem::replace(&mut cells[column + 1], cell);
            }
        }
        let distance = cells[b_chars.len()];
        prop_assert_eq!(edit_distance(&a, &b, most), (distance <= most).then_some(distance));
    }
}
