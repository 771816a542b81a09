//! FictionBook (.fb2): a book in one XML file, FictionBook 2.2.
//!
//! The text is what a reader sees: titles, paragraphs, verses, tables and notes. It does not contain the description of the
//! book, pictures and style sheets.

use super::fault::Extracted;
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use super::xml::{Xml, XmlEvent};

/// Elements whose content is not part of the text.
const UNREAD: [&str; 3] = ["description", "binary", "stylesheet"];

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let text = source.decoded()?;
    let (mut xml, mut depth) = (Xml::new(&text), 0_usize);
    let is_paragraph = |name: &str| matches!(name, "p" | "v" | "subtitle" | "text-author" | "date" | "td" | "th");
    while let Some(event) = xml.next()? {
        out.check()?;
        match event {
            XmlEvent::Start(start) if UNREAD.contains(&start.name()) => xml.skip()?,
            XmlEvent::Start(start) => depth += usize::from(is_paragraph(start.name())),
            XmlEvent::End(end) if is_paragraph(end.name()) => {
                depth = depth.saturating_sub(1);
                out.end();
            }
            XmlEvent::Text(text) if depth > 0 => out.push_collapsed(&text),
            XmlEvent::End(_) | XmlEvent::Text(_) => {}
        }
    }
    Ok(())
}
