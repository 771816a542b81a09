//! `fold`: a text and its passages in, the lines that are shown out, and how many are left out between them.

use std::ops::Range;

use super::marks::PassageMarks;

/// What is shown of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ShownItem {
    /// A line, by its bytes without the line end.
    Line(Range<usize>),
    /// So many lines that are left out.
    LeftOut(usize),
}

/// Keeps the lines of passages and `context` lines before and behind them; of a text without passages, that many at its
/// beginning. A single line is never left out, as it takes no more room than the note would.
pub(super) fn fold(text: &str, marks: &PassageMarks, context: usize) -> Vec<ShownItem> {
    let lines = lines(text);
    let mut kept = vec![false; lines.len()];
    let mut keep = |range: Range<usize>| kept[range].fill(true);
    if marks.is_empty() {
        keep(0..context.min(lines.len()));
    }
    // Up to where lines are kept already, so that a long passage costs its lines once.
    let mut done = 0;
    for (number, line) in lines.iter().enumerate() {
        // An empty line within a passage has no byte of its own.
        if !marks.in_range(&(line.start..line.end.max(line.start + 1))).is_empty() {
            let end = (number + 1).saturating_add(context).min(lines.len());
            keep(number.saturating_sub(context).max(done)..end);
            done = number;
        }
    }
    let mut items = Vec::new();
    let mut at = 0;
    for run in kept.chunk_by(|a, b| a == b) {
        if run[0] || run.len() == 1 {
            items.extend(lines[at..at + run.len()].iter().cloned().map(ShownItem::Line));
        } else {
            items.push(ShownItem::LeftOut(run.len()));
        }
        at += run.len();
    }
    items
}

/// The lines of a text without their ends. A line ends as it does where passages count lines: behind LF, or behind CR where
/// there is no LF.
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
    fn lines_end_as_passages_count_them() {
        assert_eq!(folded("a\r\nb\r\n", &[(0, 5)], 0), "a b");
        assert_eq!(folded("a\rb", &[(0, 3)], 0), "a b");
        // A passage goes through an empty line.
        assert_eq!(folded("a\n\nb\nc\nd", &[(0, 4)], 0), "a  b (2)");
    }
}
