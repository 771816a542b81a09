//! Packing: bytes in, compressed files and archives out; and back.

use std::io::{Read, Write};

pub(crate) fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn bzip2(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes.as_ref()).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    zstd::encode_all(bytes.as_ref(), 1).unwrap()
}

pub(crate) fn xz(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    liblzma::encode_all(bytes.as_ref(), 1).unwrap()
}

pub(crate) fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, content) in members {
        let mut header = tar::Header::new_gnu();
        // The name as it is: the library refuses those that lead out of a folder.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(content.len() as u64);
        header.set_cksum();
        archive.append(&header, *content).unwrap();
    }
    archive.into_inner().unwrap()
}

pub(crate) fn zip(members: &[(&str, &[u8])], method: zip::CompressionMethod) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    for (name, content) in members {
        archive.start_file(*name, options).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

pub(crate) fn packed(extension: &str, bytes: &[u8]) -> Vec<u8> {
    match extension {
        ".gz" => {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap()
        }
        ".zst" => zstd::encode_all(bytes, 1).unwrap(),
        ".bz2" => {
            let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap()
        }
        ".xz" => {
            let mut writer = liblzma::write::XzEncoder::new(Vec::new(), 0);
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap()
        }
        ".lzma" => {
            let options = liblzma::stream::LzmaOptions::new_preset(0).unwrap();
            let stream = liblzma::stream::Stream::new_lzma_encoder(&options).unwrap();
            let mut writer = liblzma::write::XzEncoder::new_stream(Vec::new(), stream);
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap()
        }
        _ => bytes.to_vec(),
    }
}

pub(crate) fn unpacked(extension: &str, bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    match extension {
        ".gz" => flate2::read::GzDecoder::new(bytes).read_to_end(&mut text).map(drop),
        ".zst" => zstd::stream::copy_decode(bytes, &mut text),
        ".bz2" => bzip2::read::BzDecoder::new(bytes).read_to_end(&mut text).map(drop),
        ".xz" => liblzma::read::XzDecoder::new(bytes).read_to_end(&mut text).map(drop),
        ".lzma" => {
            let stream = liblzma::stream::Stream::new_lzma_decoder(u64::MAX).unwrap();
            liblzma::read::XzDecoder::new_stream(bytes, stream).read_to_end(&mut text).map(drop)
        }
        _ => return bytes.to_vec(),
    }
    .unwrap();
    text
}
