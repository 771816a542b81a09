//! `Staging`: the unfinished output, written next to its final place and renamed once it is complete and on the disk.
//!
//! Until then nothing has the name of the output. An output that is one file has no name at all until then, where the
//! system has such files, so nothing is left of a run that fails, is cancelled or is killed. Any other unfinished output
//! is deleted when the run fails or is cancelled; a killed run leaves a folder `.NAME.writing-…`, which the next run with
//! the same output deletes.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::layout::Layout;
use super::modes::FolderModes;
use super::settings::WriteSettings;
use crate::base::error::{CorpusError, Error, Result};
use crate::documents::input::Cancel;
use crate::records::{PendingFile, UnfinishedFolder, folder_of};

/// Bytes copied between two checks for cancellation.
const CHUNK: u64 = 64 << 20;

/// The word in the names of unfinished outputs.
const WRITING: &str = "writing";

/// Writes an output into a file without a name, or into a temporary folder.
pub(super) struct Staging<'a> {
    layout: &'a Layout,
    /// The output, if it is one file without a name.
    unnamed: Option<UnnamedFile>,
    /// The temporary folder; `None` in a dry run, and where the output is a file without a name.
    folder: Option<UnfinishedFolder>,
    modes: Mutex<FolderModes>,
    /// The places of symbolic links and their targets.
    links: Mutex<Vec<(PathBuf, PathBuf)>>,
    cancel: &'a Cancel,
}

impl<'a> Staging<'a> {
    /// Begins an output.
    ///
    /// # Errors
    /// When no file can be created in the folder of the output.
    pub(super) fn new(layout: &'a Layout, settings: &WriteSettings, cancel: &'a Cancel) -> io::Result<Self> {
        let (modes, links) = (Mutex::default(), Mutex::default());
        let (mut unnamed, mut folder) = (None, None);
        // A hard link to an input needs a name.
        if !settings.dry_run && layout.is_file && !settings.link {
            UnfinishedFolder::delete_left(&layout.output, WRITING);
            unnamed = PendingFile::linkable_in(folder_of(&layout.output))?.map(UnnamedFile::new);
        }
        if !settings.dry_run && unnamed.is_none() {
            folder = Some(UnfinishedFolder::create(&layout.output, WRITING)?);
        }
        if let Some(folder) = folder.as_ref().filter(|_| !layout.is_file) {
            fs::create_dir(folder.path().join(STAGED))?;
        }
        Ok(Self { layout, unnamed, folder, modes, links, cancel })
    }

    /// The folder or file that becomes the output; `None` in a dry run, and where the output is a file without a name.
    pub(super) fn root(&self) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.path().join(STAGED))
    }

    /// Creates a file at a place below the output.
    ///
    /// # Errors
    /// When the file cannot be created, or the run was cancelled.
    pub(super) fn file(&self, place: &Path) -> io::Result<StagedFile<'_>> {
        let path = self.prepare(place)?;
        let file = match &self.unnamed {
            Some(unnamed) => Some(unnamed.take()?),
            None => path.map(|path| File::options().write(true).create_new(true).open(path)).transpose()?,
        };
        Ok(StagedFile { file, num_bytes: 0, has_failed: false, cancel: self.cancel })
    }

    /// Copies a file byte for byte and returns its length. Blocks are shared where the file system can.
    ///
    /// # Errors
    /// When copying fails, or the run was cancelled.
    pub(super) fn copy(&self, from: &File, metadata: &Metadata, place: &Path) -> io::Result<u64> {
        let mut staged = self.file(place)?;
        let Some(to) = staged.file.as_mut() else { return Ok(metadata.len()) };
        #[cfg(target_os = "linux")]
        let is_shared = metadata.len() > 0 && rustix::fs::ioctl_ficlone(&*to, from).is_ok();
        #[cfg(not(target_os = "linux"))]
        let is_shared = false;
        // An earlier reader may have left any position.
        { from }.rewind()?;
        let num_bytes = if is_shared { metadata.len() } else { copy_bytes(from, to, self.cancel)? };
        keep_attributes(to, metadata, true);
        if num_bytes == metadata.len() { Ok(num_bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Creates a hard link to a file.
    ///
    /// # Errors
    /// When the file system refuses, or the run was cancelled.
    pub(super) fn link(&self, from: &Path, place: &Path) -> io::Result<()> {
        let real = fs::canonicalize(from)?;
        self.prepare(place)?.map_or(Ok(()), |path| fs::hard_link(real, path))
    }

    /// Copies a symbolic link as it is.
    ///
    /// # Errors
    /// When the file system refuses, or the run was cancelled.
    pub(super) fn copy_link(&self, from: &Path, place: &Path) -> io::Result<()> {
        let target = fs::read_link(from)?;
        let Some(path) = self.prepare(place)? else { return Ok(()) };
        symbolic_link(&target, &path)?;
        self.links.lock().expect("no holder panics").push((place.to_owned(), target));
        Ok(())
    }

    /// Number of copied links whose target does not exist relative to their final place; `None` in a dry run.
    pub(super) fn links_nowhere(&self) -> Option<u64> {
        if self.unnamed.is_some() {
            return Some(0);
        }
        let root = self.root()?;
        let output = &self.layout.output;
        let leads_somewhere = |(place, target): &(PathBuf, PathBuf)| {
            let end = plain(&output.join(place).parent().unwrap_or(output).join(target));
            match end.strip_prefix(output) {
                Ok(inside) => fs::symlink_metadata(root.join(inside)).is_ok(),
                Err(_) => fs::metadata(&end).is_ok(),
            }
        };
        let links = self.links.lock().expect("no holder panics");
        Some(links.iter().filter(|link| !leads_somewhere(link)).count() as u64)
    }

    /// Creates an empty folder.
    ///
    /// # Errors
    /// When the file system refuses, or the run was cancelled.
    pub(super) fn folder(&self, place: &Path) -> io::Result<()> {
        self.prepare(place)?.map_or(Ok(()), fs::create_dir_all)
    }

    /// Records that the folders above a place get the permissions of the folders above the source file, once the
    /// output is complete.
    pub(super) fn keep_modes(&self, from: &Path, place: &Path) {
        if self.folder.is_some() && !self.layout.is_file {
            let mut modes = self.modes.lock().expect("no holder panics");
            modes.add(from, place, self.layout.is_one_folder);
        }
    }

    /// Creates the folders above a place and returns the path to write to; `None` in a dry run.
    fn prepare(&self, place: &Path) -> io::Result<Option<PathBuf>> {
        check(self.cancel)?;
        let Some(root) = self.root() else { return Ok(None) };
        if place.as_os_str().is_empty() {
            return Ok(Some(root));
        }
        let path = root.join(place);
        fs::create_dir_all(path.parent().expect("it is below the root"))?;
        Ok(Some(path))
    }

    /// Writes the whole output to the disk, then gives it its final name.
    ///
    /// # Errors
    /// When this fails; then no new output exists.
    pub(super) fn finish(self) -> io::Result<()> {
        check(self.cancel)?;
        let output = &self.layout.output;
        if let Some(UnnamedFile { file, .. }) = self.unnamed {
            let permissions = file.handle()?.metadata()?.permissions();
            return match self.layout.replaces {
                true => file.persist(output, Some(&permissions)),
                false => file.persist_new(output),
            };
        }
        let Some(folder) = &self.folder else { return Ok(()) };
        let root = folder.path().join(STAGED);
        let modes = self.modes.into_inner().expect("no holder panics");
        modes.narrow(&root);
        if self.layout.is_file {
            File::open(&root)?.sync_all()?;
        } else {
            sync_all_below(&root)?;
        }
        if self.layout.replaces {
            // The system replaces a folder only if it is empty.
            fs::rename(&root, output)?;
        } else {
            rename_new(&root, output)?;
        }
        modes.finish(output);
        let parent = output.parent().unwrap_or(Path::new("/"));
        // The output is in place; it is not an error when the system cannot sync a folder.
        let _ = File::open(parent).and_then(|parent| parent.sync_all());
        Ok(())
    }
}

/// An output that is one file, and has no name until it is complete.
struct UnnamedFile {
    file: PendingFile,
    /// Whether the file was written. There is one file, so a second one would be written over it.
    is_taken: AtomicBool,
}

impl UnnamedFile {
    fn new(file: PendingFile) -> Self {
        Self { file, is_taken: AtomicBool::new(false) }
    }

    /// The open file, once.
    fn take(&self) -> io::Result<File> {
        if self.is_taken.swap(true, Ordering::Relaxed) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.file.handle()
    }
}

/// Resolves `.` and `..` in a path by its names only.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

/// Copies the rest of a file in chunks and returns the number of bytes. `io::copy` lets the system copy.
fn copy_bytes(from: &File, to: &mut File, cancel: &Cancel) -> io::Result<u64> {
    let mut num_bytes = 0;
    loop {
        match io::copy(&mut { from }.take(CHUNK), to)? {
            0 => return Ok(num_bytes),
            count => num_bytes += count,
        }
        check(cancel)?;
    }
}

/// The name of the unfinished output in its temporary folder.
const STAGED: &str = "output";

/// A file of the output. Each write first checks for cancellation.
pub(super) struct StagedFile<'a> {
    file: Option<File>,
    pub(super) num_bytes: u64,
    /// Whether a write failed.
    pub(super) has_failed: bool,
    cancel: &'a Cancel,
}

impl StagedFile<'_> {
    /// Sets the permissions of another file.
    pub(super) fn keep_permissions(&self, metadata: &Metadata) {
        if let Some(file) = &self.file {
            keep_attributes(file, metadata, false);
        }
    }
}

impl Write for StagedFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        check(self.cancel)?;
        let written = self.file.as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes));
        self.has_failed |= written.is_err();
        let count = written?;
        self.num_bytes += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn check(cancel: &Cancel) -> io::Result<()> {
    if cancel.is_cancelled() { Err(io::Error::other(Error::Cancelled)) } else { Ok(()) }
}

/// The error of a run whose output cannot be written.
pub(super) fn write_error(layout: &Layout, error: io::Error) -> Error {
    let is_cancelled = error.get_ref().is_some_and(|inner| matches!(inner.downcast_ref(), Some(Error::Cancelled)));
    if is_cancelled {
        Error::Cancelled
    } else {
        Error::Corpus(CorpusError::Unwritable { path: layout.output.clone(), source: error })
    }
}

/// Copies permissions and times; it is not an error when the system refuses them.
fn keep_attributes(to: &File, metadata: &Metadata, with_times: bool) {
    let _ = to.set_permissions(metadata.permissions());
    if let (true, Ok(modified)) = (with_times, metadata.modified()) {
        let _ = to.set_times(fs::FileTimes::new().set_modified(modified));
    }
}

/// Renames a file or folder, unless the new name exists.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {}
            renamed => return renamed.map_err(Into::into),
        }
    }
    match fs::symlink_metadata(to) {
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(from, to),
    }
}

/// Writes all files below a folder to the disk.
fn sync_all_below(root: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        // One call for the file system instead of one for each file.
        rustix::fs::syncfs(File::open(root)?).map_err(Into::into)
    }
    #[cfg(not(target_os = "linux"))]
    {
        walkdir::WalkDir::new(root).into_iter().try_for_each(|entry| {
            let entry = entry?;
            if entry.file_type().is_file() { File::open(entry.path())?.sync_all() } else { Ok(()) }
        })
    }
}

#[cfg(unix)]
fn symbolic_link(target: &Path, link: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(windows)]
fn symbolic_link(target: &Path, link: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_file(target, link)
}

/// Converts an error of the output, reported for the path of the output.
pub(super) fn staged<T>(layout: &Layout, done: io::Result<T>) -> Result<T> {
    done.map_err(|error| write_error(layout, error))
}
