//! `Names`: detects names that an earlier document already has.
//!
//! There are two methods. Where all documents are known before the first is named, a parallel check usually shows that all
//! names differ, and then nothing is kept. Where documents are named while later ones are still being read, the hashes
//! of all names are kept, partly on disk.

use std::collections::HashSet;

use rayon::prelude::*;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::piece_documents::PieceDocuments;
use crate::base::error::Result;
use crate::base::memory::reserve_exact;
use crate::base::storage::{MapEntry, SortRecord, SpilledMap};
use crate::documents::input::{FoldedPiece, Sources};

/// The structure that an error reports when memory is too small.
const NAME_HASHES: &str = "hashes of names";

/// The source number of a document that is not a record.
const NO_SOURCE: u32 = u32::MAX;

/// Detects repeated names. Keeps the hashes of all names, unless it is known that no two are equal.
pub(super) struct Names {
    /// Whether no two names are equal, so that no hash is kept.
    pub(super) all_differ: bool,
    /// Whether documents get names while they are read, so that later sources are not known yet.
    come: bool,
    /// The names of sources, with which the places of records (`file:line`) begin.
    sources: HashSet<Vec<u8>>,
    /// The names that were taken.
    seen: SpilledMap<SeenName>,
    /// The names of the new documents, from the first old document on.
    new: Option<SpilledMap<SeenName>>,
    /// The bytes of the hashes that `do_differ` sorted.
    hash_bytes: usize,
}

impl Names {
    /// Checks in parallel whether all names differ. Paths always differ. Ids and members of archives nearly always do,
    /// and a sorted list of hashes then shows it in less time and memory than a set.
    ///
    /// # Errors
    /// When memory is too small for the hashes.
    pub(super) fn new(pieces: &[FoldedPiece<PieceDocuments>], sources: &Sources) -> Result<Self> {
        let mut names = Self { sources: sources.names(), ..Self::within(u64::MAX) };
        let may_repeat = |piece: &FoldedPiece<PieceDocuments>| piece.lines.is_some() || piece.folded.rows.has_members();
        names.all_differ = !pieces.iter().any(may_repeat) || names.do_differ(pieces)?;
        Ok(names)
    }

    /// Whether no two names of the pieces have the same hash, and no name has the form of a place.
    fn do_differ(&mut self, pieces: &[FoldedPiece<PieceDocuments>]) -> Result<bool> {
        let mut hashes = Vec::new();
        reserve_exact(&mut hashes, pieces.iter().map(|piece| piece.folded.names().count()).sum(), NAME_HASHES)?;
        hashes.resize(hashes.capacity(), 0);
        let mut rest = hashes.as_mut_slice();
        let of_pieces = pieces.iter().map(|FoldedPiece { folded, .. }| {
            (folded, rest.split_off_mut(..folded.names().count()).expect("there is a place for each name"))
        });
        let of_pieces: Vec<_> = of_pieces.collect();
        let has_place = of_pieces.into_par_iter().any(|(folded, hashes)| {
            folded.names().zip(hashes).any(|(name, hash)| {
                *hash = xxh3_64(name);
                self.is_place(name)
            })
        });
        if has_place {
            return Ok(false);
        }
        hashes.par_sort_unstable();
        self.hash_bytes = size_of_val(hashes.as_slice());
        Ok(!hashes.par_windows(2).any(|pair| pair[0] == pair[1]))
    }

    /// Makes an empty instance for documents that are named while later ones are still being read.
    ///
    /// * `memory_bytes`: the maximum bytes of the hashes in memory; the rest goes to the disk.
    pub(super) fn as_they_come(memory_bytes: u64) -> Self {
        Self { come: true, ..Self::within(memory_bytes) }
    }

    fn within(memory_bytes: u64) -> Self {
        Self {
            all_differ: false,
            come: false,
            sources: HashSet::new(),
            seen: SpilledMap::new(NAME_HASHES, memory_bytes),
            new: None,
            hash_bytes: 0,
        }
    }

    /// Adds the name of a source before its first record is named, where documents are named while they are read.
    pub(super) fn enter(&mut self, source: &[u8]) {
        self.sources.insert(source.to_vec());
    }

    /// Whether an earlier document has the name `place`, which a record without an id is named by. This is possible
    /// only where documents are named while they are read; otherwise no document gets the name of a place.
    ///
    /// # Errors
    /// When the hashes on the disk cannot be read.
    pub(super) fn is_taken_place(&self, place: &[u8]) -> Result<bool> {
        Ok(self.come && self.seen.get(SeenName::new(place, NO_SOURCE))?.is_some())
    }

    /// Drops all names, since the other side of a comparison has separate names.
    pub(super) fn forget(&mut self) {
        self.seen.clear();
    }

    /// Notes that all further documents are old.
    pub(super) fn begin_old(&mut self) {
        self.new = Some(std::mem::replace(&mut self.seen, SpilledMap::new(NAME_HASHES, u64::MAX)));
    }

    /// Whether a name has the form `file:line` for one of the sources, so that a record without an id may have it as
    /// well.
    pub(super) fn is_place(&self, name: &[u8]) -> bool {
        let Some(colon) = name.iter().rposition(|&byte| byte == b':') else { return false };
        let (source, line) = (&name[..colon], &name[colon + 1..]);
        !line.is_empty() && line.iter().all(u8::is_ascii_digit) && self.sources.contains(source)
    }

    pub(super) fn num_bytes(&self) -> usize {
        self.hash_bytes.max(self.seen.num_bytes() + self.new.as_ref().map_or(0, SpilledMap::num_bytes))
    }

    /// Takes a name for a record of a source. If it was already taken, returns what has taken it.
    ///
    /// # Errors
    /// When memory is too small for its hash.
    pub(super) fn take_for_record(&mut self, name: &[u8], source: u32) -> Result<Option<TakenBy>> {
        let taken = self.take(name, source)?;
        Ok(taken.map(|by| match by {
            TakenBy::Source(other) if other == source || other == NO_SOURCE => TakenBy::Own,
            by => by,
        }))
    }

    /// Takes a name for a document that is not a record. If it was already taken, returns what has taken it.
    ///
    /// # Errors
    /// When memory is too small for its hash.
    pub(super) fn take_for_file(&mut self, name: &[u8]) -> Result<Option<TakenBy>> {
        let taken = self.take(name, NO_SOURCE)?;
        Ok(taken.map(|by| if by == TakenBy::New { by } else { TakenBy::Own }))
    }

    /// Takes a name for a document that is not a record; returns whether it was free.
    ///
    /// # Errors
    /// When memory is too small for its hash.
    pub(super) fn is_new(&mut self, name: &[u8]) -> Result<bool> {
        Ok(self.take(name, NO_SOURCE)?.is_none())
    }

    /// Takes a name for a source, unless it is taken already; then returns what has taken it.
    fn take(&mut self, name: &[u8], source: u32) -> Result<Option<TakenBy>> {
        let own = SeenName::new(name, source);
        if let Some(new) = &self.new
            && new.get(own)?.is_some()
        {
            return Ok(Some(TakenBy::New));
        }
        Ok(self.seen.get_or_insert(own)?.map(|seen| TakenBy::Source(seen.source)))
    }
}

/// The document that has taken the name of a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TakenBy {
    /// A new document, and the later one is old.
    New,
    /// A record of another source.
    Source(u32),
    /// A record of the same source, or a document that is not a record.
    Own,
}

/// A name by 96 bits of its hash, with the source of its record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SeenName {
    /// The highest bits come first; `u128` would need more space for alignment.
    hash: [u32; 3],
    source: u32,
}

impl SeenName {
    fn new(name: &[u8], source: u32) -> Self {
        let hash = xxh3_128(name);
        Self { hash: [64, 32, 0].map(|bits| (hash >> bits) as u32), source }
    }
}

impl MapEntry for SeenName {
    const KEY_WORDS: usize = 3;
}

impl SortRecord for SeenName {
    type Words = [u32; 4];

    fn words(self) -> [u32; 4] {
        let [a, b, c] = self.hash;
        [a, b, c, self.source]
    }

    fn of_words([a, b, c, source]: [u32; 4]) -> Self {
        Self { hash: [a, b, c], source }
    }
}
