//! `Package`: the parts of an office document or a book, which is a zip file.

use std::collections::{HashMap, HashSet};
use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::fault::{ExtractFault, Extracted};
use super::source::DocumentSource;
use super::xml::{Xml, XmlEvent};
use crate::base::flat::offset_map::NoTrace;
use crate::documents::input::bytes::decode::Decoding;
use crate::documents::input::formats::binary_kinds::ZIP_START;
use crate::documents::input::panic_guard::contain;

/// The parts of a document.
pub(super) struct Package<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    /// The numbers of the parts, by their names as `plain_name` writes them.
    numbers: HashMap<Vec<u8>, usize>,
    /// Numbers of the parts that were read. Each part is read once, so that references to one part from many others
    /// cannot make much of a small file.
    read: HashSet<usize>,
    /// Maximum bytes of a part.
    limit: u64,
    decoding: Decoding,
}

/// A reference from one part to another (ECMA-376, part 2, 9.3).
pub(super) struct Relation {
    pub(super) id: String,
    /// The last segment of its type, such as `footnotes`.
    pub(super) kind: String,
    /// The name of the part that it refers to.
    pub(super) target: String,
}

impl<'b> Package<'b> {
    pub(super) fn open(source: &DocumentSource<'b>) -> Extracted<Self> {
        let archive = ZipArchive::new(Cursor::new(source.bytes))?;
        let numbers = archive.file_names_raw().zip(0..).map(|(name, number)| (plain_name(name), number)).collect();
        Ok(Self { archive, numbers, read: HashSet::new(), limit: source.limit, decoding: source.decoding })
    }

    /// Whether there is a part with this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.index(name).is_some()
    }

    /// The text of a part; `None` for a part that does not exist or was read before.
    pub(super) fn part(&mut self, name: &str) -> Extracted<Option<String>> {
        let Some(index) = self.index(name) else { return Ok(None) };
        if !self.read.insert(index) {
            return Ok(None);
        }
        let entry = self.archive.by_index_data(index)?;
        let size = entry.size();
        if entry.encrypted() {
            return Err(ExtractFault::Encrypted);
        }
        if size > self.limit {
            return Err(ExtractFault::TooLarge);
        }
        let mut bytes = Vec::new();
        self.archive.by_index(index)?.take(size + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > size {
            return Err(ExtractFault::Damaged("a part of it is longer than it should be".to_owned()));
        }
        let decoded = self.decoding.document(&mut bytes, false, u64::MAX, &mut NoTrace);
        decoded.map_err(|_| ExtractFault::Damaged("a part of it is not text".to_owned()))?;
        let text =
            String::from_utf8(bytes).map_err(|_| ExtractFault::Damaged("a part of it is not text".to_owned()))?;
        Ok(Some(text))
    }

    /// The text of a part that the document cannot do without.
    pub(super) fn required(&mut self, name: &str) -> Extracted<String> {
        self.part(name)?.ok_or_else(|| ExtractFault::without(name))
    }

    /// The references of a part to other parts of the document; with an empty name, the references of the document.
    pub(super) fn relations(&mut self, name: &str) -> Extracted<Vec<Relation>> {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let Some(text) = self.part(&resolve(folder, &format!("_rels/{file}.rels")))? else { return Ok(Vec::new()) };
        let mut relations = Vec::new();
        let mut xml = Xml::new(&text);
        while let Some(event) = xml.next()? {
            let XmlEvent::Start(element) = event else { continue };
            let is_outside = element.attribute("TargetMode").is_some_and(|mode| mode == "External");
            if element.name() == "Relationship" && !is_outside {
                let attribute = |name| element.attribute(name).unwrap_or_default();
                let kind = attribute("Type").rsplit('/').next().unwrap_or_default().to_owned();
                relations.push(Relation { id: attribute("Id"), kind, target: resolve(folder, &attribute("Target")) });
            }
        }
        Ok(relations)
    }

    /// The part that the document begins with, by its references, or else this one.
    pub(super) fn main_part(&mut self, usual: &str) -> Extracted<String> {
        let main = self.relations("")?.into_iter().find(|it| it.kind == "officeDocument" && self.has(&it.target));
        Ok(main.map_or_else(|| usual.to_owned(), |main| main.target))
    }

    /// The number of a part.
    fn index(&self, name: &str) -> Option<usize> {
        self.archive.index_for_name(name).or_else(|| self.numbers.get(&plain_name(name.as_bytes())).copied())
    }
}

/// The name of a part in lower case with `/`: names of parts differ in more than case, and some programs write `\`.
fn plain_name(name: &[u8]) -> Vec<u8> {
    name.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte.to_ascii_lowercase() }).collect()
}

/// Whether a zip file has a part with this name, or is damaged, so that it may have had one.
pub(super) fn may_have_part(bytes: &[u8], name: &str) -> bool {
    let find = || ZipArchive::new(Cursor::new(bytes)).is_ok_and(|archive| archive.index_for_name(name).is_none());
    !contain(find).unwrap_or(false)
}

/// The name of the part that a reference from a folder means.
pub(super) fn resolve(folder: &str, target: &str) -> String {
    let (folder, target) = match target.strip_prefix('/') {
        Some(target) => ("", target),
        None => (folder, target),
    };
    let mut path: Vec<&str> = Vec::new();
    for segment in folder.split('/').chain(target.split('/')) {
        match segment {
            "" | "." => {}
            ".." => drop(path.pop()),
            segment => path.push(segment),
        }
    }
    path.join("/")
}

/// The number of bytes that the parts of a document unpack to, as its list of parts says; 0 for content that is not a
/// zip file.
pub(in crate::documents::input) fn declared_bytes(bytes: &[u8]) -> u64 {
    if !bytes.starts_with(ZIP_START) {
        return 0;
    }
    let count = || {
        let archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
        let size = |index: usize| archive.by_index_data(index).map_or(0, |entry| entry.size());
        Some((0..archive.len()).map(size).fold(0, u64::saturating_add))
    };
    contain(count).ok().flatten().unwrap_or(0)
}
