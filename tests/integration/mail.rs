//! Messages and mailboxes for tests.

use std::fmt::Write as _;

pub(crate) const BODY: &str = "The ferry to Osterby leaves at nine, and the clock of the old town hall strikes ten.";
pub(crate) const OTHER: &str = "Nobody knows why the keeper sets the clock by his own watch, or whether it is true.";

/// A message with these further fields of its header.
pub(crate) fn message(id: &str, fields: &str, body: &str) -> String {
    format!("From: Ann <ann@example.org>\nDate: Mon, 1 Jan 2024 09:00:00 +0100\nMessage-ID: <{id}>\n{fields}\n{body}\n")
}

pub(crate) fn mailbox(messages: &[String]) -> String {
    messages.iter().fold(String::new(), |mut mailbox, message| {
        writeln!(mailbox, "From ann@example.org Mon Jan  1 09:00:00 2024\n{message}").unwrap();
        mailbox
    })
}

/// A message of several parts, each with the fields of its header.
pub(crate) fn multipart(kind: &str, parts: &[(&str, &str)]) -> String {
    let parts: String = parts.iter().map(|(fields, body)| format!("--==b\n{fields}\n\n{body}\n")).collect();
    message("m@x", &format!("Content-Type: multipart/{kind}; boundary=\"==b\"\n"), &format!("{parts}--==b--\n"))
}

/// Bytes in base64, in lines.
pub(crate) fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    let line = base64::engine::general_purpose::STANDARD.encode(bytes);
    line.as_bytes().chunks(76).map(|line| String::from_utf8_lossy(line) + "\n").collect()
}
