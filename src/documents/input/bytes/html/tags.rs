//! Which elements separate text, contain none, or end a drawing.

/// Elements whose content is not part of the page's text.
pub(super) const LEFT_OUT: [&[u8]; 7] =
    [b"script", b"style", b"template", b"noscript", b"iframe", b"noembed", b"noframes"];

/// Whether an element occurs inside a sentence. `matches!` compares only a few bytes, whereas a list needs a comparison
/// with each name.
#[rustfmt::skip]
pub(super) fn is_inline(name: &[u8]) -> bool {
    matches!(name,
        b"a" | b"abbr" | b"acronym" | b"b" | b"bdi" | b"bdo" | b"big" | b"cite" | b"code" | b"data" | b"del" | b"dfn" | b"em"
        | b"font" | b"i" | b"ins" | b"kbd" | b"label" | b"mark" | b"nobr" | b"output" | b"q" | b"rp" | b"rt" | b"ruby" | b"s"
        | b"samp" | b"slot" | b"small" | b"span" | b"strike" | b"strong" | b"sub" | b"sup" | b"time" | b"tt" | b"u" | b"var"
        | b"wbr")
}

/// HTML elements that end an enclosing drawing or formula (HTML standard, 13.2.6.5).
#[rustfmt::skip]
pub(super) const ENDS_FOREIGN: [&[u8]; 44] = [
    b"b", b"big", b"blockquote", b"body", b"br", b"center", b"code", b"dd", b"div", b"dl", b"dt", b"em", b"embed",
    b"h1", b"h2", b"h3", b"h4", b"h5", b"h6", b"head", b"hr", b"i", b"img", b"li", b"listing", b"menu", b"meta", b"nobr",
    b"ol", b"p", b"pre", b"ruby", b"s", b"small", b"span", b"strong", b"strike", b"sub", b"sup", b"table", b"tt", b"u",
    b"ul", b"var",
];

/// The number of open elements that an end tag searches for its start tag, as in browsers.
pub(super) const MOST_DEPTH: usize = 512;
