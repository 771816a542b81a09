//! `find_unique_saved`: decides from a saved result and its inputs, without a scan, which documents to remove.
//!
//! The result lists the documents and their positions. The files of the inputs are checked as for a run: every file
//! must be one that the result contains, so that a position is enough to find a document again.

use std::collections::HashSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::choice::{KeepRules, saved_stand_ins};
use super::corpus::{UniqueCorpus, unfit};
use super::fates::Fates;
use super::jobs::{FileJob, Fingerprints, each_job};
use super::plan::working_folder;
use super::settings::UniqueSettings;
use crate::base::error::{CorpusError, Error, Result};
use crate::base::observe::Observer;
use crate::base::setting::Setting;
use crate::documents::document::{DocId, DocSet, Documents};
use crate::documents::input::{InputSettings, path_of};
use crate::results::saved::{PairFilter, ReadingRecord, ResultHeader, SavedResult, group_result};
use crate::search::corpus::{read_member_times, read_values};
use crate::search::run::Settings;
use crate::text::shingle::ShingleSettings;

/// Chooses the representative of each group of duplicates of a saved result, so that the inputs can be written
/// without the others.
///
/// * `settings`: the inputs and how to read them, as in the saved run. The settings of the method are ignored.
/// * `from`: the folder of the saved result.
/// * `filter`: excludes pairs.
///
/// Also returns the number of inputs that the saved run could not use because of an error; above 0, the result is
/// incomplete.
///
/// Reads all inputs once to hash them. Reads them once more for a field that [`Keep::Max`](super::Keep::Max) or [`Keep::Min`](super::Keep::Min) needs, or
/// for the times of archive members that [`Keep::Newest`](super::Keep::Newest) or [`Keep::Oldest`](super::Keep::Oldest) needs. Memory: 100 bytes and the name
/// for each document, up to 44 for the groups, 16 for each pair and 24 for each removed document; 8 bytes and the
/// name for each file.
///
/// # Errors
/// When the result cannot be read, is not a folder, is a comparison of two sides or of groups, or was saved with
/// higher limits; when the inputs are not those that the result lists, or would be read in another way; when no
/// record has the field that the rule needs.
pub fn find_unique_saved(
    settings: &Settings,
    from: &Path,
    unique: &UniqueSettings,
    filter: PairFilter,
    observer: &dyn Observer,
) -> Result<(UniqueCorpus, u64)> {
    let fault = |fault: String| Error::SavedResult { path: from.to_owned(), fault };
    if !from.is_dir() {
        return Err(fault(format!(
            "it does not say which documents there are; name a folder that {} wrote",
            Setting::Save
        )));
    }
    let mut settings = settings.clone();
    settings.input.value_field = unique.field().cloned();
    settings.input.member_times = unique.member_times();
    let pool = settings.thread_pool()?;
    // Fingerprints come before the comparison of hashes, so that no later change is missed.
    let header = ResultHeader::read(from)?;
    check_reading(&header, &settings.input, from)?;
    settings.shingles = ShingleSettings::new(header.shingle()?);
    let prints = Fingerprints::of(settings.corpus().inputs());
    let mut result = SavedResult::open(from)?;
    if !header.copies_are_one_text {
        return Err(fault(format!(
            "it is of two sides or of groups; scan without them and {} the result",
            Setting::Save
        )));
    }
    check_folder(&header, &settings, from)?;
    let known: HashSet<PathBuf> =
        header.inputs.iter().map(|input| path_of(&input.file.to_bytes()).to_owned()).collect();
    let order = &mut |documents: &mut Documents| {
        check_files(&known, documents, &settings, &prints)?;
        if unique.field().is_some()
            && let Some(missing) = read_values(settings.corpus(), &settings.cancel, &pool, documents)?
        {
            let origin = documents.origin(missing).expect("those of a result have origins");
            return Err(unfit(Error::Corpus(CorpusError::Changed(String::from_utf8_lossy(origin.file).into_owned()))));
        }
        if unique.is_by_time() && has_members(documents) {
            read_member_times(settings.corpus(), &settings.cancel, &pool)?;
        }
        let rules = KeepRules { keep: &unique.keep, settings: &settings, prints: &prints };
        rules.order(documents, documents.len())
    };
    let grouped = group_result(&mut result, unique.linkage, filter, true, observer, order)?;
    let stand_ins = saved_stand_ins(&grouped);
    let matched = stand_ins.iter().filter(|_| grouped.is_of_passages);
    let coverages = matched.map(|stand_in| grouped.coverages_of(stand_in.document, stand_in.by)).collect();
    let corpus = UniqueCorpus::new(settings, grouped.documents, stand_ins, prints, None, pool);
    Ok((corpus.with_coverages(coverages), header.errors))
}

/// Refuses a result whose documents are joined from files, or were read in another way than the inputs are.
fn check_reading(header: &ResultHeader, input: &InputSettings, from: &Path) -> Result<()> {
    if header.reading.joins_files() {
        let unit = Setting::Unit;
        let fault =
            format!("its documents are joined from files ({unit}), and none of them is a file; scan without {unit}");
        return Err(Error::SavedResult { path: from.to_owned(), fault });
    }
    match header.reading.difference(&ReadingRecord::of(input)) {
        Some(difference) => Err(Error::SavedReading { path: from.to_owned(), difference }),
        None => Ok(()),
    }
}

/// Whether any document may be a member of an archive.
fn has_members(documents: &Documents) -> bool {
    let file = |document| documents.origin(DocId::new(document)).map_or(&[][..], |origin| origin.file);
    (0..documents.len()).any(|document| file(document).contains(&b'!'))
}

/// Checks that relative names start from the folder of the scan.
fn check_folder(header: &ResultHeader, settings: &Settings, from: &Path) -> Result<()> {
    let folder = header.folder.to_bytes();
    let folder = path_of(&folder);
    let is_here = || Ok::<_, Error>(fs::canonicalize(folder).ok() == fs::canonicalize(working_folder()?).ok());
    let mut paths = settings.input.paths.iter().chain(&settings.input.listed);
    if paths.all(|path| path.is_absolute()) || is_here()? {
        return Ok(());
    }
    let fault = format!("its names are seen from {}; run the command there", folder.display());
    Err(Error::SavedResult { path: from.to_owned(), fault })
}

/// Checks that the inputs are the files of the result and hold its documents in the same order.
fn check_files(
    known: &HashSet<PathBuf>,
    documents: &Documents,
    settings: &Settings,
    prints: &Fingerprints,
) -> Result<()> {
    let none = DocSet::new(documents.len());
    let checked = each_job(
        settings.corpus().inputs(),
        Fates::new(documents, &none),
        prints,
        false,
        &mut |FileJob { path, metadata, documents, .. }| {
            let is_known = metadata.is_none() || known.contains(&path);
            // A file that holds no document and still cannot be read is skipped.
            if is_known || documents.is_empty() && File::open(&path).is_err() {
                return Ok(());
            }
            let fault = "it is new, or other settings excluded it when the result was saved".to_owned();
            Err(Error::InputChanged { path, fault })
        },
    );
    checked.map(drop).map_err(unfit)
}
