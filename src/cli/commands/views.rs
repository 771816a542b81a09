//! `Views`: reads the texts of the pairs in a report, from a run or from the files of a saved result.

use dedup_scan::base::Problem;
use dedup_scan::compare::passages::PassageSettings;
use dedup_scan::results::{PairView, SavedDocuments, ViewKey, ViewReader, ViewedRun};
use dedup_scan::search::Searched;
use dedup_scan::{Result, Summary};

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

/// The summary of a finished search, and the reader of its texts if a report shows them.
///
/// * `viewed`: the definition of passages in views, if a report shows texts.
pub(super) fn summary_and_reader(
    searched: Searched,
    viewed: Option<Option<PassageSettings>>,
) -> (Summary, Option<ViewReader>) {
    let Some(viewed) = viewed else { return (searched.summary, None) };
    let ViewedRun { summary, reader } = ViewedRun::new(searched, viewed);
    (summary, Some(reader))
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
