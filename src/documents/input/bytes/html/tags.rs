//! Which elements separate text, contain none, or end a drawing.

/// Elements whose content is not part of the page's text.
pub(super) const LEFT_OUT: [&[u8]; 9] =
    [b"script", b"style", b"template", b"noscript", b"iframe", b"noembed", b"noframes", b"rt", b"rp"];

/// Whether an element is a phonetic guide, or a parenthesis around one. Its end tag may be omitted.
pub(super) fn is_ruby_text(name: &[u8]) -> bool {
    matches!(name, b"rt" | b"rp")
}

/// Whether a tag ends a phonetic guide whose end tag is omitted (HTML standard, 4.5.11). A tag of a block does so, too.
///
/// * `is_start`: whether it is a start tag.
pub(super) fn ends_ruby_text(name: &[u8], is_start: bool) -> bool {
    match name {
        b"rt" | b"rp" | b"rb" | b"rtc" => is_start,
        b"ruby" => !is_start,
        _ => !is_inline(name),
    }
}

/// Whether an element occurs inside a sentence. `matches!` compares only a few bytes, whereas a list needs a comparison
/// with each name.
#[rustfmt::skip]
pub(super) fn is_inline(name: &[u8]) -> bool {
    matches!(name,
        b"a" | b"abbr" | b"acronym" | b"b" | b"bdi" | b"bdo" | b"big" | b"cite" | b"code" | b"data" | b"del" | b"dfn" | b"em"
        | b"font" | b"i" | b"ins" | b"kbd" | b"label" | b"mark" | b"nobr" | b"output" | b"q" | b"rb" | b"rp" | b"rt" | b"rtc"
        | b"ruby" | b"s" | b"samp" | b"slot" | b"small" | b"span" | b"strike" | b"strong" | b"sub" | b"sup" | b"time" | b"tt" | b"u" | b"var"
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
