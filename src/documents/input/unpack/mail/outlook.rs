//! Outlook messages (.msg): MS-OXMSG, the properties of a message in a compound file (MS-CFB).
//!
//! The crate `cfb` reads the compound file. A message is a storage with a stream for each property, and each attachment is
//! a storage inside it. The text is the plain body, or else the HTML body or the rich text.

use std::time::SystemTime;

use super::forwards::is_forward;
use super::mapi::{MOST_ATTACHMENTS, MapiFile, MapiStorage};
use super::parts::file_name;
use super::quoted_elements;
use super::transfer::decode;
use super::{MailBody, add_body, is_invisible};
use crate::base::flat::offset_map::NoTrace;
use crate::base::problem::{Problem, Reason};
use crate::documents::input::bytes::decode::{DecodedBy, Decoding, detected_note};
use crate::documents::input::bytes::extract::{DocumentFormat, DocumentSource, of_code_page};
use crate::documents::input::bytes::html;
use crate::documents::input::messages::{MAX_DEPTH, packed_too_often};
use crate::documents::input::panic_guard::contain;
use crate::documents::input::text_modes::{HtmlMode, MailQuotes};
use crate::documents::input::unpack::archive::Members;
use crate::documents::input::unpack::batch_writer::{BatchWriter, ReadOn};
use crate::documents::input::unpack::content::{Bytes, Content};

/// Numbers of properties (MS-OXPROPS).
const CLASS: u16 = 0x001A;
const SUBJECT: u16 = 0x0037;
const BODY: u16 = 0x1000;
const RICH_TEXT: u16 = 0x1009;
const PAGE: u16 = 0x1013;
const SENT: u16 = 0x0039;
const DELIVERED: u16 = 0x0E06;
const PAGE_CODE_PAGE: u16 = 0x3FDE;
const DATA: u16 = 0x3701;
const SHORT_NAME: u16 = 0x3704;
const NAME: u16 = 0x3707;
const SHOWN_NAME: u16 = 0x3001;
const TYPE: u16 = 0x370E;

/// Reads the message in a file of Outlook.
pub(super) fn read(out: &mut BatchWriter, content: Content, raw: &[u8], read: ReadOn) {
    let limit = out.inputs().unpacked_bytes();
    let Some(mut file) = MapiFile::open(raw, limit, out.meter()) else {
        return out.problem(damaged(content.place()));
    };
    add(out, content, &mut file, &MapiStorage::root(), read);
}

fn damaged(place: String) -> Problem {
    Problem::error(place, Reason::Damaged, "an Outlook message, damaged or cut short; skipped")
}

/// Adds the body of a message and its attachments.
fn add(out: &mut BatchWriter, content: Content, file: &mut MapiFile, message: &MapiStorage, read: ReadOn) {
    let class = file.text(message, CLASS, 0).unwrap_or_default();
    if class.eq_ignore_ascii_case("IPM.Note.SMIME") {
        let detail = "encrypted or packed into its signature (S/MIME); skipped (decrypt it first)";
        return out.problem(Problem::error(content.place(), Reason::Unreadable, detail));
    }
    let time = file.time(message, SENT).or_else(|| file.time(message, DELIVERED));
    if let Some(time) = time.filter(|&time| time > SystemTime::UNIX_EPOCH) {
        out.inputs().member_times.add(content.name, time);
    }
    if !file.has_properties(message) {
        return out.problem(damaged(content.place()));
    }
    match body_of(out, file, message) {
        Ok(body) => {
            let note = body.detected.map(|encoding| detected_note(content.name, encoding));
            note.into_iter().for_each(|note| out.problem(note));
            add_body(out, content, &body, file.num_bytes());
        }
        Err((reason, detail)) => out.problem(Problem::error(content.place(), reason, detail)),
    }
    let mut members = Members::default();
    let (attachments, num_attachments) = file.attachments(message);
    if num_attachments > MOST_ATTACHMENTS {
        let detail = format!("{num_attachments} attachments; all after the first {MOST_ATTACHMENTS} are skipped");
        out.problem(Problem::error(content.place(), Reason::TooLarge, detail));
    }
    for (number, attachment) in (1_u32..).zip(attachments) {
        if !out.is_open() {
            return;
        }
        if out.meter().is_stopped() {
            return out.report_stop(|| content.place());
        }
        add_attachment(out, content, file, (&attachment, number), &mut members, read);
    }
}

fn add_attachment(
    out: &mut BatchWriter,
    content: Content,
    file: &mut MapiFile,
    (attachment, number): (&MapiStorage, u32),
    members: &mut Members,
    read: ReadOn,
) {
    let code_page = file.code_page();
    let mut text = |id| file.text(attachment, id, code_page).filter(|name| !name.trim().is_empty());
    let given = text(NAME).or_else(|| text(SHORT_NAME)).or_else(|| text(SHOWN_NAME)).unwrap_or_default();
    let kind = text(TYPE).unwrap_or_default();
    let mut name = file_name(&given, number);
    if let Some(inner) = file.inner_message(attachment, DATA) {
        if !name.to_ascii_lowercase().ends_with(".msg") {
            name.push_str(".msg");
        }
        let full_name = content.member_name(unique_name(members, &name).as_bytes());
        let inside = Content { name: &full_name, named: false, depth: content.depth + 1, ..content };
        if inside.depth > MAX_DEPTH {
            return out.problem(Problem::error(inside.place(), Reason::Unreadable, packed_too_often()));
        }
        return add(out, inside, file, &inner, read);
    }
    // A message that is signed but not encrypted is in the only attachment.
    if kind.to_ascii_lowercase().starts_with("multipart/") {
        name.push_str(".eml");
    }
    let place = || String::from_utf8_lossy(&content.member_name(name.as_bytes())).into_owned();
    match file.binary(attachment, DATA) {
        Ok(Some(bytes)) if bytes.len() as u64 <= out.inputs().unpacked_bytes() => {
            let count = members.count(name.as_bytes());
            out.member(content, name.as_bytes(), (count, None), Bytes::Stream(&mut bytes.as_slice()), read);
        }
        Ok(Some(_)) => {
            let full_name = content.member_name(name.as_bytes());
            out.too_large(Content { name: &full_name, ..content }, out.inputs().unpacked_bytes());
        }
        // A reference to a file elsewhere, or an object of another program.
        Ok(None) => {}
        Err(_) if out.meter().is_stopped() => out.report_stop(|| content.place()),
        Err(_) => out.problem(Problem::error(place(), Reason::Damaged, "damaged or cut short; skipped")),
    }
}

/// The name of an attached message, with a number if an attachment before it has the same name.
fn unique_name(members: &mut Members, name: &str) -> String {
    match members.count(name.as_bytes()) {
        1 => name.to_owned(),
        count => format!("{name}/#{count}"),
    }
}

/// The text of a message.
fn body_of(out: &BatchWriter, file: &mut MapiFile, message: &MapiStorage) -> Result<MailBody, (Reason, String)> {
    let damaged = || (Reason::Damaged, "an Outlook message, damaged or cut short; skipped".to_owned());
    let code_page = file.number(message, MapiFile::CODE_PAGE).unwrap_or(0);
    let mut body = MailBody::of_subject(&file.text(message, SUBJECT, code_page).unwrap_or_default());
    if let Some(plain) = file.text(message, BODY, code_page).filter(|text| !text.chars().all(is_invisible)) {
        body.was_replaced |= plain.contains(char::REPLACEMENT_CHARACTER);
        body.text.push_str(&plain);
        return Ok(body);
    }
    let page = match file.binary(message, PAGE).map_err(|_| damaged())? {
        Some(page) => Some(page),
        None => file.text(message, PAGE, code_page).map(String::into_bytes),
    };
    if let Some(mut page) = page {
        let page_code = file.number(message, PAGE_CODE_PAGE).filter(|&number| number > 0);
        let charset = page_code.map(|number| of_code_page(number).name());
        match decode(out, &mut page, charset, true)?.0 {
            DecodedBy::Detection(charset) => body.detected = Some(charset),
            DecodedBy::Replacement => body.was_replaced = true,
            DecodedBy::Rule => {}
        }
        let page = String::from_utf8(page).map_err(|_| damaged())?;
        if out.inputs().html == HtmlMode::Raw {
            body.text.push_str(&page);
            return Ok(body);
        }
        let page = match out.inputs().mail_quotes {
            MailQuotes::Strip => quoted_elements::strip_page(&page, is_forward(&body.subject, &page)),
            MailQuotes::Keep => page,
        };
        let mut text = Vec::new();
        html::strip(page.as_bytes(), &mut text, &mut NoTrace).map_err(|_| damaged())?;
        body.text.push_str(&String::from_utf8_lossy(&text));
    } else if let Some(packed) = file.binary(message, RICH_TEXT).map_err(|_| damaged())? {
        body.text.push_str(&rich_text(out, &packed).ok_or_else(damaged)?);
    }
    Ok(body)
}

/// The text of a body in compressed RTF (MS-OXRTFCP).
fn rich_text(out: &BatchWriter, packed: &[u8]) -> Option<String> {
    /// A reference of two bytes unpacks to at most 17, so that a length above this multiple is wrong.
    const MOST_TIMES: usize = 16;
    let unpacked: [u8; 4] = packed.get(4..8)?.try_into().ok()?;
    if u32::from_le_bytes(unpacked) as usize > packed.len().saturating_mul(MOST_TIMES) {
        return None;
    }
    let rtf = contain(|| compressed_rtf::decompress_rtf(packed)).ok()?.ok()?;
    let source = DocumentSource {
        bytes: rtf.as_bytes(),
        limit: out.inputs().unpacked_bytes(),
        cells: out.inputs().notebook_cells,
        time_limit: out.inputs().filter_timeout,
        cancel: out.sources().cancel(),
        decoding: Decoding::new(out.inputs()).of_utf8(),
    };
    let text = DocumentFormat::of(rtf.as_bytes())?.text(&source).ok()?.text;
    String::from_utf8(text).ok()
}
