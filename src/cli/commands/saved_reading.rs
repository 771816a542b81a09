//! `SavedReading`: how the documents of a saved result are read again.

use std::path::PathBuf;

use dedup_scan::Settings;
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::documents::Filter;
use dedup_scan::results::ResultHeader;

use crate::cli::messages::Result;

/// Finds out how the documents of a result are read: `reading_of`. It knows the flags of every command that saves, so a command
/// that it knows gets it from outside.
pub(crate) type ReadingOf = fn(Option<&ResultHeader>, &[Filter]) -> Result<SavedReading>;

/// How documents are read.
pub(crate) struct SavedReading {
    /// How files are read and cut into shingles.
    pub(crate) settings: Settings,
    /// What counts as a passage; `None` for sets, which have none.
    pub(crate) passages: Option<PassageSettings>,
    /// That relative names are seen from.
    pub(crate) folder: PathBuf,
}
