//! Ground truth: the pairs found in corpora against brute force, their values exactly, their number by the S-curve.
//!
//! The same proofs are run on corpora that are made here ([`generated`]), always, and on real ones in `../shared/data`,
//! beside the project. Without that folder its tests are reported as ignored, and
//! `cargo test --test ground_truth -- --include-ignored` fails. A folder that is there but not whole fails too.

mod corpus; // documents, the pairs at or above 0.5, and what every found pair must satisfy
mod exact; // the built program: every value, every line, and all of the truth when nothing can be missed
mod expected; // how many pairs the S-curve finds, and how much that varies
mod generated; // corpora made here: prose, code, records and scripts, with families of revisions
mod groups; // groups of the labelled corpus, and how far they agree with the labels
#[path = "../ignored/mod.rs"]
mod ignored; // the line about tests that were ignored
mod index; // an index of each corpus, asked with the corpus
mod matches; // matching by passages: which pairs are found, and what they share
#[path = "../normalized/mod.rs"]
mod normalized; // normalised texts by regular expressions
#[path = "../random/mod.rs"]
mod random;
mod rates; // the library over many seeds: how many pairs it finds
mod removal; // templates and frequent shingles against brute force in the test
mod shingles; // every kind of shingle against brute force in the test
#[path = "../twin/mod.rs"]
mod twin;

use std::process::ExitCode;

use dedup_scan::SignatureMethod;
use libtest_mimic::{Arguments, Trial};

use self::corpus::data_folder;

/// Corpora of `../shared/data`.
const SHARED: [&str; 4] = ["mccormick_100", "mccormick_1000", "spdx_licenses", "trpl_zh_revisions"];
/// Corpora whose labelled duplicates all reach 0.9 and are all of the truth.
const LABELLED: [&str; 3] = [generated::LABELLED, "mccormick_100", "mccormick_1000"];
/// Corpora to remove frequent shingles from, and in how many texts a shingle may be.
const REMOVAL: [(&str, usize); 2] = [("code", 15), ("spdx_licenses", 40)];
const METHODS: [(&str, SignatureMethod); 2] = [("classic", SignatureMethod::Classic), ("fast", SignatureMethod::Fast)];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let folder = data_folder();
    let has_shared = folder.is_dir();
    let (mut trials, mut missing) = (Vec::new(), ignored::Missing::default());
    let shared = format!("the corpora in {} (not installed by .ci/install)", folder.display());
    for (method_name, method) in METHODS {
        let mut add = |corpus: &'static str, claim: &str, test: Box<dyn FnOnce() + Send>| {
            let trial = Trial::test(format!("{method_name}::{corpus}::{claim}"), move || {
                test();
                Ok(())
            });
            trials.push(missing.unless(has_shared || !SHARED.contains(&corpus), &shared, trial));
        };
        for corpus in generated::CORPORA.into_iter().chain(SHARED) {
            add(
                corpus,
                "the_number_of_pairs_found_is_where_the_s_curve_puts_it",
                Box::new(move || rates::pairs_are_found_as_often_as_the_s_curve_says(corpus, method)),
            );
            add(
                corpus,
                "every_line_equals_brute_force",
                Box::new(move || exact::every_line_equals_brute_force(corpus, method_name, method)),
            );
            add(
                corpus,
                "a_query_prints_what_a_comparison_prints",
                Box::new(move || index::a_query_prints_what_a_comparison_prints(corpus, method_name)),
            );
            add(
                corpus,
                "a_higher_threshold_only_filters",
                Box::new(move || exact::a_higher_threshold_only_filters(corpus, method_name)),
            );
            add(
                corpus,
                "a_banding_that_misses_nothing_prints_the_whole_truth",
                Box::new(move || exact::a_banding_that_misses_nothing_prints_the_whole_truth(corpus, method_name)),
            );
        }
        for corpus in LABELLED {
            add(
                corpus,
                "the_labelled_pairs_are_found_and_no_others",
                Box::new(move || exact::the_labelled_pairs_are_found_and_no_others(corpus, method_name)),
            );
        }
        add(
            generated::KNOWN,
            "known_similarities_are_printed_as_they_were_made",
            Box::new(move || exact::known_similarities_are_printed_as_they_were_made(generated::KNOWN, method_name)),
        );
        for (corpus, most) in REMOVAL {
            add(
                corpus,
                "what_is_left_equals_brute_force",
                Box::new(move || removal::what_is_left_equals_brute_force(corpus, most, method_name)),
            );
        }
        for case in &shingles::CASES {
            for corpus in case.corpora {
                add(
                    corpus,
                    &format!("shingles::{}_equal_brute_force", case.name),
                    Box::new(move || case.equals_brute_force(corpus, method_name)),
                );
            }
        }
    }
    for (linkage, pinned) in groups::LINKAGES {
        let corpus = "trpl_zh_revisions";
        let trial = Trial::test(format!("{linkage}::{corpus}::groups_agree_with_the_labels"), move || {
            groups::groups_agree_with_the_labels(corpus, linkage, pinned);
            Ok(())
        });
        trials.push(missing.unless(has_shared, &shared, trial));
    }
    for corpus in generated::CORPORA.into_iter().chain(SHARED) {
        let is_there = has_shared || !SHARED.contains(&corpus);
        let mut add = |claim: &str, test: fn(&str)| {
            let trial = Trial::test(format!("passages::{corpus}::{claim}"), move || {
                test(corpus);
                Ok(())
            });
            trials.push(missing.unless(is_there, &shared, trial));
        };
        add("every_pair_with_a_common_run_is_found", matches::every_pair_with_a_common_run_is_found);
        add("passages_are_those_of_the_twin", matches::passages_are_those_of_the_twin);
    }
    for corpus in generated::CORPORA.into_iter().chain(SHARED) {
        let trial = Trial::test(format!("all_pairs::{corpus}::are_the_whole_truth"), move || {
            exact::all_pairs_are_the_whole_truth(corpus);
            Ok(())
        });
        trials.push(missing.unless(has_shared || !SHARED.contains(&corpus), &shared, trial));
    }
    let labels = Trial::test(format!("passages::{}::labels_are_found_as_measured", matches::REVISIONS), || {
        matches::labels_are_found_as_measured();
        Ok(())
    });
    trials.push(missing.unless(has_shared, &shared, labels));
    missing.run(&arguments, trials)
}
