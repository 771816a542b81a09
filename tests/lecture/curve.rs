//! Banding: the S-curve for 20 bands of 5 rows (3.4.2), and the lecture's pairs of documents.

use dedup_scan::Banding;

fn rounded(value: f64, digits: i32) -> f64 {
    (value * 10f64.powi(digits)).round() / 10f64.powi(digits)
}

#[test]
fn the_values_of_the_s_curve_are_those_of_figure_3_8() {
    let banding = Banding::new(20, 5).unwrap();
    for (similarity, found) in [(0.2, 0.006), (0.3, 0.047), (0.4, 0.186), (0.5, 0.470), (0.6, 0.802), (0.7, 0.975)] {
        assert_eq!(rounded(banding.recall(similarity), 3), found, "{similarity}");
    }
    assert_eq!(rounded(banding.recall(0.8), 4), 0.9996);
}

#[test]
fn pairs_of_the_lecture_are_missed_and_found_as_it_says() {
    let banding = Banding::new(20, 5).unwrap();
    // Similar by 0.8: identical in one band with 0.328, and in none of 20 with 0.00035, one in 3,000 pairs.
    assert_eq!(rounded(0.8f64.powi(5), 3), 0.328);
    assert_eq!((1e5 * (1.0 - banding.recall(0.8))).floor(), 35.0);
    assert_eq!(((1.0 - banding.recall(0.8)).recip() / 1000.0).round(), 3.0);
    // Similar by 0.4: identical in one band with 0.01, and a candidate with less than 0.2.
    assert_eq!(rounded(0.4f64.powi(5), 2), 0.01);
    assert!(banding.recall(0.4) < 0.2);
}

#[test]
fn the_threshold_of_the_curve_is_about_the_rth_root_of_one_in_b() {
    // 16 bands of 4 rows: (1/16)^(1/4) = 1/2, where the chance is 1 − (15/16)^16 = 0.644.
    let banding = Banding::new(16, 4).unwrap();
    assert_eq!((1.0f64 / 16.0).powf(0.25), 0.5);
    assert_eq!(rounded(banding.recall(0.5), 3), 0.644);
}
