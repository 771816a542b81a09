//! `NotText`: why bytes are not text, and which setting makes dedup read them.

use std::fmt;

use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use super::utf32::Utf32;
use crate::base::problem::{BinaryKind, Problem, Reason};
use crate::base::setting::Setting;
use crate::documents::input::charset::Charset;
use crate::documents::input::formats::binary_kinds::{certain_kind_of, kind_by_name, kind_of, markup_kind_of};
use crate::documents::input::formats::format::{Format, codec_of_name, name_inside};
use crate::documents::input::formats::kind_table::UNKNOWN;
use crate::documents::input::messages::too_large_as_utf8;
use crate::documents::input::panic_guard::contain;

/// Number of bytes at the start of a file in which a NUL byte makes it binary.
pub(in crate::documents::input) const BINARY_PREFIX: usize = 8 * 1024;

/// The advice about bytes that are not UTF-8.
pub(in crate::documents::input) fn how_to_take() -> String {
    format!("read it with {} LABEL or {} replace", Setting::Encoding, Setting::Invalid)
}

/// The reason why bytes are not a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::documents::input) enum NotText {
    /// A NUL byte near the start.
    Binary { at: usize, looks: BinaryGuess },
    /// Characters near the start that no text has, from this byte on.
    Controls { at: usize },
    /// No mark of another encoding, and invalid UTF-8 from this byte on.
    Utf8 { at: usize },
    /// A byte order mark of UTF-16, followed by an unpaired surrogate or an odd number of bytes.
    Utf16,
    /// UTF-32 with a unit that is not a character.
    Utf32,
    /// Invalid in the encoding that the document declares.
    Declared(Charset),
    /// Invalid in the encoding that was given.
    Given(Charset),
    /// More bytes of UTF-8 than a document may have.
    TooLarge { limit: u64 },
    /// The decoding library panicked.
    Inconsistent,
}

impl NotText {
    /// The problem of an input that is not text.
    ///
    /// * `place`: the name of the input.
    pub(in crate::documents::input) fn problem(&self, place: &str) -> Problem {
        let problem = Problem::error(place, self.reason(), self.to_string());
        let kind = match self {
            Self::Binary { looks: BinaryGuess::Kind(kind), .. } => kind,
            Self::Binary { looks: BinaryGuess::Unknown, .. } | Self::Controls { .. } => {
                return Problem { binary: Some(&UNKNOWN), ..problem };
            }
            Self::Binary { looks: BinaryGuess::Index, .. } => {
                return Problem { binary: Some(&BinaryKind::INDEX), ..problem };
            }
            _ => return problem,
        };
        let kind = kind_by_name(kind, place);
        Problem { binary: Some(kind), detail: said_of(kind, place), ..problem }
    }

    /// The category of the problem.
    pub(in crate::documents::input) fn reason(&self) -> Reason {
        match self {
            Self::Binary { .. } | Self::Controls { .. } => Reason::Binary,
            Self::TooLarge { .. } => Reason::TooLarge,
            _ => Reason::NotUtf8,
        }
    }
}

/// The probable content of a binary file, by its first bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::documents::input) enum BinaryGuess {
    Unknown,
    /// An index written by dedup.
    Index,
    /// A known binary format of other programs.
    Kind(&'static BinaryKind),
    /// A format that dedup reads with this value of [`Setting::Format`].
    Format(&'static str),
    /// UTF-16 without a byte order mark.
    Utf16(&'static Encoding),
    Utf32(Utf32),
}

impl BinaryGuess {
    /// Checks that the first bytes can begin a text in some encoding.
    pub(in crate::documents::input) fn check(bytes: &[u8]) -> Result<(), NotText> {
        let looks = if is_index(bytes) { Some(Self::Index) } else { certain_kind_of(bytes).map(Self::Kind) };
        looks.map_or(Ok(()), |looks| Err(NotText::Binary { at: 0, looks }))
    }

    /// Determines the probable content.
    ///
    /// * `bytes`: all bytes that are available.
    /// * `start`: the first bytes of them.
    fn of(bytes: &[u8], start: &[u8]) -> Self {
        if is_index(start) {
            return Self::Index;
        }
        if let Some(kind) = kind_of(bytes) {
            return Self::Kind(kind);
        }
        match Format::of_magic(start) {
            Some(Format::Zip) => return Self::Format("zip"),
            Some(Format::Tar) => return Self::Format("tar"),
            Some(Format::Parquet) => return Self::Format("parquet"),
            Some(Format::Arrow) => return Self::Format("arrow"),
            _ => {}
        }
        if let Some(order) = Utf32::of_start(start) {
            return Self::Utf32(order);
        }
        // ASCII letters with a few NUL bytes among them could be decoded as UTF-16 of rare characters.
        let num_nuls = memchr::memchr_iter(0, start).count();
        if start.is_ascii() && num_nuls < start.len() / 4 {
            return Self::Unknown;
        }
        // The right byte order yields common characters, and most of these are below U+0250.
        let orders = [UTF_16LE, UTF_16BE].into_iter().filter_map(|encoding| Some((common(start, encoding)?, encoding)));
        orders.max_by_key(|&(common, _)| common).map_or(Self::Unknown, |(_, encoding)| Self::Utf16(encoding))
    }
}

/// Whether a file begins like an index of dedup: a SQLite file with dedup's `application_id`.
fn is_index(start: &[u8]) -> bool {
    start.starts_with(b"SQLite format 3\0") && start.get(68..72) == Some(b"ddup")
}

/// The number of characters below U+0250 when bytes are decoded as UTF-16 in this byte order; `None` when the result is
/// not text.
fn common(start: &[u8], encoding: &'static Encoding) -> Option<usize> {
    const LEAST: usize = 8;
    // A surrogate pair may be cut at the end.
    let whole = start.len() - start.len() % 2;
    let (text, is_faulty) = contain(|| encoding.decode_without_bom_handling(&start[..whole])).ok()?;
    let text = if start.len() == BINARY_PREFIX { text.trim_end_matches('\u{FFFD}') } else { &text };
    let is_text = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
    let is_whole = !is_faulty || (start.len() == BINARY_PREFIX && !text.contains('\u{FFFD}'));
    let is_even = start.len() == whole && whole >= LEAST;
    (is_even && is_whole && text.chars().all(is_text)).then(|| text.chars().filter(|&c| c < '\u{250}').count())
}

impl fmt::Display for NotText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Binary { at, looks: BinaryGuess::Unknown } => write!(f, "binary, with a NUL at byte {at}; skipped"),
            Self::Binary { looks: BinaryGuess::Index, .. } => f.write_str("an index of dedup; skipped"),
            Self::Binary { looks: BinaryGuess::Kind(kind), .. } => {
                f.write_str(&said_of(kind, &format!("x.{}", kind.ending)))
            }
            Self::Binary { looks: BinaryGuess::Format(format), .. } => {
                write!(f, "binary, {format} by its first bytes; skipped ({} {format} reads it)", Setting::Format)
            }
            Self::Binary { looks: BinaryGuess::Utf16(encoding), .. } => {
                let label = encoding.name().to_ascii_lowercase();
                let setting = Setting::Encoding;
                write!(f, "binary, perhaps UTF-16 without a byte order mark; skipped ({setting} {label} reads it)")
            }
            Self::Binary { looks: BinaryGuess::Utf32(order), .. } => {
                let name = match order {
                    Utf32::LittleEndian => "UTF-32LE",
                    Utf32::BigEndian => "UTF-32BE",
                };
                write!(f, "records in UTF-32, which are not read; convert them: iconv -f {name} -t UTF-8")
            }
            Self::Controls { at } => write!(f, "binary, with control characters from byte {at} on; skipped"),
            Self::Utf8 { at } => write!(f, "not valid UTF-8 at byte {at}; {}", how_to_take()),
            Self::Utf16 => {
                write!(f, "not valid UTF-16, despite its byte order mark; read it with {} replace", Setting::Invalid)
            }
            Self::Utf32 => {
                write!(f, "not valid UTF-32, despite its byte order mark; read it with {} replace", Setting::Invalid)
            }
            Self::Declared(encoding) => {
                let name = encoding.name();
                write!(
                    f,
                    "declares {name} but is not valid {name}; give its encoding with {} LABEL!",
                    Setting::Encoding
                )
            }
            Self::Given(encoding) => {
                let (name, given, invalid) = (encoding.name(), Setting::Encoding, Setting::Invalid);
                write!(f, "not valid {name}; check {given}, or read it with {invalid} replace")
            }
            Self::TooLarge { limit } => f.write_str(&too_large_as_utf8(*limit)),
            Self::Inconsistent => write!(f, "cannot be decoded; convert it to UTF-8, or exclude it"),
        }
    }
}

/// The kind of a file that is certainly not a text, with its article.
pub(in crate::documents::input) fn certain_kind(start: &[u8]) -> Option<String> {
    certain_kind_of(start).map(with_article)
}

/// The name of a kind of file with its article.
pub(in crate::documents::input) fn with_article(kind: &BinaryKind) -> String {
    format!("{} {}", article(kind), kind.one)
}

/// The note about a text whose encoding was detected.
pub(in crate::documents::input) fn detected_note(place: &[u8], charset: Charset) -> Problem {
    let name = charset.name();
    let setting = Setting::Encoding;
    let detail = format!("not UTF-8, and read as {name} by its bytes; {setting} LABEL reads it in another encoding");
    let note = Problem::note(String::from_utf8_lossy(place), Reason::Detected, detail);
    Problem { detected: Some(name), ..note }
}

/// The note about a text that is compared with its markup, such as RTF; `None` for any other.
///
/// * `place`: its name.
pub(in crate::documents::input) fn markup_note(bytes: &[u8], place: &str) -> Option<Problem> {
    let kind = markup_kind_of(bytes)?;
    let note = Problem::note(place, Reason::Markup, said_as(kind, place, "compared with its markup"));
    Some(Problem { binary: Some(kind), ..note })
}

/// The message about a kind of file, with the command that reads it.
///
/// * `place`: the name of such a file. A filter applies to an extension, which the name may lack.
fn said_of(kind: &BinaryKind, place: &str) -> String {
    said_as(kind, place, "skipped")
}

/// * `what`: what is done with the file.
fn said_as(kind: &BinaryKind, place: &str, what: &str) -> String {
    let inside = codec_of_name(place.as_bytes()).map(|_| name_inside(place.as_bytes()));
    let name = inside.as_deref().map_or(place.into(), String::from_utf8_lossy);
    // A filter for the ending of other files would read those too.
    let ending = kind.ending_of(&name);
    let (usual, command) = (kind.ending, kind.command);
    let remedy = match (kind.remedy(ending.as_deref(), "it"), ending) {
        (Some(_), None) if !command.is_empty() && place == "-" => Some(format!("pipe it through {command} first")),
        (Some(remedy), None) if !command.is_empty() => Some(format!("under a name that ends with .{usual}, {remedy}")),
        (remedy, _) => remedy,
    };
    let remedy = remedy.map_or(String::new(), |remedy| format!(" ({remedy})"));
    format!("{}; {what}{remedy}", with_article(kind))
}

/// The article, which depends on the spoken word: an HDF5 file, a library.
fn article(kind: &BinaryKind) -> &'static str {
    let is_spelled = ["HDF5", "HEIF", "LLVM", "RAR", "RPM", "RTF", "XPS"].iter().any(|word| kind.one.starts_with(word));
    if is_spelled || kind.one.starts_with(['A', 'E', 'O', 'a', 'e', 'i']) { "an" } else { "a" }
}

/// Checks that a text may begin with these bytes.
pub(in crate::documents::input) fn check_binary(bytes: &[u8]) -> Result<(), NotText> {
    let start = &bytes[..bytes.len().min(BINARY_PREFIX)];
    match memchr::memchr(0, start) {
        Some(at) => Err(NotText::Binary { at, looks: BinaryGuess::of(bytes, start) }),
        None => match control_characters(bytes) {
            None => Ok(()),
            Some(at) => Err(kind_of(bytes)
                .map_or(NotText::Controls { at }, |kind| NotText::Binary { at, looks: BinaryGuess::Kind(kind) })),
        },
    }
}

/// The first of the control characters by which bytes without a NUL are not a text; `None` for a text, which has few, or
/// always the same ones, such as separators of fields. Logs of chats have five different ones, which change the typeface.
pub(super) fn control_characters(bytes: &[u8]) -> Option<usize> {
    /// Number of first bytes that are looked at.
    const START: usize = 1024;
    const LEAST_KINDS: u32 = 7;
    /// A text has at most one in this number of bytes.
    const LEAST_SHARE: usize = 32;
    let start = &bytes[..bytes.len().min(START)];
    // White space, backspace, the bell, escape and the four separators occur in texts.
    let is_control = |byte: &u8| matches!(byte, 1..=6 | 14..=26);
    let count = start.iter().filter(|byte| is_control(byte)).count();
    if count * LEAST_SHARE <= start.len() {
        return None;
    }
    let kinds = start.iter().filter(|byte| is_control(byte)).fold(0_u32, |kinds, byte| kinds | 1 << byte);
    (kinds.count_ones() >= LEAST_KINDS).then(|| start.iter().position(is_control)).flatten()
}
