//! Extracts the text of documents that are not text: office documents, PDF, books and notebooks.
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
mod styles;
mod drawing;
mod word;
mod word_xml;
mod open_document;
mod fiction_book;
mod slides;
mod epub;
mod notebook;
mod rtf;
#[cfg(feature = "pdf")]
mod pdf;
mod apart;

use std::borrow::Cow;
use std::io;

pub use self::apart::{EXTRACT_FLAG, set_extractor};
use self::apart::{extract_apart, print_text};
pub(in crate::documents::input) use self::fault::ExtractFault;
use self::fault::Extracted;
pub(in crate::documents::input) use self::package::declared_bytes;
use self::package::may_have_part;
pub(in crate::documents::input) use self::paragraphs::ExtractedText;
use self::paragraphs::Paragraphs;
pub(in crate::documents::input) use self::rtf::of_code_page;
pub(in crate::documents::input) use self::source::DocumentSource;
use crate::base::problem::BinaryKind;
use crate::base::setting::Setting;
use crate::documents::input::formats::binary_kinds::{ZIP_START, document_kind_of, kind_of};
#[cfg(feature = "pdf")]
use crate::documents::input::formats::kind_table::PDF;
use crate::documents::input::formats::kind_table::{
    ENCRYPTED_OFFICE, EPUB, FICTION_BOOK, FLAT_OPEN, NOTEBOOK, OPEN_DRAWING, OPEN_SLIDES, OPEN_TEXT, POWERPOINT, RTF,
    WORD, WORD_XML,
};
use crate::documents::input::marks::utf16_of_mark;
use crate::documents::input::panic_guard::contain;

/// Number of first bytes of UTF-16 in which a document of JSON or XML begins.
const START_OF_UTF16: usize = 64;

/// A format of documents.
pub(in crate::documents::input) struct DocumentFormat {
    /// The kind that the first bytes show, with its names.
    pub(in crate::documents::input) kind: &'static BinaryKind,
    /// The part that every such document has; empty for a document that is not a zip file.
    part: &'static str,
    /// Extracts the text.
    read: fn(&DocumentSource, &mut Paragraphs) -> Extracted,
    /// Whether the library that reads the format may fail in a way that ends the process, or run for ever.
    is_dangerous: bool,
}

/// A format that is read in this process.
const fn format(
    kind: &'static BinaryKind,
    part: &'static str,
    read: fn(&DocumentSource, &mut Paragraphs) -> Extracted,
) -> DocumentFormat {
    DocumentFormat { kind, part, read, is_dangerous: false }
}

static FORMATS: &[DocumentFormat] = &[
    format(&WORD, "[Content_Types].xml", word::read),
    format(&OPEN_TEXT, "content.xml", open_document::read),
    format(&POWERPOINT, "[Content_Types].xml", slides::read),
    format(&OPEN_SLIDES, "content.xml", open_document::read),
    format(&OPEN_DRAWING, "content.xml", open_document::read),
    format(&FLAT_OPEN, "", open_document::read_flat),
    format(&WORD_XML, "", word_xml::read),
    format(&FICTION_BOOK, "", fiction_book::read),
    format(&EPUB, "META-INF/container.xml", epub::read),
    format(&NOTEBOOK, "", notebook::read),
    format(&RTF, "", rtf::read),
    format(&ENCRYPTED_OFFICE, "", |_, _| Err(ExtractFault::Encrypted)),
    #[cfg(feature = "pdf")]
    DocumentFormat { is_dangerous: true, ..format(&PDF, "", pdf::read) },
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

    /// The format that a name promises, for a zip file that is cut short before its first bytes show what it is.
    pub(in crate::documents::input) fn of_cut_short(bytes: &[u8], name: &[u8]) -> Option<&'static Self> {
        let is_unknown = bytes.starts_with(ZIP_START) && kind_of(bytes).is_none();
        let format = Self::of_name(&String::from_utf8_lossy(name)).filter(|_| is_unknown)?;
        Some(format).filter(|format| !format.part.is_empty() && may_have_part(bytes, format.part))
    }

    /// Extracts the text of a document: valid UTF-8 without NUL bytes. A dangerous format is read in another process, if
    /// [`set_extractor`] has named its program.
    ///
    /// # Errors
    /// When the document is damaged, encrypted or too large, or could not be extracted in the other process.
    pub(in crate::documents::input) fn text(&self, source: &DocumentSource) -> Result<ExtractedText, ExtractFault> {
        let apart = self.is_dangerous.then(|| extract_apart(source)).flatten();
        apart.unwrap_or_else(|| self.text_here(source))
    }

    /// The advice about a document that only another program may be able to read; empty for formats that are easy to read.
    pub(in crate::documents::input) fn other_reader(&self) -> String {
        let BinaryKind { ending, command, .. } = self.kind;
        if !self.is_dangerous {
            return String::new();
        }
        format!(" ({} {ending}='{command}' may read it)", Setting::Filters)
    }

    /// Extracts the text in this process.
    fn text_here(&self, source: &DocumentSource) -> Result<ExtractedText, ExtractFault> {
        let mut paragraphs = Paragraphs::new(source.limit);
        contain(|| (self.read)(source, &mut paragraphs).and_then(|()| paragraphs.finish()))
            .unwrap_or_else(|panicked| Err(ExtractFault::Damaged(panicked.to_string())))
    }
}

/// The UTF-8 of a document of JSON or XML that is stored as UTF-16; `None` for any other content.
pub(in crate::documents::input) fn utf16_document(bytes: &[u8]) -> Option<Vec<u8>> {
    let encoding = utf16_of_mark(bytes)?;
    // Most texts begin with a letter.
    let is_sign = |byte: &&u8| matches!(byte, b'{' | b'<');
    bytes.iter().take(START_OF_UTF16).find(is_sign)?;
    let (text, is_faulty) = contain(|| encoding.decode_with_bom_removal(bytes)).ok()?;
    let text = Some(text).filter(|_| !is_faulty).map(Cow::into_owned)?.into_bytes();
    DocumentFormat::of(&text).map(|_| text)
}

/// Extracts the text of the document on standard input and prints it, for the process that [`set_extractor`] describes.
///
/// * `limit`: the second argument, the maximum number of bytes of the text.
///
/// # Errors
/// When standard input or output fail.
pub fn extract_from_stdin(limit: &str) -> io::Result<()> {
    print_text(limit, |source| {
        let unknown = || ExtractFault::Failed("its format is not known".to_owned());
        DocumentFormat::of(source.bytes).ok_or_else(unknown)?.text_here(source)
    })
}
