//! PowerPoint (.pptx): ECMA-376, PresentationML and DrawingML.
//!
//! The text of each slide in the order of its shapes, tables included, and then the text of its notes. It does not
//! contain headers, footers, dates, slide numbers and comments.

use std::collections::HashMap;

use super::fault::Extracted;
use super::package::Package;
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use super::xml::{Xml, XmlEvent};

/// Placeholders of text that is not part of a slide: headers, footers, dates, numbers, and the picture of the slide on the
/// page of its notes.
const UNREAD_PLACEHOLDERS: [&str; 5] = ["hdr", "ftr", "dt", "sldNum", "sldImg"];

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let mut package = Package::open(source)?;
    let main = package.main_part("ppt/presentation.xml")?;
    let presentation = package.required(&main)?;
    let relations = package.relations(&main)?.into_iter().map(|relation| (relation.id, relation.target));
    let targets: HashMap<String, String> = relations.collect();
    for id in slide_ids(&presentation)? {
        let Some(slide) = targets.get(&id) else { continue };
        out.begin_part();
        read_slide(&mut package, slide, out)?;
    }
    Ok(())
}

/// The references to the slides, in their order.
fn slide_ids(presentation: &str) -> Extracted<Vec<String>> {
    let (mut ids, mut xml) = (Vec::new(), Xml::new(presentation));
    while let Some(event) = xml.next()? {
        if let XmlEvent::Start(start) = event
            && start.name() == "sldId"
        {
            ids.extend(start.prefixed("id"));
        }
    }
    Ok(ids)
}

/// Adds the text of a slide and of its notes.
fn read_slide(package: &mut Package, slide: &str, out: &mut Paragraphs) -> Extracted {
    // A presentation may list a slide twice.
    let Some(part) = package.part(slide)? else { return Ok(()) };
    shapes(&part, out)?;
    for relation in package.relations(slide)? {
        // Diagrams have a part with their texts.
        if matches!(relation.kind.as_str(), "notesSlide" | "diagramData")
            && let Some(part) = package.part(&relation.target)?
        {
            shapes(&part, out)?;
        }
    }
    Ok(())
}

/// Adds the text of the shapes of a part.
fn shapes(part: &str, out: &mut Paragraphs) -> Extracted {
    let mut xml = Xml::new(part);
    let (mut is_text, mut is_unread) = (false, false);
    while let Some(event) = xml.next()? {
        out.check()?;
        match event {
            XmlEvent::Start(start) => match start.name() {
                "sp" => is_unread = false,
                "ph" => is_unread = start.attribute("type").is_some_and(|it| UNREAD_PLACEHOLDERS.contains(&&*it)),
                "txBody" if is_unread => xml.skip()?,
                "t" => is_text = true,
                "br" => out.push_break(),
                "tab" => out.push("\t"),
                "pPr" | "rPr" | "endParaRPr" | "Fallback" => xml.skip()?,
                _ => {}
            },
            XmlEvent::End(end) => match end.name() {
                "p" => out.end(),
                "t" => is_text = false,
                _ => {}
            },
            XmlEvent::Text(text) if is_text => out.push(&text),
            XmlEvent::Text(_) => {}
        }
    }
    Ok(())
}
