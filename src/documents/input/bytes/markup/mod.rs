//! Extracts the text of markup: pages, and for `--markup strip` Markdown and LaTeX. The head of `formats/format.rs` says
//! what another markup needs.

mod traced_text;
mod conditions;
mod markdown;
mod latex;

use self::traced_text::TracedText;
use crate::base::flat::offset_map::Trace;
use crate::documents::document::Markup;
use crate::documents::input::bytes::html;
use crate::documents::input::panic_guard::Panicked;
use crate::documents::input::text_modes::HtmlMode;

/// Appends the text of a document to `text`. Both are valid UTF-8.
///
/// * `markup`: the markup of the document; a document without markup is its own text.
/// * `html`: which part of a page is its text.
/// * `trace`: records from where in the document the text comes.
///
/// # Errors
/// When a library panics. `text` then contains part of the text.
pub(crate) fn strip<T: Trace>(
    markup: Markup,
    html: HtmlMode,
    document: &[u8],
    text: &mut Vec<u8>,
    trace: &mut T,
) -> Result<(), Panicked> {
    let source = || std::str::from_utf8(document).expect("documents are decoded");
    match markup {
        Markup::Html if html == HtmlMode::Main => return html::strip_main(document, text, trace),
        Markup::Html => return html::strip(document, text, trace),
        Markup::Markdown => markdown::strip(&mut TracedText::new(source(), text, trace))?,
        Markup::Latex => latex::strip(&mut TracedText::new(source(), text, trace)),
        Markup::None => TracedText::new(source(), text, trace).copy_to(document.len()),
    }
    trace.end_step();
    Ok(())
}
