//! Finds the byte ranges of a text that normalisation ignored, from the normalised text and its offset map.

use std::ops::Range;

use super::settings::Normalization;
use crate::base::flat::offset_map::OffsetMap;

/// Label of parts that were ignored.
const IGNORED: &str = "ignored";
/// Label of parts when some were removed and others ignored.
const BOTH: &str = "not compared";

/// Merges the removed and the ignored parts of a text into one list, and selects the label that users see.
///
/// * `words`: the label of removed parts.
pub(crate) fn with_ignored(
    mut removed: Vec<Range<usize>>,
    words: &'static str,
    ignored: Vec<Range<usize>>,
) -> (Vec<Range<usize>>, &'static str) {
    match (removed.is_empty(), ignored.is_empty()) {
        (_, true) => return (removed, words),
        (true, false) => return (ignored, IGNORED),
        (false, false) => removed.extend(ignored),
    }
    removed.sort_unstable_by_key(|part| (part.start, part.end));
    let mut parts: Vec<Range<usize>> = Vec::with_capacity(removed.len());
    for part in removed {
        match parts.last_mut().filter(|last| last.end >= part.start) {
            Some(last) => last.end = last.end.max(part.end),
            None => parts.push(part),
        }
    }
    (parts, BOTH)
}

/// The byte ranges that `--skip-lines` and the flags that ignore text exclude from a text, in ascending order.
///
/// * `normalised`: the normalised text in UTF-8.
/// * `map`: the offset map from the normalised text to the text.
pub(crate) fn ignored_parts(
    settings: &Normalization,
    text: &str,
    normalised: &[u8],
    map: &OffsetMap,
) -> Vec<Range<usize>> {
    let Normalization { skip_lines, ignore_between, ignore_quotes, ignore_bibliography, .. } = settings;
    if skip_lines.is_empty() && ignore_between.is_empty() && !ignore_quotes && !ignore_bibliography {
        return Vec::new();
    }
    let normalised = std::str::from_utf8(normalised).unwrap_or_default();
    let (mut parts, mut done) = (Vec::new(), 0);
    let mut gap = |gap: Range<usize>| {
        let part = text.get(gap.clone()).unwrap_or_default();
        if part.chars().any(char::is_alphanumeric) {
            let start = gap.start + part.len() - part.trim_start().len();
            parts.push(start..start + part.trim().len());
        }
    };
    // White space is not counted as kept, because one space may replace an entire ignored part.
    for (at, c) in normalised.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        let source = map.source_range(at..at + c.len_utf8());
        if source.start > done {
            gap(done..source.start);
        }
        done = done.max(source.end);
    }
    gap(done..text.len().max(done));
    parts
}

#[cfg(test)]
mod tests {
    use super::super::{Normalizer, Units};
    use super::*;

    #[test]
    fn ignored_parts_are_those_that_the_flags_name() {
        let settings = Normalization {
            skip_lines: vec![r"Page \d+".parse().unwrap()],
            ignore_quotes: true,
            lowercase: true,
            ..Normalization::default()
        };
        let text = "One  Two!\n  Page 12\nThree \u{201C}quoted words\u{201D} four.\nPage 13\n";
        let parts = |settings: &Normalization| {
            let (normalised, map) = Normalizer::new(settings, Units::Text).normalize_with_offsets(text);
            let parts = ignored_parts(settings, text, normalised.as_bytes(), &map);
            parts.into_iter().map(|part| text[part].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(parts(&settings), ["Page 12", "\u{201C}quoted words\u{201D}", "Page 13"]);
        assert_eq!(parts(&Normalization { lowercase: true, ..Normalization::default() }), [""; 0]);
        assert_eq!(with_ignored(vec![0..2, 4..5], "handed out", Vec::new()), (vec![0..2, 4..5], "handed out"));
        assert_eq!(with_ignored(Vec::new(), "handed out", vec![3..5, 8..9]), (vec![3..5, 8..9], IGNORED));
        assert_eq!(with_ignored(vec![0..2, 6..9], "handed out", vec![2..4, 7..8]), (vec![0..4, 6..9], BOTH));
    }
}
