//! PowerPoint (.pptx): ECMA-376, PresentationML and DrawingML.
//!
//! The text of each slide in the order of its shapes, tables and diagrams included, and then the text of its notes. It does
//! not contain headers, footers, dates, slide numbers and comments.

use std::collections::HashMap;

use super::drawing::{Diagrams, shapes};
use super::fault::Extracted;
use super::package::Package;
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use super::xml::{Xml, XmlEvent};

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
    let relations = package.relations(slide)?;
    let mut diagrams = Diagrams::of(&relations);
    shapes(&part, out, &mut |id, out| diagrams.read(id, package, out))?;
    for notes in relations.iter().filter(|relation| relation.kind == "notesSlide") {
        if let Some(part) = package.part(&notes.target)? {
            shapes(&part, out, &mut |_, _| Ok(()))?;
        }
    }
    Ok(())
}
