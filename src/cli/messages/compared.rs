//! The lines of the summary about the comparison: formats of documents, shingles, folding, the languages of programs, and
//! menus of web pages.

use std::cmp::Reverse;

use dedup_scan::search::{CodeSummary, SettingsRecord};
use dedup_scan::{ShingleKind, Summary};
use indicatif::HumanCount;

use super::number::{counted, plain_percent};

/// The number of documents in each format from which texts were extracted, in descending order; `None` without such
/// documents.
pub(super) fn formats(summary: &Summary) -> Option<String> {
    let mut formats: Vec<(&str, u64)> = summary.formats.iter().map(|(&format, &number)| (format, number)).collect();
    formats.sort_by_key(|&(_, number)| Reverse(number));
    let formats: Vec<String> =
        formats.into_iter().map(|(format, number)| format!("{} {format}", HumanCount(number))).collect();
    (!formats.is_empty()).then(|| formats.join(", "))
}

/// A note on pairs of web pages that are similar by their menus and not by their main texts.
pub(super) fn common_frame(summary: &Summary) -> Option<String> {
    let frame = summary.common_frame.filter(|frame| frame.is_common())?;
    let threshold = plain_percent(summary.settings.threshold);
    Some(format!(
        "of {} pairs of web pages that were compared again by their main texts, {} are below {threshold}; --html main ignores menus and other text that pages have in common",
        frame.pairs, frame.below
    ))
}

/// The kind of shingles and the folding; `None` for the defaults.
pub(super) fn shingles(settings: &SettingsRecord) -> Option<String> {
    let k = settings.k;
    let many = |one: &str| if k == 1 { one.to_owned() } else { format!("{k} {one}s") };
    let mut text = match settings.shingle {
        ShingleKind::Char => many("character"),
        ShingleKind::Word => many("word"),
        ShingleKind::Line => many("line"),
        ShingleKind::Sentence => many("sentence"),
        ShingleKind::Paragraph => many("paragraph"),
        ShingleKind::Code => format!("{} of code", many("token")),
        ShingleKind::StopWord => format!("{} from a stop word on", many("word")),
        ShingleKind::Set => "elements of a set".into(),
    };
    if let Some(origin) = settings.stop_words {
        text += &format!(" ({origin})");
    }
    if let Some(syntax) = settings.syntax {
        text += &format!(" ({syntax})");
    }
    if settings.bag {
        text += ", as multisets";
    }
    if let Some(weights) = settings.weights {
        text += &format!(", weighted by {}", if weights == "idf" { "idf" } else { "a table" });
    }
    let given = [("ignore-between", settings.ignore_between.len()), ("skip-lines", settings.skip_lines.len())];
    let left_out = given.into_iter().filter(|&(_, number)| number > 0).map(|(name, _)| name);
    let folding: Vec<&str> = left_out.chain(settings.folding.iter().copied()).collect();
    if !folding.is_empty() {
        text += &format!("; {}", folding.join(", "));
    }
    if settings.min_tokens > 0 {
        text += &format!("; at least {}", counted(settings.min_tokens, "token"));
    }
    let is_default = text == format!("{} characters", ShingleKind::Char.default_size());
    (!is_default).then_some(text)
}

/// The languages of programs, most frequent first, and notes on the documents.
pub(super) fn programs(code: &CodeSummary) -> String {
    let mut syntaxes: Vec<(&str, u64)> = code.syntaxes.iter().map(|(&syntax, &number)| (syntax, number)).collect();
    syntaxes.sort_by_key(|&(_, number)| std::cmp::Reverse(number));
    let syntaxes = syntaxes.into_iter().map(|(syntax, number)| (number, syntax.to_owned()));
    let few = format!("of fewer than {} tokens", CodeSummary::FEW_TOKENS);
    let others = [
        (code.unknown, "of no known language (words kept; --syntax names one)".to_owned()),
        (code.unclosed, "with a string or comment that has no end".to_owned()),
        (code.few_tokens, few),
    ];
    let parts = syntaxes.chain(others.into_iter().filter(|&(number, _)| number > 0));
    parts.map(|(number, what)| format!("{} {what}", HumanCount(number))).collect::<Vec<_>>().join(", ")
}
