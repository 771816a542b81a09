//! `prepared`: reduces the pages of a PDF to the operations that paint text.
//!
//! The library that decodes fonts gives up a page for many faults in colours, images and operands that do not matter for
//! its text. Here each page and each form (a part that pages share) gets a content that has only what matters.

use std::collections::{BTreeSet, HashMap, HashSet};

use pdf_extract::content::Operation;
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};

use super::content::is_number;
use super::fonts::{mend_font, mend_widths, set_letters};
use super::operations::{PageParts, TextOperations};
use super::streams::{Unpacked, target};

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
    /// The pages that paint characters.
    pub(super) with_text: HashSet<u32>,
    /// The pages of whose text a part is missing.
    pub(super) cut: HashSet<u32>,
    /// The pages that paint forms too often or too deep in one another. They are not read.
    pub(super) refused: HashSet<u32>,
    /// Whether the content of a page has more bytes than the limit.
    pub(super) is_too_large: bool,
}

/// Reduces all pages of a document.
///
/// * `limit`: maximum bytes of the content of a page, and of a form.
pub(super) fn prepared(doc: &mut Document, limit: u64) -> PreparedPages {
    let mut pages = PreparedPages::default();
    let mut forms = ReducedForms { limit, ..ReducedForms::default() };
    let mut contents = Vec::new();
    for (&number, &id) in &doc.get_pages() {
        pages.num_pages = pages.num_pages.max(number);
        let Ok(page) = doc.get_dictionary(id) else { continue };
        let resources = inherited(doc, page, b"Resources").and_then(|it| it.as_dict().ok());
        let content = Unpacked::of_page(doc, page, limit);
        pages.is_too_large |= content.is_too_large;
        let mut text = TextOperations::of(doc, &content, resources);
        forms.letters.append(&mut text.letters);
        let mut painted = PaintedForms { number: 0, parts: text.parts };
        if text.forms.iter().any(|&form| !forms.add(doc, form, resources, 1, &mut painted)) {
            pages.refused.insert(number);
        }
        let PageParts { has_image, has_text, is_cut } = painted.parts;
        let kinds = [(has_image, &mut pages.with_image), (has_text, &mut pages.with_text), (is_cut, &mut pages.cut)];
        for (_, pages) in kinds.into_iter().filter(|&(has_kind, _)| has_kind) {
            pages.insert(number);
        }
        contents.push((id, text.encoded(), resources.cloned().unwrap_or_default()));
    }
    pages.is_too_large |= forms.is_too_large;
    for (id, form) in std::mem::take(&mut forms.reduced) {
        if let Ok(stream) = doc.get_object_mut(id).and_then(Object::as_stream_mut) {
            stream.set_plain_content(form.content);
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
    set_letters(doc, &forms.letters);
    mend_widths(doc);
    for object in doc.objects.values_mut() {
        if let Object::Dictionary(font) = object {
            mend_font(font);
        }
    }
    pages
}

/// The forms that a page paints, each as often as it is painted.
#[derive(Debug, Default)]
struct PaintedForms {
    number: usize,
    /// The parts of the page and its forms.
    parts: PageParts,
}

/// A form with its reduced content.
#[derive(Debug, Default)]
struct ReducedForm {
    content: Vec<u8>,
    /// The forms that it paints.
    inner: Vec<ObjectId>,
    parts: PageParts,
}

/// The forms that were reduced.
#[derive(Debug, Default)]
struct ReducedForms {
    reduced: HashMap<ObjectId, ReducedForm>,
    /// The codes in strings that were recoded, in pages too.
    letters: BTreeSet<u16>,
    limit: u64,
    is_too_large: bool,
}

impl ReducedForms {
    /// Adds a form and the forms in it. Returns `false` when there are too many.
    fn add(
        &mut self,
        doc: &Document,
        id: ObjectId,
        outer: Option<&Dictionary>,
        depth: usize,
        painted: &mut PaintedForms,
    ) -> bool {
        painted.number += 1;
        if depth > MOST_DEPTH || painted.number > MOST_FORMS {
            return false;
        }
        let Ok(stream) = doc.get_object(id).and_then(Object::as_stream) else { return true };
        let resources = dictionary(doc, &stream.dict, b"Resources").or(outer);
        let form = self.reduced.entry(id).or_insert_with(|| {
            let content = Unpacked::of_stream(doc, stream, self.limit);
            self.is_too_large |= content.is_too_large;
            let mut text = TextOperations::of(doc, &content, resources);
            if let Some(matrix) = matrix(doc, &stream.dict) {
                text.operations.insert(0, Operation::new("cm", matrix));
            }
            self.letters.append(&mut text.letters);
            ReducedForm { inner: std::mem::take(&mut text.forms), parts: text.parts, content: text.encoded() }
        });
        painted.parts.add(form.parts);
        let inner = form.inner.clone();
        inner.into_iter().all(|form| self.add(doc, form, resources, depth + 1, painted))
    }
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
