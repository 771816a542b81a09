//! `read_signed`: passes each document on, signed, as soon as it and all documents before it are read.
//!
//! After a document is passed on, only the hash of its name is kept, so that no name is used twice. A hash needs 20 to
//! 40 bytes in memory, or, when the memory for these hashes is full, 16 bytes on disk and one and a half in memory.

use super::names::Names;
use super::naming::Naming;
use super::piece_documents::PieceDocuments;
use super::piece_rows::RowName;
use super::report::Report;
use super::signing::{Reading, Signing};
use super::stage_settings::StageSettings;
use super::summary::{ReadSummary, Removed};
use crate::base::error::Result;
use crate::base::observe::Observer;
use crate::documents::document::{DocumentLocation, OffsetsOf};
use crate::documents::input::{AbsentBySource, Document, Fold, FoldedPiece, Sources, read_in_order};
use crate::text::code::Syntax;
use crate::text::normalize::Normalizer;
use crate::text::removal::Removal;

/// A document that is read and signed.
#[derive(Debug)]
pub(crate) struct SignedDocument<'a> {
    /// The name of the document, which no earlier document has.
    pub(crate) name: &'a [u8],
    /// The file of a record, or of a document whose name was replaced; `None` where the name is the name of the file.
    pub(crate) file: Option<&'a [u8]>,
    /// The line or row of a record in its file, from 1.
    pub(crate) place: Option<u64>,
    /// Whether `place` is a row.
    pub(crate) is_row: bool,
    /// The location by which the document can be read again.
    pub(crate) located: DocumentLocation,
    /// Whether it is a line that is a set of fields.
    pub(crate) is_set_line: bool,
    /// The hash of the normalised text, `xxh3_128`; `None` when it has no shingle.
    pub(crate) content: Option<u128>,
    /// The number of distinct shingles that were not removed, if they are counted; otherwise 0.
    pub(crate) num_shingles: u64,
    /// The key for each band; empty for a document without shingles.
    pub(crate) keys: &'a [u64],
    /// The signature, if signatures are kept; empty for a document without shingles.
    pub(crate) signature: &'a [u32],
    /// The hashes of its shingles up to a limit, if they are kept; ascending, each once.
    pub(crate) samples: &'a [u64],
    /// The text before normalisation, if texts are kept.
    pub(crate) text: &'a [u8],
    /// The language of a program.
    pub(crate) syntax: Option<Syntax>,
    /// The kind of the original in which offsets of the document are counted.
    pub(crate) offsets_of: OffsetsOf,
    /// Whether the text is, byte for byte, the original in which offsets are counted.
    pub(crate) is_original: bool,
}

/// The parts of a document that are passed on in addition to its name and keys.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SignedParts {
    /// The number of distinct shingles.
    pub(crate) sizes: bool,
    /// The signature.
    pub(crate) signatures: bool,
    /// The text before normalisation.
    pub(crate) texts: bool,
    /// The shingles whose hashes are at most this.
    pub(crate) samples: Option<u64>,
}

/// Receives signed documents, in document order.
pub(crate) type SignedSink<'a> = &'a mut (dyn FnMut(&SignedDocument) -> Result<()> + Send);

/// Reads and signs all documents; reads each input once.
///
/// * `templates`: the shingles that are removed from the documents.
///
/// # Errors
/// When the run cannot be done, or `sink` fails. Earlier documents were passed on by then.
pub(crate) fn read_signed(
    settings: StageSettings,
    templates: Option<&Removal>,
    parts: SignedParts,
    sources: &Sources,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
    sink: SignedSink,
) -> Result<ReadSummary> {
    let new_fold = || {
        let signing = Signing::new(settings, Reading::Sign(templates), parts.sizes);
        let signing = if parts.signatures { signing.keeping_signatures() } else { signing };
        SignFold {
            settings,
            normalizer: settings.normalizer(),
            signing,
            keeps_texts: parts.texts,
            samples: parts.samples,
        }
    };
    let mut stream = SignedStream {
        num_bands: settings.banding.bands(),
        num_hashes: settings.banding.num_hashes(),
        of_programs: settings.shingles.of_programs(),
        naming: Naming::new(Names::as_they_come(settings.memory().streamed_names())),
        has_rows: false,
        has_set_lines: false,
        absent: AbsentBySource::default(),
        sources,
        report: Report::new(settings.input.strict, observer, false),
        removed: Removed::default(),
        sink,
    };
    read_in_order(settings.inputs(), sources, observer, pool, new_fold, &mut |piece| stream.add(piece))?;
    for note in stream.absent.into_notes(sources) {
        stream.report.report_problem(note)?;
    }
    let template_shingles = templates.map(|templates| templates.len() as u64);
    let removed = template_shingles.is_some().then_some(Removed { template_shingles, ..stream.removed });
    let mut summary = ReadSummary { removed, ..stream.report.summary };
    summary.complete(sources, settings.input.strict);
    summary.tables_at_least(stream.naming.names.num_bytes());
    Ok(summary)
}

/// Normalises documents and signs them.
struct SignFold<'a> {
    settings: StageSettings<'a>,
    normalizer: Normalizer,
    signing: Signing<'a>,
    keeps_texts: bool,
    /// The highest hash of a shingle that is kept.
    samples: Option<u64>,
}

impl Fold for SignFold<'_> {
    type Output = PieceDocuments;

    fn add(&mut self, piece: &mut FoldedPiece<PieceDocuments>, document: Document) -> Result<()> {
        self.normalizer.set_syntax(self.settings.syntax_of(document.name.bytes(), document.syntax));
        if !self.keeps_texts {
            self.normalizer.normalize_utf8(document.text);
            return PieceDocuments::add(piece, &document, &self.normalizer, &mut self.signing);
        }
        let num_rows = piece.folded.rows.len();
        // A text as long as its file is the file itself; any other text was decoded or had markup.
        let is_original = match document.located.offsets_of() {
            OffsetsOf::Field => !self.settings.input.html.strips_records(),
            _ => document.num_bytes == document.text.len() as u64,
        };
        piece.folded.texts.push(document.text)?;
        self.normalizer.normalize_utf8(document.text);
        PieceDocuments::add(piece, &document, &self.normalizer, &mut self.signing)?;
        let is_kept = piece.folded.rows.len() > num_rows;
        piece.folded.texts.keep_last(is_kept, is_original);
        if let Some(most) = self.samples.filter(|_| is_kept) {
            self.signing.sample(document.text, most, piece.folded.samples.open_row());
            piece.folded.samples.end_row();
        }
        Ok(())
    }

    fn end(&mut self, piece: &mut FoldedPiece<PieceDocuments>) -> Result<()> {
        piece.folded.finish_signed(&mut self.signing);
        Ok(())
    }
}

/// Names the documents of one piece after another and passes them on.
struct SignedStream<'a> {
    num_bands: usize,
    num_hashes: usize,
    /// Whether texts are programs.
    of_programs: bool,
    naming: Naming,
    /// Whether the records of the current source are rows.
    has_rows: bool,
    /// Whether the lines of the current source are sets of fields.
    has_set_lines: bool,
    absent: AbsentBySource,
    sources: &'a Sources,
    report: Report<'a>,
    removed: Removed,
    sink: SignedSink<'a>,
}

impl SignedStream<'_> {
    fn add(&mut self, mut piece: FoldedPiece<PieceDocuments>) -> Result<()> {
        self.absent.add(&mut piece);
        if let Some(source) = self.naming.places.enter(&piece, self.sources) {
            self.naming.names.enter(self.naming.places.source_name());
            self.has_rows = self.sources.has_rows(source);
            self.has_set_lines = self.sources.has_set_lines(source);
        }
        let folded = piece.folded;
        self.count(&folded);
        let mut names = folded.names.as_slice();
        let mut problems = piece.problems.into_iter().peekable();
        let mut keys = folded.signed.0.chunks_exact(self.num_bands);
        let mut signatures = folded.signed.1.chunks_exact(self.num_hashes);
        for (number, row) in folded.rows.iter().enumerate() {
            while let Some((_, problem)) = problems.next_if(|&(before, _)| before == number) {
                self.naming.report_problem(problem, &mut self.report)?;
            }
            let given = names;
            let name = self.naming.name(&row.name, &mut names, &mut self.report)?;
            let (content, located) = (row.content, folded.located.get(number));
            let places = &self.naming.places;
            let (file, place) = match row.name {
                RowName::Path { len } | RowName::Member { len } => {
                    (Some(&given[..len]).filter(|given| **given != *name), None)
                }
                RowName::Id { line, .. } | RowName::Line { line } => {
                    (Some(places.source_name()), Some(places.line(line)))
                }
            };
            let (text, is_original) = folded.texts.get(number);
            (self.sink)(&SignedDocument {
                name: &name,
                file,
                place,
                is_row: self.has_rows,
                located,
                is_set_line: self.has_set_lines,
                content,
                num_shingles: folded.sizes.get(number).map_or(0, |sizes| sizes.num_shingles),
                // A document without shingles has neither keys nor a signature.
                keys: content.and_then(|_| keys.next()).unwrap_or_default(),
                signature: content.and_then(|_| signatures.next()).unwrap_or_default(),
                samples: if number < folded.samples.len() { folded.samples.row(number) } else { &[] },
                text,
                syntax: row.syntax,
                offsets_of: located.offsets_of(),
                is_original,
            })?;
        }
        problems.try_for_each(|(_, problem)| self.naming.report_problem(problem, &mut self.report))?;
        self.naming.places.leave(piece.lines);
        Ok(())
    }

    fn count(&mut self, folded: &PieceDocuments) {
        self.removed = Removed::of([&self.removed, &folded.removed].into_iter());
        let summary = &mut self.report.summary;
        summary.documents += folded.rows.len() as u64;
        summary.bytes += folded.num_bytes;
        summary.short += folded.short;
        // A document that removal emptied is not counted as empty.
        summary.empty += folded.rows.num_empty() as u64 - folded.removed.emptied;
        if self.of_programs {
            summary.code.get_or_insert_default().append(&folded.code);
        }
    }
}
