//! `PairTexts`: reads the documents of questions again and finds the passages that they share.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::questions::Question;
use crate::base::error::{Error, Result};
use crate::base::observe::Observer;
use crate::base::problem::{Problem, Reason};
use crate::base::shown::shown;
use crate::compare::passages::PassageSettings;
use crate::documents::input::{StoredInput, path_bytes, path_of};
use crate::results::explain::{ExplainableCorpus, Explanation};
use crate::results::saved::{file_of, name_in_index, only_documents};
use crate::search::run::Settings;

/// Reads the documents of questions again. It reads only the files that contain them, for many questions at a time.
pub struct PairTexts {
    settings: Settings,
    /// The indexes that store documents of the result.
    stored: Vec<StoredInput>,
    passages: Option<PassageSettings>,
    folder: PathBuf,
    corpus: Option<ExplainableCorpus>,
}

impl PairTexts {
    /// Prepares to read documents.
    ///
    /// * `settings`: how files are read and cut into shingles, and the indexes that store documents. The settings for paths,
    ///   sides, groups, bands and removal are ignored, because the numbers of a pair come from the result.
    /// * `passages`: the definition of passages; `None` looks for none.
    /// * `folder`: the folder to which relative names refer.
    pub fn new(settings: &Settings, passages: Option<PassageSettings>, folder: &Path) -> Self {
        let is_joined = settings.input.unit.is_some();
        let stored = settings.input.stored.clone();
        let settings = if is_joined { settings.of_joined_files() } else { settings.of_single_files(Vec::new()) };
        Self { settings, stored, passages, folder: folder.to_owned(), corpus: None }
    }

    /// Reads the files of some questions, for [`of`](Self::of). They replace the files read before.
    ///
    /// # Errors
    /// When none of the files can be read.
    pub fn read<'q>(
        &mut self,
        questions: impl IntoIterator<Item = &'q Question, IntoIter: Clone>,
        observer: &dyn Observer,
    ) -> Result<()> {
        if self.settings.input.unit.is_some() {
            // Any file may belong to any document.
            if self.corpus.is_none() {
                self.corpus = Some(ExplainableCorpus::read(&self.settings, observer)?);
            }
            return Ok(());
        }
        self.corpus = None;
        let documents = questions.into_iter().flat_map(|question| [0, 1].map(|side| (question, side)));
        let stored = documents.clone().filter_map(|(question, side)| {
            Some((self.in_folder(question.indexes[side].as_ref()?), question.names[side].as_slice()))
        });
        let against = only_documents(&self.stored, stored);
        let of_files = documents.filter(|(question, side)| question.indexes[*side].is_none());
        let mut seen = HashSet::new();
        let files = of_files.filter_map(|(question, side)| file_of(&self.in_folder(&question.places[side])));
        let paths = files.filter(|file| seen.insert(file.clone())).collect();
        (self.settings.input.paths, self.settings.input.against) = (paths, against);
        if !self.settings.input.paths.is_empty() || self.settings.input.against.is_some() {
            self.corpus = Some(ExplainableCorpus::read(&self.settings, observer)?);
        }
        Ok(())
    }

    /// Both texts of a question, and the passages that they share.
    ///
    /// # Errors
    /// When one of the texts cannot be found or read again.
    pub fn of(&self, question: &Question) -> Result<Explanation> {
        if let Some(corpus) = self.corpus.as_ref().filter(|_| self.settings.input.unit.is_some()) {
            let names = question.names.each_ref().map(|name| {
                let path = self.in_folder(name);
                if corpus.has(&path) { path } else { name.clone() }
            });
            return corpus.explain(names.each_ref().map(Vec::as_slice), self.passages);
        }
        let missing = |place: &[u8]| Error::NotThere(String::from_utf8_lossy(place).into_owned());
        let place = |side: usize| {
            let Some(index) = &question.indexes[side] else {
                let place = self.in_folder(&question.places[side]);
                return if file_of(&place).is_some() { Ok(place) } else { Err(missing(&place)) };
            };
            let (name, corpus) = (&question.names[side], self.corpus.as_ref());
            let found = name_in_index(name, |name| corpus?.has(name).then(|| name.to_vec()));
            found.ok_or_else(|| {
                let [name, index] = [name, index].map(|name| String::from_utf8_lossy(name).into_owned());
                let fault = format!("{} no longer has this document; scan again", shown(&index));
                Error::Changed(Problem::error(name, Reason::Changed, fault))
            })
        };
        let places = [place(0)?, place(1)?];
        let corpus = self.corpus.as_ref().ok_or_else(|| missing(&places[0]))?;
        corpus.explain(places.each_ref().map(Vec::as_slice), self.passages)
    }

    /// Whether an explanation is about the texts that were compared, judging by the numbers of shingles.
    pub fn is_same(question: &Question, explanation: &Explanation) -> bool {
        let counts = question.counts;
        let compared = (counts.shared, counts.shingles_a, counts.shingles_b);
        let pair = explanation.comparison.as_ref().map(|comparison| &comparison.pair);
        pair.is_some_and(|pair| (pair.shared, pair.shingles_a, pair.shingles_b) == compared)
    }

    fn in_folder(&self, place: &[u8]) -> Vec<u8> {
        if self.folder.as_os_str().is_empty() {
            return place.to_vec();
        }
        path_bytes(&self.folder.join(path_of(place))).to_vec()
    }
}
