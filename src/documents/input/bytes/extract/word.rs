//! Word (.docx, .docm): ECMA-376, WordprocessingML.
//!
//! The text is what a reader sees once all changes are accepted: paragraphs, tables, text boxes, diagrams, foot and end
//! notes. It does not contain tracked deletions, text that is hidden directly or by its style, comments, headers, footers,
//! phonetic guides (ruby) and the codes of fields. Notes, text boxes and diagrams follow the paragraph that refers to them.

use std::collections::HashMap;

use super::drawing::Diagrams;
use super::fault::Extracted;
use super::package::Package;
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use super::styles::Styles;
use super::xml::{Element, Xml, XmlEvent};

/// Elements whose content is not part of the text: properties, codes of fields, deletions, phonetic guides, alternatives
/// for old programs.
#[rustfmt::skip]
const UNREAD: [&str; 14] = [
    "tblPr", "tblPrEx", "tblGrid", "trPr", "tcPr", "sectPr", "sdtPr", "sdtEndPr", "instrText", "delInstrText", "del",
    "moveFrom", "rt", "Fallback",
];

/// Foot and end notes by their kind and number, as XML text of their content.
type Notes = HashMap<(&'static str, String), String>;

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let mut package = Package::open(source)?;
    let main = package.main_part("word/document.xml")?;
    let text = package.required(&main)?;
    let (mut notes, mut styles) = (Notes::new(), Styles::default());
    let relations = package.relations(&main)?;
    for relation in &relations {
        let element = match relation.kind.as_str() {
            "footnotes" => "footnote",
            "endnotes" => "endnote",
            "styles" => {
                let part = package.part(&relation.target)?.unwrap_or_default();
                collect_styles(&part, &mut styles)?;
                continue;
            }
            _ => continue,
        };
        if let Some(part) = package.part(&relation.target)? {
            collect_notes(&part, element, &mut notes)?;
        }
    }
    let diagrams = Diagrams::of(&relations);
    WordReader { package, notes, styles, diagrams, out }.story(&text, true)
}

/// Reads which styles hide their text.
fn collect_styles(part: &str, styles: &mut Styles) -> Extracted {
    let (mut xml, mut id) = (Xml::new(part), String::new());
    while let Some(event) = xml.next()? {
        let XmlEvent::Start(start) = event else { continue };
        match start.name() {
            "style" => id = start.attribute("styleId").unwrap_or_default(),
            "basedOn" => styles.set_base(&id, start.attribute("val").unwrap_or_default()),
            "vanish" => styles.set_hides(&id, start.is_on()),
            // The mark of a paragraph, and numbers of lists.
            "pPr" => xml.skip()?,
            _ => {}
        }
    }
    Ok(())
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

struct WordReader<'b, 'o> {
    package: Package<'b>,
    notes: Notes,
    styles: Styles,
    diagrams: Diagrams,
    out: &'o mut Paragraphs,
}

/// The properties of the text at a place of a document or note, which the elements before it set.
#[derive(Debug, Default)]
struct StoryState {
    is_hidden: bool,
    is_style_hidden: bool,
    /// Whether the end of the open paragraph is deleted, so that the next paragraph continues it.
    joins_next: bool,
    /// For each open field whether its code has not ended yet. A code may contain other fields, whose results are not shown.
    codes: Vec<bool>,
    /// Number of these fields whose code has not ended.
    num_codes: usize,
    /// The text of the open element that holds text, and whether white space around it counts.
    run: Option<String>,
    keeps_space: bool,
}

impl StoryState {
    fn is_unread(&self) -> bool {
        self.is_hidden || self.num_codes > 0
    }

    /// The beginning of a field, the end of its code, or the end of the field.
    fn field(&mut self, kind: Option<String>) {
        match kind.as_deref() {
            Some("begin") => {
                self.codes.push(true);
                self.num_codes += 1;
            }
            Some("separate") => {
                let was_code = self.codes.last_mut().is_some_and(std::mem::take);
                self.num_codes -= usize::from(was_code);
            }
            Some("end") => self.num_codes -= usize::from(self.codes.pop() == Some(true)),
            _ => {}
        }
    }
}

impl WordReader<'_, '_> {
    /// Adds the text of a document or note.
    ///
    /// * `has_notes`: whether it refers to notes. A note is added at its first reference.
    fn story(&mut self, text: &str, has_notes: bool) -> Extracted {
        let (mut xml, mut state) = (Xml::new(text), StoryState::default());
        while let Some(event) = xml.next()? {
            self.out.check()?;
            match event {
                XmlEvent::Start(start) => self.start(&start, &mut xml, &mut state, has_notes)?,
                XmlEvent::End(end) => match end.name() {
                    "p" => {
                        // A field without an end must not hide the rest of the document.
                        state.codes.clear();
                        state.num_codes = 0;
                        if !state.joins_next {
                            self.out.end();
                        }
                    }
                    "t" => {
                        let text = state.run.take().filter(|_| !state.is_unread()).unwrap_or_default();
                        let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
                        self.out.push(if state.keeps_space { &text } else { text.trim_matches(is_space) });
                    }
                    "txbxContent" => self.out.end_attached(),
                    _ => {}
                },
                XmlEvent::Text(text) => {
                    if let Some(run) = &mut state.run {
                        run.push_str(&text);
                    }
                }
            }
        }
        Ok(())
    }

    fn start(&mut self, start: &Element, xml: &mut Xml, state: &mut StoryState, has_notes: bool) -> Extracted {
        match start.name() {
            "p" => (state.joins_next, state.is_style_hidden, state.is_hidden) = (false, false, false),
            "pPr" => {
                let style;
                (state.joins_next, style) = paragraph_properties(xml)?;
                state.is_style_hidden = style.is_some_and(|style| self.styles.hides(&style) == Some(true));
                state.is_hidden = state.is_style_hidden;
            }
            "r" => state.is_hidden = state.is_style_hidden,
            "rPr" => state.is_hidden = hides(xml, &self.styles)?.unwrap_or(state.is_style_hidden),
            "t" => {
                state.run = Some(String::new());
                state.keeps_space = start.attribute("space").is_some_and(|it| it == "preserve");
            }
            "fldChar" => state.field(start.attribute("fldCharType")),
            "tab" | "ptab" | "br" | "cr" | "noBreakHyphen" | "softHyphen" | "sym" | "symEx" | "relIds"
                if state.is_unread() => {}
            "tab" | "ptab" => self.out.push("\t"),
            "br" | "cr" => self.out.push_break(),
            "noBreakHyphen" => self.out.push("\u{2011}"),
            "softHyphen" => self.out.push("\u{AD}"),
            "sym" | "symEx" => self.out.push(&symbol(&start.attribute("char").unwrap_or_default())),
            "txbxContent" => self.out.begin_attached(),
            "relIds" => {
                self.out.begin_attached();
                self.diagrams.read(&start.attribute("dm").unwrap_or_default(), &mut self.package, self.out)?;
                self.out.end_attached();
            }
            name @ ("footnoteReference" | "endnoteReference") if has_notes => {
                let kind = if name == "footnoteReference" { "footnote" } else { "endnote" };
                let id = start.attribute("id").unwrap_or_default();
                if let Some(note) = self.notes.remove(&(kind, id)).filter(|_| !state.is_unread()) {
                    self.out.begin_attached();
                    self.story(&note, false)?;
                    self.out.end_attached();
                }
            }
            name if UNREAD.contains(&name) => xml.skip()?,
            _ => {}
        }
        Ok(())
    }
}

/// The character with this hexadecimal number. The private characters of symbol fonts are pictures.
fn symbol(number: &str) -> String {
    let c = u32::from_str_radix(number, 16).ok().and_then(char::from_u32);
    c.filter(|c| !matches!(c, '\u{E000}'..='\u{F8FF}')).map_or(String::new(), String::from)
}

/// Reads the properties of a run: whether its text is hidden, if they say so.
fn hides(xml: &mut Xml, styles: &Styles) -> Extracted<Option<bool>> {
    let (mut directly, mut by_style) = (None, None);
    xml.each_inside(|start| match start.name() {
        "vanish" => directly = Some(start.is_on()),
        "rStyle" => by_style = start.attribute("val").and_then(|style| styles.hides(&style)).filter(|&hides| hides),
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
