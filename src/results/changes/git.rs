//! Runs `git`, and reports a failure in one line.
//!
//! The configuration of a repository may come from somebody else and may name programs that git runs. [`SAFE`] switches
//! them off, and no command here reads files of the work tree, for which git would run the filters of `.gitattributes`.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use thiserror::Error;

use crate::base::shown::shown;
use crate::documents::input::path_of;

/// The reason why changes cannot be determined, with advice.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct ChangesError(pub(super) String);

/// The variables by which hooks tie `git` to one repository: the output of `git rev-parse --local-env-vars`.
const OF_ONE_REPOSITORY: [&str; 15] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_REPLACE_REF_BASE",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Settings that override the repository's: no file system monitor, no hooks, and no bare repository inside a folder.
const SAFE: [&str; 9] = [
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "core.quotePath=false",
];

/// A repository, or a submodule of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Repository<'a> {
    /// A folder of its work tree.
    pub(super) folder: &'a Path,
    pub(super) is_submodule: bool,
}

/// Runs `git` in a folder, and returns its output.
///
/// # Errors
/// Git's own message, on one line.
pub(super) fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, ChangesError> {
    Repository { folder, is_submodule: false }.git(arguments)
}

impl Repository<'_> {
    /// Runs `git` in the folder, and returns its output.
    ///
    /// # Errors
    /// Git's own message, on one line.
    pub(super) fn git(self, arguments: &[&str]) -> Result<Vec<u8>, ChangesError> {
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { self.folder };
        let mut command = Command::new("git");
        command.arg("-C").arg(folder).args(SAFE);
        command.args(arguments.iter().map(OsStr::new)).stdin(Stdio::null());
        // Messages are parsed, so they must be in English; and git must not change files.
        command.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0");
        // Objects that a partial clone lacks must not be fetched, because the repository's configuration would choose
        // the program that fetches them.
        command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_ALLOW_PROTOCOL", "none").env("GIT_TERMINAL_PROMPT", "0");
        if self.is_submodule {
            for variable in OF_ONE_REPOSITORY {
                command.env_remove(variable);
            }
        }
        let output = command.output().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ChangesError("git was not found; install it, or remove the setting".to_owned()),
            _ => ChangesError(format!("cannot run git: {error}; check it, or remove the setting")),
        })?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it does not say why");
        let said = shown(said.strip_prefix("fatal: ").unwrap_or(said));
        if said.contains("dubious ownership") {
            let advice = "run git config --global --add safe.directory with that path, if you trust it";
            return Err(ChangesError(format!("git does not read files of another user: {said}; {advice}")));
        }
        Err(ChangesError(format!("git {} failed: {said}", arguments.first().unwrap_or(&""))))
    }
}

/// The top folder of the work tree that contains `folder`.
pub(super) fn top_of(folder: &Path) -> Result<PathBuf, ChangesError> {
    let printed = git(folder, &["rev-parse", "--show-toplevel"]).map_err(|error| {
        if error.0.contains("not a git repository") || error.0.contains("must be run in a work tree") {
            let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
            let folder = shown(&folder.to_string_lossy());
            return ChangesError(format!(
                "{folder} is not inside a git work tree; run it in one, or remove the setting"
            ));
        }
        error
    })?;
    let path = path_of(printed.strip_suffix(b"\n").unwrap_or(&printed));
    path.canonicalize().map_err(|error| ChangesError(format!("{}: {error}", shown(&path.to_string_lossy()))))
}

/// The commit at which the branch of HEAD diverged from a revision. For HEAD in a repository without commits, the empty
/// tree.
pub(super) fn base_of(top: &Path, revision: &str) -> Result<String, ChangesError> {
    if revision.is_empty() || revision.contains("..") {
        let revision = shown(revision);
        return Err(ChangesError(format!(
            "'{revision}' is not a revision; give one revision, such as origin/main, not a range"
        )));
    }
    if revision == "HEAD" && git(top, &["rev-parse", "--verify", "--quiet", "HEAD"]).is_err() {
        let branch = git(top, &["symbolic-ref", "--quiet", "HEAD"]);
        let tree = branch.and_then(|_| git(top, &["hash-object", "-t", "tree", "--stdin"]));
        if let Ok(tree) = tree {
            return Ok(String::from_utf8_lossy(&tree).trim().to_owned());
        }
    }
    let is_shallow = || git(top, &["rev-parse", "--is-shallow-repository"]).is_ok_and(|said| said.starts_with(b"true"));
    let deepen = "this clone is shallow; run git fetch --unshallow, or check out with fetch-depth: 0";
    let revision = shown(revision);
    let commit = format!("{revision}^{{commit}}");
    let found = git(top, &["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]).map_err(|error| {
        if !error.0.contains("it does not say why") && !error.0.contains("Needed a single revision") {
            return error;
        }
        let what =
            if is_shallow() { deepen.to_owned() } else { format!("fetch it, as in git fetch origin {revision}") };
        ChangesError(format!("unknown revision {revision}; {what}"))
    })?;
    let found = String::from_utf8_lossy(&found).trim().to_owned();
    let base = git(top, &["merge-base", &found, "HEAD"]).map_err(|error| {
        if !error.0.contains("it does not say why") {
            return error;
        }
        let what = if is_shallow() { deepen } else { "give a revision that HEAD is based on" };
        ChangesError(format!("HEAD and {revision} have no commit in common here; {what}"))
    })?;
    Ok(String::from_utf8_lossy(&base).trim().to_owned())
}
