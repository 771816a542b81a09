//! Folds the characters of a text: normalisation form, case, accents, digits and punctuation, in this order.
//!
//! Composition comes last, because the earlier steps may bring together characters that compose.
//!
//! Runs of plain characters (ASCII and most ideographs) are folded with a table. The rest is folded in segments. A
//! segment starts at the last plain character before it, since an accent may belong to that one, and ends before the
//! next plain character. No form of UAX #15 joins a plain character to a preceding one.
//!
//! With a trace, the source of each character must be known. The segment is then cut further into spans, before
//! each character that no form joins to a preceding one. Each span is folded separately, and the result is located
//! in the folded segment.

use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick, is_nfkc_quick};
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

use super::settings::{Normalization, UnicodeForm, as_str};
use crate::base::flat::offset_map::Trace;

/// Table value of a character that is dropped. It never occurs in UTF-8.
pub(super) const DROPPED: u8 = 0xFF;

/// Folds the characters of texts; keeps its buffers from one text to the next.
#[derive(Debug, Clone)]
pub(super) struct CharacterFolder {
    form: Option<UnicodeForm>,
    lowercase: bool,
    strip_accents: bool,
    fold_digits: bool,
    strip_punctuation: bool,
    /// The folded byte for each byte of a plain character.
    plain: [u8; 256],
    changes_plain: bool,
    /// The characters of the current segment; `next` receives the result of the next step.
    chars: Vec<char>,
    next: Vec<char>,
}

impl CharacterFolder {
    pub(super) fn new(settings: &Normalization) -> Self {
        let &Normalization { form, lowercase, strip_accents, fold_digits, strip_punctuation, .. } = settings;
        let mut folder = Self {
            form,
            lowercase,
            strip_accents,
            fold_digits,
            strip_punctuation,
            plain: std::array::from_fn(|byte| byte as u8),
            changes_plain: false,
            chars: Vec::new(),
            next: Vec::new(),
        };
        for byte in 0..0x80u8 {
            let small = if lowercase { byte.to_ascii_lowercase() } else { byte };
            let folded = folder.folded(char::from(small)).map_or(DROPPED, |c| c as u8);
            folder.plain[usize::from(byte)] = folded;
            folder.changes_plain |= folded != byte;
        }
        folder
    }

    /// The folded byte for each ASCII byte, or [`DROPPED`].
    pub(super) fn plain(&self) -> &[u8; 256] {
        &self.plain
    }

    /// Whether folding never changes a text.
    pub(super) fn is_idle(&self) -> bool {
        !self.changes_plain && self.form.is_none() && !self.strip_accents
    }

    /// Folds `text`, which must be valid UTF-8 and remains so.
    pub(super) fn fold<T: Trace>(&mut self, text: &mut Vec<u8>, scratch: &mut Vec<u8>, trace: &mut T) {
        if text.is_ascii() {
            if self.changes_plain {
                self.fold_ascii(text, trace);
            }
            return;
        }
        if self.is_idle() {
            return;
        }
        for_each_segment(text, scratch, |part, out| match part {
            TextPart::Plain(plain) => self.push_plain(plain, out, trace),
            TextPart::Segment(segment) => {
                let start = out.len();
                self.push_segment(segment, out);
                trace_spans(segment, &out[start..], trace, |span, out| self.push_segment(span, out));
            }
        });
        trace.end_step();
        if let Some(form) = self.last_form() {
            for_each_segment(text, scratch, |part, out| match part {
                TextPart::Plain(plain) => {
                    out.extend_from_slice(plain);
                    trace.copied(plain.len());
                }
                TextPart::Segment(segment) => {
                    let start = out.len();
                    self.push_composed(form, segment, out);
                    let push = |span: &str, out: &mut Vec<u8>| self.push_composed(form, span, out);
                    trace_spans(segment, &out[start..], trace, push);
                }
            });
            trace.end_step();
        }
    }

    fn push_composed(&mut self, form: UnicodeForm, segment: &str, out: &mut Vec<u8>) {
        self.chars.clear();
        self.chars.extend(segment.chars());
        compose(form, &mut self.chars, &mut self.next);
        push_chars(self.chars.iter().copied(), out);
    }

    /// The form to apply again at the end, if the other steps may have broken it.
    fn last_form(&self) -> Option<UnicodeForm> {
        let is_changed = self.lowercase || self.strip_accents || self.fold_digits || self.strip_punctuation;
        self.form.filter(|_| is_changed).or(self.strip_accents.then_some(UnicodeForm::Nfc))
    }

    /// Frees buffers of more than `max_bytes`, to which a long segment may have grown them.
    pub(super) fn release(&mut self, max_bytes: usize) {
        for buffer in [&mut self.chars, &mut self.next] {
            if buffer.capacity() * size_of::<char>() > max_bytes {
                *buffer = Vec::new();
            }
        }
    }

    fn fold_ascii<T: Trace>(&self, text: &mut Vec<u8>, trace: &mut T) {
        self.trace_plain(text, trace);
        let mut write = 0;
        for read in 0..text.len() {
            let folded = self.plain[usize::from(text[read])];
            text[write] = folded;
            write += usize::from(folded != DROPPED);
        }
        text.truncate(write);
        trace.end_step();
    }

    fn push_plain<T: Trace>(&self, text: &[u8], out: &mut Vec<u8>, trace: &mut T) {
        if self.changes_plain {
            self.trace_plain(text, trace);
            out.extend(text.iter().map(|&byte| self.plain[usize::from(byte)]).filter(|&folded| folded != DROPPED));
        } else {
            out.extend_from_slice(text);
            trace.copied(text.len());
        }
    }

    /// Reports the folding of plain characters to the trace.
    fn trace_plain<T: Trace>(&self, mut text: &[u8], trace: &mut T) {
        while T::IS_ON && !text.is_empty() {
            let is_dropped = |byte: &u8| self.plain[usize::from(*byte)] == DROPPED;
            let kept = text.iter().position(is_dropped).unwrap_or(text.len());
            trace.copied(kept);
            text = &text[kept..];
            let dropped = text.iter().position(|byte| !is_dropped(byte)).unwrap_or(text.len());
            trace.left_out(dropped);
            text = &text[dropped..];
        }
    }

    fn push_segment(&mut self, segment: &str, out: &mut Vec<u8>) {
        let Self { chars, next, .. } = self;
        chars.clear();
        chars.extend(segment.chars());
        if let Some(form) = self.form {
            compose(form, chars, next);
        }
        if self.lowercase {
            next.clear();
            // Σ always becomes σ, so the final form ς becomes σ too.
            next.extend(chars.iter().flat_map(|&c| if c == 'ς' { 'σ' } else { c }.to_lowercase()));
            std::mem::swap(chars, next);
        }
        if self.strip_accents {
            next.clear();
            next.extend(chars.iter().copied().nfd().filter(|&c| !is_accent(c)));
            std::mem::swap(chars, next);
        }
        push_chars(self.chars.iter().filter_map(|&c| self.folded(c)), out);
    }

    /// Folds digits and punctuation; `None` if the character is dropped.
    fn folded(&self, c: char) -> Option<char> {
        if !(self.fold_digits || self.strip_punctuation) {
            return Some(c);
        }
        let category = c.general_category();
        if self.fold_digits && category == GeneralCategory::DecimalNumber {
            return Some('0');
        }
        let is_punctuation = c.general_category_group() == GeneralCategoryGroup::Punctuation;
        (!(self.strip_punctuation && is_punctuation)).then_some(c)
    }
}

/// A part of a text: plain characters only, or a segment that also contains others.
enum TextPart<'t> {
    Plain(&'t [u8]),
    Segment(&'t str),
}

/// Replaces `text` by the output of `push` for each of its parts; `scratch` is a buffer.
fn for_each_segment(text: &mut Vec<u8>, scratch: &mut Vec<u8>, mut push: impl FnMut(TextPart, &mut Vec<u8>)) {
    scratch.clear();
    scratch.reserve(text.len());
    let mut rest = text.as_slice();
    loop {
        let (plain, last) = plain_prefix(rest);
        if plain == rest.len() {
            break;
        }
        push(TextPart::Plain(&rest[..last]), scratch);
        let mut end = plain;
        while end < rest.len() && !is_plain_lead(rest[end]) {
            end += 1;
        }
        push(TextPart::Segment(as_str(&rest[last..end])), scratch);
        rest = &rest[end..];
    }
    push(TextPart::Plain(rest), scratch);
    std::mem::swap(text, scratch);
}

/// Reports which bytes of `made` come from which bytes of `segment`, where `made` is the folded segment.
///
/// Cuts the segment into spans that fold independently, and folds each again to find its length.
///
/// * `push`: folds a span.
fn trace_spans<T: Trace>(segment: &str, made: &[u8], trace: &mut T, mut push: impl FnMut(&str, &mut Vec<u8>)) {
    if !T::IS_ON {
        return;
    }
    if segment.as_bytes() == made {
        return trace.copied(made.len());
    }
    let (mut source, mut made, mut folded) = (segment, made, Vec::new());
    while !source.is_empty() {
        let next = source.char_indices().skip(1).find(|&(_, c)| begins_span(c));
        let span = &source[..next.map_or(source.len(), |(at, _)| at)];
        folded.clear();
        push(span, &mut folded);
        let Some(behind) = made.strip_prefix(folded.as_slice()) else {
            debug_assert!(false, "{span:?} of {segment:?} does not fold by itself");
            return trace.replaced(source.len(), made.len());
        };
        let is_char = |text: &str| text.chars().nth(1).is_none();
        match (span.len(), folded.len()) {
            (len, 0) => trace.left_out(len),
            (len, _) if folded == span.as_bytes() => trace.copied(len),
            (len, by) if len == by && is_char(span) && is_char(as_str(&folded)) => trace.copied(len),
            (len, by) => trace.replaced(len, by),
        }
        (source, made) = (&source[span.len()..], behind);
    }
    debug_assert!(made.is_empty(), "{segment:?} is folded to its end");
}

/// Whether no folding joins the character to a preceding one, or moves it before one.
fn begins_span(c: char) -> bool {
    let mut first = None;
    decompose_compatible(c, |part| first = first.or(Some(part)));
    first.is_some_and(|first| {
        canonical_combining_class(first) == 0 && is_nfc_quick([first].into_iter()) == IsNormalized::Yes
    })
}

fn push_chars(chars: impl Iterator<Item = char>, out: &mut Vec<u8>) {
    let mut bytes = [0; 4];
    chars.for_each(|c| out.extend_from_slice(c.encode_utf8(&mut bytes).as_bytes()));
}

/// Whether a byte begins a plain character: ASCII, or a three-byte character from U+4000 to U+9FFF. The latter are
/// ideographs and hexagrams, which no folding changes.
#[inline]
fn is_plain_lead(byte: u8) -> bool {
    matches!(byte, 0..0x80 | 0xE4..=0xE9)
}

/// The length in bytes of the plain characters at the start of `text`, and the position of the last of them.
fn plain_prefix(text: &[u8]) -> (usize, usize) {
    let mut end = 0;
    let mut last_len = 0;
    loop {
        while text[end..].first_chunk::<8>().is_some_and(|eight| eight.is_ascii()) {
            (end, last_len) = (end + 8, 1);
        }
        match text.get(end) {
            Some(0..0x80) => last_len = 1,
            Some(&lead) if is_plain_lead(lead) => last_len = 3,
            _ => return (end, end - last_len),
        }
        end += last_len;
    }
}

/// Converts `chars` to the normalisation form; `next` is scratch memory.
fn compose(form: UnicodeForm, chars: &mut Vec<char>, next: &mut Vec<char>) {
    let copied = || chars.iter().copied();
    let is_composed = match form {
        UnicodeForm::Nfc => is_nfc_quick(copied()),
        UnicodeForm::Nfkc => is_nfkc_quick(copied()),
    };
    if is_composed == IsNormalized::Yes {
        return;
    }
    next.clear();
    match form {
        UnicodeForm::Nfc => next.extend(copied().nfc()),
        UnicodeForm::Nfkc => next.extend(copied().nfkc()),
    }
    std::mem::swap(chars, next);
}

/// Whether a character is in a block of combining diacritical marks. These are the marks of Latin, Greek and Cyrillic
/// letters, not the vowel signs of other scripts, which change the word.
pub(super) fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' | '\u{FE20}'..='\u{FE2F}')
}
