//! Walking: the paths given in, pieces of work out, in document order.
//!
//! Arguments keep their order; inside a folder the order is by the bytes of the relative path, component by component.
//! A file that is reached twice is one document, at its first place.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};
use xxhash_rust::xxh3::xxh3_128;

use super::{Sources, path_bytes};
use crate::config::{InputConfig, InputFormat, PathGlob};
use crate::error::{Error, Problem, Reason, Result};

/// Most files that one worker takes at a time.
const FILES_PER_PIECE: usize = 16;
/// Pieces of each number of files before they grow: few files may be large, and should not wait for one another.
const PIECES_PER_SIZE: usize = 64;
/// Bytes of a file of records that one worker takes at a time.
pub(super) const RECORDS_PER_PIECE: u64 = 2 << 20;

/// A piece of work; `number` counts them in document order.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) number: usize,
    pub(crate) kind: PieceKind,
}

impl Piece {
    /// What it counts for in the progress of a run.
    pub(crate) fn units(&self) -> u64 {
        match &self.kind {
            PieceKind::Files { paths, .. } => paths.len() as u64,
            _ => 1,
        }
    }
}

/// What a piece is.
#[derive(Debug, Clone)]
pub(crate) enum PieceKind {
    /// Files of one text each; `named` when each was given as an argument.
    Files { paths: Vec<PathBuf>, named: bool },
    /// The records that start in a range of a source's bytes.
    Records { source: u32, start: u64, end: u64 },
    /// A source that is one text.
    Text { source: u32 },
    /// An input that cannot be used.
    Problem(Problem),
}

/// What a walk has to tell of its pieces at the end.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// The number of the first piece of `config.against`, or one beyond the last.
    pub(crate) against: usize,
    /// From which piece on files come from which folder that was given, or were given themselves.
    pub(crate) roots: Vec<(usize, Option<PathBuf>)>,
}

/// Walks the paths of `config` and passes each piece to `send`, which returns `false` to end the walk.
///
/// # Errors
/// When standard input cannot be kept, or its format is not given.
pub(crate) fn walk(config: &InputConfig, sources: &Sources, send: &mut dyn FnMut(Piece) -> bool) -> Result<Walked> {
    let seen = Seen::new(config.paths.len() + config.listed.len(), config.follow);
    let walked = Walked::default();
    let mut walk = Walk { config, sources, send, next: 0, files: Vec::new(), named: true, seen, open: true, walked };
    for (paths, named, is_against) in
        [(&config.paths, true, false), (&config.listed, false, false), (&config.against, true, true)]
    {
        walk.flush();
        if is_against {
            // Each side is a corpus of its own: a file that is on both is a document of both.
            walk.walked.against = walk.next;
            walk.seen = Seen::new(paths.len(), config.follow);
        }
        for path in paths {
            if !walk.open {
                break;
            }
            walk.named = named;
            walk.argument(path)?;
        }
    }
    walk.flush();
    Ok(walk.walked)
}

struct Walk<'a> {
    config: &'a InputConfig,
    sources: &'a Sources,
    send: &'a mut dyn FnMut(Piece) -> bool,
    next: usize,
    /// Files not yet sent.
    files: Vec<PathBuf>,
    /// Whether they were given as arguments.
    named: bool,
    seen: Seen,
    open: bool,
    walked: Walked,
}

impl Walk<'_> {
    fn argument(&mut self, path: &Path) -> Result<()> {
        if path == Path::new("-") {
            return self.stdin();
        }
        match fs::metadata(path) {
            Err(error) => self.problem(unusable(path, &error)),
            Ok(metadata) if metadata.is_dir() => {
                self.flush();
                let named = std::mem::replace(&mut self.named, false);
                self.walked.roots.push((self.next, Some(path.to_owned())));
                self.folder(path);
                self.flush();
                self.walked.roots.push((self.next, None));
                self.named = named;
            }
            Ok(_) if excluded(self.config, path, 0) || !included(self.config, path, 0) => {}
            Ok(metadata) if metadata.is_file() => self.file(path.to_owned()),
            Ok(_) => self.special(path),
        }
        Ok(())
    }

    fn stdin(&mut self) -> Result<()> {
        let format = self.config.format;
        if format == InputFormat::Auto {
            return Err(Error::StdinFormat);
        }
        self.flush();
        let (source, len) = self.sources.add_stdin()?;
        match format {
            InputFormat::JsonLines => self.records(source, len),
            _ => self.emit(PieceKind::Text { source }),
        }
        Ok(())
    }

    fn folder(&mut self, root: &Path) {
        // `dedup scan .` names files as the shell would, without the dot.
        let here = path_bytes(root);
        let strip = here == b"." || here == b"./";
        let (config, root_len) = (self.config, root.components().count());
        let wanted = |entry: &DirEntry| {
            let hidden = entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
            (config.hidden || !hidden) && (entry.depth() == 0 || !excluded(config, entry.path(), root_len))
        };
        let walker = WalkDir::new(root).follow_links(config.follow).sort_by_file_name();
        for entry in walker.into_iter().filter_entry(wanted) {
            if !self.open {
                return;
            }
            match entry {
                Err(error) => self.problem(walk_problem(shown(error.path().unwrap_or(root), strip), &error)),
                Ok(entry) => self.entry(shown(entry.path(), strip), &entry, root_len),
            }
        }
    }

    fn entry(&mut self, path: &Path, entry: &DirEntry, root_len: usize) {
        let kind = entry.file_type();
        // A link that was given is followed, yet it is walked through as a link.
        let is_folder = kind.is_dir() || entry.depth() == 0;
        if is_folder || !included(self.config, entry.path(), root_len) {
            return;
        }
        if kind.is_file() {
            self.file(path.to_owned());
        } else if kind.is_symlink() {
            let detail = "a symbolic link; skipped (--follow takes it)";
            self.problem(Problem::note(path.to_string_lossy(), Reason::Symlink, detail));
        } else {
            self.special(path);
        }
    }

    fn special(&mut self, path: &Path) {
        let detail = "a FIFO, socket or device; skipped (`-` with --input-format reads a pipe)";
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
        let records = match self.config.format {
            InputFormat::Text => false,
            InputFormat::JsonLines => true,
            InputFormat::Auto => path.extension().is_some_and(|extension| {
                extension.eq_ignore_ascii_case("jsonl") || extension.eq_ignore_ascii_case("ndjson")
            }),
        };
        if records {
            match fs::metadata(&path) {
                Ok(metadata) => {
                    let source = self.sources.add_file(&path);
                    self.records(source, metadata.len());
                }
                Err(error) => self.problem(unusable(&path, &error)),
            }
        } else {
            self.files.push(path);
            if self.files.len() >= (1 + self.next / PIECES_PER_SIZE).min(FILES_PER_PIECE) {
                self.flush();
            }
        }
    }

    fn records(&mut self, source: u32, len: u64) {
        self.flush();
        // Looked at here, once, and not by the workers, each of which sees a piece.
        if let Err(problem) = self.sources.get(source).check_records() {
            return self.problem(problem);
        }
        for start in (0..len).step_by(RECORDS_PER_PIECE as usize) {
            self.emit(PieceKind::Records { source, start, end: start + RECORDS_PER_PIECE });
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

    fn emit(&mut self, kind: PieceKind) {
        self.open = self.open && (self.send)(Piece { number: self.next, kind });
        self.next += 1;
    }
}

/// Whether a glob excludes `path`, of which the first `root_len` components are the folder that is walked.
fn excluded(config: &InputConfig, path: &Path, root_len: usize) -> bool {
    matches_any(&config.exclude, path, root_len)
}

fn included(config: &InputConfig, path: &Path, root_len: usize) -> bool {
    config.include.is_empty() || matches_any(&config.include, path, root_len)
}

fn matches_any(globs: &[PathGlob], path: &Path, root_len: usize) -> bool {
    globs.iter().any(|glob| {
        if glob.whole_path {
            let inside = path.components().skip(root_len).filter(|&part| part != Component::CurDir);
            let inside: PathBuf = inside.collect();
            glob.matcher.is_match(inside)
        } else {
            path.file_name().is_some_and(|name| glob.matcher.is_match(name))
        }
    })
}

/// A path that could not be opened.
pub(super) fn unusable(path: &Path, error: &io::Error) -> Problem {
    let place = path.to_string_lossy();
    match error.kind() {
        io::ErrorKind::NotFound => Problem::error(place, Reason::Missing, "no such file or folder; check the path"),
        io::ErrorKind::PermissionDenied => {
            Problem::error(place, Reason::Unreadable, "permission denied; change its permissions or exclude it")
        }
        _ => Problem::error(place, Reason::Unreadable, format!("cannot be read: {error}")),
    }
}

/// A path below `.` without the dot, when that is how it is named.
fn shown(path: &Path, strip: bool) -> &Path {
    if strip { path.strip_prefix(".").unwrap_or(path) } else { path }
}

fn walk_problem(path: &Path, error: &walkdir::Error) -> Problem {
    if let Some(ancestor) = error.loop_ancestor() {
        let detail = format!("a symbolic link loop back to {}; not entered again", ancestor.display());
        return Problem::error(path.to_string_lossy(), Reason::Loop, detail);
    }
    match error.io_error() {
        Some(error) => unusable(path, error),
        None => Problem::error(path.to_string_lossy(), Reason::Unreadable, format!("cannot be read: {error}")),
    }
}

/// The files passed on so far, by their real paths; 16 bytes each.
///
/// Hard links have paths of their own and stay two documents. One folder walked without following links cannot reach
/// a file twice, so then nothing is kept.
struct Seen {
    paths: Option<HashSet<u128>>,
    follow: bool,
    parent: PathBuf,
    real_parent: PathBuf,
}

impl Seen {
    fn new(num_paths: usize, follow: bool) -> Self {
        let needed = num_paths > 1 || follow;
        Self { paths: needed.then(HashSet::new), follow, parent: PathBuf::new(), real_parent: PathBuf::new() }
    }

    fn is_new(&mut self, path: &Path) -> bool {
        if self.paths.is_none() {
            return true;
        }
        let real = self.real_path(path);
        let Some(paths) = &mut self.paths else { return true };
        // A file that vanished has no real path; reading it will say so.
        real.is_none_or(|real| paths.insert(xxh3_128(path_bytes(&real))))
    }

    fn real_path(&mut self, path: &Path) -> Option<PathBuf> {
        let is_link = || fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let name = path.file_name();
        if name.is_none() || self.follow || is_link() {
            return fs::canonicalize(path).ok();
        }
        // Files come folder by folder, so the last folder's real path mostly serves.
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if self.parent != parent {
            self.real_parent = fs::canonicalize(parent).ok()?;
            self.parent = parent.to_owned();
        }
        Some(self.real_parent.join(name?))
    }
}
