//! HTML: a page in, its text without markup, scripts and styles out.
//!
//! The page is cut into tags and text as the HTML standard has it (html5gum); no tree is built. What stands apart on
//! the screen is put on lines of its own: every tag but those that sit inside a sentence separates what is before it
//! from what is after it.

use std::convert::Infallible;

use super::foreign::{Panicked, contain};

use html5gum::emitters::callback::{Callback, CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

/// Elements whose content is not text of the page.
const LEFT_OUT: [&[u8]; 8] =
    [b"script", b"style", b"template", b"noscript", b"iframe", b"noembed", b"noframes", b"svg"];

/// Elements inside a sentence.
#[rustfmt::skip]
const INLINE: [&[u8]; 38] = [
    b"a", b"abbr", b"acronym", b"b", b"bdi", b"bdo", b"big", b"cite", b"code", b"data", b"del", b"dfn", b"em", b"font",
    b"i", b"ins", b"kbd", b"label", b"mark", b"nobr", b"output", b"q", b"rp", b"rt", b"ruby", b"s", b"samp", b"slot",
    b"small", b"span", b"strike", b"strong", b"sub", b"sup", b"time", b"tt", b"u", b"var",
];

/// Appends the text of `page`, which is valid UTF-8, to `text`, which then is as well.
///
/// # Errors
/// When the tokenizer panics; then there is a part of the text.
pub(super) fn strip(page: &[u8], text: &mut Vec<u8>) -> Result<(), Panicked> {
    let mut emitter = CallbackEmitter::<_, Infallible>::new(Stripper { text, left_out: None });
    emitter.naively_switch_states(true);
    // All events go to the emitter, so that looking for the first one runs through the page.
    match contain(|| Tokenizer::new_with_emitter(page, emitter).next())? {
        None => Ok(()),
        Some(Ok(never) | Err(never)) => match never {},
    }
}

struct Stripper<'a> {
    text: &'a mut Vec<u8>,
    /// The element that is left out, and how often it is open.
    left_out: Option<(&'static [u8], usize)>,
}

impl Callback<Infallible, ()> for Stripper<'_> {
    fn handle_event(&mut self, event: CallbackEvent<'_>, _: Span<()>) -> Option<Infallible> {
        match event {
            CallbackEvent::OpenStartTag { name } => self.start(name),
            CallbackEvent::CloseStartTag { self_closing: true } => {
                // Only what is not of HTML can be closed so.
                if let Some((b"svg", 1)) = self.left_out {
                    self.left_out = None;
                }
            }
            CallbackEvent::EndTag { name } => self.end(name),
            CallbackEvent::String { value } if self.left_out.is_none() => self.text.extend_from_slice(value),
            _ => {}
        }
        None
    }
}

impl Stripper<'_> {
    fn start(&mut self, name: &[u8]) {
        match &mut self.left_out {
            Some((left_out, depth)) => *depth += usize::from(*left_out == name),
            None => {
                self.separate(name);
                self.left_out = LEFT_OUT.iter().find(|&&other| other == name).map(|&name| (name, 1));
            }
        }
    }

    fn end(&mut self, name: &[u8]) {
        match &mut self.left_out {
            Some((left_out, depth)) => {
                *depth -= usize::from(*left_out == name);
                if *depth == 0 {
                    self.left_out = None;
                }
            }
            None => self.separate(name),
        }
    }

    fn separate(&mut self, name: &[u8]) {
        let is_apart = !INLINE.contains(&name) && name != b"wbr";
        if is_apart && !self.text.is_empty() && !self.text.ends_with(b"\n") {
            self.text.push(b'\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn text(page: &str) -> String {
        let mut text = Vec::new();
        strip(page.as_bytes(), &mut text).unwrap();
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
    fn scripts_and_the_like_are_left_out_even_when_they_are_never_closed() {
        assert_eq!(text("a<script>b</script>c"), "a\nc");
        assert_eq!(text("a<script>b"), "a\n");
        assert_eq!(text("a<svg/>b<svg><svg></svg><text>no</text></svg>c"), "a\nb\nc");
        assert_eq!(text("<template><p>no<template>no</template>no</template>yes"), "yes");
        assert_eq!(text("<SCRIPT>no</SCRIPT><textarea><b>kept</textarea>"), "<b>kept\n");
    }

    #[test]
    fn broken_markup_is_text_as_browsers_have_it() {
        assert_eq!(text("1 < 2 & 3 &unknown; </ p>x <b"), "1 < 2 & 3 &unknown; x ");
        assert_eq!(text(""), "");
        assert_eq!(text("no markup"), "no markup");
    }

    proptest! {
        #[test]
        fn any_page_gives_valid_text(page in r#"([a-zé<>/&;="'! -]|<p>|</p>|<script>|</script>|<!--|-->|&amp;|\u{0}){0,60}"#) {
            text(&page);
        }
    }
}
