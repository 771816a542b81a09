//! Writes a plan as a POSIX `sh` script, for a person to read before running it.
//!
//! Names are written for `printf %b` in single quotes. A byte that a terminal, a shell or a reader could misinterpret
//! is written as `\0` and three octal digits. So line ends are the only control characters in a script.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::plan::{FilePlan, PlanAction, PlanStep, PlannedFile};
use crate::base::shown::{counted, is_treacherous};
use crate::documents::input::path_bytes;

/// Shell functions that every script contains.
const FUNCTIONS: &str = include_str!("plan.sh");

impl FilePlan {
    /// Writes the script.
    ///
    /// `sh SCRIPT` prints what it would do; `sh SCRIPT --run` does it. Before each step the script checks the length
    /// and the SHA-256 of the duplicate and of the kept file, and that they are two files. It reports and does not
    /// touch a file that fails a check. Running it twice has the same effect as running it once.
    ///
    /// * `advice`: what to do about duplicates that cannot be planned, for a comment in the script.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(&self, advice: &str, out: &mut dyn Write) -> io::Result<()> {
        let verb = match self.action {
            PlanAction::Remove => "remove",
            PlanAction::Move(_) => "move",
            PlanAction::Link => "link",
        };
        let what = match &self.action {
            PlanAction::Remove => "Removes them".to_owned(),
            PlanAction::Move(into) => format!("Moves them into {}", quoted(path_bytes(into))),
            PlanAction::Link => "Makes them hard links to the files that are kept".to_owned(),
        };
        let numbers = format!(
            "{} of {}, {}",
            self.num_files(),
            counted(self.num_documents(), "document"),
            counted(self.num_bytes(), "byte")
        );
        let version = env!("CARGO_PKG_VERSION");
        writeln!(
            out,
            "#!/bin/sh\n\
             # Written by dedup {version}: a plan for {numbers}.\n\
             # {what}.\n\
             #\n\
             #   sh SCRIPT          says what it would do, and changes nothing\n\
             #   sh SCRIPT --run    does it\n\
             #\n\
             # A line `keep` has a file that is kept instead of the files below it, with its length in bytes and its SHA-256.\n\
             # A line `{verb}` has a duplicate in the same form; the number after `#` is its similarity to the kept file.\n\
             # Names are written for printf %b: \\0 and three octal digits are a byte, and two backslashes are one.\n\
             # The script skips and reports a file if it or the kept file changed after the scan, or if both are the same file.\n\
             # The exit code is 0 if no file was skipped, 1 if some were, and 2 if the script could not start."
        )?;
        if !self.left().is_empty() {
            let left = counted(self.left().len() as u64, "duplicate");
            writeln!(out, "# {left} cannot be planned, such as records and members of archives: {advice}.")?;
        }
        out.write_all(FUNCTIONS.as_bytes())?;
        writeln!(out, "action={verb}")?;
        writeln!(out, "decode {}\ncd -- \"$name\" || exit 2\n", quoted(path_bytes(&self.folder)))?;
        let mut kept = None;
        for step in &self.steps {
            if kept != Some(step.kept) {
                writeln!(out, "keep {}", sums(&self.files[step.kept]))?;
                kept = Some(step.kept);
            }
            writeln!(out, "{verb} {}", self.line(step))?;
        }
        writeln!(out, "finish")
    }

    fn line(&self, step: &PlanStep) -> String {
        let mut line = sums(&self.files[step.file]);
        if let (PlanAction::Move(into), Some(target)) = (&self.action, &step.target) {
            write!(line, " {}", quoted(path_bytes(&into.join(target)))).expect("strings take all");
        }
        if let Some(similarity) = step.similarity {
            write!(line, " # {similarity}").expect("strings take all");
        }
        line
    }
}

/// The name, length and SHA-256 of a file, as arguments of a shell function.
fn sums(file: &PlannedFile) -> String {
    let hash = file.sum.sha256.iter().fold(String::new(), |mut hash, byte| {
        write!(hash, "{byte:02x}").expect("strings take all");
        hash
    });
    format!("{} {} {hash}", quoted(path_bytes(&file.path)), file.sum.len)
}

/// Quotes a name for `printf %b` in single quotes.
fn quoted(name: &[u8]) -> String {
    let mut quoted = String::from("'");
    let escape = |quoted: &mut String, bytes: &[u8]| {
        bytes.iter().for_each(|byte| write!(quoted, "\\0{byte:03o}").expect("strings take all"));
    };
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => quoted.push_str("\\\\"),
                '\'' => escape(&mut quoted, b"'"),
                c if is_treacherous(c) => escape(&mut quoted, c.encode_utf8(&mut [0; 4]).as_bytes()),
                c => quoted.push(c),
            }
        }
        escape(&mut quoted, chunk.invalid());
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The output of `printf %b` for a quoted name.
    fn printed(quoted: &str) -> Vec<u8> {
        let script = format!("printf %b {quoted}");
        let output = std::process::Command::new("sh").env("LC_ALL", "C").args(["-c", &script]).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{script}");
        output.stdout
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn a_shell_reads_every_name_as_it_is(
            name in prop::collection::vec(prop_oneof![1u8..=255, prop::sample::select(b"\\'\n0$`-% c".to_vec())], 0..40)
        ) {
            let quoted = quoted(&name);
            prop_assert!(!quoted.contains(is_treacherous) && quoted.matches('\'').count() == 2);
            prop_assert_eq!(printed(&quoted), name);
        }
    }

    #[test]
    fn plain_names_are_written_as_they_are() {
        assert_eq!(quoted("-a b/é$(x).txt".as_bytes()), "'-a b/é$(x).txt'");
        assert_eq!(quoted(b"a'\n\\\xFF"), r"'a\0047\0012\\\0377'");
    }
}
