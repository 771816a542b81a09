//! `Forecast`: estimates from the first documents how many there will be, and how much memory their tables will need.
//!
//! Without it, a corpus that does not fit would fail after hours, or the process would be killed without a message
//! where the system overcommits memory. So a shortage is reported as soon as it can be foreseen. So is a disk that will
//! be too full for the band keys and tables that do not fit in memory.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::band_keys::BandKeys;
use super::piece_documents::PieceDocuments;
use super::stage_settings::StageSettings;
use crate::base::memory;
use crate::base::observe::{DiskForecast, MemoryForecast, Observer};
use crate::base::storage::free_bytes;
use crate::documents::input::{FoldedPiece, Sources};

/// The number of documents before the first forecast. A new one is made each time their number has doubled.
const FIRST: u64 = 1 << 12;
/// The maximum number of threads that sort bands at the same time.
const MOST_SORTING: u64 = 4;

/// Counts documents from any thread, and forecasts the memory of their tables.
pub(super) struct Forecast<'a> {
    settings: StageSettings<'a>,
    keys: &'a BandKeys,
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
    /// Whether too little memory, and too little room on the disk, was reported.
    was_reported: [AtomicBool; 2],
}

impl<'a> Forecast<'a> {
    /// * `keys`: receives the band keys of the documents.
    /// * `compares`: whether documents will be compared after they are read.
    pub(super) fn new(
        settings: StageSettings<'a>,
        keys: &'a BandKeys,
        sources: &'a Sources,
        observer: &'a dyn Observer,
        compares: bool,
    ) -> Self {
        Self {
            settings,
            keys,
            sources,
            observer,
            compares,
            documents: AtomicU64::default(),
            records: AtomicU64::default(),
            input_bytes: AtomicU64::default(),
            name_bytes: AtomicU64::default(),
            next: AtomicU64::new(FIRST),
            was_reported: Default::default(),
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
            let documents = self.expected();
            let free = free_bytes(&std::env::temp_dir());
            self.report_if_memory_is_short(documents);
            self.report_if_disk_is_short(documents, free);
        }
    }

    fn report_if_memory_is_short(&self, documents: u64) {
        let Some(limit) = memory::limit() else { return };
        let tables = self.table_bytes(documents);
        let resources = self.settings.resources.without_tables(tables);
        let sets = if self.compares { resources.memory_bytes } else { 0 };
        let in_memory = tables - self.tables_on_disk(tables);
        if in_memory.saturating_add(sets) > limit && !self.was_reported[0].swap(true, Ordering::Relaxed) {
            self.observer.memory_is_short(&MemoryForecast { documents, tables, sets, limit });
        }
    }

    /// The bytes of the tables that will be on the disk.
    fn tables_on_disk(&self, tables: u64) -> u64 {
        if memory::has_table_disk() { tables.saturating_sub(self.settings.resources.memory_bytes) } else { 0 }
    }

    /// * `free`: the bytes that are free where band keys and tables are that do not fit in memory; `None` where this is
    ///   unknown.
    fn report_if_disk_is_short(&self, documents: u64, free: Option<u64>) {
        let Some(free) = free else { return };
        let spilled = documents.saturating_sub(self.keys.most_in_memory as u64);
        // The file has a part of these bytes already.
        let of_document = self.keys.spilled.bytes_of_document() as u64;
        let keys = spilled.saturating_mul(of_document).saturating_sub(self.keys.spilled.num_bytes());
        let keys = if self.settings.signs { keys } else { 0 };
        let bytes = keys.saturating_add(self.tables_on_disk(self.table_bytes(documents)));
        if bytes > free && !self.was_reported[1].swap(true, Ordering::Relaxed) {
            self.observer.disk_is_short(&DiskForecast { documents, bytes, free });
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
        let keys = if self.settings.signs { self.keys.bytes_of_document() as u64 } else { 16 };
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

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::base::memory::Resources;
    use crate::documents::input::Cancel;
    use crate::search::corpus::stage_settings::tests::with_settings;
    use crate::sign::banding::{Banding, SignatureFilter};

    #[derive(Default)]
    struct Reported(Mutex<Vec<DiskForecast>>);

    impl Observer for Reported {
        fn disk_is_short(&self, forecast: &DiskForecast) {
            self.0.lock().unwrap().push(*forecast);
        }
    }

    #[test]
    fn a_disk_without_room_for_the_keys_is_reported_once() {
        let change = |settings: &mut StageSettings| {
            settings.resources = Resources::with_memory_bytes(16 << 20);
            settings.filter = SignatureFilter::new(Banding::default(), 0.8);
        };
        let reported = with_settings(change, |settings| {
            let keys = BandKeys::new(settings.banding, settings.filter, settings.memory().band_keys());
            let (sources, reported) = (Sources::new(Cancel::default()), Reported::default());
            let forecast = Forecast::new(settings, &keys, &sources, &reported, true);
            // An eighth of the memory has room for the keys of 22,795 documents, and each of the others needs 152 bytes.
            for (documents, free) in [
                (22_795, Some(0)),
                (122_795, None),
                (122_795, Some(15_200_000)),
                (122_795, Some(15_199_999)),
                (200_000, Some(0)),
            ] {
                forecast.report_if_disk_is_short(documents, free);
            }
            reported.0.into_inner().unwrap()
        });
        assert_eq!(reported, [DiskForecast { documents: 122_795, bytes: 15_200_000, free: 15_199_999 }]);
    }
}
