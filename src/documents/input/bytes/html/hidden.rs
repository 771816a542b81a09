//! `HiddenText`: finds the elements of a page that are not displayed, by their own attributes: `hidden`, or a `style` with `display: none`
//! or `visibility: hidden`.
//!
//! No tree is built. From the start of a hidden element on, the open elements inside it are known, and its end is where a browser
//! has it: at its end tag, at a start tag that implies the end (HTML standard, 13.1.2.4), or at the end tag of an element around it.
//! Where a tag could belong to either, the element ends, so that no text is lost.

use super::tags::is_inline;

/// Number of open elements inside a hidden one that are known by name.
const MOST_INSIDE: usize = 128;

/// The hidden element that is open, and the start tag that is being read.
#[derive(Default)]
pub(super) struct HiddenText {
    element: Option<HiddenElement>,
    /// Whether a paragraph is open.
    is_in_p: bool,
    tag: StartTag,
}

/// An element that is not shown.
struct HiddenElement {
    name: Vec<u8>,
    /// Whether a paragraph is open around it.
    is_in_p: bool,
    /// The names of the open elements inside it, from the outermost on, and the number of further ones.
    inside: Vec<Vec<u8>>,
    num_further: usize,
}

/// The meaning of the attributes of a start tag.
#[derive(Default)]
struct StartTag {
    name: Vec<u8>,
    is_open: bool,
    is_style: bool,
    has_hidden: bool,
    /// Whether the style says how the element is displayed, and whether that is `none`.
    display: Option<bool>,
    is_invisible: bool,
}

impl StartTag {
    fn is_hidden(&self) -> bool {
        // A style overrides the attribute.
        self.display.unwrap_or(self.has_hidden) || self.is_invisible
    }

    /// Reads the value of `style`; the last declaration of a property counts.
    fn read_style(&mut self, style: &[u8]) {
        for declaration in style.split(|&byte| byte == b';') {
            let Some(at) = memchr::memchr(b':', declaration) else { continue };
            let (property, value) = (declaration[..at].trim_ascii(), declaration[at + 1..].trim_ascii());
            let value = value.split(|&byte| byte == b'!').next().unwrap_or_default().trim_ascii();
            if property.eq_ignore_ascii_case(b"display") {
                self.display = Some(value.eq_ignore_ascii_case(b"none"));
            } else if property.eq_ignore_ascii_case(b"visibility") {
                self.is_invisible = value.eq_ignore_ascii_case(b"hidden");
            }
        }
    }
}

impl HiddenText {
    pub(super) fn is_shown(&self) -> bool {
        self.element.is_none()
    }

    /// A start tag of HTML begins.
    pub(super) fn start(&mut self, name: &[u8]) {
        self.element.take_if(|element| element.is_ended_by_start(name));
        self.is_in_p = name == b"p" || self.is_in_p && !ends_paragraph(name);
        let mut buffer = std::mem::take(&mut self.tag.name);
        buffer.clear();
        buffer.extend_from_slice(name);
        self.tag = StartTag { name: buffer, is_open: true, ..StartTag::default() };
    }

    /// A start tag begins that does not count, such as one in a drawing.
    pub(super) fn skip_tag(&mut self) {
        self.tag.is_open = false;
    }

    pub(super) fn attribute(&mut self, name: &[u8]) {
        self.tag.is_style = name == b"style";
        self.tag.has_hidden |= name == b"hidden";
    }

    pub(super) fn value(&mut self, value: &[u8]) {
        if self.tag.is_style && self.tag.is_open {
            self.tag.read_style(value);
        }
    }

    /// The start tag ends: its element is hidden, or inside a hidden one.
    pub(super) fn close_tag(&mut self) {
        if !std::mem::take(&mut self.tag.is_open) || is_void(&self.tag.name) {
            return;
        }
        match &mut self.element {
            Some(element) if element.inside.len() == MOST_INSIDE => element.num_further += 1,
            Some(element) => element.inside.push(self.tag.name.clone()),
            // Programs of a page show a body that is hidden at first.
            None if self.tag.is_hidden() && !matches!(self.tag.name.as_slice(), b"body" | b"html") => {
                self.element = Some(HiddenElement {
                    name: self.tag.name.clone(),
                    is_in_p: self.is_in_p,
                    inside: Vec::new(),
                    num_further: 0,
                });
            }
            None => {}
        }
    }

    /// An end tag of HTML.
    pub(super) fn end(&mut self, name: &[u8]) {
        self.is_in_p &= is_inline(name);
        self.element.take_if(|element| element.is_ended_by_end(name));
    }
}

impl HiddenElement {
    fn has_inside(&self, is_it: impl Fn(&[u8]) -> bool) -> bool {
        self.inside.iter().any(|name| is_it(name))
    }

    /// Whether a start tag implies the end of this element.
    fn is_ended_by_start(&self, name: &[u8]) -> bool {
        let own = self.name.as_slice();
        // Elements that the end of a list item around them ends, too.
        let is_passed = |name: &[u8]| is_inline(name) || matches!(name, b"p" | b"div" | b"address");
        let is_in_item = |is_item: bool| (is_item || is_passed(own)) && !self.has_inside(|name| !is_passed(name));
        match name {
            b"li" => is_in_item(own == b"li"),
            b"dd" | b"dt" => is_in_item(matches!(own, b"dd" | b"dt")),
            b"option" => own == b"option",
            b"optgroup" => matches!(own, b"option" | b"optgroup"),
            // A table may be inside any of these.
            _ => match level_in_table(name).filter(|&level| level > 0) {
                Some(level) => {
                    level_in_table(own).is_none_or(|own| own >= level) && !self.has_inside(|it| it == b"table")
                }
                None => {
                    ends_paragraph(name)
                        && (own == b"p" || is_inline(own) && self.is_in_p)
                        && !self.has_inside(|it| matches!(it, b"button" | b"object" | b"marquee" | b"table"))
                }
            },
        }
    }

    /// Whether an end tag ends this element. It may end an element inside it.
    fn is_ended_by_end(&mut self, name: &[u8]) -> bool {
        if self.num_further > 0 {
            self.num_further -= 1;
            return false;
        }
        if let Some(open) = self.inside.iter().rposition(|it| it == name) {
            self.inside.truncate(open);
            return false;
        }
        let is_inline_here = is_inline(&self.name);
        match name {
            _ if name == self.name => true,
            b"br" => false,
            b"p" => is_inline_here && self.is_in_p,
            // The end of an element around this one. The end of an inline element does not end a block inside it.
            _ => is_inline_here || !is_inline(name),
        }
    }
}

/// How deep in a table a part of one is; `None` for other elements.
fn level_in_table(name: &[u8]) -> Option<u8> {
    match name {
        b"table" => Some(0),
        b"tbody" | b"thead" | b"tfoot" | b"colgroup" | b"col" => Some(1),
        b"tr" => Some(2),
        b"td" | b"th" | b"caption" => Some(3),
        _ => None,
    }
}

/// Whether the start tag of an element ends an open paragraph (HTML standard, 13.2.6.4.7).
#[rustfmt::skip]
fn ends_paragraph(name: &[u8]) -> bool {
    matches!(name,
        b"address" | b"article" | b"aside" | b"blockquote" | b"center" | b"dd" | b"details" | b"dialog" | b"dir" | b"div" | b"dl" | b"dt"
        | b"fieldset" | b"figcaption" | b"figure" | b"footer" | b"form" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"header"
        | b"hgroup" | b"hr" | b"li" | b"listing" | b"main" | b"menu" | b"nav" | b"ol" | b"p" | b"plaintext" | b"pre" | b"search"
        | b"section" | b"summary" | b"table" | b"ul" | b"xmp")
}

/// Whether an element has no content and no end tag (HTML standard, 13.1.2).
#[rustfmt::skip]
fn is_void(name: &[u8]) -> bool {
    matches!(name,
        b"area" | b"base" | b"basefont" | b"bgsound" | b"br" | b"col" | b"embed" | b"frame" | b"hr" | b"image" | b"img" | b"input"
        | b"keygen" | b"link" | b"meta" | b"param" | b"source" | b"track" | b"wbr")
}

#[cfg(test)]
mod tests {
    use crate::base::flat::offset_map::NoTrace;
    use crate::documents::input::bytes::html::{strip, strip_main};

    fn words(page: &str) -> String {
        let mut text = Vec::new();
        strip(page.as_bytes(), &mut text, &mut NoTrace).unwrap();
        String::from_utf8(text).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn elements_that_nobody_sees_are_no_text() {
        for attributes in [
            "hidden",
            "hidden=''",
            "HIDDEN=until-found",
            "style='display:none'",
            "style='color: red; Display : NONE !important;'",
            "style='visibility: hidden'",
            "class=a style='display:block;display:none' id=b",
        ] {
            assert_eq!(words(&format!("<div>a<p {attributes}>no <b>no</b></p>b")), "a b", "{attributes}");
            assert_eq!(words(&format!("a <span {attributes}>no <img><br>no</span>b")), "a b", "{attributes}");
        }
        for attributes in [
            "",
            "class=hidden",
            "data-hidden",
            "aria-hidden=true",
            "style='display:block'",
            "style='display:none;display:block'",
            "hidden style='display:block'",
            "style='x-display:none'",
            "title='display:none'",
        ] {
            assert_eq!(words(&format!("a<p {attributes}>yes</p>b")), "a yes b", "{attributes}");
        }
    }

    #[test]
    fn a_hidden_element_ends_where_a_browser_ends_it() {
        for (page, text) in [
            ("<p hidden>no<p>yes", "yes"),
            ("<p hidden>no<span>no<div>yes</div>", "yes"),
            ("<p hidden>no<button><div>no</div></button>no</p>yes", "yes"),
            ("<section><p hidden>no</section>yes", "yes"),
            ("<ul><li hidden>no<li>yes</ul>", "yes"),
            ("<ul><li hidden>no<ul><li>no</ul>no<li>yes</ul>", "yes"),
            ("<ul><li><span hidden>no<li>yes</ul>", "yes"),
            ("<ul><li hidden>no</ul>yes", "yes"),
            ("<dl><dt hidden>no<dd>yes<dd hidden>no</dl>yes", "yes yes"),
            ("<table><tr><td hidden>no<td>yes<tr hidden><td>no<th>no<tr><td>yes</table>", "yes yes"),
            ("<table><tr><td hidden>no<table><tr><td>no</table>no<td>yes</table>", "yes"),
            ("<table hidden><tr><td>no</table>yes", "yes"),
            ("<table><tbody hidden><tr><td>no<tbody><tr><td>yes</table>", "yes"),
            ("<select><option hidden>no<option>yes</select>yes", "yes yes"),
            ("<div><div hidden>no<div>no</div>no</div>yes</div>", "yes"),
            ("<section><div hidden>no</section>yes", "yes"),
            ("<p>a<span hidden>no<p>yes", "a yes"),
            ("<div>a <span hidden><div>no</div>no</span>yes</div>", "a yes"),
            ("<b><div hidden>no</b>no</div>yes", "yes"),
            ("<div hidden>no</p>no<br>no</br>no</div>yes", "yes"),
            ("<br hidden>yes<img hidden>yes<input style='display:none'>yes", "yes yes yes"),
            ("<body hidden>yes</body>", "yes"),
            ("<html style='visibility:hidden'><body>yes", "yes"),
            ("<div hidden/>no</div>yes", "yes"),
            (
                "<div hidden>no<svg><title/><text>no</text></svg>no<script>'</div>'</script>no<template></div></template>no</div>yes",
                "yes",
            ),
            ("<svg hidden><p>yes", "yes"),
            ("<div></div hidden><p>yes", "yes"),
            ("<template hidden>no</template>yes", "yes"),
        ] {
            assert_eq!(words(page), text, "{page}");
        }
        let mut main = Vec::new();
        strip_main(b"<main>a<nav hidden>no</nav><div hidden>no</div>b</main>c", &mut main, &mut NoTrace).unwrap();
        assert_eq!(String::from_utf8(main).unwrap().split_whitespace().collect::<String>(), "ab");
    }

    #[test]
    fn a_page_full_of_open_elements_needs_linear_time() {
        let page = format!("<div hidden>{}yes", "<b></i>".repeat(1 << 18));
        assert_eq!(words(&page), "");
        assert_eq!(words(&format!("<div hidden>{}</div>yes", "<i>".repeat(1 << 18))), "");
    }
}
