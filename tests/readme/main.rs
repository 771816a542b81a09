//! The README and the handbook are true: their `console` blocks print what they show, their links lead somewhere, their flags are
//! the program's, and the recommended settings find the most copies of the example corpus.
//!
//! In a block, bash runs each line that starts with `$ `, and the lines after it are the whole standard output. The commands of a block
//! run one after another in a new folder that has a copy of `examples/`, so a command can use the files of an earlier one. Within a line
//! `…` matches any text, and a line that is only `…` matches any number of lines. Blocks that need a program or a format that is missing
//! are reported as ignored; with `--include-ignored` they fail.
//!
//! `DEDUP_FLAGS=record cargo test --test readme` rewrites the handbook's page of flags from the help of the program. `words` has the
//! habits of language that readers stumble over.

mod advice;
mod console;
mod flags;
#[path = "../ignored/mod.rs"]
mod ignored;
mod links;
mod pages;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};

use self::pages::Page;

fn main() -> ExitCode {
    let pages: Arc<[Page]> = pages::all().into();
    let mut missing = ignored::Missing::default();
    let mut trials: Vec<Trial> = pages.iter().flat_map(|page| console::trials(page, &mut missing)).collect();
    assert!(trials.len() >= 40, "the blocks of the README and the handbook are found");
    trials.extend(flags::trials(&pages));
    trials.extend(links::trials(&pages));
    trials.extend(words::trials(&pages));
    trials.extend(advice::trials(&pages));
    missing.run(&Arguments::from_args(), trials)
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn program() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_dedup"))
}
