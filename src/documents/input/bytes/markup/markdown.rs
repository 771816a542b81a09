//! Markdown: the text of CommonMark with the extensions of GitHub and Pandoc that the crate `pulldown-cmark` parses.
//!
//! The text does not contain front matter, link targets, the descriptions of images, numbers of notes, tags of HTML, and the
//! attributes and fences of Pandoc.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::traced_text::TracedText;
use crate::base::flat::offset_map::Trace;
use crate::documents::input::panic_guard::{Panicked, contain};

/// The part of HTML that the next character belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InHtml {
    Text,
    Tag,
    Comment,
}

pub(super) fn strip<T: Trace>(out: &mut TracedText<T>) -> Result<(), Panicked> {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_DEFINITION_LIST
        | Options::ENABLE_MATH
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_PLUSES_DELIMITED_METADATA_BLOCKS;
    let mut events = contain(|| Parser::new_ext(out.source, options).into_offset_iter())?;
    let (mut num_unread, mut html) = (0_u32, InHtml::Text);
    // Whether attributes may follow, as after code and links, and whether the line is a fence.
    let (mut may_have_attributes, mut is_fence) = (false, false);
    while let Some((event, range)) = contain(|| events.next())? {
        let is_after_mark = std::mem::replace(
            &mut may_have_attributes,
            matches!(event, Event::Code(_) | Event::End(TagEnd::Link | TagEnd::Image)),
        );
        is_fence &= matches!(event, Event::Text(_) | Event::Code(_));
        is_fence |= matches!(event, Event::Text(_)) && is_on_fence(out.source, range.start);
        match event {
            Event::Start(Tag::Image { .. } | Tag::MetadataBlock(_)) => num_unread += 1,
            Event::End(TagEnd::Image | TagEnd::MetadataBlock(_)) => num_unread = num_unread.saturating_sub(1),
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::Item | Tag::CodeBlock(_) | Tag::Table(_)) => {
                html = InHtml::Text;
                out.end_paragraph();
            }
            Event::End(
                TagEnd::Paragraph
                | TagEnd::Heading(_)
                | TagEnd::Item
                | TagEnd::CodeBlock
                | TagEnd::TableCell
                | TagEnd::HtmlBlock
                | TagEnd::DefinitionListTitle
                | TagEnd::DefinitionListDefinition,
            ) => {
                html = InHtml::Text;
                out.end_paragraph();
            }
            _ if num_unread > 0 => {}
            Event::Text(_) | Event::Code(_) if is_fence => out.skip_to(range.end),
            Event::Text(text) if is_after_mark && text.starts_with('{') => {
                out.skip_to(range.start + attributes_len(&text));
                out.copy_to(range.end);
            }
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) | Event::DisplayMath(text) => {
                // Code and formulas have marks around them.
                let inner = out.source.get(range.clone()).and_then(|source| source.find(&*text));
                match inner {
                    Some(start) if range.start + start >= out.at() => {
                        out.skip_to(range.start + start);
                        out.copy_to(range.start + start + text.len());
                    }
                    _ => {
                        out.skip_to(range.start);
                        out.replace_to(range.end, &text);
                    }
                }
                out.skip_to(range.end);
            }
            Event::SoftBreak | Event::HardBreak => {
                out.skip_to(range.start);
                out.replace_to(range.end, "\n");
            }
            Event::Html(_) | Event::InlineHtml(_) => {
                out.skip_to(range.start);
                html = strip_html(out, range.end, html);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a place is on a line that is a fence of Pandoc, such as `::: {.note}`, which is text for other programs.
fn is_on_fence(source: &str, at: usize) -> bool {
    /// Maximum bytes that are read around the place, so that long lines do not make a document slow.
    const MOST: usize = 1 << 10;
    let (bytes, from) = (source.as_bytes(), at.saturating_sub(MOST));
    let start = match bytes[from..at].iter().rposition(|&byte| byte == b'\n') {
        Some(end) => from + end + 1,
        None if from == 0 => 0,
        None => return false,
    };
    let line = &bytes[start..bytes.len().min(start + MOST)];
    line.iter().position(|&byte| byte != b' ').is_some_and(|text| line[text..].starts_with(b":::"))
}

/// The length of the attributes that a text begins with, such as `{.class key="value"}`; 0 for other text.
fn attributes_len(text: &str) -> usize {
    let end = text.find('}').unwrap_or(0);
    let inner = text.get(1..end).unwrap_or_default();
    let is_attribute = |word: &str| word.starts_with(['.', '#']) || word.contains('=');
    if inner.split_whitespace().next().is_some_and(is_attribute) { end + 1 } else { 0 }
}

/// Copies a part of HTML without its tags and comments, which may go on in the next part.
fn strip_html<T: Trace>(out: &mut TracedText<T>, end: usize, mut state: InHtml) -> InHtml {
    while out.at() < end {
        let rest = &out.source[out.at()..end];
        let (mark, next) = match state {
            InHtml::Text if rest.starts_with("<!--") => ("", InHtml::Comment),
            InHtml::Text if rest.starts_with('<') => ("", InHtml::Tag),
            InHtml::Text => ("<", InHtml::Text),
            InHtml::Tag => (">", InHtml::Text),
            InHtml::Comment => ("-->", InHtml::Text),
        };
        let found = rest.find(mark);
        let len = found.map_or(rest.len(), |at| if state == InHtml::Text { at } else { at + mark.len() });
        match state {
            InHtml::Text => out.copy_to(out.at() + len),
            InHtml::Tag | InHtml::Comment => out.skip_to(out.at() + len),
        }
        if found.is_some() {
            state = next;
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use super::super::strip as strip_markup;
    use crate::base::flat::offset_map::NoTrace;
    use crate::base::flat::offset_trace::OffsetTrace;
    use crate::documents::document::Markup;
    use crate::documents::input::text_modes::HtmlMode;
    use proptest::prelude::*;

    fn text_of(markdown: &str) -> String {
        let mut text = Vec::new();
        strip_markup(Markup::Markdown, HtmlMode::Auto, markdown.as_bytes(), &mut text, &mut NoTrace).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_long_line_of_marks_costs_no_more_than_its_length() {
        // Each mark was searched for the start of its line before, so that this took minutes.
        assert_eq!(text_of(&"\\*".repeat(1 << 20)).matches('*').count(), 1 << 20);
    }

    #[test]
    fn markup_is_not_text() {
        let words = |markdown: &str| text_of(markdown).split_whitespace().collect::<Vec<_>>().join(" ");
        for (markdown, text) in [
            (
                "---\ntitle: x\n---\n\n# The *ferry*\n\nIt [leaves](http://a.b \"t\") at `nine`.\n",
                "The ferry It leaves at nine.",
            ),
            ("a\n===\n\n* b\n* c ![d](e)\n\n1. f\\*g\n   > h\n", "a b c f*g h"),
            ("| a | b |\n|---|---|\n| c | **d** |\n", "a b c d"),
            (
                "Text[^1] &amp; <b>bold</b> <!-- no\nno --> x<br>\n\n[^1]: Note.\n\n```rust\nlet a = \"*\";\n```\n",
                "Text & bold x Note. let a = \"*\";",
            ),
            ("<div class=\"a\n>\">\ntext <p>more\n</div>\n\nend $x^2$ ~~old~~\n", "\"> text more end x^2 old"),
            ("- [x] done\n\n***\nterm\n: what\n\n+++\n", "done term what +++"),
            ("See `x`{.a b=\"c\"} and `y`{z}.\n\n::: {.note}\nIn it.\n:::\n", "See x and y{z}. In it."),
            ("", ""),
        ] {
            assert_eq!(words(markdown), text, "{markdown}");
        }
    }

    proptest! {
        #[test]
        fn every_byte_of_the_source_is_traced(markdown in "(?:[a-e*_`\\[\\]()<>!#$| \\n\\\\&;:~-]|\\n\\n|```|&amp;|<!--|-->|\\[\\^1\\]|é){0,60}") {
            let (mut text, mut trace) = (Vec::new(), OffsetTrace::default());
            strip_markup(Markup::Markdown, HtmlMode::Auto, markdown.as_bytes(), &mut text, &mut trace).unwrap();
            let (map, _) = trace.into_parts(text.len());
            if map.made_len() > 0 || !markdown.is_empty() {
                prop_assert_eq!((map.made_len(), map.source_len()), (text.len(), markdown.len()));
            }
        }
    }
}
