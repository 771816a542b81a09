//! Runs `git`, and says in one line what is wrong when it fails.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use thiserror::Error;

use crate::input::path_of;
use crate::shown::shown;

/// Why it is not known what was changed; says what to do.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct ChangesError(pub(super) String);

/// Runs `git` in a folder, and returns what it prints.
///
/// # Errors
/// What it says when it fails, on one line.
pub(super) fn git(folder: &Path, arguments: &[&str]) -> Result<Vec<u8>, ChangesError> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments.iter().map(OsStr::new)).stdin(Stdio::null());
    // Messages are looked into, and looking changes nothing.
    let output = command.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0").output();
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            ChangesError("git is not there, which says what was changed; install it, or leave the flag out".to_owned())
        }
        _ => ChangesError(format!("cannot run git: {error}; check it, or leave the flag out")),
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it does not say why");
    let said = said.strip_prefix("fatal: ").unwrap_or(said);
    Err(ChangesError(format!("git {} failed: {}", arguments.first().unwrap_or(&""), shown(said))))
}

/// The folder that a repository begins in.
pub(super) fn top_of(folder: &Path) -> Result<PathBuf, ChangesError> {
    let printed = git(folder, &["rev-parse", "--show-toplevel"]).map_err(|error| {
        if error.0.contains("not a git repository") || error.0.contains("must be run in a work tree") {
            let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
            let folder = shown(&folder.to_string_lossy());
            return ChangesError(format!("{folder} is in no work tree of git; run it in one, or leave the flag out"));
        }
        error
    })?;
    let path = path_of(printed.strip_suffix(b"\n").unwrap_or(&printed));
    path.canonicalize().map_err(|error| ChangesError(format!("{}: {error}", shown(&path.to_string_lossy()))))
}

/// The commit where the branch of HEAD left a revision.
pub(super) fn base_of(top: &Path, revision: &str) -> Result<String, ChangesError> {
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
        ChangesError(format!("there is no revision {revision} here; {what}"))
    })?;
    let found = String::from_utf8_lossy(&found).trim().to_owned();
    let base = git(top, &["merge-base", &found, "HEAD"]).map_err(|error| {
        if !error.0.contains("it does not say why") {
            return error;
        }
        let what = if is_shallow() { deepen } else { "give one that HEAD comes from" };
        ChangesError(format!("HEAD and {revision} have no commit in common here; {what}"))
    })?;
    Ok(String::from_utf8_lossy(&base).trim().to_owned())
}
