//! `Origins`: the file and place that each document comes from, kept only when asked for.

use super::id::DocId;
use crate::error::Result;
use crate::memory::reserve_exact;

/// Where a document comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin<'a> {
    /// The path of a file as given, `-`, or `archive!member`. It may not be UTF-8.
    pub file: &'a [u8],
    /// Where in it the document stands; `None` when the file is the document.
    pub place: Option<Place>,
}

/// The place of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The line that it begins on, from 1.
    Line(u64),
    /// Its row, from 1, where there are no lines.
    Row(u64),
}

/// The origins of all documents: 12 bytes for each, and once the name of each file of records.
#[derive(Debug)]
pub(crate) struct Origins {
    files: Vec<File>,
    /// The number of the file of each document; `WHOLE` for one that is a file.
    of: Vec<u32>,
    /// From 1; 0 for a document that is a file.
    places: Vec<u64>,
    /// Documents that are files and had to be named otherwise, ascending.
    renamed: Vec<(DocId, Box<[u8]>)>,
}

#[derive(Debug)]
struct File {
    name: Box<[u8]>,
    has_rows: bool,
}

/// What there may be no room for.
const ORIGINS: &str = "sources of documents";

/// In place of the number of a file.
const WHOLE: u32 = u32::MAX;

impl Origins {
    /// Those of no documents, with room for `len`.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn with_capacity(len: usize) -> Result<Self> {
        let (mut of, mut places) = (Vec::new(), Vec::new());
        reserve_exact(&mut of, len, ORIGINS)?;
        reserve_exact(&mut places, len, ORIGINS)?;
        Ok(Self { files: Vec::new(), of, places, renamed: Vec::new() })
    }

    /// The records that come are those of this file.
    ///
    /// * `has_rows`: whether its places are rows, and not lines.
    pub(crate) fn begin_file(&mut self, name: &[u8], has_rows: bool) {
        self.files.push(File { name: name.into(), has_rows });
    }

    /// Adds the next document, a record of the file that was begun last.
    pub(crate) fn push_record(&mut self, place: u64) {
        let last = self.files.len().checked_sub(1).expect("records have a file");
        self.of.push(u32::try_from(last).expect("fewer files than documents"));
        self.places.push(place);
    }

    /// Adds the next document, which is a file.
    ///
    /// * `other_name`: the file's name when it is not the document's.
    pub(crate) fn push_file(&mut self, other_name: Option<&[u8]>) {
        if let Some(name) = other_name {
            self.renamed.push((DocId::new(self.of.len()), name.into()));
        }
        self.of.push(WHOLE);
        self.places.push(0);
    }

    /// Where a document comes from.
    ///
    /// * `name`: of the document.
    pub(crate) fn get<'a>(&'a self, document: DocId, name: &'a [u8]) -> Origin<'a> {
        match self.of[document.index()] {
            WHOLE => {
                let renamed = self.renamed.binary_search_by_key(&document, |&(document, _)| document);
                Origin { file: renamed.map_or(name, |at| &self.renamed[at].1), place: None }
            }
            file => {
                let File { name, has_rows } = &self.files[file as usize];
                let place = self.places[document.index()];
                Origin { file: name, place: Some(if *has_rows { Place::Row(place) } else { Place::Line(place) }) }
            }
        }
    }

    pub(crate) fn num_bytes(&self) -> usize {
        let files: usize = self.files.iter().map(|file| size_of::<File>() + file.name.len()).sum();
        let renamed: usize = self.renamed.iter().map(|renamed| size_of_val(renamed) + renamed.1.len()).sum();
        self.of.len() * size_of::<(u32, u64)>() * 3 / 4 + files + renamed
    }
}
