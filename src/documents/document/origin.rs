//! `Origins`: the file and place that each document comes from, kept only on request.

use super::id::DocId;
use crate::base::error::Result;
use crate::base::memory::reserve_exact;

/// The file that a document comes from, and its place in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The path of a file as given, `-`, or `archive!member`. It may not be UTF-8.
    pub file: &'a [u8],
    /// The document's place in the file; `None` when the file is the document.
    pub place: Option<Place>,
    /// For a page of a web crawl, `archive!member`: the offset of its record in the unpacked crawl.
    pub offset: Option<u64>,
    /// The path, as given, of the index that stores the document; `file` and `place` then belong to the file that was
    /// indexed. `None` for a document that was read from its file.
    pub index: Option<&'a [u8]>,
}

/// The place of a record in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The line on which the record begins, from 1.
    Line(u64),
    /// The row of the record, from 1, in formats without lines.
    Row(u64),
}

/// The origins of all documents: 12 bytes per document, and the name of each file of records once.
#[derive(Debug)]
pub(crate) struct Origins {
    files: Vec<File>,
    /// The number of the file of each document; `WHOLE` for one that is a file.
    of: Vec<u32>,
    /// The place of each document in its file, from 1. For a document that is a file: its offset and 1, or 0 without
    /// an offset.
    places: Vec<u64>,
    /// The paths of files whose document has another name, by ascending document.
    renamed: Vec<(DocId, Box<[u8]>)>,
    /// The first document of each range of documents of one index, or of none, and the path of the index.
    indexes: Vec<(DocId, Option<Box<[u8]>>)>,
}

#[derive(Debug)]
struct File {
    name: Box<[u8]>,
    has_rows: bool,
}

/// The name of this memory in the message of a failed allocation.
const ORIGINS: &str = "sources of documents";

/// The file number of a document that is a file.
const WHOLE: u32 = u32::MAX;

impl Origins {
    /// An empty list with capacity for `len` documents.
    ///
    /// # Errors
    /// When there is not enough memory.
    pub(crate) fn with_capacity(len: usize) -> Result<Self> {
        let (mut of, mut places) = (Vec::new(), Vec::new());
        reserve_exact(&mut of, len, ORIGINS)?;
        reserve_exact(&mut places, len, ORIGINS)?;
        Ok(Self { files: Vec::new(), of, places, renamed: Vec::new(), indexes: Vec::new() })
    }

    /// Says which index stores the documents pushed next; `None` if they are read from files.
    pub(crate) fn in_index(&mut self, index: Option<&[u8]>) {
        if self.indexes.last().and_then(|(_, last)| last.as_deref()) != index {
            self.indexes.push((DocId::new(self.of.len()), index.map(Into::into)));
        }
    }

    /// Starts a file of records; the records pushed next belong to it.
    ///
    /// * `has_rows`: whether its places are rows instead of lines.
    pub(crate) fn begin_file(&mut self, name: &[u8], has_rows: bool) {
        self.files.push(File { name: name.into(), has_rows });
    }

    /// Adds the next document, a record of the file that was started last.
    pub(crate) fn push_record(&mut self, place: u64) {
        let last = self.files.len().checked_sub(1).expect("records have a file");
        self.of.push(u32::try_from(last).expect("fewer files than documents"));
        self.places.push(place);
    }

    /// Adds the next document, which is a file.
    ///
    /// * `other_name`: the file's path, when the document has another name.
    /// * `offset`: of its record in a web crawl.
    pub(crate) fn push_file(&mut self, other_name: Option<&[u8]>, offset: Option<u64>) {
        if let Some(name) = other_name {
            self.renamed.push((DocId::new(self.of.len()), name.into()));
        }
        self.of.push(WHOLE);
        self.places.push(offset.map_or(0, |offset| offset.saturating_add(1)));
    }

    /// The origin of a document.
    ///
    /// * `name`: the document's name.
    pub(crate) fn get<'a>(&'a self, document: DocId, name: &'a [u8]) -> Origin<'a> {
        let range = self.indexes.partition_point(|&(first, _)| first <= document).checked_sub(1);
        let index = range.and_then(|range| self.indexes[range].1.as_deref());
        match self.of[document.index()] {
            WHOLE => {
                let offset = self.places[document.index()].checked_sub(1);
                let renamed = self.renamed.binary_search_by_key(&document, |&(document, _)| document);
                Origin { file: renamed.map_or(name, |at| &self.renamed[at].1), place: None, offset, index }
            }
            file => {
                let File { name, has_rows } = &self.files[file as usize];
                let place = self.places[document.index()];
                Origin {
                    file: name,
                    place: Some(if *has_rows { Place::Row(place) } else { Place::Line(place) }),
                    offset: None,
                    index,
                }
            }
        }
    }

    pub(crate) fn num_bytes(&self) -> usize {
        let files: usize = self.files.iter().map(|file| size_of::<File>() + file.name.len()).sum();
        let renamed: usize = self.renamed.iter().map(|renamed| size_of_val(renamed) + renamed.1.len()).sum();
        self.of.len() * size_of::<(u32, u64)>() * 3 / 4 + files + renamed
    }
}
