//! Extracts the text of an HTML page, without markup, scripts and styles.
//!
//! The tokenizer of html5gum cuts the page into tags and text; no tree is built. Text that is separate on the screen
//! gets its own line: each tag separates the text before it from the text after it, except for tags that occur inside a
//! sentence. After a letter of a script without spaces, where normalisation drops a single line end, a tag makes a
//! blank line.

mod tags;
mod hidden;
mod landmarks;
mod main_text;
mod places;

use std::convert::Infallible;

use self::hidden::HiddenText;
use self::main_text::PagePart;
use self::places::TextPlaces;
use self::tags::{ENDS_FOREIGN, LEFT_OUT, MOST_DEPTH, ends_ruby_text, is_inline, is_ruby_text};
use crate::base::flat::offset_map::{NoTrace, Trace};
use crate::base::scripts::{joins_lines, last_char};
use crate::documents::input::panic_guard::{Panicked, contain};

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Emitter, ForwardingEmitter, Span, State, Tokenizer};

/// Appends the text of `page` to `text`. Both are valid UTF-8.
///
/// * `trace`: records from where in the page the text comes.
///
/// # Errors
/// When the tokenizer panics. `text` then contains part of the page's text.
pub(crate) fn strip<T: Trace>(page: &[u8], text: &mut Vec<u8>, trace: &mut T) -> Result<(), Panicked> {
    read(page, text, trace, &mut PagePart::Whole)
}

/// Like [`strip`], but appends only the main text of the page.
pub(crate) fn strip_main<T: Trace>(page: &[u8], text: &mut Vec<u8>, trace: &mut T) -> Result<(), Panicked> {
    let mut part = PagePart::outlined();
    read(page, text, &mut NoTrace, &mut part)?;
    read(page, text, trace, &mut part.kept())
}

fn read<T: Trace>(page: &[u8], text: &mut Vec<u8>, trace: &mut T, part: &mut PagePart) -> Result<(), Panicked> {
    let mut places = TextPlaces::new(page, trace);
    let mut inner = CallbackEmitter::new(Stripper::new(text, &mut places, part));
    inner.naively_switch_states(true);
    // All events go to the emitter and none is returned, so `next` runs to the end of the page.
    match contain(|| Tokenizer::new_with_emitter(page, Page { inner }).next())? {
        None => {
            places.finish();
            Ok(())
        }
        Some(Ok(never) | Err(never)) => match never {},
    }
}

/// Reports to the tokenizer which elements are not HTML: inside them `<style>` and `<title>` contain markup like any
/// other element.
struct Page<'a, 'p, T: Trace> {
    inner: CallbackEmitter<Stripper<'a, 'p, T>, Infallible>,
}

impl<T: Trace> ForwardingEmitter for Page<'_, '_, T> {
    type Token = Infallible;

    fn inner(&mut self) -> &mut impl Emitter<Token = Infallible> {
        &mut self.inner
    }

    /// The errors are not used, and detecting them needs a sixth of the time.
    fn should_emit_errors(&mut self) -> bool {
        false
    }

    fn emit_current_tag(&mut self) -> Option<State> {
        let state = self.inner.emit_current_tag();
        state.filter(|_| !self.inner.callback_mut().is_foreign_tag)
    }

    fn move_position(&mut self, offset: isize) {
        self.inner.callback_mut().places.move_position(offset);
    }

    fn emit_string(&mut self, text: &[u8]) {
        self.inner.callback_mut().places.gather(text);
        self.inner.emit_string(text);
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&mut self) -> bool {
        self.inner.callback_mut().is_foreign()
    }
}

struct Stripper<'a, 'p, T> {
    text: &'a mut Vec<u8>,
    places: &'a mut TextPlaces<'p, T>,
    part: &'a mut PagePart,
    /// The open drawings and formulas, and the elements inside them that contain HTML again.
    contexts: Vec<Context>,
    /// The number of open drawings, whose text is ignored.
    num_drawings: usize,
    left_out: Option<LeftOut>,
    hidden: HiddenText,
    /// Whether the last tag is a start tag of or inside a drawing or formula. `opened` is the kind of element that it
    /// opened.
    is_foreign_tag: bool,
    opened: Opened,
    /// The length of the text at the last separation.
    separated: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    Svg,
    Math,
    /// An element of a drawing that contains HTML.
    Html(&'static [u8]),
}

/// An open element whose content is ignored.
struct LeftOut {
    name: &'static [u8],
    /// How many elements of this name are open.
    depth: usize,
    /// The number of contexts that enclose it.
    num_contexts: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opened {
    Nothing,
    Context,
    LeftOut,
}

impl Context {
    fn of(name: &[u8], is_in: Option<Self>) -> Option<Self> {
        match (name, is_in) {
            (b"svg", _) => Some(Self::Svg),
            (b"math", _) => Some(Self::Math),
            (b"foreignobject", Some(Self::Svg)) => Some(Self::Html(b"foreignobject")),
            (b"desc", Some(Self::Svg)) => Some(Self::Html(b"desc")),
            (b"title", Some(Self::Svg)) => Some(Self::Html(b"title")),
            _ => None,
        }
    }

    fn name(self) -> &'static [u8] {
        match self {
            Self::Svg => b"svg",
            Self::Math => b"math",
            Self::Html(name) => name,
        }
    }
}

impl<T: Trace> Callback<Infallible, ()> for Stripper<'_, '_, T> {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => self.start(name),
            CallbackEvent::AttributeName { name } => {
                self.part.attribute(name);
                self.hidden.attribute(name);
            }
            CallbackEvent::AttributeValue { value } => {
                self.part.value(value);
                self.hidden.value(value);
            }
            // Only elements of drawings and formulas can be self-closing.
            CallbackEvent::CloseStartTag { self_closing } if self.is_foreign_tag => match self.opened {
                _ if !self_closing => {}
                Opened::Nothing => {}
                Opened::Context => self.leave(self.contexts.len() - 1),
                Opened::LeftOut => self.end_left_out(),
            },
            CallbackEvent::CloseStartTag { .. } if self.opened == Opened::Nothing => self.hidden.close_tag(),
            CallbackEvent::EndTag { name } => self.end(name),
            CallbackEvent::String { value } => {
                let is_text = self.is_shown() && self.part.is_text();
                self.places.pass(is_text);
                if is_text {
                    self.text.extend_from_slice(value);
                } else if self.is_shown() {
                    self.part.measure(value);
                }
            }
            _ => {}
        }
        None
    }
}

impl<'a, 'p, T: Trace> Stripper<'a, 'p, T> {
    fn new(text: &'a mut Vec<u8>, places: &'a mut TextPlaces<'p, T>, part: &'a mut PagePart) -> Self {
        let (contexts, opened) = (Vec::new(), Opened::Nothing);
        let (separated, hidden) = (text.len(), HiddenText::default());
        let (num_drawings, left_out, is_foreign_tag) = (0, None, false);
        Self { text, places, part, contexts, num_drawings, left_out, hidden, is_foreign_tag, opened, separated }
    }

    /// Whether a browser shows the text here as text.
    fn is_shown(&self) -> bool {
        self.left_out.is_none() && self.num_drawings == 0 && self.hidden.is_shown()
    }

    /// Whether the next tags belong to a drawing or formula instead of HTML.
    fn is_foreign(&self) -> bool {
        matches!(self.contexts.last(), Some(Context::Svg | Context::Math))
    }

    fn start(&mut self, name: &[u8]) {
        if self.is_foreign() && ENDS_FOREIGN.contains(&name) {
            self.leave_foreign();
        }
        self.part.end_tag();
        self.end_ruby_text(name, true);
        if self.left_out.is_none() && !self.is_foreign() {
            self.hidden.start(name);
        } else {
            self.hidden.skip_tag();
        }
        if self.is_shown() {
            self.separate(name);
            self.part.start(name);
        }
        let context = Context::of(name, self.contexts.last().copied());
        self.is_foreign_tag = self.is_foreign() || context.is_some();
        self.opened = Opened::Nothing;
        if let Some(context) = context {
            self.contexts.push(context);
            self.num_drawings += usize::from(context == Context::Svg);
            self.opened = Opened::Context;
            return;
        }
        match &mut self.left_out {
            Some(left_out) if left_out.name == name => left_out.depth += 1,
            Some(_) => return,
            None => {
                let Some(name) = LEFT_OUT.iter().find(|&&other| other == name) else { return };
                self.left_out = Some(LeftOut { name, depth: 1, num_contexts: self.contexts.len() });
            }
        }
        self.opened = Opened::LeftOut;
    }

    fn end(&mut self, name: &[u8]) {
        self.is_foreign_tag = false;
        if self.is_foreign() && matches!(name, b"p" | b"br") {
            self.leave_foreign();
        }
        self.end_ruby_text(name, false);
        match &self.left_out {
            Some(left_out) if left_out.name == name => self.end_left_out(),
            Some(_) | None => {
                // The limit bounds the time for a page full of tags that are never closed.
                let mut open = self.contexts.iter().enumerate().rev().take(MOST_DEPTH);
                if let Some((open, _)) = open.find(|(_, context)| context.name() == name) {
                    self.leave(open);
                } else if self.left_out.is_none() && !self.is_foreign() {
                    self.hidden.end(name);
                }
            }
        }
        if self.is_shown() {
            self.separate(name);
            self.part.end(name);
        }
    }

    /// Ends the open phonetic guide if this tag implies its end.
    fn end_ruby_text(&mut self, name: &[u8], is_start: bool) {
        self.left_out.take_if(|left_out| is_ruby_text(left_out.name) && ends_ruby_text(name, is_start));
    }

    fn end_left_out(&mut self) {
        if let Some(left_out) = &mut self.left_out {
            left_out.depth -= 1;
        }
        self.left_out.take_if(|left_out| left_out.depth == 0);
    }

    /// Leaves the open drawings and formulas, up to the innermost HTML.
    fn leave_foreign(&mut self) {
        let html = self.contexts.iter().rposition(|context| matches!(context, Context::Html(_)));
        self.leave(html.map_or(0, |html| html + 1));
    }

    /// Leaves all contexts except the first `num_kept`, and any ignored element inside them.
    fn leave(&mut self, num_kept: usize) {
        let drawings = self.contexts.drain(num_kept..).filter(|&context| context == Context::Svg);
        self.num_drawings -= drawings.count();
        self.left_out.take_if(|left_out| left_out.num_contexts > num_kept);
    }

    fn separate(&mut self, name: &[u8]) {
        // A tag directly after another one changes nothing.
        if is_inline(name) || self.text.len() == self.separated {
            return;
        }
        if !self.text.ends_with(b"\n") {
            self.put_in_line_end();
        }
        if is_dropped_line_end(self.text) {
            self.put_in_line_end();
        }
        self.separated = self.text.len();
    }

    fn put_in_line_end(&mut self) {
        self.text.push(b'\n');
        self.places.put_in();
    }
}

/// Whether a text ends in a single line end that normalisation may drop because it follows a letter of a script without
/// spaces.
fn is_dropped_line_end(text: &[u8]) -> bool {
    let (mut end, mut num_ends) = (text.len(), 0);
    while let Some(c) = last_char(&text[..end]) {
        if !c.is_whitespace() {
            return joins_lines(c);
        }
        num_ends += usize::from(c == '\n');
        if num_ends > 1 {
            return false;
        }
        end -= c.len_utf8();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::flat::offset_map::NoTrace;
    use proptest::prelude::*;

    fn text(page: &str) -> String {
        let mut text = Vec::new();
        strip(page.as_bytes(), &mut text, &mut NoTrace).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_page_becomes_its_text() {
        let page = "<!DOCTYPE html><html><head><title>A &amp; B</title><style>p { x: 1 }</style>\
             <script>if (a < b) document.write('</p>')</script></head><body class=\"x>y\">\
             <p>One <b>bo</b>ld word<p>Two&nbsp;&#x20AC;<br>lines<!-- no --><ul><li>x<li>y</ul></body></html>";
        assert_eq!(text(page), "A & B\nOne bold word\nTwo\u{A0}€\nlines\nx\ny\n");
    }

    #[test]
    fn blocks_stay_apart_where_line_ends_are_dropped() {
        assert_eq!(
            text("<p>中\n文<b>\n字</b></p>\n<p>下<br>一<i>\n</i>\n<p> <p>句<p>\n"),
            "中\n文\n字\n\n\n下\n\n一\n\n \n句\n\n\n"
        );
        assert_eq!(text("<p>中。<p>文\n<p>a<p>b"), "中。\n文\n\na\nb");
        let long = format!("<p>中{}\n{}", " ".repeat(1 << 16), "<p> <i></i>".repeat(1 << 14));
        assert!(text(&long).starts_with("中  "), "and in linear time");
    }

    #[test]
    fn scripts_and_the_like_are_left_out_even_when_they_are_never_closed() {
        assert_eq!(text("a<script>b</script>c"), "a\nc");
        assert_eq!(text("a<script>b"), "a\n");
        assert_eq!(text("a<svg/>b<svg><svg></svg><text>no</text></svg>c"), "a\nb\nc");
        assert_eq!(text("a<svg><path d=''/><text>no</text><g/><svg/>no</svg>c"), "a\nc");
        assert_eq!(text("<template><p>no<template>no</template>no</template>yes"), "yes");
        assert_eq!(text("<SCRIPT>no</SCRIPT><textarea><b>kept</textarea>"), "<b>kept\n");
    }

    #[test]
    fn phonetic_guides_are_left_out_with_and_without_end_tags() {
        assert_eq!(text("<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>を"), "漢字を");
        assert_eq!(text("<ruby>漢<rp>(<rt>かん<rp>)</ruby>を<ruby><rb>字<rtc><rt>じ</rtc></ruby>"), "漢を字");
        assert_eq!(text("a<rt>b<i>c</i><p>d</rt>e"), "a\nde", "a guide that is never closed ends with its line");
    }

    #[test]
    fn drawings_and_formulas_have_rules_of_their_own() {
        // In a drawing, a title or a style may be self-closing, and contains markup.
        for inside in
            ["<title/>", "<style/>", "<title><g/></title>", "<style><![CDATA[</svg> a>b]]></style>", "<script/>"]
        {
            assert_eq!(text(&format!("a<svg>{inside}<text>no</text></svg>c")), "a\nc", "{inside}");
        }
        // HTML inside a drawing follows the rules of HTML.
        assert_eq!(text("a<svg><foreignObject><p/>no<svg/>no</p></foreignObject><text>no</svg>c"), "a\nc");
        assert_eq!(text("a<svg><foreignObject><title></svg></title>no</foreignObject>no</svg>c"), "a\nc");
        assert_eq!(text("<math><mi>x</mi><mspace/><style/><mo>+</mo></math>c").replace('\n', ""), "x+c");
        assert_eq!(text("<math><script>no</script><mi>x</mi></math>"), "x\n");
        // A template and other HTML elements are never self-closing; a drawing inside one can be.
        assert_eq!(text("a<template/>no</template>b<noscript/>no</noscript>c"), "a\nb\nc");
        assert_eq!(text("a<template><svg><title/></svg>no</template>b"), "a\nb");
        // A drawing that is never closed ends where HTML goes on.
        assert_eq!(text("a<svg><path><p>b</p>"), "a\nb\n");
        assert_eq!(text("a<svg><text>no"), "a\n");
        assert_eq!(text("a<math><style><p>b"), "a\nb");
    }

    #[test]
    fn broken_markup_is_text_as_browsers_have_it() {
        assert_eq!(text("1 < 2 & 3 &unknown; </ p>x <b"), "1 < 2 & 3 &unknown; x ");
        assert_eq!(text(""), "");
        assert_eq!(text("no markup"), "no markup");
    }

    proptest! {
        #[test]
        fn any_page_gives_valid_text(page in r#"([a-zé<>/&;="'! -]|<p>|</p>|</?(svg|math|title|style|desc|template|g)/?>|<script>|</script>|<!--|<!\[CDATA\[|\]\]>|-->|&amp;|\u{0}){0,60}"#) {
            text(&page);
        }
    }
}
