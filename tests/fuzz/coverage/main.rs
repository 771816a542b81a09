//! Runs one target of `tests/fuzz/targets.rs` with inputs that libFuzzer chooses by the code that they reach.
//!
//! The first panic that the program does not contain ends the process: the hook of `libfuzzer_sys` sees to it.
//!
//! `DEDUP_TARGET` is the name of the target, and the program accepts the arguments of libFuzzer. `tests/fuzz/coverage/run` builds and runs this.

#![no_main]

#[path = "../targets.rs"]
mod targets;

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;

static TARGET: OnceLock<fn(&[u8])> = OnceLock::new();

fuzz_target!(init: choose(), |bytes: &[u8]| TARGET.get().expect("it was chosen")(bytes));

fn choose() {
    let name = std::env::var("DEDUP_TARGET").unwrap_or_default();
    let target = targets::TARGETS.iter().find(|(target, _)| *target == name);
    let names: Vec<&str> = targets::TARGETS.iter().map(|(target, _)| *target).collect();
    let (_, target) = target.unwrap_or_else(|| panic!("DEDUP_TARGET: no target {name:?}; targets: {}", names.join(" ")));
    TARGET.set(*target).expect("this is called once");
}
