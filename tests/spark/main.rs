//! The job of `examples/spark` on a Spark cluster of this machine: the short form of `tests/spark/run`.
//!
//! `check.py` starts a master and two workers, runs the job on a corpus that is as hard as data can be (`corpus.py`), and compares what
//! it writes with what the program prints. Without pyspark, where `.ci/install` installs it, or Java, the test is reported as ignored.

#[path = "../ignored/mod.rs"]
mod ignored;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let python = python();
    let (is_there, mut missing) = (python.is_some(), ignored::Missing::default());
    let job = Trial::test("job", move || {
        let check = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spark/check.py");
        let program = assert_cmd::cargo::cargo_bin!("dedup");
        let mut command = Command::new(python.unwrap_or_default());
        let output = command.args(["-B"]).arg(check).arg("--dedup").arg(program).output();
        let output = output.map_err(|error| error.to_string())?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)).into())
    });
    let job = missing.unless(is_there, "pyspark or Java 17 (.ci/install installs them)", job);
    missing.run(&Arguments::from_args(), vec![job])
}

/// The Python that has pyspark, where there is a Java for it.
fn python() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")))?;
    let kept = cache.join("dedup/spark");
    let is_installed = kept.join("requirements.txt").is_file();
    let mut homes = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten();
    let is_17 = |home: std::fs::DirEntry| home.file_name().to_string_lossy().contains("17");
    let has_java = std::env::var_os("JAVA_HOME").is_some() || homes.any(is_17);
    Some(kept.join("bin/python")).filter(|python| is_installed && has_java && python.is_file())
}
