//! `StoredInput`: a file whose documents another layer reads. The layer `index` reads the documents of an index.
//!
//! Such documents have names and decoded texts, so no format, encoding or markup is looked for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::error::Result;
use crate::base::problem::Problem;
use crate::documents::document::OffsetsOf;
use crate::text::code::StatedSyntax;

/// A file of documents that are stored with their names and texts, such as an index.
#[derive(Debug, Clone)]
pub struct StoredInput {
    path: PathBuf,
    reader: Arc<dyn ReadStored>,
}

impl StoredInput {
    /// An input.
    ///
    /// * `path`: the path of the file, as it is given among the paths of the inputs.
    pub(crate) fn new(path: &Path, reader: Arc<dyn ReadStored>) -> Self {
        Self { path: path.to_owned(), reader }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads all documents, as [`ReadStored::read`].
    pub(crate) fn read(&self, pass: &mut dyn FnMut(StoredItem) -> bool) -> Result<()> {
        self.reader.read(pass)
    }
}

/// Reads the documents of a file.
pub(crate) trait ReadStored: std::fmt::Debug + Send + Sync {
    /// Passes on all documents and problems in their order, until `pass` returns `false`.
    ///
    /// # Errors
    /// When the file cannot be read, which ends the run.
    fn read(&self, pass: &mut dyn FnMut(StoredItem) -> bool) -> Result<()>;
}

/// A document of a stored input, a problem with one, or how far the file was read.
pub(crate) enum StoredItem<'a> {
    Document(StoredDocument<'a>),
    Problem(Problem),
    /// The number of bytes of the file to which the items so far correspond.
    Read(u64),
}

/// A document as it was read when it was stored.
pub(crate) struct StoredDocument<'a> {
    pub(crate) name: &'a [u8],
    /// The text before normalisation: valid UTF-8.
    pub(crate) text: &'a [u8],
    /// Which bytes the offsets in the document count.
    pub(crate) of: OffsetsOf,
    /// The language in which it was cut into tokens, if it is a program.
    pub(crate) syntax: StatedSyntax,
    /// The place of the record; `None` if the document is not a record.
    pub(crate) record: Option<StoredPlace<'a>>,
}

/// The place of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StoredPlace<'a> {
    /// The name of its file.
    pub(crate) file: &'a [u8],
    /// The line or row, from 1.
    pub(crate) place: u64,
    /// Whether the place is a row instead of a line.
    pub(crate) is_row: bool,
}
