//! `wrap`: cuts a line of a text into rows that fit a width.
//!
//! Widths are the columns of a terminal: none for combining marks, two for wide characters. Tabs become spaces up to
//! the next multiple of eight. Control characters are escaped. Disguises are enclosed in `⟦` and `⟧`, and their
//! characters without width are escaped. Without colour, words that differ are enclosed in the signs of
//! `git diff --word-diff`.

use std::ops::Range;

use dedup_scan::base::shown_lines;
use unicode_normalization::char::is_combining_mark;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::marks::PassageMarks;

const TAB: usize = 8;

/// A character as it is shown, with its combining marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    /// Byte offset of the character in the text.
    pub(super) offset: usize,
    pub(super) shown: String,
    pub(super) columns: usize,
    /// Whether a disguise was undone here.
    pub(super) is_disguised: bool,
    pub(super) is_space: bool,
}

/// A part of a line that fits the width, unless a single character is wider.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Row {
    pub(super) cells: Vec<Cell>,
    /// Byte range of the row in the text.
    pub(super) bytes: Range<usize>,
}

impl Row {
    pub(super) fn columns(&self) -> usize {
        self.cells.iter().map(|cell| cell.columns).sum()
    }

    /// The row as it is shown.
    pub(super) fn text(&self) -> String {
        self.cells.iter().map(|cell| cell.shown.as_str()).collect()
    }
}

/// Wraps a line into rows, at white space if possible. An empty line is one row. White space is hidden where it would
/// begin a row because the row before is full.
///
/// * `start`: the offset of the line in the text.
/// * `disguised`: the parts of the text in which disguises were undone, ascending.
/// * `changes`: signs around words that differ from the other text; `None` where a colour shows them.
pub(super) fn wrap(
    line: &str,
    start: usize,
    columns: usize,
    disguised: &[Range<usize>],
    changes: Option<(&PassageMarks, [&str; 2])>,
) -> Vec<Row> {
    let mut cells = cells(line, start, disguised);
    for disguise in cells.chunk_by_mut(|a, b| a.is_disguised == b.is_disguised) {
        if disguise[0].is_disguised {
            enclose(disguise, ["⟦", "⟧"]);
        }
    }
    if let Some((marks, signs)) = changes {
        let is_changed = |cell: &Cell| marks.is_changed(cell.offset) && marks.of_byte(cell.offset).is_some();
        for run in cells.chunk_by_mut(|a, b| is_changed(a) == is_changed(b)).filter(|run| is_changed(&run[0])) {
            let first = run.iter().position(|cell| !cell.is_space);
            let last = run.iter().rposition(|cell| !cell.is_space);
            if let (Some(first), Some(last)) = (first, last) {
                enclose(&mut run[first..=last], signs);
            }
        }
    }
    let ends = cells.iter().skip(1).map(|cell| cell.offset).chain([start + line.len()]).collect::<Vec<_>>();
    let row = |range: Range<usize>| Row {
        bytes: match range.is_empty() {
            true => start..start,
            false => cells[range.start].offset..ends[range.end - 1],
        },
        cells: cells[range].to_vec(),
    };
    let mut rows = Vec::new();
    let (mut first, mut used, mut behind_space, mut at) = (0, 0, None, 0);
    while let Some(cell) = cells.get(at) {
        if used + cell.columns > columns && at > first {
            if cell.is_space {
                rows.push(row(first..at));
                (first, used, behind_space, at) = (at + 1, 0, None, at + 1);
            } else {
                let end = behind_space.unwrap_or(at);
                rows.push(row(first..end));
                used = cells[end..at].iter().map(|cell| cell.columns).sum();
                (first, behind_space) = (end, None);
            }
            continue;
        }
        used += cell.columns;
        at += 1;
        if cell.is_space {
            behind_space = Some(at);
        }
    }
    if first < cells.len() || rows.is_empty() {
        rows.push(row(first..cells.len()));
    }
    rows
}

fn cells(line: &str, start: usize, disguised: &[Range<usize>]) -> Vec<Cell> {
    let mut column = 0;
    let mut cells = Vec::new();
    // Index of the first part that ends after the current character begins.
    let mut next_part = 0;
    for (at, character) in line.grapheme_indices(true) {
        let offset = start + at;
        next_part += disguised[next_part..].iter().take_while(|part| part.end <= offset).count();
        let is_disguised = disguised.get(next_part).is_some_and(|part| part.start < offset + character.len());
        let shown = match character {
            "\t" => " ".repeat(TAB - column % TAB),
            // The text of an office document has these at the ends of its lines, paragraphs and slides.
            "\u{2028}" => " ".to_owned(),
            "\u{2029}" | "\u{C}" => String::new(),
            character if is_disguised => shown_invisible(character),
            character => shown_lines(character),
        };
        let columns = shown.width();
        column += columns;
        let is_space = character.chars().all(char::is_whitespace) && !shown.starts_with('\\');
        cells.push(Cell { offset, shown, columns, is_disguised, is_space });
    }
    cells
}

/// A character as it is shown; code points without width that are not combining marks are escaped.
fn shown_invisible(character: &str) -> String {
    let one = |c: char| match c.width() {
        Some(0) if !is_combining_mark(c) => c.escape_unicode().to_string(),
        _ => shown_lines(c.encode_utf8(&mut [0; 4])),
    };
    character.chars().map(one).collect()
}

/// Encloses characters in two signs; `cells` is not empty.
fn enclose(cells: &mut [Cell], [before, after]: [&str; 2]) {
    if let Some(first) = cells.first_mut() {
        first.shown.insert_str(0, before);
        first.columns += before.width();
    }
    if let Some(last) = cells.last_mut() {
        last.shown.push_str(after);
        last.columns += after.width();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(line: &str, columns: usize) -> Vec<String> {
        wrap(line, 0, columns, &[], None).iter().map(Row::text).collect()
    }

    #[test]
    fn lines_are_cut_at_white_space_and_long_words_anywhere() {
        assert_eq!(rows("the quick brown fox", 10), ["the quick ", "brown fox"]);
        assert_eq!(rows("the quick brown", 9), ["the quick", "brown"]);
        assert_eq!(rows("abcdefgh ij", 3), ["abc", "def", "gh ", "ij"]);
        assert_eq!(rows("", 3), [""]);
        assert_eq!(rows("abc ", 3), ["abc"]);
    }

    #[test]
    fn characters_take_the_columns_of_a_terminal() {
        assert_eq!(rows("漢字かな", 5), ["漢字", "かな"]);
        // A letter and its accent stay together, as do the parts of an emoji.
        assert_eq!(rows("e\u{301}e\u{301}e\u{301}", 2), ["e\u{301}e\u{301}", "e\u{301}"]);
        assert_eq!(rows("👩\u{200D}👧x", 2), ["👩\u{200D}👧", "x"]);
        assert_eq!(rows("漢", 1), ["漢"], "what fits no row has one of its own");
    }

    #[test]
    fn disguises_stand_between_signs_and_invisible_ones_are_escaped() {
        let line = "cо\u{200B}py e\u{AD}x e\u{301}";
        // The Cyrillic letter with the space after it, the soft hyphen, and a letter with its accent.
        let parts = [11..16, 20..22, 24..27];
        let rows = wrap(line, 10, 80, &parts, None);
        assert_eq!(rows[0].text(), r"c⟦о\u{200b}⟧py e⟦\u{ad}⟧x ⟦e\u{301}⟧".replace(r"e\u{301}", "e\u{301}"));
        assert_eq!(rows[0].columns(), rows[0].text().width());
        assert_eq!(wrap(line, 10, 80, &[0..10, 40..50], None)[0].text(), line, "other parts of the text");
    }

    #[test]
    fn changed_words_stand_between_signs_that_count_as_columns() {
        let line = "the quick  brown fox";
        let marks = |changed: Range<usize>| {
            PassageMarks::new(std::iter::once(100..120)).with_changes(vec![changed], Vec::new())
        };
        let shown = |changed: Range<usize>, columns: usize| -> Vec<String> {
            let marks = marks(changed);
            let rows = wrap(line, 100, columns, &[], Some((&marks, ["[-", "-]"])));
            assert!(rows.iter().all(|row| row.columns() == row.text().width() && row.columns() <= columns));
            rows.iter().map(Row::text).collect()
        };
        assert_eq!(shown(104..109, 80), ["the [-quick-]  brown fox"]);
        assert_eq!(shown(104..116, 80), ["the [-quick  brown-] fox"]);
        assert_eq!(shown(103..111, 80), ["the [-quick-]  brown fox"], "white space at the ends is outside");
        assert_eq!(shown(104..109, 10), ["the ", "[-quick-] ", "brown fox"]);
        assert_eq!(shown(109..111, 80), [line], "white space only");
        let marks =
            PassageMarks::new(std::iter::once(0..50)).with_changes(std::iter::once(104..109).collect(), Vec::new());
        assert_eq!(wrap(line, 100, 80, &[], Some((&marks, ["{+", "+}"])))[0].text(), line, "outside of passages");
    }

    #[test]
    fn tabs_are_expanded_and_controls_are_escaped() {
        assert_eq!(rows("a\tb\t\tc", 80), [format!("a{}b{}c", " ".repeat(7), " ".repeat(15))]);
        assert_eq!(rows("\u{C}a\u{2028}b\u{2029}", 80), ["a b"]);
        assert_eq!(rows("a\u{1B}[31m\u{202E}b", 80), [r"a\u{1b}[31m\u{202e}b"]);
    }

    proptest! {
        #[test]
        fn rows_fit_and_lose_nothing_but_white_space(line in r"[a-c 漢é\t]{0,60}", columns in 1usize..12) {
            let rows = wrap(&line, 100, columns, &[], None);
            let wide = |row: &Row| row.columns() <= columns || row.cells.len() == 1;
            prop_assert!(rows.iter().all(wide), "{:?}", rows);
            let shown: Vec<usize> = rows.iter().flat_map(|row| row.cells.iter().map(|cell| cell.offset)).collect();
            prop_assert!(shown.is_sorted());
            let hidden = line.grapheme_indices(true).filter(|(at, _)| !shown.contains(&(100 + at)));
            prop_assert!(hidden.into_iter().all(|(_, character)| character.trim().is_empty()));
            for row in rows.iter().filter(|row| !row.cells.is_empty()) {
                prop_assert_eq!(row.bytes.start, row.cells[0].offset);
                prop_assert!(row.bytes.end > row.cells.last().unwrap().offset && row.bytes.end <= 100 + line.len());
            }
        }
    }
}
