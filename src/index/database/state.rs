//! `IndexState`: the current contents of an index, in one row that every transaction replaces.

use serde::{Deserialize, Serialize};

/// The kind of keys of a sorted run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RunKind {
    /// Band keys of the first document with each text.
    Bands,
    /// Hashes of names.
    Names,
    /// Hashes of the normalised texts of all documents.
    Hashes,
    /// Sampled shingles of the first document with each text; only if the index finds contained texts.
    Samples,
}

impl RunKind {
    pub(crate) const ALL: [Self; 4] = [Self::Bands, Self::Names, Self::Hashes, Self::Samples];
}

/// A sorted run: it is written once, and deleted after it was merged into a larger one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Segment {
    /// The number of the run, which is never reused.
    pub(crate) id: u32,
    pub(crate) kind: RunKind,
    /// The logarithm of `blocks` to the base 8, rounded down: the runs of a tier differ in size by a factor below 8.
    pub(crate) tier: u32,
    pub(crate) rows: u64,
    pub(crate) blocks: u32,
}

/// The current contents of an index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct IndexState {
    /// A counter that grows with every transaction.
    pub(crate) generation: u64,
    /// The number of the next document; numbers are never reused.
    pub(crate) next: u32,
    /// The number of the next run.
    pub(crate) next_run: u32,
    /// The number of documents that are not removed.
    pub(crate) documents: u64,
    /// The number of stored texts, including texts of removed documents that copies still need.
    pub(crate) texts: u64,
    /// Bytes of these texts before compression.
    pub(crate) text_bytes: u64,
    pub(crate) segments: Vec<Segment>,
    /// The row numbers of the blocks of marks.
    pub(crate) marks: Vec<i64>,
    /// The dictionaries that texts are compressed with.
    pub(crate) dictionaries: MadeDictionaries,
    /// The run that a merge in several transactions is writing; it is not part of the index yet.
    #[serde(default)]
    pub(crate) merging: Option<RunInProgress>,
}

/// The dictionaries that have been made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MadeDictionaries {
    /// The number of dictionaries; the last one compresses new texts.
    pub(crate) number: u32,
    /// Bytes of texts to write before the next dictionary is made.
    pub(crate) bytes_before_next: u64,
    /// Whether blocks are short. With the last dictionary, short blocks compress texts almost as well as long ones.
    pub(crate) has_short_blocks: bool,
}

/// A run that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunInProgress {
    pub(crate) run: u32,
    /// The id of the process that writes. If that process has ended, another one may take over.
    pub(crate) process: u32,
}

impl IndexState {
    pub(crate) fn segments_of(&self, kind: RunKind) -> impl Iterator<Item = &Segment> {
        self.segments.iter().filter(move |segment| segment.kind == kind)
    }

    /// The number of documents, including removed ones.
    pub(crate) fn numbers(&self) -> u64 {
        self.next.into()
    }
}
