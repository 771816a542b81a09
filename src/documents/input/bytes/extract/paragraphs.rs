//! `Paragraphs`: collects the text of a document, one line for each paragraph.

use super::fault::{ExtractFault, Extracted};
use crate::text::code::StatedSyntax;

/// The end of a paragraph: U+2029 ends it for normalisation, which joins single lines of some scripts, and the line end
/// makes line numbers count paragraphs.
const END: &str = "\u{2029}\n";
/// A line end within a paragraph. It does not count as a line.
const BREAK: char = '\u{2028}';
/// Separates parts, such as slides.
const FEED: u8 = b'\x0C';
/// Maximum depth of notes and text boxes inside one another.
const MOST_DEPTH: usize = 100;

/// Collects the paragraphs of a document.
#[derive(Debug)]
pub(super) struct Paragraphs {
    text: String,
    limit: usize,
    /// The open paragraph, and inside it the open paragraphs of notes and text boxes.
    open: Vec<OpenParagraph>,
    /// Number of parts that were begun, and of form feeds that were written.
    num_parts: usize,
    num_feeds: usize,
    is_too_large: bool,
    is_too_deep: bool,
    note: Option<String>,
    syntax: StatedSyntax,
}

/// The text of a document.
#[derive(Debug)]
pub(in crate::documents::input) struct ExtractedText {
    /// The text, valid UTF-8.
    pub(in crate::documents::input) text: Vec<u8>,
    /// A note about text that is missing.
    pub(in crate::documents::input) note: Option<String>,
    /// The language that the document states, if it is a program.
    pub(in crate::documents::input) syntax: StatedSyntax,
}

#[derive(Debug, Default)]
struct OpenParagraph {
    text: String,
    /// Finished paragraphs of notes and text boxes, which follow the paragraph that they are attached to.
    attached: String,
}

impl Paragraphs {
    /// * `limit`: maximum bytes of the text.
    pub(super) fn new(limit: u64) -> Self {
        Self {
            text: String::new(),
            limit: usize::try_from(limit).unwrap_or(usize::MAX),
            open: vec![OpenParagraph::default()],
            num_parts: 0,
            num_feeds: 0,
            is_too_large: false,
            is_too_deep: false,
            note: None,
            syntax: StatedSyntax::None,
        }
    }

    /// Appends text to the open paragraph. Line ends in it count as spaces.
    pub(super) fn push(&mut self, text: &str) {
        if !self.has_room(text.len()) {
            return;
        }
        let open = &mut self.innermost().text;
        if text.bytes().any(|byte| matches!(byte, b'\n' | b'\r' | FEED | 0)) {
            open.extend(text.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { shown_char(c) }));
        } else {
            open.push_str(text);
        }
    }

    /// Appends text in which a run of white space is a single space, as in OpenDocument.
    pub(super) fn push_collapsed(&mut self, text: &str) {
        let is_odd = |pair: &[u8]| matches!(pair, [b'\t' | b'\n' | b'\r', _] | [b' ', b' ' | b'\t' | b'\n' | b'\r']);
        let is_single = !text.starts_with(' ') && !text.ends_with(['\t', '\n', '\r']);
        if is_single && !text.as_bytes().windows(2).any(is_odd) {
            return self.push(text);
        }
        for (number, word) in text.split([' ', '\t', '\n', '\r']).enumerate() {
            let open = &self.innermost().text;
            if number > 0 && !open.is_empty() && !open.ends_with(' ') {
                self.push(" ");
            }
            self.push(word);
        }
    }

    /// Appends a line end that does not end the paragraph.
    pub(super) fn push_break(&mut self) {
        if self.has_room(BREAK.len_utf8()) {
            self.innermost().text.push(BREAK);
        }
    }

    /// Drops the text of the open paragraph if it is the mark or number of an item of a list; returns whether it was.
    pub(super) fn drop_list_mark(&mut self) -> bool {
        let text = &mut self.innermost().text;
        let is_mark = is_list_mark(text.trim());
        if is_mark {
            text.clear();
        }
        is_mark
    }

    /// Ends the open paragraph. A paragraph without text does not become a line.
    pub(super) fn end(&mut self) {
        let OpenParagraph { text, attached } = std::mem::take(self.innermost());
        let line = text.trim_end();
        let is_line = !line.trim_start().is_empty();
        if (is_line || !attached.is_empty()) && self.has_room(line.len() + END.len() + attached.len()) {
            self.feed();
            let into = match self.open.len() {
                0 | 1 => &mut self.text,
                depth => &mut self.open[depth - 2].attached,
            };
            if is_line {
                into.push_str(line);
                into.push_str(END);
            }
            into.push_str(&attached);
        }
    }

    /// Adds lines as they are, such as a program.
    pub(super) fn lines(&mut self, text: &str) {
        if text.trim().is_empty() || !self.has_room(text.len() + 1) {
            return;
        }
        self.feed();
        self.append(text);
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Adds the text of a web page, where a blank line ends a paragraph and a single line end may be within one.
    pub(super) fn page(&mut self, text: &str) {
        if !self.has_room(text.len() + END.len()) {
            return;
        }
        let mut is_begun = false;
        for line in text.lines().map(str::trim) {
            if line.is_empty() {
                if is_begun && !self.text.ends_with(END) {
                    self.text.pop();
                    self.text.push_str(END);
                }
                continue;
            }
            self.feed();
            self.append(line);
            self.text.push('\n');
            is_begun = true;
        }
    }

    /// Begins a slide, chapter or cell. A form feed separates it from the one before it.
    pub(super) fn begin_part(&mut self) {
        self.end();
        self.num_parts += 1;
    }

    /// Begins a note or a text box, whose paragraphs follow the open paragraph.
    pub(super) fn begin_attached(&mut self) {
        self.is_too_deep |= self.open.len() > MOST_DEPTH;
        if !self.is_too_deep {
            self.open.push(OpenParagraph::default());
        }
    }

    /// Ends what [`begin_attached`](Self::begin_attached) began.
    pub(super) fn end_attached(&mut self) {
        self.end();
        if self.open.len() > 1 {
            self.open.pop();
        }
    }

    /// Sets the note about text that is missing.
    pub(super) fn set_note(&mut self, note: Option<String>) {
        self.note = note;
    }

    /// Sets the language that the document states.
    pub(super) fn set_syntax(&mut self, syntax: StatedSyntax) {
        self.syntax = syntax;
    }

    /// Returns the text.
    ///
    /// # Errors
    /// When the text is too large, or paragraphs were nested too deeply.
    pub(super) fn finish(mut self) -> Extracted<ExtractedText> {
        while self.open.len() > 1 {
            self.end_attached();
        }
        self.end();
        match (self.is_too_large, self.is_too_deep) {
            (true, _) => Err(ExtractFault::TooLarge),
            (_, true) => Err(ExtractFault::Damaged(format!("notes are more than {MOST_DEPTH} deep in one another"))),
            _ => Ok(ExtractedText { text: self.text.into_bytes(), note: self.note, syntax: self.syntax }),
        }
    }

    /// Refuses to go on when the text is too large.
    ///
    /// # Errors
    /// When it is.
    pub(super) fn check(&self) -> Extracted {
        if self.is_too_large { Err(ExtractFault::TooLarge) } else { Ok(()) }
    }

    /// Appends finished text, in which a form feed begins no part.
    fn append(&mut self, text: &str) {
        if text.bytes().any(|byte| matches!(byte, FEED | 0)) {
            self.text.extend(text.chars().map(shown_char));
        } else {
            self.text.push_str(text);
        }
    }

    fn innermost(&mut self) -> &mut OpenParagraph {
        self.open.last_mut().expect("the outermost is never closed")
    }

    /// Writes the form feeds of the parts that were begun since the last line.
    fn feed(&mut self) {
        while self.num_feeds + 1 < self.num_parts {
            self.text.push(char::from(FEED));
            self.num_feeds += 1;
        }
    }

    /// Whether the text may grow by some bytes.
    fn has_room(&mut self, num_bytes: usize) -> bool {
        let open: usize = self.open.iter().map(|open| open.text.len() + open.attached.len()).sum();
        self.is_too_large |= self.text.len() + open + num_bytes > self.limit.saturating_add(END.len());
        !self.is_too_large
    }
}

/// Whether a text is the mark or number of an item of a list, such as `•`, `1.` or `(iv)`.
fn is_list_mark(text: &str) -> bool {
    /// Maximum length of a number.
    const MOST: usize = 8;
    let number = text.strip_suffix(['.', ')']).map(|number| number.trim_start_matches('('));
    let is_number = |number: &str| {
        let is_part = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let is_letter = number.len() == 1 || number.bytes().all(|byte| b"ivxlcIVXLC".contains(&byte));
        number.split('.').all(is_part) || (is_letter && number.bytes().all(|byte| byte.is_ascii_alphabetic()))
    };
    matches!(text, "•" | "·" | "◦" | "▪" | "■" | "○" | "–" | "-" | "o")
        || number.is_some_and(|number| !number.is_empty() && number.len() <= MOST && is_number(number))
}

/// The character of the text for a character of a document. A form feed would begin a part.
fn shown_char(c: char) -> char {
    match c {
        '\0' => char::REPLACEMENT_CHARACTER,
        '\u{C}' => ' ',
        c => c,
    }
}
