//! `--format sarif` against the schema of SARIF 2.1.0, as OASIS publishes it.
//!
//! `.ci/install` takes the schema from the crate `serde-sarif`, which has it, to `dedup/sarif/schema.json` in the folder of caches. Where
//! it is not, the test is reported as ignored; `.ci/run` fails when a test is ignored.

#[path = "../ignored/mod.rs"]
mod ignored;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// Names and texts that a careless writer would break.
const HOSTILE: [&str; 4] = ["a b%.txt", "é\"<&>'.txt", "C:#?.txt", "[x]{y}.txt"];

fn main() -> ExitCode {
    let schema = schema();
    let (is_there, mut missing) = (schema.is_some(), ignored::Missing::default());
    let test = Trial::test("reports_are_what_the_schema_says", move || check(&schema.unwrap_or_default()));
    let test = missing.unless(is_there, "the schema of SARIF (.ci/install fetches it)", test);
    missing.run(&Arguments::from_args(), vec![test])
}

fn schema() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    Some(cache.join("dedup/sarif/schema.json")).filter(|path| path.is_file())
}

fn check(schema: &Path) -> Result<(), Failed> {
    // One of its patterns has a bracket too many, which is a regular expression of ECMAScript alone.
    let schema = std::fs::read_to_string(schema)?.replace("[a-zA-Z]{2}]?$", r"[a-zA-Z]{2}\\]?$");
    let schema: Value = serde_json::from_str(&schema)?;
    let validator = jsonschema::validator_for(&schema).map_err(|error| error.to_string())?;
    let folder = tempfile::tempdir()?;
    let hostile = folder.path().join("hostile");
    std::fs::create_dir(&hostile)?;
    for name in HOSTILE {
        std::fs::write(
            hostile.join(name),
            format!("{}\u{202e}\u{7}\n", "The quick brown \"fox\" <jumps>.\n".repeat(9)),
        )?;
    }
    let hostile = hostile.to_string_lossy().into_owned();
    let runs: [(&[&str], usize); 4] = [
        (&["examples/corpus", "--show-passages", "--threshold", "0.3"], 20),
        (&["examples/corpus/code", "--preset", "code"], 1),
        (&[&hostile, "--show-passages"], 6),
        (&["examples/corpus/essays", "--threshold", "1"], 0),
    ];
    for (args, least) in runs {
        let report = report(args)?;
        let found = report["runs"][0]["results"].as_array().map_or(0, Vec::len);
        if found < least {
            return Err(format!("{args:?}: {found} results, not {least} or more").into());
        }
        if let Some(error) = validator.iter_errors(&report).next() {
            return Err(format!("{args:?}: {error} at {}", error.instance_path()).into());
        }
    }
    // The schema says no to what is not SARIF.
    let mut report = report(runs[0].0)?;
    report["runs"][0]["results"][0]["level"] = "grave".into();
    if validator.is_valid(&report) { Err("a wrong level is not seen".into()) } else { Ok(()) }
}

fn report(args: &[&str]) -> Result<Value, Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dedup"));
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["scan", "--quiet", "--no-config", "--format", "sarif"])
        .args(args);
    let output = command.output()?;
    if output.status.success() {
        return Ok(serde_json::from_slice(&output.stdout)?);
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
}
