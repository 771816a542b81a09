//! `TextOperations`: the operations of a content that paint text.

use std::collections::BTreeSet;

use encoding_rs::Encoding;
use pdf_extract::content::{Content, Operation};
use pdf_extract::{Dictionary, Document, Object, ObjectId, StringFormat};

use super::content::{ContentReader, is_number};
use super::fonts::{encoding_of, recoded};
use super::streams::{Unpacked, target};

/// Maximum number of states of a page that are saved at a time.
const MOST_SAVED: usize = 1000;

/// The parts that a page or a form has.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct PageParts {
    /// Whether it paints an image.
    pub(super) has_image: bool,
    /// Whether it paints characters other than blanks.
    pub(super) has_text: bool,
    /// Whether a part of its text is missing.
    pub(super) is_cut: bool,
}

impl PageParts {
    /// Adds the parts of a form.
    pub(super) fn add(&mut self, form: Self) {
        self.has_image |= form.has_image;
        self.has_text |= form.has_text;
        self.is_cut |= form.is_cut;
    }
}

/// The operations of a content that matter for the text.
#[derive(Debug, Default)]
pub(super) struct TextOperations {
    pub(super) operations: Vec<Operation>,
    /// The forms that it paints.
    pub(super) forms: Vec<ObjectId>,
    pub(super) parts: PageParts,
    /// The codes in strings that were recoded.
    pub(super) letters: BTreeSet<u16>,
    /// Whether a font was set, so text can be painted.
    has_font: bool,
    /// The encoding of the font, if its strings are recoded.
    encoding: Option<&'static Encoding>,
    /// The saved values of `has_font` and `encoding`.
    saved: Vec<(bool, Option<&'static Encoding>)>,
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

impl TextOperations {
    /// * `content`: the content of a page or a form.
    /// * `resources`: the fonts and forms that it names.
    pub(super) fn of(doc: &Document, content: &Unpacked, resources: Option<&Dictionary>) -> Self {
        let parts = PageParts { is_cut: content.is_cut, ..PageParts::default() };
        let mut made = Self { parts, ..Self::default() };
        let of_kind = |key: &[u8]| target(doc, resources?.get(key).ok()?).as_dict().ok();
        let (fonts, objects) = (of_kind(b"Font"), of_kind(b"XObject"));
        let mut reader = ContentReader::new(&content.bytes);
        while let Some((operator, mut operands)) = reader.next_operation() {
            made.parts.has_image |= operator == "BI";
            let Some(number) = num_operands(&operator).filter(|&number| number <= operands.len()) else { continue };
            operands.drain(..operands.len() - number);
            match operator.as_str() {
                "Tf" => made.set_font(doc, fonts, operands),
                "Do" => made.paint(doc, objects, operands),
                "Tj" | "'" | "\"" | "TJ" => made.show(&operator, operands),
                "q" => made.save(),
                "Q" => made.restore(),
                _ if operands.iter().all(is_number) => made.operations.push(Operation { operator, operands }),
                _ => {}
            }
        }
        made.parts.is_cut |= reader.ends_early;
        made
    }

    /// Saves the state of the page. States beyond a depth that no page needs are not saved, since the library copies each.
    fn save(&mut self) {
        self.saved.push((self.has_font, self.encoding));
        if self.saved.len() <= MOST_SAVED {
            self.operations.push(Operation::new("q", Vec::new()));
        }
    }

    fn restore(&mut self) {
        let Some(saved) = self.saved.pop() else { return };
        (self.has_font, self.encoding) = saved;
        if self.saved.len() < MOST_SAVED {
            self.operations.push(Operation::new("Q", Vec::new()));
        }
    }

    /// The operations as a content.
    pub(super) fn encoded(self) -> Vec<u8> {
        Content { operations: self.operations }.encode().unwrap_or_default()
    }

    fn set_font(&mut self, doc: &Document, fonts: Option<&Dictionary>, operands: Vec<Object>) {
        let stored = || fonts?.get(operands[0].as_name().ok()?).ok();
        let Some(stored) = stored() else { return };
        if let Ok(font) = target(doc, stored).as_dict()
            && is_number(&operands[1])
        {
            self.has_font = true;
            // Only fonts that are objects get a table of letters.
            self.encoding = stored.as_reference().ok().and_then(|_| encoding_of(doc, font));
            self.operations.push(Operation::new("Tf", operands));
        }
    }

    /// Paints a form or an image.
    fn paint(&mut self, doc: &Document, objects: Option<&Dictionary>, operands: Vec<Object>) {
        let object = || objects?.get(operands[0].as_name().ok()?).ok();
        let Some(object) = object() else { return };
        let Ok(stream) = target(doc, object).as_stream() else { return };
        let is_form = matches!(stream.dict.get(b"Subtype").and_then(Object::as_name), Ok(b"Form"));
        self.parts.has_image |= !is_form;
        if let Some(form) = object.as_reference().ok().filter(|_| is_form) {
            self.forms.push(form);
            self.operations.push(Operation::new("Do", operands));
        }
    }

    /// Paints text.
    fn show(&mut self, operator: &str, mut operands: Vec<Object>) {
        let Some(text) = operands.pop() else { return };
        let strings: Vec<Object> = match text {
            Object::String(..) if operator != "TJ" => vec![text],
            Object::Array(strings) if operator == "TJ" => {
                strings.into_iter().filter(|it| is_number(it) || matches!(it, Object::String(..))).collect()
            }
            _ => return,
        };
        let has_text = strings.iter().any(has_characters);
        self.parts.has_text |= has_text;
        if !self.has_font {
            self.parts.is_cut |= has_text;
            return;
        }
        if operands.iter().all(is_number) {
            let spacings = ["Tw", "Tc"].into_iter().zip(operands);
            self.operations.extend(spacings.map(|(operator, operand)| Operation::new(operator, vec![operand])));
        }
        if matches!(operator, "'" | "\"") {
            self.operations.push(Operation::new("T*", Vec::new()));
        }
        // The library fails on brackets that are nested too deep, which hexadecimal strings do not have.
        let letters = &mut self.letters;
        let hexadecimal = |it: Object| match (it, self.encoding) {
            (Object::String(bytes, _), Some(encoding)) => recoded(&bytes, encoding, letters),
            (Object::String(bytes, _), None) => Object::String(bytes, StringFormat::Hexadecimal),
            (it, _) => it,
        };
        let strings = strings.into_iter().map(hexadecimal).collect::<Vec<_>>();
        self.operations.push(Operation::new("TJ", vec![strings.into()]));
    }
}

/// Whether a string has other characters than blanks.
fn has_characters(string: &Object) -> bool {
    string.as_str().is_ok_and(|bytes| bytes.iter().any(|byte| !matches!(byte, 0 | b' ' | b'\n' | b'\r' | b'\t')))
}
