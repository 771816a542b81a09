//! `Corpus::read`: reads every document once, in parallel, and keeps its name, place, content hash and band keys.
//!
//! The inputs are divided into pieces. Workers reduce the documents of each piece to a `PieceDocuments`, and the
//! assembly joins the pieces in document order.

use std::cell::Cell;
use std::time::Instant;

use super::assembly::Assembly;
use super::band_keys::{BandKeys, KeyRun, KeysOfBand, StoredBits};
use super::forecast::Forecast;
use super::keyed_documents::KeyedDocuments;
use super::piece_documents::PieceDocuments;
use super::report::{Listed, Report};
use super::signed_texts::SignedTexts;
use super::signing::{Reading, Signing};
use super::spilled_keys::KeyBytes;
use super::stage_settings::StageSettings;
use super::summary::{ReadSummary, Removed, TextKind};
use crate::base::error::Result;
use crate::base::memory::give_back_freed;
use crate::base::observe::Observer;
use crate::documents::document::{DocId, DocSet, Documents};
use crate::documents::input::{Against, Document, Fold, FoldedPiece, Sources, read_documents};
use crate::sign::banding::{BucketTable, SignatureBits, SignatureFilter, shared_keys};
use crate::text::normalize::Normalizer;

/// The documents of a run and their band keys.
pub(crate) struct Corpus {
    pub(crate) documents: Documents,
    pub(super) keys: BandKeys,
    /// The keys of each piece, in document order.
    pub(super) runs: Vec<KeyRun>,
    /// The documents to which the keys belong.
    pub(super) keyed: KeyedDocuments,
}

impl Corpus {
    /// Reads all documents. Also returns a list of them, which is empty unless `lists` is true.
    pub(super) fn read(
        settings: StageSettings,
        reading: Reading,
        sources: &Sources,
        observer: &dyn Observer,
        pool: &rayon::ThreadPool,
        lists: bool,
    ) -> Result<(Self, Vec<Listed>, ReadSummary)> {
        let keys = BandKeys::new(settings.banding, settings.filter, settings.memory().band_keys());
        let forecast = Forecast::new(settings, &keys, sources, observer, !lists);
        let signed_texts = needs_one_of_each_text(settings, reading).then(SignedTexts::new);
        let new_signer = || SigningFold {
            settings,
            normalizer: settings.normalizer(),
            signing: Signing::new(settings, reading, lists).keeping(settings.kept).signing_once(signed_texts.as_ref()),
            keys: &keys,
            forecast: &forecast,
        };
        let (pieces, walked) = read_documents(settings.inputs(), sources, observer, pool, new_signer)?;
        drop(signed_texts);
        let signed_copies = signed_copies(&pieces);
        let runs = pieces.iter().map(|piece| piece.folded.keys).filter(|run| run.len() > 0).collect();
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
        summary.complete(sources, settings.input.strict);
        summary.text_kind = TextKind::of(&documents);
        // The assembly freed each piece when it had its documents.
        let document_bytes = piece_bytes.max(documents.num_bytes());
        summary.tables_at_least(document_bytes + assembled.name_bytes + keys.num_bytes());
        let keyed = KeyedDocuments::all_but(signed_copies, &documents);
        Ok((Self { documents, keys, runs, keyed }, list, summary))
    }

    /// The bytes of the documents' rows and names, and of their band keys.
    pub(crate) fn num_bytes(&self) -> usize {
        self.documents.num_bytes() + self.keys.num_bytes() + self.keyed.num_bytes()
    }

    /// The bytes of the band keys and bits of signatures, wherever they are.
    pub(crate) fn key_bytes(&self) -> KeyBytes {
        let bytes = |of_document: usize| (self.keys.len() * of_document) as u64;
        KeyBytes {
            all_in_memory: bytes(self.keys.bytes_of_document()),
            all_on_disk: bytes(self.keys.spilled.bytes_of_document()),
            in_memory: self.keys.num_bytes() as u64,
        }
    }

    /// The bytes of band keys and bits of signatures on the disk.
    pub(crate) fn spilled_bytes(&self) -> u64 {
        self.keys.spilled.num_bytes()
    }

    pub(crate) fn into_documents(self) -> Documents {
        self.documents
    }

    /// The bits of the signature of each text, for a filter; `None` where they were not kept. Bits on the disk are read
    /// for texts that share a bucket only.
    ///
    /// # Errors
    /// When bits cannot be read from the disk, or memory is too small for them.
    pub(crate) fn take_bits(
        &self,
        filter: Option<SignatureFilter>,
        table: &BucketTable,
    ) -> Result<Option<SignatureBits>> {
        let Some((filter, rows)) = filter.zip(self.keys.take_bits()) else { return Ok(None) };
        let mut bits = SignatureBits::new(filter, self.documents.len(), rows, self.keys.num_in_memory())?;
        let (mut documents, mut buffer) = (self.keyed.documents(&self.documents), Vec::new());
        for &run in &self.runs {
            self.keys.visit_bits(run, &mut buffer, |stored| {
                match (documents.next().expect("bits for each document that has keys"), stored) {
                    (Some(first), StoredBits::Memory(place)) => bits.set_row(first, place),
                    (Some(first), StoredBits::Disk(row)) if table.sharing_position(first).is_some() => {
                        bits.add_row(first, row)?
                    }
                    _ => {}
                }
                Ok(())
            })?;
        }
        Ok(Some(bits))
    }

    /// Appends the key in one band and the first document of each text, and frees the band's keys. Omits most of the
    /// keys that no other text has.
    ///
    /// # Errors
    /// When keys cannot be read from the disk.
    pub(crate) fn take_band(&self, band: usize, out: &mut Vec<(u64, DocId)>) -> Result<()> {
        let keys = self.keys.take(band);
        let read = Cell::new(Ok(()));
        let visit_keys = |visit: &mut dyn FnMut(u64, DocId)| {
            if let Err(error) = self.visit_keys(&keys, visit) {
                read.set(Err(error));
            }
        };
        shared_keys(self.keys.len(), visit_keys, out);
        let freed_bytes = keys.num_bytes();
        drop(keys);
        if freed_bytes >= GIVE_BACK_FROM && band.is_multiple_of(BANDS_BETWEEN) {
            give_back_freed();
        }
        read.into_inner()
    }

    /// Passes on the key and the first document of each text.
    ///
    /// # Errors
    /// When keys cannot be read from the disk.
    fn visit_keys(&self, keys: &KeysOfBand<'_>, visit: &mut dyn FnMut(u64, DocId)) -> Result<()> {
        let mut documents = self.keyed.documents(&self.documents);
        let scope = self.documents.scope();
        keys.for_each(self.runs.iter().copied(), |key| {
            if let Some(first) = documents.next().expect("a key for each document that has keys") {
                visit(key ^ scope.salt(first), first);
            }
        })
    }
}

/// Whether the band keys of one document of each text are enough, because all documents are in one cell.
fn needs_one_of_each_text(settings: StageSettings, reading: Reading) -> bool {
    let has_sides = settings.input.against.as_ref().is_some_and(Against::limits_pairs);
    let is_one_cell = settings.input.groups.is_none() && !has_sides;
    matches!(reading, Reading::Sign(_)) && is_one_cell
}

/// The minimum number of bytes in the keys of a band for which freed memory is returned to the system. Otherwise the keys of
/// all bands, a quarter of all memory, stay with the process until the pairs are verified.
const GIVE_BACK_FROM: usize = 1 << 20;
/// The number of bands between two such returns. With one band, this stage was a fifth slower for a million records,
/// because the system clears memory before it is used again.
const BANDS_BETWEEN: usize = 4;

/// The documents that have shingles but no band keys.
fn signed_copies(pieces: &[FoldedPiece<PieceDocuments>]) -> DocSet {
    let mut start = 0;
    let of_pieces = pieces.iter().flat_map(|piece| {
        let first = start;
        start += piece.folded.rows.len();
        piece.folded.rows.signed_copies().map(move |number| first + number)
    });
    // The assembly rejects documents above the limit.
    let all: Vec<usize> = of_pieces.take_while(|&number| number < DocId::LIMIT).collect();
    let mut copies = DocSet::new(all.last().map_or(0, |last| last + 1));
    all.into_iter().for_each(|number| copies.insert(DocId::new(number)));
    copies
}

/// Normalises documents and signs them.
struct SigningFold<'a> {
    settings: StageSettings<'a>,
    normalizer: Normalizer,
    signing: Signing<'a>,
    keys: &'a BandKeys,
    forecast: &'a Forecast<'a>,
}

impl Fold for SigningFold<'_> {
    type Output = PieceDocuments;

    fn add(&mut self, piece: &mut FoldedPiece<PieceDocuments>, document: Document) -> Result<()> {
        self.normalizer.set_syntax(self.settings.syntax_of(document.name.bytes(), document.syntax));
        // Normalises in place, so that a long text is in memory only once.
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::base::observe::Unwatched;
    use crate::documents::document::{DocumentLocation, Scope};
    use crate::documents::input::InputSettings;
    use crate::search::corpus::stage_settings::tests::with_settings;
    use crate::sign::banding::{Banding, band_keys};

    /// The text of a file: every third file has a text that no other has, and the others are copies of a few texts.
    fn text_of(number: usize) -> String {
        let text = if number.is_multiple_of(3) { number } else { number % 40 + 1_000_000 };
        (0..30).map(|word| format!("{:x} ", (text * 31 + word) * 7919)).collect()
    }

    #[test]
    fn one_document_of_each_text_is_signed_for_all_of_them() {
        const FILES: usize = 3000;
        let folder = tempfile::tempdir().unwrap();
        for number in 0..FILES {
            std::fs::write(folder.path().join(format!("{number:04}")), text_of(number)).unwrap();
        }
        let input = InputSettings::of(vec![folder.path().into()]);
        with_settings(
            |_| {},
            |settings| {
                let settings = StageSettings { input: &input, ..settings };
                for threads in [1, 4] {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                    let (sources, reading) = (Sources::default(), Reading::Sign(None));
                    let read = Corpus::read(settings, reading, &sources, &Unwatched, &pool, false);
                    check(&read.unwrap().0, settings, threads);
                }
            },
        );
    }

    fn check(corpus: &Corpus, settings: StageSettings, threads: usize) {
        let firsts: Vec<DocId> = (0..corpus.documents.len()).map(DocId::new).collect();
        let firsts: Vec<DocId> = firsts.into_iter().filter(|&first| corpus.documents.is_first(first)).collect();
        assert_eq!(firsts.len(), 1040);
        let num_keys = corpus.keys.len();
        assert!((1040..1800).contains(&num_keys) && (threads > 1 || num_keys < 1200), "{num_keys} by {threads}");
        for band in [0, 19] {
            let mut signer = settings.signer();
            let (mut signature, mut keys) = (vec![0; signer.num_hashes()], vec![0; settings.banding.bands()]);
            let mut key = |first: &DocId| {
                signer.sign(&mut settings.shingler().shingles(text_of(first.index()).trim()), &mut signature);
                band_keys(&signature, &mut keys);
                keys[band]
            };
            let expected: Vec<(u64, DocId)> = firsts.iter().map(|first| (key(first), *first)).collect();
            let mut taken = Vec::new();
            corpus.visit_keys(&corpus.keys.take(band), &mut |key, first| taken.push((first, key))).unwrap();
            taken.sort_unstable();
            // Texts have equal keys exactly if their bands are equal.
            let (mut stored, mut hashes) = (HashMap::new(), HashMap::new());
            for ((hash, document), (first, key)) in expected.into_iter().zip(&taken) {
                assert_eq!(*first, document, "{band} by {threads}");
                assert_eq!(
                    (stored.entry(hash).or_insert(*key), hashes.entry(*key).or_insert(hash)),
                    (&mut key.clone(), &mut hash.clone())
                );
            }
            assert_eq!(taken.len(), firsts.len());
        }
    }

    #[test]
    fn keys_of_a_copy_count_for_the_first_document_of_its_text() {
        let mut documents = Documents::default();
        for text in [7, 8, 7, 9, 8] {
            documents.push(b"", Some(text), 1, DocumentLocation::file()).unwrap();
        }
        documents.group_copies(Scope::default()).unwrap();
        let mut without = DocSet::new(1);
        without.insert(DocId::new(0));
        let banding = Banding::new(2, 1).unwrap();
        let (keys, keyed) = (BandKeys::new(banding, None, u64::MAX), KeyedDocuments::all_but(without, &documents));
        // Two keys for each document from the second to the last.
        let key = |number: u64| number << 40;
        let runs = vec![keys.append(&[10, 11, 20, 21, 30, 31, 40, 21].map(key), &[]).unwrap()];
        let corpus = Corpus { documents, keys, runs, keyed };
        let keys = corpus.keys.take(0);
        let mut firsts = Vec::new();
        corpus.visit_keys(&keys, &mut |_, first| firsts.push(first.index())).unwrap();
        assert_eq!(firsts, [1, 0, 3]);
        let mut taken = vec![(7, DocId::new(7))];
        corpus.take_band(1, &mut taken).unwrap();
        // The last document has the key of the first text, but it is a copy of another text.
        assert_eq!(taken, [(7, DocId::new(7))]);
    }
}
