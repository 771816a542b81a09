//! `PageLines`: puts the characters of a page together to lines.
//!
//! The characters come with their places, in the order in which the page paints them. This is the reading order in nearly
//! all files, also of pages with columns.

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};
use unicode_normalization::UnicodeNormalization;

/// Minimum gap between words, as a share of the size of the font.
const WORD_GAP: f64 = 0.1;
/// Maximum width of a character, as a multiple of the size of its font. Fonts may have any number there.
const MOST_WIDTH: f64 = 5.0;

/// Collects the lines of a page.
#[derive(Debug)]
pub(super) struct PageLines {
    lines: Vec<String>,
    line: String,
    last: Option<PaintedChar>,
    /// Whether the next character begins a string. Gaps within a string are not spaces.
    begins_string: bool,
    num_bytes: usize,
    /// The number of characters, and the number of those whose letters the fonts do not declare.
    num_chars: usize,
    num_unknown: usize,
    /// Maximum bytes of the lines.
    limit: usize,
}

/// The place of a character, in a system whose first axis is the direction of the line.
#[derive(Debug, Clone, Copy)]
struct PaintedChar {
    direction: (f64, f64),
    end: f64,
    base: f64,
    size: f64,
}

impl PageLines {
    /// * `limit`: maximum bytes of the lines; a character beyond it is an error of the library.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            lines: Vec::new(),
            line: String::new(),
            last: None,
            begins_string: false,
            num_bytes: 0,
            num_chars: 0,
            num_unknown: 0,
            limit,
        }
    }

    /// The lines of the page, and whether they had more bytes than the limit.
    pub(super) fn finish(mut self) -> (Vec<String>, bool) {
        let is_too_large = self.is_too_large();
        self.end_line();
        (self.lines, is_too_large)
    }

    /// Whether the fonts declare the letters of at least half of the characters.
    ///
    /// * `has_text`: whether the page paints characters. A font may not even declare where one ends.
    pub(super) fn has_letters(&self, has_text: bool) -> bool {
        match self.num_chars {
            0 => !has_text,
            number => self.num_unknown * 2 <= number,
        }
    }

    fn is_too_large(&self) -> bool {
        self.num_bytes + self.line.len() > self.limit
    }

    /// Ends the line. A word that was divided at the end of the line before is put together there.
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let line = line.trim();
        if line.is_empty() {
            return;
        }
        self.num_bytes += line.len() + 1;
        let line = if is_right_to_left(line) { logical(line) } else { line.to_owned() };
        match self.lines.last_mut() {
            Some(last) if is_divided(last, &line) => {
                last.pop();
                let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
                last.push_str(word);
                if !rest.is_empty() {
                    self.lines.push(rest.to_owned());
                }
            }
            _ => self.lines.push(line),
        }
    }

    /// Appends characters. Ligatures and forms of Arabic letters become plain letters.
    fn push(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '\u{FB00}'..='\u{FB17}' => self.line.extend(std::iter::once(c).nfkc()),
                '\u{FB1D}'..='\u{FDFB}' | '\u{FE70}'..='\u{FEFC}' => {
                    let letters: Vec<char> = std::iter::once(c).nfkc().collect();
                    // They are painted from left to right.
                    self.line.extend(letters.iter().rev());
                }
                c if c.is_control() => self.line.push(' '),
                c => self.line.push(c),
            }
        }
    }
}

/// Whether a word continues on the next line.
fn is_divided(line: &str, next: &str) -> bool {
    let mut end = line.chars().rev();
    let is_hyphen = matches!(end.next(), Some('-' | '\u{AD}' | '\u{2010}'));
    is_hyphen && end.next().is_some_and(char::is_alphabetic) && next.starts_with(char::is_lowercase)
}

/// Whether a letter belongs to a script that is written from right to left.
fn is_rightward(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFF}')
}

/// Whether more than half of the letters of a line are written from right to left.
fn is_right_to_left(line: &str) -> bool {
    let letters = || line.chars().filter(|c| c.is_alphabetic());
    let num_rightward = letters().filter(|&c| is_rightward(c)).count();
    num_rightward > 0 && num_rightward * 2 > letters().count()
}

/// The characters in the order in which they are read, of a line that is painted from left to right and read from right
/// to left. Numbers and Latin words in it are read from left to right.
fn logical(line: &str) -> String {
    let mut made: Vec<char> = line.chars().rev().collect();
    let is_leftward = |c: char| c.is_alphanumeric() && !is_rightward(c);
    let mut at = 0;
    while at < made.len() {
        if !is_leftward(made[at]) {
            made[at] = mirrored(made[at]);
            at += 1;
            continue;
        }
        let (mut end, mut next) = (at + 1, at + 1);
        while next < made.len() && (is_leftward(made[next]) || matches!(made[next], '.' | ',' | '/' | ':' | '-' | '%'))
        {
            next += 1;
            if is_leftward(made[next - 1]) {
                end = next;
            }
        }
        made[at..end].reverse();
        at = end;
    }
    made.into_iter().collect()
}

/// The bracket that faces the other way.
fn mirrored(c: char) -> char {
    match c {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        c => c,
    }
}

impl OutputDev for PageLines {
    fn begin_page(&mut self, _: u32, _: &MediaBox, _: Option<(f64, f64, f64, f64)>) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn output_character(
        &mut self,
        place: &Transform,
        width: f64,
        spacing: f64,
        font_size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        self.num_chars += 1;
        self.num_unknown += usize::from(text.chars().all(|c| matches!(c, '\0' | '\u{FFFD}')));
        let (scale_x, scale_y) = (place.m11.hypot(place.m12), place.m21.hypot(place.m22));
        let (size_x, size) = (scale_x * font_size.abs(), scale_y * font_size.abs());
        if !(size_x > 0.0 && size > 0.0) {
            return Ok(());
        }
        let sign = font_size.signum();
        let direction = (sign * place.m11 / scale_x, sign * place.m12 / scale_x);
        let start = place.m31 * direction.0 + place.m32 * direction.1;
        let base = place.m32 * direction.0 - place.m31 * direction.1;
        let width = if width.is_finite() { width.clamp(0.0, MOST_WIDTH) } else { 0.0 };
        let is_blank = text.trim().is_empty();
        if let Some(last) = self.last {
            let is_turned = last.direction.0 * direction.0 + last.direction.1 * direction.1 < 0.99;
            let (tall, rise, gap) = (last.size.max(size), (base - last.base).abs(), start - last.end);
            let goes_back = gap < -1.5 * tall || (rise > 0.3 * tall && gap < -0.5 * tall);
            if is_turned || rise > 0.5 * tall || goes_back {
                self.end_line();
                self.last = None;
            } else if self.begins_string && gap > WORD_GAP * size_x && !is_blank && !self.line.ends_with(' ') {
                self.line.push(' ');
            }
        }
        if !is_blank {
            self.push(text);
        } else if !self.line.is_empty() && !self.line.ends_with(' ') {
            self.line.push(' ');
        }
        // The spacing follows the last character of a string too.
        let most_spacing = MOST_WIDTH * size_x;
        let spacing =
            if spacing.is_finite() { (sign * spacing * scale_x).clamp(-most_spacing, most_spacing) } else { 0.0 };
        let end = start + width * size_x + spacing;
        self.last = Some(match self.last {
            // A raised or lowered small character does not move the line.
            Some(last) if size < 0.8 * last.size => PaintedChar { end, ..last },
            _ => PaintedChar { direction, end, base, size },
        });
        self.begins_string = false;
        if self.is_too_large() { Err(OutputError::FormatError(std::fmt::Error)) } else { Ok(()) }
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.begins_string = true;
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divided_words_are_put_together() {
        let mut page = PageLines::new(1000);
        for line in ["a compar-", "ison of high-", "Performance", "and well-", "known"] {
            page.line.push_str(line);
            page.end_line();
        }
        assert_eq!(page.finish().0, ["a comparison", "of high-", "Performance", "and wellknown"]);
    }

    #[test]
    fn lines_from_right_to_left_are_read_so() {
        assert_eq!(logical("(םולש) 2024 abc"), "abc 2024 (שלום)");
        assert!(is_right_to_left("םולש abc") && !is_right_to_left("abc 12"));
        let mut page = PageLines::new(1000);
        page.push("\u{FB01}x\u{FEFB}");
        assert_eq!(page.line, "fix\u{627}\u{644}");
    }
}
