//! `Columns`: finds the columns at which a range of bytes in a file begins and ends.

use std::fs::{self, File};
use std::path::PathBuf;

use crate::base::storage::read_at;
use crate::documents::input::path_of;

/// Maximum bytes of a line before a position; a passage after them has no columns.
const MOST: u64 = 1 << 14;
/// Bytes that are read first, since most lines are shorter.
const NEAR: u64 = 1 << 9;

/// Files that stay open: in document order, consecutive pairs often have a file in common.
const MOST_OPEN: usize = 2;

/// Finds columns in files.
pub(super) struct Columns {
    /// The folder that relative names are relative to; `None` if files may have changed.
    folder: Option<PathBuf>,
    /// The files that were used last, most recent first; `None` for a file that cannot be read.
    open: Vec<(Vec<u8>, Option<File>)>,
    buffer: Vec<u8>,
}

impl Columns {
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, open: Vec::new(), buffer: Vec::new() }
    }

    /// The columns of the first byte and of the end of a byte range, from 1, in UTF-16 code units as in SARIF and
    /// editors. `None` if the file cannot be read, is not UTF-8, or has too long a line there.
    pub(super) fn of(&mut self, name: &[u8], bytes: [u64; 2]) -> Option<[u64; 2]> {
        self.open(name)?;
        Some([self.column(bytes[0])?, self.column(bytes[1])?])
    }

    /// Opens a file and makes it the first one.
    fn open(&mut self, name: &[u8]) -> Option<()> {
        let folder = self.folder.as_ref()?;
        if let Some(at) = self.open.iter().position(|(other, _)| other == name) {
            self.open[..=at].rotate_right(1);
        } else {
            let path = folder.join(path_of(name));
            // Opening a pipe would wait for its writer.
            let is_file = fs::metadata(&path).is_ok_and(|metadata| metadata.is_file());
            let file = File::open(&path).ok().filter(|_| is_file);
            self.open.truncate(MOST_OPEN - 1);
            self.open.insert(0, (name.to_vec(), file));
        }
        Some(())
    }

    /// The column of a byte of the first file.
    fn column(&mut self, offset: u64) -> Option<u64> {
        let file = self.open.first()?.1.as_ref()?;
        for most in [NEAR, MOST] {
            let start = offset.saturating_sub(most);
            let len = (offset - start) as usize;
            self.buffer.clear();
            read_at(file, start, len, &mut self.buffer).ok().filter(|()| self.buffer.len() == len)?;
            let line = match self.buffer.iter().rposition(|&byte| matches!(byte, b'\n' | b'\r')) {
                Some(end) => &self.buffer[end + 1..],
                None if start == 0 => self.buffer.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&self.buffer),
                None => continue,
            };
            let line = std::str::from_utf8(line).ok().filter(|line| !line.contains('\0'))?;
            return Some(line.encode_utf16().count() as u64 + 1);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_utf_16_from_the_start_of_the_line() {
        let folder = tempfile::tempdir().unwrap();
        let text = "\u{FEFF}one\nzwei 😀 drei\r\nvier";
        fs::write(folder.path().join("a"), text).unwrap();
        let mut columns = Columns::new(Some(folder.path().to_owned()));
        let at = |part: &str| text.find(part).unwrap() as u64;
        let mut of = |bytes| columns.of(b"a", bytes);
        assert_eq!(of([at("one"), at("one") + 3]), Some([1, 4]));
        // The emoji has two UTF-16 code units.
        assert_eq!(of([at("drei"), at("drei") + 4]), Some([9, 13]));
        assert_eq!(of([at("zwei"), text.len() as u64]), Some([1, 5]));
        assert_eq!(of([at("vier"), text.len() as u64 + 1]), None, "the file is shorter");
        assert_eq!(of([at("😀") + 1, at("drei")]), None, "within a character");
        assert_eq!(columns.of(b"nowhere", [0, 1]), None);
        assert_eq!(columns.of(b".", [0, 0]), None, "a folder");
        assert_eq!(Columns::new(None).of(b"a", [3, 6]), None, "files that may have been changed");
    }

    #[test]
    fn long_lines_are_read_up_to_a_bound() {
        let folder = tempfile::tempdir().unwrap();
        let line = |len: u64| vec![b'x'; len as usize];
        fs::write(folder.path().join("a"), line(2 * MOST)).unwrap();
        fs::write(folder.path().join("b"), [b"x\n".to_vec(), line(2 * MOST)].concat()).unwrap();
        let mut columns = Columns::new(Some(folder.path().to_owned()));
        for end in [NEAR - 1, NEAR, NEAR + 1, MOST] {
            assert_eq!(columns.of(b"a", [1, end]), Some([2, end + 1]));
            // The line begins at byte 2, and the line end before it is among the bytes that are read.
            assert_eq!(columns.of(b"b", [3, end]), Some([2, end - 1]));
        }
        assert_eq!(columns.of(b"a", [1, MOST + 1]), None);
        assert_eq!(columns.of(b"b", [3, MOST + 1]), Some([2, MOST]));
        assert_eq!(columns.of(b"b", [3, MOST + 2]), None);
    }

    #[test]
    fn the_last_files_stay_open_and_others_are_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut columns = Columns::new(Some(folder.path().to_owned()));
        let names: Vec<Vec<u8>> = (0..4u8).map(|number| vec![b'a' + number]).collect();
        for (number, name) in names.iter().enumerate() {
            fs::write(folder.path().join(path_of(name)), " ".repeat(number) + "\nxy").unwrap();
        }
        for at in [0, 1, 0, 2, 0, 3, 3, 1, 0, 2, 2, 1] {
            let start = at as u64 + 1;
            assert_eq!(columns.of(&names[at], [start, start + 2]), Some([1, 3]));
            assert!(columns.open.len() <= MOST_OPEN && columns.open[0].0 == names[at]);
        }
    }
}
