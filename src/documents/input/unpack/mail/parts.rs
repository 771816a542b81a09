//! The parts of a message: their kinds and their names.

use std::borrow::Cow;

use mail_parser::{MessagePart, MimeHeaders, PartType};

use super::sizes::ENCODED;

/// Maximum bytes of the name of an attachment.
const MOST_NAME: usize = 255;

/// Whether a part belongs to the transport of the message, such as a signature or a report of delivery.
pub(super) fn is_of_protocol(part: &MessagePart) -> bool {
    const TYPES: [(&str, &str); 8] = [
        ("application", "pgp-signature"),
        ("application", "pgp-keys"),
        ("application", "pkcs7-signature"),
        ("application", "x-pkcs7-signature"),
        ("message", "delivery-status"),
        ("message", "disposition-notification"),
        ("message", "feedback-report"),
        ("text", "rfc822-headers"),
    ];
    TYPES.iter().any(|(kind, subtype)| part.is_content_type(kind, subtype))
}

/// The name of an attachment by the name that a message gives: without folders, or else its number.
///
/// * `number`: counts the attachments of the message.
pub(super) fn file_name(given: &str, number: u32) -> String {
    let given = given.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let mut name = match given {
        "" | "." | ".." => format!("part-{number}"),
        given => given.to_owned(),
    };
    if name.len() > MOST_NAME {
        // The ending stays, because it says the type.
        let (start, end) = (MOST_NAME / 2, name.len() - MOST_NAME / 2);
        let is_border = |at: &usize| name.is_char_boundary(*at);
        let start = (0..=start).rev().find(is_border).unwrap_or(0);
        let end = (end..=name.len()).find(is_border).unwrap_or(name.len());
        name.replace_range(start..end, "");
    }
    name
}

/// The name of an attachment: its file name without folders, or else its number. Its ending says its type where the
/// name does not.
///
/// * `number`: counts the attachments of the message.
pub(super) fn attachment_name(part: &MessagePart, number: u32) -> String {
    let name = file_name(part.attachment_name().unwrap_or_default(), number);
    let has_ending = |endings: &[&str]| {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        endings.iter().any(|other| ending.eq_ignore_ascii_case(other))
    };
    let has_any = name.rsplit_once('.').is_some_and(|(_, ending)| !ending.is_empty() && ending.len() <= 5);
    let ending: Option<Cow<str>> = match &part.body {
        _ if ["message", ENCODED]
            .iter()
            .any(|kind| part.is_content_type(kind, "rfc822") || part.is_content_type(kind, "global")) =>
        {
            (!has_ending(&["eml"])).then_some("eml".into())
        }
        PartType::Message(_) => (!has_ending(&["eml"])).then_some("eml".into()),
        PartType::Html(_) => (!has_ending(&["html", "htm", "xhtml"])).then_some("html".into()),
        PartType::Text(_) if !has_any => {
            let subtype = part.content_type().and_then(|kind| kind.subtype());
            let is_plain = |subtype: &str| subtype.len() <= 4 && subtype.bytes().all(|byte| byte.is_ascii_lowercase());
            subtype.filter(|subtype| is_plain(subtype)).map(|subtype| subtype.to_owned().into()).or(Some("txt".into()))
        }
        _ => None,
    };
    match ending {
        Some(ending) => format!("{name}.{ending}"),
        None => name,
    }
}
