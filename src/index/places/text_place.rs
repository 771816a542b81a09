//! `TextPlace`: the place of a text that an index refers to, in as few bytes as possible: the file, and the line or
//! member in it.

use std::path::{Path, PathBuf};

use crate::base::error::{Error, IndexError, Result};
use crate::documents::document::DocumentLocation;
use crate::documents::input::{path_bytes, path_of};
use crate::index::blocks::packing::{push_varint, take_len, take_u32, take_varint};
use crate::search::corpus::SignedDocument;

/// The place of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextPlace {
    /// The position of the reading settings in the list of the index.
    pub(crate) settings_number: u32,
    /// The absolute path of the file.
    pub(crate) file: Vec<u8>,
    pub(crate) spot: TextSpot,
}

/// The position of a text in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextSpot {
    /// The text is the whole file.
    File,
    /// The text is in a line of the file, which can be read at its offset.
    Line { offset: u64, len: u32, is_set: bool },
    /// The text is found by reading the file from the beginning: a row, a record of another format, or a member of an
    /// archive.
    Inside {
        /// The part of a member's name after the path of the file, such as `!a.txt`; empty for the file itself.
        member: Vec<u8>,
        /// The number of the line or row, from 1; `None` for a whole member.
        line: Option<u64>,
    },
}

impl TextPlace {
    pub(crate) fn to_bytes(&self) -> Box<[u8]> {
        let mut bytes = Vec::with_capacity(self.file.len() + 24);
        push_varint(self.settings_number.into(), &mut bytes);
        push_varint(self.file.len() as u64, &mut bytes);
        bytes.extend_from_slice(&self.file);
        match &self.spot {
            TextSpot::File => bytes.push(0),
            TextSpot::Line { offset, len, is_set } => {
                bytes.push(1 + u8::from(*is_set));
                push_varint(*offset, &mut bytes);
                push_varint((*len).into(), &mut bytes);
            }
            TextSpot::Inside { member, line } => {
                bytes.push(3);
                push_varint(member.len() as u64, &mut bytes);
                bytes.extend_from_slice(member);
                push_varint(line.unwrap_or(0), &mut bytes);
            }
        }
        bytes.into()
    }

    /// Reads a place from its bytes; `None` when they are invalid.
    pub(crate) fn read(mut bytes: &[u8]) -> Option<Self> {
        let settings_number = take_u32(&mut bytes)?;
        let len = take_len(&mut bytes)?;
        let file = bytes.split_off(..len)?.to_vec();
        let spot = match *bytes.split_off_first()? {
            0 => TextSpot::File,
            kind @ 1..=2 => {
                TextSpot::Line { offset: take_varint(&mut bytes)?, len: take_u32(&mut bytes)?, is_set: kind == 2 }
            }
            3 => {
                let len = take_len(&mut bytes)?;
                let member = bytes.split_off(..len)?.to_vec();
                let line = take_varint(&mut bytes)?;
                TextSpot::Inside { member, line: (line > 0).then_some(line) }
            }
            _ => return None,
        };
        bytes.is_empty().then_some(Self { settings_number, file, spot })
    }
}

/// Finds the places of documents while they are read.
pub(crate) struct PlaceFinder {
    settings_number: u32,
    /// The last file as given, the number of its bytes that are the path on the disk, and the absolute path.
    last: Option<(Vec<u8>, usize, Vec<u8>)>,
}

impl PlaceFinder {
    /// Creates a finder.
    ///
    /// * `settings_number`: the position of the reading settings in the list of the index.
    pub(crate) fn new(settings_number: u32) -> Self {
        Self { settings_number, last: None }
    }

    /// The place of a document, as bytes.
    ///
    /// # Errors
    /// When the document cannot be read again: it comes from a pipe, or the path of its file cannot be made absolute.
    pub(crate) fn place_of(&mut self, document: &SignedDocument) -> Result<Box<[u8]>> {
        let given = document.file.unwrap_or(document.name);
        let DocumentLocation { offset, len, source } = document.located;
        let is_inside = document.located.how_kept().is_some();
        if self.last.as_ref().is_none_or(|(last, ..)| last != given) {
            let file = if is_inside { file_of(given)? } else { path_of(given).to_owned() };
            let absolute = std::path::absolute(&file).map_err(|_| cannot(given, "its folder has no path"))?;
            self.last = Some((given.to_vec(), path_bytes(&file).len(), path_bytes(&absolute).to_vec()));
        }
        let (_, file_len, file) = self.last.as_ref().expect("just found");
        let spot = match source {
            DocumentLocation::FILE => TextSpot::File,
            _ if is_inside => TextSpot::Inside { member: given[*file_len..].to_vec(), line: document.place },
            _ => TextSpot::Line { offset, len, is_set: document.is_set_line },
        };
        Ok(TextPlace { settings_number: self.settings_number, file: file.clone(), spot }.to_bytes())
    }
}

/// The file on the disk that contains an unpacked member.
fn file_of(given: &[u8]) -> Result<PathBuf> {
    let is_file = |name: &[u8]| path_of(name).is_file();
    let ends = given.iter().enumerate().filter(|&(_, &byte)| byte == b'!').map(|(at, _)| at);
    let files = std::iter::once(given.len()).chain(ends).map(|end| &given[..end]);
    let file = files.into_iter().find(|name| is_file(name)).map(|name| Path::to_owned(path_of(name)));
    file.ok_or_else(|| cannot(given, "it is not a file that can be read again"))
}

fn cannot(given: &[u8], why: &'static str) -> Error {
    Error::Index(IndexError::CannotRefer { place: String::from_utf8_lossy(given).into_owned(), why })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spots() -> impl Strategy<Value = TextSpot> {
        prop_oneof![
            Just(TextSpot::File),
            (any::<u64>(), any::<u32>(), any::<bool>()).prop_map(|(offset, len, is_set)| TextSpot::Line {
                offset,
                len,
                is_set
            }),
            (any::<Vec<u8>>(), prop::option::of(1u64..)).prop_map(|(member, line)| TextSpot::Inside { member, line }),
        ]
    }

    proptest! {
        #[test]
        fn places_come_back_and_nothing_else_is_one(settings_number: u32, file: Vec<u8>, spot in spots(), more: u8) {
            let place = TextPlace { settings_number, file, spot };
            let mut bytes = place.to_bytes().to_vec();
            prop_assert_eq!(TextPlace::read(&bytes), Some(place.clone()));
            for len in 0..bytes.len() {
                prop_assert_ne!(TextPlace::read(&bytes[..len]), Some(place.clone()));
            }
            bytes.push(more);
            prop_assert_eq!(TextPlace::read(&bytes), None);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = TextPlace::read(&bytes);
        }
    }

    #[test]
    fn a_member_is_in_the_file_that_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("odd!name.tar");
        std::fs::write(&path, "x").unwrap();
        let given = [path_bytes(&path), b"!inner.zip!a.txt"].concat();
        assert_eq!(file_of(&given).unwrap(), path);
        assert_eq!(file_of(path_bytes(&path)).unwrap(), path);
        let error = file_of(b"-").unwrap_err().to_string();
        assert!(error.contains("not a file that can be read again"), "{error}");
    }
}
