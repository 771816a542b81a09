//! The S-curve in the terminal: braille dots on labelled axes, one character cell being 2 × 4 dots.

/// Columns of character cells from one label of the horizontal axis to the next; both axes begin and end with a label.
const COLUMNS_PER_LABEL: usize = 12;
const ROWS_PER_LABEL: usize = 3;
/// Labels of an axis after the 0: 20 %, 40 % … 100 %.
const LABELS: usize = 5;
const COLUMNS: usize = LABELS * COLUMNS_PER_LABEL + 1;
const ROWS: usize = LABELS * ROWS_PER_LABEL + 1;
/// Number of dots from 0 to 1 across. A label is next to a cell, so 0 and 1 are dots in the first and the last cell.
const DOTS_ACROSS: usize = 2 * (COLUMNS - 1);
const DOTS_UP: usize = 4 * (ROWS - 1);
/// Row of dots, from the top of a cell, that the label of the cell marks.
const LABELLED_DOT: usize = 2;
/// Number of character cells to the left of the first column of the plot.
const MARGIN: usize = 9;

/// Draws `recall`, a function that rises within 0..=1, over the similarities 0..=1, with a mark at `threshold`.
///
/// The lines have no trailing spaces and no colour, and each ends with a line feed.
pub(super) fn plot(recall: impl Fn(f64) -> f64, threshold: f64) -> String {
    let mut cells = [[' '; COLUMNS]; ROWS];
    let marked = column(threshold);
    for row in &mut cells {
        row[marked] = '┊';
    }
    draw_curve(&mut cells, &recall);
    cells[dot_row(recall(threshold)) / 4][marked] = '●';

    let label = format!("threshold {threshold}");
    let start = marked.saturating_sub(label.len() / 2).min(COLUMNS - label.len());
    let heading = format!("{:indent$}{label}", "", indent = MARGIN - 7 + start);
    with_axes(&cells, &heading)
}

/// Adds labels and axes around the cells.
fn with_axes(cells: &[[char; COLUMNS]; ROWS], heading: &str) -> String {
    let mut text = format!("{:>7}{heading}\n", "found");
    for (row, cells) in cells.iter().enumerate() {
        let cells = String::from_iter(cells);
        let line = if row % ROWS_PER_LABEL == 0 {
            format!("{:5} % ┤{cells}", 100 * (ROWS - 1 - row) / (ROWS - 1))
        } else {
            format!("{:8}│{cells}", "")
        };
        text += line.trim_end();
        text.push('\n');
    }
    let line = (0..COLUMNS).map(|column| if column % COLUMNS_PER_LABEL == 0 { '┬' } else { '─' });
    text += &format!("{:8}└{}\n", "", String::from_iter(line));
    text += &" ".repeat(MARGIN - 1);
    for label in 0..LABELS {
        text += &format!("{:<COLUMNS_PER_LABEL$}", format!("{:.1}", label as f64 / LABELS as f64));
    }
    text += "1.0\n";
    text += format!("{:MARGIN$}{:^COLUMNS$}", "", "similarity").trim_end();
    text.push('\n');
    text
}

/// Sets all dots that the curve passes in each column, so that a steep curve has no gaps.
///
/// * `height`: a monotonic function.
fn draw_curve(cells: &mut [[char; COLUMNS]; ROWS], height: impl Fn(f64) -> f64) {
    let falls = height(1.0) < height(0.0);
    // A falling curve is drawn upside down, from the lowest row of dots.
    let turned = |row: usize| if falls { 4 * ROWS - 1 - row } else { row };
    let mut below = turned(dot_row(height(0.0)));
    for dot_column in 0..=DOTS_ACROSS {
        let right = (dot_column as f64 + 0.5) / DOTS_ACROSS as f64;
        let above = turned(dot_row(height(right.min(1.0))));
        for dot_row in (above..=below.max(above)).map(turned) {
            let cell = &mut cells[dot_row / 4][dot_column / 2];
            *cell = braille(*cell, dot_column % 2, dot_row % 4);
        }
        // The next rise starts above the last dot of this one; otherwise the line would be two dots wide.
        below = if above < below { above - 1 } else { above };
    }
}

/// The column of cells for a similarity.
fn column(similarity: f64) -> usize {
    (similarity * DOTS_ACROSS as f64).round() as usize / 2
}

/// The row of dots, counted from the top, for a probability.
fn dot_row(chance: f64) -> usize {
    LABELLED_DOT + DOTS_UP - (chance * DOTS_UP as f64).round() as usize
}

/// Adds a dot to a cell; a character that is not a braille pattern is replaced.
fn braille(cell: char, column: usize, row: usize) -> char {
    /// Bits by column and row: Unicode numbers dots 1 to 6 by columns, and added the fourth row later.
    const DOTS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
    const BLANK: u32 = 0x2800;
    let dots = if ('\u{2800}'..='\u{28ff}').contains(&cell) { u32::from(cell) } else { BLANK };
    char::from_u32(dots | DOTS[column][row]).expect("all 256 patterns are characters")
}

#[cfg(test)]
mod tests {
    use dedup_scan::Banding;

    use super::*;

    fn recall(bands: usize, rows: usize) -> impl Fn(f64) -> f64 {
        let banding = Banding::new(bands, rows).unwrap();
        move |similarity| banding.recall(similarity)
    }

    /// The cells of a plot, without labels and axes.
    fn cells(plot: &str) -> Vec<Vec<char>> {
        plot.lines().skip(1).take(ROWS).map(|line| line.chars().skip(MARGIN).collect()).collect()
    }

    #[test]
    fn every_dot_lies_on_the_curve_and_every_column_has_one() {
        for (bands, rows) in [(20, 5), (1, 1), (4096, 1), (1, 4096), (64, 64)] {
            let recall = recall(bands, rows);
            let mut cells = [[' '; COLUMNS]; ROWS];
            draw_curve(&mut cells, &recall);
            for dot_column in 0..=DOTS_ACROSS {
                let dots: Vec<usize> = (0..4 * ROWS)
                    .filter(|dot_row| {
                        let cell = cells[dot_row / 4][dot_column / 2];
                        cell != ' ' && braille(cell, dot_column % 2, dot_row % 4) == cell
                    })
                    .collect();
                let at = |dot: f64| dot_row(recall((dot / DOTS_ACROSS as f64).clamp(0.0, 1.0)));
                let (highest, lowest) = (at(dot_column as f64 + 0.5), at(dot_column as f64 - 0.5));
                assert!(!dots.is_empty(), "{bands} x {rows}: no dot in column {dot_column}");
                assert!(dots.iter().all(|dot| (highest..=lowest).contains(dot)), "{bands} x {rows}: {dot_column}");
            }
        }
    }

    #[test]
    fn a_falling_curve_is_between_its_values_and_has_no_gaps() {
        for (bands, rows) in [(20, 5), (1, 1), (4096, 1), (1, 4096)] {
            let rising = recall(bands, rows);
            let chance = |place: f64| rising(1.0 - place);
            let mut cells = [[' '; COLUMNS]; ROWS];
            draw_curve(&mut cells, chance);
            for dot_column in 0..=DOTS_ACROSS {
                let has_dot = |dot_row: usize| {
                    let cell = cells[dot_row / 4][dot_column / 2];
                    cell != ' ' && braille(cell, dot_column % 2, dot_row % 4) == cell
                };
                let dots: Vec<usize> = (0..4 * ROWS).filter(|&dot_row| has_dot(dot_row)).collect();
                let at = |dot: f64| dot_row(chance((dot / DOTS_ACROSS as f64).clamp(0.0, 1.0)));
                let (highest, lowest) = (at(dot_column as f64 - 0.5), at(dot_column as f64 + 0.5));
                assert!(!dots.is_empty(), "{bands} x {rows}: no dot in column {dot_column}");
                assert!(dots.iter().all(|dot| (highest..=lowest).contains(dot)), "{bands} x {rows}: {dot_column}");
            }
            assert!(cells.iter().all(|cells| cells.iter().any(|&cell| cell != ' ')), "{bands} x {rows}: a gap");
        }
    }

    #[test]
    fn the_curve_has_no_gaps() {
        for (bands, rows) in [(20, 5), (4096, 1), (1, 4096), (512, 8)] {
            let mut cells = [[' '; COLUMNS]; ROWS];
            draw_curve(&mut cells, recall(bands, rows));
            for (row, cells) in cells.iter().enumerate() {
                assert!(cells.iter().any(|&cell| cell != ' '), "{bands} x {rows}: row {row} is empty");
            }
        }
    }

    #[test]
    fn the_threshold_is_a_line_with_a_point_on_the_curve() {
        for (threshold, marked) in [(0.0, 0), (0.2, 12), (0.5, 30), (0.8, 48), (1.0, 60)] {
            let recall = recall(20, 5);
            let plot = plot(&recall, threshold);
            let point = (1.0 - recall(threshold)) * (ROWS - 1) as f64;
            for (row, cells) in cells(&plot).iter().enumerate() {
                let cell = cells[marked];
                if (row as f64 - point).abs() <= 0.5 {
                    assert_eq!(cell, '●', "{threshold}:\n{plot}");
                } else {
                    assert!(cell == '┊' || ('\u{2800}'..='\u{28ff}').contains(&cell), "{threshold}:\n{plot}");
                }
            }
            assert!(plot.lines().next().unwrap().ends_with(&format!("threshold {threshold}")));
        }
    }

    #[test]
    fn no_line_is_wider_than_80_columns_or_ends_with_a_space() {
        for threshold in [0.0, 0.000_000_000_123, 0.123_456_789_012_345, 1.0] {
            for line in plot(recall(20, 5), threshold).lines() {
                assert!(line.chars().count() < 80 && line == line.trim_end(), "{line:?}");
            }
        }
    }
}
