//! `Unpacked`: the content of streams, with faults that other readers of PDF forgive.
//!
//! The library reads a stream if its length is right and its filters are not references. This module ends a stream with
//! a wrong length at its last word, and resolves the references.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::DeflateDecoder;
use pdf_extract::xref::XrefEntry;
use pdf_extract::{Dictionary, Document, Object, ObjectId, Stream};

use super::content::ContentReader;

/// The first bytes of a stream of zlib, which the packed content follows.
const ZLIB_START: usize = 2;
/// Maximum bytes before the dictionary of an object: its two numbers, and white space.
const MOST_HEADER: usize = 64;

/// The object that a reference refers to, or the object itself.
pub(super) fn target<'d>(doc: &'d Document, object: &'d Object) -> &'d Object {
    doc.dereference(object).map_or(object, |(_, object)| object)
}

/// The content of a page or a stream.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    pub(super) bytes: Vec<u8>,
    /// Whether a part is missing, since it is damaged or packed in a way that is not supported.
    pub(super) is_cut: bool,
    /// Whether it has more bytes than the limit.
    pub(super) is_too_large: bool,
}

impl Unpacked {
    /// The content of a page: the content of all its streams.
    pub(super) fn of_page(doc: &Document, page: &Dictionary, limit: u64) -> Self {
        let mut all = Self::default();
        let Ok(contents) = page.get(b"Contents") else { return all };
        match target(doc, contents) {
            Object::Array(streams) => streams.iter().for_each(|stream| all.add(doc, target(doc, stream), limit)),
            stream => all.add(doc, stream, limit),
        }
        all
    }

    /// The content of a stream.
    pub(super) fn of_stream(doc: &Document, stream: &Stream, limit: u64) -> Self {
        let mut all = Self::default();
        all.add_stream(doc, stream, limit);
        all
    }

    fn add(&mut self, doc: &Document, object: &Object, limit: u64) {
        match object {
            Object::Stream(stream) => self.add_stream(doc, stream, limit),
            Object::Null => {}
            _ => self.is_cut = true,
        }
    }

    fn add_stream(&mut self, doc: &Document, stream: &Stream, limit: u64) {
        if self.is_too_large {
            return;
        }
        let mut bytes = Cow::Borrowed(stream.content.as_slice());
        for StreamFilter { name, parameters } in filters(doc, &stream.dict) {
            let unpacked = match name.as_slice() {
                b"Crypt" => continue,
                b"FlateDecode" if parameters.is_none() => {
                    let (unpacked, is_cut) = inflated(&bytes, limit);
                    self.is_cut |= is_cut;
                    Some(unpacked)
                }
                b"ASCIIHexDecode" => Some(from_hexadecimal(&bytes)),
                b"RunLengthDecode" => Some(from_run_lengths(&bytes)),
                name => by_library(name, &bytes, parameters),
            };
            let Some(unpacked) = unpacked else {
                self.is_cut = true;
                return;
            };
            bytes = unpacked.into();
        }
        self.is_too_large |= (self.bytes.len() + bytes.len()) as u64 > limit;
        if !self.is_too_large {
            self.bytes.extend_from_slice(&bytes);
            // A number does not continue in the next stream.
            self.bytes.push(b'\n');
        }
    }
}

/// A filter that packed a stream.
struct StreamFilter {
    /// The long form of its name.
    name: Vec<u8>,
    parameters: Option<Dictionary>,
}

/// The filters of a stream, in the order in which they unpack it.
fn filters<'d>(doc: &'d Document, stream: &'d Dictionary) -> Vec<StreamFilter> {
    let entry = |keys: [&[u8]; 2]| keys.iter().find_map(|key| stream.get(key).ok()).map(|entry| target(doc, entry));
    let list = |entry: Option<&'d Object>| match entry {
        Some(Object::Array(list)) => list.iter().map(|entry| target(doc, entry)).collect(),
        entry => entry.into_iter().collect::<Vec<_>>(),
    };
    let parameters = list(entry([b"DecodeParms", b"DP"]));
    let with_parameters = |(number, filter): (usize, &'d Object)| {
        let name = long_name(filter.as_name().ok()?).to_vec();
        let parameters = parameters.get(number).and_then(|it| it.as_dict().ok()).map(|stored| {
            let resolved = |(key, value): (&Vec<u8>, &Object)| (key.clone(), target(doc, value).clone());
            stored.iter().map(resolved).collect::<Dictionary>()
        });
        Some(StreamFilter { name, parameters: parameters.filter(|parameters| !parameters.is_empty()) })
    };
    list(entry([b"Filter", b"F"])).into_iter().enumerate().filter_map(with_parameters).collect()
}

/// The name of a filter, which may be stored in a short form.
fn long_name(name: &[u8]) -> &[u8] {
    match name {
        b"A85" => b"ASCII85Decode",
        b"AHx" => b"ASCIIHexDecode",
        b"Fl" => b"FlateDecode",
        b"LZW" => b"LZWDecode",
        b"RL" => b"RunLengthDecode",
        name => name,
    }
}

/// The content of a stream that has one filter, as the library unpacks it.
fn by_library(name: &[u8], packed: &[u8], parameters: Option<Dictionary>) -> Option<Vec<u8>> {
    let mut entries = Dictionary::new();
    entries.set("Filter", Object::Name(name.to_vec()));
    if let Some(parameters) = parameters {
        entries.set("DecodeParms", parameters);
    }
    Stream::new(entries, packed.to_vec()).decompressed_content().ok()
}

/// The content that zlib packed, up to a byte more than the limit, and whether it is cut short. A wrong checksum at its end
/// does not matter.
fn inflated(packed: &[u8], limit: u64) -> (Vec<u8>, bool) {
    let mut unpacked = Vec::new();
    let mut read =
        |packed| DeflateDecoder::new(packed).take(limit.saturating_add(1)).read_to_end(&mut unpacked).is_err();
    // A line end may precede it.
    let start = packed.iter().position(|&byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(packed.len());
    let is_cut = packed.len() > start && read(packed.get(start + ZLIB_START..).unwrap_or_default());
    (unpacked, is_cut)
}

fn from_hexadecimal(packed: &[u8]) -> Vec<u8> {
    let end = packed.iter().position(|&byte| byte == b'>').unwrap_or(packed.len());
    let string = [b"<", &packed[..end], b">"].concat();
    match ContentReader::object(&string) {
        Some((Object::String(unpacked, _), _)) => unpacked,
        _ => Vec::new(),
    }
}

fn from_run_lengths(packed: &[u8]) -> Vec<u8> {
    let (mut unpacked, mut at) = (Vec::new(), 0);
    while let Some(&length) = packed.get(at) {
        at += 1;
        match usize::from(length) {
            128 => break,
            length @ 0..128 => {
                let end = (at + length + 1).min(packed.len());
                unpacked.extend_from_slice(&packed[at..end]);
                at = end;
            }
            length => {
                unpacked.extend(std::iter::repeat_n(packed.get(at).copied().unwrap_or(0), 257 - length));
                at += 1;
            }
        }
    }
    unpacked
}

/// Corrects streams whose length is wrong, and filters that the library does not find.
///
/// * `file`: the file, from its mark on.
pub(super) fn mend_streams(doc: &mut Document, file: &[u8]) {
    let is_wrong = |object: &Object| match object {
        // An object with a wrong length is read as the dictionary before its stream.
        Object::Dictionary(entries) => entries.has(b"Length") || entries.has(b"Filter"),
        Object::Stream(stream) => stream.content.is_empty(),
        _ => false,
    };
    let wrong: Vec<ObjectId> = doc.objects.iter().filter(|(_, object)| is_wrong(object)).map(|(&id, _)| id).collect();
    for id in wrong {
        let Some(&XrefEntry::Normal { offset, .. }) = doc.reference_table.get(id.0) else { continue };
        let Some(content) = usize::try_from(offset).ok().and_then(|offset| stream_at(file.get(offset..)?)) else {
            continue;
        };
        if let Some(object) = doc.objects.get_mut(&id) {
            let entries = object.as_stream().map(|stream| &stream.dict).or_else(|_| object.as_dict()).cloned();
            *object = Stream::new(entries.unwrap_or_default(), content.to_vec()).into();
        }
    }
    let mend = |object: &Object| {
        let entries = &object.as_stream().ok()?.dict;
        let is_simple = matches!(entries.get(b"Filter"), Err(_) | Ok(Object::Name(_))) && !entries.has(b"DecodeParms");
        (!is_simple).then(|| filters(doc, entries))
    };
    let mended: Vec<(ObjectId, Vec<StreamFilter>)> =
        doc.objects.iter().filter_map(|(&id, object)| Some((id, mend(object)?))).collect();
    for (id, filters) in mended {
        let Ok(stream) = doc.get_object_mut(id).and_then(Object::as_stream_mut) else { continue };
        stream.dict.remove(b"DecodeParms");
        // The library has the same parameters for all filters. Only one of them has any in nearly all files.
        if let Some(parameters) = filters.iter().find_map(|filter| filter.parameters.clone()) {
            stream.dict.set("DecodeParms", parameters);
        }
        let names: Vec<Object> = filters.into_iter().map(|filter| Object::Name(filter.name)).collect();
        stream.dict.set("Filter", names);
    }
}

/// The content of the stream object at the start of these bytes of a file, up to its last word.
fn stream_at(bytes: &[u8]) -> Option<&[u8]> {
    let mut at = memchr::memmem::find(&bytes[..bytes.len().min(MOST_HEADER)], b"obj")? + b"obj".len();
    let (dictionary, len) = ContentReader::object(&bytes[at..])?;
    dictionary.as_dict().ok()?;
    at += len;
    at += bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace())?;
    let content = bytes[at..].strip_prefix(b"stream")?;
    let content = content.strip_prefix(b"\r").unwrap_or(content);
    let content = content.strip_prefix(b"\n").unwrap_or(content);
    let end = [b"endstream".as_slice(), b"endobj"].iter().find_map(|word| memchr::memmem::find(content, word));
    let content = &content[..end.unwrap_or(content.len())];
    let content = content.strip_suffix(b"\n").unwrap_or(content);
    Some(content.strip_suffix(b"\r").unwrap_or(content))
}
