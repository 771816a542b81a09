//! Extracts the text of a document that is not text, such as an office document.

use super::{NoDocument, Reader};
use crate::base::problem::{BinaryKind, Reason};
use crate::documents::input::bytes::decode::{Decoding, with_article};
use crate::documents::input::bytes::extract::{DocumentFormat, DocumentSource, ExtractFault, declared_bytes};
use crate::documents::input::messages::too_large;
use crate::documents::input::settings::{InputSettings, Inputs, InvalidBytes, TextEncoding};
use crate::documents::input::unpack::meter::Meter;
use crate::text::code::StatedSyntax;

impl Reader<'_> {
    /// Replaces the document in `bytes` by its text. Returns a note about text that is missing, and the language that the
    /// document states.
    pub(super) fn extract(&mut self, format: &DocumentFormat) -> Result<(Option<String>, StatedSyntax), NoDocument> {
        let meter = Meter::new(self.inputs.max_unpacked, self.bytes.len() as u64);
        if meter.add(declared_bytes(&self.bytes)).is_err() {
            return Err(NoDocument::Other(Reason::TooLarge, meter.report("it is skipped")));
        }
        let limit = self.inputs.unpacked_bytes();
        // The parts of a document are UTF-8, unless they declare another encoding.
        let of_parts =
            InputSettings { encoding: TextEncoding::UTF_8, invalid: InvalidBytes::Replace, ..InputSettings::default() };
        let decoding = Decoding::new(Inputs { settings: &of_parts, sets: false });
        let cells = self.inputs.notebook_cells;
        let source = DocumentSource {
            bytes: &self.bytes,
            limit,
            cells,
            time_limit: self.inputs.filter_timeout,
            cancel: self.sources.cancel(),
            decoding,
        };
        let kind = with_article(format.kind);
        let made = format.text(&source).map_err(|fault| match fault {
            ExtractFault::Damaged(how) => {
                let detail = format!("{kind}, damaged or cut short ({how}); skipped{}", format.other_reader());
                NoDocument::Other(Reason::Damaged, detail)
            }
            ExtractFault::Failed(how) => {
                NoDocument::Other(Reason::Damaged, format!("{kind}: {how}; skipped{}", format.other_reader()))
            }
            ExtractFault::Encrypted => {
                let detail = format!("{kind}, encrypted; skipped (remove its password first)");
                NoDocument::Other(Reason::Unreadable, detail)
            }
            ExtractFault::TooLarge => NoDocument::Other(Reason::TooLarge, too_large(limit)),
        })?;
        self.bytes = made.text;
        Ok((made.note, made.syntax))
    }
}

/// The message about an empty file whose name promises a document or an index.
pub(super) fn empty_document(bytes: &[u8], name: &[u8]) -> Option<String> {
    /// The extension of indexes.
    const INDEX: &[u8] = b".dedup";
    if !bytes.is_empty() {
        return None;
    }
    let kind = match DocumentFormat::of_name(&String::from_utf8_lossy(name)) {
        Some(format) => format.kind,
        None if name.ends_with(INDEX) => &BinaryKind::INDEX,
        None => return None,
    };
    Some(format!("empty, where {} was expected; skipped", with_article(kind)))
}
