//! `Layout`: where each input goes in the output, and whether the output is fit for it.
//!
//! One file becomes the output itself, and so does one folder. So do files of records, if the output's name says another format.
//! Several inputs are written into the output under their last names, as `cp -r a b out` has it; paths of a list keep all of their
//! folders.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::form::OutputForm;
use super::settings::WriteSettings;
use crate::base::error::{CorpusError, Error, Result};
use crate::documents::input::InputSettings;

/// Why an input that can be read once only has no place in an output.
const NOT_STORED: &str =
    "standard input, pipes and devices cannot be read a second time to be written without duplicates";

/// Where the inputs go.
#[derive(Debug)]
pub(super) struct Layout {
    /// The output, with the links of its folder followed.
    pub(super) output: PathBuf,
    pub(super) is_file: bool,
    /// Whether there is something that is replaced.
    pub(super) replaces: bool,
    /// Whether the output is a folder that one input becomes.
    pub(super) is_one_folder: bool,
    pub(super) form: OutputForm,
    /// The place of each argument in the output.
    bases: Vec<PathBuf>,
}

impl Layout {
    /// # Errors
    /// When the output exists and is not to be replaced, or is a folder with something in it, an input lies in it or it in an input,
    /// its name says a form that it cannot have, or two inputs have one place.
    pub(super) fn new(input: &InputSettings, write: &WriteSettings) -> Result<Self> {
        if write.dry_run && write.output.as_os_str().is_empty() {
            return Self::without_output(input);
        }
        let failed = |source| Error::Corpus(CorpusError::Unwritable { path: write.output.clone(), source });
        let output = place_of(&write.output).map_err(failed)?;
        let arguments = input.paths.iter().chain(&input.listed);
        for path in arguments.clone() {
            check_stored(path, NOT_STORED)?;
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
            Ok(_) if !write.force => return Err(Error::Corpus(CorpusError::Exists { path: write.output.clone() })),
            Ok(found) if found.is_dir() == is_file => {
                let kind = if is_file { io::ErrorKind::IsADirectory } else { io::ErrorKind::NotADirectory };
                return Err(failed(kind.into()));
            }
            // Whatever it is: nobody gets a folder back that was taken for an older output.
            Ok(_) if !is_file && !is_empty_folder(&output).map_err(failed)? => {
                return Err(Error::Corpus(CorpusError::NotEmpty { path: write.output.clone() }));
            }
            Ok(_) => true,
        };
        let is_one = is_file || is_single;
        let bases = if is_one { vec![PathBuf::new(); arguments.count()] } else { bases(input)? };
        Ok(Self { output, is_file, replaces, is_one_folder: is_single && !is_file, form, bases })
    }

    /// Of a run that writes nothing and names no output.
    fn without_output(input: &InputSettings) -> Result<Self> {
        input.paths.iter().chain(&input.listed).try_for_each(|path| check_stored(path, NOT_STORED))?;
        let is_single = input.paths.len() == 1 && input.listed.is_empty();
        let bases = vec![PathBuf::new(); input.paths.len() + input.listed.len()];
        let is_file = is_single && !input.paths[0].is_dir();
        let form = if is_file { OutputForm::OneFile(None) } else { OutputForm::Folder };
        let (output, is_one_folder) = (PathBuf::new(), is_single && !is_file);
        Ok(Self { output, is_file, replaces: false, is_one_folder, form, bases })
    }

    /// The place of a file below the output; empty when it is the output.
    pub(super) fn place(&self, argument: usize, inside: &Path) -> PathBuf {
        if self.is_file {
            return PathBuf::new();
        }
        // To join an empty path would add a slash.
        if inside.as_os_str().is_empty() { self.bases[argument].clone() } else { self.bases[argument].join(inside) }
    }
}

/// The error of a hard link that cannot be.
pub(super) fn across_devices(input: &Path, output: &Path) -> Error {
    Error::Corpus(CorpusError::LinkAcrossDevices { input: input.to_owned(), output: output.to_owned() })
}

/// Whether a file, or what is in a folder, can have no hard link in an output.
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

/// The real path of what may not be there yet.
fn place_of(output: &Path) -> io::Result<PathBuf> {
    if let Ok(real) = fs::canonicalize(output) {
        return Ok(real);
    }
    let name = output.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::canonicalize(folder)?.join(name))
}

/// * `why`: what the error says.
///
/// # Errors
/// When an input can be read once only.
pub(super) fn check_stored(path: &Path, why: &'static str) -> Result<()> {
    let is_stored =
        path != Path::new("-") && fs::metadata(path).map_or(true, |found| found.is_file() || found.is_dir());
    if is_stored {
        return Ok(());
    }
    Err(Error::Corpus(CorpusError::NoPlace {
        path: path.to_owned(),
        why: why.into(),
        remedy: "save it as a file first".into(),
    }))
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
            // The walk takes a file once.
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

/// The last name of a path.
fn last_base(path: &Path) -> Option<PathBuf> {
    match path.components().next_back() {
        Some(Component::Normal(name)) => Some(name.into()),
        _ => fs::canonicalize(path).ok()?.file_name().map(PathBuf::from),
    }
}

/// All names of a path.
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
