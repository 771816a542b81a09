//! `MapiFile`: the properties of the messages in a file of Outlook.

use std::io::{self, Cursor, Read};
use std::time::{Duration, SystemTime};

use cfb::CompoundFile;
use encoding_rs::UTF_16LE;

use super::super::meter::Meter;
use crate::documents::input::bytes::extract::of_code_page;
use crate::documents::input::panic_guard::contain;

/// The stream with the properties of a fixed length.
const PROPERTIES: &str = "__properties_version1.0";
/// The start of the names of attachments.
const ATTACHMENT: &str = "__attach_version1.0_";
/// Bytes of a property of a fixed length.
const ENTRY: usize = 16;
/// Maximum number of attachments.
pub(super) const MOST_ATTACHMENTS: usize = 10_000;
/// Number of 100 nanoseconds from the year 1601 to 1970, and in a second.
const EPOCH: u64 = 116_444_736_000_000_000;
const PER_SECOND: u64 = 10_000_000;

/// A file with a message.
pub(super) struct MapiFile<'m> {
    file: CompoundFile<Cursor<&'m [u8]>>,
    num_bytes: u64,
    /// Maximum bytes of a property.
    limit: u64,
    /// The code page of the message of the file; 0 if it is not known.
    code_page: i32,
    /// Counts the bytes of properties, because several may have the same bytes.
    meter: Meter,
}

/// A message or an attachment in such a file.
#[derive(Debug, Clone)]
pub(super) struct MapiStorage {
    path: String,
    /// Bytes before the first property of a fixed length.
    header: usize,
}

impl MapiStorage {
    /// The message of a file.
    pub(super) fn root() -> Self {
        Self { path: "/".to_owned(), header: 32 }
    }

    fn inside(&self, name: &str, header: usize) -> Self {
        Self { path: format!("{}{name}/", self.path), header }
    }
}

impl<'m> MapiFile<'m> {
    /// The property of a message with the code page of its texts.
    pub(super) const CODE_PAGE: u16 = 0x3FFD;

    /// Opens a file; `None` if it is damaged.
    ///
    /// * `limit`: maximum bytes of a property.
    pub(super) fn open(raw: &'m [u8], limit: u64, meter: Meter) -> Option<Self> {
        let file = contain(|| CompoundFile::open(Cursor::new(raw))).ok()?.ok()?;
        let mut opened = Self { file, num_bytes: raw.len() as u64, limit, code_page: 0, meter };
        opened.code_page = opened.number(&MapiStorage::root(), Self::CODE_PAGE).unwrap_or(0);
        Some(opened)
    }

    /// The code page of the names of all attachments, in inner messages too; 0 if it is not known.
    pub(super) fn code_page(&self) -> i32 {
        self.code_page
    }

    pub(super) fn num_bytes(&self) -> u64 {
        self.num_bytes
    }

    /// Whether a storage has properties, as every message does.
    pub(super) fn has_properties(&self, storage: &MapiStorage) -> bool {
        contain(|| self.file.is_stream(format!("{}{PROPERTIES}", storage.path))).unwrap_or(false)
    }

    /// The text of a property; `None` if it does not exist or cannot be read.
    ///
    /// * `code_page`: of a text that is not Unicode; 0 if it is not known.
    pub(super) fn text(&mut self, storage: &MapiStorage, id: u16, code_page: i32) -> Option<String> {
        if let Some(bytes) = self.property(storage, id, "001F").ok()? {
            return Some(UTF_16LE.decode_without_bom_handling(&bytes).0.trim_end_matches('\0').to_owned());
        }
        let bytes = self.property(storage, id, "001E").ok()??;
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text.into(),
            Err(_) => of_code_page(code_page).decode(&bytes).0,
        };
        Some(text.trim_end_matches('\0').to_owned())
    }

    /// The bytes of a property; `None` if it does not exist.
    pub(super) fn binary(&mut self, storage: &MapiStorage, id: u16) -> io::Result<Option<Vec<u8>>> {
        self.property(storage, id, "0102")
    }

    /// A number.
    pub(super) fn number(&mut self, storage: &MapiStorage, id: u16) -> Option<i32> {
        let value = self.fixed(storage, id, 0x0003)?;
        Some(i32::from_le_bytes(value[..4].try_into().expect("four bytes")))
    }

    /// A time.
    pub(super) fn time(&mut self, storage: &MapiStorage, id: u16) -> Option<SystemTime> {
        let since = u64::from_le_bytes(self.fixed(storage, id, 0x0040)?).checked_sub(EPOCH)?;
        SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(since / PER_SECOND))
    }

    /// The first [`MOST_ATTACHMENTS`] attachments of a message, in the order of their numbers, and the number of all.
    pub(super) fn attachments(&mut self, message: &MapiStorage) -> (Vec<MapiStorage>, usize) {
        let names = || {
            let entries = self.file.read_storage(&message.path).ok()?;
            let storages = entries.filter(cfb::Entry::is_storage).map(|entry| entry.name().to_owned());
            Some(storages.filter(|name| name.starts_with(ATTACHMENT)).collect())
        };
        let mut names: Vec<String> = contain(names).ok().flatten().unwrap_or_default();
        names.sort_unstable();
        let first = names.iter().take(MOST_ATTACHMENTS).map(|name| message.inside(name, 8)).collect();
        (first, names.len())
    }

    /// The message that an attachment consists of.
    pub(super) fn inner_message(&self, attachment: &MapiStorage, id: u16) -> Option<MapiStorage> {
        let inner = attachment.inside(&format!("__substg1.0_{id:04X}000D"), 24);
        self.has_properties(&inner).then_some(inner)
    }

    /// The value of a property of a fixed length.
    fn fixed(&mut self, storage: &MapiStorage, id: u16, kind: u16) -> Option<[u8; 8]> {
        let bytes = self.stream(&format!("{}{PROPERTIES}", storage.path)).ok()??;
        let tag = (u32::from(id) << 16 | u32::from(kind)).to_le_bytes();
        let entry = bytes.get(storage.header..)?.chunks_exact(ENTRY).find(|entry| entry.starts_with(&tag))?;
        entry[8..].try_into().ok()
    }

    fn property(&mut self, storage: &MapiStorage, id: u16, kind: &str) -> io::Result<Option<Vec<u8>>> {
        self.stream(&format!("{}__substg1.0_{id:04X}{kind}", storage.path))
    }

    fn stream(&mut self, path: &str) -> io::Result<Option<Vec<u8>>> {
        let (file, limit) = (&mut self.file, self.limit);
        let read = || {
            if !file.is_stream(path) {
                return io::Result::Ok(None);
            }
            let mut bytes = Vec::new();
            file.open_stream(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
            Ok(Some(bytes))
        };
        let bytes = contain(read).map_err(io::Error::from)??;
        if let Some(bytes) = &bytes {
            self.meter.add(bytes.len() as u64)?;
        }
        Ok(bytes)
    }
}
