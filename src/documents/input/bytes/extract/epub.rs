//! EPUB: EPUB 3.3, and EPUB 2.
//!
//! The text of the chapters in the order of the spine, each as a web page has it, without its head.

use std::collections::{HashMap, HashSet};

use memchr::memmem;

use super::fault::{ExtractFault, Extracted};
use super::package::{Package, resolve};
use super::paragraphs::Paragraphs;
use super::source::DocumentSource;
use super::xml::{Xml, XmlEvent};
use crate::base::flat::offset_map::NoTrace;
use crate::base::shown::counted;
use crate::documents::input::bytes::html;

/// Elements whose content is text for a web page, so that they need an end tag there. In XHTML they may be empty.
const RAW: [&str; 9] =
    ["script", "style", "title", "textarea", "iframe", "noscript", "template", "noembed", "noframes"];

pub(super) fn read(source: &DocumentSource, out: &mut Paragraphs) -> Extracted {
    let mut package = Package::open(source)?;
    let container = package.required("META-INF/container.xml")?;
    let main = rootfile(&container)?.ok_or_else(|| ExtractFault::Damaged("it has no list of chapters".to_owned()))?;
    let chapters = chapters(&package.required(&main)?, &main)?;
    let encryption = package.part("META-INF/encryption.xml")?.unwrap_or_default();
    let locked = encrypted_parts(&encryption)?;
    if chapters.is_empty() {
        return Err(ExtractFault::Damaged("it has no chapters".to_owned()));
    }
    let mut num_missing = 0;
    for ChapterPart { name, stored } in &chapters {
        out.check()?;
        if locked.contains(name) {
            return Err(ExtractFault::Encrypted);
        }
        out.begin_part();
        // Some programs write the name of a file as its reference is written.
        match [name, stored].into_iter().find(|&name| package.has(name)) {
            Some(name) => {
                if let Some(page) = package.part(name)? {
                    read_chapter(&page, out)?;
                }
            }
            None => num_missing += 1,
        }
    }
    let missing = || format!("{num_missing} of {} are not in the file", counted(chapters.len() as u64, "chapter"));
    out.set_note((num_missing > 0).then(missing));
    Ok(())
}

/// The part with a chapter.
struct ChapterPart {
    name: String,
    /// The name as the reference to it is written, such as `chapter%201.xhtml`.
    stored: String,
}

/// The part with the list of chapters.
fn rootfile(container: &str) -> Extracted<Option<String>> {
    let mut xml = Xml::new(container);
    while let Some(event) = xml.next()? {
        if let XmlEvent::Start(start) = event
            && start.name() == "rootfile"
            && let Some(path) = start.attribute("full-path")
        {
            return Ok(Some(resolve("", &path)));
        }
    }
    Ok(None)
}

/// The chapters of a book, in the order in which they are read.
///
/// * `name`: the name of the part.
fn chapters(list: &str, name: &str) -> Extracted<Vec<ChapterPart>> {
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut items, mut chapters) = (HashMap::new(), Vec::new());
    let mut xml = Xml::new(list);
    while let Some(event) = xml.next()? {
        let XmlEvent::Start(start) = event else { continue };
        let attribute = |name| start.attribute(name).unwrap_or_default();
        match start.name() {
            "item" => {
                let kind = attribute("media-type");
                if kind.contains("html") || kind.contains("dtbook") {
                    let href = attribute("href");
                    let href = href.split('#').next().unwrap_or_default();
                    let (name, stored) = (resolve(folder, &unescaped(href)), resolve(folder, href));
                    items.insert(attribute("id"), ChapterPart { name, stored });
                }
            }
            // Each chapter is read once, also if the list has it several times.
            "itemref" => chapters.extend(items.remove(&attribute("idref"))),
            _ => {}
        }
    }
    Ok(chapters)
}

/// The parts that are encrypted. A font with a scrambled beginning counts as encrypted too.
fn encrypted_parts(encryption: &str) -> Extracted<HashSet<String>> {
    let (mut parts, mut xml) = (HashSet::new(), Xml::new(encryption));
    while let Some(event) = xml.next()? {
        if let XmlEvent::Start(start) = event
            && start.name() == "CipherReference"
            && let Some(uri) = start.attribute("URI")
        {
            parts.insert(resolve("", &unescaped(&uri)));
        }
    }
    Ok(parts)
}

/// Adds the text of a chapter.
fn read_chapter(page: &str, out: &mut Paragraphs) -> Extracted {
    let finder = |tag: &[u8]| memmem::find(page.as_bytes(), tag);
    let body = finder(b"<body").or_else(|| finder(b"<BODY")).unwrap_or(0);
    let page = with_end_tags(&page[body..]);
    let mut text = Vec::new();
    html::strip(page.as_bytes(), &mut text, &mut NoTrace)
        .map_err(|panicked| ExtractFault::Damaged(panicked.to_string()))?;
    out.page(&String::from_utf8_lossy(&text));
    Ok(())
}

/// A page of XHTML in which `<script/>` and its like have an end tag.
fn with_end_tags(page: &str) -> String {
    let (mut made, mut copied, mut end) = (String::with_capacity(page.len()), 0, 0);
    for start in memchr::memchr_iter(b'<', page.as_bytes()) {
        let tag = &page[start + 1..];
        let is_name = |name: &&&str| {
            let (start, after) = (tag.get(..name.len()), tag.get(name.len()..).unwrap_or_default());
            start.is_some_and(|start| start.eq_ignore_ascii_case(name))
                && !after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-')
        };
        let Some(name) = RAW.iter().find(is_name) else { continue };
        // Several tags may be before one end.
        if end <= start {
            let Some(len) = memchr::memchr(b'>', &page.as_bytes()[start..]) else { break };
            end = start + len;
        }
        if start >= copied && page[..end].ends_with('/') {
            made.push_str(&page[copied..end - 1]);
            made.push_str("></");
            made.push_str(name);
            made.push('>');
            copied = end + 1;
        }
    }
    made.push_str(&page[copied..]);
    made
}

/// The byte of two hexadecimal digits.
fn hexadecimal(digits: &str) -> Option<u8> {
    let are_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    are_digits.then(|| u8::from_str_radix(digits, 16).ok()).flatten()
}

/// A reference in which `%20` and its like are characters.
fn unescaped(reference: &str) -> String {
    let bytes = reference.split('#').next().unwrap_or_default().as_bytes();
    let (mut made, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| bytes[at] == b'%').and_then(hexadecimal) {
            Some(byte) => {
                made.push(byte);
                at += 3;
            }
            None => {
                made.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&made).into_owned()
}
