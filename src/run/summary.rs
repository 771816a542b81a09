//! `Summary`: what a run did, in numbers.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;

use crate::config::Config;
use crate::document::Documents;
use crate::error::{Error, Problem, Reason, Result};
use crate::normalize::Markers;
use crate::shingle::{ShingleKind, StopWords};
use crate::signature::SignatureMethod;

/// What a run did; serialised, it is the object that `--summary` writes. Keys are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// Documents read, empty ones included.
    pub documents: u64,
    /// Their bytes as stored.
    pub bytes: u64,
    /// Documents without any text but white space; they are in no pair.
    pub empty: u64,
    /// Documents shorter than one shingle, which have a single one: all of the text.
    pub short: u64,
    /// Groups of documents with equal normalised texts.
    pub exact_groups: u64,
    /// Documents in those groups other than the first of each.
    pub exact_copies: u64,
    /// Pairs of texts that shared a bucket and were verified: of distinct ones, where all documents are compared with all.
    pub candidates: u64,
    /// Pairs reported.
    pub pairs: u64,
    /// Inputs not used, or not as given, by reason.
    pub skipped: BTreeMap<Reason, u64>,
    /// How many of them make the run incomplete.
    pub errors: u64,
    /// Records whose id was used before in another file, where there are any.
    #[serde(skip_serializing_if = "is_zero")]
    pub ids_of_other_files: u64,
    /// The chance that a pair at the threshold becomes a candidate.
    pub recall_at_threshold: f64,
    /// The settings the result depends on.
    pub settings: Settings,
    /// Of a comparison: what of the numbers above is of which side. Copies are counted side by side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<Sides>,
    /// The groups of documents, where there are any. Copies are counted group by group.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<GroupSummary>,
    /// What was taken out of the documents before they were compared, when anything is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<Removed>,
    /// Wall time by stage.
    pub seconds: Seconds,
    /// Memory of what grows with the corpus.
    pub memory: Memory,
    /// Documents with hardly a token in a long text, which say little; they are compared all the same.
    pub sparse: u64,
    /// Whether any input held records: JSON Lines, CSV, TSV or Parquet.
    #[serde(skip)]
    pub has_records: bool,
    /// Whether any of them was CSV or TSV.
    #[serde(skip)]
    pub has_delimited: bool,
}

/// The settings that the result of a run depends on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// What a shingle is made of.
    pub shingle: ShingleKind,
    /// Tokens in a shingle.
    pub k: usize,
    /// Bands of a signature.
    pub bands: usize,
    /// Rows of a band.
    pub rows: usize,
    /// Least similarity reported.
    pub threshold: f64,
    /// How signatures were made.
    pub signature: SignatureMethod,
    /// Where the hash functions came from.
    pub seed: u64,
    /// Whether multisets of shingles were compared.
    pub bag: bool,
    /// Where stop words came from, when shingles begin with them: `auto`, the code of a language, or `list`.
    pub stop_words: Option<&'static str>,
    /// What was folded, in the order of folding.
    pub folding: Vec<&'static str>,
    /// The patterns of lines left out.
    pub skip_lines: Vec<String>,
    /// The markers between which passages were left out.
    pub ignore_between: Vec<[String; 2]>,
    /// The least number of tokens of a document that was compared.
    pub min_tokens: u64,
}

/// What was taken out of the documents before they were compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// Distinct shingles of the templates; nothing, when there is no template.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub template_shingles: Option<u64>,
    /// In how many documents a shingle may be, at the most, as a number of distinct texts; nothing, when there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_documents: Option<u64>,
    /// Distinct shingles that are in too many documents, templates or not.
    pub frequent_shingles: u64,
    /// Shingles taken out of documents, repeats counted.
    pub shingles: u64,
    /// Documents of which any were.
    pub documents: u64,
    /// Documents of which nothing is left; they are in no pair.
    pub emptied: u64,
}

impl Removed {
    /// Counts a document.
    pub(crate) fn add(&mut self, num_removed: u64, is_emptied: bool) {
        self.shingles += num_removed;
        self.documents += u64::from(num_removed > 0);
        self.emptied += u64::from(is_emptied);
    }
}

/// The groups of documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GroupSummary {
    /// What documents of one group have in common, as [`GroupBy`](crate::GroupBy) is written.
    pub by: String,
    /// Whether pairs are of one group, and not of different ones.
    pub within: bool,
    /// How many groups there are.
    pub count: u64,
    /// Documents that are in a group by what they have in common; any other is a group of its own.
    pub documents: u64,
}

/// The two sides of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sides {
    /// The documents that are compared: `a` of each pair.
    pub a: Side,
    /// Those that they are compared against: `b` of each pair.
    pub b: Side,
}

/// One side of a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Side {
    /// Documents read, empty ones included.
    pub documents: u64,
    /// Their bytes as stored.
    pub bytes: u64,
    /// Documents without any text but white space.
    pub empty: u64,
    /// Documents shorter than one shingle.
    pub short: u64,
    /// Groups of documents with equal normalised texts on this side.
    pub exact_groups: u64,
    /// Documents in those groups other than the first of each.
    pub exact_copies: u64,
}

/// Wall time by stage, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// Reading and signing.
    pub read: f64,
    /// Building the bucket table.
    pub band: f64,
    /// Verifying and writing.
    pub verify: f64,
}

/// Bytes of what grows with the corpus, each at its largest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Memory {
    /// The tables, which are a number of bytes a document: names and places, band keys, the bucket table.
    pub tables: u64,
    /// The shingle sets of candidates, and the pairs that wait for their turn, which `--memory` bounds.
    pub sets: u64,
}

impl Memory {
    pub(crate) fn tables_at_least(&mut self, bytes: usize) {
        self.tables = self.tables.max(bytes as u64);
    }
}

impl Seconds {
    /// All stages together.
    pub fn total(&self) -> f64 {
        self.read + self.band + self.verify
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Summary {
    pub(crate) fn new(config: &Config) -> Self {
        let banding = config.banding;
        let threshold = config.threshold.value();
        let normalization = &config.normalization;
        Self {
            documents: 0,
            bytes: 0,
            empty: 0,
            short: 0,
            exact_groups: 0,
            exact_copies: 0,
            candidates: 0,
            pairs: 0,
            skipped: BTreeMap::new(),
            errors: 0,
            ids_of_other_files: 0,
            recall_at_threshold: banding.recall(threshold),
            settings: Settings {
                shingle: config.shingle_kind,
                k: config.shingle_size.get(),
                bands: banding.bands(),
                rows: banding.rows(),
                threshold,
                signature: config.signature,
                seed: config.seed,
                bag: config.bag,
                stop_words: (config.shingle_kind == ShingleKind::StopWord).then(|| match &config.stop_words {
                    StopWords::Detect => "auto",
                    StopWords::Language(language) => language.code(),
                    StopWords::Words(_) => "list",
                }),
                folding: normalization.folding(),
                skip_lines: normalization.skip_lines.iter().map(|pattern| pattern.as_str().to_owned()).collect(),
                ignore_between: normalization.ignore_between.iter().map(Markers::to_strings).collect(),
                min_tokens: config.min_tokens,
            },
            sides: None,
            groups: None,
            removed: None,
            seconds: Seconds::default(),
            memory: Memory::default(),
            sparse: 0,
            has_records: false,
            has_delimited: false,
        }
    }

    /// The numbers of the other side, copies aside.
    pub(crate) fn all_but(&self, a: &Side) -> Side {
        Side {
            documents: self.documents - a.documents,
            bytes: self.bytes - a.bytes,
            empty: self.empty - a.empty,
            short: self.short - a.short,
            ..Side::default()
        }
    }

    /// Counts the copies of all documents, and of each side.
    pub(crate) fn count_copies(&mut self, documents: &Documents) {
        let count = |range: Range<u64>| {
            let groups = || documents.groups().filter(|(first, _)| range.contains(&(first.index() as u64)));
            (groups().count() as u64, groups().map(|(_, copies)| copies as u64).sum())
        };
        (self.exact_groups, self.exact_copies) = count(0..self.documents);
        if let Some(Sides { a, b }) = &mut self.sides {
            (a.exact_groups, a.exact_copies) = count(0..a.documents);
            (b.exact_groups, b.exact_copies) = count(a.documents..self.documents);
        }
    }

    /// Whether anything was read.
    ///
    /// # Errors
    /// When no input could be read, and at least one failed. What was left out for its few tokens was read.
    pub(crate) fn check_read(&self) -> Result<()> {
        let is_nothing_read = self.documents == 0 && !self.skipped.contains_key(&Reason::FewTokens);
        if is_nothing_read && self.errors > 0 { Err(Error::NoInput) } else { Ok(()) }
    }

    pub(crate) fn count(&mut self, problem: &Problem) {
        if problem.reason == Reason::Sparse {
            self.sparse += 1;
            return;
        }
        *self.skipped.entry(problem.reason).or_default() += 1;
        self.errors += u64::from(problem.is_error);
    }
}
