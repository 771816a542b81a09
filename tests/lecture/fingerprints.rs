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

#[test]
fn the_simulated_shares_are_near_the_computed_ones_and_an_exact_comparison_leaves_no_stranger() {
    let computed = example::computed();
    for seed in [1, 2] {
        let (simulated, compared) = example::simulated(seed).unwrap();
        // 400 pairs of one finger: a standard deviation of sqrt(0.985 · 0.015 / 400) = 0.006. Pairs of strangers share prints and
        // functions, so what varies is the number of minutiae in the chosen points: a function declares (m / 1000)³ of all pairs,
        // squared, for prints of m minutiae, and m of 800 prints has a mean of 200 within 0.45. The functions vary more: over
        // 1,024 of them the mean of the shares has a relative deviation of about 4 / sqrt(1024) at most.
        for (share, expected, deviation) in [
            (simulated.any[0], computed.any[0], 0.006),
            (simulated.any[1], computed.any[1], 0.063 * 0.125 / 5.0),
            (simulated.both[0], computed.both[0], 0.0085),
            (simulated.both[1], computed.both[1], 0.004 * 0.25 / 5.0),
        ] {
            assert!((share - expected).abs() < 5.0 * deviation, "seed {seed}: {share} and {expected}");
        }
        assert_eq!(compared.wrong, 0);
        assert_eq!(compared.right as f64, (simulated.any[0] * 400.0).round());
        assert_eq!(compared.candidates, (simulated.any[0] * 400.0 + simulated.any[1] * 319_200.0).round() as usize);
    }
}
