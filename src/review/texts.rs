//! `PairTexts`: questions in; their documents, read again with the passages that they share, out.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::questions::Question;
use crate::error::{Error, Result};
use crate::explain::{ExplainableCorpus, Explanation};
use crate::input::{path_bytes, path_of};
use crate::observe::Observer;
use crate::passages::PassageSettings;
use crate::results::file_of;
use crate::run::Settings;

/// Reads the documents of questions again: only the files that they are in, and these at once for many questions.
pub struct PairTexts {
    settings: Settings,
    passages: Option<PassageSettings>,
    folder: PathBuf,
    corpus: Option<ExplainableCorpus>,
}

impl PairTexts {
    /// * `settings`: how files are read and cut into shingles. What they say of paths, sides, groups, bands and removal is not
    ///   used: the numbers of a pair are those of its result.
    /// * `passages`: what counts as a passage; `None` looks for none.
    /// * `folder`: the folder that relative names are seen from.
    pub fn new(settings: &Settings, passages: Option<PassageSettings>, folder: &Path) -> Self {
        let settings = settings.of_single_files(Vec::new());
        Self { settings, passages, folder: folder.to_owned(), corpus: None }
    }

    /// Reads the files of some questions, for [`of`](Self::of). They take the place of those before.
    ///
    /// # Errors
    /// When none can be read.
    pub fn read<'q>(
        &mut self,
        questions: impl IntoIterator<Item = &'q Question>,
        observer: &dyn Observer,
    ) -> Result<()> {
        self.corpus = None;
        let places = questions.into_iter().flat_map(|question| &question.places);
        let mut seen = HashSet::new();
        let files = places.filter_map(|place| file_of(&self.in_folder(place)));
        self.settings.input.paths = files.filter(|file| seen.insert(file.clone())).collect();
        if !self.settings.input.paths.is_empty() {
            self.corpus = Some(ExplainableCorpus::read(&self.settings, observer)?);
        }
        Ok(())
    }

    /// Both texts of a question, and what they share.
    ///
    /// # Errors
    /// When one of them cannot be found or read again.
    pub fn of(&self, question: &Question) -> Result<Explanation> {
        let places = question.places.each_ref().map(|place| self.in_folder(place));
        let missing = |place: &[u8]| Error::NotThere(String::from_utf8_lossy(place).into_owned());
        if let Some(place) = places.iter().find(|place| file_of(place).is_none()) {
            return Err(missing(place));
        }
        let corpus = self.corpus.as_ref().ok_or_else(|| missing(&places[0]))?;
        corpus.explain(places.each_ref().map(Vec::as_slice), self.passages)
    }

    /// Whether an explanation is of the texts that were compared, as far as their numbers tell.
    pub fn is_same(question: &Question, explanation: &Explanation) -> bool {
        let counts = question.counts;
        let is = |shared, a, b| (counts.shared, counts.shingles_a, counts.shingles_b) == (shared, a, b);
        explanation.comparison.as_ref().is_some_and(|found| is(found.shared, found.shingles_a, found.shingles_b))
    }

    fn in_folder(&self, place: &[u8]) -> Vec<u8> {
        if self.folder.as_os_str().is_empty() {
            return place.to_vec();
        }
        path_bytes(&self.folder.join(path_of(place))).to_vec()
    }
}
