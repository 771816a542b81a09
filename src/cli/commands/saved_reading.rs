//! `SavedReading`: the settings to read the documents of a saved result again.

use std::path::PathBuf;

use dedup_scan::Settings;
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::Filter;
use dedup_scan::results::ResultHeader;

use crate::cli::messages::Result;

/// A function that finds the settings to read the documents of a result: `reading_of`. It depends on the flags of all
/// commands that save results, so those commands receive it as an argument.
pub(crate) type ReadingOf = fn(Option<&ResultHeader>, &[Filter]) -> Result<SavedReading>;

/// The settings to read documents again.
pub(crate) struct SavedReading {
    /// Settings of files and shingles.
    pub(crate) settings: Settings,
    /// Minimum lengths of passages; `None` for sets, which have no passages.
    pub(crate) passages: Option<PassageSettings>,
    /// Folder that relative names refer to.
    pub(crate) folder: PathBuf,
}
