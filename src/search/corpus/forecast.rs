//! `Forecast`: estimates from the first documents how many there will be, and how much memory their tables will need.
//!
//! Without it, a corpus that does not fit would fail after hours, or the process would be killed without a message
//! where the system overcommits memory. So a shortage is reported as soon as it can be foreseen.

use std::sync::atomic::{AtomicU64, Ordering};

use super::piece_documents::PieceDocuments;
use super::stage_settings::StageSettings;
use crate::base::memory;
use crate::base::observe::{MemoryForecast, Observer};
use crate::documents::input::{FoldedPiece, Sources};

/// The number of documents before the first forecast. A new one is made each time their number has doubled.
const FIRST: u64 = 1 << 12;
/// The maximum number of threads that sort bands at the same time.
const MOST_SORTING: u64 = 4;

/// Counts documents from any thread, and forecasts the memory of their tables.
pub(super) struct Forecast<'a> {
    settings: StageSettings<'a>,
    /// The bytes of the band keys of a document.
    key_bytes: u64,
    sources: &'a Sources,
    observer: &'a dyn Observer,
    /// Whether documents will be compared after they are read.
    compares: bool,
    documents: AtomicU64,
    /// The number of documents that are records or archive members and not files.
    records: AtomicU64,
    /// The bytes of the inputs that contained these documents.
    input_bytes: AtomicU64,
    name_bytes: AtomicU64,
    /// The number of documents at which the next forecast is made.
    next: AtomicU64,
}

impl<'a> Forecast<'a> {
    /// * `key_bytes`: the bytes of the band keys and of the bits of the signature of a document.
    /// * `compares`: whether documents will be compared after they are read.
    pub(super) fn new(
        settings: StageSettings<'a>,
        key_bytes: usize,
        sources: &'a Sources,
        observer: &'a dyn Observer,
        compares: bool,
    ) -> Self {
        Self {
            settings,
            key_bytes: key_bytes as u64,
            sources,
            observer,
            compares,
            documents: AtomicU64::default(),
            records: AtomicU64::default(),
            input_bytes: AtomicU64::default(),
            name_bytes: AtomicU64::default(),
            next: AtomicU64::new(FIRST),
        }
    }

    /// Counts the documents of a piece. Reports once if the whole corpus is not expected to fit.
    pub(super) fn add(&self, piece: &FoldedPiece<PieceDocuments>) {
        let folded = &piece.folded;
        let add = |to: &AtomicU64, number: u64| to.fetch_add(number, Ordering::Relaxed) + number;
        let num_documents = folded.rows.len() as u64;
        if !piece.is_of_files {
            add(&self.records, num_documents);
            add(&self.input_bytes, piece.input_bytes);
        }
        let source = piece.lines.map(|(source, _)| source);
        add(&self.name_bytes, folded.name_bytes(source, |source| self.sources.name(source).len()));
        let documents = add(&self.documents, num_documents);
        let next = self.next.load(Ordering::Relaxed);
        let is_due = documents >= next
            && self.next.compare_exchange(next, 2 * documents, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if is_due {
            self.report_if_short();
        }
    }

    fn report_if_short(&self) {
        let Some(limit) = memory::limit() else { return };
        let documents = self.expected();
        let tables = self.table_bytes(documents);
        let resources = self.settings.resources.without_tables(tables);
        let sets = if self.compares { resources.memory_bytes } else { 0 };
        let memory = self.settings.resources.memory_bytes;
        let on_disk = memory::table_disk().map(|free| [tables.saturating_sub(memory), free]);
        let is_short = match on_disk {
            Some([needed, free]) => needed > free || tables.min(memory).saturating_add(sets) > limit,
            None => tables.saturating_add(sets) > limit,
        };
        if is_short {
            self.next.store(u64::MAX, Ordering::Relaxed);
            self.observer.memory_is_short(&MemoryForecast { documents, tables, sets, limit, on_disk });
        }
    }

    /// Estimates the number of documents in all inputs found so far.
    fn expected(&self) -> u64 {
        let (records, read) = (self.records.load(Ordering::Relaxed), self.input_bytes.load(Ordering::Relaxed));
        let (bytes, files) = self.sources.expected();
        let of_bytes = |bytes: u64| (records as f64 * (bytes as f64 / read as f64).max(1.0)) as u64;
        let records = if read > 0 { of_bytes(bytes) } else { records };
        (records + files).max(self.documents.load(Ordering::Relaxed))
    }

    /// The bytes of the tables, by the formula in the handbook's page on speed and memory.
    fn table_bytes(&self, documents: u64) -> u64 {
        let seen = self.documents.load(Ordering::Relaxed).max(1);
        let name = self.name_bytes.load(Ordering::Relaxed) / seen;
        let keys = if self.settings.signs { self.key_bytes } else { 16 };
        let threads = self.settings.resources.threads.get() as u64;
        let has_records = self.records.load(Ordering::Relaxed) > 0;
        // The place of a record, and the hash of its name.
        let (place, id) = if has_records { (4, 8) } else { (0, 0) };
        let origin = if self.settings.input.with_source { 12 } else { 0 };
        // The keys of the bands that are sorted first are freed by then.
        let sorting = 6 * threads.min(MOST_SORTING);
        let document = 20 + place + name + id.max(sorting) + origin;
        // Keys that have no room go to the disk.
        let keys = documents.saturating_mul(keys).min(self.settings.memory().band_keys());
        documents.saturating_mul(document).saturating_add(keys)
    }
}
