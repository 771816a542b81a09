//! `Job`: a file to be unpacked, and what the unpacking threads share.

use std::path::PathBuf;

use crate::documents::input::piece::{Budget, Piece};
use crate::documents::input::settings::Inputs;
use crate::documents::input::streams::spool::Sources;

/// Maximum number of files that wait for an unpacking thread.
pub(in crate::documents::input) const QUEUE: usize = 64;

/// A file to be unpacked, or standard input.
#[derive(Debug)]
pub(in crate::documents::input) struct Job {
    /// The file's place in the order of the walk.
    pub(in crate::documents::input) place: u64,
    pub(in crate::documents::input) named: bool,
    /// The path; `None` for standard input.
    pub(in crate::documents::input) path: Option<PathBuf>,
    /// Whether the file can be read only once, like a FIFO.
    pub(in crate::documents::input) is_stream: bool,
    /// Whether the file belongs to the inputs that the other documents are compared against.
    pub(in crate::documents::input) is_against: bool,
}

/// State that the unpacking threads share.
pub(in crate::documents::input) struct Unpacking<'a> {
    pub(in crate::documents::input) inputs: Inputs<'a>,
    pub(in crate::documents::input) sources: &'a Sources,
    pub(in crate::documents::input) send: &'a (dyn Fn(Piece) -> bool + Sync),
    pub(in crate::documents::input) budget: Budget,
}
