//! `ResultWriter`: writes the pairs and documents of a run to a folder, which appears only when it is complete.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::value::to_raw_value;

use super::hashed::HashedFile;
use super::header::{DOCUMENTS, HEADER, PAIRS, ResultHeader};
use super::inputs::{InputFiles, name_of};
use super::reading::ReadingRecord;
use crate::base::error::{Error, Result};
use crate::base::setting::Setting;
use crate::records::{DocumentRecord, JsonLines, Name, PendingFile, UnfinishedFolder, folder_of, push_json};
use crate::search::pairs::PairBatch;
use crate::search::run::{Settings, Summary};

/// The word in the names of unfinished results.
const SAVING: &str = "saving";

/// Writes a result. Its files have no names until the end, so a run that ends early leaves nothing. A run that is
/// killed while the files get their names leaves a folder. The next run with the same place deletes it.
#[derive(Debug)]
pub struct ResultWriter {
    place: PathBuf,
    /// The folder that will contain the result.
    above: PathBuf,
    replaces: bool,
    pairs: JsonLines<HashedFile>,
    documents: BufWriter<HashedFile>,
    num_documents: u64,
    inputs: InputFiles,
    arguments: Vec<Name<'static>>,
    began: SystemTime,
}

impl ResultWriter {
    /// Starts a result. Call it before the run.
    ///
    /// * `with_source`: whether the lines of pairs contain the origins of documents.
    /// * `force`: whether to replace a saved result.
    ///
    /// # Errors
    /// When something at the place may not be replaced, or a file cannot be written there.
    pub fn new(place: &Path, with_source: bool, force: bool) -> Result<Self> {
        let fault = |fault: String| Error::SavedResult { path: place.to_owned(), fault };
        UnfinishedFolder::delete_left(place, SAVING);
        let is_there = fs::symlink_metadata(place).is_ok();
        if is_there && !force {
            let force = Setting::Force;
            return Err(fault(format!(
                "already exists; choose another name, or give {force} to replace a saved result"
            )));
        }
        if is_there && (fs::symlink_metadata(place).is_ok_and(|place| !place.is_dir()) || !is_result(place)) {
            return Err(fault("already exists and is not a saved result; choose another name".into()));
        }
        if place.file_name().is_none() {
            return Err(fault("it has no name; give one".into()));
        }
        let above = folder_of(place).to_owned();
        let pending = || HashedFile::in_folder(&above).map_err(|error| fault(format!("cannot write it: {error}")));
        let lines = JsonLines::new(pending()?);
        Ok(Self {
            place: place.to_owned(),
            replaces: is_there,
            pairs: if with_source { lines } else { lines.without_sources() },
            documents: BufWriter::new(pending()?),
            num_documents: 0,
            inputs: InputFiles::default(),
            arguments: Vec::new(),
            began: SystemTime::now(),
            above,
        })
    }

    /// Adds a file that affects the pairs and is neither an input nor a template, such as a list of stop words.
    pub fn add_input(&mut self, path: &Path) {
        self.inputs.add_path(path);
    }

    /// Saves the command line of the run, without the program's name, by which its documents can be read again.
    pub fn set_arguments(&mut self, arguments: impl IntoIterator<Item = OsString>) {
        let name = |argument: OsString| Name::new(argument.as_encoded_bytes()).into_owned();
        self.arguments = arguments.into_iter().map(name).collect();
    }

    /// The files of the result that is replaced.
    pub fn replaced_files(&self) -> Vec<PathBuf> {
        [HEADER, PAIRS, DOCUMENTS].into_iter().filter(|_| self.replaces).map(|name| self.place.join(name)).collect()
    }

    /// Adds pairs, in document order.
    ///
    /// * `times`: the time of each document; empty if pairs have no times.
    ///
    /// # Errors
    /// When the pairs cannot be written.
    pub fn add_pairs(&mut self, batch: PairBatch<'_>, times: &[Option<SystemTime>]) -> Result<()> {
        let PairBatch { documents, pairs, passages } = batch;
        let written = match times {
            [] => self.pairs.write_passages(documents, pairs, passages),
            times => {
                let records = (0..pairs.len()).map(|number| batch.record_with_times(number, times));
                self.pairs.write_records(records)
            }
        };
        written.map_err(|error| self.failed(&error))
    }

    /// Adds a document, or an input that is not a document, in document order.
    ///
    /// # Errors
    /// When the document cannot be written.
    pub fn add_document(&mut self, record: &DocumentRecord) -> Result<()> {
        self.num_documents += 1;
        self.inputs.add(record);
        let mut line = Vec::new();
        push_json(&mut line, record);
        line.push(b'\n');
        self.documents.write_all(&line).map_err(|error| self.failed(&error))
    }

    /// Hashes the inputs and moves the result to its place.
    ///
    /// * `summary`: the summary of the completed run.
    ///
    /// # Errors
    /// When an input was changed since the run began, or the result cannot be written. The place is then unchanged.
    pub fn finish(mut self, settings: &Settings, summary: &Summary) -> Result<()> {
        settings.removal.templates.iter().for_each(|template| self.inputs.add_path(template));
        let stored = settings.input.against.iter().flat_map(|against| &against.stored).chain(&settings.input.stored);
        stored.for_each(|stored| self.inputs.add_path(stored.path()));
        self.inputs.add_all(settings.corpus().inputs())?;
        let fault = |error: io::Error| Error::SavedResult {
            path: self.place.clone(),
            fault: format!("cannot write it: {error}"),
        };
        let (pairs, documents) = (self.pairs.into_writer(), self.documents.into_inner());
        let documents = documents.map_err(|error| fault(error.into_error()))?;
        let header = ResultHeader {
            dedup_result: ResultHeader::FORM,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arguments: self.arguments,
            settings: to_raw_value(&summary.settings).expect("settings have JSON"),
            reading: ReadingRecord::of(&settings.input),
            copies_are_one_text: settings.copies_are_one_text(),
            folder: name_of(&std::env::current_dir().map_err(fault)?),
            inputs: self.inputs.records(self.began)?,
            files: vec![pairs.record(PAIRS), documents.record(DOCUMENTS)],
            documents: self.num_documents,
            pairs: summary.pairs,
            errors: summary.errors,
            lines: summary.duplication.as_ref().map(|found| found.lines),
        };
        let folder = UnfinishedFolder::create(&self.place, SAVING).map_err(fault)?;
        #[cfg(unix)]
        share(folder.path()).map_err(fault)?;
        let text = header.to_text();
        let mut header = PendingFile::in_folder(&self.above).map_err(fault)?;
        header.write_all(&text).map_err(fault)?;
        for (file, name) in [(pairs.into_file(), PAIRS), (documents.into_file(), DOCUMENTS), (header, HEADER)] {
            file.persist(&folder.path().join(name), None).map_err(fault)?;
        }
        let _ = File::open(folder.path()).and_then(|folder| folder.sync_all());
        if self.replaces {
            // The folder now contains the replaced result, and is deleted with it.
            exchange(folder.path(), &self.place).map_err(fault)
        } else {
            fs::rename(folder.path(), &self.place).map_err(fault)
        }
    }

    fn failed(&self, error: &io::Error) -> Error {
        Error::SavedResult { path: self.place.clone(), fault: format!("cannot write it: {error}") }
    }
}

/// Whether a folder contains a saved result and no other files.
fn is_result(folder: &Path) -> bool {
    let is_own = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| [HEADER, PAIRS, DOCUMENTS].into_iter().any(|own| entry.file_name() == own))
    };
    ResultHeader::is_in(folder) && fs::read_dir(folder).is_ok_and(|mut entries| entries.all(is_own))
}

/// Gives a folder that only its owner may read the permissions of an ordinary new folder.
#[cfg(unix)]
fn share(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let probe = folder.join("probe");
    fs::create_dir(&probe)?;
    let mode = fs::metadata(&probe)?.permissions().mode();
    fs::remove_dir(&probe)?;
    fs::set_permissions(folder, fs::Permissions::from_mode(mode))
}

/// Swaps two folders, atomically if the system supports that.
fn exchange(new: &Path, old: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, new, CWD, old, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }
    let aside = new.with_extension("old");
    fs::rename(old, &aside)?;
    fs::rename(new, old)?;
    fs::rename(&aside, new)
}
