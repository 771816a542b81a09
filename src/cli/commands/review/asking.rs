//! `Asking`: shows each pair with its two texts, and reads a person's answers.

use std::collections::HashSet;
use std::io::{BufRead, IsTerminal, Write};

use dedup_scan::Unwatched;
use dedup_scan::base::{shown, system_words};
use dedup_scan::records::PairCounts;
use dedup_scan::results::{Answer, AnswerFile, PairTexts, Question, Review};

use super::super::explain::{View, shares};
use crate::cli::flags::{ViewFlags, columns};
use crate::cli::interrupt::uninterrupted;
use crate::cli::messages::{self, Result};

/// Number of questions whose files are read together.
const READ_AT_ONCE: usize = 32;
/// Maximum number of bytes of a line that are read.
const LONGEST_LINE: u64 = 4096;

const KEYS: &str = "duplicates? [y n s u q ?] ";
const HELP: &str = "\
y  yes, the documents are duplicates
n  no, they are not
s  skip: leave this pair open
u  undo the last answer, and ask about that pair again
q  quit; the answers are kept, and the next review goes on here
?  this help";

/// Asks a person about pairs, one at a time.
pub(super) struct Asking<'a> {
    texts: PairTexts,
    /// Numbers of the questions whose files were read.
    read: HashSet<usize>,
    flags: &'a ViewFlags,
    /// Whether the result lacks hashes of its texts, so that changes to the texts are not detected.
    may_differ: bool,
    /// Whether some texts could not be shown.
    is_unread: bool,
}

/// A line of a person: an answer or a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Answer(Answer),
    Undo,
    Quit,
    Help,
}

impl Key {
    fn of(line: &str) -> Option<Self> {
        Some(match line.trim() {
            "y" | "Y" | "yes" => Self::Answer(Answer::Yes),
            "n" | "N" | "no" => Self::Answer(Answer::No),
            "s" | "S" | "skip" => Self::Answer(Answer::Skip),
            "u" | "U" | "undo" => Self::Undo,
            "q" | "Q" | "quit" => Self::Quit,
            "?" | "h" | "help" => Self::Help,
            _ => return None,
        })
    }
}

impl<'a> Asking<'a> {
    /// * `may_differ`: whether texts may have changed since they were compared.
    pub(super) fn new(texts: PairTexts, flags: &'a ViewFlags, may_differ: bool) -> Self {
        Self { texts, read: HashSet::new(), flags, may_differ, is_unread: false }
    }

    /// Asks until all questions are answered or the person stops. Returns whether some texts could not be shown.
    ///
    /// # Errors
    /// When an answer cannot be saved.
    pub(super) fn ask(mut self, review: &mut Review, file: &mut AnswerFile) -> Result<bool> {
        let mut next = review.next();
        while let Some(number) = next {
            show(&self.text(review, number));
            next = loop {
                let Some(key) = key() else { return Ok(self.is_unread) };
                match key {
                    Key::Answer(answer) => {
                        keep(review, file, number, answer)?;
                        break review.next();
                    }
                    Key::Undo => match review.last() {
                        Some(last) => {
                            keep(review, file, last, Answer::Undone)?;
                            break Some(last);
                        }
                        None => messages::line("dedup: there is no answer to undo"),
                    },
                    Key::Quit => return Ok(self.is_unread),
                    Key::Help => show(&format!("{HELP}\n")),
                }
            };
        }
        Ok(self.is_unread)
    }

    /// A pair as it is shown.
    fn text(&mut self, review: &Review, number: usize) -> String {
        let question = &review.questions()[number];
        let heading = heading(review, number);
        let texts = self.read(review, number).and_then(|()| Ok(self.texts.of(question)?));
        let missing = |why: &str| format!("{:<12} not shown: {}\n", "texts", shown(why));
        let explanation = match texts {
            Ok(explanation) => explanation,
            Err(failure) => {
                self.is_unread = true;
                return format!("{heading}{}\n", missing(&system_words(&failure.to_string())));
            }
        };
        if let Some(detail) = explanation.a.detail.as_ref().or(explanation.b.detail.as_ref()) {
            self.is_unread = true;
            return format!("{heading}{}\n", missing(detail));
        }
        let stderr = std::io::stderr();
        let of_terminal = stderr.is_terminal().then(|| terminal_size::terminal_size_of(&stderr)).flatten();
        let is_coloured = self.flags.color.is_on(anstream::AutoStream::choice(&stderr));
        let view = View { columns: columns(of_terminal), context: self.flags.context, is_coloured };
        let differ = if self.may_differ && !PairTexts::is_same(question, &explanation) {
            "texts        not as they were compared: they changed, or the scan had flags; a result of --save keeps these\n"
        } else {
            ""
        };
        format!("{heading}{differ}\n{}\n", view.text(&explanation))
    }

    /// Reads the files of a question and of the open questions after it, unless they were read already.
    fn read(&mut self, review: &Review, number: usize) -> Result<()> {
        if self.read.contains(&number) {
            return Ok(());
        }
        let questions = number..review.questions().len();
        let batch = questions.filter(|&other| other == number || review.is_open(other)).take(READ_AT_ONCE);
        self.read = batch.collect();
        let mut numbers: Vec<usize> = self.read.iter().copied().collect();
        numbers.sort_unstable();
        Ok(self.texts.read(numbers.into_iter().map(|number| &review.questions()[number]), &Unwatched)?)
    }
}

/// Saves an answer in the file and in the review.
fn keep(review: &mut Review, file: &mut AnswerFile, number: usize, answer: Answer) -> Result<()> {
    uninterrupted(|| file.add(&review.questions()[number].record(answer)))?;
    review.answer(number, answer);
    Ok(())
}

/// The heading of a question: the names and numbers of the pair.
fn heading(review: &Review, number: usize) -> String {
    let questions = review.questions();
    let Question { names, counts, is_above, note, .. } = &questions[number];
    let PairCounts { shared, shingles_a, shingles_b, weights, .. } = *counts;
    let threshold = messages::plain_percent(review.threshold().value());
    let name = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let side = if *is_above { "above or at" } else { "below" };
    let [similarity, containment] = shares([shingles_a, shingles_b, shared], weights);
    let lines = [
        ("pair", format!("{} of {}, {side} the threshold of {threshold}", number + 1, questions.len())),
        ("a", name(&names[0])),
        ("b", name(&names[1])),
        similarity,
        containment,
    ];
    let note = note.as_ref().map(|note| ("note", note.clone()));
    lines.iter().chain(&note).map(|(what, text)| format!("{what:<12} {}\n", shown(text))).collect()
}

/// Reads lines until one is an answer or a command; `None` at the end of the input.
fn key() -> Option<Key> {
    let mut stdin = std::io::stdin().lock();
    loop {
        show(KEYS);
        let mut line = Vec::new();
        let read = std::io::Read::take(&mut stdin, LONGEST_LINE).read_until(b'\n', &mut line);
        if read.is_err() || line.is_empty() {
            show("\n");
            return None;
        }
        let line = String::from_utf8_lossy(&line);
        if !std::io::stdin().is_terminal() {
            // A terminal shows typed lines itself; other input is echoed.
            show(&format!("{}\n", shown(line.trim())));
        }
        match Key::of(&line) {
            Some(key) => return Some(key),
            None => messages::line("dedup: give y, n, s, u, q or ?, and Enter"),
        }
    }
}

/// Writes to stderr, for the person who answers; a closed stderr does not end the review.
fn show(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
