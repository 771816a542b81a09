//! Reads one document a second time, by its place, for verification.

use std::io;

use super::Reader;
use super::files::read_whole;
use crate::base::flat::offset_map::Trace;
use crate::base::storage::read_at;
use crate::documents::document::{DocumentLocation, Kept, KeptForm, Markup, OffsetsOf};
use crate::documents::input::paths::path_of;

impl Reader<'_> {
    /// Reads a document again and returns its text, valid UTF-8.
    ///
    /// * `trace`: records where the text comes from, in the bytes that [`DocumentLocation::offsets_of`] says.
    ///
    /// # Errors
    /// The reason why the document cannot be read again, as the end of a message.
    pub(crate) fn read_again<T: Trace>(
        &mut self,
        name: &[u8],
        located: DocumentLocation,
        trace: &mut T,
    ) -> Result<&mut Vec<u8>, String> {
        self.recycle();
        let read = match located.source {
            DocumentLocation::FILE => read_whole(path_of(name), &mut self.bytes),
            _ if located.how_kept().is_some() => self.fetch_kept(located),
            _ => self.fetch(located),
        };
        read.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => "vanished".to_owned(),
            _ => format!("could not be read again ({error})"),
        })?;
        const CHANGED: &str = "changed";
        match (located.how_kept(), located.source) {
            (Some(Kept { form: KeptForm::Text, .. }), _) => trace.mark_lines(&self.bytes),
            (Some(Kept { form: KeptForm::Page, .. }), _) => {
                trace.mark_lines(&self.bytes);
                self.strip(trace).map_err(|_| CHANGED)?;
            }
            (Some(Kept { form: KeptForm::Bytes(markup), of }), _) => {
                self.make_text(markup, of == OffsetsOf::Filter, u64::MAX, trace).map_err(|_| CHANGED)?;
            }
            (None, DocumentLocation::FILE) => {
                let markup = self.markup_of(name);
                self.make_text(markup, false, u64::MAX, trace).map_err(|_| CHANGED)?;
            }
            (None, _) => {
                let line = std::mem::take(&mut self.bytes);
                let parsed = self.parse(&line, located.source, u64::MAX);
                self.bytes = line;
                parsed.map_err(|_| CHANGED)?;
                self.record.swap_text(&mut self.bytes);
                trace.mark_lines(&self.bytes);
                if self.inputs.html.strips_records() {
                    self.strip(trace).map_err(|_| CHANGED)?;
                }
            }
        }
        Ok(&mut self.bytes)
    }

    /// Whether a document is read as a web page.
    pub(crate) fn is_page(&self, name: &[u8], located: DocumentLocation) -> bool {
        match (located.how_kept(), located.source) {
            (Some(Kept { form, .. }), _) => matches!(form, KeptForm::Page | KeptForm::Bytes(Markup::Html)),
            (None, DocumentLocation::FILE) => self.markup_of(name) == Markup::Html,
            (None, _) => self.inputs.html.strips_records(),
        }
    }

    /// Reads the bytes of a document from its source.
    fn fetch(&mut self, located: DocumentLocation) -> io::Result<()> {
        self.source_file(located.source)?;
        let (_, file) = self.open.as_ref().expect("just opened");
        self.bytes.clear();
        read_at(file, located.offset, located.len as usize, &mut self.bytes)
    }

    /// Reads a document from the spool.
    fn fetch_kept(&mut self, located: DocumentLocation) -> io::Result<()> {
        let spool = self.sources.spool()?;
        read_at(&spool, located.offset, located.len as usize, &mut self.bytes)
    }
}
