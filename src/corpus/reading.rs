//! `Corpus::read`: reads every document once, in parallel, and keeps its name, place, content hash and band keys.
//!
//! Workers fold the documents of each piece of the inputs into a `PieceDocuments`; the assembly joins them in document order.

use std::time::Instant;

use super::assembly::Assembly;
use super::band_keys::BandKeys;
use super::forecast::Forecast;
use super::piece_documents::PieceDocuments;
use super::report::{Listed, Report};
use super::settings::CorpusSettings;
use super::signing::{Reading, Signing};
use super::summary::{ReadSummary, Removed};
use crate::document::{DocId, Documents};
use crate::error::Result;
use crate::input::{Document, Fold, FoldedPiece, Sources, read_documents};
use crate::normalize::Normalizer;
use crate::observe::Observer;

/// The documents of a run and their band keys.
pub(crate) struct Corpus {
    pub(crate) documents: Documents,
    pub(super) keys: BandKeys,
    /// Place and number of the keys of each piece, in document order.
    pub(super) runs: Vec<(usize, usize)>,
    /// Whether exact copies have no keys of their own.
    pub(super) firsts_only: bool,
}

impl Corpus {
    /// Reads all documents; returns their list too, which is empty unless `lists`.
    pub(super) fn read(
        settings: CorpusSettings,
        reading: Reading,
        sources: &Sources,
        observer: &dyn Observer,
        pool: &rayon::ThreadPool,
        lists: bool,
    ) -> Result<(Self, Vec<Listed>, ReadSummary)> {
        let keys = BandKeys::new(settings.banding.bands());
        let forecast = Forecast::new(settings, sources, observer, !lists);
        let new_signer = || SigningFold {
            settings,
            normalizer: settings.normalizer(),
            signing: Signing::new(settings, reading, lists).keeping(settings.kept),
            keys: &keys,
            forecast: &forecast,
        };
        let (pieces, walked) = read_documents(settings.inputs(), sources, observer, pool, new_signer)?;
        let runs = pieces.iter().map(|piece| piece.folded.keys).filter(|&(_, len)| len > 0).collect();
        let piece_bytes: usize = pieces.iter().map(|piece| size_of_val(piece) + piece.folded.num_bytes()).sum();
        let removed = match reading {
            Reading::Sign(Some(removal)) => {
                let removed = Removed::of(pieces.iter().map(|piece| &piece.folded.removed));
                Some(Removed { template_shingles: Some(removal.len() as u64), ..removed })
            }
            _ => None,
        };
        let report = Report::new(settings.input.strict, observer, lists);
        let assemble = || Assembly::assemble(pieces, settings, &walked, sources, report);
        let assembled = pool.install(assemble)?;
        let (documents, list, mut summary) = (assembled.documents, assembled.list, assembled.summary);
        summary.removed = removed;
        (summary.has_records, summary.has_delimited) = sources.kinds();
        summary.tables_at_least(piece_bytes + assembled.name_bytes + documents.num_bytes() + keys.num_bytes());
        Ok((Self { documents, keys, runs, firsts_only: false }, list, summary))
    }

    /// Bytes of the documents' rows and names, and of their band keys.
    pub(crate) fn num_bytes(&self) -> usize {
        self.documents.num_bytes() + self.keys.num_bytes()
    }

    pub(crate) fn into_documents(self) -> Documents {
        self.documents
    }

    /// Appends (key, document) for the first document of each text, ascending by document, and frees the band's keys.
    pub(crate) fn take_band(&self, band: usize, out: &mut Vec<(u64, DocId)>) {
        let mut documents =
            self.documents.with_text().filter(|&document| !self.firsts_only || self.documents.is_first(document));
        let scope = self.documents.scope();
        self.keys.take(band, self.runs.iter().copied(), &mut |key| {
            let document = documents.next().expect("a key for each document with text");
            if self.documents.is_first(document) {
                out.push((key ^ scope.salt(document), document));
            }
        });
    }
}

/// Normalises documents and signs them.
struct SigningFold<'a> {
    settings: CorpusSettings<'a>,
    normalizer: Normalizer,
    signing: Signing<'a>,
    keys: &'a BandKeys,
    forecast: &'a Forecast<'a>,
}

impl Fold for SigningFold<'_> {
    type Output = PieceDocuments;

    fn add(&mut self, piece: &mut FoldedPiece<PieceDocuments>, document: Document) -> Result<()> {
        self.normalizer.set_syntax(self.settings.syntax_of(document.name.bytes()));
        // In place, so that a long text is in memory once.
        self.normalizer.normalize_utf8(document.text);
        if self.settings.sample.is_some_and(|sample| !sample.takes(&document)) {
            return Ok(());
        }
        let start = self.settings.sample.map(|_| Instant::now());
        let added = PieceDocuments::add(piece, &document, &self.normalizer, &mut self.signing);
        if let Some((sample, start)) = self.settings.sample.zip(start) {
            sample.add_time(start);
        }
        added
    }

    fn end(&mut self, piece: &mut FoldedPiece<PieceDocuments>) -> Result<()> {
        piece.folded.finish(&mut self.signing, self.keys)?;
        self.forecast.add(piece);
        Ok(())
    }
}
