//! `fold`: chooses the lines of a text to show around its passages, and counts the hidden lines between them.

use std::ops::Range;

use super::marks::PassageMarks;

/// A line to show, or a note about hidden lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ShownItem {
    /// The bytes of a shown line, without the line end.
    Line(Range<usize>),
    /// Number of hidden lines.
    LeftOut(usize),
    /// Number of lines that are hidden because the other text has the same lines.
    Equal(usize),
}

/// Minimum number of consecutive equal lines that are hidden.
const LEAST_EQUAL: usize = 10;

/// Whether a line is shown or hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineFate {
    Shown,
    LeftOut,
    Equal,
}

/// Shows the lines of passages and `context` lines before and after each; for a text without passages, the first
/// `context` lines. Of a passage with many equal lines, only the lines around its ends and around differences are
/// shown. A single line is never hidden, because the note would need a line too.
pub(super) fn fold(text: &str, marks: &PassageMarks, context: usize) -> Vec<ShownItem> {
    let mut lines = lines(text);
    // A page without its markup has many blank lines: blank lines at the start are hidden, and each later group is
    // shown as one.
    let mut is_after_blank = true;
    lines.retain(|line| {
        let is_blank = text[line.clone()].trim().is_empty();
        !(std::mem::replace(&mut is_after_blank, is_blank) && is_blank)
    });
    let mut kept = vec![false; lines.len()];
    let mut keep = |range: Range<usize>| kept[range].fill(true);
    if marks.is_empty() {
        keep(0..context.min(lines.len()));
    }
    // Lines before `done` are kept already, so that each line of a long passage is visited once.
    let mut done = 0;
    for (number, line) in lines.iter().enumerate() {
        // An empty line within a passage has no byte, so the range is widened by one.
        if !marks.in_range(&(line.start..line.end.max(line.start + 1))).is_empty() {
            let end = (number + 1).saturating_add(context).min(lines.len());
            keep(number.saturating_sub(context).max(done)..end);
            done = number;
        }
    }
    let mut fates: Vec<LineFate> =
        kept.iter().map(|&kept| if kept { LineFate::Shown } else { LineFate::LeftOut }).collect();
    fold_equal(&lines, &mut fates, marks, context);
    let mut items = Vec::new();
    let mut at = 0;
    for run in fates.chunk_by(|a, b| a == b) {
        match run[0] {
            LineFate::LeftOut if run.len() > 1 => items.push(ShownItem::LeftOut(run.len())),
            LineFate::Equal => items.push(ShownItem::Equal(run.len())),
            _ => items.extend(lines[at..at + run.len()].iter().cloned().map(ShownItem::Line)),
        }
        at += run.len();
    }
    items
}

/// Hides long groups of lines within passages that are far from all differences.
fn fold_equal(lines: &[Range<usize>], fates: &mut [LineFate], marks: &PassageMarks, context: usize) {
    let mut is_near = vec![marks.is_empty(); lines.len()];
    let mut done = 0;
    for (number, line) in lines.iter().enumerate() {
        let is_outside = marks.in_range(&(line.start..line.end.max(line.start + 1))).is_empty() && !line.is_empty();
        if is_outside || marks.is_notable(line) {
            let end = (number + 1).saturating_add(context).min(lines.len());
            is_near[number.saturating_sub(context).max(done)..end].fill(true);
            done = number;
        }
    }
    let mut at = 0;
    for run in is_near.chunk_by(|a, b| a == b) {
        if !run[0] && run.len() >= LEAST_EQUAL {
            fates[at..at + run.len()].fill(LineFate::Equal);
        }
        at += run.len();
    }
}

/// The byte ranges of the lines of a text, without line ends. Lines end as in passages: after LF, or after CR in a
/// text without LF.
fn lines(text: &str) -> Vec<Range<usize>> {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    let mut start = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive(end) {
        let shown = line.strip_suffix(end).unwrap_or(line);
        let shown = if end == '\n' { shown.strip_suffix('\r').unwrap_or(shown) } else { shown };
        lines.push(start..start + shown.len());
        start += line.len();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(text: &str, passages: &[(usize, usize)], context: usize) -> String {
        let items = fold(text, &PassageMarks::new(passages.iter().map(|&(start, end)| start..end)), context);
        let item = |item: &ShownItem| match item {
            ShownItem::Line(bytes) => text[bytes.clone()].to_owned(),
            ShownItem::LeftOut(number) => format!("({number})"),
            ShownItem::Equal(number) => format!("={number}="),
        };
        items.iter().map(item).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_far_from_passages_are_left_out_and_counted() {
        let text = "a\nb\nc\nd\ne\nf\ng\nh\ni\n";
        assert_eq!(folded(text, &[(4, 5)], 0), "(2) c (6)");
        assert_eq!(folded(text, &[(4, 5)], 1), "a b c d (5)", "a single line is shown");
        assert_eq!(folded(text, &[(4, 5), (12, 15)], 1), "a b c d e f g h i");
        assert_eq!(folded(text, &[(0, 17)], 0), "a b c d e f g h i");
        assert_eq!(folded(text, &[], 2), "a b (7)");
        assert_eq!(folded(text, &[(4, 5)], usize::MAX), "a b c d e f g h i");
        assert_eq!(folded("", &[], 3), "");
    }

    #[test]
    fn long_stretches_without_a_change_are_folded() {
        let text = "abcdefghijklmnopqrstuvwxyz".replace("", "\n").trim_start().to_owned();
        assert_eq!(folded(&text, &[(0, 51)], 1), "a b =22= y z");
        assert_eq!(folded(&text, &[(0, 51)], 8), "a b c d e f g h i j k l m n o p q r s t u v w x y z");
        let folded_with = |changed: Option<Range<usize>>, unknown: Option<Range<usize>>| {
            let (changed, unknown) = (changed.into_iter().collect(), unknown.into_iter().collect());
            let marks = PassageMarks::new(std::iter::once(0..51)).with_changes(changed, unknown);
            fold(&text, &marks, 0).iter().filter(|item| matches!(item, ShownItem::Equal(_))).count()
        };
        assert_eq!(folded_with(None, None), 1);
        assert_eq!(folded_with(Some(24..25), None), 2, "on both sides of the change");
        assert_eq!(folded_with(Some(24..24), None), 2, "words of the other text");
        assert_eq!(folded_with(None, Some(0..51)), 0);
    }

    #[test]
    fn lines_end_as_passages_count_them() {
        assert_eq!(folded("a\r\nb\r\n", &[(0, 5)], 0), "a b");
        assert_eq!(folded("a\rb", &[(0, 3)], 0), "a b");
        // A passage may span an empty line.
        assert_eq!(folded("a\n\nb\nc\nd", &[(0, 4)], 0), "a  b (2)");
    }

    #[test]
    fn blank_lines_are_not_shown_at_the_start_and_once_elsewhere() {
        assert_eq!(folded("\n \n\na\n\n\t\n\nb\n", &[], 3), "a  b");
    }
}
