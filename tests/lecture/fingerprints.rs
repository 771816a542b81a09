//! The lecture's fingerprints (3.8.5), computed and simulated by the example.

#[path = "../../examples/fingerprints.rs"]
#[allow(dead_code, missing_docs, unreachable_pub, reason = "it is a program")]
mod example;

fn rounded(values: [f64; 2], digits: i32) -> [f64; 2] {
    values.map(|value| (value * 10f64.powi(digits)).round() / 10f64.powi(digits))
}

#[test]
fn the_computed_shares_are_those_of_the_lecture() {
    let computed = example::computed();
    assert_eq!(rounded(computed.one_function, 6), [0.004096, 0.000064]);
    assert_eq!(rounded(computed.any, 3), [0.985, 0.063]);
    // Of two groups of 1,024 functions, both: 0.970 and 0.004.
    assert_eq!(rounded(computed.both, 3), [0.970, 0.004]);
}

/// The share of pairs that any of 1,024 functions declares, and that both of two groups declare, when two prints share each of
/// 1,000 points with this chance. The lecture has the functions independent; yet all see the same prints, of which some share
/// more points than others: the number of shared points is binomial, and three chosen ones are among s with
/// s(s − 1)(s − 2) / (1000 · 999 · 998).
fn expected(point: f64) -> [f64; 2] {
    let (mut shares, mut of_number) = ([0.0; 2], (1.0 - point).powi(1000));
    for number in 0..=1000 {
        let shared = f64::from(number);
        let one = shared * (shared - 1.0) * (shared - 2.0) / (1000.0 * 999.0 * 998.0);
        let any = 1.0 - (1.0 - one).powi(1024);
        shares[0] += of_number * any;
        shares[1] += of_number * any * any;
        of_number *= (1000.0 - shared) / (shared + 1.0) * point / (1.0 - point);
    }
    shares
}

#[test]
fn the_simulated_shares_are_near_the_expected_ones_and_an_exact_comparison_leaves_no_stranger() {
    let (one_finger, strangers) = (expected(0.2 * 0.8), expected(0.2 * 0.2));
    assert!((one_finger[0] - 0.985).abs() < 0.015 && (strangers[0] - 0.063).abs() < 0.001, "near the lecture's");
    for seed in [1, 2] {
        let (simulated, compared) = example::simulated(seed).unwrap();
        let near = |share: f64, expected: f64, deviation: f64| {
            assert!((share - expected).abs() < 5.0 * deviation, "seed {seed}: {share} and {expected}");
        };
        let of_fingers = |share: f64| (share * (1.0 - share) / 400.0).sqrt();
        near(simulated.any[0], one_finger[0], of_fingers(one_finger[0]));
        near(simulated.both[0], one_finger[1], of_fingers(one_finger[1]));
        // Of one function, pairs of one finger vary by their number of shared points, 3 · 11.6 / 160 of 400 pairs, and by the chosen
        // points, a little less: together by 0.015.
        near(simulated.one_function[0], 0.004096, 0.015 * 0.004096);
        near(simulated.one_function[1], 0.000064, 0.025 * 0.000064);
        // Pairs of strangers share prints and functions. A bucket of about 6.4 of 800 prints has 20 pairs, with a relative
        // deviation of 2 / sqrt(6.4) = 0.8; of 1,024 buckets that is 0.025.
        near(simulated.any[1], strangers[0], 0.025 * strangers[0]);
        near(simulated.both[1], strangers[1], 2.0 * 0.025 * strangers[1]);
        assert_eq!(compared.wrong, 0);
        assert_eq!(compared.right as f64, (simulated.any[0] * 400.0).round());
        assert_eq!(compared.candidates, (simulated.any[0] * 400.0 + simulated.any[1] * 319_200.0).round() as usize);
    }
}
