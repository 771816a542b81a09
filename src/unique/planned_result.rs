//! `plan_result`: plans from a saved result, without a scan, what to do with its files.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

use super::choice::{order_of, saved_stand_ins};
use super::plan::{FilePlan, FileSum, PlanAction, PlanFiles};
use super::result_files::ResultFiles;
use super::settings::{Keep, UniqueSettings};
use crate::base::error::{Error, Result};
use crate::base::observe::Observer;
use crate::base::setting::Setting;
use crate::documents::document::{DocId, Documents};
use crate::documents::input::{InputSettings, Meter, Shape, path_bytes, peel};
use crate::results::saved::{PairFilter, SavedResult, group_result};
use crate::search::run::Settings;

/// Plans what to do with the files of a result that are duplicates.
///
/// * `filter`: excludes pairs.
///
/// # Errors
/// When the result cannot be read, is a comparison of two sides or of groups, or was saved with higher limits; when a
/// file has changed; when the rule needs the records: [`Keep::Max`] and [`Keep::Min`].
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
    let mut files = ResultFiles::of(result)?;
    if let Some(keep) = unique.keep.iter().find(|keep| !files.have(keep)) {
        let rule = Setting::Keep;
        return Err(fault(format!("it does not have what {rule} {keep} needs; give the PATHs instead of it")));
    }
    let times = if unique.is_by_time() { files.times()? } else { Vec::new() };
    let order = &mut |documents: &mut Documents| {
        let rank = |keep: &Keep| Ok(files.ranks(keep, documents, &times));
        order_of(&unique.keep, rank)
    };
    let grouped = group_result(result, unique.linkage, filter, false, observer, order)?;
    let stand_ins = saved_stand_ins(&grouped);
    let needed: BTreeSet<DocId> = stand_ins.iter().flat_map(|stand_in| [stand_in.document, stand_in.by]).collect();
    for document in needed {
        let file = files.folder.join(&files.files[document.index()]);
        let is_whole = &mut files.is_whole[document.index()];
        *is_whole = *is_whole && !is_container(&file);
    }
    FilePlan::new(action, files.folder.clone(), &grouped.documents, stand_ins, &files)
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
