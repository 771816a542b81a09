//! `Grouping`: assigns each document to its group, and numbers the groups in document order.
//!
//! The key of a document is made from its folders, from a field of its record, or from a part of its name. Documents
//! with the same key form a group, and a document without a key is a separate group.

use std::borrow::Cow;
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;

use super::summary::GroupSummary;
use crate::base::error::Result;
use crate::base::memory::{asking, no_room, reserve};
use crate::documents::document::{GroupBy, GroupSettings, Groups, host_of};
use crate::documents::input::{InputSettings, Walked, path_of, unnumbered};

/// Assigns documents to groups, one after another.
pub(super) struct Grouping<'a> {
    by: &'a GroupBy,
    within: bool,
    walked: &'a Walked,
    numbers: HashMap<Box<[u8]>, u32>,
    of: Vec<u32>,
    num_groups: u32,
    num_keyed: u64,
    /// The name of each group, if names are kept.
    names: Option<Vec<Box<[u8]>>>,
}

impl<'a> Grouping<'a> {
    /// Returns `None` when the settings define no groups.
    pub(super) fn new(settings: &'a InputSettings, walked: &'a Walked) -> Option<Self> {
        let &GroupSettings { ref by, within, with_names } = settings.groups.as_ref()?;
        let names = with_names.then(Vec::new);
        let (numbers, of) = (HashMap::new(), Vec::new());
        Some(Self { by, within, walked, numbers, of, num_groups: 0, num_keyed: 0, names })
    }

    /// Adds the next document.
    ///
    /// * `piece`: the number of the piece that contains the document.
    /// * `name`: the name of the document, as it is reported.
    /// * `file`: the path of the document's file.
    /// * `field`: the hash of the field that groups records, and its value if names are kept.
    ///
    /// # Errors
    /// When memory is too small for it.
    pub(super) fn add(
        &mut self,
        piece: u64,
        name: &[u8],
        file: &[u8],
        field: Option<(u128, Option<&[u8]>)>,
    ) -> Result<()> {
        let number = match self.by {
            GroupBy::Folder { depth } => {
                let key = folder_key(file, self.walked.file_len(piece), self.walked.root(piece), *depth);
                Some(self.number(&key, name_of_folder(&key))?)
            }
            GroupBy::Field(_) => {
                let number =
                    |(hash, value): (u128, Option<&[u8]>)| self.number(&hash.to_le_bytes(), value.unwrap_or_default());
                field.map(number).transpose()?
            }
            GroupBy::Archive => {
                let archive = self.walked.file_len(piece).filter(|&len| len < file.len()).map(|len| &file[..len]);
                archive.map(|archive| self.number(archive, archive)).transpose()?
            }
            GroupBy::Host => host_of(name).map(|host| self.number(&host, &host)).transpose()?,
            GroupBy::Name(expression) => {
                GroupBy::matched(expression, name).map(|key| self.number(key, key)).transpose()?
            }
        };
        self.num_keyed += u64::from(number.is_some());
        let number = number.map_or_else(|| self.next(name), Ok)?;
        reserve(&mut self.of, 1, "groups")?;
        self.of.push(number);
        Ok(())
    }

    /// The number of the group with this key.
    ///
    /// * `name`: the name of the group.
    fn number(&mut self, key: &[u8], name: &[u8]) -> Result<u32> {
        if let Some(&number) = self.numbers.get(key) {
            return Ok(number);
        }
        let number = self.next(name)?;
        let room = asking(|| self.numbers.try_reserve(1));
        room.map_err(|_| no_room::<(Box<[u8]>, u32)>(2 * self.numbers.len(), "groups"))?;
        self.numbers.insert(key.into(), number);
        Ok(number)
    }

    /// The number of a new group.
    fn next(&mut self, name: &[u8]) -> Result<u32> {
        if let Some(names) = &mut self.names {
            reserve(names, 1, "groups")?;
            names.push(name.into());
        }
        self.num_groups += 1;
        Ok(self.num_groups - 1)
    }

    /// The bytes of the groups' names and of the documents' group numbers.
    pub(super) fn num_bytes(&self) -> usize {
        let names: usize = self.numbers.keys().map(|name| name.len()).sum();
        let slot = size_of::<(Box<[u8]>, u32)>() + 1;
        let kept: usize = self.names.iter().flatten().map(|name| size_of::<Box<[u8]>>() + name.len()).sum();
        names + kept + self.numbers.capacity() * 8 / 7 * slot + self.of.capacity() * size_of::<u32>()
    }

    /// The number of groups, and the number of documents that have a key.
    pub(super) fn summary(&self) -> GroupSummary {
        let (by, count) = (self.by.to_string(), self.num_groups.into());
        GroupSummary { by, within: self.within, count, documents: self.num_keyed }
    }

    pub(super) fn into_groups(self) -> Groups {
        let names = Arc::from(self.names.unwrap_or_default());
        Groups { of: Arc::from(self.of), within: self.within, names }
    }
}

/// The folders of a file that count for its group, each with a slash after it.
///
/// * `file`: the name of the file. A member of an archive is in its folders within the archive, and the archive is a folder.
/// * `file_len`: the length of the archive's path, if the file is in an archive.
/// * `root`: the folder or archive that was given as an input.
pub(crate) fn folder_key(
    file: &[u8],
    file_len: Option<usize>,
    root: Option<&Path>,
    depth: Option<NonZeroUsize>,
) -> Vec<u8> {
    let path: Cow<[u8]> = match file_len.and_then(|len| file.split_at_checked(len)) {
        None | Some((_, [])) => file.into(),
        Some((archive, inside)) => {
            let inside = unnumbered(inside).iter().map(|&byte| if byte == b'!' { b'/' } else { byte });
            archive.iter().copied().chain(inside).collect::<Vec<u8>>().into()
        }
    };
    let folders = GroupBy::folders(path_of(&path), root, depth);
    folders.iter().flat_map(|folder| [folder.as_encoded_bytes(), b"/"]).collect::<Vec<_>>().concat()
}

/// The name of the folders of a [`folder_key`]; `.` for no folder.
pub(crate) fn name_of_folder(key: &[u8]) -> &[u8] {
    match key {
        b"" => b".",
        // The root of the file system is a folder with the name `/`.
        [b'/', b'/'] => b"/",
        [b'/', b'/', ..] => &key[1..key.len() - 1],
        _ => &key[..key.len() - 1],
    }
}
