//! `sign_documents`: inputs in, each document with its band keys and signature out as soon as it is read, in document order.
//!
//! What is kept of a document that was passed on is the hash of its name, about 20 to 40 bytes, so that no name comes twice.

use std::borrow::Cow;

use super::names::Names;
use super::naming::Naming;
use super::piece_documents::PieceDocuments;
use super::report::Report;
use super::settings::CorpusSettings;
use super::signing::{Reading, Signing};
use super::summary::{ReadSummary, Removed};
use super::templates::read_templates;
use crate::error::Result;
use crate::input::{AbsentBySource, Document, Fold, FoldedPiece, Sources, read_in_order};
use crate::normalize::Normalizer;
use crate::observe::Observer;
use crate::output::{Name, SignatureRecord};

/// Receives signed documents, in document order.
pub(super) type SignatureSink<'a> = &'a mut (dyn FnMut(&SignatureRecord) -> Result<()> + Send);

/// Reads and signs all documents; reads each input once.
///
/// * `values`: whether records have signatures beside band keys.
///
/// # Errors
/// When the run cannot be done, or those of `sink`. Documents before were passed on.
pub(crate) fn sign_documents(
    settings: CorpusSettings,
    values: bool,
    sources: &Sources,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
    sink: SignatureSink,
) -> Result<ReadSummary> {
    let templates = read_templates(settings, sources.cancel(), observer, pool)?;
    let new_fold = || {
        let signing = Signing::new(settings, Reading::Sign(templates.as_ref()), true);
        let signing = if values { signing.keeping_values() } else { signing };
        SignFold { settings, normalizer: settings.normalizer(), signing }
    };
    let mut stream = SignedStream {
        num_bands: settings.banding.bands(),
        num_hashes: settings.banding.num_hashes(),
        values,
        of_programs: settings.shingles.of_programs(),
        naming: Naming::new(Names::as_they_come()),
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
    let template_shingles = templates.as_ref().map(|templates| templates.len() as u64);
    let removed = template_shingles.is_some().then_some(Removed { template_shingles, ..stream.removed });
    let mut summary = ReadSummary { removed, ..stream.report.summary };
    (summary.has_records, summary.has_delimited) = sources.kinds();
    summary.tables_at_least(stream.naming.names.num_bytes());
    Ok(summary)
}

/// Normalises documents and signs them.
struct SignFold<'a> {
    settings: CorpusSettings<'a>,
    normalizer: Normalizer,
    signing: Signing<'a>,
}

impl Fold for SignFold<'_> {
    type Output = PieceDocuments;

    fn add(&mut self, piece: &mut FoldedPiece<PieceDocuments>, document: Document) -> Result<()> {
        self.normalizer.set_syntax(self.settings.syntax_of(document.name.bytes()));
        self.normalizer.normalize_utf8(document.text);
        PieceDocuments::add(piece, &document, &self.normalizer, &mut self.signing)
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
    values: bool,
    /// Whether texts are programs.
    of_programs: bool,
    naming: Naming,
    absent: AbsentBySource,
    sources: &'a Sources,
    report: Report<'a>,
    removed: Removed,
    sink: SignatureSink<'a>,
}

impl SignedStream<'_> {
    fn add(&mut self, mut piece: FoldedPiece<PieceDocuments>) -> Result<()> {
        self.absent.add(&mut piece);
        if self.naming.places.enter(&piece, self.sources).is_some() {
            self.naming.names.enter(self.naming.places.source_name());
        }
        let folded = piece.folded;
        self.count(&folded);
        let mut names = folded.names.as_slice();
        let mut problems = piece.problems.into_iter().peekable();
        let mut keys = folded.signed.0.chunks_exact(self.num_bands);
        let mut values = folded.signed.1.chunks_exact(self.num_hashes);
        for (number, (row, sizes)) in folded.rows.iter().zip(&folded.sizes).enumerate() {
            while let Some((_, problem)) = problems.next_if(|&(before, _)| before == number) {
                self.report.report_problem(self.naming.places.problem(problem))?;
            }
            let name = self.naming.name(&row.name(), &mut names, &mut self.report)?;
            let content = row.content();
            // A document without shingles has none of either.
            let keys = content.and_then(|_| keys.next()).unwrap_or_default();
            let values = content.and_then(|_| values.next()).unwrap_or_default();
            (self.sink)(&SignatureRecord {
                id: Name::new(&name),
                shingles: sizes.num_shingles,
                text_hash: content.map(|content| format!("{content:032x}").into()),
                keys: Cow::Borrowed(keys),
                signature: self.values.then_some(Cow::Borrowed(values)),
            })?;
        }
        problems.try_for_each(|(_, problem)| self.report.report_problem(self.naming.places.problem(problem)))?;
        self.naming.places.leave(piece.lines);
        Ok(())
    }

    fn count(&mut self, folded: &PieceDocuments) {
        self.removed = Removed::of([&self.removed, &folded.removed].into_iter());
        let summary = &mut self.report.summary;
        summary.documents += folded.rows.len() as u64;
        summary.bytes += folded.num_bytes;
        summary.short += folded.short;
        // A document emptied by removal is not counted as an empty one.
        summary.empty += folded.rows.iter().filter(|row| row.num_shingles == 0).count() as u64 - folded.removed.emptied;
        if self.of_programs {
            summary.code.get_or_insert_default().append(&folded.code);
        }
    }
}
