//! `View`: prints both texts side by side, with the first lines of each passage next to each other.

use std::fmt::Write as _;

use dedup_scan::results::{ExplainedDocument, ExplainedPassage, Explanation};
use unicode_width::UnicodeWidthStr;

use super::changes::changed_words;
use super::folding::{ShownItem, ShownRow, fold, fold_rows};
use super::line_ends::to_line_ends;
use super::marks::PassageMarks;
use super::rows::{Cell, Row, wrap};
use crate::cli::messages::counted;

/// Text between the two sides.
const SEPARATOR: &str = " │ ";
/// Minimum number of columns of a text; a narrower view exceeds its width.
const LEAST_COLUMNS: usize = 8;
/// Colours of passages in rotation: green, yellow, blue, magenta, cyan, red.
const COLOURS: [u8; 6] = [32, 33, 34, 35, 36, 31];
const DIM: &str = "\x1b[2m";
/// Colour of parts that were not compared.
const GREY: &str = "\x1b[90m";
const RESET: &str = "\x1b[0m";
/// The signs around changed words of each text without colour, as in `git diff --word-diff`.
const CHANGES: [[&str; 2]; 2] = [["[-", "-]"], ["{+", "+}"]];

/// Width, context and colour of the view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) columns: usize,
    /// Number of lines around a passage.
    pub(crate) context: usize,
    pub(crate) is_coloured: bool,
}

/// A row of one text, with colours and its width in columns.
#[derive(Debug, Clone, Default)]
struct PrintedRow {
    text: String,
    columns: usize,
}

/// One text: its shown items, and the rows of each item.
struct TextSide {
    items: Vec<ShownItem>,
    rows: Vec<Vec<PrintedRow>>,
}

impl View {
    /// Both texts side by side, in rows.
    pub(crate) fn text(&self, explanation: &Explanation) -> String {
        let passages = explanation.passages.as_ref().map_or(&[][..], |found| &found.passages);
        let columns = self.columns.saturating_sub(SEPARATOR.width()) / 2;
        let removed = |side: usize| explanation.passages.as_ref().map_or(&[][..], |found| &found.removed[side]);
        let words = explanation.passages.as_ref().map_or("", |found| found.removed_words);
        let [marks_a, marks_b] = marks(explanation, passages);
        let a = self.side(&explanation.a, marks_a.with_removed(removed(0), words), columns, CHANGES[0]);
        let b = self.side(&explanation.b, marks_b.with_removed(removed(1), words), columns, CHANGES[1]);
        let mut shown = String::new();
        let (mut from_a, mut from_b) = (0, 0);
        let ends = [(a.items.len(), b.items.len())];
        for (to_a, to_b) in side_by_side(passages, &a, &b).into_iter().chain(ends) {
            let (rows_a, rows_b) = (a.block(from_a, to_a), b.block(from_b, to_b));
            let len = rows_a.len().max(rows_b.len());
            for (a, b) in filled(rows_a, a.gap(from_a, to_a), len).iter().zip(&filled(rows_b, b.gap(from_b, to_b), len))
            {
                let padding = " ".repeat(columns.saturating_sub(a.columns));
                let row = format!("{}{padding}{SEPARATOR}{}", a.text, b.text);
                shown.push_str(row.trim_end());
                shown.push('\n');
            }
            (from_a, from_b) = (to_a, to_b);
        }
        shown
    }

    /// * `signs`: the signs around changed words without colour.
    fn side(&self, document: &ExplainedDocument, marks: PassageMarks, columns: usize, signs: [&str; 2]) -> TextSide {
        let text = document.text();
        let signs = (!self.is_coloured).then_some((&marks, signs));
        // Both sides have the same width, so that equal lines have the same number of rows.
        let num_rows = |line: &str| line.width().div_ceil(columns.max(LEAST_COLUMNS));
        let items = fold(text, &marks, self.context, num_rows, |offset| document.line_of(offset) == 0);
        let line_number = |item: &ShownItem| match item {
            ShownItem::Line(bytes) => Some(document.line_of(bytes.start)),
            ShownItem::LeftOut(_) | ShownItem::Equal(_) => None,
        };
        let number_columns = items.iter().filter_map(line_number).max().unwrap_or(0).to_string().len();
        let mark_columns = marks.columns();
        let margin = number_columns + 1 + if mark_columns > 0 { mark_columns + 1 } else { 0 };
        let text_columns = columns.saturating_sub(margin).max(LEAST_COLUMNS);
        let rows = |item: &ShownItem| match item {
            ShownItem::LeftOut(number) => vec![self.note(*number, "line", "hidden")],
            ShownItem::Equal(number) => vec![self.note(*number, "equal line", "")],
            ShownItem::Line(bytes) => {
                let number = document.line_of(bytes.start);
                let number = if number == 0 { String::new() } else { number.to_string() };
                let rows = wrap(&text[bytes.clone()], bytes.start, text_columns, document.disguised_parts(), signs);
                let print = |row: &Row, number: &str| {
                    let mut printed = self.styled(Some(DIM), &format!("{number:>number_columns$} "));
                    if mark_columns > 0 {
                        // Punctuation at the end of a removed part may lie outside it, so only letters and digits
                        // count in a row with words.
                        let has_letter = |cell: &Cell| cell.shown.chars().any(char::is_alphanumeric);
                        let has_words = row.cells.iter().any(has_letter);
                        let is_seen = |cell: &&Cell| !cell.is_space && (!has_words || has_letter(cell));
                        let letters = row.cells.iter().filter(is_seen).map(|cell| cell.offset);
                        let (colour, mark) = match marks.removed_words(letters) {
                            Some(words) => (Some(GREY.to_owned()), words.to_owned()),
                            None => {
                                let touched = marks.in_range(&row.bytes);
                                (touched.first().map(|&number| bold_of(number)), label(&touched))
                            }
                        };
                        printed += &self.styled(colour.as_deref(), &format!("{mark:<mark_columns$} "));
                    }
                    self.print_cells(row, &marks, &mut printed);
                    PrintedRow { text: printed, columns: margin + row.columns() }
                };
                let print_or_note = |shown: ShownRow| match shown {
                    ShownRow::Row(at) => print(&rows[at], if at == 0 { &number } else { "" }),
                    ShownRow::LeftOut(hidden) => self.note(hidden, "row", "hidden"),
                    ShownRow::Equal(hidden) => self.note(hidden, "equal row", ""),
                };
                fold_rows(&rows, &marks, self.context).into_iter().map(print_or_note).collect()
            }
        };
        let rows = items.iter().map(rows).collect();
        TextSide { items, rows }
    }

    /// A note about hidden lines or rows.
    fn note(&self, number: usize, what: &str, end: &str) -> PrintedRow {
        let note = format!("⋮ {} {end}", counted(number as u64, what));
        let note = note.trim_end();
        PrintedRow { columns: note.width(), text: self.styled(Some(DIM), note) }
    }

    /// Appends the characters of a row: passages in their colours, changed words bold and underlined, disguises in
    /// reverse. Without colour, the signs around changed words are among the characters.
    fn print_cells(&self, row: &Row, marks: &PassageMarks, printed: &mut String) {
        let is_removed = |cell: &Cell| marks.is_removed(cell.offset);
        let is_changed = |cell: &Cell| marks.is_changed(cell.offset);
        let style = |cell: &Cell| (marks.of_byte(cell.offset), cell.is_disguised, is_changed(cell), is_removed(cell));
        for run in row.cells.chunk_by(|a, b| style(a) == style(b)) {
            let text: String = run.iter().map(|cell| cell.shown.as_str()).collect();
            let (passage, is_disguised, is_changed, is_removed) = style(&run[0]);
            let style = match (passage, is_disguised, is_changed) {
                _ if is_removed && !is_disguised => Some(GREY.to_owned()),
                (Some(number), true, _) => Some(format!("\x1b[7;{}m", colour_of(number))),
                (Some(number), false, true) => Some(format!("\x1b[1;4;{}m", colour_of(number))),
                (Some(number), false, false) => Some(format!("\x1b[{}m", colour_of(number))),
                (None, true, _) => Some("\x1b[7m".to_owned()),
                (None, false, true) => Some("\x1b[1;4m".to_owned()),
                (None, false, false) => None,
            };
            printed.push_str(&self.styled(style.as_deref(), &text));
        }
    }

    fn styled(&self, style: Option<&str>, text: &str) -> String {
        match style.filter(|_| self.is_coloured && !text.trim().is_empty()) {
            Some(style) => format!("{style}{text}{RESET}"),
            None => text.to_owned(),
        }
    }
}

impl TextSide {
    /// The rows of the items `from..to`.
    fn block(&self, from: usize, to: usize) -> Vec<PrintedRow> {
        self.rows[from..to].concat()
    }

    /// Number of rows of a block before the place for empty rows: after the last note, or else at the end of the
    /// block.
    fn gap(&self, from: usize, to: usize) -> usize {
        let note = self.items[from..to].iter().rposition(|item| !matches!(item, ShownItem::Line(_)));
        let rows = &self.rows[from..note.map_or(to, |note| from + note + 1)];
        rows.iter().map(Vec::len).sum()
    }

    /// Index of the item that shows a byte of the text.
    fn item_of(&self, offset: usize) -> Option<usize> {
        let begins_before = |item: &ShownItem| matches!(item, ShownItem::Line(bytes) if bytes.start <= offset);
        // A byte of a hidden line belongs to the last shown line that begins before it.
        self.items.iter().rposition(begins_before)
    }
}

/// The marks of both texts: their passages, and the words that differ within them, and just before and after them.
fn marks(explanation: &Explanation, passages: &[ExplainedPassage]) -> [PassageMarks; 2] {
    let texts = [explanation.a.text(), explanation.b.text()];
    let (mut changed, mut unknown) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    let marks_a = PassageMarks::new(passages.iter().map(|passage| passage.a.clone()));
    let marks_b = PassageMarks::new(passages.iter().map(|passage| passage.b.clone()));
    for ExplainedPassage { a, b, .. } in passages {
        let [a, b] = to_line_ends(texts, [a.clone(), b.clone()], [&marks_a, &marks_b]);
        let starts = [a.start, b.start];
        let found = changed_words([&texts[0][a], &texts[1][b]], starts);
        changed.iter_mut().zip(found.changed).for_each(|(changed, words)| changed.extend(words));
        unknown.iter_mut().zip(found.unknown.into_iter().flatten()).for_each(|(unknown, part)| unknown.push(part));
    }
    let [changed_a, changed_b] = changed;
    let [unknown_a, unknown_b] = unknown;
    [marks_a.with_changes(changed_a, unknown_a), marks_b.with_changes(changed_b, unknown_b)]
}

/// Pairs of items to show next to each other, ascending on both sides: the first lines of the longest sequence of
/// passages that has the same order in both texts.
fn side_by_side(passages: &[ExplainedPassage], a: &TextSide, b: &TextSide) -> Vec<(usize, usize)> {
    let starts: Vec<usize> = passages.iter().map(|passage| passage.b.start).collect();
    let mut chosen: Vec<(usize, usize)> = Vec::new();
    for passage in longest_ascending(&starts).into_iter().map(|at| &passages[at]) {
        let (Some(item_a), Some(item_b)) = (a.item_of(passage.a.start), b.item_of(passage.b.start)) else { continue };
        if chosen.last().is_none_or(|&(last_a, last_b)| last_a < item_a && last_b < item_b) {
            chosen.push((item_a, item_b));
        }
    }
    chosen
}

/// The indices of a longest ascending subsequence, ascending. O(n log n), by patience sorting (Fredman 1975).
fn longest_ascending(values: &[usize]) -> Vec<usize> {
    let mut tops: Vec<usize> = Vec::new();
    let mut before = vec![None; values.len()];
    for (at, value) in values.iter().enumerate() {
        let pile = tops.partition_point(|&top| values[top] < *value);
        before[at] = pile.checked_sub(1).map(|pile| tops[pile]);
        tops.truncate(tops.len().max(pile));
        match tops.get_mut(pile) {
            Some(top) => *top = at,
            None => tops.push(at),
        }
    }
    let mut longest: Vec<usize> = std::iter::successors(tops.last().copied(), |&at| before[at]).collect();
    longest.reverse();
    longest
}

/// A block extended to `len` rows by empty rows at `gap`.
fn filled(mut rows: Vec<PrintedRow>, gap: usize, len: usize) -> Vec<PrintedRow> {
    let missing = len - rows.len();
    rows.splice(gap..gap, std::iter::repeat_n(PrintedRow::default(), missing));
    rows
}

/// The mark of a row: the number of its passage, or the first and the last number of several.
fn label(numbers: &[usize]) -> String {
    let mut label = String::new();
    match numbers {
        [] => {}
        [number] => write!(label, "[{number}]").expect("a string takes everything"),
        [first, .., last] => {
            let is_all = last - first + 1 == numbers.len();
            let between = if is_all { "-" } else { "…" };
            write!(label, "[{first}{between}{last}]").expect("a string takes everything");
        }
    }
    label
}

fn colour_of(number: usize) -> u8 {
    COLOURS[(number - 1) % COLOURS.len()]
}

fn bold_of(number: usize) -> String {
    format!("\x1b[1;{}m", colour_of(number))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_mark_names_the_first_and_the_last() {
        assert_eq!([&[][..], &[3], &[3, 4], &[3, 5, 9]].map(label), ["", "[3]", "[3-4]", "[3…9]"]);
    }

    #[test]
    fn empty_rows_go_into_the_gap() {
        let row = |text: &str| PrintedRow { text: text.to_owned(), columns: 1 };
        let texts = |rows: Vec<PrintedRow>| rows.into_iter().map(|row| row.text).collect::<Vec<_>>().join(",");
        assert_eq!(texts(filled(vec![row("a"), row("b")], 1, 4)), "a,,,b");
        assert_eq!(texts(filled(vec![row("a")], 1, 1)), "a");
    }

    proptest! {
        #[test]
        fn no_ascending_subsequence_is_longer(values in prop::collection::vec(0usize..12, 0..9)) {
            let longest = longest_ascending(&values);
            prop_assert!(longest.is_sorted() && longest.windows(2).all(|pair| values[pair[0]] < values[pair[1]]));
            let is_ascending = |subset: u32| {
                let chosen: Vec<usize> = (0..values.len()).filter(|at| subset >> at & 1 == 1).map(|at| values[at]).collect();
                chosen.windows(2).all(|pair| pair[0] < pair[1])
            };
            let best = (0..1u32 << values.len()).filter(|&subset| is_ascending(subset)).map(u32::count_ones).max();
            prop_assert_eq!(longest.len() as u32, best.unwrap_or(0));
        }
    }
}
