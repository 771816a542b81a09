//! OpenDocument texts (.odt), presentations (.odp) and drawings (.odg): OASIS OpenDocument 1.3, part 3, their predecessor
//! of OpenOffice 1.0 (.sxw, .sxi, .sxd), and their form in one XML file (.fodt, .fodp, .fodg).
//!
//! The text is what a reader sees: headings, paragraphs, tables, text boxes, foot and end notes. It does not
//! contain tracked deletions, text that is hidden directly or by its style, comments, headers, footers, phonetic guides
//! (ruby), and the numbers of notes and lists.

use super::fault::{ExtractFault, Extracted};
use super::package::Package;
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use super::styles::Styles;
use super::xml::{Element, Xml, XmlEvent};

/// Elements whose content is not part of the text.
#[rustfmt::skip]
const UNREAD: [&str; 22] = [
    "tracked-changes", "number", "ruby-text", "note-citation", "footnote-citation", "endnote-citation", "annotation",
    "covered-table-cell", "forms", "script", "scripts", "binary-data", "font-face-decls", "master-styles", "settings",
    "meta", "event-listeners", "table-of-content-source", "illustration-index-source", "table-index-source",
    "alphabetical-index-source", "bibliography-source",
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
    let styles = common_styles(&package.part("styles.xml")?.unwrap_or_default())?;
    story(&package.required("content.xml")?, styles, out)
}

/// Reads a document that is one XML file.
pub(super) fn read_flat(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    story(&source.decoded()?, Styles::default(), out)
}

/// Reads which styles hide their text, from the element that started last, which has styles. Each kind of style has its own
/// names.
fn collect_styles(xml: &mut Xml, styles: &mut Styles) -> Extracted {
    let mut name = String::new();
    xml.each_inside(|start| match start.name() {
        "style" => {
            let family = start.attribute("family").unwrap_or_default();
            let of_family = |name: String| format!("{family}:{name}");
            name = of_family(start.attribute("name").unwrap_or_default());
            if let Some(base) = start.attribute("parent-style-name") {
                styles.set_base(&name, of_family(base));
            }
        }
        // The numbers of lists have properties of text, too.
        "list-style" | "outline-style" | "default-style" => name.clear(),
        "text-properties" | "properties" => {
            if let Some(display) = start.attribute("display") {
                styles.set_hides(&name, display == "none");
            }
        }
        _ => {}
    })
}

/// Reads which styles of the part `styles.xml` hide their text.
fn common_styles(part: &str) -> Extracted<Styles> {
    let (mut xml, mut styles) = (Xml::new(part), Styles::default());
    while let Some(event) = xml.next()? {
        match event {
            // The names of automatic styles are used only in this part, for headers and the like.
            XmlEvent::Start(start) if start.name() == "automatic-styles" => xml.skip()?,
            XmlEvent::Start(start) if start.name() == "styles" => collect_styles(&mut xml, &mut styles)?,
            _ => {}
        }
    }
    Ok(styles)
}

/// Whether an element says itself that its content is hidden.
fn is_hidden(element: &Element) -> bool {
    element.attribute("display").is_some_and(|display| display == "none")
        || element.attribute("is-hidden").is_some_and(|is_hidden| is_hidden == "true")
}

/// Reads the text of a document in order.
struct OpenReader<'o> {
    out: &'o mut Paragraphs,
    styles: Styles,
    /// Number of open paragraphs. Text outside of them is white space.
    depth: usize,
    /// For each open note and text box the number of open paragraphs around it, if it is inside a paragraph.
    boxes: Vec<Option<usize>>,
    /// For each open paragraph and span whether its text is hidden.
    hidden: Vec<bool>,
}

fn story(text: &str, styles: Styles, out: &mut Paragraphs) -> Extracted {
    let mut reader = OpenReader { out, styles, depth: 0, boxes: Vec::new(), hidden: Vec::new() };
    let mut xml = Xml::new(text);
    while let Some(event) = xml.next()? {
        reader.out.check()?;
        match event {
            XmlEvent::Start(start) => reader.start(&start, &mut xml)?,
            XmlEvent::End(end) => reader.end(end.name()),
            XmlEvent::Text(text) if reader.depth > 0 && reader.is_shown() => reader.out.push_collapsed(&text),
            XmlEvent::Text(_) => {}
        }
    }
    Ok(())
}

impl OpenReader<'_> {
    fn is_shown(&self) -> bool {
        self.hidden.last() != Some(&true)
    }

    fn start(&mut self, start: &Element, xml: &mut Xml) -> Extracted {
        match start.name() {
            "p" | "h" => {
                self.depth += 1;
                self.open("paragraph", start);
            }
            "span" => self.open("text", start),
            "s" | "tab" | "line-break" if !self.is_shown() => {}
            "s" => {
                let count = start.attribute("c").and_then(|count| count.parse().ok()).unwrap_or(1_usize);
                self.out.push(&" ".repeat(count.min(MOST_SPACES)));
            }
            "tab" => self.out.push("\t"),
            "line-break" => self.out.push_break(),
            "page" => self.out.begin_part(),
            "note-body" | "footnote-body" | "endnote-body" | "text-box" => {
                self.boxes.push(Some(self.depth).filter(|&depth| depth > 0));
                if self.depth > 0 {
                    self.out.begin_attached();
                    self.depth = 0;
                }
            }
            "automatic-styles" | "styles" => collect_styles(xml, &mut self.styles)?,
            "section" | "hidden-text" if is_hidden(start) => xml.skip()?,
            "title" | "desc" if start.has_prefix("svg") => xml.skip()?,
            "frame" if start.attribute("class").is_some_and(|it| UNREAD_FRAMES.contains(&&*it)) => xml.skip()?,
            name if UNREAD.contains(&name) => xml.skip()?,
            _ => {}
        }
        Ok(())
    }

    /// Opens a paragraph or a span, whose style may hide its text.
    fn open(&mut self, family: &str, element: &Element) {
        let style = element.attribute("style-name").map(|name| format!("{family}:{name}"));
        let hides = style.and_then(|style| self.styles.hides(&style));
        self.hidden.push(hides.unwrap_or(!self.is_shown()));
    }

    fn end(&mut self, name: &str) {
        match name {
            "p" | "h" => {
                self.hidden.pop();
                self.depth = self.depth.saturating_sub(1);
                self.out.end();
            }
            "span" => drop(self.hidden.pop()),
            "note-body" | "footnote-body" | "endnote-body" | "text-box" => {
                if let Some(outer) = self.boxes.pop().flatten() {
                    self.out.end_attached();
                    self.depth = outer;
                }
            }
            _ => {}
        }
    }
}
