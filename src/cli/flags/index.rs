//! The flags of commands that write to an index: how they treat known names and concurrent writers.

use std::time::Duration;

use clap::Args;
use dedup_scan::index::{IndexSettings, KnownName, SampleRate, TextStorage};

use super::preset::Preset;
use super::values::{Choices, choice, whole};

/// How long to wait while another process changes the index.
#[derive(Debug, Args)]
pub(crate) struct WaitFlags {
    /// How long to wait for another process that writes to the index
    #[arg(long, value_name = "SECONDS", default_value_t = 0, value_parser = whole::<u64>(0..=1 << 31),
        allow_negative_numbers = true, help_heading = "Index")]
    wait: u64,
}

impl WaitFlags {
    pub(crate) fn duration(&self) -> Duration {
        Duration::from_secs(self.wait)
    }
}

/// Whether an index can also find contained documents.
#[derive(Debug, Args)]
pub(crate) struct ContainmentFlags {
    /// Prepare the index for dedup query --containment, which finds contained documents, by a sample of the shingles.
    /// Short documents need a higher rate, such as 1/8 [default: none; 1/64 without a rate, 1/8 with --preset prose]
    #[arg(long, alias = "containment", value_name = "RATE", num_args = 0..=1, require_equals = true, default_missing_value = "1/64",
        help_heading = "Index")]
    for_containment: Option<SampleRate>,
}

impl ContainmentFlags {
    /// The settings of an index.
    ///
    /// * `preset`: a preset that matches by passages needs sampled shingles.
    pub(crate) fn settings(&self, preset: Option<Preset>) -> IndexSettings {
        IndexSettings {
            containment: self.for_containment.or(preset.and_then(Preset::sample_rate)),
            ..IndexSettings::default()
        }
    }
}

/// Whether an index stores the texts of its documents.
#[derive(Debug, Args)]
pub(crate) struct TextStorageFlags {
    /// Whether the index stores each text, or only its place
    #[arg(long = "texts", value_parser = choice(TEXT_STORAGE), value_name = "WHAT", default_value = "keep",
        help_heading = "Index")]
    pub(crate) storage: TextStorage,
}

const TEXT_STORAGE: Choices<TextStorage> = &[
    ("keep", TextStorage::Keep, "Each text, compressed"),
    (
        "refer",
        TextStorage::Refer,
        "The place of each text in its file, which is read again. A document whose text has changed is reported",
    ),
];

/// How to handle a name that is in the index already.
#[derive(Debug, Args)]
pub(crate) struct KnownFlags {
    /// How to handle a document to add that has the name of another text in the index
    #[arg(long, value_parser = choice(KNOWN), value_name = "WHAT", default_value = "error", help_heading = "Index")]
    pub(crate) known: KnownName,
}

const KNOWN: Choices<KnownName> = &[
    ("error", KnownName::Error, "Stop, and do not add its batch"),
    ("replace", KnownName::Replace, "Replace the other text"),
    ("skip", KnownName::Skip, "Skip the new document"),
];
