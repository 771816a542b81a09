//! `prepared`: checks before a message is parsed whether it is a bomb, and hides encoded messages in it.
//!
//! The library parses messages that are attached to another one, also if they have a transfer encoding, and for some
//! messages the work grows with the square of their length. All counts are upper bounds.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;
use regex::bytes::Regex;

/// The type of an attached message that has a transfer encoding, in the bytes that the library parses. It has the length
/// of `message`.
pub(super) const ENCODED: &str = "messagx";
/// Maximum number of lines that may begin a part.
const MOST_PARTS: u64 = 200_000;
/// Maximum number of messages inside a message.
const MOST_MESSAGES: u64 = 1000;
/// Maximum number of fields of headers.
const MOST_FIELDS: u64 = 2_000_000;
/// Maximum bytes of a field of a header that is parsed.
const MOST_FIELD: usize = 32 << 10;
/// Maximum bytes of the type of a part that has parts, so that the boundary in it is shorter.
const MOST_MULTIPART: usize = 1000;
/// Maximum steps of work for a byte of a message, and for a message of any length.
const STEPS: (u64, u64) = (64, 100_000_000);
/// Maximum bytes of a message that is small enough to have any number of parts and fields.
const SMALL: usize = 64 << 10;
/// Maximum bytes before and after the type of an attached message where its transfer encoding is searched for.
const NEAR: usize = 4 << 10;

/// The bytes of a message that can be parsed with reasonable work; `None` when it has too many parts or fields, or fields
/// that are too long.
pub(super) fn prepared(raw: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut found = Found::default();
    let mut prepared = Cow::Borrowed(raw);
    let mut at = 0;
    while let Some(found_name) = FIELD.captures_at(raw, at) {
        let name = found_name.get(0).expect("the whole");
        let end = end_of_field(raw, name.end());
        let field = &raw[name.end()..end];
        let begins = begins_field(raw, name.start());
        if begins {
            found.see(field);
        }
        // After a boundary within a line, the type of a part may follow on the line of another field.
        let has_message = found.see_type(raw, name.end()..end, begins);
        if has_message && found_name.get(1).is_some() && is_encoded(raw, name.start(), end) {
            hide_messages(&mut prepared.to_mut()[name.end()..end]);
        }
        if found.is_too_much(raw.len()) {
            return None;
        }
        at = end;
    }
    if raw.len() > SMALL {
        found.see_lines(raw);
    }
    (!found.is_too_much(raw.len())).then_some(prepared)
}

/// The names of the fields that are parsed. The library ignores white space in names.
static FIELD: LazyLock<Regex> = LazyLock::new(|| {
    let spaced = |name: &str| name.split("").filter(|c| !c.is_empty()).collect::<Vec<_>>().join(r"[ \t\r\x0C]*");
    let [kind, disposition, subject] = ["content-type", "content-disposition", "subject"].map(spaced);
    Regex::new(&format!(r"(?i-u)(?:({kind})|{disposition}|{subject})[ \t\r\x0C]*:")).expect("a pattern")
});

/// The end of the field in which `at` is. A line that begins with white space continues a field.
fn end_of_field(raw: &[u8], at: usize) -> usize {
    let mut ends = memchr::memchr_iter(b'\n', &raw[at..]).map(|end| at + end + 1);
    ends.find(|&end| !matches!(raw.get(end), Some(b' ' | b'\t'))).unwrap_or(raw.len())
}

/// Whether a field may begin at `at`: at the start of a line, or after a boundary within a line.
fn begins_field(raw: &[u8], at: usize) -> bool {
    let line = &raw[at - at.min(MOST_MULTIPART)..at];
    let line = memchr::memrchr(b'\n', line).map_or(line, |end| &line[end + 1..]);
    let is_of_boundary = |byte: &u8| byte.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(byte);
    let is_blank = line.iter().all(|byte| byte.is_ascii_whitespace() || *byte == b':');
    is_blank || memmem::rfind(line, b"--").is_some_and(|start| line[start..].iter().all(is_of_boundary))
}

/// Upper bounds on the parts of a message, and on the work to find them.
#[derive(Debug, Default)]
struct Found {
    parts: u64,
    messages: u64,
    multiparts: u64,
    fields: u64,
    steps: u64,
    is_long: bool,
    /// Maximum bytes of a boundary.
    boundary: usize,
}

impl Found {
    /// Counts a field by its value.
    fn see(&mut self, field: &[u8]) {
        self.is_long |= field.len() > MOST_FIELD;
        // Each of its parameters may be compared with each other one.
        self.steps = self.steps.saturating_add((field.len() as u64).pow(2) / 16);
    }

    /// Counts the parts of the type at this place; returns whether the part may be a message.
    ///
    /// * `begins`: whether a field begins before it.
    fn see_type(&mut self, raw: &[u8], place: Range<usize>, begins: bool) -> bool {
        static KINDS: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(?i-u)(multipart)|(rfc822|global)|(digest)").expect("a pattern"));
        let (mut multiparts, mut messages) = (0, 0);
        for kind in KINDS.captures_iter(&raw[place.clone()]) {
            multiparts += u64::from(kind.get(1).is_some());
            messages += u64::from(kind.get(1).is_none());
        }
        self.multiparts += multiparts;
        self.messages += messages;
        if multiparts > 0 {
            self.is_long |= begins && place.len() > MOST_MULTIPART;
            self.boundary = self.boundary.max(place.len().min(MOST_MULTIPART));
            self.steps = self.steps.saturating_add(multiparts * steps_to_boundary(raw, place));
        }
        messages > 0
    }

    /// Counts the lines that may begin parts, and the fields of headers.
    fn see_lines(&mut self, raw: &[u8]) {
        let mut is_header = true;
        for line in raw.split(|&byte| byte == b'\n') {
            let begins = self.multiparts > 0 && memmem::find(line, b"--").is_some();
            if begins {
                self.parts += 1;
                let hyphens = memchr::memchr_iter(b'-', line).count() as u64;
                self.steps = self.steps.saturating_add(hyphens * self.boundary as u64 / 8);
                is_header = true;
            } else if is_header && line.trim_ascii().is_empty() {
                is_header = self.messages > 0;
            }
            self.fields += u64::from(is_header && line[..line.len().min(255)].contains(&b':'));
        }
    }

    fn is_too_much(&self, len: usize) -> bool {
        self.is_long
            || self.messages > MOST_MESSAGES
            || self.parts > MOST_PARTS
            || self.fields > MOST_FIELDS
            || self.steps > (len as u64).saturating_mul(STEPS.0).saturating_add(STEPS.1)
    }
}

/// The number of bytes from a type to the first boundary that it names: all that follow if the boundary is missing, or is
/// not written plainly.
fn steps_to_boundary(raw: &[u8], place: Range<usize>) -> u64 {
    static BOUNDARY: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r#"(?i-u)boundary=(?:"([^"\\\r\n]+)"|([^"\\;()\s]+))(?:[;\s]|\z)"#).expect("a pattern")
    });
    let (field, rest) = (&raw[place.clone()], &raw[place.end..]);
    let mut found = BOUNDARY.captures_iter(field);
    let whole = rest.len() as u64;
    let (Some(first), None) = (found.next(), found.next()) else { return whole };
    let boundary = first.get(1).or(first.get(2)).map_or(&b""[..], |found| found.as_bytes());
    if field.windows(8).filter(|word| word.eq_ignore_ascii_case(b"boundary")).count() != 1 || boundary.contains(&b'*') {
        return whole;
    }
    memmem::find(rest, &[b"--", boundary].concat()).map_or(whole, |at| at as u64)
}

/// Whether the header around the type of a message has a transfer encoding.
fn is_encoded(raw: &[u8], start: usize, end: usize) -> bool {
    static ENCODING: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i-u)content-transfer-encoding[ \t]*:\s*(?:base64|quoted-printable)").expect("a pattern")
    });
    let before = &raw[start - start.min(NEAR)..start];
    let after = &raw[end..raw.len().min(end + NEAR)];
    let blank = |bytes: &[u8], find: fn(&[u8], &[u8]) -> Option<usize>| {
        [&b"\n\n"[..], b"\n\r\n"].into_iter().filter_map(|blank| find(bytes, blank)).collect::<Vec<_>>()
    };
    let before = &before[blank(before, memmem::rfind).into_iter().max().unwrap_or(0)..];
    // The blank line may follow directly.
    let is_last = after.starts_with(b"\n") || after.starts_with(b"\r\n");
    let after = &after[..blank(after, memmem::find).into_iter().min().unwrap_or(after.len())];
    ENCODING.is_match(before) || !is_last && ENCODING.is_match(after)
}

/// Changes the type of a message so that the library takes it for an attachment of another kind.
fn hide_messages(field: &mut [u8]) {
    let len = ENCODED.len();
    for at in 0..field.len().saturating_sub(len) {
        if field[at..at + len].eq_ignore_ascii_case(b"message") {
            field[at..at + len].copy_from_slice(ENCODED.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(raw: &str) -> bool {
        prepared(raw.as_bytes()).is_none()
    }

    #[test]
    fn bombs_are_refused_in_any_spelling() {
        let many = |field: &str| format!("Message-ID: <1@x>\n{}text", format!("{field}\n\n").repeat(2_000));
        for field in [
            "Content-Type: message/rfc822",
            "content-type :\n message\n / (a(b)c)\n rfc822",
            "Con tent-Type: \"message\"/x(c)global",
            "Content-Type: multipart/digest; boundary=b\n\n--b",
        ] {
            assert!(is_refused(&many(field)), "{field}");
            assert!(!is_refused(&format!("{field}\n\ntext")), "{field}");
        }
        assert!(is_refused(&format!("Content-Disposition: x;{}\n\n", " filename*1=x;".repeat(700_000))));
        assert!(is_refused(&format!("Subject: {}\n\n", "=?utf-8?q?".repeat(100_000))));
        assert!(is_refused(&format!("Content-Type: multipart/mixed; boundary={}\n\n", "b".repeat(2_000))));
        let missing: String =
            (0..10_000).map(|n| format!("Content-Type: multipart/mixed; boundary=b{n}\n\n")).collect();
        assert!(is_refused(&missing));
        let within = format!("Content-Type: multipart/mixed; boundary=b\n\nx{}", "--b\n\n x".repeat(300_000));
        assert!(is_refused(&within));
    }

    #[test]
    fn long_texts_are_not_refused() {
        let text = "key: value -- and more of it\n".repeat(1_000_000);
        assert!(!is_refused(&format!("Message-ID: <1@x>\n\n{text}")));
        let type_of_parts = "Content-Type: multipart/mixed; boundary=\"==b\"\n\n--==b\n\n";
        let values = "key: value\n".repeat(3_000_000);
        assert!(!is_refused(&format!("{type_of_parts}{values}--==b--\n")));
        let page = format!("<!-- x --><p>Subject: {}", "word ".repeat(100_000));
        assert!(!is_refused(&format!("{type_of_parts}{page}\n--==b--\n")));
    }

    #[test]
    fn encoded_messages_are_hidden() {
        let encoded = "Content-Type: Message/RFC822\nContent-Transfer-Encoding: base64\n\nU3Vi";
        let hidden = String::from_utf8(prepared(encoded.as_bytes()).unwrap().into_owned()).unwrap();
        assert_eq!(hidden, encoded.replace("Message", ENCODED));
        let plain = "Content-Type: message/rfc822\n\nContent-Transfer-Encoding: base64\n\nU3Vi";
        assert!(matches!(prepared(plain.as_bytes()), Some(Cow::Borrowed(_))));
    }
}
