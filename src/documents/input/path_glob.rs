//! `PathGlob`: a glob for paths.

use globset::GlobMatcher;

/// A glob for paths. Without a `/` it is matched against the file name, with one against the path inside the folder
/// that is walked; `*` does not cross a `/`, `**` does.
#[derive(Debug, Clone)]
pub struct PathGlob {
    pub(super) matcher: GlobMatcher,
    pub(super) whole_path: bool,
}

impl std::str::FromStr for PathGlob {
    type Err = globset::Error;

    fn from_str(glob: &str) -> Result<Self, globset::Error> {
        let anchored = glob.strip_prefix('/').unwrap_or(glob);
        let anchored = anchored.strip_suffix('/').unwrap_or(anchored);
        let matcher = globset::GlobBuilder::new(anchored).literal_separator(true).build()?.compile_matcher();
        Ok(Self { matcher, whole_path: glob.trim_end_matches('/').contains('/') })
    }
}
