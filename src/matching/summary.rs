//! `MatchSummary`: what the search for matches found and left out, in numbers and names.

use serde::Serialize;

use super::settings::MatchSettings;
use crate::document::{DocId, DocSet, Documents};

/// What a search by passages promises, and what limits that. What it reports, the record of the settings says.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchSummary {
    /// Every common run of so many tokens is found, but for what the caps below leave out.
    pub every_run_of: u64,
    /// Pairs of texts that have a run of that length in common, or may have.
    pub aligned: u64,
    /// With [`MatchSettings::max_key_df`](crate::MatchSettings::max_key_df): the hashes that were in too many texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_cap: Option<KeyCap>,
    /// The texts that repeat a run more than 64 times, in a pair that was aligned: the other places of the run were not looked
    /// at.
    pub seeds_capped_in: NamedDocuments,
}

/// Hashes that were in too many texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KeyCap {
    /// A hash in more texts than this was not used. Passages that have only such hashes are not found.
    pub more_than: u64,
    /// The number of such hashes.
    pub hashes: u64,
    /// The texts that have one.
    #[serde(flatten)]
    pub documents: NamedDocuments,
}

/// Some documents: how many, and the names of the first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct NamedDocuments {
    /// How many.
    pub documents: u64,
    /// The first [`NamedDocuments::MOST`] in document order, with U+FFFD in place of bytes that are not UTF-8.
    pub names: Vec<String>,
}

impl NamedDocuments {
    /// Most names that are kept.
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
        key_cap: Option<KeyCap>,
        seeds_capped_in: NamedDocuments,
    ) -> Self {
        Self { every_run_of: settings.passages.anchor() as u64, aligned, key_cap, seeds_capped_in }
    }
}
