//! `Workspace`: a folder of files and the program run inside it; a run states stdout, stderr and exit code.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};
use std::{fs, str};

use dedup_scan::records::{Name, PairRecord};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use tempfile::TempDir;

pub(crate) use crate::random::Random;

/// 36 shingles.
pub(crate) const FOX: &str = "The quick brown fox jumps over the lazy dog.";
/// Similar to [`FOX`] by exactly 0.8: 32 shingles of 40.
pub(crate) const CAT: &str = "The quick brown fox jumps over the lazy cat.";
/// Similar to neither.
pub(crate) const LOREM: &str = "Lorem ipsum dolor sit amet, consectetur adipiscing elit.";
/// How a run ends in which no input could be read.
pub(crate) const NOTHING_READ: &str = "dedup: none of the inputs could be read; nothing was compared\n";
/// No run of a test takes as long, even on a busy machine.
const LIMIT: Duration = Duration::from_secs(120);

/// A folder that the program runs in, and beside it one for its temporary files.
pub(crate) struct Workspace {
    name: &'static str,
    folder: TempDir,
    stdin: Vec<u8>,
}

impl Workspace {
    pub(crate) fn new(name: &'static str) -> Self {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("files")).unwrap();
        fs::create_dir(folder.path().join("tmp")).unwrap();
        Self { name, folder, stdin: Vec::new() }
    }

    /// Adds a file, and the folders above it.
    pub(crate) fn file(self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
        self
    }

    pub(crate) fn folder(self, path: &str) -> Self {
        fs::create_dir_all(self.path(path)).unwrap();
        self
    }

    /// Adds a symbolic link to `target`, as seen from the link.
    pub(crate) fn link(self, path: &str, target: &str) -> Self {
        std::os::unix::fs::symlink(target, self.path(path)).unwrap();
        self
    }

    pub(crate) fn hard_link(self, path: &str, target: &str) -> Self {
        fs::hard_link(self.path(target), self.path(path)).unwrap();
        self
    }

    pub(crate) fn fifo(self, path: &str) -> Self {
        assert!(Command::new("mkfifo").arg(self.path(path)).status().unwrap().success());
        self
    }

    /// What the next runs read from standard input.
    pub(crate) fn stdin(mut self, content: impl AsRef<[u8]>) -> Self {
        self.stdin = content.as_ref().to_owned();
        self
    }

    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join("files").join(path)
    }

    /// Takes all permissions from a path; `false` when they do not bind this user, as for root.
    pub(crate) fn forbid(&self, path: &str) -> bool {
        use std::os::unix::fs::PermissionsExt;
        let path = self.path(path);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
        if path.is_dir() { fs::read_dir(path).is_err() } else { fs::File::open(path).is_err() }
    }

    /// The program in this workspace, not yet started.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, args: &[A]) -> Command {
        default_signals();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("dedup"));
        command.current_dir(self.path("")).env("TMPDIR", self.folder.path().join("tmp")).args(args);
        command
    }

    /// Runs the program to its end.
    pub(crate) fn dedup<A: AsRef<OsStr>>(&self, args: &[A]) -> Run {
        self.run_shown(self.command(args))
    }

    /// The same, with a variable of its environment set.
    pub(crate) fn dedup_with<A: AsRef<OsStr>>(&self, args: &[A], variable: &str, value: &str) -> Run {
        let mut command = self.command(args);
        command.env(variable, value);
        self.run_shown(command)
    }

    /// The same, under a limit of the shell's `ulimit`.
    pub(crate) fn dedup_limited<A: AsRef<OsStr>>(&self, ulimit: &str, args: &[A]) -> Run {
        self.run_shown(self.limited_command(ulimit, args))
    }

    pub(crate) fn limited_command<A: AsRef<OsStr>>(&self, ulimit: &str, args: &[A]) -> Command {
        let program = self.command(args);
        let mut command = Command::new("sh");
        command.arg("-c").arg(format!("ulimit {ulimit} && exec \"$0\" \"$@\""));
        command.arg(program.get_program()).args(program.get_args());
        command.current_dir(program.get_current_dir().unwrap());
        command.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        command
    }

    pub(crate) fn run_shown(&self, command: Command) -> Run {
        let shown = format!("{command:?}").split_once("dedup\" ").map_or_else(String::new, |(_, args)| args.to_owned());
        self.run(command, &format!("dedup {shown}"))
    }

    /// A script of the shell in this workspace, in which `$D` is the program, not yet started.
    pub(crate) fn script(&self, script: &str) -> Command {
        let program = self.command::<&str>(&[]);
        let mut command = Command::new("sh");
        command.current_dir(self.path("")).env("D", program.get_program()).args(["-c", script]);
        command.env("TMPDIR", self.folder.path().join("tmp"));
        command
    }

    /// Runs a script of the shell to its end.
    pub(crate) fn shell(&self, script: &str) -> Run {
        self.run(self.script(script), script)
    }

    fn run(&self, command: Command, shown: &str) -> Run {
        let output = assert_cmd::Command::from_std(command)
            .write_stdin(self.stdin.clone())
            .timeout(LIMIT)
            .output()
            .expect("the program starts");
        let context = format!("workspace {}: {shown}\nfiles:\n{}", self.name, self.listing());
        self.assert_no_temporary_files();
        Run { context, stdout: text(output.stdout), stderr: masked(&text(output.stderr)), status: output.status }
    }

    /// What a file of the workspace holds.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// The names of all that is in the workspace's folder, hidden ones too.
    pub(crate) fn names(&self) -> Vec<String> {
        let names = fs::read_dir(self.path("")).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort_unstable();
        names
    }

    pub(crate) fn assert_no_temporary_files(&self) {
        let left: Vec<_> = fs::read_dir(self.folder.path().join("tmp")).unwrap().collect();
        assert!(left.is_empty(), "{}: temporary files are left: {left:?}", self.name);
    }

    /// The paths in the workspace and their lengths, at most 40 of them.
    fn listing(&self) -> String {
        let root = self.path("");
        let entries = walkdir::WalkDir::new(&root).min_depth(1).sort_by_file_name().into_iter().flatten();
        entries.take(40).fold(String::new(), |mut listing, entry| {
            let len = entry.metadata().map_or(0, |metadata| metadata.len());
            let path = entry.path().strip_prefix(&root).unwrap();
            writeln!(listing, "  {path:?} {:?} {len} bytes", entry.file_type()).unwrap();
            listing
        })
    }
}

/// What a run of the program left behind; stdout is looked at first.
#[must_use = "state stdout, stderr and exit code"]
pub(crate) struct Run {
    context: String,
    stdout: String,
    stderr: String,
    status: ExitStatus,
}

#[must_use = "state stderr and exit code"]
pub(crate) struct StdoutSeen(Run);

#[must_use = "state the exit code"]
pub(crate) struct StderrSeen(Run);

impl Run {
    pub(crate) fn stdout(self, expected: &str) -> StdoutSeen {
        self.same("stdout", expected, &self.stdout);
        StdoutSeen(self)
    }

    /// The names of the pairs, `a b` a line; each line is read back strictly and must agree with itself.
    pub(crate) fn pairs(self, expected: &[&str]) -> StdoutSeen {
        let lines = records(&self.stdout).into_iter().map(|pair| format!("{} {}\n", name(&pair.a), name(&pair.b)));
        self.same(
            "pairs",
            &expected.iter().map(|pair| format!("{pair}\n")).collect::<String>(),
            &lines.collect::<String>(),
        );
        StdoutSeen(self)
    }

    /// Stdout for a closer look.
    pub(crate) fn stdout_with(self, look: impl FnOnce(&str)) -> StdoutSeen {
        look(&self.stdout);
        StdoutSeen(self)
    }

    fn same(&self, what: &str, expected: &str, actual: &str) {
        assert!(
            expected == actual,
            "{what} differs\n{}{}stderr:\n{}",
            self.context,
            diff(expected, actual),
            self.stderr
        );
    }
}

impl StdoutSeen {
    /// All of stderr, the lines of memory and times masked.
    pub(crate) fn stderr(self, expected: &str) -> StderrSeen {
        self.0.same("stderr", expected, &self.0.stderr);
        StderrSeen(self.0)
    }

    /// The lines on stderr before the summary, which must follow.
    pub(crate) fn notes(self, expected: &str) -> StderrSeen {
        let time = self.0.stderr.find(TIME).unwrap_or_else(|| panic!("no summary\n{}", self.0.stderr));
        let summary = self.0.stderr[..time].rfind('\n').map_or(0, |end| end + 1);
        self.0.same("stderr before the summary", expected, &self.0.stderr[..summary]);
        StderrSeen(self.0)
    }
}

impl StdoutSeen {
    /// All of stderr of a run in which no input could be read: what is wrong with each, and that; and the exit code.
    pub(crate) fn nothing_read(self, problems: &str) {
        self.stderr(&format!("{problems}{NOTHING_READ}")).exit_code(2);
    }

    /// Stderr for a closer look.
    pub(crate) fn stderr_with(self, look: impl FnOnce(&str)) -> StderrSeen {
        look(&self.0.stderr);
        StderrSeen(self.0)
    }

    /// A line that stderr has, among others.
    pub(crate) fn stderr_with_line(self, line: &str) -> StderrSeen {
        assert!(self.0.stderr.lines().any(|other| other == line), "no line {line:?}\n{}", self.0.stderr);
        StderrSeen(self.0)
    }
}

impl StderrSeen {
    pub(crate) fn exit_code(self, expected: i32) {
        let Run { context, stdout, stderr, status } = self.0;
        let actual = status.code();
        assert!(actual == Some(expected), "{status}, not {expected}\n{context}stdout:\n{stdout}stderr:\n{stderr}");
    }
}

/// Reads pairs back strictly: known keys only, in their order, numbers that agree with each other.
pub(crate) fn records(stdout: &str) -> Vec<PairRecord<'_>> {
    assert!(stdout.is_empty() || stdout.ends_with('\n'), "the last line is cut");
    let read = |line| {
        let pair: PairRecord = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let union = pair.shingles_a + pair.shingles_b - pair.shared;
        assert_eq!(pair.jaccard, pair.shared as f64 / union as f64, "{line}");
        assert_eq!(pair.containment_a, pair.shared as f64 / pair.shingles_a as f64, "{line}");
        assert_eq!(pair.containment_b, pair.shared as f64 / pair.shingles_b as f64, "{line}");
        assert_eq!(serde_json::to_string(&pair).unwrap(), line, "keys out of order or numbers in another form");
        pair
    };
    stdout.lines().map(read).collect()
}

/// The name of a document that has a UTF-8 name.
pub(crate) fn name<'a>(name: &'a Name) -> &'a str {
    match name {
        Name::Text(name) => name,
        Name::Bytes { bytes } => bytes,
    }
}

/// The line of an exact pair with `shingles` shingles on either side.
pub(crate) fn copies(a: &str, b: &str, shingles: u64) -> String {
    let numbers = r#""jaccard":1.0,"containment_a":1.0,"containment_b":1.0"#;
    format!(
        "{{\"a\":\"{a}\",\"b\":\"{b}\",{numbers},\"shared\":{shingles},\
         \"shingles_a\":{shingles},\"shingles_b\":{shingles},\"estimate\":1.0}}\n"
    )
}

/// Waits for a process without end in sight, at most for a time that no test takes.
pub(crate) fn wait(child: &mut std::process::Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if start.elapsed() > LIMIT {
            child.kill().unwrap();
            panic!("the program did not end");
        }
        std::thread::yield_now();
    }
}

/// Gives the programs that are started from now on the default actions of signals, also where this process was started with some
/// ignored, as in the background of a shell or under nohup. A program inherits the signals that its parent ignores, and not those
/// that its parent handles. This process still does nothing when it gets one of them.
fn default_signals() {
    static HANDLED: Once = Once::new();
    HANDLED.call_once(|| {
        // Only Linux has this file. Elsewhere the tests have to be started with the default actions.
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let ignored = mask.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 1) {
            signal_hook::flag::register(signal, Arc::default()).unwrap();
        }
    });
}

/// Sends a signal, such as `INT`, to a process.
pub(crate) fn signal(child: &std::process::Child, name: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap().success());
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("the program writes UTF-8")
}

/// What stands for the time in the summary of a run.
const TIME: &str = " in <time>";

/// Times are not the same twice, nor is memory on different machines.
fn masked(stderr: &str) -> String {
    let seconds = regex::Regex::new(r" in \d+\.\d\d s\b").expect("it is fixed");
    let stderr = seconds.replace_all(stderr, TIME);
    let line = |line: &str| match line.get(..11) {
        Some("time       ") => "time       <times>\n".into(),
        Some("memory     ") => "memory     <bytes>\n".into(),
        _ => line.to_owned(),
    };
    stderr.split_inclusive('\n').map(line).collect()
}

/// What was expected (-) and what came (+), without the lines that begin and end alike.
fn diff(expected: &str, actual: &str) -> String {
    let (mut old, mut new): (Vec<_>, Vec<_>) = (expected.lines().collect(), actual.lines().collect());
    let alike = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let alike_at_end = old[alike..].iter().rev().zip(new[alike..].iter().rev()).take_while(|(a, b)| a == b).count();
    old.truncate(old.len() - alike_at_end);
    new.truncate(new.len() - alike_at_end);
    let mut diff = format!("from line {}, expected (-) and actual (+):\n", alike + 1);
    for (sign, lines) in [('-', &old), ('+', &new)] {
        for line in lines[alike..].iter().take(30) {
            writeln!(diff, "{sign} {line}").unwrap();
        }
    }
    diff
}

/// Whether tests are to take long: DEDUP_LONG=1 cargo test --release --test integration [NAME]
pub(crate) fn is_long() -> bool {
    std::env::var_os("DEDUP_LONG").is_some()
}

/// The number of random cases: few as a rule, and many where tests are to take [long](is_long).
pub(crate) fn num_cases(short: u64, long: u64) -> u64 {
    if is_long() { long } else { short }
}
