//! Runs a command line in the folder of inputs, and masks in its output what differs between runs and machines.

use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use libtest_mimic::Failed;
use regex::Regex;
use rustix::process::{Pid, Signal, kill_process_group};
use wait_timeout::ChildExt;

use crate::corpora::Corpora;

/// No command line takes as long, even on a machine with much else to do.
const LIMIT: Duration = Duration::from_secs(600);

/// What a command line left behind, times and bytes of memory masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// An exit code, or the signal that ended it.
    pub(crate) exit: String,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// What is in the file `$SUMMARY`, when there is one.
    pub(crate) summary: Option<String>,
}

/// Runs a command line by the shell.
///
/// The program is `dedup` on its path. `$RUN` is a folder for what the command line makes, `$SUMMARY` a file in it.
///
/// * `name`: of that folder; no other run has it.
///
/// # Errors
/// When it does not end in time, or leaves a temporary file.
pub(crate) fn run(corpora: &Corpora, name: &str, command: &str) -> Result<Outcome, Failed> {
    let folder = corpora.run_folder(name);
    let tmp = folder.join("tmp");
    fs::create_dir(&tmp)?;
    // Files, since a pipe that nobody reads would have to be read by a thread.
    let (stdout, stderr) = (folder.join("stdout"), folder.join("stderr"));
    let program = Path::new(env!("CARGO_BIN_EXE_dedup")).parent().expect("in a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH")?);
    let run = format!("../{name}");
    let child = Command::new("sh")
        .args(["-c", command])
        .current_dir(corpora.inputs())
        // Neither the language of the machine nor the width of its terminal.
        .env_clear()
        .envs([("PATH", path.as_str()), ("LC_ALL", "C"), ("RUN", &run), ("SUMMARY", &format!("{run}/summary"))])
        .env("TMPDIR", &tmp)
        .stdin(Stdio::null())
        .stdout(File::create(&stdout)?)
        .stderr(File::create(&stderr)?)
        .process_group(0)
        .spawn()?;
    let status = wait(child)?;
    let left: Vec<_> = fs::read_dir(&tmp)?.collect();
    if !left.is_empty() {
        return Err(format!("temporary files are left: {left:?}").into());
    }
    let text = |path: &Path| fs::read(path).map(|bytes| String::from_utf8(bytes).expect("the program writes UTF-8"));
    let mask = |text: String| text.replace(&run, "$RUN").replace(corpora.root().to_str().expect("UTF-8"), "$ROOT");
    let summary = folder.join("summary");
    let outcome = Outcome {
        exit: match status.code() {
            Some(code) => code.to_string(),
            None => format!("by signal {}", status.signal().expect("no code, so a signal")),
        },
        stdout: masked_kernels(&mask(text(&stdout)?)),
        stderr: masked_stderr(&mask(text(&stderr)?)),
        summary: summary.exists().then(|| text(&summary)).transpose()?.map(|text| masked_summary(&text)),
    };
    fs::remove_dir_all(folder)?;
    Ok(outcome)
}

/// Waits for a command line, and ends what it may have left running.
fn wait(mut child: Child) -> Result<ExitStatus, Failed> {
    let group = Pid::from_child(&child);
    let ended = child.wait_timeout(LIMIT)?;
    // Mostly there is nobody left.
    let _ = kill_process_group(group, Signal::KILL);
    match ended {
        Some(status) => Ok(status),
        None => {
            child.wait()?;
            Err(format!("it did not end in {} s", LIMIT.as_secs()).into())
        }
    }
}

fn masked_stderr(stderr: &str) -> String {
    let seconds = Regex::new(r" in \d+\.\d\d s\b").expect("it is fixed");
    let stderr = seconds.replace_all(stderr, " in <time>");
    let random_name = Regex::new(r"/\.tmp[A-Za-z0-9]{6}\b").expect("it is fixed");
    // Only a slow machine takes long enough for this note.
    let slow_run = Regex::new(r"\b\d+ of \d+ s went to ").expect("it is fixed");
    let line = |line: &str| match line.get(..11) {
        _ if slow_run.is_match(line) => String::new(),
        Some("time       ") => "time       <times>\n".into(),
        Some("memory     ") => "memory     <bytes>\n".into(),
        _ => random_name.replace_all(line, "/.tmp<random>").into_owned(),
    };
    stderr.split_inclusive('\n').map(line).collect()
}

/// Which loops a processor runs depends on the processor.
fn masked_kernels(stdout: &str) -> String {
    let kernels = Regex::new(r"(?m)^kernels .*$").expect("it is fixed");
    kernels.replace_all(stdout, "kernels    <kernels>").into_owned()
}

fn masked_summary(summary: &str) -> String {
    let masked = Regex::new(r#""(?<key>seconds|memory)":\{[^}]*\}"#).expect("it is fixed");
    masked.replace_all(summary, r#""$key":"<masked>""#).into_owned()
}
