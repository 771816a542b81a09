//! `ResultFiles`: the files of the documents of a saved result, and the order of the documents by what a result has: names,
//! lengths, and the files themselves with their times.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::choice::{by_time, ranks};
use super::settings::Keep;
use crate::base::error::Result;
use crate::documents::document::{DocId, Documents};
use crate::documents::input::{InputSettings, MemberTimes, path_bytes, path_of};
use crate::results::saved::{SavedResult, each_document};
use crate::search::corpus::read_member_times;
use crate::search::run::Settings;

/// The files of the documents of a result. Needs 24 bytes for each document, and the names of files.
#[derive(Default)]
pub(super) struct ResultFiles {
    /// The folder to which relative names refer.
    pub(super) folder: PathBuf,
    /// The file of each document, as in [`Origin`](crate::documents::Origin).
    pub(super) files: Vec<PathBuf>,
    /// Whether each document is a whole file.
    pub(super) is_whole: Vec<bool>,
    /// The hashes of the input files.
    pub(super) hashes: HashMap<PathBuf, String>,
    /// Whether the result has the number of shingles of every text, which results of earlier versions do not have.
    has_lengths: bool,
    /// Whether documents are joined from files, so that none of them is a file.
    is_joined: bool,
}

impl ResultFiles {
    /// The files of a saved folder.
    ///
    /// # Errors
    /// When the list of documents cannot be read.
    ///
    /// # Panics
    /// When the result is not a folder.
    pub(super) fn of(result: &SavedResult) -> Result<Self> {
        let header = result.header().expect("a folder");
        let inputs = header.inputs.iter().map(|input| (path_of(&input.file.to_bytes()).to_owned(), input.hash.clone()));
        let folder = path_of(&header.folder.to_bytes()).to_owned();
        let is_joined = header.reading.joins_files();
        let mut files = Self { folder, hashes: inputs.collect(), has_lengths: true, is_joined, ..Self::default() };
        let (mut seen, mut twice) = (HashSet::new(), HashSet::new());
        each_document(result, &mut |record| {
            let source = record.source.as_ref();
            let file = path_of(&source.map_or(&record.name, |source| &source.file).to_bytes()).to_owned();
            let is_record = source.is_none_or(|source| source.line.is_some() || source.row.is_some());
            if !is_record && !seen.insert(file.clone()) {
                twice.insert(file.clone());
            }
            files.has_lengths &= record.text_hash.is_none() || record.occurrences.is_some();
            files.is_whole.push(!is_record && files.hashes.contains_key(&file));
            files.files.push(file);
            Ok(())
        })?;
        // A member of an archive may have the same name as a file next to the archive.
        for (is_whole, file) in files.is_whole.iter_mut().zip(&files.files) {
            *is_whole &= !twice.contains(file);
        }
        Ok(files)
    }

    /// Whether a result has what a rule needs.
    pub(super) fn have(&self, keep: &Keep) -> bool {
        match keep {
            Keep::Longest | Keep::Shortest => self.has_lengths,
            Keep::Newest | Keep::Oldest | Keep::Matching(_) => !self.is_joined,
            Keep::Max(_) | Keep::Min(_) => false,
            Keep::First | Keep::Last | Keep::PathOrder => true,
        }
    }

    /// The rank of each document by a rule, like [`KeepRules::ranks`](super::choice::KeepRules::ranks) for a run.
    ///
    /// * `keep`: a rule for which the result [has](Self::have) what it needs.
    /// * `times`: the time of each document, if the rule needs times.
    pub(super) fn ranks(&self, keep: &Keep, documents: &Documents, times: &[Option<SystemTime>]) -> Vec<u32> {
        let all = (0..documents.len()).map(DocId::new);
        match keep {
            Keep::Last => all.map(|document| u32::MAX - document.get()).collect(),
            Keep::Longest => all.map(|document| u32::MAX - documents.num_shingles(document)).collect(),
            Keep::Shortest => all.map(|document| documents.num_shingles(document)).collect(),
            Keep::Newest | Keep::Oldest => by_time(keep, times),
            Keep::PathOrder => ranks(documents.len(), |document| documents.name(DocId::new(document))),
            Keep::Matching(glob) => self.files.iter().map(|file| u32::from(!glob.matches(file, 0))).collect(),
            Keep::First | Keep::Max(_) | Keep::Min(_) => all.map(DocId::get).collect(),
        }
    }

    /// The time at which the file or the member of each document was modified.
    ///
    /// # Errors
    /// When an archive cannot be read.
    pub(super) fn times(&self) -> Result<Vec<Option<SystemTime>>> {
        let members = self.member_times()?;
        Ok(self.files.iter().map(|file| self.time(file, &members)).collect())
    }

    /// The input that is an archive with this member, if any.
    fn archive_of(&self, file: &Path) -> Option<&Path> {
        let name = path_bytes(file);
        let input = |end| self.hashes.get_key_value(path_of(&name[..end]));
        memchr::memrchr_iter(b'!', name).find_map(input).map(|(path, _)| path.as_path())
    }

    /// Reads the times of the members of the archives among the inputs.
    fn member_times(&self) -> Result<MemberTimes> {
        let archives: BTreeSet<&Path> = self.files.iter().filter_map(|file| self.archive_of(file)).collect();
        let times = MemberTimes::collected();
        if !archives.is_empty() {
            let paths = archives.into_iter().map(|archive| self.folder.join(archive));
            let mut input = InputSettings::of(paths.collect());
            input.member_times = times.clone();
            let settings = Settings::of(input);
            read_member_times(settings.corpus(), &settings.cancel, &settings.thread_pool()?)?;
        }
        Ok(times)
    }

    fn time(&self, file: &Path, members: &MemberTimes) -> Option<SystemTime> {
        let modified = |file: &Path| fs::metadata(file).ok().filter(Metadata::is_file)?.modified().ok();
        let place = self.folder.join(file);
        modified(&place)
            .or_else(|| members.of_member(path_bytes(&place)))
            .or_else(|| modified(&self.folder.join(self.archive_of(file)?)))
    }
}
