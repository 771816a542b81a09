//! Rich text (.rtf): the Rich Text Format specification 1.9.1.
//!
//! The text is what a reader sees: paragraphs, table cells, text boxes and notes. It does not
//! contain deleted and hidden text, comments, headers, footers, the codes of fields and the numbers of lists.

mod charsets;
mod tokens;

use std::collections::HashMap;

use encoding_rs::WINDOWS_1252;

use self::charsets::of_charset;
pub(in crate::documents::input) use self::charsets::of_code_page;
use self::tokens::{RtfToken, RtfTokens};
use super::fault::{ExtractFault, Extracted};
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use crate::documents::input::charset::Charset;

/// Maximum depth of groups.
const MOST_DEPTH: usize = 10_000;

/// Groups whose content is not part of the text.
#[rustfmt::skip]
const UNREAD: [&str; 32] = [
    "colortbl", "stylesheet", "info", "pict", "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr",
    "footerf", "annotation", "atnid", "atnauthor", "fldinst", "nonshppict", "shprslt", "sp", "sn", "sv", "xe", "tc",
    "filetbl", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn", "pntext", "listtext",
];
/// Groups that begin with `\*`, which old programs skip, and hold text.
const READ_AFTER_STAR: [&str; 6] = ["shpinst", "shptxt", "do", "dptxbxtext", "ud", "footnote"];

/// The state of a group. It ends with the group.
#[derive(Debug, Clone, Copy)]
struct GroupState {
    is_unread: bool,
    /// Whether the text around `upr` is unread: its Unicode form is read as that text is.
    is_unread_outside: bool,
    is_font_table: bool,
    /// Whether the first line of a paragraph begins to the left of the others, as the mark of a list does.
    is_hanging: bool,
    /// Whether text is hidden, or deleted by a tracked change.
    is_hidden: bool,
    is_deleted: bool,
    encoding: Charset,
    /// Number of characters after a Unicode character that represent it for old programs.
    num_fallbacks: usize,
    /// Whether the end of the group is the end of a note or text box.
    ends_attached: bool,
}

struct RtfReader<'o> {
    out: &'o mut Paragraphs,
    state: GroupState,
    outer: Vec<GroupState>,
    /// The encoding of text without a font.
    default: Charset,
    /// The encoding of each font.
    fonts: HashMap<i32, Charset>,
    /// The font whose entry in the table of fonts is read.
    font: i32,
    /// Bytes of text that were not decoded yet.
    bytes: Vec<u8>,
    /// The first half of a surrogate pair.
    high: Option<u32>,
    /// Number of characters to be skipped, which represent a Unicode character.
    skipped: usize,
    /// Whether the last token began a group, and whether it was `\*` at the beginning of a group.
    is_at_start: bool,
    is_after_star: bool,
}

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let state = GroupState {
        is_unread: false,
        is_unread_outside: false,
        is_font_table: false,
        is_hanging: false,
        is_hidden: false,
        is_deleted: false,
        encoding: WINDOWS_1252.into(),
        num_fallbacks: 1,
        ends_attached: false,
    };
    let mut reader = RtfReader {
        out,
        state,
        outer: Vec::new(),
        default: WINDOWS_1252.into(),
        fonts: HashMap::new(),
        font: 0,
        bytes: Vec::new(),
        high: None,
        skipped: 0,
        is_at_start: false,
        is_after_star: false,
    };
    for token in RtfTokens::new(source.bytes) {
        reader.out.check()?;
        if !reader.take(token)? {
            return Ok(());
        }
    }
    Err(ExtractFault::Damaged("it ends too early".to_owned()))
}

impl RtfReader<'_> {
    /// Reads a token; returns `false` after the last one.
    fn take(&mut self, token: RtfToken) -> Extracted<bool> {
        let is_after_star = std::mem::take(&mut self.is_after_star);
        let is_at_start = std::mem::replace(&mut self.is_at_start, token == RtfToken::Open);
        match token {
            RtfToken::Open => {
                self.flush();
                self.skipped = 0;
                if self.outer.len() >= MOST_DEPTH {
                    return Err(ExtractFault::Damaged(format!(
                        "groups are more than {MOST_DEPTH} deep in one another"
                    )));
                }
                self.outer.push(self.state);
                self.state.ends_attached = false;
            }
            RtfToken::Close => {
                self.flush();
                self.skipped = 0;
                if self.state.ends_attached {
                    self.out.end_attached();
                }
                match self.outer.pop() {
                    Some(state) => self.state = state,
                    None => return Ok(false),
                }
                return Ok(!self.outer.is_empty());
            }
            RtfToken::Star => self.is_after_star = is_at_start,
            RtfToken::Byte(byte) => {
                if self.skipped > 0 {
                    self.skipped -= 1;
                } else {
                    self.drop_half();
                    self.bytes.push(byte);
                }
            }
            RtfToken::Char(c) => {
                if self.skipped > 0 {
                    self.skipped -= 1;
                } else {
                    self.push(c);
                }
            }
            RtfToken::Word(word, number) => self.word(word, number, is_after_star),
        }
        Ok(true)
    }

    fn word(&mut self, word: &str, number: Option<i32>, is_after_star: bool) {
        if word == "u" {
            return self.unicode(number.unwrap_or(0));
        }
        self.flush();
        let is_on = number != Some(0);
        match word {
            "par" | "sect" | "cell" | "nestcell" | "row" | "nestrow" if self.is_read() => self.out.end(),
            "line" | "lbr" | "softline" | "page" | "column" if self.is_read() => self.out.push_break(),
            "fi" => self.state.is_hanging = number.is_some_and(|number| number < 0),
            "pard" => self.state.is_hanging = false,
            "tab" if self.state.is_hanging && self.is_read() && self.out.drop_list_mark() => {}
            "tab" => self.push('\t'),
            "emdash" => self.push('\u{2014}'),
            "endash" => self.push('\u{2013}'),
            "emspace" | "enspace" | "qmspace" => self.push(' '),
            "bullet" => self.push('\u{2022}'),
            "lquote" => self.push('\u{2018}'),
            "rquote" => self.push('\u{2019}'),
            "ldblquote" => self.push('\u{201C}'),
            "rdblquote" => self.push('\u{201D}'),
            "v" => self.state.is_hidden = is_on,
            "deleted" => self.state.is_deleted = is_on,
            "plain" => {
                (self.state.is_hidden, self.state.is_deleted) = (false, false);
                self.state.encoding = self.default;
            }
            "uc" => self.state.num_fallbacks = number.and_then(|number| number.try_into().ok()).unwrap_or(1),
            "ansicpg" => self.set_default(number.unwrap_or(0)),
            "mac" => self.set_default(10000),
            "pc" => self.set_default(437),
            "pca" => self.set_default(850),
            "fonttbl" => (self.state.is_font_table, self.state.is_unread) = (true, true),
            "f" if self.state.is_font_table => self.font = number.unwrap_or(0),
            "fcharset" if self.state.is_font_table => {
                if let Some(encoding) = of_charset(number.unwrap_or(0)) {
                    self.fonts.insert(self.font, encoding);
                }
            }
            "f" => {
                let font = number.and_then(|number| self.fonts.get(&number).copied());
                self.state.encoding = font.unwrap_or(self.default);
            }
            "footnote" | "shptxt" | "dptxbxtext" if self.is_read() && !self.state.ends_attached => {
                self.out.begin_attached();
                self.state.ends_attached = true;
            }
            "upr" => (self.state.is_unread_outside, self.state.is_unread) = (self.state.is_unread, true),
            "ud" => self.state.is_unread = self.state.is_unread_outside,
            word if UNREAD.contains(&word) => self.state.is_unread = true,
            word if is_after_star && !READ_AFTER_STAR.contains(&word) => self.state.is_unread = true,
            _ => {}
        }
    }

    /// Sets the code page of text without a font.
    fn set_default(&mut self, code_page: i32) {
        self.default = of_code_page(code_page);
        self.state.encoding = self.default;
    }

    /// A Unicode character, or half of a surrogate pair.
    fn unicode(&mut self, number: i32) {
        self.flush();
        let unit = (number & 0xFFFF) as u32;
        self.skipped = self.state.num_fallbacks;
        if !matches!(unit, 0xDC00..=0xDFFF) {
            self.drop_half();
        }
        match (self.high.take(), unit) {
            (_, 0xD800..=0xDBFF) => self.high = Some(unit),
            (Some(high), 0xDC00..=0xDFFF) => {
                let code = 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00);
                self.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            // The private characters of symbol fonts are pictures.
            (_, 0xF000..=0xF0FF) => {}
            (_, unit) => self.push(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)),
        }
    }

    /// Replaces the first half of a surrogate pair that has no second half.
    fn drop_half(&mut self) {
        if self.high.take().is_some() {
            self.push(char::REPLACEMENT_CHARACTER);
        }
    }

    fn is_read(&self) -> bool {
        !self.state.is_unread && !self.state.is_hidden && !self.state.is_deleted
    }

    fn push(&mut self, c: char) {
        self.flush();
        if self.is_read() {
            self.out.push(c.encode_utf8(&mut [0; 4]));
        }
    }

    /// Decodes the bytes of text.
    fn flush(&mut self) {
        if !self.bytes.is_empty() {
            if self.is_read() {
                let (text, _) = self.state.encoding.decode(&self.bytes);
                self.out.push(&text);
            }
            self.bytes.clear();
        }
    }
}
