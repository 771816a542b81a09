//! Word (.docx, .docm): ECMA-376, WordprocessingML.
//!
//! The text is what a reader sees once all changes are accepted: paragraphs, tables, text boxes, foot and end notes.
//! It does not contain tracked deletions, text that is hidden directly or by its style, comments, headers, footers and the
//! codes of fields. Notes and text boxes follow the paragraph that refers to them.

use std::collections::{HashMap, HashSet};

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

/// Maximum length of a chain of styles, each based on the next one.
const MOST_BASES: usize = 20;

/// The ids of the styles whose text is hidden.
type HiddenStyles = HashSet<String>;

/// Foot and end notes by their kind and number, as XML text of their content.
type Notes = HashMap<(&'static str, String), String>;

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let mut package = Package::open(source)?;
    let main = package.main_part("word/document.xml")?;
    let text = package.required(&main)?;
    let (mut notes, mut hidden) = (Notes::new(), HiddenStyles::new());
    for relation in package.relations(&main)? {
        let element = match relation.kind.as_str() {
            "footnotes" => "footnote",
            "endnotes" => "endnote",
            "styles" => {
                let part = package.part(&relation.target)?.unwrap_or_default();
                hidden.extend(hidden_styles(&part)?);
                continue;
            }
            _ => continue,
        };
        if let Some(part) = package.part(&relation.target)? {
            collect_notes(&part, element, &mut notes)?;
        }
    }
    story(&text, &mut notes, &hidden, out)
}

/// Reads which styles hide their text, directly or because they are based on a style that does.
fn hidden_styles(part: &str) -> Extracted<HiddenStyles> {
    let (mut xml, mut id) = (Xml::new(part), String::new());
    // For each style whether it hides its text, if it says so, and the style that it is based on.
    let mut styles: HashMap<String, (Option<bool>, Option<String>)> = HashMap::new();
    while let Some(event) = xml.next()? {
        let XmlEvent::Start(start) = event else { continue };
        let value = || start.attribute("val");
        match start.name() {
            "style" => id = start.attribute("styleId").unwrap_or_default(),
            "basedOn" => styles.entry(id.clone()).or_default().1 = value(),
            "vanish" => styles.entry(id.clone()).or_default().0 = Some(start.is_on()),
            // The mark of a paragraph, and numbers of lists.
            "pPr" => xml.skip()?,
            _ => {}
        }
    }
    let hides = |id: &String| {
        let bases = std::iter::successors(Some(id), |id| styles.get(*id)?.1.as_ref());
        bases.take(MOST_BASES).find_map(|id| styles.get(id)?.0) == Some(true)
    };
    Ok(styles.keys().filter(|id| hides(id)).cloned().collect())
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
fn story(text: &str, notes: &mut Notes, hidden: &HiddenStyles, out: &mut Paragraphs) -> Extracted {
    let mut xml = Xml::new(text);
    // The text of the open element that holds text, and whether white space around it counts.
    let (mut run, mut keeps_space) = (None, false);
    let (mut is_hidden, mut joins_next, mut is_style_hidden) = (false, false, false);
    while let Some(event) = xml.next()? {
        out.check()?;
        match event {
            XmlEvent::Start(start) => match start.name() {
                "p" => (joins_next, is_style_hidden, is_hidden) = (false, false, false),
                "pPr" => {
                    let style;
                    (joins_next, style) = paragraph_properties(&mut xml)?;
                    is_style_hidden = style.is_some_and(|style| hidden.contains(&style));
                    is_hidden = is_style_hidden;
                }
                "r" => is_hidden = is_style_hidden,
                "rPr" => is_hidden = hides(&mut xml, hidden)?.unwrap_or(is_style_hidden),
                "t" => {
                    run = Some(String::new());
                    keeps_space = start.attribute("space").is_some_and(|it| it == "preserve");
                }
                "tab" | "ptab" | "br" | "cr" | "noBreakHyphen" | "softHyphen" if is_hidden => {}
                "tab" | "ptab" => out.push("\t"),
                "br" | "cr" => out.push_break(),
                "noBreakHyphen" => out.push("\u{2011}"),
                "softHyphen" => out.push("\u{AD}"),
                "txbxContent" => out.begin_attached(),
                name @ ("footnoteReference" | "endnoteReference") => {
                    let kind = if name == "footnoteReference" { "footnote" } else { "endnote" };
                    let id = start.attribute("id").unwrap_or_default();
                    if let Some(note) = notes.remove(&(kind, id)).filter(|_| !is_hidden) {
                        out.begin_attached();
                        story(&note, &mut Notes::new(), hidden, out)?;
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

/// Reads the properties of a run: whether its text is hidden, if they say so.
fn hides(xml: &mut Xml, hidden: &HiddenStyles) -> Extracted<Option<bool>> {
    let (mut directly, mut by_style) = (None, None);
    xml.each_inside(|start| match start.name() {
        "vanish" => directly = Some(start.is_on()),
        "rStyle" => by_style = start.attribute("val").filter(|style| hidden.contains(style)).map(|_| true),
        _ => {}
    })?;
    Ok(directly.or(by_style))
}

/// Reads the properties of a paragraph: whether its end is deleted, so that the next paragraph continues it, and its style.
fn paragraph_properties(xml: &mut Xml) -> Extracted<(bool, Option<String>)> {
    let (mut is_deleted, mut style) = (false, None);
    xml.each_inside(|start| match start.name() {
        "del" | "moveFrom" => is_deleted = true,
        "pStyle" => style = start.attribute("val"),
        _ => {}
    })?;
    Ok((is_deleted, style))
}
