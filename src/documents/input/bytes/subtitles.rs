//! Subtitles in the forms SubRip (`.srt`) and WebVTT (`.vtt`): the text that people read.
//!
//! Times, cue numbers and names, tags, notes and styles are removed. The lines stay, so that line numbers count the lines of
//! the file.

use memchr::memmem;

use crate::base::flat::offset_map::Trace;

/// Separates the beginning and the end of a cue.
const ARROW: &[u8] = b"-->";
/// The first bytes of WebVTT.
const WEBVTT: &[u8] = b"WEBVTT";
/// Names that WebVTT has for characters, and the two for quotation marks that other programs write.
const REFERENCES: [(&[u8], char); 8] = [
    (b"&amp;", '&'),
    (b"&lt;", '<'),
    (b"&gt;", '>'),
    (b"&quot;", '"'),
    (b"&apos;", '\''),
    (b"&nbsp;", '\u{A0}'),
    (b"&lrm;", '\u{200E}'),
    (b"&rlm;", '\u{200F}'),
];

/// Whether a text consists of subtitles: WebVTT with a cue, or the number and the times of a cue of SubRip.
pub(crate) fn are_subtitles(text: &[u8]) -> bool {
    match text.first() {
        Some(b'W') => is_webvtt(text) && memmem::find(text, ARROW).is_some(),
        Some(b'0'..=b'9' | b'\r' | b'\n') => {
            let mut lines =
                text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).skip_while(|line| line.is_empty());
            lines.next().is_some_and(is_number) && lines.next().is_some_and(are_times)
        }
        _ => false,
    }
}

fn is_webvtt(text: &[u8]) -> bool {
    text.strip_prefix(WEBVTT).is_some_and(|rest| matches!(rest.first(), None | Some(b' ' | b'\t' | b'\r' | b'\n')))
}

fn is_number(line: &[u8]) -> bool {
    !line.is_empty() && line.iter().all(u8::is_ascii_digit)
}

/// Whether a line has the times of a cue: `00:01:02,500 --> 00:01:04,000`, possibly followed by settings.
fn are_times(line: &[u8]) -> bool {
    let Some(at) = memmem::find(line, ARROW) else { return false };
    let is_time = |time: &[u8]| {
        let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b':' | b',' | b'.');
        time.first().is_some_and(u8::is_ascii_digit) && time.contains(&b':') && time.iter().all(is_part)
    };
    let (start, end) = (line[..at].trim_ascii(), line[at + ARROW.len()..].trim_ascii());
    let end = end.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    is_time(start) && is_time(end)
}

/// Appends the text of subtitles.
pub(crate) fn strip<T: Trace>(subtitles: &[u8], text: &mut Vec<u8>, trace: &mut T) {
    let is_webvtt = is_webvtt(subtitles);
    // Whether lines are ignored up to the next blank line, as in the header, in notes and in styles.
    let mut is_ignored = is_webvtt;
    let mut was_blank = true;
    let mut lines = subtitles.split_inclusive(|&byte| byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let content = line.trim_ascii();
        let begins = |word: &[u8]| content == word || content.strip_prefix(word).is_some_and(|it| it.starts_with(b" "));
        let is_block = |word: &&[u8]| is_webvtt && was_blank && begins(word);
        is_ignored &= !content.is_empty();
        is_ignored |= [&b"NOTE"[..], b"STYLE", b"REGION"].iter().any(is_block);
        let is_name = was_blank
            && (is_webvtt || is_number(content))
            && lines.peek().is_some_and(|next| are_times(next.trim_ascii()));
        if is_ignored || is_name || are_times(content) {
            let end = line.len() - line.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
            trace.left_out(end);
            copy(&line[end..], text, trace);
        } else {
            strip_line(line, text, trace);
        }
        was_blank = content.is_empty();
    }
    trace.end_step();
}

fn copy<T: Trace>(bytes: &[u8], text: &mut Vec<u8>, trace: &mut T) {
    text.extend_from_slice(bytes);
    trace.copied(bytes.len());
}

/// Appends a line without its tags.
fn strip_line<T: Trace>(line: &[u8], text: &mut Vec<u8>, trace: &mut T) {
    let mut rest = line;
    while let Some(at) = memchr::memchr3(b'<', b'{', b'&', rest) {
        copy(&rest[..at], text, trace);
        rest = &rest[at..];
        if let Some((len, c)) = reference(rest) {
            trace.replaced(len, c.len_utf8());
            text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            rest = &rest[len..];
            continue;
        }
        let len = tag_len(rest);
        if len > 0 {
            trace.left_out(len);
        } else {
            copy(&rest[..1], text, trace);
        }
        rest = &rest[len.max(1)..];
    }
    copy(rest, text, trace);
}

/// The length of a reference such as `&amp;` or `&#39;` at the start of a text, and its character.
fn reference(text: &[u8]) -> Option<(usize, char)> {
    /// Maximum length of a number.
    const MOST: usize = 8;
    let named = REFERENCES.iter().find(|(name, _)| text.starts_with(name));
    if let Some((name, c)) = named {
        return Some((name.len(), *c));
    }
    let number = text.strip_prefix(b"&#")?;
    let len = number.iter().take(MOST).position(|&byte| byte == b';')?;
    let digits = std::str::from_utf8(&number[..len]).ok()?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    // A line end would add a line to the file.
    let c = char::from_u32(code.ok()?).filter(|c| !c.is_control())?;
    Some((len + b"&#;".len(), c))
}

/// The length of a tag such as `<i>`, `</c.loud>`, `<00:01.500>` or `{\an8}`; 0 for other text.
fn tag_len(text: &[u8]) -> usize {
    let (end, is_tag) = match text {
        // A phonetic guide, with its text.
        [b'<', b'r', b't', b'>', ..] => return ruby_text_len(text),
        [b'<', b'/' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9', ..] => (b'>', true),
        [b'{', b'\\', ..] => (b'}', true),
        _ => (0, false),
    };
    let line = &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())];
    if is_tag { memchr::memchr(end, line).map_or(0, |at| at + 1) } else { 0 }
}

/// The length of a phonetic guide of WebVTT, up to its end tag or the end of the line.
fn ruby_text_len(text: &[u8]) -> usize {
    let line = &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())];
    let end = memmem::find(line, b"</rt>").map(|at| at + b"</rt>".len());
    end.or_else(|| memmem::find(line, b"</ruby>")).unwrap_or(line.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flat::offset_map::NoTrace;

    fn text_of(subtitles: &str) -> String {
        assert!(are_subtitles(subtitles.as_bytes()), "{subtitles}");
        let mut text = Vec::new();
        strip(subtitles.as_bytes(), &mut text, &mut NoTrace);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn cues_lose_times_numbers_and_tags_and_keep_their_lines() {
        let srt = "1\r\n00:00:01,000 --> 00:00:04,000 X1:2\r\n<i>The ferry</i> leaves\r\nat 9 < 10.\r\n\r\n2\r\n00:00:05,000 --> 00:00:06,000\r\n{\\an8}1999\r\n";
        assert_eq!(text_of(srt), "\r\n\r\nThe ferry leaves\r\nat 9 < 10.\r\n\r\n\r\n\r\n1999\r\n");
        let vtt = "WEBVTT - a title\nKind: captions\n\nNOTE a note\nof two lines\n\nSTYLE\n::cue {}\n\nfirst\n00:01.000 --> 00:04.000 align:start\n<v Ann>The <00:02.000><c>ferry</c> leaves &amp;\nNOTE at nine.\n\n00:05.000 --> 00:06.000\nEnd.\n";
        assert_eq!(text_of(vtt), "\n\n\n\n\n\n\n\n\n\n\nThe ferry leaves &\nNOTE at nine.\n\n\nEnd.\n");
    }

    #[test]
    fn references_are_characters_and_phonetic_guides_are_no_text() {
        let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n&#39;a&#x27; &quot;b&quot; &#10; &#99999999; &#; &x;\n\
            <ruby>漢<rt>かん</rt>字<rt>じ</ruby>を\n<rt>open\nEnd.\n";
        assert_eq!(text_of(vtt), "\n\n\n'a' \"b\" &#10; &#99999999; &#; &x;\n漢字を\n\nEnd.\n");
    }

    #[test]
    fn other_texts_are_no_subtitles() {
        for text in
            ["1\nfirst\n", "WEBVTT is a format", "WEBVTTX\n-->", "12:00 --> 13:00\n", "", "1", "7\n\n00:01 --> 00:02"]
        {
            assert!(!are_subtitles(text.as_bytes()), "{text}");
        }
    }
}
