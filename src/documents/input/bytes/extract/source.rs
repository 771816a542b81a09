//! `DocumentSource`: a document and the settings that its extraction depends on.

use std::time::Duration;

use super::fault::{ExtractFault, Extracted};
use crate::base::flat::offset_map::NoTrace;
use crate::documents::input::bytes::decode::Decoding;
use crate::documents::input::cancel::Cancel;
use crate::documents::input::text_modes::NotebookCells;

/// A document whose text is to be extracted.
#[derive(Debug, Clone, Copy)]
pub(in crate::documents::input) struct DocumentSource<'b> {
    /// The document as stored.
    pub(in crate::documents::input) bytes: &'b [u8],
    /// Maximum bytes of the text, and of each part that it is extracted from.
    pub(in crate::documents::input) limit: u64,
    /// The cells of a notebook that are read.
    pub(in crate::documents::input) cells: NotebookCells,
    /// The time for the extraction in another process.
    pub(in crate::documents::input) time_limit: Duration,
    /// Stops the other process.
    pub(in crate::documents::input) cancel: &'b Cancel,
    /// Decodes parts, which are UTF-8 unless they declare another encoding.
    pub(in crate::documents::input) decoding: Decoding,
}

impl DocumentSource<'_> {
    /// The document as text, for one that is a single file of XML.
    ///
    /// # Errors
    /// When it is not text in its encoding.
    pub(super) fn decoded(&self) -> Extracted<String> {
        let not_text = || ExtractFault::Damaged("it is not text".to_owned());
        let mut bytes = self.bytes.to_vec();
        self.decoding.document(&mut bytes, false, self.limit, &mut NoTrace).map_err(|_| not_text())?;
        String::from_utf8(bytes).map_err(|_| not_text())
    }
}
