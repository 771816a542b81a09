//! Random inputs: mutated files of every format through the built program, and every decoder of ours against a slow twin.
//!
//! `cargo test` runs a short part of it, the same every time. A long one, with other seeds and the program as it is
//! released:
//!
//! ```sh
//! cargo build --release
//! cargo test --test fuzz -- --seconds 3600 --seed 1000000 --program target/dist/dedup
//! ```
//!
//! A test goes through seeds one after another; each makes an input of its own. One that shows a fault is kept in
//! `target/tmp/fuzz`, named with its seed, and `--seed N --cases 1 TEST` runs it again.
//!
//! `coverage/` runs the same `targets` with inputs that are guided by coverage. The inputs that it found are
//! kept in `coverage/corpora`, and each of them is a test here.

mod decoders; // decoders of ours against slow twins
mod in_process; // mutated and kept inputs of the targets
#[path = "../ignored/mod.rs"]
mod ignored; // the line about tests that were ignored
mod mutations; // bytes in, damaged bytes out
#[path = "../normalized/mod.rs"]
mod normalized; // normalised texts by regular expressions
#[path = "../office/mod.rs"]
mod office; // documents of each format
mod program; // folders of mutated files through the built program
#[path = "../random/mod.rs"]
mod random;
mod seeds; // files of every format, which are mutated
mod targets; // functions that take any bytes

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Parser;
use libtest_mimic::{Arguments, Trial};

/// Faults after which a test has seen enough.
const ENOUGH: usize = 20;

#[derive(Parser)]
struct Options {
    #[command(flatten)]
    tests: Arguments,
    /// The first seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds each test goes through [default: as many as take a few seconds]
    #[arg(long)]
    cases: Option<u64>,
    /// How long each test goes on, in place of a number of cases
    #[arg(long, conflicts_with = "cases")]
    seconds: Option<u64>,
    /// Only seeds with this extension, such as msg; repeatable [default: all]
    #[arg(long)]
    only: Vec<String>,
    /// Only write the files that are mutated to this folder, one folder for each target
    #[arg(long)]
    write_seeds: Option<PathBuf>,
    /// The program that is run [default: the one that is built with the tests]
    #[arg(long)]
    program: Option<PathBuf>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if let Some(folder) = options.write_seeds {
        in_process::write_seeds(&folder);
        return ExitCode::SUCCESS;
    }
    let keep = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    let program = program::path_of(options.program.as_deref());
    let mut seeds = seeds::all();
    seeds.retain(|seed| options.only.is_empty() || options.only.contains(&seed.extension));
    let plan = Plan { first: options.seed, cases: options.cases, seconds: options.seconds };
    let keep_inputs = keep.clone();
    let folder = move |seed| program::check(&program, &seeds, seed, &keep);
    let mut missing = ignored::Missing::default();
    let trials = vec![
        plan.trial("program_takes_any_folder", 40, folder),
        Trial::test("targets_take_kept_inputs", in_process::kept_inputs),
        plan.trial("targets_take_mutated_inputs", 400, in_process::mutated_input(&keep_inputs)),
        plan.trial("json_lines_are_those_of_a_tree", 60, decoders::records::json_lines),
        plan.trial("tables_are_those_of_their_writer", 60, decoders::records::tables),
        plan.trial("pages_are_the_text_they_were_made_with", 60, decoders::pages::pages),
        plan.trial("encodings_are_those_of_the_standard_library", 60, decoders::encodings::encodings),
        plan.trial("members_keep_their_names", 60, decoders::archives::names),
        plan.trial("folding_is_by_character", 60, decoders::texts::folding),
        plan.trial("shingles_are_windows_of_tokens", 60, decoders::texts::shingles),
        missing.unless(
            decoders::ignored::has_git(),
            "git (the package git)",
            plan.trial("gitignore_is_that_of_git", 30, decoders::ignored::files),
        ),
    ];
    missing.run(&options.tests, trials)
}

/// Which seeds are gone through.
#[derive(Clone, Copy)]
struct Plan {
    first: u64,
    cases: Option<u64>,
    seconds: Option<u64>,
}

impl Plan {
    /// A test of one seed after another.
    ///
    /// * `few`: cases of a short run.
    fn trial(self, name: &'static str, few: u64, check: impl Fn(u64) -> Result<(), String> + Send + 'static) -> Trial {
        Trial::test(name, move || {
            let start = Instant::now();
            let mut faults = Vec::new();
            let end = self.cases.unwrap_or(if self.seconds.is_some() { u64::MAX - self.first } else { few });
            for seed in self.first..self.first + end {
                if self.seconds.is_some_and(|seconds| start.elapsed() >= Duration::from_secs(seconds)) {
                    break;
                }
                if let Err(fault) = check(seed) {
                    faults.push(format!("{fault}\n  again: cargo test --test fuzz -- --seed {seed} --cases 1 {name}"));
                }
                if faults.len() == ENOUGH {
                    break;
                }
            }
            if faults.is_empty() { Ok(()) } else { Err(faults.join("\n\n").into()) }
        })
    }
}
