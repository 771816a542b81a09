//! Names: made where there are none, and told apart.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::part::Part;
use crate::error::Result;
use crate::input::Sources;
use crate::memory::{asking, no_room, reserve_exact};

/// What there may be no room for.
const NAME_HASHES: &str = "hashes of names";

/// In place of the source of a document that is no record.
const NO_SOURCE: u32 = u32::MAX;

/// Makes names, document by document, and tells those that were there before.
///
/// Keeps the source and line of the part at hand, and the hashes of all names while they may repeat.
#[derive(Default)]
pub(super) struct Names {
    /// Whether no two names are equal, so that none need be remembered.
    pub(super) all_differ: bool,
    /// Whose lines are places.
    sources: HashSet<Vec<u8>>,
    /// By 96 bits of the hash of each name, the source of its record.
    seen: HashMap<[u32; 3], u32>,
    source: Option<u32>,
    pub(super) source_name: Vec<u8>,
    /// Lines of the source before the part at hand.
    lines_before: u64,
    /// Bytes that it took to look over the names.
    hash_bytes: usize,
}

impl Names {
    /// Looks over the names of all parts, in parallel. Paths differ by themselves; ids and members of archives nearly
    /// always do, and then a sorted list of their hashes tells so in less time and memory than a set of them.
    ///
    /// # Errors
    /// When there is no room for the hashes.
    pub(super) fn new(parts: &[Part], sources: &Sources) -> Result<Self> {
        let mut names = Self { sources: sources.names(), ..Self::default() };
        names.all_differ = !parts.iter().any(Part::names_may_repeat) || names.do_differ(parts)?;
        Ok(names)
    }

    /// Whether no two names of the parts have one hash, and none may be that of a record without an id.
    fn do_differ(&mut self, parts: &[Part]) -> Result<bool> {
        let mut hashes = Vec::new();
        reserve_exact(&mut hashes, parts.iter().map(|part| part.names().count()).sum(), NAME_HASHES)?;
        hashes.resize(hashes.capacity(), 0);
        let mut rest = hashes.as_mut_slice();
        let of_parts = parts
            .iter()
            .map(|part| (part, rest.split_off_mut(..part.names().count()).expect("there is a place for each name")));
        let of_parts: Vec<_> = of_parts.collect();
        let has_place = of_parts.into_par_iter().any(|(part, hashes)| {
            part.names().zip(hashes).any(|(name, hash)| {
                *hash = xxh3_64(name);
                self.is_place(name)
            })
        });
        if has_place {
            return Ok(false);
        }
        hashes.par_sort_unstable();
        self.hash_bytes = size_of_val(hashes.as_slice());
        Ok(!hashes.par_windows(2).any(|pair| pair[0] == pair[1]))
    }

    /// A part begins; returns its source when that is another one than before.
    pub(super) fn enter(&mut self, lines: Option<(u32, u64)>, sources: &Sources) -> Option<u32> {
        let source = lines.map(|(source, _)| source).filter(|&source| self.source != Some(source))?;
        self.source = Some(source);
        self.source_name = sources.name(source);
        self.lines_before = 0;
        Some(source)
    }

    /// Another side begins, whose names are its own.
    pub(super) fn forget(&mut self) {
        self.seen.clear();
    }

    pub(super) fn leave(&mut self, lines: Option<(u32, u64)>) {
        self.lines_before += lines.map_or(0, |(_, count)| count);
    }

    /// `file:line` of a line counted from 0 at the start of the part.
    pub(super) fn place(&self, line: u64) -> Vec<u8> {
        let mut place = self.source_name.clone();
        place.push(b':');
        place.extend_from_slice(self.line(line).to_string().as_bytes());
        place
    }

    /// Whether a name has the form `file:line` for one of the sources, which a record without an id may have as well.
    pub(super) fn is_place(&self, name: &[u8]) -> bool {
        let Some(colon) = name.iter().rposition(|&byte| byte == b':') else { return false };
        let (source, line) = (&name[..colon], &name[colon + 1..]);
        !line.is_empty() && line.iter().all(u8::is_ascii_digit) && self.sources.contains(source)
    }

    pub(super) fn num_bytes(&self) -> usize {
        // A hash, a source and a byte of control a slot.
        self.hash_bytes.max(self.seen.capacity() * 8 / 7 * (size_of::<([u32; 3], u32)>() + 1))
    }

    /// The line of the source, from 1, of a line counted from 0 at the start of the part.
    pub(super) fn line(&self, line: u64) -> u64 {
        self.lines_before + line + 1
    }

    /// Takes a name for a record of the source at hand. When it was taken before, returns whether for a record of another
    /// source.
    ///
    /// # Errors
    /// When there is no room for its hash.
    pub(super) fn take_for_record(&mut self, name: &[u8]) -> Result<Option<bool>> {
        let source = self.source.expect("a record has a source");
        let taken = self.take(name, source)?;
        Ok(taken.map(|other| other != source && other != NO_SOURCE))
    }

    /// Takes a name for a document that is no record; returns whether it was free.
    ///
    /// # Errors
    /// When there is no room for its hash.
    pub(super) fn is_new(&mut self, name: &[u8]) -> Result<bool> {
        Ok(self.take(name, NO_SOURCE)?.is_none())
    }

    /// Takes a name for a source, unless it is taken; returns the source that it was taken for.
    fn take(&mut self, name: &[u8], source: u32) -> Result<Option<u32>> {
        asking(|| self.seen.try_reserve(1))
            .map_err(|_| no_room::<([u32; 3], u32)>(2 * self.seen.len(), NAME_HASHES))?;
        let hash = xxh3_128(name);
        Ok(match self.seen.entry([hash as u32, (hash >> 32) as u32, (hash >> 64) as u32]) {
            Entry::Occupied(taken) => Some(*taken.get()),
            Entry::Vacant(free) => {
                free.insert(source);
                None
            }
        })
    }
}
