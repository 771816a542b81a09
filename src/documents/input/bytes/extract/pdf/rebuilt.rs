//! `loaded`: the objects of a file, also of one whose table of objects is broken.
//!
//! A PDF ends with a table of the places of its objects. A line end that was converted, a cut, or bytes before the file make
//! it wrong. Readers then search the file for objects, as this module does.

use std::borrow::Cow;

use memchr::memmem;
use pdf_extract::{Document, Object};

use super::content::ContentReader;
use crate::documents::input::panic_guard::contain;

/// The mark that a PDF begins with. Other bytes may precede it.
const MARK: &[u8] = b"%PDF-";
/// The largest number of an object that is searched for.
const MOST_OBJECTS: u32 = 8_388_607;
/// Maximum number of places where the identifier of the file is searched for.
const MOST_TRIED: usize = 10;

/// The objects of a document, and the file that their places refer to.
///
/// # Errors
/// When the file has no pages, also not after a search for its objects.
pub(super) fn loaded(bytes: &[u8]) -> Result<(Document, Cow<'_, [u8]>), pdf_extract::Error> {
    let bytes = &bytes[memmem::find(bytes, MARK).unwrap_or(0)..];
    let first = Document::load_mem(bytes);
    let has_pages = |doc: &Document| doc.page_iter().next().is_some();
    if !first.as_ref().is_ok_and(has_pages)
        && let Some(rebuilt) = rebuilt(bytes)
        && let Ok(Ok(doc)) = contain(|| Document::load_mem(&rebuilt))
        && has_pages(&doc)
    {
        return Ok((doc, rebuilt.into()));
    }
    first.map(|doc| (doc, bytes.into()))
}

/// The file with a new table of objects at its end; `None` without a catalogue of pages.
fn rebuilt(bytes: &[u8]) -> Option<Vec<u8>> {
    if !bytes.get(MARK.len()..).is_some_and(|version| version.starts_with(b"1.") || version.starts_with(b"2.")) {
        return None;
    }
    let root = last_entry(bytes, b"/Root").or_else(|| catalogue(bytes))?;
    let encryption = last_entry(bytes, b"/Encrypt");
    if encryption.is_none() && memmem::find(bytes, b"/Encrypt").is_some() {
        return None;
    }
    let mut file = [bytes, b"\nendobj\n"].concat();
    let mut all: Vec<_> = objects(bytes).collect();
    if let Some((number, generation)) = encryption
        && let Some(mended) = with_key_length(bytes, &all, number)
    {
        all.push((file.len(), number, generation));
        file.extend_from_slice(format!("{number} {generation} obj\n").as_bytes());
        file.extend_from_slice(&mended);
        file.extend_from_slice(b"\nendobj\n");
    }
    let start = file.len();
    file.extend_from_slice(b"xref\n0 1\n0000000000 65535 f \n");
    let mut size = 1;
    for (offset, number, generation) in all {
        size = size.max(number + 1);
        file.extend_from_slice(format!("{number} 1\n{offset:010} {generation:05} n \n").as_bytes());
    }
    file.extend_from_slice(format!("trailer\n<</Size {size}/Root {} {} R", root.0, root.1).as_bytes());
    if let Some((number, generation)) = encryption {
        file.extend_from_slice(format!("/Encrypt {number} {generation} R/ID").as_bytes());
        // The identifier is a part of the key. A file without one is encrypted with an empty one.
        file.extend_from_slice(identifier(bytes).unwrap_or(b"[<><>]"));
    }
    file.extend_from_slice(format!(">>\nstartxref\n{start}\n%%EOF\n").as_bytes());
    Some(file)
}

/// The dictionary of an encryption with the length of its key, if it has none, but uses a method with 128 bits.
fn with_key_length(bytes: &[u8], objects: &[(usize, u32, u16)], number: u32) -> Option<Vec<u8>> {
    let &(at, ..) = objects.iter().rfind(|object| object.1 == number)?;
    let stored = &bytes[at..];
    let stored = &stored[memmem::find(stored, b"obj")? + b"obj".len()..];
    let (object, len) = ContentReader::object(stored)?;
    let entries = object.as_dict().ok()?;
    let needs_length = !entries.has(b"Length") && entries.get(b"V").and_then(Object::as_i64).is_ok_and(|v| v == 4);
    let inner = stored[..len].trim_ascii_start().strip_prefix(b"<<")?;
    needs_length.then(|| [b"<</Length 128 ", inner].concat())
}

/// The last identifier of the file.
fn identifier(bytes: &[u8]) -> Option<&[u8]> {
    memmem::rfind_iter(bytes, b"/ID").take(MOST_TRIED).find_map(|at| {
        let stored = &bytes[at + b"/ID".len()..];
        match ContentReader::object(stored)? {
            (Object::Array(_), len) => Some(&stored[..len]),
            _ => None,
        }
    })
}

/// The reference that is the value of the last entry with this key.
fn last_entry(bytes: &[u8], key: &[u8]) -> Option<(u32, u16)> {
    let reference = |at: usize| {
        let text = bytes[at + key.len()..].iter().take(40).map(|&byte| char::from(byte)).collect::<String>();
        let mut words = text.split_whitespace();
        let mut number = || words.next()?.parse::<u32>().ok();
        let (object, generation) = (number()?, number()?);
        words.next()?.starts_with('R').then_some((object, u16::try_from(generation).ok()?))
    };
    memmem::rfind_iter(bytes, key).find_map(reference)
}

/// The last catalogue of pages.
fn catalogue(bytes: &[u8]) -> Option<(u32, u16)> {
    let all: Vec<_> = objects(bytes).collect();
    let is_catalogue = |at: usize, end: usize| {
        let object = &bytes[at..end];
        let object = &object[..memmem::find(object, b"endobj").unwrap_or(object.len())];
        memmem::find(object, b"/Catalog").is_some() && memmem::find(object, b"/Pages").is_some()
    };
    let ends = all.iter().skip(1).map(|object| object.0).chain([bytes.len()]);
    let found = all.iter().zip(ends).filter(|&(object, end)| is_catalogue(object.0, end)).last();
    found.map(|(&(_, number, generation), _)| (number, generation))
}

/// The objects of a file, in the order of their places: the place, the number and the generation of each.
fn objects(bytes: &[u8]) -> impl Iterator<Item = (usize, u32, u16)> + '_ {
    memmem::find_iter(bytes, b"obj").filter_map(|at| {
        let (rest, generation) = number_before(&bytes[..at])?;
        let (rest, number) = number_before(rest)?;
        let is_first = rest.last().is_none_or(|byte| !byte.is_ascii_alphanumeric());
        let is_number = (1..=MOST_OBJECTS).contains(&number) && is_first;
        is_number.then_some((rest.len(), number, u16::try_from(generation).ok()?))
    })
}

/// The number at the end of bytes, before white space, and the bytes before the number.
fn number_before(bytes: &[u8]) -> Option<(&[u8], u32)> {
    let bytes = bytes.trim_ascii_end();
    let len = bytes.iter().rev().take_while(|byte| byte.is_ascii_digit()).take(10).count();
    let (rest, digits) = bytes.split_at(bytes.len() - len);
    Some((rest, std::str::from_utf8(digits).ok()?.parse().ok()?))
}
