//! Extracts the text of documents that are not text: office documents, books and notebooks.
//!
//! The bytes of a document come in, and its text goes out: one line for each paragraph, table cell or line of code, and
//! a form feed before each slide, chapter or cell after the first. Line numbers in the text are the places that the
//! output reports. The kind of a document is decided by its bytes ([`document_kind_of`]), never by its name.
//!
//! A new format of documents that are recognised by their bytes needs a file with a function that reads it, and a row in
//! `FORMATS`; its kind is recognised in `formats/binary_kinds.rs`. Formats that are recognised by name are in
//! `formats/format.rs`.

mod fault;
mod paragraphs;
mod source;
mod xml;
mod package;
mod word;
mod open_document;
mod slides;
mod epub;
mod notebook;
mod rtf;

pub(in crate::documents::input) use self::fault::ExtractFault;
use self::fault::Extracted;
pub(in crate::documents::input) use self::package::declared_bytes;
use self::package::may_have_part;
use self::paragraphs::Paragraphs;
pub(in crate::documents::input) use self::source::DocumentSource;
use crate::base::problem::BinaryKind;
use crate::documents::input::formats::binary_kinds::{
    ENCRYPTED_OFFICE, EPUB, NOTEBOOK, OPEN_SLIDES, OPEN_TEXT, POWERPOINT, RTF, WORD, document_kind_of,
};
use crate::documents::input::panic_guard::contain;

/// A format of documents.
pub(in crate::documents::input) struct DocumentFormat {
    /// The kind that the first bytes show, with its names.
    pub(in crate::documents::input) kind: &'static BinaryKind,
    /// The part that every such document has; empty for a document that is not a zip file.
    part: &'static str,
    /// Extracts the text.
    read: fn(&DocumentSource, &mut Paragraphs) -> Extracted,
}

static FORMATS: &[DocumentFormat] = &[
    DocumentFormat { kind: &WORD, part: "[Content_Types].xml", read: word::read },
    DocumentFormat { kind: &OPEN_TEXT, part: "content.xml", read: open_document::read },
    DocumentFormat { kind: &POWERPOINT, part: "[Content_Types].xml", read: slides::read },
    DocumentFormat { kind: &OPEN_SLIDES, part: "content.xml", read: open_document::read },
    DocumentFormat { kind: &EPUB, part: "META-INF/container.xml", read: epub::read },
    DocumentFormat { kind: &NOTEBOOK, part: "", read: notebook::read },
    DocumentFormat { kind: &RTF, part: "", read: rtf::read },
    DocumentFormat { kind: &ENCRYPTED_OFFICE, part: "", read: |_, _| Err(ExtractFault::Encrypted) },
];

impl DocumentFormat {
    /// The format of a document; `None` for any other content.
    pub(in crate::documents::input) fn of(bytes: &[u8]) -> Option<&'static Self> {
        let kind = document_kind_of(bytes)?;
        let format = FORMATS.iter().find(|format| format.kind == kind)?;
        // An archive that holds documents is not a document.
        (format.part.is_empty() || may_have_part(bytes, format.part)).then_some(format)
    }

    /// The format that a name promises.
    pub(in crate::documents::input) fn of_name(name: &str) -> Option<&'static Self> {
        FORMATS.iter().find(|format| format.kind.ending_of(name).is_some())
    }

    /// Extracts the text of a document: valid UTF-8 without NUL bytes.
    ///
    /// # Errors
    /// When the document is damaged, encrypted or too large.
    pub(in crate::documents::input) fn text(&self, source: &DocumentSource) -> Result<Vec<u8>, ExtractFault> {
        let mut paragraphs = Paragraphs::new(source.limit);
        contain(|| (self.read)(source, &mut paragraphs).and_then(|()| paragraphs.finish()))
            .unwrap_or_else(|panicked| Err(ExtractFault::Damaged(panicked.to_string())))
    }
}
