//! `IndexState`: what an index holds at the moment: one row that every transaction replaces.

use serde::{Deserialize, Serialize};

/// What the rows of a sorted run are looked up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RunKind {
    /// Band keys, of the first document of each text.
    Bands,
    /// Hashes of names.
    Names,
    /// Hashes of normalised texts, of all documents.
    Hashes,
    /// Sampled shingles, of the first document of each text; only where contained texts can be found.
    Samples,
}

impl RunKind {
    pub(super) const ALL: [Self; 4] = [Self::Bands, Self::Names, Self::Hashes, Self::Samples];
}

/// A sorted run: it is written once, and deleted when it became part of a greater one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Segment {
    /// Never used twice.
    pub(super) id: u32,
    pub(super) kind: RunKind,
    /// The logarithm of `blocks` to the base of 8, rounded down: runs of one tier differ in size by less than 8 times.
    pub(super) tier: u32,
    pub(super) rows: u64,
    pub(super) blocks: u32,
}

/// What an index holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IndexState {
    /// Grows with every transaction.
    pub(super) generation: u64,
    /// The number of the next document; numbers are never used twice.
    pub(super) next: u32,
    /// The number of the next run.
    pub(super) next_run: u32,
    /// Documents that are not removed.
    pub(super) documents: u64,
    /// Texts stored, those of removed documents whose copies are there included.
    pub(super) texts: u64,
    /// Their bytes before they were compressed.
    pub(super) text_bytes: u64,
    pub(super) segments: Vec<Segment>,
    /// Where there are marks of removed documents and erased texts.
    pub(super) marks: Vec<i64>,
    /// The dictionaries that texts are compressed with.
    pub(super) dictionaries: MadeDictionaries,
    /// The run that runs are being merged to, in several transactions; it is no part of the index yet.
    #[serde(default)]
    pub(super) merging: Option<RunInProgress>,
}

/// Which dictionaries there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MadeDictionaries {
    /// How many; the last one is that of new texts.
    pub(super) number: u32,
    /// Bytes of texts before the next one is made.
    pub(super) bytes_before_next: u64,
    /// Whether blocks are short: texts are hardly longer so, since with the last one they need little of each other.
    pub(super) has_short_blocks: bool,
}

/// A run that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RunInProgress {
    pub(super) run: u32,
    /// Who writes it. Where that process has ended, another may take its place.
    pub(super) process: u32,
}

impl IndexState {
    pub(super) fn segments_of(&self, kind: RunKind) -> impl Iterator<Item = &Segment> {
        self.segments.iter().filter(move |segment| segment.kind == kind)
    }

    /// The number of documents, removed ones included.
    pub(super) fn numbers(&self) -> u64 {
        self.next.into()
    }
}
