//! `MatchSummary`: the guarantee of a search by passages, and its limits, in numbers and names.

use serde::Serialize;

use super::settings::MatchSettings;
use crate::documents::document::{DocId, DocSet, Documents};

/// The guarantee of a search by passages, and its limits. The rule for reported pairs is in the record of the settings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchSummary {
    /// Every common run of this many tokens is found, except where the caps below apply.
    pub every_run_of: u64,
    /// The number of pairs of texts that have a run of that length in common, or may have one.
    pub aligned: u64,
    /// The number of texts with fewer tokens than that, which match only an equal text.
    pub short: u64,
    /// The hashes in too many texts, which [`MatchSettings::max_key_df`](crate::search::MatchSettings::max_key_df) excluded;
    /// omitted without that limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_cap: Option<KeyCap>,
    /// The texts that repeat a token run more than 64 times, in a pair that was aligned: further positions of the run
    /// were skipped.
    pub seeds_capped_in: NamedDocuments,
}

/// Hashes that were in too many texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyCap {
    /// A hash in more texts than this was not used. Passages that have only such hashes are not found.
    pub more_than: u64,
    /// The number of such hashes.
    pub hashes: u64,
    /// The texts that have such a hash.
    #[serde(flatten)]
    pub documents: NamedDocuments,
}

/// The number of some documents, and the names of the first ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct NamedDocuments {
    /// The number of documents.
    pub documents: u64,
    /// The names of the first [`NamedDocuments::MOST`] in document order, with U+FFFD instead of bytes that are not
    /// UTF-8.
    pub names: Vec<String>,
}

impl NamedDocuments {
    /// The maximum number of names that are kept.
    pub const MOST: usize = 20;

    pub(super) fn new(documents: &Documents, some: &DocSet) -> Self {
        let all = || (0..documents.len()).map(DocId::new).filter(|&document| some.contains(document));
        let name = |document| String::from_utf8_lossy(documents.name(document)).into_owned();
        Self { documents: all().count() as u64, names: all().take(Self::MOST).map(name).collect() }
    }
}

impl KeyCap {
    pub(super) fn new(more_than: u64, hashes: u64, documents: &Documents, capped: &DocSet) -> Self {
        Self { more_than, hashes, documents: NamedDocuments::new(documents, capped) }
    }
}

impl MatchSummary {
    pub(super) fn new(
        settings: &MatchSettings,
        aligned: u64,
        short: u64,
        key_cap: Option<KeyCap>,
        seeds_capped_in: NamedDocuments,
    ) -> Self {
        Self { every_run_of: settings.passages.anchor() as u64, aligned, short, key_cap, seeds_capped_in }
    }
}
