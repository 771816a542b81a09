//! `TextEditor`: makes the texts of documents without the parts that are cut, in the form in which they are stored.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use serde::de::IgnoredAny;

use super::seam::{Seam, TextCut, without};
use super::text_edits::TextEdits;
use crate::base::error::{CorpusError, Error, Result, TextObstacle};
use crate::base::flat::per_thread::PerThread;
use crate::documents::document::{DocId, Documents, OffsetsOf};
use crate::documents::input::{JsonTexts, Sources, TableTexts, TextValues, json_string, mark_len};
use crate::search::corpus::{DecodedText, OriginalPart, PositionedReader, PositionedText, StageSettings};
use crate::search::repeats::{RepeatUnit, RepeatedRun, RepeatedRuns};
use crate::text::shingle::{ShingleKind, Shingler};

/// The byte order marks after which the bytes of a text begin.
const MARKS: [&[u8]; 5] = [b"\xEF\xBB\xBF", b"\xFF\xFE\0\0", b"\0\0\xFE\xFF", b"\xFF\xFE", b"\xFE\xFF"];

/// Edits documents, from any thread of the pool. Each document is read again, and its text must be unchanged.
pub(in crate::unique) struct TextEditor<'a> {
    documents: &'a Documents,
    reader: PositionedReader<'a>,
    shinglers: PerThread<Shingler>,
    edits: TextEdits<'a>,
    seam: Seam,
}

/// Why a document gets no field.
const NO_FIELDS: &str = "a mark is a field of a JSON record, and it has none";

/// A text before it is cut.
struct UncutText {
    decoded: DecodedText,
    /// The bytes of the tokens that are cut.
    tokens: Vec<Range<usize>>,
}

/// A part of a document.
pub(in crate::unique) struct LocatedPart {
    pub(super) original: OriginalPart,
    /// The decoded text of the part.
    pub(super) text: String,
}

impl<'a> TextEditor<'a> {
    /// * `settings`: the settings by which the repeats were found.
    pub(in crate::unique) fn new(
        settings: StageSettings<'a>,
        unit: RepeatUnit,
        documents: &'a Documents,
        sources: &'a Sources,
        runs: &'a RepeatedRuns,
    ) -> Self {
        let seam = match unit {
            RepeatUnit::Line => Seam::Lines,
            RepeatUnit::Paragraph => Seam::Paragraphs,
            RepeatUnit::Sentences(_) => Seam::Sentences,
            RepeatUnit::Passage(_) => match settings.shingles.kind() {
                ShingleKind::Line => Seam::Lines,
                ShingleKind::Paragraph => Seam::Paragraphs,
                kind => Seam::Tokens { are_words: kind != ShingleKind::Char },
            },
        };
        Self {
            documents,
            reader: PositionedReader::for_views(settings, documents, sources),
            shinglers: PerThread::new(settings.resources.threads.get(), || settings.shingler()),
            edits: TextEdits::Repeats(runs),
            seam,
        }
    }

    /// An editor that cuts bytes, between words, or adds fields.
    ///
    /// * `settings`: the settings by which the documents were read.
    pub(in crate::unique) fn of_edits(
        settings: StageSettings<'a>,
        documents: &'a Documents,
        sources: &'a Sources,
        edits: TextEdits<'a>,
    ) -> Self {
        Self {
            documents,
            reader: PositionedReader::for_views(settings, documents, sources),
            shinglers: PerThread::new(settings.resources.threads.get(), || settings.shingler()),
            edits,
            seam: Seam::Tokens { are_words: true },
        }
    }

    /// Why the text of a document cannot be replaced where it is stored; `None` when it can.
    pub(in crate::unique) fn obstacle(&self, document: DocId) -> Option<TextObstacle> {
        match self.documents.located(document).offsets_of() {
            OffsetsOf::Text => Some(TextObstacle::Extracted),
            OffsetsOf::Filter => Some(TextObstacle::Filtered),
            OffsetsOf::Field if self.reader.is_page(document) => Some(TextObstacle::PageOfRecord),
            _ if self.reader.is_page(document) => Some(TextObstacle::Page),
            _ => None,
        }
    }

    /// Checks before anything is written that each of these texts can be replaced where it is stored, or, with `to_text`,
    /// written to a separate file.
    ///
    /// # Errors
    /// When there are texts that cannot be replaced: the first one, and the number of others.
    pub(in crate::unique) fn check(&self, documents: impl Iterator<Item = DocId>, to_text: bool) -> Result<()> {
        let mut obstacles = documents
            .filter_map(|document| Some((document, self.obstacle(document)?)))
            // Archives refuse such members when they are written.
            .filter(|(_, why)| !to_text || *why == TextObstacle::PageOfRecord);
        let Some((document, why)) = obstacles.next() else { return Ok(()) };
        let place = String::from_utf8_lossy(self.documents.name(document)).into_owned();
        let num_more = obstacles.count() as u64;
        let has_texts = matches!(self.edits, TextEdits::Repeats(_));
        Err(Error::Corpus(CorpusError::NotRewritten { place, why, num_more, has_texts }))
    }

    /// The text of a document without the parts that are cut.
    ///
    /// # Errors
    /// When the document cannot be read again, or has changed.
    pub(in crate::unique) fn text(&self, document: DocId) -> io::Result<String> {
        let UncutText { decoded, tokens } = self.uncut(document)?;
        Ok(without(&decoded.text, &self.seam.cuts(&decoded.text, &tokens)))
    }

    /// A file or member that is one document, without the parts that are cut. All other bytes stay the same, whatever
    /// the encoding.
    ///
    /// # Errors
    /// When the document has changed, or its text is not stored as a text.
    pub(in crate::unique) fn file(&self, document: DocId, stored: &[u8]) -> io::Result<Vec<u8>> {
        let UncutText { decoded, tokens } = self.uncut(document)?;
        let cuts = self.seam.cuts(&decoded.text, &tokens);
        let mark = MARKS.into_iter().find(|mark| stored.starts_with(mark)).map_or(0, <[u8]>::len);
        if stored[mark..] == *decoded.text.as_bytes() {
            return Ok([&stored[..mark], without(&decoded.text, &cuts).as_bytes()].concat());
        }
        if let Some(why) = self.obstacle(document) {
            let name = String::from_utf8_lossy(self.documents.name(document));
            return Err(io::Error::other(format!("{name}: {why}, and no member of an archive is written as text")));
        }
        if std::str::from_utf8(stored).is_ok() || !decoded.is_all_of(stored.len(), mark) {
            return Err(io::Error::other("its text is only a part of the file"));
        }
        let (mut edited, mut at) = (Vec::with_capacity(stored.len()), 0);
        for TextCut { range, instead } in cuts {
            let bytes = decoded.original_bytes(range);
            edited.extend_from_slice(&stored[at..bytes.start]);
            for c in instead.chars() {
                edited.extend_from_slice(&stored[encoded(c, &decoded)]);
            }
            at = bytes.end;
        }
        edited.extend_from_slice(&stored[at..]);
        Ok(edited)
    }

    /// A JSON record with the new text of its document in the fields of the text.
    ///
    /// # Errors
    /// When the record is not UTF-8, or does not hold the text.
    pub(in crate::unique) fn json_record(
        &self,
        texts: &JsonTexts,
        document: DocId,
        mut record: Vec<u8>,
    ) -> io::Result<Vec<u8>> {
        if let Some(field) = self.field(document) {
            let brace = record.iter().rposition(|&byte| byte == b'}').filter(|_| !record.contains(&0));
            let brace = brace.ok_or_else(|| io::Error::other("its records are not in UTF-8"))?;
            if has_key_of(&record, field) {
                let name = String::from_utf8_lossy(self.documents.name(document));
                return Err(io::Error::other(format!("record {name} has a mark already; remove its field first")));
            }
            record.splice(brace..brace, b",".iter().chain(field).copied());
            return Ok(record);
        }
        let mark = mark_len(&record);
        let utf8 = std::str::from_utf8(&record[mark..]).ok().filter(|_| !record.contains(&0));
        let found = utf8.map(|record| texts.find(record));
        let is_ascii = record.is_ascii();
        self.record(document, record, mark, found, |text, _| json_string(text, is_ascii))
    }

    /// A row of a table with the new text of its document in the columns of the text.
    ///
    /// # Errors
    /// When the row is not UTF-8, or does not hold the text.
    pub(in crate::unique) fn row(&self, texts: &mut TableTexts, document: DocId, row: Vec<u8>) -> io::Result<Vec<u8>> {
        let is_utf8 = !row.contains(&0) && std::str::from_utf8(&row).is_ok();
        let found = is_utf8.then(|| texts.find(&row));
        self.record(document, row, 0, found, |text, stored| texts.field(text, stored))
    }

    /// * `mark`: the length of the byte order mark of the record.
    /// * `found`: the values of the text; `None` when the record is not UTF-8, `Some(None)` when it has no text.
    /// * `stored`: makes the stored form of a value, like the one that it replaces.
    fn record(
        &self,
        document: DocId,
        mut record: Vec<u8>,
        mark: usize,
        found: Option<Option<TextValues>>,
        stored: impl Fn(&str, &[u8]) -> Vec<u8>,
    ) -> io::Result<Vec<u8>> {
        let fail = |why: &str| {
            let name = String::from_utf8_lossy(self.documents.name(document)).into_owned();
            Err(io::Error::other(format!("record {name}: {why}")))
        };
        let UncutText { decoded, tokens } = self.uncut(document)?;
        let values = match found {
            None => return fail("only records in UTF-8 are cut; convert the file to UTF-8"),
            Some(Some(values)) if values.text == decoded.text => values.values,
            Some(_) => return fail("its text is not stored in its fields as it was compared"),
        };
        for value in values.into_iter().rev() {
            let cuts = self.cuts_within(&decoded.text, &tokens, value.text.clone());
            if !cuts.is_empty() {
                let text = &decoded.text[value.text];
                let bytes = value.stored.start + mark..value.stored.end + mark;
                let new = stored(&without(text, &cuts), &record[bytes.clone()]);
                record.splice(bytes, new);
            }
        }
        Ok(record)
    }

    /// The values of a row in Parquet with the new text of their document.
    ///
    /// * `values`: the values of the columns of the text; `None` for null.
    ///
    /// # Errors
    /// When the document has changed, or the values are not its text.
    #[cfg(feature = "parquet")]
    pub(in crate::unique) fn values(
        &self,
        document: DocId,
        values: &[Option<&[u8]>],
    ) -> io::Result<Vec<Option<Vec<u8>>>> {
        let UncutText { decoded, tokens } = self.uncut(document)?;
        let there: Vec<&[u8]> = values.iter().copied().flatten().collect();
        if there.join(&b'\n') != decoded.text.as_bytes() {
            return Err(io::Error::other("the text of a row is not stored in its columns as it was compared"));
        }
        let mut start = 0;
        let new = values.iter().map(|value| {
            let value = (*value)?;
            let range = start..start + value.len();
            start = range.end + 1;
            let cuts = self.cuts_within(&decoded.text, &tokens, range.clone());
            Some(without(&decoded.text[range], &cuts).into_bytes())
        });
        Ok(new.collect())
    }

    /// The cuts of a value, which is a range of a text of several values.
    fn cuts_within(&self, text: &str, tokens: &[Range<usize>], value: Range<usize>) -> Vec<TextCut> {
        let within = |at: usize| at.clamp(value.start, value.end) - value.start;
        let clipped = tokens.iter().map(|range| within(range.start)..within(range.end));
        self.seam.cuts(&text[value.clone()], &clipped.collect::<Vec<_>>())
    }

    /// The parts of a document that are cut, in its text and in the original.
    ///
    /// # Errors
    /// When the document cannot be read again, or has changed.
    pub(in crate::unique) fn located(&self, document: DocId, tokens: &[Range<u32>]) -> io::Result<Vec<LocatedPart>> {
        let (positioned, decoded) = self.read(document)?;
        let (whole, map) = (positioned.text.clone(), &positioned);
        let pieces = self.shinglers.get().tokens_utf8(whole);
        let locate = |range: &Range<u32>| {
            let end = (range.end as usize).min(pieces.len());
            let normalised = pieces.bytes_of((range.start as usize).min(end)..end);
            let text = decoded.text[decoded.normalised.source_range(normalised.clone())].to_owned();
            LocatedPart { original: map.original(normalised), text }
        };
        Ok(tokens.iter().map(locate).collect())
    }

    /// The field that is added to a document.
    fn field(&self, document: DocId) -> Option<&'a [u8]> {
        match self.edits {
            TextEdits::Fields(fields) => fields.get(&document).map(Vec::as_slice),
            TextEdits::Repeats(_) | TextEdits::Bytes(_) => None,
        }
    }

    fn read(&self, document: DocId) -> io::Result<(PositionedText, DecodedText)> {
        self.reader.read_decoded(document).ok_or_else(|| {
            let name = String::from_utf8_lossy(self.documents.name(document)).into_owned();
            io::Error::other(format!("{name} changed while it was compared"))
        })
    }

    fn uncut(&self, document: DocId) -> io::Result<UncutText> {
        if self.field(document).is_some() {
            return Err(io::Error::other(NO_FIELDS));
        }
        let (positioned, decoded) = self.read(document)?;
        let runs = match self.edits {
            TextEdits::Repeats(runs) => runs.of(document),
            TextEdits::Bytes(cuts) => {
                let tokens = cuts.get(&document).cloned().unwrap_or_default();
                return Ok(UncutText { decoded, tokens });
            }
            TextEdits::Fields(_) => &[],
        };
        if runs.is_empty() {
            return Ok(UncutText { decoded, tokens: Vec::new() });
        }
        let tokens = self.shinglers.get().tokens_utf8(positioned.text);
        let bytes = |run: &RepeatedRun| {
            let normalised = tokens.bytes_of(run.start as usize..run.end as usize);
            decoded.normalised.source_range(normalised)
        };
        let tokens = runs.iter().map(bytes).collect();
        Ok(UncutText { decoded, tokens })
    }
}

/// Whether an object of JSON already has the key of a field.
///
/// * `field`: the key and its value, as they are added.
fn has_key_of(record: &[u8], field: &[u8]) -> bool {
    let keys = |bytes: &[u8]| serde_json::from_slice::<HashMap<String, IgnoredAny>>(bytes);
    let added = keys(&[b"{", field, b"}"].concat()).unwrap_or_default();
    keys(&record[mark_len(record)..]).is_ok_and(|keys| added.keys().any(|key| keys.contains_key(key)))
}

/// The stored bytes of a character that the text has somewhere, or else of any white space of the text.
fn encoded(c: char, decoded: &DecodedText) -> Range<usize> {
    let found = decoded.text.find(c).or_else(|| decoded.text.find(char::is_whitespace));
    found.map_or(0..0, |at| {
        let len = decoded.text[at..].chars().next().map_or(0, char::len_utf8);
        decoded.original_bytes(at..at + len)
    })
}
