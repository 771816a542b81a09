//! The inputs of all command lines: a folder with a copy of `examples/` and what a seed makes.
//!
//! They depend on the seed only, never on the machine. The folder is made once and no command changes it: a command
//! writes to a folder of its own run.

mod documents;
mod odd;
mod packed;
mod text;

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The folder of inputs, and beside it one for each run; gone when this is dropped.
pub(crate) struct Corpora {
    root: TempDir,
}

impl Corpora {
    pub(crate) fn new() -> Self {
        let corpora = Self { root: TempDir::new().expect("a temporary folder") };
        corpora.add_examples();
        documents::add(&corpora);
        packed::add(&corpora);
        odd::add(&corpora);
        corpora
    }

    /// Where the commands run, and their paths begin.
    pub(crate) fn inputs(&self) -> PathBuf {
        self.root.path().join("inputs")
    }

    /// A new folder for one run, as seen from the inputs: `../NAME`.
    pub(crate) fn run_folder(&self, name: &str) -> PathBuf {
        let folder = self.root.path().join(name);
        fs::create_dir(&folder).expect("no other run of this name");
        folder
    }

    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    /// Writes a file, and makes the folders above it.
    fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) {
        let path = self.inputs().join(path);
        fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }

    fn add_examples(&self) {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        for folder in ["corpus", "formats", "sets"] {
            for entry in walkdir::WalkDir::new(package.join("examples").join(folder)) {
                let entry = entry.expect("examples can be read");
                if entry.file_type().is_file() {
                    let path = entry.path().strip_prefix(package).expect("in the package");
                    self.write(path, fs::read(entry.path()).expect("examples can be read"));
                }
            }
        }
    }
}
