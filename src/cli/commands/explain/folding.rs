//! Chooses the lines of a text to show around its passages, and the rows of long lines, and counts what is hidden
//! between them.

use std::ops::Range;

use super::marks::PassageMarks;
use super::rows::Row;

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

/// A row of a long line to show, or a note about hidden rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShownRow {
    /// Index of a shown row.
    Row(usize),
    /// Number of hidden rows.
    LeftOut(usize),
    /// Number of rows that are hidden because the other text has the same words.
    Equal(usize),
}

/// Minimum number of consecutive equal lines that are hidden; a long line counts as its rows.
const LEAST_EQUAL: usize = 10;
/// Minimum number of rows of a long line, such as a paragraph of prose, and of consecutive rows of it that are hidden.
const LONG_ROWS: usize = 5;

/// Whether a line or row is shown or hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineFate {
    Shown,
    LeftOut,
    Equal,
}

/// Lines with the number of lines that each counts as: 1, or the rows of a long line.
struct CountedLines {
    lines: Vec<Range<usize>>,
    /// The count of all lines before each line, and of all lines.
    before: Vec<usize>,
}

impl CountedLines {
    fn new(lines: Vec<Range<usize>>, num_rows: impl Fn(&Range<usize>) -> usize) -> Self {
        let mut sum = 0;
        let counts = lines.iter().map(|line| match num_rows(line) {
            rows if rows < LONG_ROWS => 1,
            rows => rows,
        });
        let sums = counts.map(|count| {
            sum += count;
            sum
        });
        let before = std::iter::once(0).chain(sums).collect();
        Self { lines, before }
    }

    /// A line with the lines before and after it that begin within `context` lines.
    fn around(&self, number: usize, context: usize) -> Range<usize> {
        let [first, last] = [self.before[number], self.before[number + 1]];
        let start = self.before[1..=number].partition_point(|&end| end.saturating_add(context) <= first);
        let end = self.before[..self.lines.len()].partition_point(|&start| start < last.saturating_add(context));
        start..end.max(number + 1)
    }

    /// The count of lines.
    fn count(&self, lines: Range<usize>) -> usize {
        self.before[lines.end] - self.before[lines.start]
    }
}

/// Shows the lines of passages and `context` lines before and after each; for a text without passages, the first
/// `context` lines. Of a passage with many equal lines, only the lines around its ends and around differences are
/// shown. A single line is never hidden, because the note would need a line too.
///
/// * `num_rows`: the number of rows of a line.
/// * `is_name`: whether the line at an offset is the name of a file, which is shown before the lines of the file.
pub(super) fn fold(
    text: &str,
    marks: &PassageMarks,
    context: usize,
    num_rows: impl Fn(&str) -> usize,
    is_name: impl Fn(usize) -> bool,
) -> Vec<ShownItem> {
    let mut lines = lines(text);
    // A page without its markup has many blank lines: blank lines at the start are hidden, and each later group is
    // shown as one.
    let mut is_after_blank = true;
    lines.retain(|line| {
        let is_blank = text[line.clone()].trim().is_empty();
        !(std::mem::replace(&mut is_after_blank, is_blank) && is_blank)
    });
    let lines = CountedLines::new(lines, |line| num_rows(&text[line.clone()]));
    let mut kept = vec![false; lines.lines.len()];
    let mut keep = |range: Range<usize>| kept[range].fill(true);
    if marks.is_empty() {
        keep(0..lines.before[..lines.lines.len()].partition_point(|&before| before < context));
    }
    // Lines before `done` are kept already, so that each line of a long passage is visited once.
    let mut done = 0;
    for (number, line) in lines.lines.iter().enumerate() {
        if is_inside(marks, line) {
            let around = lines.around(number, context);
            keep(around.start.max(done)..around.end);
            done = number;
        }
    }
    let mut name = None;
    for (number, line) in lines.lines.iter().enumerate() {
        match name {
            _ if is_name(line.start) => name = Some(number),
            Some(name) if kept[number] => kept[name] = true,
            _ => {}
        }
    }
    let mut fates: Vec<LineFate> =
        kept.iter().map(|&kept| if kept { LineFate::Shown } else { LineFate::LeftOut }).collect();
    fold_equal(&lines, &mut fates, marks, context);
    let mut items = Vec::new();
    let mut at = 0;
    for run in fates.chunk_by(|a, b| a == b) {
        let is_many = lines.count(at..at + run.len()) > 1;
        match run[0] {
            LineFate::LeftOut if is_many => items.push(ShownItem::LeftOut(run.len())),
            LineFate::Equal => items.push(ShownItem::Equal(run.len())),
            _ => items.extend(lines.lines[at..at + run.len()].iter().cloned().map(ShownItem::Line)),
        }
        at += run.len();
    }
    items
}

/// Whether a line or row touches a passage. An empty line within a passage has no byte, so its range is widened by one.
fn is_inside(marks: &PassageMarks, line: &Range<usize>) -> bool {
    !marks.in_range(&(line.start..line.end.max(line.start + 1))).is_empty()
}

/// Hides long groups of lines within passages that are far from all differences.
fn fold_equal(lines: &CountedLines, fates: &mut [LineFate], marks: &PassageMarks, context: usize) {
    let mut is_near = vec![marks.is_empty(); fates.len()];
    let mut done = 0;
    for (number, line) in lines.lines.iter().enumerate() {
        let is_outside = !is_inside(marks, line) && !line.is_empty();
        if is_outside || marks.is_notable(line) {
            let around = lines.around(number, context);
            is_near[around.start.max(done)..around.end].fill(true);
            done = number;
        }
    }
    let mut at = 0;
    for run in is_near.chunk_by(|a, b| a == b) {
        if !run[0] && lines.count(at..at + run.len()) >= LEAST_EQUAL {
            fates[at..at + run.len()].fill(LineFate::Equal);
        }
        at += run.len();
    }
}

/// Chooses the rows of a line to show. A long line with more than `context` rows shows its first and its last row, and
/// `context` rows before and after each difference and each end of a passage; in a text without passages it shows its
/// first `context` rows.
pub(super) fn fold_rows(rows: &[Row], marks: &PassageMarks, context: usize) -> Vec<ShownRow> {
    let is_long = rows.len() >= LONG_ROWS && rows.len() > context;
    let mut fates = vec![if is_long { LineFate::LeftOut } else { LineFate::Shown }; rows.len()];
    if is_long {
        fates[0] = LineFate::Shown;
        fates[rows.len() - 1] = LineFate::Shown;
        if marks.is_empty() {
            fates[..context.min(rows.len())].fill(LineFate::Shown);
        }
        let mut done = 0;
        for (number, row) in rows.iter().enumerate() {
            let is_equal = is_inside(marks, &row.bytes);
            if is_equal && marks.is_notable(&row.bytes) {
                let end = (number + 1).saturating_add(context).min(rows.len());
                fates[number.saturating_sub(context).max(done)..end].fill(LineFate::Shown);
                done = number;
            } else if is_equal && fates[number] == LineFate::LeftOut {
                fates[number] = LineFate::Equal;
            }
        }
    }
    let mut shown = Vec::new();
    let mut at = 0;
    for run in fates.chunk_by(|a, b| a == b) {
        match run[0] {
            LineFate::LeftOut if run.len() >= LONG_ROWS => shown.push(ShownRow::LeftOut(run.len())),
            LineFate::Equal if run.len() >= LONG_ROWS => shown.push(ShownRow::Equal(run.len())),
            _ => shown.extend((at..at + run.len()).map(ShownRow::Row)),
        }
        at += run.len();
    }
    shown
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
        let marks = PassageMarks::new(passages.iter().map(|&(start, end)| start..end));
        let items = fold(text, &marks, context, |line| line.len().div_ceil(40), |_| false);
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
    fn long_spans_without_a_change_are_folded() {
        let text = "abcdefghijklmnopqrstuvwxyz".replace("", "\n").trim_start().to_owned();
        assert_eq!(folded(&text, &[(0, 51)], 1), "a b =22= y z");
        assert_eq!(folded(&text, &[(0, 51)], 8), "a b c d e f g h i j k l m n o p q r s t u v w x y z");
        let folded_with = |changed: Option<Range<usize>>, unknown: Option<Range<usize>>| {
            let (changed, unknown) = (changed.into_iter().collect(), unknown.into_iter().collect());
            let marks = PassageMarks::new(std::iter::once(0..51)).with_changes(changed, unknown);
            fold(&text, &marks, 0, |_| 1, |_| false).iter().filter(|item| matches!(item, ShownItem::Equal(_))).count()
        };
        assert_eq!(folded_with(None, None), 1);
        assert_eq!(folded_with(Some(24..25), None), 2, "on both sides of the change");
        assert_eq!(folded_with(Some(24..24), None), 2, "words of the other text");
        assert_eq!(folded_with(None, Some(0..51)), 0);
    }

    #[test]
    fn a_long_line_counts_as_its_rows() {
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|letter| letter.repeat(400));
        let text = format!("{a}\n{b}\n{c}\n{d}\ne\nf\n");
        let last = text.len() - 2..text.len() - 1;
        // The passage is the last line: the context of 3 lines ends in the paragraph before it.
        assert_eq!(folded(&text, &[(last.start, last.end)], 3), format!("(3) {d} e f"));
        assert_eq!(folded(&text, &[(last.start, last.end)], 1000), format!("{a} {b} {c} {d} e f"));
        assert_eq!(folded(&text, &[(0, last.end)], 3), format!("{a} {b} =1= {d} e f"), "ten rows in one line");
        assert_eq!(folded(&text, &[], 3), format!("{a} (5)"));
        assert_eq!(folded(&text, &[], 0), "(6)");
    }

    #[test]
    fn of_a_long_line_the_rows_around_differences_are_shown() {
        let line = "word ".repeat(100);
        let rows = super::super::rows::wrap(&line, 0, 20, &[], None);
        assert_eq!(rows.len(), 25);
        let shown = |changed: &[usize], context: usize| {
            let changed: Vec<Range<usize>> = changed.iter().map(|&word| 5 * word..5 * word + 4).collect();
            let marks = PassageMarks::new(std::iter::once(0..line.len())).with_changes(changed, Vec::new());
            let row = |row: &ShownRow| match row {
                ShownRow::Row(row) => row.to_string(),
                ShownRow::LeftOut(number) => format!("({number})"),
                ShownRow::Equal(number) => format!("={number}="),
            };
            fold_rows(&rows, &marks, context).iter().map(row).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(&[], 0), "0 =23= 24");
        assert_eq!(shown(&[41], 0), "0 =9= 10 =13= 24");
        assert_eq!(shown(&[41], 1), "0 1 =7= 9 10 11 =11= 23 24");
        assert!(!shown(&[41], 1000).contains('='));
        let outside = fold_rows(&rows, &PassageMarks::new(std::iter::once(600..700)), 3);
        assert_eq!(outside, [ShownRow::Row(0), ShownRow::LeftOut(23), ShownRow::Row(24)]);
        let short = fold_rows(&rows[..4], &PassageMarks::new(std::iter::once(600..700)), 3);
        assert_eq!(short, [0, 1, 2, 3].map(ShownRow::Row));
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
