//! OpenDocument texts (.odt), presentations (.odp) and drawings (.odg): OASIS OpenDocument 1.3, part 3, their predecessor
//! of OpenOffice 1.0 (.sxw, .sxi, .sxd), and their form in one XML file (.fodt, .fodp, .fodg).
//!
//! The text is what a reader sees: headings, paragraphs, tables, text boxes, foot and end notes. It does not
//! contain tracked deletions, comments, headers, footers, and the numbers of notes.

use super::fault::{ExtractFault, Extracted};
use super::package::Package;
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use super::xml::{Xml, XmlEvent};
use crate::base::flat::offset_map::NoTrace;

/// Elements whose content is not part of the text.
#[rustfmt::skip]
const UNREAD: [&str; 22] = [
    "tracked-changes", "note-citation", "footnote-citation", "endnote-citation", "annotation", "covered-table-cell", "forms", "script", "scripts",
    "binary-data", "font-face-decls", "styles", "automatic-styles", "master-styles", "settings", "meta", "event-listeners",
    "table-of-content-source", "illustration-index-source", "table-index-source", "alphabetical-index-source",
    "bibliography-source",
];

/// Frames of a slide that hold no text of it.
const UNREAD_FRAMES: [&str; 4] = ["header", "footer", "date-time", "page-number"];
/// Maximum number of spaces that one element represents.
const MOST_SPACES: usize = 1000;

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let mut package = Package::open(source)?;
    let manifest = package.part("META-INF/manifest.xml")?.unwrap_or_default();
    if manifest.contains("encryption-data") {
        return Err(ExtractFault::Encrypted);
    }
    story(&package.required("content.xml")?, out)
}

/// Reads a document that is one XML file.
pub(super) fn read_flat(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let mut bytes = source.bytes.to_vec();
    let not_text = |_| ExtractFault::Damaged("it is not text".to_owned());
    source.decoding.document(&mut bytes, false, source.limit, &mut NoTrace).map_err(not_text)?;
    story(&String::from_utf8(bytes).map_err(|_| ExtractFault::Damaged("it is not text".to_owned()))?, out)
}

fn story(text: &str, out: &mut Paragraphs) -> Extracted {
    let mut xml = Xml::new(text);
    // Number of open paragraphs. Text outside of them is white space.
    let mut depth = 0_usize;
    // For each open note and text box the number of open paragraphs around it, if it is inside a paragraph.
    let mut boxes: Vec<Option<usize>> = Vec::new();
    while let Some(event) = xml.next()? {
        out.check()?;
        match event {
            XmlEvent::Start(start) => match start.name() {
                "p" | "h" => depth += 1,
                "s" => {
                    let count = start.attribute("c").and_then(|count| count.parse().ok()).unwrap_or(1_usize);
                    out.push(&" ".repeat(count.min(MOST_SPACES)));
                }
                "tab" => out.push("\t"),
                "line-break" => out.push_break(),
                "page" => out.begin_part(),
                "note-body" | "footnote-body" | "endnote-body" | "text-box" => {
                    boxes.push(Some(depth).filter(|&depth| depth > 0));
                    if depth > 0 {
                        out.begin_attached();
                        depth = 0;
                    }
                }
                "title" | "desc" if start.has_prefix("svg") => xml.skip()?,
                "frame" if start.attribute("class").is_some_and(|it| UNREAD_FRAMES.contains(&&*it)) => {
                    xml.skip()?;
                }
                name if UNREAD.contains(&name) => xml.skip()?,
                _ => {}
            },
            XmlEvent::End(end) => match end.name() {
                "p" | "h" => {
                    depth = depth.saturating_sub(1);
                    out.end();
                }
                "note-body" | "footnote-body" | "endnote-body" | "text-box" => {
                    if let Some(outer) = boxes.pop().flatten() {
                        out.end_attached();
                        depth = outer;
                    }
                }
                _ => {}
            },
            XmlEvent::Text(text) if depth > 0 => out.push_collapsed(&text),
            XmlEvent::Text(_) => {}
        }
    }
    Ok(())
}
