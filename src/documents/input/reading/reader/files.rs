//! Reads files that are one document each, and large documents that were unpacked.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::extracted::empty_document;
use super::{Document, DocumentName, Item, NoDocument, REPLACED, Reader};
use crate::base::error::Error;
use crate::base::flat::offset_map::{NoTrace, Trace};
use crate::base::memory::asking;
use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::documents::document::{DocumentLocation, Kept, KeptForm, Markup, OffsetsOf};
use crate::documents::input::bytes::decode::{DecodedBy, NotText, Utf32, detected_note, markup_note};
use crate::documents::input::bytes::extract::{DocumentFormat, utf16_document};
use crate::documents::input::bytes::filter;
use crate::documents::input::bytes::markup;
use crate::documents::input::bytes::subtitles;
use crate::documents::input::bytes::temporary;
use crate::documents::input::codec::Codec;
use crate::documents::input::earlier_outputs::written_report;
use crate::documents::input::formats::binary_kinds::is_named_binary;
use crate::documents::input::formats::format::{Format, is_office_page};
use crate::documents::input::messages::{
    LFS_DETAIL, LFS_POINTER, MAX_DEPTH, is_refusal, large_window, packed_too_often, said, too_large,
};
use crate::documents::input::panic_guard::Panicked;
use crate::documents::input::paths::{path_bytes, unusable};
use crate::documents::input::settings::InputFormat;
use crate::documents::input::text_modes::HtmlMode;
use crate::documents::input::unpack::json_probe::note_of_text;
use crate::documents::input::unpack::meter::Meter;
use crate::text::code::StatedSyntax;

/// Maximum bytes of a Git LFS pointer file, by its specification.
const MOST_LFS_BYTES: usize = 1024;

impl Reader<'_> {
    pub(super) fn read_file(&mut self, path: &Path, named: bool, pass: &mut dyn FnMut(Item)) {
        self.recycle();
        let limit = self.inputs.max_document_bytes;
        match File::open(path).and_then(|file| asking(|| read_to_end(file, limit, &mut self.bytes))) {
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => {
                self.fail_for_room(path);
            }
            Err(error) => pass(Item::Problem(unusable(path, &error))),
            Ok(false) => {
                let detail = too_large(limit.expect("there is a limit"));
                pass(Item::Problem(Problem::error(path.to_string_lossy(), Reason::TooLarge, detail)));
            }
            Ok(true) => {
                let markup = self.markup_of(path_bytes(path));
                match self.unpack_whole(path) {
                    // An unpacked document is stored in the spool.
                    Ok(was_packed) => {
                        let kept = was_packed.then_some(OffsetsOf::Member);
                        self.pass_document(DocumentName::Path(path_bytes(path)), kept, markup, None, named, pass);
                    }
                    Err((reason, detail)) => {
                        pass(Item::Problem(Problem::error(path.to_string_lossy(), reason, detail)));
                    }
                }
            }
        }
    }

    /// Ends the run for lack of memory. If the file were skipped, it would be missing from one run and not from the
    /// next.
    fn fail_for_room(&self, path: &Path) {
        self.sources.fail(Error::NoRoomForFile { place: path.to_string_lossy().into_owned() });
    }

    /// The markup that the name of a file says, and that is removed.
    pub(super) fn markup_of(&self, path: &[u8]) -> Markup {
        match Format::of(self.inputs, path, false).or_text(self.inputs) {
            Format::Text { markup } => markup,
            _ => Markup::None,
        }
    }

    /// Unpacks the content of `bytes` if it is compressed, whatever the file's name; returns whether it was.
    fn unpack_whole(&mut self, path: &Path) -> Result<bool, (Reason, String)> {
        let limit = self.inputs.unpacked_bytes();
        let meter = Meter::new(self.inputs.max_unpacked, self.bytes.len() as u64);
        for depth in 0.. {
            let Some(codec) = Codec::of_magic(&self.bytes) else { return Ok(depth > 0) };
            if depth == MAX_DEPTH {
                break;
            }
            self.text.clear();
            let decoder = codec.decoder(self.bytes.as_slice(), self.inputs.max_window);
            let read = decoder.and_then(|decoder| meter.unpacked(decoder).take(limit + 1).read_to_end(&mut self.text));
            match read {
                Err(_) if meter.is_stopped() => return Err((Reason::TooLarge, meter.report("it is skipped"))),
                Err(error) => {
                    if is_refusal(&error) {
                        self.fail_for_room(path);
                    }
                    if let Some(detail) = large_window(&error, self.inputs.max_window) {
                        return Err((Reason::TooLarge, detail + "; skipped"));
                    }
                    return Err((Reason::Damaged, format!("damaged or cut short ({}); skipped", said(&error))));
                }
                Ok(len) if len as u64 > limit => return Err((Reason::TooLarge, too_large(limit))),
                Ok(_) => std::mem::swap(&mut self.bytes, &mut self.text),
            }
        }
        Err((Reason::Unreadable, packed_too_often()))
    }

    /// Passes on the document that `bytes` holds.
    ///
    /// * `kept`: which bytes its offsets count, for a document that cannot be read twice and is stored in the spool;
    ///   `None` for a file.
    pub(super) fn pass_document(
        &mut self,
        name: DocumentName,
        kept: Option<OffsetsOf>,
        markup: Markup,
        filter: Option<usize>,
        named: bool,
        pass: &mut dyn FnMut(Item),
    ) {
        let num_bytes = self.bytes.len() as u64;
        let (DocumentName::Path(place) | DocumentName::Member(place)) = name else {
            unreachable!("records are passed elsewhere")
        };
        if let Some(problem) = self.not_a_document(place, kept.is_some(), filter, named) {
            return pass(Item::Problem(problem));
        }
        // Such a page is stored, because its name does not say how it is to be read again.
        let is_page = filter.is_none() && markup == Markup::None && self.inputs.html != HtmlMode::Raw;
        let (markup, kept) = match is_page && is_office_page(place, &self.bytes) {
            true => (Markup::Html, kept.or(Some(OffsetsOf::File))),
            false => (markup, kept),
        };
        if filter.is_none()
            && let Some(decoded) = utf16_document(&self.bytes)
        {
            self.bytes = decoded;
        }
        let limit = self.limit(kept.is_some());
        // Records in UTF-32 were reported when a file of JSON was opened.
        let is_utf32 = Utf32::of_start(&self.bytes).is_some();
        let (mut original, mut missing, mut syntax) = (None, None, StatedSyntax::None);
        let format = DocumentFormat::of(&self.bytes).or_else(|| DocumentFormat::of_cut_short(&self.bytes, place));
        let format = format.filter(|_| filter.is_none());
        let made = match format {
            Some(format) => self.extract(format).map(|stated| {
                (missing, syntax) = stated;
                let ending = format.kind.ending;
                self.sources.see_extracted(if ending.is_empty() { "xml" } else { ending }, 1);
                DecodedBy::Rule
            }),
            None => self.filter(filter).and_then(|()| {
                original = (kept.is_some() && self.inputs.with_offsets).then(|| self.bytes.clone());
                self.make_text(markup, filter.is_some(), limit, &mut NoTrace)
            }),
        };
        let kept = if format.is_some() { Some(OffsetsOf::Text) } else { kept };
        let is_plain = filter.is_none() && format.is_none();
        let decoded_by = match made {
            Ok(decoded_by) => decoded_by,
            Err(fault) => return self.pass_fault(place, fault, filter, named, pass),
        };
        if is_plain {
            self.pass_notes_of_text(place, is_utf32, pass);
        }
        let note =
            |reason, detail: String| Item::Problem(Problem::note(String::from_utf8_lossy(place), reason, detail));
        match decoded_by {
            DecodedBy::Rule => {}
            DecodedBy::Replacement => pass(note(Reason::Replaced, REPLACED.to_owned())),
            DecodedBy::Detection(charset) => pass(Item::Problem(detected_note(place, charset))),
        }
        if let Some(detail) = missing {
            pass(note(Reason::MissingText, detail));
        }
        if let Some(number) = filter.filter(|_| self.bytes.trim_ascii().is_empty()) {
            let detail = format!("the filter `{}` printed nothing", self.inputs.filters[number].command);
            pass(note(Reason::NoOutput, detail));
        }
        let located = kept.map_or(DocumentLocation::file(), |of| {
            let original = original.as_ref().filter(|&original| *original != self.bytes);
            let form = original.map_or(KeptForm::Text, |_| KeptForm::Bytes(markup));
            self.sources.keep(original.unwrap_or(&self.bytes), Kept { form, of }, || place.to_owned())
        });
        pass(Item::Document(Document { name, located, text: &mut self.bytes, num_bytes, group: None, syntax }));
    }

    /// The problem of a file or member whose bytes are not a document, whatever its format: a report of this program, a
    /// pointer to another file, or a format without content.
    ///
    /// * `is_stored`: whether the document is stored in the spool.
    fn not_a_document(&self, place: &[u8], is_stored: bool, filter: Option<usize>, named: bool) -> Option<Problem> {
        let shown = || String::from_utf8_lossy(place);
        if let Some(own) = written_report(&self.bytes).filter(|_| !named && !is_stored) {
            return Some(Problem::note(shown(), Reason::OwnFile, own.detail()));
        }
        if self.bytes.starts_with(LFS_POINTER) && self.bytes.len() <= MOST_LFS_BYTES {
            let missing = Problem::error(shown(), Reason::Missing, LFS_DETAIL.to_owned());
            // The data itself would be ignored, too.
            return Some(Problem { is_error: named || !is_named_binary(place), ..missing });
        }
        let empty = empty_document(&self.bytes, place).filter(|_| filter.is_none())?;
        Some(Problem::error(shown(), Reason::Damaged, empty))
    }

    /// Notes that a text looks like records or markup.
    ///
    /// * `is_utf32`: whether the file was in UTF-32.
    fn pass_notes_of_text(&self, place: &[u8], is_utf32: bool, pass: &mut dyn FnMut(Item)) {
        let is_noted = is_utf32 && Format::of(self.inputs, place, false) == Format::JsonOrText;
        let may_be_records = self.inputs.format == InputFormat::Auto && !is_noted;
        let records = may_be_records.then(|| note_of_text(self.inputs, &self.bytes, is_utf32)).flatten();
        let place = String::from_utf8_lossy(place);
        let records = records.map(|detail| Problem::note(&*place, Reason::OneText, detail));
        let markup = markup_note(&self.bytes, &place);
        records.into_iter().chain(markup).for_each(|problem| pass(Item::Problem(problem)));
    }

    /// Reports a file or member that has no text.
    fn pass_fault(
        &self,
        place: &[u8],
        fault: NoDocument,
        filter: Option<usize>,
        named: bool,
        pass: &mut dyn FnMut(Item),
    ) {
        let shown = String::from_utf8_lossy(place);
        match fault {
            NoDocument::Keep(error) => self.sources.fail_to_keep(place, error),
            NoDocument::Other(reason, detail) => pass(Item::Problem(Problem::error(shown, reason, detail))),
            NoDocument::NotText(not_text) => {
                let fault = not_text.problem(&shown);
                // Most binary files that a walk finds are expected; a file that was named was meant to be read.
                let is_error = named || fault.reason != Reason::Binary;
                let detail = match filter {
                    None => fault.detail.clone(),
                    Some(number) => {
                        format!("the output of the filter `{}` is {not_text}", self.inputs.filters[number].command)
                    }
                };
                pass(Item::Problem(Problem { is_error, detail, ..fault }));
            }
        }
    }

    /// Maximum bytes of a text.
    ///
    /// * `is_kept`: whether the text is stored in the spool because it cannot be read twice.
    pub(super) fn limit(&self, is_kept: bool) -> u64 {
        if is_kept { self.inputs.unpacked_bytes() } else { self.inputs.max_document_bytes.unwrap_or(u64::MAX) }
    }

    /// Replaces `bytes` by the output of the filter, if there is one.
    fn filter(&mut self, filter: Option<usize>) -> Result<(), NoDocument> {
        if let Some(number) = filter {
            let limit = self.inputs.unpacked_bytes();
            let command = &self.inputs.filters[number].command;
            let document = temporary::of(&self.bytes).map_err(NoDocument::Keep)?;
            self.bytes = filter::run(self.sources.cancel(), command, document, limit, self.inputs.filter_timeout)
                .map_err(|(reason, detail)| NoDocument::Other(reason, detail))?;
        }
        Ok(())
    }

    /// Turns `bytes`, at most `limit` of them, into the document's text; returns how they were decoded.
    ///
    /// * `is_filtered`: whether `bytes` are the output of a filter.
    /// * `trace`: records from where in `bytes` the text comes.
    pub(super) fn make_text<T: Trace>(
        &mut self,
        markup: Markup,
        is_filtered: bool,
        limit: u64,
        trace: &mut T,
    ) -> Result<DecodedBy, NoDocument> {
        let decoding = if is_filtered { self.decoding.of_utf8() } else { self.decoding };
        let decoded_by =
            decoding.document(&mut self.bytes, markup == Markup::Html, limit, trace).map_err(NoDocument::NotText)?;
        trace.mark_lines(&self.bytes);
        if markup != Markup::None {
            let not_read = |panicked| NoDocument::Other(Reason::Damaged, not_read(markup, panicked));
            self.strip_markup(markup, trace).map_err(not_read)?;
        } else if !is_filtered && subtitles::are_subtitles(&self.bytes) {
            self.text.clear();
            subtitles::strip(&self.bytes, &mut self.text, trace);
            std::mem::swap(&mut self.bytes, &mut self.text);
        }
        // Stripping a page makes its text shorter, except when it replaces NUL characters.
        if self.bytes.len() as u64 > limit {
            return Err(NoDocument::NotText(NotText::TooLarge { limit }));
        }
        Ok(decoded_by)
    }

    /// Replaces the page in `bytes` by its text.
    pub(super) fn strip<T: Trace>(&mut self, trace: &mut T) -> Result<(), Panicked> {
        self.strip_markup(Markup::Html, trace)
    }

    fn strip_markup<T: Trace>(&mut self, markup: Markup, trace: &mut T) -> Result<(), Panicked> {
        self.text.clear();
        markup::strip(markup, self.inputs.html, &self.bytes, &mut self.text, trace)?;
        std::mem::swap(&mut self.bytes, &mut self.text);
        Ok(())
    }
}

/// The message about a page for which the tokenizer panics.
pub(super) fn not_a_page(panicked: Panicked) -> String {
    format!("cannot be read as HTML ({panicked}); skipped ({} raw takes it as it is)", Setting::Html)
}

/// The message about a document for whose markup the library panics.
fn not_read(markup: Markup, panicked: Panicked) -> String {
    match markup {
        Markup::Html => not_a_page(panicked),
        _ => {
            let setting = Setting::Markup;
            format!("its markup cannot be read ({panicked}); skipped ({setting} keep compares it with its markup)")
        }
    }
}

/// The room that is made for a file before it is read, since nearly all files are smaller.
#[cfg(unix)]
const SMALL_FILE: usize = 64 << 10;

/// Reads a file into `bytes`.
pub(super) fn read_whole(path: &Path, bytes: &mut Vec<u8>) -> io::Result<()> {
    read_to_end(File::open(path)?, None, bytes).map(drop)
}

/// Reads a file into `bytes`; returns `false` if it has more than `limit` bytes. Every allocation is fallible.
fn read_to_end(mut file: File, limit: Option<u64>, bytes: &mut Vec<u8>) -> io::Result<bool> {
    bytes.clear();
    if !read_small(&file, bytes)? {
        let read = bytes.len() as u64;
        match limit {
            // `read_to_end` queries the length and reserves memory first.
            None => file.read_to_end(bytes)?,
            Some(limit) => file.take((limit + 1).saturating_sub(read)).read_to_end(bytes)?,
        };
    }
    Ok(limit.is_none_or(|limit| bytes.len() as u64 <= limit))
}

/// Reads a file without asking for its length. Returns whether the room in `bytes` was enough for all of it.
#[cfg(unix)]
fn read_small(file: &File, bytes: &mut Vec<u8>) -> io::Result<bool> {
    bytes.try_reserve(SMALL_FILE).map_err(|_| io::ErrorKind::OutOfMemory)?;
    while bytes.len() < bytes.capacity() {
        match rustix::io::read(file, rustix::buffer::spare_capacity(bytes)) {
            Ok(0) => return Ok(true),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(false)
}

/// Leaves the whole file to be read in another way.
#[cfg(not(unix))]
fn read_small(_: &File, _: &mut Vec<u8>) -> io::Result<bool> {
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_any_size_are_read_to_their_end_and_no_further_than_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let mut bytes = vec![7; 3];
        for len in [0, 1, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, 300_000] {
            let content: Vec<u8> = (0..len).map(|at: usize| (at * at % 251) as u8).collect();
            std::fs::write(&path, &content).unwrap();
            read_whole(&path, &mut bytes).unwrap();
            assert!(bytes == content, "{len}");
            for limit in [0, len / 2, len, len + 1] {
                let mut small = Vec::new();
                let is_whole = read_to_end(File::open(&path).unwrap(), Some(limit as u64), &mut small).unwrap();
                assert_eq!(is_whole, len <= limit, "{len}, {limit}");
                assert!(len > limit || small == content, "{len}, {limit}");
            }
        }
        assert!(read_whole(folder.path(), &mut bytes).is_err());
    }
}
