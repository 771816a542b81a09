//! `plan_result`: plans from a saved result, without a scan, what to do with its files.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::choice::{by_time, order_of, ranks, saved_stand_ins};
use super::plan::{FilePlan, FileSum, PlanAction, PlanFiles};
use super::settings::{Keep, UniqueSettings};
use crate::base::error::{Error, Result};
use crate::base::observe::Observer;
use crate::base::setting::Setting;
use crate::compare::clusters::CentreOrder;
use crate::documents::document::{DocId, Documents};
use crate::documents::input::{InputSettings, MemberTimes, Meter, Shape, path_bytes, path_of, peel};
use crate::results::saved::{PairFilter, SavedResult, each_document, group_result};
use crate::search::corpus::read_member_times;
use crate::search::run::Settings;

/// The files of the documents of a result. Needs 24 bytes for each document, and the names of files.
#[derive(Default)]
struct ResultFiles {
    /// The file of each document, as in [`Origin`](crate::documents::Origin).
    files: Vec<PathBuf>,
    /// Whether each document is a whole file.
    is_whole: Vec<bool>,
    /// The hashes of the input files.
    hashes: HashMap<PathBuf, String>,
}

/// Plans what to do with the files of a result that are duplicates.
///
/// * `filter`: excludes pairs.
///
/// # Errors
/// When the result cannot be read, is a comparison of two sides or of groups, or was saved with higher limits; when a
/// file has changed; when the rule needs the texts: [`Keep::Longest`], [`Keep::Shortest`], [`Keep::Max`] and
/// [`Keep::Min`].
pub fn plan_result(
    result: &mut SavedResult,
    unique: &UniqueSettings,
    filter: PairFilter,
    action: PlanAction,
    observer: &dyn Observer,
) -> Result<FilePlan> {
    let fault = |fault: String| Error::SavedResult { path: result.path().to_owned(), fault };
    let Some(header) = result.header() else {
        return Err(fault(format!(
            "it does not say which files were read; name a folder that {} wrote",
            Setting::Save
        )));
    };
    if !header.copies_are_one_text {
        return Err(fault(format!(
            "it is of two sides or of groups; scan without them and {} the result",
            Setting::Save
        )));
    }
    if header.reading.joins_files() {
        let unit = Setting::Unit;
        return Err(fault(format!(
            "its documents are joined from files ({unit}), and none of them is a file; scan without {unit}"
        )));
    }
    let needs_texts = |keep: &Keep| matches!(keep, Keep::Longest | Keep::Shortest | Keep::Max(_) | Keep::Min(_));
    if unique.keep.iter().any(needs_texts) {
        return Err(fault(format!("it does not have what {} asks for; give the PATHs in its place", Setting::Keep)));
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
    // A member of an archive may have the same name as a file next to the archive.
    for (is_whole, file) in files.is_whole.iter_mut().zip(&files.files) {
        *is_whole &= !twice.contains(file);
    }
    let order = &mut |documents: &mut Documents| keep_order(unique, documents, &files, &folder);
    let grouped = group_result(result, unique.linkage, filter, false, observer, order)?;
    let stand_ins = saved_stand_ins(&grouped);
    let needed: BTreeSet<DocId> = stand_ins.iter().flat_map(|stand_in| [stand_in.document, stand_in.by]).collect();
    for document in needed {
        let file = folder.join(&files.files[document.index()]);
        let is_whole = &mut files.is_whole[document.index()];
        *is_whole = *is_whole && !is_container(&file);
    }
    FilePlan::new(action, folder, &grouped.documents, stand_ins, &files)
}

/// The order in which documents are preferred as representatives, like [`KeepRules`](super::choice::KeepRules) for a run.
fn keep_order(
    unique: &UniqueSettings,
    documents: &Documents,
    files: &ResultFiles,
    folder: &Path,
) -> Result<CentreOrder> {
    let len = documents.len();
    let times = if unique.is_by_time() { files.member_times(folder)? } else { MemberTimes::default() };
    let rank = |keep: &Keep| match keep {
        Keep::Last => (0..len as u32).map(|document| u32::MAX - document).collect(),
        Keep::Newest | Keep::Oldest => {
            let times: Vec<_> = files.files.iter().map(|file| files.time(file, folder, &times)).collect();
            by_time(keep, &times)
        }
        Keep::PathOrder => ranks(len, |document| documents.name(DocId::new(document))),
        Keep::Matching(glob) => files.files.iter().map(|file| u32::from(!glob.matches(file, 0))).collect(),
        _ => (0..len as u32).collect(),
    };
    order_of(&unique.keep, |keep| Ok(rank(keep)))
}

impl ResultFiles {
    /// The input that is an archive with this member, if any.
    fn archive_of(&self, file: &Path) -> Option<&Path> {
        let name = path_bytes(file);
        let input = |end| self.hashes.get_key_value(path_of(&name[..end]));
        memchr::memrchr_iter(b'!', name).find_map(input).map(|(path, _)| path.as_path())
    }

    /// Reads the times of the members of the archives among the inputs.
    fn member_times(&self, folder: &Path) -> Result<MemberTimes> {
        let archives: BTreeSet<&Path> = self.files.iter().filter_map(|file| self.archive_of(file)).collect();
        let times = MemberTimes::collected();
        if !archives.is_empty() {
            let mut input = InputSettings::of(archives.into_iter().map(|archive| folder.join(archive)).collect());
            input.member_times = times.clone();
            let settings = Settings::of(input);
            read_member_times(settings.corpus(), &settings.cancel, &settings.thread_pool()?)?;
        }
        Ok(times)
    }

    /// The time at which a file or member was modified.
    fn time(&self, file: &Path, folder: &Path, times: &MemberTimes) -> Option<SystemTime> {
        let modified = |file: &Path| fs::metadata(file).ok().filter(Metadata::is_file)?.modified().ok();
        let place = folder.join(file);
        modified(&place)
            .or_else(|| times.of_member(path_bytes(&place)))
            .or_else(|| modified(&folder.join(self.archive_of(file)?)))
    }
}

/// Whether a file is mail or a web crawl, which may hold parts that were not compared.
fn is_container(path: &Path) -> bool {
    let settings = Settings::of(InputSettings::of(Vec::new()));
    let (inputs, meter) = (settings.corpus().inputs(), Meter::new(None, 0));
    let shape_of = |file| peel(inputs, path_bytes(path), false, Box::new(file), &meter).map(|peeled| peeled.shape);
    fs::File::open(path).and_then(shape_of).is_ok_and(|shape| shape == Shape::Container)
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
