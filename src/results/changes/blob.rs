//! Computes git's object name of the content of a file (a blob). `git hash-object` is not used, since it would run the
//! filters of `.gitattributes`.

use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::Path;

use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::documents::input::path_bytes;

/// Bytes read at a time.
const CHUNK: usize = 64 << 10;

/// Whether git may have stored the content of a file under an accepted hash. The hash may cover the file's bytes, its
/// bytes with LF instead of each CR LF (`text`, `core.autocrlf`), or the pointer that Git LFS stores. Content that
/// another filter changes has a different hash.
///
/// * `is_stored`: accepts or refuses a hash in hexadecimal digits.
/// * `is_sha256`: whether the object format of the repository is SHA-256.
///
/// # Errors
/// When the file cannot be read.
pub(super) fn has_hash(path: &Path, is_sha256: bool, is_stored: &dyn Fn(&str) -> bool) -> io::Result<bool> {
    if is_sha256 { has_hash_by::<Sha256>(path, is_stored) } else { has_hash_by::<Sha1>(path, is_stored) }
}

fn has_hash_by<D: Digest>(path: &Path, is_stored: &dyn Fn(&str) -> bool) -> io::Result<bool> {
    let metadata = fs::symlink_metadata(path)?;
    if metadata.is_symlink() {
        return Ok(is_stored(&hash_of::<D>(path_bytes(&fs::read_link(path)?))));
    }
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    let len = metadata.len();
    let (hash, num_crlf) = hash_of_file::<D>(path, len, false)?;
    if is_stored(&hash) || num_crlf > 0 && is_stored(&hash_of_file::<D>(path, len - num_crlf, true)?.0) {
        return Ok(true);
    }
    let mut sha256 = Sha256::new();
    io::copy(&mut File::open(path)?, &mut sha256)?;
    let pointer =
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize {len}\n", hex(&sha256.finalize()));
    Ok(is_stored(&hash_of::<D>(pointer.as_bytes())))
}

fn blob_hasher<D: Digest>(len: u64) -> D {
    D::new().chain_update(format!("blob {len}\0"))
}

fn hash_of<D: Digest>(content: &[u8]) -> String {
    hex(&blob_hasher::<D>(content.len() as u64).chain_update(content).finalize())
}

/// The hash of a file, and the number of CR LF in it.
///
/// * `len`: the number of bytes that are hashed.
/// * `drops_cr`: whether to omit the CR before each LF.
fn hash_of_file<D: Digest>(path: &Path, len: u64, drops_cr: bool) -> io::Result<(String, u64)> {
    let mut file = BufReader::with_capacity(CHUNK, File::open(path)?);
    let (mut hash, mut num_crlf, mut buffer) = (blob_hasher::<D>(len), 0, vec![0; CHUNK]);
    // Whether the chunk before ended in a CR that was not hashed yet.
    let mut has_cr = false;
    loop {
        let count = file.read(&mut buffer)?;
        let chunk = &buffer[..count];
        if has_cr {
            let is_crlf = chunk.first() == Some(&b'\n');
            num_crlf += u64::from(is_crlf);
            if !(is_crlf && drops_cr) {
                hash.update(b"\r");
            }
        }
        if chunk.is_empty() {
            return Ok((hex(&hash.finalize()), num_crlf));
        }
        let mut start = 0;
        for at in memchr::memchr_iter(b'\r', chunk).filter(|&at| chunk.get(at + 1) == Some(&b'\n')) {
            num_crlf += 1;
            if drops_cr {
                hash.update(&chunk[start..at]);
                start = at + 1;
            }
        }
        has_cr = chunk.ends_with(b"\r");
        hash.update(&chunk[start..count - usize::from(has_cr)]);
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(content: &[u8], hash: &str) -> bool {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), content).unwrap();
        has_hash(file.path(), hash.len() == 64, &|other| other == hash).unwrap()
    }

    #[test]
    fn hashes_are_those_of_git() {
        // printf 'a\nb\n' | git hash-object --stdin
        const LINES: &str = "422c2b7ab3b3c668038da977e4e93a5fc623169c";
        assert!(has(b"a\nb\n", LINES) && has(b"a\r\nb\n", LINES) && !has(b"a\rb\n", LINES));
        assert!(has(b"", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"));
        assert!(has(b"", "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"));
    }

    #[test]
    fn line_ends_are_found_where_chunks_meet() {
        let lines = |end: &[u8]| [&vec![b'x'; CHUNK - 1], end, b"y", end, b"\r"].concat();
        let hash = hash_of::<Sha1>(&lines(b"\n"));
        assert!(has(&lines(b"\r\n"), &hash) && has(&lines(b"\n"), &hash) && !has(&lines(b"\r"), &hash));
    }
}
