//! Ground truth: the pairs found in real corpora against brute force, their values exactly, their number by the S-curve.
//!
//! The corpora lie beside the project, in `../shared/data`. Without that folder every test is reported as ignored, and
//! `cargo test --test ground_truth -- --include-ignored` fails. A folder that is there but not whole fails too.

mod corpus; // documents, the pairs of exact_jaccard.tsv, and what every found pair must satisfy
mod exact; // the built program: every value, every line, and all of the truth when nothing can be missed
mod expected; // how many pairs the S-curve finds, and how much that varies
mod rates; // the library over many seeds: how many pairs it finds
mod removal; // templates and frequent shingles against brute force in the test
mod shingles; // every kind of shingle against brute force in the test

use std::process::ExitCode;

use dedup::SignatureMethod;
use libtest_mimic::{Arguments, Trial};

use self::corpus::data_folder;

const CORPORA: [&str; 4] = ["mccormick_100", "mccormick_1000", "spdx_licenses", "trpl_zh_revisions"];
/// Corpora whose labelled duplicates all reach 0.9 and are all of the truth.
const LABELLED: [&str; 2] = ["mccormick_100", "mccormick_1000"];
const METHODS: [(&str, SignatureMethod); 2] = [("classic", SignatureMethod::Classic), ("fast", SignatureMethod::Fast)];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for (method_name, method) in METHODS {
        let mut add = |name: String, test: Box<dyn FnOnce() + Send>| {
            trials.push(Trial::test(format!("{method_name}::{name}"), move || {
                test();
                Ok(())
            }));
        };
        for corpus in CORPORA {
            add(
                format!("{corpus}::the_number_of_pairs_found_is_where_the_s_curve_puts_it"),
                Box::new(move || rates::pairs_are_found_as_often_as_the_s_curve_says(corpus, method)),
            );
            add(
                format!("{corpus}::every_line_equals_brute_force"),
                Box::new(move || exact::every_line_equals_brute_force(corpus, method_name, method)),
            );
            add(
                format!("{corpus}::a_higher_threshold_only_filters"),
                Box::new(move || exact::a_higher_threshold_only_filters(corpus, method_name)),
            );
            add(
                format!("{corpus}::a_banding_that_misses_nothing_prints_the_whole_truth"),
                Box::new(move || exact::a_banding_that_misses_nothing_prints_the_whole_truth(corpus, method_name)),
            );
        }
        for corpus in LABELLED {
            add(
                format!("{corpus}::the_labelled_pairs_are_found_and_no_others"),
                Box::new(move || exact::the_labelled_pairs_are_found_and_no_others(corpus, method_name)),
            );
        }
        add(
            "spdx_licenses::what_is_left_equals_brute_force".into(),
            Box::new(move || removal::what_is_left_equals_brute_force(method_name)),
        );
        for case in &shingles::CASES {
            add(
                format!("shingles::{}_equal_brute_force", case.name),
                Box::new(move || case.equals_brute_force(method_name)),
            );
        }
    }
    let folder = data_folder();
    if !folder.is_dir() {
        eprintln!("{}: no such folder; these tests are ignored unless --include-ignored is given", folder.display());
        trials = trials.into_iter().map(|trial| trial.with_ignored_flag(true)).collect();
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}
