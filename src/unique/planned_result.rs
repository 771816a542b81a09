//! `plan_result`: a saved result in, the plan for its files out, without a scan.

use std::collections::{HashMap, HashSet};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::choice::{ranks, saved_stand_ins};
use super::plan::{FilePlan, FileSum, PlanAction, PlanFiles};
use super::settings::{Keep, UniqueSettings};
use crate::clusters::CentreOrder;
use crate::document::{DocId, Documents};
use crate::error::{Error, Result};
use crate::input::path_of;
use crate::observe::Observer;
use crate::results::{PairFilter, SavedResult, each_document, group_result};

/// Where the documents of a result come from: 24 bytes for each, and the names of files.
#[derive(Default)]
struct ResultFiles {
    /// The file of each document, as [`Origin`](crate::Origin) has it.
    files: Vec<PathBuf>,
    /// Whether the document is the whole file.
    is_whole: Vec<bool>,
    /// The hashes of inputs.
    hashes: HashMap<PathBuf, String>,
}

/// Plans what to do with the files of a result that others stand for.
///
/// * `filter`: leaves out pairs.
///
/// # Errors
/// When the result cannot be read, is of two sides or of groups, or was saved with higher limits; when a file is not what it
/// was; and when the choice needs what is in the texts: [`Keep::Longest`], [`Keep::Shortest`], [`Keep::Max`] and [`Keep::Min`].
pub fn plan_result(
    result: &mut SavedResult,
    unique: &UniqueSettings,
    filter: PairFilter,
    action: PlanAction,
    observer: &dyn Observer,
) -> Result<FilePlan> {
    let fault = |fault: &str| Error::SavedResult { path: result.path().to_owned(), fault: fault.to_owned() };
    let Some(header) = result.header() else {
        return Err(fault("it does not say which files were read; name a folder that --save wrote"));
    };
    if !header.copies_are_one_text {
        return Err(fault("it is of two sides or of groups; scan without them and --save the result"));
    }
    if matches!(unique.keep, Keep::Longest | Keep::Shortest | Keep::Max(_) | Keep::Min(_)) {
        return Err(fault("it does not have what --keep asks for; give the PATHs in its place"));
    }
    let folder = path_of(&header.folder.to_bytes()).to_owned();
    let inputs = header.inputs.iter().map(|input| (path_of(&input.file.to_bytes()).to_owned(), input.hash.clone()));
    let mut files = ResultFiles { hashes: inputs.collect(), ..ResultFiles::default() };
    let (mut seen, mut twice) = (HashSet::new(), HashSet::new());
    each_document(result, &mut |record| {
        let source = record.source.as_ref();
        let file = path_of(&source.map_or(&record.name, |source| &source.file).to_bytes()).to_owned();
        let is_record = source.is_none_or(|source| source.line.is_some() || source.row.is_some());
        if !is_record && !seen.insert(file.clone()) {
            twice.insert(file.clone());
        }
        files.is_whole.push(!is_record && files.hashes.contains_key(&file));
        files.files.push(file);
        Ok(())
    })?;
    // A member of an archive may have the name of a file beside the archive.
    for (is_whole, file) in files.is_whole.iter_mut().zip(&files.files) {
        *is_whole &= !twice.contains(file);
    }
    let order = &mut |documents: &mut Documents| Ok(keep_order(&unique.keep, documents, &files.files, &folder));
    let grouped = group_result(result, unique.linkage, filter, false, observer, order)?;
    FilePlan::new(action, folder, &grouped.documents, saved_stand_ins(&grouped), &files)
}

/// The order in which documents stand for others, as [`keep_order`](super::choice::keep_order) has it for a run.
fn keep_order(keep: &Keep, documents: &Documents, files: &[PathBuf], folder: &Path) -> CentreOrder {
    let len = documents.len();
    CentreOrder::by_rank(match keep {
        Keep::Last => (0..len as u32).map(|document| u32::MAX - document).collect(),
        Keep::Newest => {
            let time = |file: &PathBuf| {
                let place = folder.join(file);
                // A record has the time of its file, a member that of its archive.
                let found = place.ancestors().find_map(|place| fs::metadata(place).ok().filter(Metadata::is_file));
                found.and_then(|metadata| metadata.modified().ok()).unwrap_or(SystemTime::UNIX_EPOCH)
            };
            let times: Vec<SystemTime> = files.iter().map(time).collect();
            ranks(len, |document| std::cmp::Reverse(times[document]))
        }
        Keep::PathOrder => ranks(len, |document| documents.name(DocId::new(document))),
        Keep::Matching(glob) => files.iter().map(|file| u32::from(!glob.matches(file, 0))).collect(),
        _ => return CentreOrder::of_documents(),
    })
}

impl PlanFiles for ResultFiles {
    fn path(&self, document: DocId) -> Option<&Path> {
        self.is_whole[document.index()].then(|| self.files[document.index()].as_path())
    }

    fn check(&self, document: DocId, _: &Metadata, sum: io::Result<FileSum>) -> Result<FileSum> {
        let file = &self.files[document.index()];
        let fault = |fault: String| Error::InputChanged { path: file.clone(), fault };
        let sum = sum.map_err(|error| fault(error.to_string()))?;
        if format!("{:032x}", sum.xxh3) != self.hashes[file] {
            return Err(fault("it has other bytes than when the result was saved".to_owned()));
        }
        Ok(sum)
    }
}
