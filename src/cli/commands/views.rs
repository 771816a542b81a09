//! `Views`: reads the texts of the pairs in a report, from a run or from the files of a saved result.

use dedup_scan::Result;
use dedup_scan::base::Problem;
use dedup_scan::results::{PairView, SavedDocuments, ViewKey, ViewReader};

use super::saved_reading::SavedReading;

/// The source of the texts for a report.
pub(crate) enum Views<'v> {
    /// No report shows texts.
    None,
    /// The documents of a run.
    Run(&'v ViewReader),
    /// The files of a saved result.
    Saved(&'v SavedReading, &'v SavedDocuments),
}

impl Views<'_> {
    /// Passes the texts of pairs to `use_view` until it returns false. Returns the documents that could not be read as
    /// they were.
    ///
    /// # Errors
    /// When the settings of a result cannot be used, or the run was cancelled.
    pub(super) fn read(
        &self,
        mut wanted: Vec<[ViewKey; 2]>,
        use_view: &mut dyn FnMut(usize, PairView) -> bool,
    ) -> Result<Vec<Problem>> {
        match self {
            Self::None => Ok(Vec::new()),
            Self::Run(reader) => reader.read(&wanted, use_view),
            Self::Saved(SavedReading { settings, passages, folder }, documents) => {
                for key in wanted.iter_mut().flatten() {
                    if key.file == key.name
                        && let Some(source) = documents.source(&key.name, key.side)
                    {
                        *key = ViewKey::new(&key.name, key.side, Some(&source));
                    }
                    key.text_hash = documents.text_hash(&key.name, key.side);
                }
                ViewReader::of_files(settings, *passages, folder, wanted.iter().flatten())?.read(&wanted, use_view)
            }
        }
    }
}
