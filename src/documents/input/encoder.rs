//! `encoder`: compresses an output.

use std::io::{self, Write};

use bzip2::write::BzEncoder;
use flate2::GzBuilder;
use flate2::write::GzEncoder;
use liblzma::stream::{LzmaOptions, Stream};
use liblzma::write::XzEncoder;

use super::codec::Codec;

/// The default level of the `xz` program.
const XZ_LEVEL: u32 = 6;

/// A writer that can finish its format.
pub(crate) trait Finish: Write + Send {
    /// Writes the buffered rest and the end of the format.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Compresses by several codecs; the first one writes to `out`.
///
/// # Errors
/// When a codec cannot be set up.
pub(crate) fn encoder<'w>(codecs: &[Codec], out: &'w mut (dyn Write + Send)) -> io::Result<Box<dyn Finish + 'w>> {
    codecs.iter().try_fold(Box::new(Plain(out)) as Box<dyn Finish + 'w>, |out, codec| {
        Ok(match codec {
            // No modification time, so that the same corpus gives the same bytes.
            Codec::Gzip => Box::new(GzBuilder::new().mtime(0).write(out, flate2::Compression::default())),
            Codec::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(out, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                encoder.include_checksum(true)?;
                Box::new(encoder) as Box<dyn Finish>
            }
            Codec::Bzip2 => Box::new(BzEncoder::new(out, bzip2::Compression::best())),
            Codec::Xz => Box::new(XzEncoder::new(out, XZ_LEVEL)),
            Codec::Lzma => {
                let stream = Stream::new_lzma_encoder(&LzmaOptions::new_preset(XZ_LEVEL)?)?;
                Box::new(LzmaEncoder(XzEncoder::new_stream(out, stream)))
            }
            Codec::Deflate => unreachable!("no file is a bare deflate stream"),
        })
    })
}

struct Plain<'w>(&'w mut (dyn Write + Send));

impl Write for Plain<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Finish for Plain<'_> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

impl Finish for GzEncoder<Box<dyn Finish + '_>> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        GzEncoder::finish(*self)?.finish()
    }
}

impl Finish for zstd::stream::write::Encoder<'_, Box<dyn Finish + '_>> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        zstd::stream::write::Encoder::finish(*self)?.finish()
    }
}

impl Finish for BzEncoder<Box<dyn Finish + '_>> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        BzEncoder::finish(*self)?.finish()
    }
}

/// The `.lzma` format, which predates `.xz`, cannot be flushed in the middle.
struct LzmaEncoder<'w>(XzEncoder<Box<dyn Finish + 'w>>);

impl Write for LzmaEncoder<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Finish for LzmaEncoder<'_> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.finish()?.finish()
    }
}

impl Finish for XzEncoder<Box<dyn Finish + '_>> {
    fn finish(self: Box<Self>) -> io::Result<()> {
        XzEncoder::finish(*self)?.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn what_is_compressed_reads_back() {
        let text: Vec<u8> = (0..300_000u32).flat_map(|number| (number % 977).to_le_bytes()).collect();
        let all = [Codec::Gzip, Codec::Zstd, Codec::Bzip2, Codec::Xz, Codec::Lzma];
        let alone = all.iter().map(std::slice::from_ref);
        for codecs in alone.chain([&all[..2], &[]]) {
            let mut packed = Vec::new();
            let mut encoder = encoder(codecs, &mut packed).unwrap();
            encoder.write_all(&text[..1000]).unwrap();
            encoder.flush().unwrap();
            encoder.write_all(&text[1000..]).unwrap();
            encoder.finish().unwrap();
            let unpacked = codecs.iter().fold(Box::new(packed.as_slice()) as Box<dyn Read>, |packed, codec| {
                Box::new(codec.decoder(packed, 1 << 27).unwrap())
            });
            let mut found = Vec::new();
            { unpacked }.read_to_end(&mut found).unwrap();
            assert!(found == text, "{codecs:?}");
        }
    }
}
