//! Walks the given paths and cuts the files into pieces of work, in document order.
//!
//! Arguments keep their order. Inside a folder the order is by the bytes of the relative path, component by component.
//! A file that is reached twice is one document, at its first place.

pub(super) mod folder;
pub(super) mod gitignore;
pub(super) mod seen;
pub(super) mod tree;
mod old;
mod own;
mod walked;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, mpsc};
use std::thread;

use walkdir::DirEntry;

use self::folder::{entries, is_fifo, named_below, wants};
use self::gitignore::IgnoredFiles;
use self::old::OtherRoots;
use self::seen::Seen;
pub(crate) use self::walked::Walked;
use super::bytes::decode::Decoding;
use super::earlier_outputs::is_written;
use super::formats::format::Format;
use super::globs::Globs;
use super::paths::{path_bytes, unusable, walk_problem};
use super::piece::{Budget, Piece, PieceKind};
use super::settings::Inputs;
use super::streams::spool::Sources;
use super::unpack::job::{Job, QUEUE, Unpacking};
use super::unpack::json_probe::{JsonProbe, begins_as_array};
use super::unpack::{unpack_all, unpack_one};
use crate::base::error::Error;
use crate::base::problem::{Problem, Reason};
use crate::base::setting::Setting;
use crate::documents::document::GroupBy;

/// Maximum number of files in a piece.
const FILES_PER_PIECE: usize = 64;
/// Number of pieces after which the next pieces may hold one more file each. The first pieces are small, because a few
/// large files should not wait for one another.
const PIECES_PER_SIZE: usize = 64;
/// Maximum number of threads that unpack files.
const MOST_UNPACKERS: usize = 16;
/// Minimum length of a piece of a file of records, in bytes.
const LEAST_PIECE_BYTES: u64 = 64 << 10;
/// Maximum length of a piece of a file of records, in bytes.
const MOST_PIECE_BYTES: u64 = 2 << 20;
/// Number of pieces of a file of records within the limits on length. With this many pieces all workers finish at about
/// the same time.
const PIECES_PER_SOURCE: u64 = 32;

/// Walks the paths of `inputs` and passes each piece to `send`, which returns `false` when it wants no more. Files that
/// need unpacking are unpacked on separate threads, at most `threads` of them.
pub(crate) fn walk(inputs: Inputs, threads: usize, sources: &Sources, send: &(dyn Fn(Piece) -> bool + Sync)) -> Walked {
    let unpacking = Unpacking { inputs, sources, send, budget: Budget::new(threads) };
    let (jobs, queue) = mpsc::sync_channel(QUEUE);
    let queue = Mutex::new(queue);
    thread::scope(|scope| {
        let mut num_unpackers = 0;
        // Starts a thread only when a file needs it.
        let mut unpack = |job: Job| {
            if num_unpackers < threads.min(MOST_UNPACKERS) {
                match thread::Builder::new().spawn_scoped(scope, || unpack_all(&unpacking, &queue)) {
                    Ok(_) => num_unpackers += 1,
                    Err(error) if num_unpackers == 0 => return sources.fail(Error::Thread(error)),
                    // The threads that did start do all the work.
                    Err(_) => {}
                }
            }
            jobs.send(job).expect("the queue is there");
        };
        let walked = walk_paths(inputs, sources, send, &mut unpack);
        drop(jobs);
        walked
    })
}

/// Walks like [`walk`] with a single thread, so that pieces reach `send` in document order.
///
/// * `threads`: the number of threads that work on the pieces.
pub(super) fn walk_in_order(
    inputs: Inputs,
    threads: usize,
    sources: &Sources,
    send: &(dyn Fn(Piece) -> bool + Sync),
) -> Walked {
    let unpacking = Unpacking { inputs, sources, send, budget: Budget::new(threads) };
    walk_paths(inputs, sources, send, &mut |job| unpack_one(&unpacking, &job))
}

/// The walk without unpacking: files that need unpacking are passed to `unpack`.
pub(super) fn walk_paths(
    inputs: Inputs,
    sources: &Sources,
    send: &(dyn Fn(Piece) -> bool + Sync),
    unpack: &mut dyn FnMut(Job),
) -> Walked {
    let seen = Seen::new(inputs.paths.len() + inputs.listed.len(), inputs.follow);
    let mut walk = Walk {
        inputs,
        sources,
        send,
        unpack,
        next: 0,
        files: Vec::new(),
        named: true,
        is_against: false,
        globs: Globs::new(inputs.settings, false),
        others: OtherRoots::new(inputs, false),
        seen,
        open: true,
        walked: Walked::default(),
    };
    walk.side(&inputs.paths, &inputs.listed);
    if let Some(against) = &inputs.against {
        // Each side is a separate corpus: a file on both sides is a document of both.
        walk.is_against = true;
        walk.globs = Globs::new(inputs.settings, true);
        walk.others = OtherRoots::new(inputs, true);
        walk.walked.against = walk.next_number();
        walk.seen = Seen::new(against.paths.len() + against.listed.len(), inputs.follow);
        walk.side(&against.paths, &against.listed);
    }
    walk.walked
}

struct Walk<'a> {
    inputs: Inputs<'a>,
    sources: &'a Sources,
    send: &'a (dyn Fn(Piece) -> bool + Sync),
    unpack: &'a mut dyn FnMut(Job),
    /// The number of pieces and jobs so far, which is the place of the next one.
    next: usize,
    /// Files that were not sent yet.
    files: Vec<PathBuf>,
    /// Whether `files` were given as arguments.
    named: bool,
    /// Whether the walk is at the paths of `inputs.against`.
    is_against: bool,
    globs: Globs<'a>,
    others: OtherRoots,
    seen: Seen,
    open: bool,
    walked: Walked,
}

impl Walk<'_> {
    /// Walks the arguments of one side, and then its list.
    fn side(&mut self, paths: &[PathBuf], listed: &[PathBuf]) {
        for (paths, named) in [(paths, true), (listed, false)] {
            for path in paths {
                if !self.open {
                    break;
                }
                self.named = named;
                self.argument(path);
            }
            self.flush();
        }
    }

    fn argument(&mut self, path: &Path) {
        if path == Path::new("-") {
            if let Some(own) = self.own_use_of_stdin() {
                return self.leave_out(path, own);
            }
            self.set_root(Some(path));
            self.unpack(None, true);
            return self.set_root(None);
        }
        if self.others.have(path) {
            return;
        }
        if self.inputs.stored_input(path, self.is_against).is_some() {
            return match fs::metadata(path).ok().and_then(|metadata| self.own_use(&metadata)) {
                Some(own) => self.leave_out(path, own),
                None => self.stored(path),
            };
        }
        match fs::metadata(path) {
            Err(error) => self.problem(unusable(path, &error)),
            Ok(metadata) if metadata.is_dir() => {
                self.flush();
                let named = std::mem::replace(&mut self.named, false);
                self.set_root(Some(path));
                self.folder(path);
                self.flush();
                self.set_root(None);
                self.named = named;
            }
            Ok(_) if self.globs.exclude(path, 0) || !self.wants(path, 0) => {}
            Ok(metadata) => match self.own_use(&metadata) {
                Some(own) => self.leave_out(path, own),
                None => self.given(path, &metadata),
            },
        }
    }

    /// Handles an argument or list entry that is not a folder.
    fn given(&mut self, path: &Path, metadata: &fs::Metadata) {
        if metadata.is_file() && Format::is_archive(self.inputs, path_bytes(path)) {
            // An archive is treated like a folder of its members.
            self.set_root(Some(path));
            self.file(path.to_owned());
            self.set_root(None);
        } else if metadata.is_file() {
            self.file(path.to_owned());
        } else if self.named && is_fifo(metadata) {
            // A shell turns `<(command)` into a FIFO. A FIFO from a list or a folder is not read, because any process
            // may own it and it may never end.
            if self.seen.is_new(path) {
                self.unpack(Some(path.to_owned()), true);
            }
        } else {
            self.special(path);
        }
    }

    fn wants(&self, path: &Path, root_len: usize) -> bool {
        wants(self.inputs, self.globs, path, root_len)
    }

    fn folder(&mut self, root: &Path) {
        let root_len = root.components().count();
        self.others.enter(root);
        let mut ignored = (!self.inputs.gitignore).then(|| IgnoredFiles::new(root));
        for entry in entries(root, self.inputs, self.globs, || ()) {
            if !self.open {
                return;
            }
            if let (Ok(entry), Some(ignored)) = (&entry, &mut ignored)
                && ignored.has(entry)
                && entry.file_type().is_file()
                && self.wants(entry.path(), root_len)
            {
                self.sources.see_ignored();
            }
            match entry {
                Err(error) => self.problem(walk_problem(named_below(root, error.path().unwrap_or(root)), &error)),
                Ok(entry) => self.entry(named_below(root, entry.path()), &entry, root_len),
            }
        }
    }

    fn entry(&mut self, path: &Path, entry: &DirEntry, root_len: usize) {
        let kind = entry.file_type();
        // A link that was given as an argument is followed, but its entry still has the type of a link.
        let is_folder = kind.is_dir() || entry.depth() == 0;
        if is_folder || !self.wants(entry.path(), root_len) || self.others.have_below(entry.path()) {
            return;
        }
        if kind.is_file() {
            match self.own_use_of(entry) {
                Some(own) => self.leave_out(path, own),
                None => self.file(path.to_owned()),
            }
        } else if kind.is_symlink() {
            let detail = format!("a symbolic link; skipped ({} follows it)", Setting::FollowLinks);
            self.problem(Problem::note(path.to_string_lossy(), Reason::Symlink, detail));
        } else {
            self.special(path);
        }
    }

    fn special(&mut self, path: &Path) {
        let detail = format!("a FIFO, socket or device; skipped (`-` with {} reads a pipe)", Setting::Format);
        let problem = Problem::note(path.to_string_lossy(), Reason::Special, detail);
        self.problem(Problem { is_error: self.named, ..problem });
    }

    fn file(&mut self, path: PathBuf) {
        if cfg!(not(unix)) && path.to_str().is_none() {
            let detail = "the name is not Unicode; rename it";
            return self.problem(Problem::error(path.to_string_lossy(), Reason::Unreadable, detail));
        }
        if !self.seen.is_new(&path) {
            return;
        }
        let format = Format::of(self.inputs, path_bytes(&path), false);
        let format = match format {
            _ if !format.may_be_values(self.inputs, path_bytes(&path)) => format,
            Format::JsonOrText if begins_as_array(&path) => format,
            _ => self.by_first_values(&path, format),
        };
        match format {
            Format::Text { .. } => {
                self.sources.expect_file();
                self.files.push(path);
                if self.files.len() >= (1 + self.next / PIECES_PER_SIZE).min(FILES_PER_PIECE) {
                    self.flush();
                }
            }
            format @ (Format::JsonLines | Format::SetLines | Format::TextLines)
                if Decoding::new(self.inputs).wide().is_none() =>
            {
                match fs::metadata(&path) {
                    Ok(metadata) => {
                        let is_json = format == Format::JsonLines;
                        let source = self.sources.add(path_bytes(&path), format, false);
                        // Most binary files that a walk finds are expected, unless the file name promises records.
                        self.records(source, path, metadata.len(), is_json || self.named);
                    }
                    Err(error) => self.problem(unusable(&path, &error)),
                }
            }
            _ => self.unpack(Some(path), false),
        }
    }

    /// The format of a file whose first values may determine it.
    fn by_first_values(&mut self, path: &Path, format: Format) -> Format {
        match JsonProbe::of_path(self.inputs, format, path) {
            JsonProbe::Records(records) => return records,
            JsonProbe::OneText(note) if self.named || !is_written(path) => {
                self.problem(Problem::note(path.to_string_lossy(), Reason::OneText, note));
            }
            _ => {}
        }
        format.or_text(self.inputs)
    }

    fn unpack(&mut self, path: Option<PathBuf>, is_stream: bool) {
        self.flush();
        if self.groups_by_place() {
            let len = path.as_deref().map_or(b"-".len(), |path| path_bytes(path).len());
            self.walked.unpacked.push((self.next_number(), len));
        }
        self.unpack_job(path, is_stream);
    }

    /// Passes on a file with stored documents, whose names do not begin with its path.
    fn stored(&mut self, path: &Path) {
        if self.seen.is_new(path) {
            self.flush();
            self.walked.stored.push((self.next_number(), path.to_owned()));
            self.unpack_job(Some(path.to_owned()), false);
        }
    }

    fn unpack_job(&mut self, path: Option<PathBuf>, is_stream: bool) {
        if let Some(Ok(metadata)) = path.as_deref().filter(|_| !is_stream).map(fs::metadata) {
            self.sources.expect_bytes(metadata.len());
        }
        let (place, named, is_against) = (self.next as u64, self.named, self.is_against);
        (self.unpack)(Job { place, named, path, is_stream, is_against });
        self.next += 1;
    }

    /// Cuts a source into pieces. `meant` makes it an error if the source is binary.
    fn records(&mut self, source: u32, path: PathBuf, len: u64, meant: bool) {
        self.flush();
        // Checked once here instead of by the workers, which see only one piece each.
        match self.sources.get(source).check_records() {
            // Decoding cuts the source into lines.
            Ok(true) => return self.unpack(Some(path), false),
            Ok(false) => {}
            Err(problem) => {
                let is_error = meant || problem.reason != Reason::Binary;
                return self.problem(Problem { is_error, ..problem });
            }
        }
        self.sources.expect_bytes(len);
        let piece = (len / PIECES_PER_SOURCE).clamp(LEAST_PIECE_BYTES, MOST_PIECE_BYTES);
        for start in (0..len).step_by(piece as usize) {
            let end = start + piece;
            self.emit_of(end.min(len) - start, PieceKind::Records { source, start, end });
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.flush();
        self.emit(PieceKind::Problem(problem));
    }

    fn flush(&mut self) {
        if !self.files.is_empty() {
            let paths = std::mem::take(&mut self.files);
            self.emit(PieceKind::Files { paths, named: self.named });
        }
    }

    fn groups_by_place(&self) -> bool {
        let is_place = |by: &GroupBy| matches!(by, GroupBy::Folder { .. } | GroupBy::Archive);
        self.inputs.groups.as_ref().is_some_and(|groups| is_place(&groups.by))
    }

    /// Sets the folder or archive argument that the next pieces come from; `None` if they are arguments themselves.
    fn set_root(&mut self, root: Option<&Path>) {
        if self.groups_by_place() {
            self.flush();
            self.walked.roots.push((self.next_number(), root.map(Path::to_owned)));
        }
    }

    /// The number of the next piece.
    fn next_number(&self) -> u64 {
        Piece::number(self.next as u64, 0)
    }

    fn emit(&mut self, kind: PieceKind) {
        self.emit_of(0, kind);
    }

    /// Sends a piece and counts it.
    ///
    /// * `input_bytes`: bytes of the source that the piece covers, as stored; 0 for files of one text.
    fn emit_of(&mut self, input_bytes: u64, kind: PieceKind) {
        self.open = self.open && (self.send)(Piece { number: self.next_number(), kind, input_bytes });
        self.next += 1;
    }
}
