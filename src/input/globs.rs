//! Globs: which paths, and which members of archives, `--include` and `--exclude` choose.

use std::path::{Component, Path, PathBuf};

use crate::config::{InputConfig, PathGlob};

/// Whether a glob excludes `path`, of which the first `root_len` components are the folder that is walked.
pub(super) fn excluded(config: &InputConfig, path: &Path, root_len: usize) -> bool {
    matches_any(&config.exclude, path, root_len)
}

pub(super) fn included(config: &InputConfig, path: &Path, root_len: usize) -> bool {
    config.include.is_empty() || matches_any(&config.include, path, root_len)
}

/// Whether a member of an archive is read: an archive counts as a folder.
pub(super) fn member_wanted(config: &InputConfig, member: &Path) -> bool {
    let is_hidden = |part: Component| match part {
        Component::Normal(name) => name.as_encoded_bytes().starts_with(b"."),
        _ => false,
    };
    (config.hidden || !member.components().any(is_hidden))
        && !member.ancestors().any(|path| excluded(config, path, 0))
        && included(config, member, 0)
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
