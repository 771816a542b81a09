//! DrawingML: the text of shapes, tables and diagrams, in slides and in Word documents.

use std::collections::HashMap;

use super::fault::Extracted;
use super::package::{Package, Relation};
use super::paragraphs::Paragraphs;
use super::xml::{Xml, XmlEvent};

/// Placeholders of text that is not part of a slide: headers, footers, dates, numbers, and the picture of the slide on the
/// page of its notes.
const UNREAD_PLACEHOLDERS: [&str; 5] = ["hdr", "ftr", "dt", "sldNum", "sldImg"];

/// The parts with the texts of diagrams (SmartArt), by the ids of the references to them.
pub(super) struct Diagrams(HashMap<String, String>);

impl Diagrams {
    /// * `relations`: the references of the part that shows the diagrams.
    pub(super) fn of(relations: &[Relation]) -> Self {
        let diagrams = relations.iter().filter(|relation| relation.kind == "diagramData");
        Self(diagrams.map(|relation| (relation.id.clone(), relation.target.clone())).collect())
    }

    /// Adds the text of the diagram with this id. A diagram is read once.
    pub(super) fn read(&mut self, id: &str, package: &mut Package, out: &mut Paragraphs) -> Extracted {
        let Some(target) = self.0.remove(id) else { return Ok(()) };
        let part = package.part(&target)?.unwrap_or_default();
        shapes(&part, out, &mut |_, _| Ok(()))
    }
}

/// Adds the text of the shapes of a part.
///
/// * `diagram`: adds the text of the diagram with an id.
pub(super) fn shapes(
    part: &str,
    out: &mut Paragraphs,
    diagram: &mut dyn FnMut(&str, &mut Paragraphs) -> Extracted,
) -> Extracted {
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
                "relIds" => diagram(&start.attribute("dm").unwrap_or_default(), out)?,
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
