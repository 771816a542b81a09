//! `IndexFile`: an index as an SQLite file whose rows are sealed blocks; all access to SQLite is in this module.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

use super::file_faults::{io_fault, storage_fault};
use super::file_system::{FileIdentity, has_no_room, refuse_networks};
use crate::base::error::{Error, IndexError, Result};
use crate::documents::input::{OwnFiles, OwnUse};
use crate::index::blocks::compression::Dictionary;
use crate::index::blocks::sealed::{IndexTable, sealed, unsealed};

/// The `application_id` of an index: "ddup".
const APPLICATION: u32 = u32::from_be_bytes(*b"ddup");
/// The format that is written and read. Format 1 had other hash functions in classic signatures, format 2 had no
/// dictionaries.
pub(crate) const FORMAT: u32 = 3;
/// Bytes of a page: a block of a run fits in one.
pub(crate) const PAGE_BYTES: u32 = 16_384;
/// The first bytes of every SQLite file.
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// The number of prepared statements in the cache.
const STATEMENTS: usize = 64;

/// An open index.
pub(crate) struct IndexFile {
    path: PathBuf,
    connection: Connection,
    /// How long to wait for other processes.
    wait: Duration,
    /// The identity of the file that was opened; `None` for a new file that has no name yet.
    identity: Option<FileIdentity>,
    /// The compression dictionaries that have been loaded. A dictionary never changes while it exists.
    pub(crate) dictionaries: RefCell<BTreeMap<u32, Arc<Dictionary>>>,
}

/// The purpose of opening an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenFor {
    Read,
    /// Reading what is left of a damaged index, which may lack its end.
    Salvage,
    /// Writing; waits this long for another process that writes.
    Write(Duration),
}

impl IndexFile {
    /// Creates a new file without rows. No other process reads it, and it is only complete after
    /// [`finish`](Self::finish).
    ///
    /// * `path`: the path of the new file.
    /// * `index`: the path for messages.
    pub(crate) fn create(path: &Path, index: &Path, cache_bytes: u64) -> Result<Self> {
        let connection = Connection::open(path);
        let connection = connection.map_err(|error| storage_fault(index, "write", &error))?;
        let file = Self {
            path: index.to_owned(),
            connection,
            wait: Duration::ZERO,
            identity: None,
            dictionaries: RefCell::default(),
        };
        let pragmas = format!(
            "PRAGMA page_size={PAGE_BYTES}; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; \
             PRAGMA locking_mode=EXCLUSIVE; PRAGMA application_id={APPLICATION}; PRAGMA user_version={FORMAT};"
        );
        file.set_up(&pragmas, cache_bytes)?;
        for table in IndexTable::ALL {
            file.write(&table.schema())?;
        }
        Ok(file)
    }

    /// Completes a new file: afterwards it is wholly on the disk.
    pub(crate) fn finish(self, path: &Path) -> Result<()> {
        // From here on many processes may read the file while one writes.
        self.write("PRAGMA locking_mode=NORMAL; PRAGMA synchronous=FULL; PRAGMA journal_mode=WAL;")?;
        self.write("PRAGMA wal_checkpoint(TRUNCATE)")?;
        let index = self.path.clone();
        self.connection.close().map_err(|(_, error)| storage_fault(&index, "write", &error))?;
        let sync = || File::open(path).and_then(|file| file.sync_all());
        sync().map_err(|error| io_fault(&index, "write", &error))
    }

    /// Opens an index.
    ///
    /// # Errors
    /// When the file is not an index, or has another format.
    pub(crate) fn open(path: &Path, purpose: OpenFor, cache_bytes: u64) -> Result<Self> {
        let identity = check_header(path)?;
        refuse_networks(path, path)?;
        let is_read = !matches!(purpose, OpenFor::Write(_));
        let doing = if is_read { "read" } else { "write" };
        let common = OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let open = |flags: OpenFlags| Connection::open_with_flags(path, flags | common);
        let connection = match open(OpenFlags::SQLITE_OPEN_READ_WRITE) {
            // A file that cannot be written does not change while it is read.
            Err(_) if is_read => open_unchanging(path, common),
            opened => opened,
        };
        let connection = connection.map_err(|error| storage_fault(path, doing, &error))?;
        let wait = if let OpenFor::Write(wait) = purpose { wait } else { Duration::from_secs(5) };
        let mut file = Self { path: path.to_owned(), connection, wait, identity, dictionaries: RefCell::default() };
        file.connection.busy_timeout(wait).map_err(|error| storage_fault(path, doing, &error))?;
        let pragmas = "PRAGMA synchronous=FULL; PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=0;";
        let is_damaged = purpose == OpenFor::Salvage;
        let set_up = file.prepare(is_damaged, pragmas, cache_bytes);
        // On a full disk SQLite leaves an empty log; otherwise a log means that another process has the index open.
        let may_change = || fs::metadata(wal_of(path)).is_ok_and(|log| log.len() > 0 || !has_no_room(path));
        let is_busy = matches!(set_up, Err(Error::Index(IndexError::Busy { .. })));
        if set_up.is_err() && !is_busy && is_read && !may_change() {
            // A reader needs an auxiliary file, but the folder may be read-only, or its disk full.
            let unchanging = open_unchanging(path, common).map_err(|error| storage_fault(path, doing, &error))?;
            file.connection = unchanging;
            file.prepare(is_damaged, "", cache_bytes)?;
            return Ok(file);
        }
        set_up.map(|()| file)
    }

    /// Sets up an index that was opened, and checks its tables.
    ///
    /// * `is_damaged`: whether a file is read that may be shorter than its header says. SQLite reads no page of such a file
    ///   unless the schema may be written, which must be set before anything else.
    fn prepare(&self, is_damaged: bool, pragmas: &str, cache_bytes: u64) -> Result<()> {
        if is_damaged {
            self.write("PRAGMA writable_schema=ON")?;
        }
        self.set_up(pragmas, cache_bytes)?;
        self.check_tables()
    }

    fn set_up(&self, pragmas: &str, cache_bytes: u64) -> Result<()> {
        self.connection.set_prepared_statement_cache_capacity(STATEMENTS);
        let cache_kib = (cache_bytes >> 10).clamp(256, 1 << 30);
        self.write(&format!(
            "PRAGMA cache_size=-{cache_kib}; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY; PRAGMA trusted_schema=OFF; \
             PRAGMA cell_size_check=ON; PRAGMA secure_delete=ON; {pragmas}"
        ))
    }

    /// Checks that the file has the tables of an index and nothing else, such as a trigger.
    fn check_tables(&self) -> Result<()> {
        let schema = || {
            let mut statement = self.connection.prepare("SELECT name, sql FROM sqlite_master ORDER BY rootpage")?;
            // Where the page was lost, there are rows without a name.
            let text = |row: &rusqlite::Row, column: usize| {
                row.get::<_, Option<String>>(column).map(Option::unwrap_or_default)
            };
            let rows = statement.query_map([], |row| Ok((text(row, 0)?, text(row, 1)?)))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        let mut tables = schema().map_err(|error| self.fault("read", &error))?;
        tables.sort_unstable();
        let mut own = IndexTable::ALL.map(|table| (table.name().to_owned(), table.schema()));
        own.sort_unstable();
        if tables == own { Ok(()) } else { Err(not_an_index(&self.path, "its tables are not those of one".to_owned())) }
    }

    /// The path of the index as given.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs statements without a result.
    pub(crate) fn write(&self, sql: &str) -> Result<()> {
        self.connection.execute_batch(sql).map_err(|error| self.fault("write", &error))
    }

    /// Begins a read transaction: until [`end`](Self::end) all reads see the same generation.
    ///
    /// # Errors
    /// When the path now belongs to another file, or to none.
    pub(crate) fn begin_reading(&self) -> Result<()> {
        self.check_name()?;
        self.connection.execute_batch("BEGIN").map_err(|error| self.fault("read", &error))
    }

    /// Begins a write transaction; waits for another writer as long as [`OpenFor::Write`] says.
    pub(crate) fn begin_writing(&self) -> Result<()> {
        self.write("BEGIN IMMEDIATE")
    }

    /// Commits a transaction; its writes are on the disk afterwards.
    ///
    /// # Errors
    /// When the commit fails, or is lost because the path now belongs to another file, or to none.
    pub(crate) fn commit(&self) -> Result<()> {
        self.write("COMMIT")?;
        self.check_name()
    }

    fn check_name(&self) -> Result<()> {
        let is_there = self.identity.is_none() || self.identity == FileIdentity::of(&self.path);
        if is_there { Ok(()) } else { Err(Error::Index(IndexError::Gone { path: self.path.clone() })) }
    }

    /// Ends a transaction and discards its writes.
    pub(crate) fn end(&self) {
        if !self.connection.is_autocommit() {
            // A failure cannot be handled here; closing the file has the same effect.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
    }

    /// Returns some free pages to the system; returns whether there were any.
    pub(crate) fn give_back_free(&self, most_pages: u32) -> Result<bool> {
        // Each row of this statement frees a page.
        let free = || {
            let mut statement = self.connection.prepare(&format!("PRAGMA incremental_vacuum({most_pages})"))?;
            let mut rows = statement.query([])?;
            while rows.next()?.is_some() {}
            Ok(())
        };
        let before = self.pragma("freelist_count")?;
        free().map_err(|error| self.fault("write", &error))?;
        Ok(self.pragma("freelist_count")? < before)
    }

    /// Moves the write-ahead log into the index, and truncates it unless a reader needs it.
    pub(crate) fn checkpoint(&self) -> Result<()> {
        // This does not wait: pages that are being read are moved the next time.
        let checkpoint = || {
            self.connection.busy_timeout(Duration::ZERO)?;
            let done = self.connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            self.connection.busy_timeout(self.wait)?;
            done
        };
        checkpoint().map_err(|error| self.fault("write", &error))
    }

    /// The value of an SQLite pragma.
    pub(crate) fn pragma(&self, name: &str) -> Result<i64> {
        let number = self.connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0));
        number.map_err(|error| self.fault("read", &error))
    }

    /// The faults that SQLite finds in its own structures.
    pub(crate) fn integrity_faults(&self) -> Result<Vec<String>> {
        let faults = || {
            let mut statement = self.connection.prepare("PRAGMA integrity_check(10)")?;
            let rows = statement.query_map([], |row| row.get::<_, String>(0))?;
            rows.collect::<rusqlite::Result<Vec<String>>>()
        };
        let mut faults = faults().map_err(|error| self.fault("read", &error))?;
        faults.retain(|fault| fault != "ok");
        Ok(faults)
    }

    /// Reads a row and decodes its payload with `read`; `None` when the row is missing.
    ///
    /// # Errors
    /// When the row is damaged.
    pub(crate) fn get<T>(
        &self,
        table: IndexTable,
        at: i64,
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<Option<T>> {
        let sql = match table {
            IndexTable::Meta => "SELECT block FROM meta WHERE at=?1",
            IndexTable::Fences => "SELECT block FROM fences WHERE at=?1",
            IndexTable::Runs => "SELECT block FROM runs WHERE at=?1",
            IndexTable::Texts => "SELECT block FROM texts WHERE at=?1",
            IndexTable::Docs => "SELECT block FROM docs WHERE at=?1",
            IndexTable::Dead => "SELECT block FROM dead WHERE at=?1",
        };
        let row = |statement: &mut rusqlite::CachedStatement| {
            statement.query_row([at], |row| Ok(payload_of(table, at, row.get_ref(0)?).map(read))).optional()
        };
        let read = self.connection.prepare_cached(sql).and_then(|mut statement| row(&mut statement));
        match read.map_err(|error| self.fault("read", &error))? {
            None => Ok(None),
            Some(Some(Some(value))) => Ok(Some(value)),
            Some(_) => Err(self.damaged(table, at)),
        }
    }

    /// Like [`get`](Self::get), for a row that must exist.
    pub(crate) fn need<T>(&self, table: IndexTable, at: i64, read: impl FnOnce(&[u8]) -> Option<T>) -> Result<T> {
        self.get(table, at, read)?.ok_or_else(|| self.damaged(table, at))
    }

    /// The greatest row number up to `at` in a table.
    pub(crate) fn row_up_to(&self, table: IndexTable, at: i64) -> Result<Option<i64>> {
        let sql = format!("SELECT at FROM {} WHERE at<=?1 ORDER BY at DESC LIMIT 1", table.name());
        let found = || self.connection.prepare_cached(&sql)?.query_row([at], |row| row.get(0)).optional();
        found().map_err(|error| self.fault("read", &error))
    }

    /// The number of rows of a table, and their total bytes.
    pub(crate) fn size(&self, table: IndexTable) -> Result<(u64, u64)> {
        let sql = format!("SELECT count(*), coalesce(sum(length(block)), 0) FROM {}", table.name());
        let size = self.connection.query_row(&sql, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)));
        size.map(|(rows, bytes)| (rows as u64, bytes as u64)).map_err(|error| self.fault("read", &error))
    }

    /// Writes a row; replaces an existing one.
    pub(crate) fn put(&self, table: IndexTable, at: i64, payload: &[u8]) -> Result<()> {
        let sql = format!("INSERT OR REPLACE INTO {}(at, block) VALUES(?1, ?2)", table.name());
        let put = || self.connection.prepare_cached(&sql)?.execute((at, sealed(table, at, payload)));
        put().map(drop).map_err(|error| self.fault("write", &error))
    }

    /// Deletes the rows with numbers `from` to `to`, inclusive.
    pub(crate) fn delete(&self, table: IndexTable, from: i64, to: i64) -> Result<()> {
        let sql = format!("DELETE FROM {} WHERE at BETWEEN ?1 AND ?2", table.name());
        let delete = || self.connection.prepare_cached(&sql)?.execute([from, to]);
        delete().map(drop).map_err(|error| self.fault("write", &error))
    }

    /// The error for a damaged row.
    pub(crate) fn damaged(&self, table: IndexTable, at: i64) -> Error {
        Error::Index(IndexError::Damaged { path: self.path.clone(), part: format!("{} block {at}", table.name()) })
    }

    /// The error for a failure of SQLite.
    pub(crate) fn fault(&self, doing: &'static str, error: &rusqlite::Error) -> Error {
        storage_fault(&self.path, doing, error)
    }
}

fn payload_of<'b>(table: IndexTable, at: i64, value: ValueRef<'b>) -> Option<&'b [u8]> {
    let ValueRef::Blob(block) = value else { return None };
    unsealed(table, at, block)
}

fn open_unchanging(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let encoded = crate::documents::input::path_bytes(path).iter().fold(String::new(), |mut encoded, byte| {
        encoded.push_str(&format!("%{byte:02X}"));
        encoded
    });
    let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | flags;
    Connection::open_with_flags(format!("file:{encoded}?immutable=1"), read_only)
}

/// The path of the write-ahead log of an index.
pub(crate) fn wal_of(path: &Path) -> PathBuf {
    beside(path, "-wal")
}

/// Adds the files of an open index to a run's own files, so that they are skipped in input folders.
pub(crate) fn add_own_files(path: &Path, own_files: &mut OwnFiles) {
    for file in std::iter::once(path.to_owned()).chain(files_beside(path)) {
        if let Ok(metadata) = file.metadata() {
            own_files.add(&metadata, OwnUse::Replaced { path: file, by: "the index", is_own: true });
        }
    }
}

/// The auxiliary files that SQLite may leave next to a database file.
pub(crate) fn files_beside(path: &Path) -> impl Iterator<Item = PathBuf> {
    ["-journal", "-wal", "-shm"].into_iter().map(move |end| beside(path, end))
}

/// The path with `end` appended.
pub(crate) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// Checks that a file has the header of an index, before SQLite reads it; returns the identity of the file.
fn check_header(path: &Path) -> Result<Option<FileIdentity>> {
    let mut header = [0; 100];
    let metadata = fs::metadata(path).map_err(|error| io_fault(path, "read", &error))?;
    if metadata.is_dir() {
        return Err(not_an_index(path, "it is a folder, and the index comes first".to_owned()));
    }
    if !metadata.is_file() {
        return Err(not_an_index(path, "it is not a regular file".to_owned()));
    }
    let mut file = File::open(path).map_err(|error| io_fault(path, "read", &error))?;
    let is_short = metadata.len() < header.len() as u64;
    if is_short || file.read_exact(&mut header).is_err() || !header.starts_with(MAGIC) {
        let what = if metadata.len() == 0 { "it is empty" } else { "an index begins with other bytes" };
        return Err(not_an_index(path, what.to_owned()));
    }
    let number = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
    if number(68) != APPLICATION {
        return Err(not_an_index(path, "it is a database of another program".to_owned()));
    }
    match number(60) {
        FORMAT => Ok(file.metadata().ok().as_ref().and_then(FileIdentity::of_metadata)),
        0 => Err(not_an_index(path, "its format has no number".to_owned())),
        format => Err(Error::Index(IndexError::OtherFormat { path: path.to_owned(), format, own: FORMAT })),
    }
}

fn not_an_index(path: &Path, what: String) -> Error {
    Error::Index(IndexError::NotAnIndex { path: path.to_owned(), what })
}

#[cfg(test)]
mod tests {
    #[test]
    fn sqlite_is_one_without_the_fault_of_its_log() {
        // Before 3.51.3, resetting the write-ahead log could lose a committed transaction.
        assert!(rusqlite::version_number() >= 3_051_003, "{}", rusqlite::version());
    }
}
