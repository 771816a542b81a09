//! `overlap_result`: finds which groups of documents copy each other, from the pairs of a saved folder.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::documents::ResultDocuments;
use super::filter::PairFilter;
use super::header::ResultHeader;
use super::reader::SavedResult;
use crate::base::error::{Error, Result};
use crate::base::observe::Observer;
use crate::base::setting::Setting;
use crate::documents::document::{DocId, GroupBy, Groups, Scope, host_of};
use crate::documents::input::path_of;
use crate::records::{DocumentRecord, PairSide};
use crate::search::corpus::{folder_key, name_of_folder};
use crate::search::run::{GroupOverlaps, OverlapBuilder, OverlapSummary};

/// Finds which groups of the documents of a result have pairs in common.
///
/// * `by`: the rule that puts documents into groups. A result has no fields of records.
/// * `roots`: the folders and archives that were the inputs of the run; folders are counted from them.
/// * `filter`: selects the pairs to use.
///
/// # Errors
/// When the result cannot be read, has no list of documents, has no pairs that are needed here, or was saved with higher
/// limits than the filter's.
pub fn overlap_result(
    result: &mut SavedResult,
    by: &GroupBy,
    roots: &[PathBuf],
    filter: PairFilter,
    observer: &dyn Observer,
) -> Result<(GroupOverlaps, OverlapSummary)> {
    result.check(&filter)?;
    let path = result.path().to_owned();
    let header = checked_header(result, by).map_err(|fault| Error::SavedResult { path: path.clone(), fault })?;
    let copies_are_one_text = header.copies_are_one_text;
    let files = header.inputs.iter().map(|input| input.file.to_bytes()).collect();
    let mut groups = SavedGroups { by, roots, files, numbers: HashMap::new(), names: Vec::new() };
    let mut of = Vec::new();
    let mut documents = ResultDocuments::of(result, false, &mut |record| of.push(groups.group(record)))?;
    let groups = Groups { of: of.into(), within: false, names: groups.names.into() };
    let scope = Scope::new(documents.documents.len(), None, Some(groups));
    // The documents of each group that have this text, the first one of each group; only needed where pairs of copies may
    // be missing.
    let mut by_text: HashMap<u128, Vec<DocId>> = HashMap::new();
    if copies_are_one_text {
        documents.documents.group_copies(scope)?;
        let firsts = documents.documents.with_text().filter(|&document| documents.documents.is_first(document));
        firsts.for_each(|first| by_text.entry(documents.documents.content(first)).or_default().push(first));
    } else {
        documents.documents.set_scope(scope);
    }
    let mut builder = OverlapBuilder::default();
    for texts in by_text.values().filter(|texts| texts.len() > 1) {
        for (at, &a) in texts.iter().enumerate() {
            texts[at + 1..].iter().try_for_each(|&b| builder.add(&documents.documents, a, b))?;
        }
    }
    result.for_each_of(&filter, observer, &mut |_, pair| {
        let (a, b) = (documents.id(&pair.a, PairSide::A, &path)?, documents.id(&pair.b, PairSide::B, &path)?);
        if !copies_are_one_text {
            return builder.add(&documents.documents, a, b);
        }
        let texts = [a, b].map(|document| documents.documents.content(document));
        let [of_a, of_b] = texts.map(|text| by_text.get(&text).map_or(&[][..], Vec::as_slice));
        // The pair of the first documents represents all pairs of the two texts.
        if texts[0] == texts[1] || of_a.first() != Some(&a) || of_b.first() != Some(&b) {
            return Ok(());
        }
        let mut all = of_a.iter().flat_map(|&a| of_b.iter().map(move |&b| (a, b)));
        all.try_for_each(|(a, b)| builder.add(&documents.documents, a, b))
    })?;
    Ok(builder.finish(&documents.documents))
}

/// The header of a result whose documents can be put into groups; the fault of another result.
fn checked_header<'r>(result: &'r SavedResult, by: &GroupBy) -> std::result::Result<&'r ResultHeader, String> {
    let Some(header) = result.header() else {
        let save = Setting::Save;
        return Err(format!("it has no list of documents, so their number is unknown; use a folder that {save} wrote"));
    };
    if header.leaves_out() && !header.copies_are_one_text {
        let (groups, old, copies) = (Setting::Groups, Setting::Old, Setting::CollapseExact);
        return Err(format!("{groups}, {old} or {copies} hid pairs when it was saved; scan again without them"));
    }
    match by {
        GroupBy::Field(name) => {
            let from = Setting::From;
            Err(format!("it has no fields of records, such as `{name}`; give the inputs instead of {from}"))
        }
        _ => Ok(header),
    }
}

/// Puts the documents of a saved folder into groups.
struct SavedGroups<'a> {
    by: &'a GroupBy,
    roots: &'a [PathBuf],
    /// The input files of the run.
    files: HashSet<Vec<u8>>,
    numbers: HashMap<Vec<u8>, u32>,
    names: Vec<Box<[u8]>>,
}

impl SavedGroups<'_> {
    /// The file that contains a document, and the length of the path of its archive if it is in one.
    fn place(&self, record: &DocumentRecord) -> (Vec<u8>, Option<usize>) {
        let file = record.source.as_ref().map_or_else(|| record.name.to_bytes(), |source| source.file.to_bytes());
        let mut ends = file.iter().enumerate().filter(|&(_, byte)| *byte == b'!').map(|(at, _)| at);
        let archive = ends.find(|&end| self.files.contains(&file[..end]));
        (file, archive)
    }

    fn group(&mut self, record: &DocumentRecord) -> u32 {
        let name = record.name.to_bytes();
        let key = match self.by {
            GroupBy::Folder { depth } => {
                let (file, archive) = self.place(record);
                let is_inside = |root: &&PathBuf| match archive {
                    Some(end) => path_of(&file[..end]).starts_with(root),
                    None => is_below(path_of(&file), root),
                };
                let root = self.roots.iter().filter(is_inside).max_by_key(|root| root.as_os_str().len());
                Some(folder_key(&file, archive, root.map(PathBuf::as_path), *depth))
            }
            GroupBy::Archive => {
                let (file, archive) = self.place(record);
                archive.map(|end| file[..end].to_vec())
            }
            GroupBy::Host => host_of(&name),
            GroupBy::Name(expression) => GroupBy::matched(expression, &name).map(<[u8]>::to_vec),
            GroupBy::Field(_) => None,
        };
        let next = self.names.len() as u32;
        let Some(key) = key else {
            self.names.push(name.into());
            return next;
        };
        let is_folder = matches!(self.by, GroupBy::Folder { .. });
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        self.names.push(if is_folder { name_of_folder(&key) } else { &key }.into());
        self.numbers.insert(key, next);
        next
    }
}

/// Whether a file is in a folder. A file that is an input itself is not.
fn is_below(file: &Path, folder: &Path) -> bool {
    file != folder && file.starts_with(folder)
}
