//! The parts of a message: their number, before it is parsed, and the names of attachments.

use std::borrow::Cow;
use std::sync::LazyLock;

use mail_parser::{MessagePart, MimeHeaders, PartType};
use regex::bytes::Regex;

/// Maximum number of lines that may begin a part, and 200 times the number of messages inside a message.
pub(super) const MOST_PARTS: u64 = 200_000;
/// Maximum number of lines that may be fields of a header.
pub(super) const MOST_FIELDS: u64 = 2_000_000;
/// Maximum bytes that the search for the ends of parts may read.
pub(super) const MOST_SCANNED: u64 = 1 << 34;
/// Maximum bytes of a message that is small enough to have any number of parts.
const SMALL: usize = 64 << 10;
/// Maximum bytes of the name of an attachment.
const MOST_NAME: usize = 255;

/// Upper bounds on what a message consists of. They show before it is parsed whether it is a bomb.
#[derive(Debug, Default)]
pub(super) struct PartCounts {
    /// Lines that begin with two hyphens, as the lines between parts do.
    pub(super) boundaries: u64,
    /// Lines with a colon, as fields of a header have.
    pub(super) fields: u64,
    /// Parts that may have parts.
    pub(super) multiparts: u64,
    /// Parts that may be messages.
    pub(super) messages: u64,
}

impl PartCounts {
    pub(super) fn of(raw: &[u8]) -> Self {
        static TYPES: LazyLock<Regex> =
            LazyLock::new(|| Regex::new(r"(?i-u)(multipart/)(digest)?|message/(?:rfc822|global)").expect("a pattern"));
        let mut counts = Self::default();
        for found in TYPES.captures_iter(raw) {
            let is_multipart = found.get(1).is_some();
            counts.multiparts += u64::from(is_multipart);
            counts.messages += u64::from(!is_multipart || found.get(2).is_some());
        }
        if raw.len() <= SMALL || counts.multiparts == 0 && raw.len() <= 16 * SMALL {
            return counts;
        }
        for line in raw.split(|&byte| byte == b'\n') {
            counts.boundaries += u64::from(counts.multiparts > 0 && line.starts_with(b"--"));
            counts.fields += u64::from(line[..line.len().min(MOST_NAME)].contains(&b':'));
        }
        counts
    }
}

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

/// The name of an attachment: its file name without folders, or else its number. Its ending says its type where the
/// name does not.
///
/// * `number`: counts the attachments of the message.
pub(super) fn attachment_name(part: &MessagePart, number: u32) -> String {
    let given = part.attachment_name().unwrap_or_default();
    let given = given.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let mut name = match given {
        "" | "." | ".." => format!("part-{number}"),
        given => given.to_owned(),
    };
    while name.len() > MOST_NAME {
        // The ending stays, because it says the type.
        let middle = (0..=MOST_NAME / 2).rev().find(|&at| name.is_char_boundary(at)).unwrap_or(0);
        name.remove(middle);
    }
    let has_ending = |endings: &[&str]| {
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        endings.iter().any(|other| ending.eq_ignore_ascii_case(other))
    };
    let has_any = name.rsplit_once('.').is_some_and(|(_, ending)| !ending.is_empty() && ending.len() <= 5);
    let ending: Option<Cow<str>> = match &part.body {
        _ if part.is_content_type("message", "rfc822") || part.is_content_type("message", "global") => {
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
