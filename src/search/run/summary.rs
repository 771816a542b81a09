//! `Summary`: the numbers of a run, combined from the summaries of its stages; `--summary` writes it as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::common_frame::CommonFrame;
use super::duplicated_lines::Duplication;
use super::group_summaries::{ClusterSummary, OverlapSummary};
use super::settings::Settings;
use super::settings_record::SettingsRecord;
use crate::base::observe::Observer;
use crate::base::problem::{Problem, ProblemCounts, Reason};
use crate::compare::passages::PassageSettings;
use crate::search::corpus::{CodeSummary, GroupSummary, KeyBytes, ReadSummary, Removed, Sides, TextKind};
use crate::search::estimate::audit::AuditSummary;
use crate::search::join::JoinSummary;
use crate::search::matching::MatchSummary;
use crate::search::pairs::{PairSource, SearchSummary};

/// The numbers of a run; serialised, it is the object that `--summary` writes. Keys are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Documents read, empty ones included.
    pub documents: u64,
    /// The size of the documents in bytes, as stored.
    pub bytes: u64,
    /// Documents that contain only white space; they are in no pair.
    pub empty: u64,
    /// Documents shorter than one shingle, whose whole text is their only shingle.
    pub short: u64,
    /// Groups of documents with equal normalised texts.
    pub exact_groups: u64,
    /// Documents in groups of equal texts, other than the first of each group.
    pub exact_copies: u64,
    /// Candidate pairs of texts. Each was verified, or excluded by the signatures. Where all documents are compared with one
    /// another, documents with equal texts count as one text.
    pub candidates: u64,
    /// The candidates whose signatures differ too much for the threshold, so that their texts were not compared; omitted
    /// when it is 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub excluded: u64,
    /// The largest bucket, unless no two texts share one. Its texts have something in common, and each is a candidate
    /// of all others. When the common part is boilerplate, most of these candidates are false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest_bucket: Option<LargestBucket>,
    /// The number of reported pairs.
    pub pairs: u64,
    /// The number of positions of shared token runs, in all pairs, that the search for passages skipped because the
    /// same run has 64 earlier positions in the same text; omitted without passages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds_capped: Option<u64>,
    /// For a run that matches documents by their passages: its guarantee, and the limits of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matches: Option<MatchSummary>,
    /// For a search for copied blocks: the share of lines in blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplication: Option<Duplication>,
    /// For an exhaustive join: its work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub join: Option<JoinSummary>,
    /// The measured recall, if an audit was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<AuditSummary>,
    /// The documents whose text was extracted from another format, by the extension of the format, such as `docx`, and mail
    /// messages as `mail`; omitted without such documents. Where files are joined, each file counts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub formats: BTreeMap<&'static str, u64>,
    /// The inputs that were skipped or only partly used, by reason.
    pub skipped: BTreeMap<Reason, u64>,
    /// The number of problems that make the run incomplete.
    pub errors: u64,
    /// The number of records whose id was used before in another file; omitted when it is 0.
    #[serde(skip_serializing_if = "is_zero")]
    pub ids_of_other_files: u64,
    /// The minimum probability that a pair at the threshold becomes a candidate and is verified; 1 for an exhaustive join, and where documents
    /// match by their passages.
    pub recall_at_threshold: f64,
    /// The settings that the result depends on.
    pub settings: SettingsRecord,
    /// For a comparison of two sides: each side's share of the numbers above. Copies are counted within a side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<Sides>,
    /// The groups of documents, where there are groups. Copies are counted within a group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<GroupSummary>,
    /// The shingles that were removed from the documents before comparison; `None` when nothing was to be removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<Removed>,
    /// If documents are programs: their languages, and how many of them are unfinished or very short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeSummary>,
    /// The groups that were formed from the pairs, in a run that forms groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<ClusterSummary>,
    /// The groups that have pairs in common, in a run that compares groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlaps: Option<OverlapSummary>,
    /// Wall time by stage.
    pub seconds: Seconds,
    /// The memory of everything that grows with the corpus.
    pub memory: Memory,
    /// Documents with very few tokens in a long text. They are compared, but their similarity means little.
    pub sparse: u64,
    /// Whether any input contained records: JSON Lines, CSV, TSV or Parquet.
    #[serde(skip)]
    pub has_records: bool,
    /// Whether any input was CSV or TSV.
    #[serde(skip)]
    pub has_delimited: bool,
    /// The number of files that were read although git would ignore them.
    #[serde(skip)]
    pub num_ignored: u64,
    /// The pairs of web pages that were compared again by their main texts; `None` if no pair was.
    #[serde(skip)]
    pub common_frame: Option<CommonFrame>,
    /// The kind of texts that most documents contain, by their names.
    #[serde(skip)]
    pub text_kind: TextKind,
}

/// The bucket with the most documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LargestBucket {
    /// The number of distinct texts in the bucket.
    pub documents: u64,
    /// The name of the first document in the bucket, with U+FFFD instead of bytes that are not UTF-8.
    pub first: String,
}

/// Wall time by stage, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// Reading and signing the documents.
    pub read: f64,
    /// Finding candidates: building the bucket table, the exhaustive join, or the index of passages.
    pub band: f64,
    /// Verifying the candidates, or aligning them, and writing the pairs.
    pub verify: f64,
    /// Measuring the recall; 0 without an audit.
    #[serde(skip_serializing_if = "is_no_time")]
    pub audit: f64,
}

/// The peak memory, in bytes, of structures that grow with the corpus.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Memory {
    /// The tables, whose size per document is fixed: names and places, band keys, the bucket table.
    pub tables: u64,
    /// The shingle sets of candidates and the pairs that wait to be written; `--memory` limits them.
    pub sets: u64,
    /// The band keys and bits of signatures on the disk, because they did not fit `--memory`. Omitted if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub spilled: u64,
    /// The band keys of all documents, for a forecast.
    #[serde(skip)]
    pub(crate) keys: KeyBytes,
}

impl Memory {
    pub(super) fn tables_at_least(&mut self, bytes: usize) {
        self.tables = self.tables.max(bytes as u64);
    }
}

impl Seconds {
    /// The total of all stages.
    pub fn total(&self) -> f64 {
        self.read + self.band + self.verify + self.audit
    }
}

fn is_no_time(seconds: &f64) -> bool {
    *seconds == 0.0
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Summary {
    /// Creates the summary of a run before its first stage.
    pub(crate) fn new(settings: &Settings, passages: Option<PassageSettings>) -> Self {
        let banding = settings.banding;
        Self {
            documents: 0,
            bytes: 0,
            empty: 0,
            short: 0,
            exact_groups: 0,
            exact_copies: 0,
            candidates: 0,
            excluded: 0,
            largest_bucket: None,
            pairs: 0,
            seeds_capped: None,
            matches: None,
            duplication: None,
            join: None,
            audit: None,
            formats: BTreeMap::new(),
            skipped: BTreeMap::new(),
            errors: 0,
            ids_of_other_files: 0,
            recall_at_threshold: match settings.pairs.source {
                PairSource::Bands => {
                    let threshold = settings.pairs.threshold.value();
                    banding.recall_of_run(threshold, threshold)
                }
                PairSource::AllPairs | PairSource::Passages(_) => 1.0,
            },
            settings: SettingsRecord::new(settings, passages),
            sides: None,
            groups: None,
            removed: None,
            code: None,
            clusters: None,
            overlaps: None,
            seconds: Seconds::default(),
            memory: Memory::default(),
            sparse: 0,
            has_records: false,
            has_delimited: false,
            num_ignored: 0,
            common_frame: None,
            text_kind: TextKind::Unknown,
        }
    }

    /// The summary of a run that reads and signs documents without comparing them.
    pub(crate) fn of_reading(settings: &Settings, read: ReadSummary) -> Self {
        Self::new(settings, None).with_read(read)
    }

    /// Adds the numbers of the first pass.
    pub(super) fn with_read(self, read: ReadSummary) -> Self {
        let ReadSummary { documents, bytes, empty, short, exact_groups, exact_copies, ids_of_other_files, .. } = read;
        let ReadSummary {
            problems,
            sides,
            groups,
            removed,
            code,
            has_records,
            has_delimited,
            num_ignored,
            formats,
            text_kind,
            table_bytes,
            ..
        } = read;
        let mut summary = Self {
            documents,
            bytes,
            empty,
            short,
            exact_groups,
            exact_copies,
            ids_of_other_files,
            sides,
            groups,
            removed,
            code,
            has_records,
            has_delimited,
            num_ignored,
            formats,
            text_kind,
            ..self
        };
        summary.memory.tables_at_least(table_bytes);
        summary.add(problems);
        summary
    }

    /// Adds the numbers of the second pass.
    pub(super) fn add_search(&mut self, search: SearchSummary) {
        let SearchSummary { candidates, excluded, pairs, problems, set_bytes } = search;
        (self.candidates, self.excluded, self.pairs) = (candidates, excluded, pairs);
        self.memory.sets = set_bytes;
        self.add(problems);
    }

    /// Counts problems, and reports each to the observer.
    pub(crate) fn report(&mut self, problems: Vec<Problem>, observer: &dyn Observer) {
        for problem in problems {
            let mut counts = ProblemCounts::default();
            counts.count(&problem);
            self.add(counts);
            observer.problem(&problem);
        }
    }

    pub(super) fn add(&mut self, problems: ProblemCounts) {
        for (reason, number) in problems.by_reason {
            *self.skipped.entry(reason).or_default() += number;
        }
        self.errors += problems.errors;
        self.sparse += problems.sparse;
    }
}
