//! Reads records that are lines of JSON or of sets: from a range of their file, or from memory after unpacking.

use std::fs::File;
use std::io;

use super::files::not_a_page;
use super::{Document, DocumentName, Item, PieceSummary, REPLACED, Reader};
use crate::base::flat::offset_map::NoTrace;
use crate::base::problem::Reason;
use crate::base::storage::read_at;
use crate::documents::document::{DocumentLocation, Kept, KeptForm, OffsetsOf};
use crate::documents::input::bytes::decode::{Decoding, how_to_take_record};
use crate::documents::input::marks::UTF8_MARK;
use crate::documents::input::messages::{too_large, too_large_as_utf8};
use crate::documents::input::settings::{InputFormat, InputSettings};
use crate::documents::input::streams::spool::LineForm;
use crate::documents::input::unpack::records::absent::Absence;
use crate::documents::input::unpack::records::json;
use crate::documents::input::unpack::records::malformed::{begins_pretty, pretty_printed};
use crate::documents::input::unpack::records::sets::{fields_of_line, text_of_line};
use crate::text::code::StatedSyntax;

/// Bytes read at a time while looking for the end of a line.
const LOOK_AHEAD: usize = 64 << 10;
/// Maximum bytes of a line beyond its piece that are read into memory before the line's length is known.
const MOST_UNMEASURED: usize = 16 << 20;

impl Reader<'_> {
    pub(super) fn read_records(
        &mut self,
        number: u32,
        start: u64,
        end: u64,
        pass: &mut dyn FnMut(Item),
    ) -> io::Result<PieceSummary> {
        self.recycle();
        self.source_file(number)?;
        let (_, file) = self.open.as_ref().expect("just opened");
        // The byte before `start` shows whether a line starts at `start`.
        let base = start.saturating_sub(1);
        let mut bytes = std::mem::take(&mut self.bytes);
        read_at(file, base, (end - base) as usize, &mut bytes)?;
        let mut next = 0;
        if start > 0 {
            match memchr::memchr(b'\n', &bytes) {
                Some(newline) => next = newline + 1,
                None => return Ok(PieceSummary::default()),
            }
        } else if bytes.starts_with(UTF8_MARK) {
            next = 3;
        }
        let (mut line_number, mut absence) = (0, Absence::new(&self.record));
        // A line belongs to the piece in which it starts.
        while next < bytes.len() && base + (next as u64) < end {
            let line_end = match memchr::memchr(b'\n', &bytes[next..]) {
                Some(len) => next + len,
                None => {
                    let limit = self.limit(false).min(InputSettings::MOST_UNPACKED_BYTES);
                    let most = usize::try_from(limit).unwrap_or(usize::MAX).saturating_add(next);
                    let Some(line_end) = self.complete_line(number, base, most, &mut bytes)? else {
                        let detail = too_large(limit);
                        pass(Item::RecordProblem { line: line_number, reason: Reason::TooLarge, detail });
                        line_number += 1;
                        break;
                    };
                    line_end
                }
            };
            let line = &bytes[next..line_end];
            if !line.trim_ascii().is_empty() {
                let line = (line, bytes.get(line_end + 1..).unwrap_or_default());
                self.pass_line(line, number, Some(base + next as u64), line_number, &mut absence, pass);
            }
            line_number += 1;
            next = line_end + 1;
        }
        self.bytes = bytes;
        Ok(PieceSummary { num_lines: line_number, absent: absence.end(&self.record, &self.fields) })
    }

    /// Reads on until the last line of `bytes` is complete; returns the index of its end. `None` when that index is
    /// above `most`; such a line is never in memory as a whole.
    fn complete_line(&mut self, number: u32, base: u64, most: usize, bytes: &mut Vec<u8>) -> io::Result<Option<usize>> {
        let file = self.source_file(number)?;
        let unmeasured = bytes.len().saturating_add(MOST_UNMEASURED).min(most);
        while bytes.len() <= unmeasured {
            let before = bytes.len();
            read_at(file, base + before as u64, LOOK_AHEAD, bytes)?;
            match memchr::memchr(b'\n', &bytes[before..]) {
                Some(len) => return Ok(Some(before + len).filter(|&end| end <= most)),
                None if bytes.len() == before => return Ok(Some(before).filter(|&end| end <= most)),
                None => {}
            }
        }
        let end = line_end(file, base + bytes.len() as u64)?.saturating_sub(base);
        match usize::try_from(end).ok().filter(|&end| end <= most) {
            None => Ok(None),
            Some(end) => {
                let missing = end.saturating_sub(bytes.len());
                bytes.reserve_exact(missing);
                read_at(file, base + bytes.len() as u64, missing, bytes)?;
                Ok(Some(bytes.len()))
            }
        }
    }

    pub(super) fn read_lines(&mut self, source: u32, lines: &[u8], pass: &mut dyn FnMut(Item)) -> PieceSummary {
        self.recycle();
        let (mut next, mut line_number, mut absence) = (0, 0, Absence::new(&self.record));
        while next < lines.len() {
            let end = memchr::memchr(b'\n', &lines[next..]).map_or(lines.len(), |len| next + len);
            let line = &lines[next..end];
            if !line.trim_ascii().is_empty() {
                let line = (line, lines.get(end + 1..).unwrap_or_default());
                self.pass_line(line, source, None, line_number, &mut absence, pass);
            }
            line_number += 1;
            next = end + 1;
        }
        PieceSummary { num_lines: line_number, absent: absence.end(&self.record, &self.fields) }
    }

    /// Passes on the record on a line of JSON Lines, which starts at `offset` of its source, or is stored in the spool.
    ///
    /// * `following`: what follows the line, as far as it is there.
    fn pass_line(
        &mut self,
        (line, following): (&[u8], &[u8]),
        source: u32,
        offset: Option<u64>,
        line_number: u64,
        absence: &mut Absence,
        pass: &mut dyn FnMut(Item),
    ) {
        let problem = |reason, detail| Item::RecordProblem { line: line_number, reason, detail };
        let limit = self.limit(offset.is_none()).min(InputSettings::MOST_UNPACKED_BYTES);
        let Some(len) = u32::try_from(line.len()).ok().filter(|&len| u64::from(len) <= limit) else {
            return pass(problem(Reason::TooLarge, too_large(limit)));
        };
        let parsed = self.parse(line, source, limit);
        if absence.wants_line() && matches!(parsed, Ok(_) | Err((Reason::NoText, _))) {
            self.see(line, source, limit, absence);
        }
        let was_replaced = match parsed {
            Err((Reason::Malformed, _)) if begins_pretty(line, following) => {
                return pass(problem(Reason::Malformed, pretty_printed()));
            }
            Err((reason, detail)) => return pass(problem(reason, detail)),
            Ok(was_replaced) => was_replaced,
        };
        self.record.swap_text(&mut self.text);
        if let Err((reason, detail)) = self.strip_record() {
            return pass(problem(reason, detail));
        }
        if self.text.len() as u64 > limit {
            return pass(problem(Reason::TooLarge, too_large_as_utf8(limit)));
        }
        let located = match offset {
            Some(offset) => DocumentLocation { offset, len, source },
            None => self.keep_field(source),
        };
        self.pass_record(located, source, line_number, u64::from(len), was_replaced, pass);
    }

    /// Notes which fields the record that was just parsed has.
    fn see(&self, line: &[u8], source: u32, limit: u64, absence: &mut Absence) {
        let is_json = self.line_form(source) == LineForm::Json;
        if let Ok((line, _)) = self.decoding_of(source).line(line, limit)
            && is_json
        {
            absence.see(&line, &self.record, &self.fields);
        }
    }

    /// Passes on the record of a source whose text is in `text` and whose id and group are in `record`.
    pub(super) fn pass_record(
        &mut self,
        located: DocumentLocation,
        source: u32,
        line: u64,
        num_bytes: u64,
        was_replaced: bool,
        pass: &mut dyn FnMut(Item),
    ) {
        if was_replaced {
            pass(Item::RecordNote { line, reason: Reason::Replaced, detail: REPLACED.into() });
        }
        let id = self.record.id.as_deref().and_then(|id| self.ids.name(id, source, self.sources));
        let name = id.map_or(DocumentName::Line(line), |id| DocumentName::Id(id, line));
        let group = self.record.group.as_deref().map(str::as_bytes);
        pass(Item::Document(Document {
            name,
            located,
            text: &mut self.text,
            num_bytes,
            group,
            syntax: StatedSyntax::None,
        }));
    }

    /// Parses a line of its source into `record`; returns whether any bytes were replaced.
    ///
    /// * `limit`: maximum bytes of the line as UTF-8.
    pub(super) fn parse(&mut self, line: &[u8], source: u32, limit: u64) -> Result<bool, (Reason, String)> {
        let (line, was_replaced) =
            self.decoding_of(source).line(line, limit).map_err(|fault| (fault.reason(), fault.to_string()))?;
        let fields = match self.line_form(source) {
            LineForm::Json => None,
            LineForm::Set => Some(fields_of_line(&line, &mut self.record)),
            LineForm::Text => Some(text_of_line(&line, &mut self.record)),
        };
        if let Some(fields) = fields {
            return fields.map(|()| was_replaced).map_err(|detail| (Reason::NotUtf8, detail));
        }
        json::parse(&line, &self.fields, &mut self.record).map_err(|fault| match std::str::from_utf8(&line) {
            Ok(_) => fault,
            // The parser reports this too, but in other words.
            Err(error) => {
                let at = error.valid_up_to();
                (
                    Reason::NotUtf8,
                    format!("the record is not valid UTF-8 at its byte {at}; {}", how_to_take_record(&line)),
                )
            }
        })?;
        Ok(was_replaced)
    }

    /// The form of the lines of a source; JSON where neither settings nor shingles say that it may be another.
    fn line_form(&self, source: u32) -> LineForm {
        let is_lines = |format| format == InputFormat::Lines;
        // Other forms are rare, and access to the sources needs a lock.
        match self.inputs.sets || is_lines(self.inputs.format) || is_lines(self.inputs.stdin_format) {
            true => self.sources.get(source).lines,
            false => LineForm::Json,
        }
    }

    /// The decoding of the records of a source. Records that were decoded before they were cut are UTF-8.
    pub(super) fn decoding_of(&self, source: u32) -> Decoding {
        // Other encodings are rare, and access to the sources needs a lock.
        if self.decoding.is_plain() || !self.sources.get(source).is_decoded {
            self.decoding
        } else {
            self.decoding.of_utf8()
        }
    }

    /// Stores the text of a record, which is in `text`, in the spool. Call it after
    /// [`strip_record`](Self::strip_record).
    pub(super) fn keep_field(&self, source: u32) -> DocumentLocation {
        let (form, text) = match self.inputs.html {
            html if html.strips_records() && self.inputs.with_offsets => (KeptForm::Page, &self.bytes),
            _ => (KeptForm::Text, &self.text),
        };
        self.sources.keep(text, Kept { form, of: OffsetsOf::Field }, || self.sources.name(source))
    }

    /// When records are HTML pages, replaces the page in `text` by its text; `bytes` then holds the page.
    ///
    /// # Errors
    /// When the page cannot be parsed.
    pub(super) fn strip_record(&mut self) -> Result<(), (Reason, String)> {
        if !self.inputs.html.strips_records() {
            return Ok(());
        }
        std::mem::swap(&mut self.bytes, &mut self.text);
        let stripped = self.strip(&mut NoTrace);
        std::mem::swap(&mut self.bytes, &mut self.text);
        stripped.map_err(|panicked| (Reason::Damaged, not_a_page(panicked)))
    }

    pub(super) fn source_file(&mut self, number: u32) -> io::Result<&File> {
        if self.open.as_ref().is_none_or(|(open, _)| *open != number) {
            self.open = Some((number, self.sources.get(number).open()?));
        }
        Ok(&self.open.as_ref().expect("just opened").1)
    }
}

/// The offset of the first line end from `offset` on, or the end of the file.
fn line_end(file: &File, mut offset: u64) -> io::Result<u64> {
    let mut block = Vec::with_capacity(LOOK_AHEAD);
    loop {
        block.clear();
        read_at(file, offset, LOOK_AHEAD, &mut block)?;
        match memchr::memchr(b'\n', &block) {
            Some(len) => return Ok(offset + len as u64),
            None if block.is_empty() => return Ok(offset),
            None => offset += block.len() as u64,
        }
    }
}
