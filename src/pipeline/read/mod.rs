//! The first pass: reads every document once, in parallel, and keeps its name, place, content hash and band keys.
//!
//! The walk runs on a thread of its own and hands out pieces; workers sign them in any order; the parts that they make are
//! put together in document order.

mod assembly;
mod band_keys;
mod grouping;
mod part;

use std::sync::mpsc;

use rayon::prelude::*;

use self::assembly::Assembly;
use self::band_keys::BandKeys;
use self::part::{Part, PartProblem};
use super::{Observer, Removed, Summary};
use crate::config::Config;
use crate::document::{DocId, Documents};
use crate::error::Result;
use crate::input::{Item, Piece, PieceKind, Reader, Sources, Walked, walk};
use crate::removal::Removal;
use crate::shingle::Shingler;
use crate::signature::Signer;

/// Pieces that the walk may be ahead of the workers: some hundred thousand paths.
const PIECES_AHEAD: usize = 1 << 14;

/// The documents of a run and their band keys.
pub(super) struct Corpus {
    pub(super) documents: Documents,
    keys: BandKeys,
    /// Place and number of the keys of each part, in document order.
    runs: Vec<(usize, usize)>,
}

impl Corpus {
    /// * `pieces`: what a walk has yielded, when it is done already.
    pub(super) fn read(
        config: &Config,
        removal: Option<&Removal>,
        pieces: Option<(Walked, Vec<Piece>)>,
        sources: &Sources,
        observer: &dyn Observer,
        pool: &rayon::ThreadPool,
        summary: &mut Summary,
    ) -> Result<Self> {
        let (send, receive) = mpsc::sync_channel::<Piece>(PIECES_AHEAD);
        let keys = BandKeys::new(config.banding.bands());
        let (walked, mut parts) = std::thread::scope(|scope| {
            let walker = scope.spawn(move || {
                let mut units = 0;
                if let Some((walked, pieces)) = pieces {
                    observer.total(pieces.iter().map(Piece::units).sum());
                    let _all_sent = pieces.into_iter().all(|piece| send.send(piece).is_ok());
                    return Ok(walked);
                }
                walk(&config.input, sources, &mut |piece| {
                    units += piece.units();
                    observer.total(units);
                    send.send(piece).is_ok()
                })
            });
            let work = || {
                let new_worker = || Worker::new(config, removal, sources);
                let sign = |worker: &mut Worker, piece| worker.sign(piece, &keys, observer);
                receive.into_iter().par_bridge().map_init(new_worker, sign).collect::<Vec<Part>>()
            };
            let parts = pool.install(work);
            (walker.join().expect("the walk does not panic"), parts)
        });
        let walked = walked?;
        parts.sort_unstable_by_key(|part| part.number);
        let runs = parts.iter().map(|part| part.keys).filter(|&(_, len)| len > 0).collect();
        summary.removed = removal.map(|_| Removed::of(&parts));
        let part_bytes: usize = parts.iter().map(Part::num_bytes).sum();
        let (documents, name_bytes) = Assembly::documents(parts, config, &walked, sources, observer, summary)?;
        summary.memory.tables_at_least(part_bytes + name_bytes + documents.num_bytes() + keys.num_bytes());
        Ok(Self { documents, keys, runs })
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
        let mut documents = self.documents.with_text();
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

struct Signing<'a> {
    removal: Option<&'a Removal>,
    left: Vec<u64>,
    shingler: Shingler,
    signer: Signer,
    signature: Vec<u32>,
    num_bands: usize,
    /// The band keys of the part at hand, those of one document after another.
    keys: Vec<u64>,
}

impl<'a> Worker<'a> {
    fn new(config: &'a Config, removal: Option<&'a Removal>, sources: &'a Sources) -> Self {
        let banding = config.banding;
        let signer = Signer::new(config.signature, banding.bands(), banding.rows(), config.seed);
        let signature = vec![0; signer.num_hashes()];
        let shingler = Shingler::new(config.shingle_kind, config.shingle_size.get());
        let (left, keys) = (Vec::new(), Vec::new());
        let signing = Signing { removal, left, shingler, signer, signature, num_bands: banding.bands(), keys };
        Self { reader: Reader::new(&config.input, sources), signing }
    }

    fn sign(&mut self, piece: Piece, keys: &BandKeys, observer: &dyn Observer) -> Part {
        let source = match piece.kind {
            PieceKind::Records { source, .. } => Some(source),
            _ => None,
        };
        let units = piece.units();
        let mut part = Part::new(piece.number);
        let signing = &mut self.signing;
        // Progress is told file by file; records are too short for that.
        let is_records = source.is_some();
        let lines = self.reader.read_piece(piece.kind, &mut |item| match item {
            Item::Document(document) => {
                part.add(&document, signing);
                if !is_records {
                    observer.advance(1, 1, document.num_bytes);
                }
            }
            Item::Problem(problem) => {
                part.add_problem(PartProblem::Named(problem));
                if !is_records {
                    observer.advance(1, 0, 0);
                }
            }
            Item::RecordProblem { line, reason, detail } => {
                part.add_problem(PartProblem::Record { line, reason, detail });
            }
        });
        if let Some(source) = source {
            part.lines = Some((source, lines));
            observer.advance(units, part.rows.len() as u64, part.num_bytes);
        }
        part.finish(signing, keys);
        part
    }
}
