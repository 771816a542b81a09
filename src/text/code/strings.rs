//! Finds the ends of strings, comments and regular expressions.
//!
//! Each search reads its part of the text once. A failed search reports how far it read, so that the scanner does not
//! search the same part for the same closer again.

use super::rules::StringForm;

/// Position after the closer, or how far a failed search read.
pub(super) type Search = Result<usize, usize>;

/// Finds the end of a string, without special treatment of programs in it.
///
/// * `at`: the position after its opener.
pub(super) fn string_end(text: &[u8], at: usize, form: &StringForm) -> Search {
    let mut next = at;
    while next < text.len() {
        match text[next] {
            b'\\' if form.escapes => next += form.escape_len(text, next),
            b'\n' | b'\r' if !form.has_lines => return Err(next),
            _ if begins_with(&text[next..], form.close) => {
                next = form.closer_end(text, next);
                if !(form.doubles && begins_with(&text[next..], form.close)) {
                    return Ok(next);
                }
                next += form.close.len();
            }
            _ => next += 1,
        }
    }
    Err(text.len())
}

impl StringForm {
    /// End of the closer at `at`.
    fn closer_end(&self, text: &[u8], at: usize) -> usize {
        let end = at + self.close.len();
        let quote = self.close.as_bytes()[0];
        let more = if self.takes_quotes { text[end..].iter().take_while(|&&byte| byte == quote).count() } else { 0 };
        end + more
    }

    /// Number of bytes of a backslash and the characters that it escapes.
    fn escape_len(&self, text: &[u8], at: usize) -> usize {
        let len = escape_len(text, at);
        let skips = self.skips_space && text.get(at + 1) == Some(&b'z');
        let space = || text[at + len..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        len + if skips { space() } else { 0 }
    }
}

/// Whether a text begins with a mark, which must not be empty. Most texts differ in the first byte.
#[inline]
pub(super) fn begins_with(text: &[u8], mark: &str) -> bool {
    text.first() == Some(&mark.as_bytes()[0]) && (mark.len() == 1 || text.starts_with(mark.as_bytes()))
}

/// State of a search: in a string, or in a program within a string, after `open_brackets` brackets that are not closed
/// yet.
enum Frame {
    String,
    Program { open_brackets: usize },
}

/// Same as [`string_end`], but ignores closers in programs within the string.
///
/// * `inner`: the marks that begin and end such a program.
pub(super) fn string_end_with_inner(text: &[u8], at: usize, form: &StringForm, inner: (&str, u8)) -> Search {
    let (open, close) = inner;
    let bracket = open.as_bytes()[open.len() - 1];
    let mut frames = vec![Frame::String];
    let mut next = at;
    while next < text.len() {
        let rest = &text[next..];
        match (frames.last_mut(), text[next]) {
            (None, _) => return Ok(next),
            (_, b'\n' | b'\r') if !form.has_lines => return Err(next),
            // If a single `{` begins a program, `{{` is a bracket of the text.
            (Some(Frame::String), b'{') if open == "{" && rest.starts_with(b"{{") => next += 2,
            (Some(Frame::String), _) if begins_with(rest, open) => {
                frames.push(Frame::Program { open_brackets: 0 });
                next += open.len();
            }
            (Some(Frame::String), b'\\') if form.escapes => next += form.escape_len(text, next),
            (Some(Frame::String), _) if begins_with(rest, form.close) => {
                next = form.closer_end(text, next);
                if form.doubles && begins_with(&text[next..], form.close) {
                    next += form.close.len();
                } else {
                    frames.pop();
                }
            }
            (Some(Frame::String), _) => next += 1,
            (Some(Frame::Program { .. }), b'\\') => next += escape_len(text, next),
            (Some(Frame::Program { open_brackets }), byte) if byte == bracket => {
                *open_brackets += 1;
                next += 1;
            }
            (Some(Frame::Program { open_brackets }), byte) if byte == close => {
                match open_brackets.checked_sub(1) {
                    Some(open) => *open_brackets = open,
                    None => drop(frames.pop()),
                }
                next += 1;
            }
            (Some(Frame::Program { .. }), _) if begins_with(rest, form.close) => {
                frames.push(Frame::String);
                next += form.close.len();
            }
            (Some(Frame::Program { .. }), b'"' | b'\'') => next = line_string_end(text, next).unwrap_or(next + 1),
            (Some(Frame::Program { .. }), _) => next += 1,
        }
    }
    if frames.is_empty() { Ok(text.len()) } else { Err(text.len()) }
}

/// End of a string on one line, whose quote is at `at`; `None` if the line ends before the string.
fn line_string_end(text: &[u8], at: usize) -> Option<usize> {
    let mut next = at + 1;
    while let Some(&byte) = text.get(next) {
        match byte {
            b'\\' => next += escape_len(text, next),
            b'\n' => return None,
            byte if byte == text[at] => return Some(next + 1),
            _ => next += 1,
        }
    }
    None
}

/// Number of bytes of a backslash and the character that it escapes; a line end counts as one character.
pub(super) fn escape_len(text: &[u8], at: usize) -> usize {
    let len = if text[at..].starts_with(b"\\\r\n") { 3 } else { 2 };
    len.min(text.len() - at)
}

/// Finds the end of a comment.
///
/// * `at`: the position after its opener.
pub(super) fn comment_end(text: &[u8], at: usize, open: &str, close: &str, nests: bool) -> Search {
    if !nests {
        let found = memchr::memmem::find(&text[at..], close.as_bytes());
        return found.map_or(Err(text.len()), |len| Ok(at + len + close.len()));
    }
    let (mut depth, mut next) = (1, at);
    while next < text.len() {
        if text[next..].starts_with(close.as_bytes()) {
            depth -= 1;
            next += close.len();
            if depth == 0 {
                return Ok(next);
            }
        } else if text[next..].starts_with(open.as_bytes()) {
            depth += 1;
            next += open.len();
        } else {
            next += 1;
        }
    }
    Err(text.len())
}

/// Finds the end of a text between two brackets, including nested ones. If both marks are equal, the next one ends the
/// text.
///
/// * `at`: the position after the opener.
pub(super) fn bracketed_end(text: &[u8], at: usize, open: u8, close: u8) -> Search {
    let (mut depth, mut next) = (0, at);
    while next < text.len() {
        match text[next] {
            b'\\' => next += escape_len(text, next),
            byte if byte == close && depth == 0 => return Ok(next + 1),
            byte => {
                depth += usize::from(byte == open && open != close);
                depth -= usize::from(byte == close);
                next += 1;
            }
        }
    }
    Err(text.len())
}

/// Finds the end of a regular expression: a slash outside of character classes, and the flags after it. With the flag `v`,
/// classes may contain classes.
///
/// * `at`: the position after the first slash.
/// * `has_lines`: whether the expression may have several lines.
pub(super) fn regex_end(text: &[u8], at: usize, has_lines: bool) -> Search {
    let plain = regex_end_by(text, at, has_lines, false);
    let has_class_in_class =
        || text[at..plain.unwrap_or_else(|stop| stop)].iter().filter(|byte| **byte == b'[').count() > 1;
    if has_lines || !has_class_in_class() {
        return plain;
    }
    let has_flag = |&end: &usize| text[..end].iter().rev().take_while(|byte| **byte != b'/').any(|byte| *byte == b'v');
    regex_end_by(text, at, has_lines, true).ok().filter(has_flag).map_or(plain, Ok)
}

/// * `nests`: whether classes may have others in them.
fn regex_end_by(text: &[u8], at: usize, has_lines: bool, nests: bool) -> Search {
    let (mut next, mut depth) = (at, 0_usize);
    while next < text.len() {
        match text[next] {
            b'\\' if next + 1 < text.len() && (has_lines || text[next + 1] != b'\n') => next += 2,
            b'\n' | b'\r' if !has_lines => return Err(next),
            b'/' if depth == 0 => {
                let flags = text[next + 1..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                return Ok(next + 1 + flags);
            }
            byte => {
                depth = match byte {
                    b'[' if nests => depth + 1,
                    b'[' => 1,
                    b']' => depth.saturating_sub(1),
                    _ => depth,
                };
                next += 1;
            }
        }
    }
    Err(text.len())
}

#[cfg(test)]
mod tests {
    use super::super::rules::{lines, quoted, raw, with_inner};
    use super::*;

    #[test]
    fn a_string_ends_at_its_closer() {
        let check = |text: &str, form: StringForm, expected| {
            assert_eq!(string_end(text.as_bytes(), form.open.len(), &form), expected, "{text}");
        };
        check("\"a\\\"b\" c", quoted("\""), Ok(6));
        check("\"a\nb\"", quoted("\""), Err(2));
        check("\"a\\\nb\"", quoted("\""), Ok(6));
        check("\"a\\\r\nb\"", quoted("\""), Ok(7));
        check("\"a\nb\"", lines("\""), Ok(5));
        check("'a''b' c", StringForm { doubles: true, ..raw("'", "'") }, Ok(6));
        check("'a\\'b", raw("'", "'"), Ok(4));
        check("\"\\", quoted("\""), Err(2));
        check("\"\\é\"", quoted("\""), Ok(5));
        check("\"\"\"a\"\"b\"\"\" c", lines("\"\"\""), Ok(10));
    }

    #[test]
    fn a_program_within_a_string_may_have_its_closer() {
        let check = |text: &str, form: StringForm, expected| {
            let inner = form.inner.unwrap();
            assert_eq!(string_end_with_inner(text.as_bytes(), form.open.len(), &form, inner), expected, "{text}");
        };
        let template = || with_inner(lines("`"), "${", b'}');
        check("`a ${b + `c ${d}`} e` f", template(), Ok(21));
        check("`${ {a: '}`'} }` x", template(), Ok(16));
        check("`${a` b", template(), Err(7));
        check("\"$(echo \"x y\" 'z\"')\" a", with_inner(lines("\""), "$(", b')'), Ok(20));
        check("\"#{h[\"a\"]}\"", with_inner(quoted("\""), "#{", b'}'), Ok(11));
        check("\"\\(a) \\\"\"", with_inner(quoted("\""), "\\(", b')'), Ok(9));
        check("\"{{ {a} }}\" b", with_inner(quoted("\""), "{", b'}'), Ok(11));
        let doubled = StringForm { doubles: true, ..raw("\"", "\"") };
        check("\"a\"\"{b(\"c\")}\\\" d", with_inner(doubled, "{", b'}'), Ok(14));
    }

    #[test]
    fn comments_nest_where_they_may() {
        assert_eq!(comment_end(b"/* /* */ */ x", 2, "/*", "*/", false), Ok(8));
        assert_eq!(comment_end(b"/* /* */ */ x", 2, "/*", "*/", true), Ok(11));
        assert_eq!(comment_end(b"/*/", 2, "/*", "*/", false), Err(3));
        assert_eq!(comment_end(b"/* /* */", 2, "/*", "*/", true), Err(8));
    }

    #[test]
    fn a_regular_expression_may_have_a_slash_in_a_class() {
        assert_eq!(regex_end(b"/[/]\\//gi.x", 1, false), Ok(9));
        assert_eq!(regex_end(b"/[[a]/]/v.x", 1, false), Ok(9));
        assert_eq!(regex_end(b"/[[a]/i]/v", 1, false), Ok(10));
        assert_eq!(regex_end(b"/[[a]/g, [b]", 1, false), Ok(7), "no flag v");
        assert_eq!(regex_end(b"/a\nb/", 1, false), Err(2));
        assert_eq!(regex_end(b"/a\\", 1, false), Err(3));
        assert_eq!(regex_end(b"/a\n b/x.c", 1, true), Ok(7));
    }
}
