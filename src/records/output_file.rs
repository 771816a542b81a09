//! `OutputFile`: a file that is written, and compressed by the extension of its name, next to the work.
//!
//! Bytes are gathered in blocks, which another thread compresses and writes. A file of less than one block needs no
//! thread. The bytes of the file depend only on the bytes that were written.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use super::pending::PendingFile;
use crate::base::hand_over::Consumer;
use crate::documents::input::{Codec, InputSettings, codec_of_name, decoded, encoder, path_bytes};

/// Bytes of a block.
const BLOCK_BYTES: usize = 256 << 10;
/// The maximum number of blocks that wait for the thread.
const WAITING_BLOCKS: usize = 4;

/// A file that gets its name when it is complete. Its bytes are compressed if its name ends in `.gz`, `.zst`, `.bz2`,
/// `.xz` or `.lzma`.
#[derive(Debug)]
pub struct OutputFile {
    file: PendingFile,
    codec: Option<Codec>,
    /// The bytes of the next block.
    gathered: Vec<u8>,
    state: Writing,
}

#[derive(Debug)]
enum Writing {
    /// No block is full yet.
    Gathering,
    Blocks(Consumer<Vec<u8>, ()>),
    /// Everything was written, or an error was returned.
    Ended,
}

impl OutputFile {
    /// * `name`: the name that the file will have; only its extension is used.
    pub fn new(file: PendingFile, name: &Path) -> Self {
        Self { file, codec: codec_of_name(path_bytes(name)), gathered: Vec::new(), state: Writing::Gathering }
    }

    /// Writes all bytes and the end of the format. Nothing can be written afterwards.
    ///
    /// # Errors
    /// When the disk refuses the bytes.
    pub fn end(&mut self) -> io::Result<()> {
        let last = std::mem::take(&mut self.gathered);
        match std::mem::replace(&mut self.state, Writing::Ended) {
            Writing::Gathering => write_blocks(self.file.try_clone()?, self.codec, [last]),
            Writing::Blocks(writing) => {
                writing.pass_on(last);
                writing.end()
            }
            Writing::Ended => Ok(()),
        }
    }

    /// Ends the file, and returns it with the number of its bytes.
    ///
    /// # Errors
    /// When the disk refuses the bytes.
    pub fn into_file(mut self) -> io::Result<(PendingFile, u64)> {
        self.end()?;
        let num_bytes = self.file.num_bytes()?;
        Ok((self.file, num_bytes))
    }

    /// Ends the file, and writes all bytes to the disk.
    ///
    /// # Errors
    /// When the disk refuses them.
    pub fn sync(&mut self) -> io::Result<()> {
        self.end()?;
        self.file.sync()
    }

    /// Passes the gathered bytes on to the thread.
    fn pass_on(&mut self) -> io::Result<()> {
        let block = std::mem::replace(&mut self.gathered, Vec::with_capacity(BLOCK_BYTES));
        let writing = match std::mem::replace(&mut self.state, Writing::Ended) {
            Writing::Gathering => {
                let (file, codec) = (self.file.try_clone()?, self.codec);
                Consumer::start(WAITING_BLOCKS, move |blocks| write_blocks(file, codec, blocks))?
            }
            Writing::Blocks(writing) => writing,
            Writing::Ended => return Err(io::Error::other("the file has ended")),
        };
        if !writing.pass_on(block) {
            return writing.end();
        }
        self.state = Writing::Blocks(writing);
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= BLOCK_BYTES {
            self.pass_on()?;
        }
        Ok(bytes.len())
    }

    /// Does nothing, since the file has no reader before it is complete.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_blocks(
    mut file: PendingFile,
    codec: Option<Codec>,
    blocks: impl IntoIterator<Item = Vec<u8>>,
) -> io::Result<()> {
    let mut encoder = encoder(codec.as_slice(), &mut file)?;
    blocks.into_iter().try_for_each(|block| encoder.write_all(&block))?;
    encoder.finish()
}

/// The first bytes of a file as they were before compression, at most `len`.
///
/// # Errors
/// When the file cannot be read, or its compressed bytes are damaged.
pub fn start_of(path: &Path, len: u64) -> io::Result<Vec<u8>> {
    let (file, _) = decoded(File::open(path)?, InputSettings::DEFAULT_MAX_WINDOW)?;
    let mut start = Vec::new();
    file.take(len).read_to_end(&mut start)?;
    Ok(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_written_in_order_and_compressed_by_the_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "a.jsonl", "a.gz", "a.jsonl.zst", "a.bz2", "a.xz"] {
            for len in [0u32, 10, 300_000] {
                let place = folder.path().join(name);
                let mut output = OutputFile::new(PendingFile::in_folder(folder.path()).unwrap(), &place);
                let text: Vec<u8> = (0..len).flat_map(|number| (number % 977).to_le_bytes()).collect();
                text.chunks(70_001).for_each(|part| output.write_all(part).unwrap());
                output.end().unwrap();
                assert!(output.write_all(&vec![0; BLOCK_BYTES]).is_err(), "nothing is written after the end");
                let (file, num_bytes) = output.into_file().unwrap();
                file.persist(&place, None).unwrap();
                assert_eq!(start_of(&place, u64::MAX).unwrap(), text, "{name}");
                let stored = std::fs::read(&place).unwrap();
                assert_eq!(stored.len() as u64, num_bytes);
                let is_compressed = stored != text;
                assert_eq!(is_compressed, name != "a" && name != "a.jsonl", "{name}");
            }
        }
    }

    #[test]
    fn an_error_of_the_thread_is_returned() {
        // A file that is only open for reading.
        let folder = tempfile::tempdir().unwrap();
        let mut output = OutputFile::new(PendingFile::unwritable(folder.path()), Path::new("a"));
        let error = (0..100).find_map(|_| output.write_all(&[0; BLOCK_BYTES]).err());
        let error = error.or_else(|| output.end().err()).unwrap();
        assert_eq!(error.raw_os_error(), Some(9), "{error}");
        let mut small = OutputFile::new(PendingFile::unwritable(folder.path()), Path::new("a"));
        small.write_all(b"a").unwrap();
        assert!(small.end().is_err());
    }
}
