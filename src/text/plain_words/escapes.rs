//! Escapes: HTML character references such as `&eacute;` and `&#39;`, and the escapes of JSON strings such as `\n` and
//! `\u00e9`.
//!
//! A text may be escaped several times, so `&amp;` is skipped after an ampersand, and backslashes in a row count as one.

/// The longest name of a reference that is looked up.
const MOST_NAME: usize = 8;

/// An escape at the start of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Escape {
    /// Its length in bytes.
    pub(super) len: usize,
    /// The character that it represents, if this can belong to a word.
    pub(super) c: Option<char>,
    /// Whether it separates words.
    pub(super) separates: bool,
}

impl Escape {
    fn separator(len: usize) -> Self {
        Self { len, c: None, separates: true }
    }

    fn of(len: usize, c: char) -> Self {
        Self { len, c: Some(c), separates: false }
    }
}

/// The character reference at the start of a text that begins with `&`; only the ampersand if it begins none.
pub(super) fn reference(text: &[u8]) -> Escape {
    let mut start = 1;
    while text[start..].starts_with(b"amp;") {
        start += 4;
    }
    let name = &text[start..];
    let end = name.iter().take(MOST_NAME + 2).position(|&byte| byte == b';');
    let Some(end) = end else { return Escape::separator(start) };
    let len = start + end + 1;
    match &name[..end] {
        [b'#', b'x' | b'X', digits @ ..] => numbered(len, start, digits, 16),
        [b'#', digits @ ..] => numbered(len, start, digits, 10),
        name => named(len, start, name),
    }
}

fn numbered(len: usize, start: usize, digits: &[u8], radix: u32) -> Escape {
    let digits = std::str::from_utf8(digits).ok().filter(|digits| !digits.starts_with('+'));
    let c = digits.and_then(|digits| u32::from_str_radix(digits, radix).ok()).and_then(char::from_u32);
    c.map_or(Escape::separator(start), |c| Escape::of(len, c))
}

fn named(len: usize, start: usize, name: &[u8]) -> Escape {
    match name {
        b"lt" | b"gt" | b"quot" | b"nbsp" | b"ndash" | b"mdash" | b"ldquo" | b"rdquo" | b"bdquo" | b"hellip"
        | b"bull" | b"middot" | b"laquo" | b"raquo" | b"ensp" | b"emsp" | b"thinsp" | b"iexcl" | b"iquest"
        | b"sect" | b"para" | b"copy" | b"reg" | b"deg" | b"plusmn" | b"times" | b"divide" | b"euro" | b"pound"
        | b"cent" | b"yen" | b"minus" | b"le" | b"ge" | b"ne" | b"rarr" | b"larr" | b"NewLine" | b"Tab" => {
            Escape::separator(len)
        }
        b"apos" | b"lsquo" | b"rsquo" | b"sbquo" | b"prime" => Escape::of(len, '\''),
        b"shy" | b"zwnj" | b"zwj" | b"lrm" | b"rlm" => Escape::of(len, '\u{200B}'),
        b"szlig" => Escape::of(len, 'ß'),
        b"AElig" | b"aelig" => Escape::of(len, 'æ'),
        b"OElig" | b"oelig" => Escape::of(len, 'œ'),
        b"Oslash" | b"oslash" => Escape::of(len, 'ø'),
        b"ETH" | b"eth" => Escape::of(len, 'ð'),
        b"THORN" | b"thorn" => Escape::of(len, 'þ'),
        // Accents are ignored, so the letter is enough.
        [letter @ (b'a'..=b'z' | b'A'..=b'Z'), accent @ ..]
            if [&b"acute"[..], b"grave", b"circ", b"uml", b"tilde", b"ring", b"cedil", b"caron"].contains(&accent) =>
        {
            Escape::of(len, char::from(*letter))
        }
        _ => Escape::separator(start),
    }
}

/// The escape at the start of a text that begins with a backslash. The letter of `\n`, `\r` and `\t` belongs to the escape,
/// in TeX too, where both copies then lose it.
pub(super) fn backslash(text: &[u8]) -> Escape {
    let start = text.iter().take_while(|&&byte| byte == b'\\').count();
    match text[start..] {
        [b'n' | b'r' | b't', ..] => Escape::separator(start + 1),
        [b'u', ref rest @ ..] => match (hexadecimal(rest), rest.get(4..)) {
            (Some(high @ 0xD800..0xDC00), Some(rest)) => {
                let slashes = rest.iter().take_while(|&&byte| byte == b'\\').count();
                let low = rest[slashes..].strip_prefix(b"u").and_then(hexadecimal);
                match low {
                    Some(low @ 0xDC00..0xE000) if slashes > 0 => {
                        let c = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
                        Escape::of(start + 10 + slashes, char::from_u32(c).unwrap_or(' '))
                    }
                    _ => Escape::separator(start + 5),
                }
            }
            (Some(number), _) => Escape::of(start + 5, char::from_u32(number).unwrap_or(' ')),
            (None, _) => Escape::separator(start),
        },
        _ => Escape::separator(start),
    }
}

/// The number that four hexadecimal digits at the start of a text represent.
fn hexadecimal(text: &[u8]) -> Option<u32> {
    text.get(..4)?.iter().try_fold(0, |number, &digit| Some(number << 4 | char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_however_often_they_are_escaped() {
        assert_eq!(reference(b"&#233;t"), Escape::of(6, '\u{e9}'));
        assert_eq!(reference(b"&amp;amp;#xe9;t"), Escape::of(14, '\u{e9}'));
        assert_eq!(reference(b"&Eacute;"), Escape::of(8, 'E'));
        assert_eq!(reference(b"&quot;x"), Escape::separator(6));
        assert_eq!(reference(b"&amp; more;"), Escape::separator(5));
        for text in ["&", "&;", "&#;", "&#x;", "&#+5;", "&#99999999;", "&unknown;", "& a;", "&#xD800;"] {
            assert_eq!(reference(text.as_bytes()), Escape::separator(1), "{text}");
        }
    }

    #[test]
    fn escapes_of_strings_are_resolved() {
        assert_eq!(backslash(br"\nx"), Escape::separator(2));
        assert_eq!(backslash(br"\\nx"), Escape::separator(3));
        assert_eq!(backslash(br"\u00e9"), Escape::of(6, '\u{e9}'));
        assert_eq!(backslash(br"\ud835\udc00x"), Escape::of(12, '\u{1D400}'));
        assert_eq!(backslash(br"\ud835 x"), Escape::separator(6));
        for text in [r"\", r"\u", r"\u12", r"\u12g4", r"\*"] {
            assert_eq!(backslash(text.as_bytes()), Escape::separator(1), "{text}");
        }
        assert_eq!(backslash(br"\ud835"), Escape::separator(6));
    }
}
