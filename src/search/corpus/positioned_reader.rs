//! `PositionedReader`: reads a document once more, and maps each byte of its normalised text to the original.
//!
//! Offsets count the bytes of the original as it is stored, whatever its encoding; lines are the lines of the original.

use std::ops::Range;

use super::original_part::OriginalPart;
use super::stage_settings::StageSettings;
use super::unchanged_reader::UnchangedReader;
use crate::base::flat::line_starts::LineStarts;
use crate::base::flat::offset_map::OffsetMap;
use crate::base::flat::offset_trace::OffsetTrace;
use crate::base::flat::per_thread::PerThread;
use crate::base::problem::Problem;
use crate::documents::document::{DocId, Documents, OffsetsOf};
use crate::documents::input::{Reader, Sources};
use crate::text::joined::{FILE_MARK, JoinedPositions};
use crate::text::normalize::Normalizer;

/// Reads documents once more, from any thread of the pool.
pub(crate) struct PositionedReader<'a> {
    documents: &'a Documents,
    workers: PerThread<(Reader<'a>, Normalizer)>,
    same_text: UnchangedReader<'a>,
    /// Whether documents are joined from files.
    has_files: bool,
}

/// A normalised text, and the origin of each byte of it.
#[derive(Debug)]
pub(crate) struct PositionedText {
    /// The normalised text: valid UTF-8.
    pub(crate) text: Vec<u8>,
    /// The map from the normalised text to the original.
    pub(crate) map: OffsetMap,
    /// The lines of the original.
    pub(crate) lines: LineStarts,
    /// The kind of the original: what offsets are counted in.
    pub(crate) of: OffsetsOf,
    /// The files of a document that is joined from files.
    pub(crate) files: Option<JoinedPositions>,
}

/// A text before normalisation, as a person reads it.
#[derive(Debug, Clone, Default)]
pub(crate) struct DecodedText {
    /// The decoded text, without markup if the document is read as a web page.
    pub(crate) text: String,
    /// The map from this text to the original.
    map: OffsetMap,
    /// The lines of the original.
    lines: LineStarts,
    /// The files of a document that is joined from files.
    files: Option<JoinedPositions>,
    /// The map from the normalised text to this text.
    pub(crate) normalised: OffsetMap,
    /// The places where disguises were undone in this text, ascending.
    pub(crate) disguised: Vec<Range<usize>>,
}

impl DecodedText {
    /// The bytes of the original that a range of this text comes from.
    pub(crate) fn original_bytes(&self, range: Range<usize>) -> Range<usize> {
        self.map.source_range(range)
    }

    /// Whether this text has all bytes of the original after its byte order mark, decoded character by character.
    ///
    /// * `len`: the length of the original.
    /// * `mark`: the length of its byte order mark.
    pub(crate) fn is_all_of(&self, len: usize, mark: usize) -> bool {
        self.map.source_len() == len && self.map.takes_all_from(mark)
    }

    /// The line of the original, from 1, that a byte of this text comes from.
    pub(crate) fn line_of(&self, offset: usize) -> u64 {
        let line = self.lines.line_of(self.map.source_range(offset..offset).start);
        self.files.as_ref().map_or(line, |files| files.line_in_file(line))
    }
}

impl PositionedText {
    /// The part of the original that a range of the normalised text comes from: from the start of its first byte's
    /// source to the end of its last byte's source.
    ///
    /// # Panics
    /// When the range is beyond the text.
    pub(crate) fn original(&self, range: Range<usize>) -> OriginalPart {
        let bytes = self.map.source_range(range);
        let last = bytes.end.saturating_sub(1).max(bytes.start);
        let lines = [self.lines.line_of(bytes.start), self.lines.line_of(last)];
        if let Some(files) = &self.files {
            let names = [files.name_of(bytes.start), files.name_of(last)];
            let end = files.offset_in_file(last) + bytes.end - last;
            let bytes = files.offset_in_file(bytes.start)..end;
            let lines = lines.map(|line| files.line_in_file(line));
            return OriginalPart { lines, parts: None, bytes, files: Some(names) };
        }
        let part_of = |offset| self.lines.part_of(offset).filter(|_| self.of == OffsetsOf::Text);
        let parts = part_of(bytes.start).zip(part_of(last)).map(|(first, last)| [first, last]);
        OriginalPart { lines, parts, bytes, files: None }
    }
}

impl<'a> PositionedReader<'a> {
    pub(crate) fn new(settings: StageSettings<'a>, documents: &'a Documents, sources: &'a Sources) -> Self {
        let worker = || (Reader::new(settings.inputs(), sources), settings.normalizer());
        Self {
            documents,
            workers: PerThread::new(settings.resources.threads.get(), worker),
            same_text: UnchangedReader::new(documents, sources, "its passages are missing"),
            has_files: settings.input.unit.is_some(),
        }
    }

    /// Makes a reader for texts that are shown to people.
    pub(crate) fn for_views(settings: StageSettings<'a>, documents: &'a Documents, sources: &'a Sources) -> Self {
        Self {
            same_text: UnchangedReader::new(documents, sources, "its text is missing"),
            ..Self::new(settings, documents, sources)
        }
    }

    /// Reads this very document, since copies of a text may be formatted differently. `None` when it changed or cannot
    /// be read, which is reported once.
    ///
    /// This takes a few times as long as reading without positions. The map needs at least two bytes for each place at
    /// which the normalised text differs from the original.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn read(&self, document: DocId) -> Option<PositionedText> {
        let mut worker = self.workers.get();
        let (reader, normalizer) = &mut *worker;
        let mut trace = OffsetTrace::default();
        let mut files = None;
        let keep = |text: &[u8], _: &mut OffsetTrace| files = self.has_files.then(|| JoinedPositions::new(text));
        let text = std::mem::take(self.same_text.read_and(document, reader, normalizer, &mut trace, keep)?);
        let (map, lines) = trace.into_parts(text.len());
        Some(PositionedText { text, map, lines, files, of: self.documents.located(document).offsets_of() })
    }

    /// Does what [`read`](Self::read) does, and also returns the text before normalisation.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn read_decoded(&self, document: DocId) -> Option<(PositionedText, DecodedText)> {
        let mut worker = self.workers.get();
        let (reader, normalizer) = &mut *worker;
        let (mut trace, mut decoded) = (OffsetTrace::default(), DecodedText::default());
        let keep = |text: &[u8], trace: &mut OffsetTrace| {
            decoded.text = String::from_utf8(text.to_vec()).expect("what is decoded is UTF-8");
            decoded.files = self.has_files.then(|| JoinedPositions::new(text));
            // The rest of the trace is only of the normalisation.
            (decoded.map, decoded.lines) = std::mem::take(trace).into_parts(text.len());
        };
        let text = std::mem::take(self.same_text.read_and(document, reader, normalizer, &mut trace, keep)?);
        (decoded.normalised, _) = trace.into_parts(text.len());
        let (map, lines) = (decoded.map.then(&decoded.normalised), decoded.lines.clone());
        decoded.disguised = normalizer.disguised_parts(&decoded.text);
        if self.has_files {
            // People see a sign before the name of a file.
            decoded.text = decoded.text.replace(char::from(FILE_MARK), "=");
        }
        let files = decoded.files.clone();
        let positioned = PositionedText { text, map, lines, files, of: self.documents.located(document).offsets_of() };
        Some((positioned, decoded))
    }

    /// Whether a document is read as a web page.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(crate) fn is_page(&self, document: DocId) -> bool {
        self.workers.get().0.is_page(self.documents.name(document), self.documents.located(document))
    }

    /// The system's error message for a document that could not be read again, as a sentence without its subject.
    /// `None` for a document that was read, that changed, or that vanished.
    pub(crate) fn system_fault(&self, document: DocId) -> Option<String> {
        self.same_text.fault(document).filter(|fault| !matches!(fault.as_str(), "changed" | "vanished"))
    }

    /// Returns a problem for each document that could not be read again, in document order.
    pub(crate) fn into_problems(self) -> Vec<Problem> {
        self.same_text.into_problems()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::path::Path;

    use super::*;
    use crate::base::observe::Unwatched;
    use crate::documents::input::{Filter, HtmlMode, InputSettings};
    use crate::search::corpus::reading::Corpus;
    use crate::search::corpus::signing::Reading;
    use crate::search::corpus::stage_settings::tests::with_settings;
    use crate::text::normalize::Normalization;

    /// Documents by their names without the folder, in document order, and their problems.
    type Read = (Vec<(String, Option<PositionedText>)>, Vec<String>);

    /// Reads all documents of a folder in two passes; `between` may change them in between.
    fn read(folder: &Path, input: InputSettings, folding: &Normalization, between: impl FnOnce()) -> Read {
        let input = InputSettings { with_offsets: true, paths: vec![folder.into()], ..input };
        with_settings(
            |_| {},
            |settings| {
                let settings = StageSettings { input: &input, normalization: folding, ..settings };
                let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
                let sources = Sources::default();
                let read = Corpus::read(settings, Reading::Sign(None), &sources, &Unwatched, &pool, false);
                let documents = read.unwrap().0.into_documents();
                between();
                let reader = PositionedReader::new(settings, &documents, &sources);
                let name = |document| String::from_utf8_lossy(documents.name(document)).into_owned();
                let short = |name: String| name.rsplit('/').next().unwrap().to_owned();
                let all = (0..documents.len()).map(DocId::new);
                let texts =
                    pool.install(|| all.map(|document| (short(name(document)), reader.read(document))).collect());
                (texts, reader.into_problems().into_iter().map(|problem| problem.detail).collect())
            },
        )
    }

    /// * `original`: the bytes in which offsets of the document are counted.
    /// * `expected`: parts of its normalised text, each with its original bytes and lines.
    #[track_caller]
    fn check(read: &Read, name: &str, of: OffsetsOf, original: &[u8], expected: &[(&str, &[u8], [u64; 2])]) {
        let (_, positioned) = read.0.iter().find(|(other, _)| other == name).expect(name);
        let positioned = positioned.as_ref().expect("it is as it was");
        assert_eq!((positioned.of, positioned.map.source_len()), (of, original.len()), "{name}");
        for &(part, source, lines) in expected {
            let text = std::str::from_utf8(&positioned.text).unwrap();
            let at = text.find(part).unwrap_or_else(|| panic!("{part:?} in {text:?}"));
            let place = positioned.original(at..at + part.len());
            assert_eq!((original[place.bytes].as_ref(), place.lines), (source, lines), "{part:?} of {name}");
        }
    }

    fn utf16(text: &str) -> Vec<u8> {
        format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
    }

    fn write(folder: &Path, name: &str, bytes: &[u8]) {
        std::fs::write(folder.join(name), bytes).unwrap();
    }

    const PAGE: &str = "<p>One &amp;\n<b>two</b><p>\nthree";

    #[test]
    fn files_count_their_bytes_as_stored() {
        let folder = tempfile::tempdir().unwrap();
        let marked = "\u{FEFF}one\r\n\r\ntwo\t three\r\n";
        let wide = utf16("é\nTwo  thrée\n");
        write(folder.path(), "marked.txt", marked.as_bytes());
        write(folder.path(), "wide.txt", &wide);
        write(folder.path(), "page.html", PAGE.as_bytes());
        write(folder.path(), "old.txt", b"one\rtwo\rthree");
        let folding = Normalization { lowercase: true, strip_accents: true, ..Normalization::default() };
        let read = read(folder.path(), InputSettings::default(), &folding, || {});
        let file = OffsetsOf::File;
        check(
            &read,
            "marked.txt",
            file,
            marked.as_bytes(),
            &[("one", b"one", [1, 1]), ("two three", b"two\t three", [3, 3])],
        );
        check(&read, "marked.txt", file, marked.as_bytes(), &[("one two", b"one\r\n\r\ntwo", [1, 3])]);
        check(
            &read,
            "wide.txt",
            file,
            &wide,
            &[("e", &utf16("é")[2..], [1, 1]), ("two three", &utf16("Two  thrée")[2..], [2, 2])],
        );
        check(
            &read,
            "page.html",
            file,
            PAGE.as_bytes(),
            &[("&", b"&amp;", [1, 1]), ("& two three", b"&amp;\n<b>two</b><p>\nthree", [1, 3])],
        );
        check(&read, "old.txt", file, b"one\rtwo\rthree", &[("two", b"two", [2, 2]), ("o th", b"o\rth", [2, 3])]);
    }

    #[test]
    fn another_encoding_counts_its_own_bytes() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "latin.txt", b"d\xE9j\xE0\r\n  vu");
        write(folder.path(), "broken.txt", b"\xEF\xBB\xBFa\xFF b\xE2\x82 c");
        let input = InputSettings {
            encoding: "latin1".parse().unwrap(),
            invalid: crate::documents::input::InvalidBytes::Replace,
            ..InputSettings::default()
        };
        let read = read(folder.path(), input, &Normalization::default(), || {});
        check(
            &read,
            "latin.txt",
            OffsetsOf::File,
            b"d\xE9j\xE0\r\n  vu",
            &[("déjà", b"d\xE9j\xE0", [1, 1]), ("à vu", b"\xE0\r\n  vu", [1, 2])],
        );
        // A byte order mark overrides the encoding, and invalid bytes are replaced.
        check(
            &read,
            "broken.txt",
            OffsetsOf::File,
            b"\xEF\xBB\xBFa\xFF b\xE2\x82 c",
            &[("a\u{FFFD}", b"a\xFF", [1, 1]), ("b\u{FFFD} c", b"b\xE2\x82 c", [1, 1]), ("c", b"c", [1, 1])],
        );
    }

    #[test]
    fn what_is_no_file_of_its_own_says_what_it_counts() {
        let folder = tempfile::tempdir().unwrap();
        let json = |text: &str| format!("{}\n", serde_json::json!({ "text": text }));
        write(folder.path(), "a.jsonl", format!("{}{}", json("x"), json("one\n\u{e9} \"two\"")).as_bytes());
        write(folder.path(), "b.csv", b"id,text\n7,\"one \"\"two\"\"\n  three\"\n");
        write(folder.path(), "c.up", b"one two\n");
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&utf16("a\nb  c")).unwrap();
        write(folder.path(), "d.txt.gz", &gzip.finish().unwrap());
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in [("page.html", PAGE.as_bytes()), ("plain.txt", b"p\n q")] {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            archive.append_data(&mut header, name, bytes).unwrap();
        }
        write(folder.path(), "e.tar", &archive.into_inner().unwrap());
        let filters = vec![Filter {
            extension: "up".into(),
            command: "printf '\\357\\273\\277'; tr a-z A-Z; printf ' end'".into(),
        }];
        let input = || InputSettings { filters: filters.clone(), ..InputSettings::default() };
        let read_again = read(folder.path(), input(), &Normalization::default(), || {});
        let field = "one\n\u{e9} \"two\"".as_bytes();
        check(
            &read_again,
            "a.jsonl:2",
            OffsetsOf::Field,
            field,
            &[("one é", "one\n\u{e9}".as_bytes(), [1, 2]), ("\"two\"", b"\"two\"", [2, 2])],
        );
        check(&read_again, "7", OffsetsOf::Field, b"one \"two\"\n  three", &[("\" three", b"\"\n  three", [1, 2])]);
        check(
            &read_again,
            "c.up",
            OffsetsOf::Filter,
            b"\xEF\xBB\xBFONE TWO\n end",
            &[("TWO end", b"TWO\n end", [1, 2])],
        );
        check(&read_again, "d.txt.gz", OffsetsOf::Member, &utf16("a\nb  c"), &[("b c", &utf16("b  c")[2..], [2, 2])]);
        check(
            &read_again,
            "e.tar!page.html",
            OffsetsOf::Member,
            PAGE.as_bytes(),
            &[("& two", b"&amp;\n<b>two", [1, 2])],
        );
        check(&read_again, "e.tar!plain.txt", OffsetsOf::Member, b"p\n q", &[("p q", b"p\n q", [1, 2])]);
        assert_eq!(read_again.1, [""; 0]);
    }

    #[test]
    fn a_field_that_is_a_page_counts_with_its_markup() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "a.jsonl", format!("{}\n", serde_json::json!({ "text": PAGE })).as_bytes());
        write(folder.path(), "b.csv", format!("text\n\"{PAGE}\"\n").as_bytes());
        let input = InputSettings { html: HtmlMode::Strip, ..InputSettings::default() };
        let read = read(folder.path(), input, &Normalization::default(), || {});
        for name in ["a.jsonl:1", "b.csv:2"] {
            check(&read, name, OffsetsOf::Field, PAGE.as_bytes(), &[("& two", b"&amp;\n<b>two", [1, 2])]);
        }
    }

    #[test]
    fn a_document_that_changed_is_reported_and_has_no_places() {
        let folder = tempfile::tempdir().unwrap();
        let texts = [("a.txt", "one two three"), ("b.txt", "one  two three"), ("c.txt", "one two three\n")];
        texts.into_iter().for_each(|(name, text)| write(folder.path(), name, text.as_bytes()));
        let (texts, problems) = read(folder.path(), InputSettings::default(), &Normalization::default(), || {
            write(folder.path(), "a.txt", b"one two four");
            std::fs::remove_file(folder.path().join("b.txt")).unwrap();
        });
        assert_eq!(texts.iter().map(|(_, text)| text.is_some()).collect::<Vec<_>>(), [false, false, true]);
        let details = ["changed", "vanished"];
        assert_eq!(
            problems,
            details.map(|what| format!("{what} while it was compared; its passages are missing, scan again"))
        );
    }
}
