//! Compression: the formats that wrap one file, by name and by their first bytes.
//!
//! Files of several parts, as `cat a.gz b.gz` makes them, are read to the end.

use std::io::{self, BufReader, Read};

use super::foreign::{Contained, contain};

/// A compressed format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Codec {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Lzma,
}

/// Compressed bytes read at a time.
const BUFFER: usize = 128 << 10;
/// Memory that the dictionary of an .xz file may take; `xz -9` takes 65 MiB.
const XZ_MEMORY: u64 = 1 << 30;

impl Codec {
    /// The codec whose files begin with these bytes.
    pub(super) fn of_magic(start: &[u8]) -> Option<Self> {
        match start {
            [0x1F, 0x8B, 8, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..] => Some(Self::Bzip2),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            _ => None,
        }
    }

    /// Reads what is inside.
    pub(super) fn decoder<'a>(self, compressed: impl Read + 'a) -> io::Result<impl Read + 'a> {
        contain(|| self.open(compressed))?.map(Contained::new)
    }

    fn open<'a>(self, compressed: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
        let compressed = BufReader::with_capacity(BUFFER, compressed);
        Ok(match self {
            Self::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(compressed)),
            Self::Zstd => Box::new(zstd::Decoder::with_buffer(compressed)?),
            Self::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(compressed)),
            Self::Xz => {
                let flags = liblzma::stream::CONCATENATED;
                let stream = liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY, flags)?;
                Box::new(liblzma::bufread::XzDecoder::new_stream(compressed, stream))
            }
            Self::Lzma => {
                let stream = liblzma::stream::Stream::new_lzma_decoder(XZ_MEMORY)?;
                Box::new(liblzma::bufread::XzDecoder::new_stream(compressed, stream))
            }
        })
    }
}
