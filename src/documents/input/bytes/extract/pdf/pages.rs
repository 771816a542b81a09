//! `prepared`: reduces the pages of a PDF to the operations that paint text.
//!
//! The library that decodes fonts gives up a page for many faults in colours, images and operands that do not matter for
//! its text. Here each page and each form (a part that pages share) gets a content that has only what matters.

use std::collections::{HashMap, HashSet};

use pdf_extract::content::{Content, Operation};
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};

/// Maximum number of nodes above a page.
const MOST_ANCESTORS: usize = 50;
/// Maximum number of forms that a page paints, counted with repetition, and maximum depth of forms in forms.
const MOST_FORMS: usize = 2000;
const MOST_DEPTH: usize = 12;

/// The pages of a document.
#[derive(Debug, Default)]
pub(super) struct PreparedPages {
    /// The number of pages.
    pub(super) num_pages: u32,
    /// The pages that paint images.
    pub(super) with_image: HashSet<u32>,
    /// The pages that paint forms too often or too deep in one another. They are not read.
    pub(super) refused: HashSet<u32>,
}

/// Reduces all pages of a document.
pub(super) fn prepared(doc: &mut Document) -> PreparedPages {
    let mut pages = PreparedPages::default();
    let mut reduced = Reduced::default();
    let mut contents = Vec::new();
    for (&number, &id) in &doc.get_pages() {
        pages.num_pages = pages.num_pages.max(number);
        let Ok(page) = doc.get_dictionary(id) else { continue };
        let resources = inherited(doc, page, b"Resources").and_then(|it| it.as_dict().ok());
        let content = doc.get_page_content(id).unwrap_or_default();
        let (operations, forms, has_image) = operations(doc, &content, resources);
        let own = resources.cloned().unwrap_or_default();
        if has_image {
            pages.with_image.insert(number);
        }
        let mut num_forms = 0;
        if forms.into_iter().any(|form| !reduced.add(doc, form, resources, 1, &mut num_forms)) {
            pages.refused.insert(number);
        }
        contents.push((id, encoded(operations), own));
    }
    for (id, content) in reduced.contents {
        if let Ok(stream) = doc.get_object_mut(id).and_then(Object::as_stream_mut) {
            stream.dict.remove(b"Filter");
            stream.dict.remove(b"DecodeParms");
            stream.set_content(content);
        }
    }
    for (id, content, resources) in contents {
        let content = doc.add_object(Stream::new(Dictionary::new(), content));
        if let Ok(page) = doc.get_dictionary_mut(id) {
            page.set("Contents", content);
            // The library searches the nodes above for them, which may be a circle.
            page.set("Resources", resources);
            page.remove(b"ArtBox");
            page.set("MediaBox", vec![0.into(), 0.into(), 1.into(), 1.into()]);
        }
    }
    for object in doc.objects.values_mut() {
        if let Object::Dictionary(font) = object {
            mend_font(font);
        }
    }
    pages
}

/// The forms that were reduced.
#[derive(Default)]
struct Reduced {
    seen: HashSet<ObjectId>,
    contents: Vec<(ObjectId, Vec<u8>)>,
    /// The forms of each form.
    inner: HashMap<ObjectId, Vec<ObjectId>>,
}

impl Reduced {
    /// Adds a form and the forms in it. Returns `false` when there are too many.
    fn add(
        &mut self,
        doc: &Document,
        id: ObjectId,
        outer: Option<&Dictionary>,
        depth: usize,
        num_forms: &mut usize,
    ) -> bool {
        *num_forms += 1;
        if depth > MOST_DEPTH || *num_forms > MOST_FORMS {
            return false;
        }
        let Ok(stream) = doc.get_object(id).and_then(Object::as_stream) else { return true };
        let resources = dictionary(doc, &stream.dict, b"Resources").or(outer);
        if self.seen.insert(id) {
            let content = stream.get_plain_content().unwrap_or_default();
            let (mut operations, forms, _) = operations(doc, &content, resources);
            if let Some(matrix) = matrix(doc, &stream.dict) {
                operations.insert(0, Operation::new("cm", matrix));
            }
            self.contents.push((id, encoded(operations)));
            self.inner.insert(id, forms);
        }
        let forms = self.inner.get(&id).cloned().unwrap_or_default();
        forms.into_iter().all(|form| self.add(doc, form, resources, depth + 1, num_forms))
    }
}

fn encoded(operations: Vec<Operation>) -> Vec<u8> {
    Content { operations }.encode().unwrap_or_default()
}

/// The object that a reference refers to, or the object itself.
fn target<'d>(doc: &'d Document, object: &'d Object) -> &'d Object {
    doc.dereference(object).map_or(object, |(_, object)| object)
}

fn dictionary<'d>(doc: &'d Document, dictionary: &'d Dictionary, key: &[u8]) -> Option<&'d Dictionary> {
    target(doc, dictionary.get(key).ok()?).as_dict().ok()
}

/// An attribute of a page, or of the nodes above it.
fn inherited<'d>(doc: &'d Document, page: &'d Dictionary, key: &[u8]) -> Option<&'d Object> {
    let mut node = page;
    for _ in 0..MOST_ANCESTORS {
        if let Ok(object) = node.get(key) {
            return Some(target(doc, object));
        }
        node = dictionary(doc, node, b"Parent")?;
    }
    None
}

/// The transformation of a form.
fn matrix(doc: &Document, form: &Dictionary) -> Option<Vec<Object>> {
    let matrix = target(doc, form.get(b"Matrix").ok()?).as_array().ok()?;
    (matrix.len() == 6 && matrix.iter().all(is_number)).then(|| matrix.clone())
}

fn is_number(object: &Object) -> bool {
    matches!(object, Object::Integer(_) | Object::Real(_))
}

/// Number of operands of an operation that matters for the text; `None` for any other.
fn num_operands(operator: &str) -> Option<usize> {
    Some(match operator {
        "BT" | "ET" | "q" | "Q" | "T*" => 0,
        "Tc" | "Tw" | "Tz" | "TL" | "Ts" | "Tj" | "TJ" | "'" | "Do" => 1,
        "Td" | "TD" | "Tf" => 2,
        "\"" => 3,
        "Tm" | "cm" => 6,
        _ => return None,
    })
}

/// The operations of a content that matter for the text, the forms that it paints, and whether it paints an image.
fn operations(doc: &Document, content: &[u8], resources: Option<&Dictionary>) -> (Vec<Operation>, Vec<ObjectId>, bool) {
    let (mut made, mut forms, mut has_image, mut has_font) = (Vec::new(), Vec::new(), false, false);
    let of_kind = |key: &[u8]| resources.and_then(|resources| dictionary(doc, resources, key));
    let (fonts, objects) = (of_kind(b"Font"), of_kind(b"XObject"));
    let Ok(content) = Content::decode(content) else { return (made, forms, has_image) };
    for Operation { operator, mut operands } in content.operations {
        has_image |= operator == "BI";
        let Some(number) = num_operands(&operator).filter(|&number| number <= operands.len()) else { continue };
        operands.drain(..operands.len() - number);
        let is_wanted = match operator.as_str() {
            "Tf" => {
                let font = operands[0].as_name().ok().and_then(|name| dictionary(doc, fonts?, name));
                let is_usable = font.is_some() && is_number(&operands[1]);
                has_font |= is_usable;
                is_usable
            }
            "Do" => {
                let object = || objects?.get(operands[0].as_name().ok()?).ok();
                let Some(object) = object() else { continue };
                let Ok(stream) = target(doc, object).as_stream() else { continue };
                let is_form = matches!(stream.dict.get(b"Subtype").and_then(Object::as_name), Ok(b"Form"));
                let form = object.as_reference().ok().filter(|_| is_form);
                has_image |= !is_form;
                forms.extend(form);
                form.is_some()
            }
            "Tj" | "'" | "\"" => {
                if !has_font || !matches!(operands[number - 1], Object::String(..)) {
                    continue;
                }
                let text = operands.remove(number - 1);
                if operands.iter().all(is_number) {
                    let spacings = ["Tw", "Tc"].into_iter().zip(operands);
                    made.extend(spacings.map(|(operator, operand)| Operation::new(operator, vec![operand])));
                }
                if operator != "Tj" {
                    made.push(Operation::new("T*", Vec::new()));
                }
                made.push(Operation::new("Tj", vec![text]));
                continue;
            }
            "TJ" => has_font && operands[0].as_array().is_ok(),
            _ => operands.iter().all(is_number),
        };
        if is_wanted {
            made.push(Operation { operator, operands });
        }
    }
    (made, forms, has_image)
}

/// Corrects faults of a font that the library does not accept.
fn mend_font(font: &mut Dictionary) {
    if !font.has_type(b"Font") {
        return;
    }
    let numbers =
        (font.get(b"Widths").and_then(Object::as_array).map(Vec::len), font.get(b"FirstChar").and_then(Object::as_i64));
    if let (Ok(len), Ok(first)) = numbers
        && len > 0
    {
        font.set("LastChar", first.saturating_add(len as i64 - 1));
    }
    if let Ok(Object::String(name, _)) = font.get(b"BaseFont") {
        let name = Object::Name(name.clone());
        font.set("BaseFont", name);
    }
    if matches!(font.get(b"Encoding"), Ok(Object::Null)) {
        font.remove(b"Encoding");
    }
}
