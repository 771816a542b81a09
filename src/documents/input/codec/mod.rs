//! Compression: detects the formats that wrap one file, by name or first bytes, and decodes them as a stream.
//!
//! A file of several concatenated members, as `cat a.gz b.gz` produces it, is read to the end. All bytes decoded before
//! a fault are returned before the fault is reported. The libraries' own readers lose the output of the failing call,
//! which may be hundreds of records.

mod coders;

use std::io::{self, BufRead, BufReader, Read};

pub(in crate::documents::input) use self::coders::LARGE_WINDOW;
use self::coders::{Coder, CoderStep};
use super::panic_guard::{Panicked, contain};

/// A compressed format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codec {
    Gzip,
    /// The data inside gzip, without header and checksum, as in zip.
    Deflate,
    Zstd,
    Bzip2,
    Xz,
    Lzma,
}

/// The first bytes of a member of a gzip file.
const GZIP_START: [u8; 3] = [0x1F, 0x8B, 8];
/// Compressed bytes read at a time.
const BUFFER: usize = 128 << 10;

impl Codec {
    /// Number of first bytes that identify a codec.
    pub(crate) const MAGIC: usize = 10;

    /// The codec whose files begin with these [`MAGIC`](Self::MAGIC) bytes.
    pub(crate) fn of_magic(start: &[u8]) -> Option<Self> {
        match start {
            [0x1F, 0x8B, 8, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            // A block, or the end of an empty file.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => Some(Self::Bzip2),
            // A skippable frame, with which the output of parallel compressors begins.
            [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::Zstd),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            _ => None,
        }
    }

    /// The extension of the codec's files.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Deflate => "deflate",
            Self::Zstd => "zst",
            Self::Bzip2 => "bz2",
            Self::Xz => "xz",
            Self::Lzma => "lzma",
        }
    }

    /// Returns a reader of the decompressed bytes.
    ///
    /// * `max_window`: maximum window size in bytes, for formats in which each file chooses it.
    pub(crate) fn decoder<R: Read>(self, compressed: R, max_window: u64) -> io::Result<Decoder<R>> {
        let input = BufReader::with_capacity(BUFFER, compressed);
        let coder = contain(|| self.coder(max_window))??;
        Ok(Decoder { input, coder, state: State::Inside, resumes: false, has_output: true, is_begun: false })
    }

    fn coder(self, max_window: u64) -> io::Result<Box<dyn Coder>> {
        Ok(match self {
            Self::Gzip => Box::new(coders::Inflate::gzip()),
            Self::Deflate => Box::new(coders::Inflate::raw()),
            Self::Zstd => Box::new(coders::Zstd::new(max_window)?),
            Self::Bzip2 => Box::new(coders::Bzip2::new()),
            Self::Xz => Box::new(coders::Lzma::xz(max_window)?),
            Self::Lzma => Box::new(coders::Lzma::alone(max_window)?),
        })
    }
}

/// Returns a reader of a file as it was before compression, and the codec that its first bytes identify.
///
/// # Errors
/// When the first bytes cannot be read, or the codec cannot be set up.
pub(crate) fn decoded<'r>(
    mut file: impl Read + Send + 'r,
    max_window: u64,
) -> io::Result<(Box<dyn Read + Send + 'r>, Option<Codec>)> {
    let mut start = Vec::new();
    file.by_ref().take(Codec::MAGIC as u64).read_to_end(&mut start)?;
    let codec = Codec::of_magic(&start);
    let whole = io::Cursor::new(start).chain(file);
    Ok(match codec {
        Some(codec) => (Box::new(codec.decoder(whole, max_window)?), Some(codec)),
        None => (Box::new(whole), None),
    })
}

/// A reader of the decompressed bytes.
pub(crate) struct Decoder<R> {
    input: BufReader<R>,
    coder: Box<dyn Coder>,
    state: State,
    /// Whether reading goes on after a fault, at the next part.
    resumes: bool,
    /// Whether anything was decoded since the last fault.
    has_output: bool,
    /// Whether a step of this part was made.
    is_begun: bool,
}

enum State {
    /// Inside a part.
    Inside,
    /// After a part; another may follow.
    Between,
    Over,
    /// The stream failed with this fault, which every further read returns unless reading goes on after it.
    Faulty(io::ErrorKind, String),
    /// After a fault, before the next part.
    Lost,
}

impl State {
    fn of_panic(panicked: Panicked) -> Self {
        Self::Faulty(io::ErrorKind::InvalidData, panicked.to_string())
    }
}

impl<R: Read> Decoder<R> {
    /// Makes a read after a fault go on at the next member of a gzip file, if there is one.
    pub(crate) fn resuming(self) -> Self {
        Self { resumes: true, ..self }
    }

    /// Reads on to the next bytes that begin a member, and starts it; returns `false` at the end of the stream.
    fn seek_member(&mut self) -> io::Result<bool> {
        const START: [u8; 3] = GZIP_START;
        let mut found = 0;
        while found < START.len() {
            let input = self.input.fill_buf()?;
            let Some(&byte) = input.first() else { return Ok(false) };
            if byte == START[found] {
                found += 1;
                self.input.consume(1);
            } else if found > 0 {
                found = 0;
            } else {
                let skipped = memchr::memchr(START[0], input).unwrap_or(input.len());
                self.input.consume(skipped);
            }
        }
        self.is_begun = true;
        let begin = || self.coder.restart() && self.coder.step(&START, &mut [0]).read == START.len();
        Ok(contain(begin).unwrap_or(false))
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !buffer.is_empty() {
            match &self.state {
                State::Over => break,
                State::Faulty(kind, fault) => {
                    let fault = io::Error::new(*kind, fault.clone());
                    if self.resumes {
                        self.state = State::Lost;
                    }
                    // Bytes that only look like the beginning of a member are not another fault.
                    if !self.resumes || std::mem::take(&mut self.has_output) {
                        return Err(fault);
                    }
                    continue;
                }
                State::Lost => {
                    self.state = if self.seek_member()? { State::Inside } else { State::Over };
                    continue;
                }
                State::Inside | State::Between => {}
            }
            let input = self.input.fill_buf()?;
            let is_end = input.is_empty();
            if matches!(self.state, State::Between) {
                // Tapes and block devices fill the rest of a block with zeros.
                let zeros = input.iter().take_while(|&&byte| byte == 0).count();
                if zeros > 0 && self.coder.restart() {
                    self.input.consume(zeros);
                    continue;
                }
                self.state = match contain(|| !is_end && self.coder.restart()) {
                    Ok(true) => {
                        self.is_begun = false;
                        State::Inside
                    }
                    Ok(false) => State::Over,
                    Err(panicked) => State::of_panic(panicked),
                };
                continue;
            }
            let CoderStep { read, written, result } = match contain(|| self.coder.step(input, buffer)) {
                Ok(step) => step,
                Err(panicked) => {
                    self.state = State::of_panic(panicked);
                    continue;
                }
            };
            let is_begun = std::mem::replace(&mut self.is_begun, true);
            // A member that ends early hides the beginning of the next one, which may be among the bytes of this step.
            self.input.consume(match (self.resumes && result.is_err(), is_begun) {
                (false, _) => read,
                (true, true) => 0,
                (true, false) => read.min(GZIP_START.len()),
            });
            self.state = match result {
                Ok(true) => State::Between,
                Ok(false) if read > 0 || written > 0 => State::Inside,
                Ok(false) if is_end => State::Faulty(io::ErrorKind::UnexpectedEof, self.coder.cut_short().to_owned()),
                Ok(false) => State::Faulty(io::ErrorKind::InvalidData, "it does not go on".to_owned()),
                Err(fault) => State::Faulty(io::ErrorKind::InvalidData, fault),
            };
            if written > 0 {
                self.has_output = true;
                return Ok(written);
            }
        }
        Ok(0)
    }
}
