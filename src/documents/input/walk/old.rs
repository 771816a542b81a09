//! `OtherRoots`: which files belong to the other of two sides whose paths may overlap, the new and the old documents.
//!
//! A file belongs to the most specific path: `dedup course --old course/2023` has the files of one folder as old
//! documents, and `dedup course/2024 --old course` has all others. A path on both sides is old.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::documents::input::settings::Inputs;

/// The paths of the other side, where each file belongs to one side only.
#[derive(Debug, Default)]
pub(super) struct OtherRoots {
    real: Vec<PathBuf>,
    /// Whether a path on both sides belongs to the other side.
    wins: bool,
    /// The paths of the other side below the folder that is walked, in the spelling of the walk.
    below: HashSet<PathBuf>,
}

impl OtherRoots {
    /// The paths of the other side; none unless the second side consists of old documents.
    ///
    /// * `is_against`: whether the walk is at the second side.
    pub(super) fn new(inputs: Inputs, is_against: bool) -> Self {
        let Some(against) = inputs.against.as_ref().filter(|against| against.is_old()) else { return Self::default() };
        let [paths, listed] =
            if is_against { [&inputs.paths, &inputs.listed] } else { [&against.paths, &against.listed] };
        let real = paths.iter().chain(listed).filter_map(|path| fs::canonicalize(path).ok()).collect();
        Self { real, wins: !is_against, below: HashSet::new() }
    }

    /// Whether a given path belongs to the other side.
    pub(super) fn have(&self, path: &Path) -> bool {
        self.wins && !self.real.is_empty() && fs::canonicalize(path).is_ok_and(|real| self.real.contains(&real))
    }

    /// Begins the walk of a folder.
    pub(super) fn enter(&mut self, root: &Path) {
        self.below.clear();
        if let (false, Ok(real_root)) = (self.real.is_empty(), fs::canonicalize(root)) {
            let inside = self.real.iter().filter_map(|real| real.strip_prefix(&real_root).ok());
            self.below =
                inside.filter(|inside| !inside.as_os_str().is_empty()).map(|inside| root.join(inside)).collect();
        }
    }

    /// Whether a path below the folder belongs to the other side.
    pub(super) fn have_below(&self, path: &Path) -> bool {
        !self.below.is_empty() && path.ancestors().any(|path| self.below.contains(path))
    }
}
