//! Shingles, the Boolean matrix, permutations of its rows, and signatures by simulated permutations (3.1 to 3.3).

use dedup_scan::{ShingleKind, ShingleSet, Shingler, estimated_similarity, jaccard};

use crate::hash_families::{HashFunction, LeastBy};

/// The columns of a Boolean matrix: the rows of each column that have a 1.
fn columns<const N: usize>(rows: &[[u8; N]]) -> [Vec<u64>; N] {
    std::array::from_fn(|column| (0..).zip(rows).filter(|(_, row)| row[column] == 1).map(|(row, _)| row).collect())
}

fn similarity(a: &[u64], b: &[u64]) -> f64 {
    jaccard(&ShingleSet::new(a), &ShingleSet::new(b))
}

/// The signature of a column by functions of rows; `None` where the column is empty.
fn signature(column: &[u64], functions: &[&dyn Fn(u64) -> u64]) -> Vec<Option<u64>> {
    let least = |function: &&dyn Fn(u64) -> u64| LeastBy::new(*function).keys(column)[0];
    functions.iter().map(least).map(|least| Some(least).filter(|&least| least != u64::MAX)).collect()
}

fn agreement(a: &[Option<u64>], b: &[Option<u64>]) -> f64 {
    let values = |signature: &[Option<u64>]| -> Vec<u32> {
        signature.iter().map(|value| value.map_or(u32::MAX, |value| value as u32)).collect()
    };
    estimated_similarity(&values(a), &values(b))
}

/// Figure 3.2: S1 = {a, d}, S2 = {c}, S3 = {b, d, e}, S4 = {a, c, d}.
const SETS: [[u8; 4]; 5] = [[1, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 1], [0, 0, 1, 0]];

#[test]
fn two_sets_with_three_elements_in_common_of_eight_have_a_similarity_of_three_eighths() {
    // Figure 3.1.
    assert_eq!(similarity(&[1, 2, 3, 4, 5], &[3, 4, 5, 6, 7, 8]), 3.0 / 8.0);
}

#[test]
fn the_two_shingles_of_a_text_are_a_set() {
    // Example 3.3: abcdabd has ab twice, and a set has it once.
    let mut shingler = Shingler::new(ShingleKind::Char, 2);
    let of_text = ShingleSet::new(shingler.shingles("abcdabd"));
    let mut by_hand: Vec<u64> =
        ["ab", "bc", "cd", "da", "bd"].iter().map(|shingle| xxhash_rust::xxh3::xxh3_64(shingle.as_bytes())).collect();
    by_hand.sort_unstable();
    let mut hashes = of_text.hashes().to_vec();
    hashes.sort_unstable();
    assert_eq!(hashes, by_hand);
}

#[test]
fn bags_count_an_element_as_often_as_both_have_it() {
    // Section 3.1.3: {a, a, a, b} and {a, a, b, b, c} share 3 of 9 by the book's measure, whose union counts every occurrence of
    // both; the Jaccard similarity of multisets, with the greater count in the union, is 3 of 6.
    let occurrences = |text: &str| -> Vec<u64> {
        let occurrence =
            |(at, element): (usize, char)| text[..at].matches(element).count() as u64 * 256 + element as u64;
        text.char_indices().map(occurrence).collect()
    };
    let (a, b) = (occurrences("aaab"), occurrences("aabbc"));
    let shared = a.iter().filter(|element| b.contains(element)).count();
    assert_eq!((shared, a.len() + b.len()), (3, 9));
    assert_eq!(similarity(&a, &b), 3.0 / 6.0);
}

#[test]
fn a_permutation_of_the_rows_hashes_a_column_to_its_first_row() {
    // Figure 3.3: in the order b, e, a, d, c the columns hash to a, c, b, a.
    let order = "beadc";
    let place = |row: u64| order.find(char::from(b'a' + row as u8)).unwrap() as u64;
    let hashes = columns(&SETS).map(|column| signature(&column, &[&place])[0].unwrap());
    assert_eq!(hashes.map(|place| order.as_bytes()[place as usize]), *b"acba");
}

#[test]
fn two_hash_functions_make_the_signatures_of_example_3_8() {
    let functions: [&dyn Fn(u64) -> u64; 2] = [&|row| (row + 1) % 5, &|row| (3 * row + 1) % 5];
    // Figure 3.4.
    assert_eq!(
        [0, 1, 2, 3, 4].map(|row| functions.map(|function| function(row))),
        [[1, 1], [2, 4], [3, 2], [4, 0], [0, 3]]
    );
    // The signature matrix after each of the rows; 9 stands for infinity.
    let after_rows = [
        [[1, 9, 9, 1], [1, 9, 9, 1]],
        [[1, 9, 2, 1], [1, 9, 4, 1]],
        [[1, 3, 2, 1], [1, 2, 4, 1]],
        [[1, 3, 2, 1], [0, 2, 0, 0]],
        [[1, 3, 0, 1], [0, 2, 0, 0]],
    ];
    for (rows, expected) in (1..).zip(after_rows) {
        let signatures = columns(&SETS[..rows]).map(|column| signature(&column, &functions));
        let matrix = [0, 1].map(|function| signatures.each_ref().map(|values| values[function].unwrap_or(9)));
        assert_eq!(matrix, expected, "after {rows} rows");
    }
    // Similarities of the columns, and what the signatures estimate.
    let columns = columns(&SETS);
    let signatures = columns.each_ref().map(|column| signature(column, &functions));
    for (a, b, true_one, estimate) in [(0, 3, 2.0 / 3.0, 1.0), (0, 2, 1.0 / 4.0, 1.0 / 2.0), (0, 1, 0.0, 0.0)] {
        assert_eq!(similarity(&columns[a], &columns[b]), true_one);
        assert_eq!(agreement(&signatures[a], &signatures[b]), estimate);
    }
}

#[test]
fn three_permutations_make_the_signature_matrix_of_the_lecture() {
    let matrix = [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 0, 1], [1, 0, 1, 0], [1, 0, 1, 0]];
    let permutations = [[2_u64, 3, 7, 6, 1, 5, 4], [4, 2, 1, 3, 6, 7, 5], [3, 4, 7, 2, 6, 1, 5]];
    let places = permutations.map(|permutation| move |row: u64| permutation[row as usize]);
    let functions = places.each_ref().map(|place| place as &dyn Fn(u64) -> u64);
    let columns = columns(&matrix);
    let signatures = columns.each_ref().map(|column| signature(column, &functions));
    let signature_matrix = [0, 1, 2].map(|function| signatures.each_ref().map(|values| values[function].unwrap()));
    assert_eq!(signature_matrix, [[2, 1, 2, 1], [2, 1, 4, 1], [1, 2, 1, 2]]);
    let percent = |share: f64| (100.0 * share).round();
    for (a, b, true_one, estimate) in [(1, 3, 75.0, 67.0), (2, 4, 75.0, 100.0), (1, 2, 0.0, 0.0), (3, 4, 0.0, 0.0)] {
        let (a, b): (usize, usize) = (a - 1, b - 1);
        assert_eq!(percent(similarity(&columns[a], &columns[b])), true_one);
        assert_eq!(percent(agreement(&signatures[a], &signatures[b])), estimate);
    }
}

#[test]
fn a_random_permutation_agrees_on_two_columns_as_often_as_they_are_similar() {
    // Section 3.3.3, for every permutation of the five rows: 3 and 4 share 1 of 5 elements, 1 and 4 share 2 of 3.
    let mut orders = vec![vec![]];
    for row in 0..5u64 {
        let insert = |order: &Vec<u64>| {
            (0..=order.len()).map(|at| [&order[..at], &[row], &order[at..]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(insert).collect();
    }
    assert_eq!(orders.len(), 120);
    let columns = columns(&SETS);
    for (a, b) in [(2, 3), (0, 3), (0, 2), (1, 3), (0, 1)] {
        let agrees = |places: &&Vec<u64>| {
            let place = |row: u64| places[row as usize];
            LeastBy::new(place).declares(&columns[a], &columns[b])
        };
        let share = orders.iter().filter(agrees).count() as f64 / 120.0;
        assert!((share - similarity(&columns[a], &columns[b])).abs() < 1e-12, "{a} and {b}");
    }
}
