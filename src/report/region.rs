//! Columns: a range of bytes in a file in; where it begins and ends in its lines out.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes of a line that are looked at; a passage behind them has no columns.
const MOST: u64 = 1 << 14;

/// The columns of a range of bytes, from 1, in UTF-16 code units as SARIF and editors count them; the last one stands behind
/// the range. `None` where the file cannot be read, is no UTF-8, or has a longer line there.
pub(super) fn columns(file: &Path, bytes: [u64; 2]) -> Option<[u64; 2]> {
    let mut file = File::open(file).ok().filter(|file| file.metadata().is_ok_and(|metadata| metadata.is_file()))?;
    Some([column(&mut file, bytes[0])?, column(&mut file, bytes[1])?])
}

fn column(file: &mut File, offset: u64) -> Option<u64> {
    let start = offset.saturating_sub(MOST);
    let before = read(file, start, offset - start).ok().filter(|before| before.len() as u64 == offset - start)?;
    let line = match before.iter().rposition(|&byte| matches!(byte, b'\n' | b'\r')) {
        Some(end) => &before[end + 1..],
        None if start == 0 => before.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&before),
        None => return None,
    };
    let line = std::str::from_utf8(line).ok().filter(|line| !line.contains('\0'))?;
    Some(line.encode_utf16().count() as u64 + 1)
}

fn read(file: &mut File, start: u64, len: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.take(len).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn columns_count_utf_16_from_the_start_of_the_line() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let text = "\u{FEFF}one\nzwei 😀 drei\r\nvier";
        file.write_all(text.as_bytes()).unwrap();
        let at = |part: &str| text.find(part).unwrap() as u64;
        let of = |bytes| columns(file.path(), bytes);
        assert_eq!(of([at("one"), at("one") + 3]), Some([1, 4]));
        // The smiling face has two units.
        assert_eq!(of([at("drei"), at("drei") + 4]), Some([9, 13]));
        assert_eq!(of([at("zwei"), text.len() as u64]), Some([1, 5]));
        assert_eq!(of([at("vier"), text.len() as u64 + 1]), None, "the file is shorter");
        assert_eq!(of([at("😀") + 1, at("drei")]), None, "within a character");
        assert_eq!(columns(Path::new("/nowhere"), [0, 1]), None);
        let mut long = tempfile::NamedTempFile::new().unwrap();
        long.write_all(&vec![b'x'; 2 * MOST as usize]).unwrap();
        assert_eq!(columns(long.path(), [1, MOST]), Some([2, MOST + 1]));
        assert_eq!(columns(long.path(), [1, MOST + 1]), None);
    }
}
