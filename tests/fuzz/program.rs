//! Folders of mutated files through the built program.
//!
//! For any content of the files:
//!
//! - the program ends by itself, in bounded time and memory, with one of the documented exit codes;
//! - every line that it prints can be read back;
//! - every file is a document, or named on stderr;
//! - the output does not depend on the number of threads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use dedup_scan::records::{DocumentRecord, Name, PairRecord};

use crate::mutations::mutate;
use crate::random::Random;
use crate::seeds::{self, Seed};

/// No folder takes as long, even on a busy machine: each is of some hundred kilobytes.
const LIMIT: Duration = Duration::from_secs(60);
/// Of address space, in KiB. A thread's heap and stack take some of it that is never touched.
const MOST_MEMORY: u64 = 6 << 20;

#[rustfmt::skip]
const FLAGS: [&[&str]; 39] = [
    &[], &[], &[],
    &["--shingle", "word"], &["--shingle", "line"], &["--shingle", "sentence"], &["--shingle", "stopword"],
    &["--shingle", "set"], &["--shingle", "char", "--k", "3"], &["--bag"],
    &["--nfkc"], &["--nfc"], &["--lowercase"], &["--strip-accents"], &["--fold-digits"], &["--strip-punctuation"],
    &["--keep-whitespace"], &["--ignore-between", "<", ">"], &["--skip-lines", "e.*e"], &["--min-tokens", "5"],
    &["--encoding", "latin1"], &["--encoding", "shift_jis"], &["--encoding", "utf-16le"], &["--encoding", "gb18030"],
    &["--invalid", "replace"], &["--invalid", "replace"], &["--html", "strip"], &["--html", "main"], &["--html", "raw"], &["--no-quoting"],
    &["--delimiter", ";"], &["--text-field", "a.b"], &["--max-document-bytes", "2000"],
    &["--markup", "strip"], &["--markup", "strip"], &["--max-df", "50%"], &["--collapse-exact"], &["--group-by", "dir"], &["--signature", "fast"],
];
const FORMATS: [&str; 11] = ["text", "jsonl", "csv", "tsv", "parquet", "arrow", "tar", "zip", "mail", "mbox", "warc"];

/// A folder of files, and how the program is run over it.
struct Case {
    files: Vec<(String, Vec<u8>)>,
    flags: Vec<String>,
}

/// Makes the folder of a seed, runs the program over it, and keeps the folder when anything is wrong.
///
/// # Errors
/// What is wrong, and where the folder is.
pub(crate) fn check(program: &Path, seeds: &[Seed], seed: u64, keep: &Path) -> Result<(), String> {
    let case = Case::new(seeds, &mut Random(seed));
    let folder = tempfile::tempdir().expect("a temporary folder");
    case.write(folder.path());
    case.judge(program, folder.path()).map_err(|fault| {
        let kept = keep.join(format!("folder-{seed}"));
        let _ = fs::remove_dir_all(&kept);
        case.write(&kept);
        fs::write(kept.join("flags.txt"), case.flags.join(" ")).expect("room for a failing input");
        format!("{fault}\n  in {}: dedup scan files {}", kept.display(), case.flags.join(" "))
    })
}

impl Case {
    fn new(seeds: &[Seed], random: &mut Random) -> Self {
        let mut flags: Vec<String> = vec!["--threshold".into(), random.pick(&["0.8", "0.3", "0"]).into()];
        for _ in 0..random.below(4) {
            let more = FLAGS[random.below(FLAGS.len())];
            // Most flags can be given once.
            if more.first().is_some_and(|flag| !flags.iter().any(|other| other == flag)) {
                flags.extend(more.iter().map(|&flag| flag.to_owned()));
            }
        }
        if random.percent(15) {
            flags.extend(["--input-format".to_owned(), random.pick(&FORMATS).to_owned()]);
        }
        let files = (0..4 + random.below(12)).map(|number| {
            let (extension, bytes) = mutated(seeds, random);
            let folder = random.pick(&["", "a/", "a/b/", "c d/", "é/"]);
            (format!("{folder}{number}.{extension}"), bytes)
        });
        Self { files: files.collect(), flags }
    }

    fn write(&self, folder: &Path) {
        for (name, bytes) in &self.files {
            let path = folder.join("files").join(name);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("room for a folder");
            fs::write(path, bytes).expect("room for a file");
        }
    }

    fn judge(&self, program: &Path, folder: &Path) -> Result<(), String> {
        // Without ids the name of every record says which file it is of.
        self.look_for_files(&self.run(program, folder, &["--list-documents", "--id-field", "none"])?)?;
        let documents = self.run(program, folder, &["--list-documents", "--threads", "2"])?.documents()?;
        let scan = self.run(program, folder, &["--threads", "1", "--summary", "summary.json"])?;
        for line in scan.stdout.lines() {
            let pair: PairRecord = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
            for name in [name(&pair.a), name(&pair.b)] {
                if !documents.contains(&name) {
                    return Err(format!("{name:?} is in a pair, and no document of --list-documents"));
                }
            }
        }
        if scan.code != 2 {
            let summary = fs::read(folder.join("summary.json")).map_err(|error| format!("no summary: {error}"))?;
            let summary: serde_json::Value =
                serde_json::from_slice(&summary).map_err(|error| format!("summary: {error}"))?;
            if (summary["errors"].as_u64() == Some(0)) != (scan.code == 0) {
                return Err(format!("exit code {} with {} errors in the summary", scan.code, summary["errors"]));
            }
            if summary["pairs"].as_u64() != Some(scan.stdout.lines().count() as u64) {
                return Err("the summary counts other pairs than were printed".into());
            }
        }
        let again = self.run(program, folder, &["--threads", "3", "--memory", "16MiB"])?;
        let lines = |run: &Run| run.notes().map(str::to_owned).collect::<Vec<_>>();
        if (scan.code, &scan.stdout, lines(&scan)) != (again.code, &again.stdout, lines(&again)) {
            return Err("1 thread and 3 threads do not give the same".into());
        }
        Ok(())
    }

    /// Every file is a document, holds one, or is named.
    fn look_for_files(&self, list: &Run) -> Result<(), String> {
        let documents = list.documents()?;
        let is_of = |path: &str, place: &str| {
            place.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '!']))
        };
        for (file, _) in self.files.iter().filter(|(file, bytes)| !may_be_nothing(file, bytes)) {
            let path = format!("files/{file}");
            let is_named =
                || list.notes().filter_map(|note| note.strip_prefix("dedup: ")).any(|note| is_of(&path, note));
            let is_listed = || list.names().is_ok_and(|names| names.iter().any(|name| is_of(&path, name)));
            if list.code != 2 && !documents.iter().any(|name| is_of(&path, name)) && !is_named() && !is_listed() {
                return Err(format!("{path} is neither a document nor named"));
            }
        }
        Ok(())
    }

    fn run(&self, program: &Path, folder: &Path, flags: &[&str]) -> Result<Run, String> {
        // A list has every copy.
        let is_list = flags.contains(&"--list-documents");
        let ours = self.flags.iter().filter(|flag| !is_list || *flag != "--collapse-exact");
        // The shell sets the limit and becomes the program.
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -v {MOST_MEMORY}; exec \"$0\" \"$@\"")]).arg(program);
        command.args(["scan", "files"]).args(ours).args(flags).current_dir(folder);
        let output =
            assert_cmd::Command::from_std(command).timeout(LIMIT).output().map_err(|error| error.to_string())?;
        let text = |bytes: Vec<u8>, what| String::from_utf8(bytes).map_err(|_| format!("{what} is not UTF-8"));
        let (stdout, stderr) = (text(output.stdout, "stdout")?, text(output.stderr, "stderr")?);
        let fault = |what: String| Err(format!("{what}; the end of stderr:\n{}", end_of(&stderr)));
        if stderr.contains("panicked at") {
            return fault("a panic".into());
        }
        let Some(code) = output.status.code() else {
            return fault(format!("ended by {}, or not within {} s", output.status, LIMIT.as_secs()));
        };
        if !stdout.is_empty() && !stdout.ends_with('\n') {
            return fault("the last line of stdout is cut".into());
        }
        if stderr.contains("--help") {
            return fault("these flags do not go together; mend the test".into());
        }
        let run = Run { code, stdout, stderr };
        let is_said = run.notes().any(|line| line.starts_with("dedup: ") && !line.starts_with("dedup: warning: "));
        match code {
            0 => Ok(run),
            2 | 3 if is_said => Ok(run),
            _ => Err(format!("exit code {code} without a word why; the end of stderr:\n{}", end_of(&run.stderr))),
        }
    }
}

/// What a run of the program left behind.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    /// The names of the documents in a list.
    fn documents(&self) -> Result<BTreeSet<String>, String> {
        let mut documents = BTreeSet::new();
        for line in self.stdout.lines() {
            let record: DocumentRecord = serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))?;
            let name = name(&record.name);
            if record.reason.is_none() && !documents.insert(name.clone()) {
                return Err(format!("two documents have the name {name:?}"));
            }
        }
        Ok(documents)
    }

    /// The names of a list, also of what was skipped.
    fn names(&self) -> Result<Vec<String>, serde_json::Error> {
        let record = |line| serde_json::from_str::<DocumentRecord>(line).map(|record| name(&record.name));
        self.stdout.lines().map(record).collect()
    }

    /// The lines of stderr before the summary, which tells times.
    fn notes(&self) -> impl Iterator<Item = &str> {
        self.stderr.lines().filter(|line| line.starts_with("dedup: "))
    }
}

/// A file of any format, damaged outside, inside, or both.
fn mutated(seeds: &[Seed], random: &mut Random) -> (String, Vec<u8>) {
    let seed = seeds::pick(seeds, random);
    let other = seeds::pick(seeds, random);
    let (mut extension, mut bytes) = (seed.extension.clone(), seed.bytes.clone());
    if !random.percent(5) {
        mutate(&mut bytes, &other.bytes, random);
    }
    if random.percent(30) {
        // Whole outside and damaged inside.
        let inner = Seed { extension: extension.clone(), bytes };
        Seed { extension, bytes } = match random.below(4) {
            0 => Seed { extension: "tar".into(), bytes: seeds::tar_of(&[inner, other.clone()]) },
            1 => Seed { extension: "zip".into(), bytes: seeds::zip_of(&[other.clone(), inner]) },
            _ => inner.packed(seeds::CODECS[random.below(seeds::CODECS.len())]),
        };
        if random.percent(30) {
            mutate(&mut bytes, &[], random);
        }
    }
    if random.percent(8) {
        let wrong = seeds::pick(seeds, random);
        extension.clone_from(&wrong.extension);
    }
    (extension, bytes)
}

/// Whether a file may have no document in it: a container, whose members may all be links, folders or hidden, and records
/// with one line at most that has anything on it, a header.
fn may_be_nothing(file: &str, bytes: &[u8]) -> bool {
    let is_container =
        |part: &str| ["tar", "zip", "tgz", "parquet"].into_iter().chain(seeds::CODECS).any(|it| it == part);
    file.split('.').any(is_container)
        || bytes.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count() < 2
}

fn name(name: &Name) -> String {
    match name {
        Name::Text(name) => name.to_string(),
        Name::Bytes { bytes } => bytes.to_string(),
    }
}

fn end_of(stderr: &str) -> String {
    let lines: Vec<&str> = stderr.lines().collect();
    lines[lines.len().saturating_sub(8)..].join("\n")
}

/// The program to be tested, wherever it is run.
pub(crate) fn path_of(program: Option<&Path>) -> PathBuf {
    let program = program.unwrap_or(Path::new(env!("CARGO_BIN_EXE_dedup")));
    program.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", program.display()))
}
