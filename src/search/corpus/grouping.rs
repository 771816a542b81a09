//! `Grouping`: assigns each document to its group, and numbers the groups in document order.
//!
//! The key of a document is made from its folders, from a field of its record, or from a part of its name. Documents
//! with the same key form a group, and a document without a key is a separate group.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::summary::GroupSummary;
use crate::base::error::Result;
use crate::base::memory::{asking, no_room, reserve};
use crate::documents::document::{GroupBy, GroupSettings, Groups};
use crate::documents::input::{InputSettings, Walked, path_of};

/// Assigns documents to groups, one after another.
pub(super) struct Grouping<'a> {
    by: &'a GroupBy,
    within: bool,
    walked: &'a Walked,
    numbers: HashMap<Box<[u8]>, u32>,
    of: Vec<u32>,
    num_groups: u32,
    num_keyed: u64,
}

impl<'a> Grouping<'a> {
    /// Returns `None` when the settings define no groups.
    pub(super) fn new(settings: &'a InputSettings, walked: &'a Walked) -> Option<Self> {
        let GroupSettings { by, within } = settings.groups.as_ref()?;
        let (numbers, of) = (HashMap::new(), Vec::new());
        Some(Self { by, within: *within, walked, numbers, of, num_groups: 0, num_keyed: 0 })
    }

    /// Adds the next document.
    ///
    /// * `piece`: the number of the piece that contains the document.
    /// * `name`: the name of the document, as it is reported.
    /// * `file`: the path of the document's file.
    /// * `field`: the hash of the field that groups records.
    ///
    /// # Errors
    /// When memory is too small for it.
    pub(super) fn add(&mut self, piece: u64, name: &[u8], file: &[u8], field: Option<u128>) -> Result<()> {
        let number = match self.by {
            GroupBy::Folder { depth } => {
                let (path, root) = (self.path(piece, file), self.walked.root(piece));
                let folders = GroupBy::folders(path_of(&path), root, *depth);
                let key =
                    folders.iter().flat_map(|folder| [folder.as_encoded_bytes(), b"/"]).collect::<Vec<_>>().concat();
                Some(self.number(&key)?)
            }
            GroupBy::Field(_) => field.map(|field| self.number(&field.to_le_bytes())).transpose()?,
            GroupBy::Name(expression) => GroupBy::matched(expression, name).map(|key| self.number(key)).transpose()?,
        };
        self.num_keyed += u64::from(number.is_some());
        let number = number.unwrap_or_else(|| self.next());
        reserve(&mut self.of, 1, "groups")?;
        self.of.push(number);
        Ok(())
    }

    /// The path of a file. A member of an archive gets a path in which the archive is a folder.
    fn path<'n>(&self, piece: u64, name: &'n [u8]) -> Cow<'n, [u8]> {
        match self.walked.file_len(piece).and_then(|len| name.split_at_checked(len)) {
            None | Some((_, [])) => name.into(),
            Some((file, inside)) => {
                let inside = unnumbered(inside);
                let inside = inside.iter().map(|&byte| if byte == b'!' { b'/' } else { byte });
                file.iter().copied().chain(inside).collect::<Vec<u8>>().into()
            }
        }
    }

    fn number(&mut self, key: &[u8]) -> Result<u32> {
        if let Some(&number) = self.numbers.get(key) {
            return Ok(number);
        }
        let number = self.next();
        let room = asking(|| self.numbers.try_reserve(1));
        room.map_err(|_| no_room::<(Box<[u8]>, u32)>(2 * self.numbers.len(), "groups"))?;
        self.numbers.insert(key.into(), number);
        Ok(number)
    }

    fn next(&mut self) -> u32 {
        self.num_groups += 1;
        self.num_groups - 1
    }

    /// The bytes of the groups' names and of the documents' group numbers.
    pub(super) fn num_bytes(&self) -> usize {
        let names: usize = self.numbers.keys().map(|name| name.len()).sum();
        let slot = size_of::<(Box<[u8]>, u32)>() + 1;
        names + self.numbers.capacity() * 8 / 7 * slot + self.of.capacity() * size_of::<u32>()
    }

    /// The number of groups, and the number of documents that have a key.
    pub(super) fn summary(&self) -> GroupSummary {
        let (by, count) = (self.by.to_string(), self.num_groups.into());
        GroupSummary { by, within: self.within, count, documents: self.num_keyed }
    }

    pub(super) fn into_groups(self) -> Groups {
        Groups { of: Arc::from(self.of), within: self.within }
    }
}

/// The name of a member without the number that made it unique.
fn unnumbered(name: &[u8]) -> &[u8] {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &name[..name.len() - digits];
    rest.strip_suffix(b"/#").filter(|_| digits > 0).unwrap_or(name)
}
