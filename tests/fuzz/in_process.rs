//! The targets with inputs of two kinds: those that `coverage/` found and keeps, and mutated files.

use std::collections::BTreeMap;
use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

use libtest_mimic::Failed;

use crate::mutations::mutate;
use crate::random::Random;
use crate::seeds;
use crate::targets::{TARGETS, Target};

/// The largest file that coverage begins with; larger ones only make it slow.
const MOST_SEED: usize = 8 << 10;

/// The folder of the kept inputs of a target.
fn kept(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/coverage/corpora").join(target)
}

/// Every kept input of every target.
///
/// # Errors
/// The inputs for which a target panics; and a target without inputs, or inputs without a target.
pub(crate) fn kept_inputs() -> Result<(), Failed> {
    let mut faults = Vec::new();
    for target in TARGETS {
        let inputs = inputs_of(target.0);
        if inputs.is_empty() {
            faults.push(format!("{}: no inputs in tests/fuzz/coverage/corpora", target.0));
        }
        let failed = inputs
            .iter()
            .filter_map(|(path, bytes)| Some(format!("{}: {}", path.display(), run(*target, bytes).err()?)));
        faults.extend(failed);
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
}

/// A test of mutated inputs: each seed chooses a target and one of its inputs.
pub(crate) fn mutated_input(keep: &Path) -> impl Fn(u64) -> Result<(), String> + Send + 'static + use<> {
    let keep = keep.to_owned();
    let mut inputs: BTreeMap<&str, Vec<Vec<u8>>> = BTreeMap::new();
    for (target, _) in TARGETS {
        inputs.insert(target, inputs_of(target).into_iter().map(|(_, bytes)| bytes).collect());
    }
    for (target, bytes) in of_seeds() {
        inputs.entry(target).or_default().push(bytes);
    }
    move |seed| {
        let mut random = Random(seed);
        let target = TARGETS[random.below(TARGETS.len())];
        let of_target = &inputs[target.0];
        let mut pick = || of_target.get(random.below(of_target.len().max(1))).cloned().unwrap_or_default();
        let (mut bytes, other) = (pick(), pick());
        mutate(&mut bytes, &other, &mut random);
        run(target, &bytes).map_err(|fault| {
            let path = keep.join(format!("{}-{seed}", target.0));
            fs::create_dir_all(&keep).expect("room for a folder");
            fs::write(&path, &bytes).expect("room for a failing input");
            format!("{}: {fault}\n  in {}", target.0, path.display())
        })
    }
}

/// Writes what coverage begins with: the files of each format, with the byte before them that chooses no flag.
pub(crate) fn write_seeds(folder: &Path) {
    for (number, (target, bytes)) in of_seeds().into_iter().enumerate() {
        fs::create_dir_all(folder.join(target)).expect("room for a folder");
        fs::write(folder.join(target).join(format!("seed-{number}")), bytes).expect("room for a file");
    }
}

/// The seeds that are the files of a target, and files of an earlier version.
fn of_seeds() -> Vec<(&'static str, Vec<u8>)> {
    let mut inputs = Vec::new();
    for seed in seeds::all().into_iter().filter(|seed| seed.bytes.len() <= MOST_SEED) {
        let ending = seed.extension.rsplit('.').next().unwrap_or_default();
        let Some((target, _)) = TARGETS.iter().find(|(target, _)| *target == ending) else { continue };
        inputs.push((*target, [&[0], seed.bytes.as_slice()].concat()));
    }
    let kept = |name: &str| {
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept/0.1.0").join(name)).expect("it is kept")
    };
    let first_lines =
        |name: &str| kept(name).split_inclusive(|&byte| byte == b'\n').take(3).collect::<Vec<_>>().concat();
    let result = [kept("result/header.json"), first_lines("result/documents.jsonl")].join(&0);
    inputs.push(("pairs", first_lines("result/pairs.jsonl")));
    inputs.push(("saved_result", result));
    inputs.push(("baseline", first_lines("accepted.jsonl")));
    inputs.push(("index", kept("seen.index")));
    inputs
}

fn inputs_of(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(files) = fs::read_dir(kept(target)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).expect("kept inputs can be read"))).collect()
}

/// Runs a target; its panic is the fault.
fn run((_, target): Target, bytes: &[u8]) -> Result<(), String> {
    panic::catch_unwind(|| target(bytes)).map_err(|panic| {
        let message =
            panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        format!("panicked: {}", message.unwrap_or("without a message"))
    })
}
