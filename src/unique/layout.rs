//! `Layout`: where each input goes in the output, and whether the output suits the inputs.
//!
//! A single file or a single folder becomes the output itself. Files of records become one file if the output's name
//! has the extension of another format. Several inputs are written into the output under their last names, as by `cp
//! -r`; paths of a list keep all of their folders.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::form::OutputForm;
use super::settings::WriteSettings;
use crate::base::error::{CorpusError, Error, Result};
use crate::documents::input::{Compared, InputSettings};

/// Why an input that can be read only once cannot be written to an output.
const NOT_STORED: &str =
    "standard input, pipes and devices cannot be read a second time to be written without duplicates";

/// The place of each input in the output.
#[derive(Debug)]
pub(super) struct Layout {
    /// The output path, with links in its parent folder resolved.
    pub(super) output: PathBuf,
    pub(super) is_file: bool,
    /// Whether an existing file or empty folder is replaced.
    pub(super) replaces: bool,
    /// Whether the only input is a folder, which becomes the output.
    pub(super) is_one_folder: bool,
    pub(super) form: OutputForm,
    /// The place of each argument in the output.
    bases: Vec<PathBuf>,
}

impl Layout {
    /// # Errors
    /// When the output exists and must not be replaced, or is a folder that is not empty; when an input lies in the
    /// output or the output in an input; when the output's name has the extension of a format that it cannot have;
    /// when two inputs have the same place.
    pub(super) fn new(input: &InputSettings, write: &WriteSettings) -> Result<Self> {
        if write.dry_run && write.output.as_os_str().is_empty() {
            return Self::without_output(input);
        }
        let failed = |source| Error::Corpus(CorpusError::Unwritable { path: write.output.clone(), source });
        let output = place_of(&write.output).map_err(failed)?;
        let arguments = input.paths.iter().chain(&input.listed);
        arguments.clone().try_for_each(|path| check_stored(path, NOT_STORED))?;
        let others = input.against.iter().flat_map(|against| against.paths.iter().chain(&against.listed));
        check_apart(input)?;
        for path in arguments.clone().chain(others) {
            let Ok(real) = fs::canonicalize(path) else { continue };
            let overlaps = |inner: &Path, outer: &Path| {
                Err(Error::Corpus(CorpusError::Overlaps { inner: inner.to_owned(), outer: outer.to_owned() }))
            };
            if output.starts_with(&real) {
                return overlaps(&write.output, path);
            }
            if real.starts_with(&output) {
                return overlaps(path, &write.output);
            }
        }
        if write.link {
            let is_across = |path: &&PathBuf| is_on_another_device(path, &output);
            if let Some(path) = arguments.clone().find(is_across) {
                return Err(across_devices(path, &write.output));
            }
        }
        let is_single = input.paths.len() == 1 && input.listed.is_empty();
        let form = OutputForm::of(input, write)?;
        let is_file = !matches!(form, OutputForm::Folder);
        let replaces = match fs::symlink_metadata(&output) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(failed(error)),
            // Renaming a file to their place would remove them.
            Ok(found) if is_special(&found) || fs::metadata(&output).is_ok_and(|found| is_special(&found)) => {
                return Err(Error::Corpus(CorpusError::Special { path: write.output.clone() }));
            }
            Ok(_) if !write.force => return Err(Error::Corpus(CorpusError::Exists { path: write.output.clone() })),
            Ok(found) if found.is_dir() == is_file => {
                let kind = if is_file { io::ErrorKind::IsADirectory } else { io::ErrorKind::NotADirectory };
                return Err(failed(kind.into()));
            }
            // Even with `force`: a folder deleted by mistake cannot be restored.
            Ok(_) if !is_file && !is_empty_folder(&output).map_err(failed)? => {
                return Err(Error::Corpus(CorpusError::NotEmpty { path: write.output.clone() }));
            }
            Ok(_) => true,
        };
        let is_one = is_file || is_single;
        let bases = if is_one { vec![PathBuf::new(); arguments.count()] } else { bases(input)? };
        Ok(Self { output, is_file, replaces, is_one_folder: is_single && !is_file, form, bases })
    }

    /// The layout of a dry run without an output path.
    fn without_output(input: &InputSettings) -> Result<Self> {
        input.paths.iter().chain(&input.listed).try_for_each(|path| check_stored(path, NOT_STORED))?;
        check_apart(input)?;
        let is_single = input.paths.len() == 1 && input.listed.is_empty();
        let bases = vec![PathBuf::new(); input.paths.len() + input.listed.len()];
        let is_file = is_single && !input.paths[0].is_dir();
        let form = if is_file { OutputForm::OneFile(None) } else { OutputForm::Folder };
        let (output, is_one_folder) = (PathBuf::new(), is_single && !is_file);
        Ok(Self { output, is_file, replaces: false, is_one_folder, form, bases })
    }

    /// The place of a file relative to the output; empty if the file becomes the output.
    pub(super) fn place(&self, argument: usize, inside: &Path) -> PathBuf {
        if self.is_file {
            return PathBuf::new();
        }
        // Joining an empty path would add a slash.
        if inside.as_os_str().is_empty() { self.bases[argument].clone() } else { self.bases[argument].join(inside) }
    }
}

/// Checks that no input is also one of the other documents of the same corpus: each common document would be removed as
/// a copy of itself.
///
/// # Errors
/// When an input is, contains, or lies in one of the others.
fn check_apart(input: &InputSettings) -> Result<()> {
    let Some(against) = input.against.as_ref().filter(|against| against.compared == Compared::All) else {
        return Ok(());
    };
    let real = |path| fs::canonicalize(path).ok();
    let others = || against.paths.iter().chain(&against.listed);
    let outside: HashMap<PathBuf, &PathBuf> = others().filter_map(|path| Some((real(path)?, path))).collect();
    let inside: HashSet<PathBuf> = input.paths.iter().chain(&input.listed).filter_map(real).collect();
    let of_input = inside.iter().find_map(|path| path.ancestors().find_map(|folder| outside.get(folder).copied()));
    let is_in_input = |path: &PathBuf| path.ancestors().any(|folder| inside.contains(folder));
    let of_others = || others().find(|path| real(*path).is_some_and(|path| is_in_input(&path)));
    of_input.or_else(of_others).map_or(Ok(()), |path| {
        Err(Error::Corpus(CorpusError::NoPlace {
            path: path.clone(),
            why: "has documents that are also to be written".into(),
            remedy: "give paths that do not overlap".into(),
        }))
    })
}

/// Whether something is a device, a pipe or a socket.
fn is_special(found: &fs::Metadata) -> bool {
    !found.is_file() && !found.is_dir() && !found.is_symlink()
}

/// The error for a hard link between two devices.
pub(super) fn across_devices(input: &Path, output: &Path) -> Error {
    Error::Corpus(CorpusError::LinkAcrossDevices { input: input.to_owned(), output: output.to_owned() })
}

/// Whether an input lies on another device than the output, so that hard links are impossible.
#[cfg(unix)]
fn is_on_another_device(input: &Path, output: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let device = |path: &Path| fs::metadata(path).ok().map(|metadata| metadata.dev());
    let above = output.parent().unwrap_or(Path::new("/"));
    device(input).zip(device(above)).is_some_and(|(input, output)| input != output)
}

#[cfg(not(unix))]
fn is_on_another_device(_: &Path, _: &Path) -> bool {
    false
}

fn is_empty_folder(path: &Path) -> io::Result<bool> {
    Ok(fs::read_dir(path)?.next().is_none())
}

/// The canonical path of a file that may not exist yet.
fn place_of(output: &Path) -> io::Result<PathBuf> {
    if let Ok(real) = fs::canonicalize(output) {
        return Ok(real);
    }
    let name = output.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(folder)?.join(name))
}

/// Checks that an input can be read more than once.
///
/// * `why`: the reason that the error gives.
///
/// # Errors
/// When an input can be read only once.
pub(super) fn check_stored(path: &Path, why: &'static str) -> Result<()> {
    if is_stored(path) {
        return Ok(());
    }
    Err(Error::Corpus(CorpusError::NoPlace {
        path: path.to_owned(),
        why: why.into(),
        remedy: "save it as a file first".into(),
    }))
}

/// Whether an input can be read more than once, unlike standard input, pipes and devices.
pub(super) fn is_stored(path: &Path) -> bool {
    path != Path::new("-") && fs::metadata(path).map_or(true, |found| found.is_file() || found.is_dir())
}

fn bases(input: &InputSettings) -> Result<Vec<PathBuf>> {
    let mut taken: HashMap<PathBuf, &Path> = HashMap::new();
    let named = input.paths.iter().map(|path| (path, false));
    let all = named.chain(input.listed.iter().map(|path| (path, true)));
    all.map(|(path, is_listed)| {
        let base = if is_listed { whole_base(path) } else { last_base(path) };
        let base = base.ok_or_else(|| {
            Error::Corpus(CorpusError::NoPlace {
                path: path.clone(),
                why: "it has no name to stand under in the output".into(),
                remedy: "give it by another path, without `..`".into(),
            })
        })?;
        match taken.insert(base.clone(), path) {
            // The walk visits a file only once.
            Some(before) if fs::canonicalize(before).ok() != fs::canonicalize(path).ok() => {
                Err(Error::Corpus(CorpusError::NoPlace {
                    path: path.clone(),
                    why: "another input has this name in the output".into(),
                    remedy: "rename one of them, or write them one by one".into(),
                }))
            }
            _ => Ok(base),
        }
    })
    .collect()
}

/// The last component of a path; the path is resolved first if that is not a plain name, as in `..`.
fn last_base(path: &Path) -> Option<PathBuf> {
    match path.components().next_back() {
        Some(Component::Normal(name)) => Some(name.into()),
        _ => fs::canonicalize(path).ok()?.file_name().map(PathBuf::from),
    }
}

/// All components of a relative or absolute path; `None` if one is `..`.
fn whole_base(path: &Path) -> Option<PathBuf> {
    let mut base = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => base.push(name),
            Component::ParentDir => return None,
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    (!base.as_os_str().is_empty()).then_some(base)
}
