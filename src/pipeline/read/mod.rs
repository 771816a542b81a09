//! The first pass: reads every document once, in parallel, and keeps its name, place, content hash and band keys.
//!
//! The walk runs on a thread of its own and hands out pieces; workers sign them in any order; the parts that they make are
//! put together in document order.

mod absent;
mod assembly;
mod band_keys;
mod forecast;
mod grouping;
mod later;
mod names;
mod part;
mod report;
mod signing;
mod strict;

use std::sync::{Mutex, mpsc};
use std::thread;

use rayon::prelude::*;

pub(super) use self::absent::AbsentBySource;
use self::assembly::Assembly;
use self::band_keys::BandKeys;
use self::forecast::Forecast;
pub(super) use self::later::SignedLater;
use self::part::{Part, PartProblem};
pub(super) use self::report::Listed;
use self::report::Report;
use self::signing::Signing;
use self::strict::Strict;
use super::max_df::Tally;
use super::{Observer, Removed, Summary};
use crate::config::Config;
use crate::document::{DocId, Documents};
use crate::error::{Error, Result};
use crate::input::{Item, Piece, PieceKind, Reader, Sources, walk};
use crate::removal::Removal;

/// Pieces that the walk may be ahead of the workers: some hundred thousand paths.
const PIECES_AHEAD: usize = 1 << 14;

/// The documents of a run and their band keys.
pub(super) struct Corpus {
    pub(super) documents: Documents,
    keys: BandKeys,
    /// Place and number of the keys of each part, in document order.
    runs: Vec<(usize, usize)>,
    /// Whether only the first documents of texts have keys.
    firsts_only: bool,
}

/// What becomes of the documents that are read.
#[derive(Clone, Copy)]
pub(super) enum Reading<'a> {
    /// They are signed, less what is taken out.
    Sign(Option<&'a Removal>),
    /// In how many of them each shingle is, is counted; they are signed later.
    Count(&'a Tally),
}

impl Corpus {
    /// Reads all documents.
    pub(super) fn read(
        config: &Config,
        reading: Reading,
        sources: &Sources,
        observer: &dyn Observer,
        pool: &rayon::ThreadPool,
        summary: &mut Summary,
        list: Option<&mut Vec<Listed>>,
    ) -> Result<Self> {
        let lists = list.is_some();
        let strict = Strict::new(config.input.strict);
        let (send, receive) = mpsc::sync_channel::<Piece>(PIECES_AHEAD);
        let keys = BandKeys::new(config.banding.bands());
        let (walked, mut parts) = thread::scope(|scope| {
            let strict = &strict;
            let walker = thread::Builder::new().spawn_scoped(scope, move || {
                let units = Mutex::new(0);
                walk(&config.input, config.threads.get(), sources, &|piece| {
                    let mut units = units.lock().expect("no holder panics");
                    *units += piece.units();
                    observer.total(*units);
                    drop(units);
                    strict.wants(piece.number) && !sources.has_failed() && send.send(piece).is_ok()
                })
            });
            let walker = walker.map_err(Error::Thread)?;
            let work = || {
                let new_worker = || Worker::new(config, reading, sources, lists);
                let forecast = Forecast::new(config, sources, observer, !lists);
                let sign = |worker: &mut Worker, piece: Piece| {
                    if !strict.wants(piece.number) || sources.has_failed() {
                        return None;
                    }
                    let (input_bytes, is_of_files) = (piece.input_bytes, matches!(piece.kind, PieceKind::Files { .. }));
                    let part = worker.sign(piece, &keys, observer).map_err(|error| sources.fail(error)).ok()?;
                    strict.see(&part);
                    forecast.see(&part, input_bytes, is_of_files);
                    Some(part)
                };
                receive.into_iter().par_bridge().map_init(new_worker, sign).flatten().collect::<Vec<Part>>()
            };
            let parts = pool.install(work);
            Ok((walker.join().expect("the walk does not panic"), parts))
        })?;
        sources.check()?;
        (summary.has_records, summary.has_delimited) = sources.kinds();
        parts.sort_unstable_by_key(|part| part.number);
        let runs = parts.iter().map(|part| part.keys).filter(|&(_, len)| len > 0).collect();
        if let Reading::Sign(Some(removal)) = reading {
            summary.removed = Some(Removed { template_shingles: Some(removal.len() as u64), ..Removed::of(&parts) });
        }
        let part_bytes: usize = parts.iter().map(Part::num_bytes).sum();
        let report = Report::new(config.input.strict, observer, summary, list);
        let assemble = || Assembly::documents(parts, config, &walked, sources, report);
        let (documents, name_bytes) = pool.install(assemble)?;
        summary.memory.tables_at_least(part_bytes + name_bytes + documents.num_bytes() + keys.num_bytes());
        Ok(Self { documents, keys, runs, firsts_only: false })
    }

    /// Bytes of the documents' rows and names, and of their band keys.
    pub(super) fn num_bytes(&self) -> usize {
        self.documents.num_bytes() + self.keys.num_bytes()
    }

    pub(super) fn into_documents(self) -> Documents {
        self.documents
    }

    /// Appends the (key, document) of each first document of its text, ascending by document, and forgets the band's keys.
    pub(super) fn take_band(&self, band: usize, out: &mut Vec<(u64, DocId)>) {
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

impl Removed {
    fn of(parts: &[Part]) -> Self {
        let mut removed = Self::default();
        for part in parts {
            removed.shingles += part.removed.shingles;
            removed.documents += part.removed.documents;
            removed.emptied += part.removed.emptied;
        }
        removed
    }
}

/// Signs documents; one a thread.
struct Worker<'a> {
    reader: Reader<'a>,
    signing: Signing<'a>,
}

impl<'a> Worker<'a> {
    fn new(config: &'a Config, reading: Reading<'a>, sources: &'a Sources, lists: bool) -> Self {
        Self { reader: Reader::new(config, sources), signing: Signing::new(config, reading, lists) }
    }

    /// # Errors
    /// When there is no room for what the piece yields.
    fn sign(&mut self, piece: Piece, keys: &BandKeys, observer: &dyn Observer) -> Result<Part> {
        // Progress is told file by file; what is read many at a time is too short for that.
        let source = piece.kind.source();
        let is_single = matches!(piece.kind, PieceKind::Files { .. } | PieceKind::Problem(_));
        let units = piece.units();
        let mut part = Part::new(piece.number);
        let signing = &mut self.signing;
        let mut has_room = Ok(());
        let ended = self.reader.read_piece(piece.kind, &mut |item| match item {
            Item::Document(_) if has_room.is_err() => {}
            Item::Document(document) => {
                has_room = part.add(&document, signing);
                if is_single {
                    observer.advance(1, 1, document.num_bytes);
                }
            }
            Item::Problem(problem) => {
                if is_single && problem.is_skip() {
                    observer.advance(1, 0, 0);
                }
                part.add_problem(PartProblem::Named(problem));
            }
            Item::RecordProblem { line, reason, detail } => {
                part.add_record_problem(line, reason, detail, true);
            }
            Item::RecordNote { line, reason, detail } => {
                part.add_record_problem(line, reason, detail, false);
            }
        });
        part.lines = source.map(|source| (source, ended.num_lines));
        part.absent = ended.absent;
        if !is_single {
            observer.advance(units, part.rows.len() as u64, part.num_bytes);
        }
        let finished = has_room.and_then(|()| part.finish(signing, keys));
        signing.keys.clear();
        finished.map(|()| part)
    }
}
