//! Removes line ends between letters of scripts without spaces.
//!
//! The lines of Chinese, Japanese or Thai text are wrapped at any letter. Such a line end is not part of the text. A
//! space instead of it would be a character that the same text wrapped at another width does not have.

use super::spaces::{split_line, white_space_len};
use crate::base::flat::offset_map::Trace;
use crate::base::scripts::{first_char, joins_lines, last_char};

/// Drops each single line end between two letters or marks of scripts without spaces, with the white space around it.
///
/// A blank line and U+2029 end a paragraph and stay. Line ends are LF, CR LF and CR; other characters that end a line,
/// such as U+2028, were written deliberately and stay. `text` must be valid UTF-8 and remains so.
pub(in crate::text::normalize) fn drop_line_ends<T: Trace>(text: &mut Vec<u8>, trace: &mut T) {
    // The characters of these scripts have three bytes or more, and in many texts no other character has.
    if text.iter().fold(0, |most, &byte| most.max(byte)) < 0xE0 {
        return;
    }
    // The text up to `kept` is processed, and its result ends at `write`.
    let (mut kept, mut write, mut from) = (0, 0, 0);
    while let Some(at) = memchr::memchr2(b'\n', b'\r', &text[from..]).map(|len| from + len) {
        let mut end = at;
        while let len @ 1.. = white_space_len(&text[end..]) {
            end += len;
        }
        // All line ends of the white space follow the same character, which is looked for once.
        from = end;
        // For other scripts, nearly all line ends fail this test.
        let Some(before) = joining_start(&text[..at]) else { continue };
        let run = &text[before..end];
        let (line, line_end) = split_line(run);
        let is_single = before + line == at && split_line(&run[line + line_end..]).1 == 0;
        if !is_single || !first_char(&text[end..]).is_some_and(joins_lines) {
            continue;
        }
        text.copy_within(kept..before, write);
        write += before - kept;
        trace.copied(before - kept);
        trace.left_out(end - before);
        kept = end;
    }
    if kept == 0 {
        return;
    }
    trace.copied(text.len() - kept);
    trace.end_step();
    text.copy_within(kept.., write);
    text.truncate(write + text.len() - kept);
}

/// Start of the white space at the end of a text, if the character before it joins lines.
fn joining_start(text: &[u8]) -> Option<usize> {
    let mut end = text.len();
    loop {
        match last_char(&text[..end])? {
            c if c.is_whitespace() => end -= c.len_utf8(),
            c => return joins_lines(c).then_some(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::flat::offset_map::NoTrace;
    use crate::base::flat::offset_trace::OffsetTrace;
    use crate::text::normalize::{Normalization, Normalizer, Units, normalize};

    fn joined(text: &str) -> String {
        let (mut bytes, mut trace) = (text.as_bytes().to_vec(), OffsetTrace::default());
        drop_line_ends(&mut bytes, &mut trace);
        let (map, _) = trace.into_parts(bytes.len());
        let joined = String::from_utf8(bytes).unwrap();
        if joined == text {
            return joined;
        }
        assert_eq!((map.made_len(), map.source_len()), (joined.len(), text.len()), "{text:?}");
        for (at, c) in joined.char_indices() {
            assert_eq!(&text[map.source_range(at..at + c.len_utf8())], c.to_string(), "{text:?}");
        }
        joined
    }

    /// The definition, character by character.
    fn naive(text: &str) -> String {
        let chars: Vec<char> = text.chars().collect();
        let (mut made, mut at) = (String::new(), 0);
        while at < chars.len() {
            let end = (at..chars.len()).find(|&end| !chars[end].is_whitespace()).unwrap_or(chars.len());
            let run: String = chars[at..end].iter().collect();
            let plain = run.replace("\r\n", "\n").replace('\r', "\n");
            let is_end = |c: char| matches!(c, '\n' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}');
            let is_single = plain.chars().filter(|&c| is_end(c)).eq(['\n']);
            let joins = |at: usize| chars.get(at).is_some_and(|&c| joins_lines(c));
            if !(is_single && at > 0 && joins(at - 1) && joins(end)) {
                made += &run;
            }
            made.extend(chars.get(end));
            at = end + 1;
        }
        made
    }

    #[test]
    fn a_single_line_end_between_letters_without_spaces_is_dropped() {
        for (text, expected) in [
            ("中文\n文字", "中文文字"),
            ("中文 \t\r\n\u{3000}文字\r一", "中文文字一"),
            ("ひらがな\nカタカナ\nー々", "ひらがなカタカナー々"),
            ("ภา\nษาไทยวั\nน", "ภาษาไทยวัน"),
            ("ພາ\nສາ ខ្មែ\nរ မြန်\nမာ", "ພາສາ ខ្មែរ မြန်မာ"),
        ] {
            assert_eq!(joined(text), expected, "{text:?}");
        }
        let kept = [
            "中文\n\n文字",
            "中文\r\n \r\n文字",
            "中文\u{2029}文字",
            "中文\u{2028}文字",
            "中文\n\u{2028}文字",
            "中文 文字",
            "中文。\n文字",
            "中文\nlatin",
            "latin\n中文",
            "中文\n12",
            "한국\n어",
            "\n中文\n",
            "one\ntwo",
            "é\né",
        ];
        for text in kept {
            assert_eq!(joined(text), text, "{text:?}");
        }
    }

    #[test]
    fn a_text_of_line_ends_takes_time_in_proportion_to_its_length() {
        // Looking back from each line end would take hours.
        for end in ["\n", "\n\u{3000}", "\r\n \t"] {
            for start in ["é…", "文", ""] {
                let text = format!("{start}{}文", end.repeat(3_000_000));
                assert!(joined_without_trace(&text) == text);
            }
        }
    }

    fn joined_without_trace(text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        drop_line_ends(&mut bytes, &mut NoTrace);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn two_line_widths_of_a_text_are_one_text_after_folding() {
        let text = "我们常说的运行时是操作系统提供的";
        let wrapped = "我们常说的运\n行时是操作\r\n  系统提供的";
        assert_eq!(normalize(wrapped), text);
        // Punctuation that is removed between two letters does not separate them.
        let settings = Normalization { strip_punctuation: true, ..Normalization::default() };
        assert_eq!(Normalizer::new(&settings, Units::Text).normalize("中文，\n文字"), "中文文字");
        let settings = Normalization { keep_whitespace: true, ..Normalization::default() };
        assert_eq!(Normalizer::new(&settings, Units::Text).normalize("中文\n文字"), "中文\n文字");
        let sentences = Normalizer::new(&Normalization::default(), Units::Sentences).normalize("中\n文。下\n一句");
        assert_eq!(sentences, "中文。\n下一句");
        let lines = Normalizer::new(&Normalization::default(), Units::Lines).normalize("中文\n文字");
        assert_eq!(lines, "中文\n文字");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn equals_the_definition(
            text in r"([中文ก็あカーမ]|[a.é한]|[ \u{3000}\u{A0}]{1,2}|\n|\r|\r\n|\u{85}|\u{2028}|\u{2029}|\x0B){0,40}",
        ) {
            prop_assert_eq!(joined(&text), naive(&text));
        }
    }
}
