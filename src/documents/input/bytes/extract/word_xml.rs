//! Word documents in one XML file: the format of Word 2003 (WordprocessingML 2003), and the parts of a document of later versions
//! in one file (flat OPC).
//!
//! The text is what a reader sees, as in the file `word.rs`: paragraphs, tables, text boxes, foot and end notes, without
//! deletions, hidden text, headers, footers and the codes of fields. Hidden styles are not known here.

use super::fault::Extracted;
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use super::xml::{Element, Xml, XmlEvent};

/// Elements whose content is not part of the text.
#[rustfmt::skip]
const UNREAD: [&str; 20] = [
    "tblPr", "tblPrEx", "tblGrid", "trPr", "tcPr", "sectPr", "pPr", "sdtPr", "sdtEndPr", "instrText", "delInstrText", "del", "delText",
    "moveFrom", "rt", "Fallback", "fonts", "styles", "lists", "binData",
];
/// The parts of a flat document that have its text.
const PARTS: [&str; 3] = ["/word/document.xml", "/word/footnotes.xml", "/word/endnotes.xml"];

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let text = source.decoded()?;
    let (mut xml, mut run, mut is_hidden) = (Xml::new(&text), None::<String>, false);
    while let Some(event) = xml.next()? {
        out.check()?;
        match event {
            XmlEvent::Start(start) => match start.name() {
                "p" | "r" => is_hidden = false,
                "rPr" => {
                    xml.each_inside(|start| is_hidden |= start.name() == "vanish" && start.is_on())?;
                }
                "t" => run = Some(String::new()),
                "tab" | "br" | "cr" | "noBreakHyphen" | "softHyphen" if is_hidden => {}
                "tab" => out.push("\t"),
                "br" | "cr" => out.push_break(),
                "noBreakHyphen" => out.push("\u{2011}"),
                "softHyphen" => out.push("\u{AD}"),
                "txbxContent" | "footnote" | "endnote" => out.begin_attached(),
                name if UNREAD.contains(&name) || is_unread(&start) => xml.skip()?,
                _ => {}
            },
            XmlEvent::End(end) => match end.name() {
                "p" => out.end(),
                "t" => out.push(&run.take().filter(|_| !is_hidden).unwrap_or_default()),
                "txbxContent" | "footnote" | "endnote" => out.end_attached(),
                _ => {}
            },
            XmlEvent::Text(text) => {
                if let Some(run) = &mut run {
                    run.push_str(&text);
                }
            }
        }
    }
    Ok(())
}

/// Whether an element has no text of the document: a tracked deletion or a comment of Word 2003, or another part of a flat
/// document.
fn is_unread(element: &Element) -> bool {
    let is = |name: &str, values: &[&str]| element.attribute(name).is_some_and(|it| values.contains(&it.as_str()));
    match element.name() {
        "annotation" => is("type", &["Word.Deletion", "Word.Comment"]),
        "part" => !is("name", &PARTS),
        _ => element.has_prefix("o") && element.name().ends_with("DocumentProperties"),
    }
}
