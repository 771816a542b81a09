//! Puts each sentence of a text on its own line, by the rules of UAX #29.
//!
//! These rules end a sentence at every line end, which is wrong for wrapped text. So the caller joins the lines of each
//! paragraph first.
//!
//! After a full stop the library looks ahead from each closing mark and each space to the end of their run, which costs
//! n² steps in a run of n. The rules treat one such character like many, so long runs are shortened before the library
//! sees them.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;
use unicode_segmentation::UnicodeSegmentation;

use crate::base::flat::offset_map::Trace;

/// A long run of closing marks or of spaces, not counting marks that extend the preceding character.
static LONG_RUN: LazyLock<Regex> = LazyLock::new(|| {
    let run = |class| format!(r"\p{{sb={class}}}[\p{{sb={class}}}\p{{sb=Extend}}\p{{sb=Format}}]{{8,}}");
    Regex::new(&format!("{}|{}", run("Close"), run("Sp"))).expect("it is fixed")
});

/// Ends each sentence of `text` with U+000A. Each paragraph of `text` must be on one line.
pub(super) fn separate<T: Trace>(text: &mut Vec<u8>, scratch: &mut Vec<u8>, trace: &mut T) {
    scratch.clear();
    for_each_sentence(super::settings::as_str(text), |sentence| {
        // White space between two sentences belongs to neither.
        let from_start = sentence.trim_start();
        let trimmed = from_start.trim_end();
        scratch.extend_from_slice(trimmed.as_bytes());
        scratch.push(b'\n');
        trace.left_out(sentence.len() - from_start.len());
        trace.copied(trimmed.len());
        trace.replaced(from_start.len() - trimmed.len(), 1);
    });
    trace.end_step();
    std::mem::swap(text, scratch);
}

fn for_each_sentence<'t>(text: &'t str, mut visit: impl FnMut(&'t str)) {
    let Shortened { text: short, left_out } = Shortened::new(text);
    let mut left_out = left_out.iter().peekable();
    let (mut start, mut end, mut short_end) = (0, 0, 0);
    for sentence in short.split_sentence_bounds() {
        end += sentence.len();
        short_end += sentence.len();
        // A sentence never ends within a run.
        while let Some((_, len)) = left_out.next_if(|&&(at, _)| at <= short_end) {
            end += len;
        }
        visit(&text[start..end]);
        start = end;
    }
}

/// A text in which each long run is shortened to one character.
struct Shortened<'t> {
    text: Cow<'t, str>,
    /// For each shortened run: its end in the shortened text, and the number of removed bytes.
    left_out: Vec<(usize, usize)>,
}

impl<'t> Shortened<'t> {
    fn new(text: &'t str) -> Self {
        let mut runs = LONG_RUN.find_iter(text).peekable();
        if runs.peek().is_none() {
            return Self { text: text.into(), left_out: Vec::new() };
        }
        let (mut short, mut left_out, mut done) = (String::new(), Vec::new(), 0);
        for run in runs {
            let rest = run.as_str().char_indices().nth(1).expect("a run has more than one").0;
            short.push_str(&text[done..run.start() + rest]);
            left_out.push((short.len(), run.len() - rest));
            done = run.end();
        }
        short.push_str(&text[done..]);
        Self { text: short.into(), left_out }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use proptest::prelude::*;

    use super::*;

    fn sentences(text: &str) -> Vec<&str> {
        let mut sentences = Vec::new();
        for_each_sentence(text, |sentence| sentences.push(sentence));
        sentences
    }

    proptest! {
        #[test]
        fn sentences_are_those_of_the_library(
            runs in prop::collection::vec(
                (r#"[aB1.!?,\-文\u{5D0}\u{85}\u{2029}\n()"' \u{A0}»\u{301}\u{200D}\u{AD}]|[)"]\u{301}|\u{200D} "#,
                 prop_oneof![5 => Just(1usize), 1 => 2usize..4, 2 => 6usize..40]), 0..12),
        ) {
            let text: String = runs.iter().map(|(part, times)| part.repeat(*times)).collect();
            let expected: Vec<&str> = text.split_sentence_bounds().collect();
            prop_assert_eq!(sentences(&text), expected);
        }
    }

    #[test]
    fn characters_of_long_runs_mean_one_or_many_to_the_library_too() {
        // The pattern and the library have their own Unicode tables, whose versions may differ.
        for c in ('\0'..=char::MAX).filter(|&c| LONG_RUN.is_match(&format!("){}", String::from(c).repeat(9)))) {
            let text = |times| format!("a.){} B", String::from(c).repeat(times));
            let cuts = |text: &str| text.split_sentence_bounds().count();
            assert_eq!(cuts(&text(40)), cuts(&text(1)), "U+{:04X}", c as u32);
            assert!(text(40).split_sentence_bounds().next().unwrap().starts_with(text(40).trim_end_matches('B')));
        }
    }

    #[test]
    fn long_runs_take_time_by_their_length() {
        let start = Instant::now();
        for run in [")", "()", "\"", ")\u{301}", " ", " \u{200D}", ")-"] {
            let text = format!("a.{}", run.repeat(200_000));
            assert_eq!(sentences(&text).concat(), text);
        }
        // Looking ahead from every character took minutes.
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
