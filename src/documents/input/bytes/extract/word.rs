//! Word (.docx, .docm): ECMA-376, WordprocessingML.
//!
//! The text is what a reader sees once all changes are accepted: paragraphs, tables, text boxes, foot and end notes.
//! It does not contain tracked deletions, hidden text, comments, headers, footers and the codes of fields. Notes and text
//! boxes follow the paragraph that refers to them.

use std::collections::HashMap;

use super::fault::Extracted;
use super::package::Package;
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use super::xml::{Xml, XmlEvent};

/// Elements whose content is not part of the text: properties, codes of fields, deletions, alternatives for old
/// programs.
#[rustfmt::skip]
const UNREAD: [&str; 13] = [
    "tblPr", "tblPrEx", "tblGrid", "trPr", "tcPr", "sectPr", "sdtPr", "sdtEndPr", "instrText", "delInstrText", "del",
    "moveFrom", "Fallback",
];

/// Foot and end notes by their kind and number, as XML text of their content.
type Notes = HashMap<(&'static str, String), String>;

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let mut package = Package::open(source)?;
    let main = package.main_part("word/document.xml")?;
    let text = package.required(&main)?;
    let mut notes = Notes::new();
    for relation in package.relations(&main)? {
        let element = match relation.kind.as_str() {
            "footnotes" => "footnote",
            "endnotes" => "endnote",
            _ => continue,
        };
        if let Some(part) = package.part(&relation.target)? {
            collect_notes(&part, element, &mut notes)?;
        }
    }
    story(&text, &mut notes, out)
}

/// Reads the notes of a part, each without its references to other notes.
fn collect_notes(part: &str, element: &'static str, notes: &mut Notes) -> Extracted {
    let mut xml = Xml::new(part);
    while let Some(event) = xml.next()? {
        let XmlEvent::Start(start) = event else { continue };
        if start.name() != element {
            continue;
        }
        // The lines between text and notes are notes too, of other types.
        let is_separator = start.attribute("type").is_some_and(|kind| kind != "normal");
        let id = start.attribute("id").unwrap_or_default();
        let content = xml.content()?;
        if !is_separator {
            notes.insert((element, id), content.to_owned());
        }
    }
    Ok(())
}

/// Adds the text of a document or note. A note is added at its first reference.
fn story(text: &str, notes: &mut Notes, out: &mut Paragraphs) -> Extracted {
    let mut xml = Xml::new(text);
    // The text of the open element that holds text, and whether white space around it counts.
    let (mut run, mut keeps_space) = (None, false);
    let (mut is_hidden, mut joins_next) = (false, false);
    while let Some(event) = xml.next()? {
        out.check()?;
        match event {
            XmlEvent::Start(start) => match start.name() {
                "p" => joins_next = false,
                "pPr" => joins_next = is_end_deleted(&mut xml)?,
                "r" => is_hidden = false,
                "rPr" => is_hidden = hides(&mut xml)?,
                "t" => {
                    run = Some(String::new());
                    keeps_space = start.attribute("space").is_some_and(|it| it == "preserve");
                }
                "tab" | "ptab" => out.push("\t"),
                "br" | "cr" => out.push_break(),
                "noBreakHyphen" => out.push("\u{2011}"),
                "softHyphen" => out.push("\u{AD}"),
                "txbxContent" => out.begin_attached(),
                name @ ("footnoteReference" | "endnoteReference") => {
                    let kind = if name == "footnoteReference" { "footnote" } else { "endnote" };
                    let id = start.attribute("id").unwrap_or_default();
                    if let Some(note) = notes.remove(&(kind, id)) {
                        out.begin_attached();
                        story(&note, &mut Notes::new(), out)?;
                        out.end_attached();
                    }
                }
                name if UNREAD.contains(&name) => xml.skip()?,
                _ => {}
            },
            XmlEvent::End(end) => match end.name() {
                "p" if !joins_next => out.end(),
                "t" => {
                    let text = run.take().filter(|_| !is_hidden).unwrap_or_default();
                    let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
                    out.push(if keeps_space { &text } else { text.trim_matches(is_space) });
                }
                "txbxContent" => out.end_attached(),
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

/// Reads the properties of a run: whether its text is hidden.
fn hides(xml: &mut Xml) -> Extracted<bool> {
    let mut hides = false;
    xml.each_inside(|start| hides |= start.name() == "vanish" && start.is_on())?;
    Ok(hides)
}

/// Reads the properties of a paragraph: whether its end is deleted, so that the next paragraph continues it.
fn is_end_deleted(xml: &mut Xml) -> Extracted<bool> {
    let mut is_deleted = false;
    xml.each_inside(|start| is_deleted |= matches!(start.name(), "del" | "moveFrom"))?;
    Ok(is_deleted)
}
