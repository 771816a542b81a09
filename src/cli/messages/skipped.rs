//! `SkippedFiles`: summarises the inputs that a run did not use: binary files by kind and number, and whether most
//! inputs were skipped.
//!
//! Programs with an unclosed string, which the run uses, are reported in the same way.

use std::collections::{BTreeMap, BTreeSet};

use dedup_scan::base::{BinaryKind, Problem, Reason, Setting, shown};
use indicatif::HumanCount;

use super::number::counted;

/// Maximum number of programs that are reported one by one. For more programs, one line lists this number of them.
const NAMED: u64 = 3;

/// Files that a run has skipped.
#[derive(Debug, Default)]
pub(super) struct SkippedFiles {
    /// Binary files that were not given on the command line, by kind and by file name extension for a filter: their
    /// number and the first of them. Documents that are compared with their markup are included.
    binary: BTreeMap<(&'static str, Option<String>), (u64, Problem)>,
    /// Number of programs with an unclosed string, and the first of them.
    unclosed: (u64, Vec<Problem>),
    /// Number of files that dedup has written or that it reads as lists, and the first of them.
    own: (u64, Vec<Problem>),
    /// Texts in each encoding that was detected: their number, and the first of them.
    detected: BTreeMap<&'static str, (u64, Vec<Problem>)>,
    /// Files that are reported because no record of them has the field of the text.
    without_field: BTreeSet<String>,
    /// Number of inputs that are not a document, by reason.
    by_reason: BTreeMap<Reason, u64>,
    /// Number of binary files of each kind.
    by_kind: BTreeMap<&'static str, (&'static BinaryKind, u64)>,
}

impl SkippedFiles {
    /// Counts a problem. Returns whether it will be reported later, together with others of its kind.
    pub(super) fn add(&mut self, problem: &Problem) -> bool {
        let together = match problem.reason {
            Reason::Unclosed => Some(&mut self.unclosed),
            Reason::OwnFile if !problem.is_error => Some(&mut self.own),
            _ => None,
        };
        let together = together.or_else(|| problem.detected.map(|encoding| self.detected.entry(encoding).or_default()));
        if let Some((number, first)) = together {
            // Such a file may be reached twice. Two documents may have one name.
            if problem.reason == Reason::OwnFile && first.iter().any(|other| other.place == problem.place) {
                return true;
            }
            *number += 1;
            first.extend(Some(problem.clone()).filter(|_| *number <= NAMED));
            return true;
        }
        // A binary file on the command line is reported on its own line.
        if costs_a_text(problem.reason) && !(problem.is_error && problem.reason == Reason::Binary) {
            *self.by_reason.entry(problem.reason).or_default() += problem.number;
        }
        let is_counted = |kind: &&BinaryKind| !problem.is_error && **kind != BinaryKind::INDEX;
        let Some(kind) = problem.binary.filter(is_counted) else { return false };
        if problem.reason == Reason::Binary {
            self.by_kind.entry(kind.one).or_insert((kind, 0)).1 += 1;
        }
        let key = (kind.one, kind.ending_of(&problem.place));
        self.binary.entry(key).or_insert_with(|| (0, problem.clone())).0 += 1;
        true
    }

    /// Whether a record has no text because its whole file, which is reported, does not have the field of the text.
    pub(super) fn is_without_field(&mut self, problem: &Problem) -> bool {
        if problem.reason == Reason::MissingField && problem.setting == Some(Setting::TextFields) {
            self.without_field.insert(problem.place.clone());
        }
        let file = problem.place.rsplit_once(':').map(|(file, _)| file);
        problem.reason == Reason::NoText && file.is_some_and(|file| self.without_field.contains(file))
    }

    /// The lines about binary files, which are reported once: a line for each kind that a filter can read, and one for
    /// all others. A single file is reported by its name.
    ///
    /// * `only_readable`: whether to report only files that a command or another program can convert to text.
    pub(super) fn take_binary(&mut self, only_readable: bool) -> Vec<String> {
        let is_readable = |problem: &Problem| problem.binary.is_some_and(|kind| kind.remedy(None, "it").is_some());
        self.binary.retain(|_, (_, problem)| !only_readable || is_readable(problem));
        let mut lines = Vec::new();
        let (mut others, mut number, mut last, mut of_pictures) = (BTreeMap::new(), 0, None, Vec::new());
        for ((_, ending), (of_kind, problem)) in std::mem::take(&mut self.binary) {
            let kind = problem.binary.expect("others are not kept");
            let many = if of_kind == 1 { kind.one } else { kind.many };
            if kind.is_picture
                && let Some(ending) = &ending
            {
                of_pictures.push(format!("--filter {ending}='{}'", kind.command));
            }
            let Some(remedy) = kind.remedy(ending.as_deref(), "them").filter(|_| !kind.is_picture) else {
                others.entry(kind.one).or_insert((kind, 0)).1 += of_kind;
                number += of_kind;
                last = Some(problem);
                continue;
            };
            if of_kind == 1 {
                lines.push(problem.to_string());
                continue;
            }
            let number = HumanCount(of_kind);
            let (named, remedy) = match ending {
                None if !kind.ending.is_empty() => {
                    (format!(" whose names do not end with .{}", kind.ending), format!("rename them, then {remedy}"))
                }
                _ => (String::new(), remedy),
            };
            lines.push(match problem.reason {
                Reason::Markup => format!("{number} {many}{named} are compared with their markup; {remedy}"),
                _ => format!("skipped {number} {many}{named}; {remedy} (--list-documents lists each)"),
            });
        }
        match last {
            Some(problem) if number == 1 => lines.push(problem.to_string()),
            Some(_) => {
                let remedy = match of_pictures.as_slice() {
                    [] => String::new(),
                    filters => format!("; {} reads the text in images", filters.join(" ")),
                };
                let files = counted(number, "binary file");
                let named = |(kind, number): (&BinaryKind, u64)| {
                    format!("{} {}", HumanCount(number), if number == 1 { kind.one } else { kind.many })
                };
                let others: Vec<String> = others.into_values().map(named).collect();
                lines.push(format!("skipped {files}: {}{remedy}; --list-documents lists each", others.join(", ")));
            }
            None => {}
        }
        lines
    }

    /// The lines about programs with an unclosed string, which are reported once: a line for each of a few, or one for
    /// all.
    pub(super) fn take_unclosed(&mut self) -> Vec<String> {
        let (number, first) = std::mem::take(&mut self.unclosed);
        if number <= NAMED {
            return first.iter().map(Problem::to_string).collect();
        }
        let names: Vec<_> = first.iter().map(|problem| shown(&problem.place).to_string()).collect();
        vec![format!(
            "{} programs with a string or comment that has no end: {} and {} more; what follows is compared as program text \
             (--list-documents lists each)",
            HumanCount(number),
            names.join(", "),
            HumanCount(number - NAMED),
        )]
    }

    /// The lines about texts whose encoding was detected, which are reported once for each encoding.
    pub(super) fn take_detected(&mut self) -> Vec<String> {
        let line = |(encoding, (number, first)): (&str, (u64, Vec<Problem>))| match first.as_slice() {
            [only] => only.to_string(),
            _ => {
                let names = names_of(number, &first);
                let number = HumanCount(number);
                format!(
                    "{number} files that are not UTF-8 are read as {encoding} by their bytes: {names}; --encoding LABEL reads \
                     them in another encoding"
                )
            }
        };
        std::mem::take(&mut self.detected).into_iter().map(line).collect()
    }

    /// The line about files that dedup has written or that it reads as lists, which are reported once.
    pub(super) fn take_own(&mut self) -> Option<String> {
        let (number, first) = std::mem::take(&mut self.own);
        match first.as_slice() {
            [] => None,
            [only] => Some(only.to_string()),
            _ => {
                let (what, names) = (counted(number, "file"), names_of(number, &first));
                Some(format!("skipped {what} that dedup has written or reads as lists: {names}"))
            }
        }
    }

    /// The line for a run that skipped more inputs than it read; `None` for other runs.
    ///
    /// * `num_documents`: the number of documents that were read.
    pub(super) fn most(&self, num_documents: u64) -> Option<String> {
        let number: u64 = self.by_reason.values().sum();
        // Without any document, there is another warning already.
        if number <= num_documents.max(1) || num_documents == 0 {
            return None;
        }
        let reasons =
            self.by_reason.iter().map(|(why, &number)| format!("{} {}", HumanCount(number), why.of_number(number)));
        let (kinds, remedy) = self.main_kinds();
        Some(format!(
            "warning: most of the input was skipped: {} ({}){kinds}, and {} read; {remedy}--list-documents shows why",
            counted(number, "input"),
            reasons.collect::<Vec<_>>().join(", "),
            match num_documents {
                1 => "1 document was".to_owned(),
                number => format!("{} documents were", HumanCount(number)),
            }
        ))
    }

    /// Two parts of a message: the most frequent kinds of binary files, and the filter or program that reads the first kind
    /// for which there is one.
    fn main_kinds(&self) -> (String, String) {
        /// Maximum number of kinds.
        const MOST: usize = 3;
        let mut kinds: Vec<_> = self.by_kind.values().copied().collect();
        kinds.sort_by_key(|&(_, number)| std::cmp::Reverse(number));
        kinds.truncate(MOST);
        let shown = |&(kind, number): &(&BinaryKind, u64)| {
            format!("{} {}", HumanCount(number), if number == 1 { kind.one } else { kind.many })
        };
        let remedy = kinds.iter().find_map(|(kind, _)| kind.remedy(None, kind.many));
        let shown: Vec<_> = kinds.iter().filter(|(kind, _)| !kind.one.starts_with("of no")).map(shown).collect();
        match shown.as_slice() {
            [] => (String::new(), String::new()),
            kinds => {
                (format!(", mainly {}", kinds.join(", ")), remedy.map_or(String::new(), |remedy| format!("{remedy}; ")))
            }
        }
    }
}

/// The names of the first inputs, and how many more there are.
fn names_of(number: u64, first: &[Problem]) -> String {
    let names: Vec<_> = first.iter().map(|problem| shown(&problem.place).to_string()).collect();
    match number - names.len() as u64 {
        0 => names.join(", "),
        more => format!("{} and {} more", names.join(", "), HumanCount(more)),
    }
}

/// Whether a text is lost because of its content.
fn costs_a_text(reason: Reason) -> bool {
    matches!(
        reason,
        Reason::Unreadable | Reason::NotUtf8 | Reason::Binary | Reason::Damaged | Reason::TooLarge | Reason::Filter
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that cannot be read, named `a`.
    fn binary_file() -> Problem {
        Problem {
            place: "a".to_owned(),
            reason: Reason::Binary,
            detail: "binary".to_owned(),
            is_error: false,
            binary: None,
            detected: None,
            setting: None,
            number: 1,
        }
    }

    #[test]
    fn a_file_that_is_reached_twice_is_reported_once() {
        let mut skipped = SkippedFiles::default();
        for place in ["a.jsonl", "a.jsonl", "b.jsonl"] {
            let of_file =
                Problem { place: place.to_owned(), reason: Reason::OwnFile, is_error: false, ..binary_file() };
            assert!(skipped.add(&of_file));
        }
        let line = "skipped 2 files that dedup has written or reads as lists: a.jsonl, b.jsonl";
        assert_eq!(skipped.take_own().as_deref(), Some(line));
    }

    #[test]
    fn most_is_more_than_what_was_read() {
        let mut skipped = SkippedFiles::default();
        let problem = binary_file();
        for _ in 0..3 {
            assert!(!skipped.add(&problem), "a file without a kind is reported at once");
        }
        skipped.add(&Problem { reason: Reason::Malformed, ..problem.clone() });
        assert_eq!(skipped.most(3), None);
        assert!(skipped.most(2).is_some_and(|line| line.contains("3 inputs (3 binary), and 2 documents were read")));
        static WORKBOOK: BinaryKind = BinaryKind {
            one: "workbook",
            many: "workbooks",
            ending: "x",
            command: "cat",
            format: "",
            advice: "",
            is_picture: false,
        };
        for _ in 0..4 {
            assert!(skipped.add(&Problem { binary: Some(&WORKBOOK), ..problem.clone() }));
        }
        assert_eq!(
            skipped.most(2).as_deref(),
            Some(
                "warning: most of the input was skipped: 7 inputs (7 binary), mainly 4 workbooks, and 2 documents were read; \
                 input.filters x='cat' reads workbooks; --list-documents shows why"
            )
        );
    }
}
