//! Recognises forwarded messages: the lines that mail programs put above them, and the subjects that they give them.
//!
//! A forwarded message is what its sender wants to say, unlike the quotation in a reply. Most programs write a mark above it, such
//! as `---------- Forwarded message ---------`. Outlook writes the same lines as in a reply; there the subject decides.

use crate::base::flat::offset_map::NoTrace;
use crate::documents::input::bytes::html;

/// The words of a mark, between dashes.
#[rustfmt::skip]
const MARKS: [&str; 37] = [
    "forwarded message", "weitergeleitete nachricht", "weitergeleitete e-mail", "message transféré", "message réexpédié",
    "courriel transféré", "mensaje reenviado", "mensagem encaminhada", "mensagem reencaminhada", "messaggio inoltrato",
    "doorgestuurd bericht", "vidarebefordrat meddelande", "videresendt meddelelse", "videresendt besked", "videresendt melding",
    "videresendt e-post", "välitetty viesti", "edelleenlähetetty viesti", "przekazana wiadomość", "wiadomość przekazana dalej",
    "treść przekazanej wiadomości", "přeposlaná zpráva", "továbbított üzenet", "továbbított levél", "пересылаемое сообщение",
    "пересланное сообщение", "перенаправленное сообщение", "пересылаемое письмо", "переслане повідомлення", "yönlendirilmiş mesaj",
    "προωθημένο μήνυμα", "mesaj redirecționat", "転送メッセージ", "转发的消息", "转发邮件信息", "轉寄信件", "전달된 메시지",
];
/// The words of a mark without dashes, before a colon, as Apple Mail writes it.
#[rustfmt::skip]
const BEGINNINGS: [&str; 23] = [
    "begin forwarded message", "anfang der weitergeleiteten nachricht", "anfang der weitergeleiteten e-mail",
    "début du message réexpédié", "début du message transféré", "inicio del mensaje reenviado", "início da mensagem encaminhada",
    "início da mensagem reencaminhada", "inizio messaggio inoltrato", "begin doorgestuurd bericht", "vidarebefordrat brev",
    "vidarebefordrat mejl", "start på videresendt besked", "videresendt melding", "välitetty viesti alkaa",
    "początek przekazywanej wiadomości", "začátek přeposílané zprávy", "továbbított levél kezdete",
    "начало переадресованного сообщения", "転送されたメッセージ", "下面是被转发的邮件", "以下是轉寄的郵件", "전달된 메시지 시작",
];
/// How subjects of forwarded messages begin, before a colon.
#[rustfmt::skip]
const PREFIXES: [&str; 19] = [
    "fw", "fwd", "wg", "tr", "rv", "enc", "vb", "vl", "pd", "doorst", "továbbítás", "переслано", "пересл", "πρθ", "转发", "轉寄",
    "転送", "전달", "i",
];
/// How subjects of forwarded messages begin in Danish and Norwegian, and subjects of replies in Finnish.
const DANISH_PREFIX: &str = "vs";
/// The field with the sender in a Finnish message.
const FINNISH_SENDER: &str = "Lähettäjä";
/// Maximum number of bytes of an element in which its first line is searched.
const MOST_BEFORE_LINE: usize = 1024;

/// Whether a program puts this line above a forwarded message.
pub(super) fn is_mark(line: &str) -> bool {
    let line = line.trim();
    let Some(words) = words_between_dashes(line) else {
        return line.strip_suffix([':', '：']).is_some_and(|words| BEGINNINGS.contains(&&*lowered(words)));
    };
    // Lotus Notes and mutt have the sender in the line.
    MARKS.contains(&&*words)
        || ["forwarded message from ", "forwarded by "].iter().any(|start| words.starts_with(start))
}

/// Whether mutt puts this line below a forwarded message.
pub(super) fn is_end_mark(line: &str) -> bool {
    words_between_dashes(line.trim()).is_some_and(|words| words == "end forwarded message")
}

/// The words after dashes or other signs of a rule.
pub(super) fn words_between_dashes(line: &str) -> Option<String> {
    let is_rule = ["--", "==", "__", "**"].iter().any(|signs| line.starts_with(signs));
    // A paragraph is not a mark.
    (is_rule && line.len() < 300).then(|| lowered(line.trim_matches(['-', '=', '_', '*'])))
}

/// A line in lower case, with single spaces between its words.
fn lowered(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a subject says that the message is forwarded.
///
/// * `text`: the message, whose language decides for a subject that has two meanings.
pub(super) fn is_forward(subject: &str, text: &str) -> bool {
    // A mailing list puts its name before the subject; Outlook, the length of the prefix.
    let mut subject = subject.strip_prefix('\u{1}').map_or(subject, |rest| rest.trim_start_matches(|c: char| c < ' '));
    while let Some((_, rest)) = subject.trim_start().strip_prefix('[').and_then(|tag| tag.split_once(']')) {
        subject = rest;
    }
    let Some((prefix, _)) = subject.split_once([':', '：']) else {
        return subject.trim_end().to_lowercase().ends_with("(fwd)");
    };
    let prefix = lowered(prefix);
    PREFIXES.contains(&&*prefix) || prefix == DANISH_PREFIX && !text.contains(FINNISH_SENDER)
}

/// Whether the first line of text in a part of a page is a mark.
pub(super) fn begins_with_mark(part: &str) -> bool {
    let end = (0..=part.len().min(MOST_BEFORE_LINE)).rev().find(|&end| part.is_char_boundary(end)).unwrap_or(0);
    lines_of(&part[..end], |mut lines| lines.find(|line| !line.trim().is_empty()).is_some_and(is_mark))
}

/// Whether a part of a page has a line that is a mark.
pub(super) fn has_mark(part: &str) -> bool {
    lines_of(part, |mut lines| lines.any(is_mark))
}

/// Calls `of` with the lines of text in a part of a page.
fn lines_of(part: &str, of: impl FnOnce(std::str::Lines) -> bool) -> bool {
    let mut text = Vec::new();
    // The page itself is read later, and that reports the error.
    html::strip(part.as_bytes(), &mut text, &mut NoTrace).is_ok() && of(String::from_utf8_lossy(&text).lines())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_above_forwarded_messages_are_recognised() {
        for line in [
            "---------- Forwarded message ---------",
            "-----Forwarded Message-----",
            "----------  Forwarded Message  ----------",
            "============ Forwarded message ============",
            "----- Forwarded message from Ann <ann@example.org> -----",
            "---------------------- Forwarded by Ann Lee/HOU/ECT on 01/01/2001",
            "Begin forwarded message:",
            "Début du message transféré :",
            "-------- Weitergeleitete Nachricht --------",
        ] {
            assert!(is_mark(line), "{line}");
        }
        for line in [
            "Forwarded message",
            "Begin forwarded message",
            "-- forwarded",
            "> ---------- Forwarded message ---------",
            "----- End forwarded message -----",
        ] {
            assert!(!is_mark(line), "{line}");
        }
        assert!(is_end_mark("----- End forwarded message -----"));
    }

    #[test]
    fn subjects_of_forwarded_messages_are_recognised() {
        for subject in
            ["Fwd: a", "FW:a", "WG: a", "TR : a", "[list] [ext] Fwd: a", "\u{1}\u{5}FW: a", "a (fwd)", "VS: a"]
        {
            assert!(is_forward(subject, "Fra: Ann"), "{subject}");
        }
        for subject in ["", "a", "Re: Fwd: a", "RE: FW: a", "Forward: a", "[Fwd: a]", "a: Fwd: b", "a (fwd) b"] {
            assert!(!is_forward(subject, ""), "{subject}");
        }
        assert!(!is_forward("VS: a", "Lähettäjä: Ann"), "a reply in Finnish");
    }
}
