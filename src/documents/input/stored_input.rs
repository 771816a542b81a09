//! `StoredInput`: documents with names and decoded texts, so that no format, encoding or markup is looked for: the documents
//! of an index, which the layer `index` reads, or texts in memory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::error::Result;
use crate::base::problem::Problem;
use crate::documents::document::OffsetsOf;
use crate::text::code::StatedSyntax;

/// Documents that are stored with their names and texts, such as the documents in an index.
#[derive(Debug, Clone)]
pub struct StoredInput {
    path: PathBuf,
    reader: Arc<dyn ReadStored>,
    /// The names of the documents that are read; `None` for all.
    only: Option<Arc<BTreeSet<Vec<u8>>>>,
}

impl StoredInput {
    /// An input.
    ///
    /// * `path`: the path of the file, as it is given among the paths of the inputs.
    pub(crate) fn new(path: &Path, reader: Arc<dyn ReadStored>) -> Self {
        Self { path: path.to_owned(), reader, only: None }
    }

    /// Texts in memory, with their names.
    ///
    /// * `path`: the path that represents them among the paths of the inputs. No file is read there.
    pub fn of_texts(path: &Path, texts: Vec<(Vec<u8>, Vec<u8>)>) -> Self {
        Self::new(path, Arc::new(TextsInMemory { texts }))
    }

    /// Only the documents with these names, which an index reads without reading the others.
    pub fn only(self, names: BTreeSet<Vec<u8>>) -> Self {
        Self { only: Some(Arc::new(names)), ..self }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the documents, as [`ReadStored::read`].
    pub(crate) fn read(&self, pass: &mut dyn FnMut(StoredItem) -> bool) -> Result<()> {
        self.reader.read(self.only.as_deref(), pass)
    }
}

/// Reads the documents of a file.
pub(crate) trait ReadStored: std::fmt::Debug + Send + Sync {
    /// Passes on documents and problems in their order, until `pass` returns `false`.
    ///
    /// * `only`: the names of the documents to pass on; `None` for all.
    ///
    /// # Errors
    /// When the file cannot be read, which ends the run.
    fn read(&self, only: Option<&BTreeSet<Vec<u8>>>, pass: &mut dyn FnMut(StoredItem) -> bool) -> Result<()>;
}

#[derive(Debug)]
struct TextsInMemory {
    texts: Vec<(Vec<u8>, Vec<u8>)>,
}

impl ReadStored for TextsInMemory {
    fn read(&self, only: Option<&BTreeSet<Vec<u8>>>, pass: &mut dyn FnMut(StoredItem) -> bool) -> Result<()> {
        let texts = self.texts.iter().filter(|(name, _)| only.is_none_or(|only| only.contains(name)));
        let mut items = texts.map(|(name, text)| {
            StoredItem::Document(StoredDocument {
                name,
                text,
                of: OffsetsOf::File,
                syntax: StatedSyntax::None,
                record: None,
            })
        });
        items.all(pass);
        Ok(())
    }
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
