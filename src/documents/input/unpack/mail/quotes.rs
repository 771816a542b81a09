//! Removes from the text of a message what its author did not write there: quoted replies and the signature.
//!
//! A line that begins with `>` is quoted. The lines before quoted lines that say who wrote them, as in `On Monday, Ann
//! wrote:`, belong to the quotation. A signature follows the line `-- ` (RFC 3676, 4.3). Outlook quotes the whole message below
//! its header, without marks.
//!
//! A forwarded message is not a quotation: everything below the mark of one stays. Without a mark, the first quotation is forwarded
//! if the subject says so, or if no other text is above it.

use std::sync::LazyLock;

use regex::Regex;

use super::forwards::{is_end_mark, is_mark, words_between_dashes};

/// Maximum number of lines of an attribution.
const MOST_LINES: usize = 4;
/// The first and the last words of a line that says who wrote a quotation, also where no quoted line follows.
const ATTRIBUTIONS: [(&str, &str); 13] = [
    ("On ", " wrote:"),
    ("Am ", ":"),
    ("Le ", "écrit :"),
    ("Le ", "écrit\u{A0}:"),
    ("El ", "escribió:"),
    ("Il ", "ha scritto:"),
    ("Em ", "escreveu:"),
    ("Op ", "schreef:"),
    ("Den ", ":"),
    ("În ", "a scris:"),
    ("Στις ", "έγραψε:"),
    ("Dne ", "napsal:"),
    ("Dne ", "napsal(a):"),
];
/// Words before the quoted lines that say who wrote them.
const VERBS: [&str; 27] = [
    " wrote",
    " writes",
    " said",
    " schrieb",
    "écrit",
    "escribió",
    "scritto",
    "escreveu",
    " schreef",
    " skrev",
    "kirjoitti",
    "napisał",
    "пишет",
    "писал",
    "写道",
    "寫道",
    "napsal",
    "пише",
    "написал",
    "yazdı",
    "작성",
    "ezt írta",
    "a scris",
    "έγραψε",
    "のメール",
    "さんは書きました",
    "escreveu",
];
#[rustfmt::skip]
const ORIGINAL: [&str; 24] = [
    "original message", "ursprüngliche nachricht", "originalnachricht", "message d'origine", "message original", "mensaje original",
    "mensagem original", "messaggio originale", "oorspronkelijk bericht", "originele bericht", "ursprungligt meddelande",
    "originalmeddelande", "oprindelig meddelelse", "opprinnelig melding", "alkuperäinen viesti", "oryginalna wiadomość",
    "původní zpráva", "исходное сообщение", "eredeti üzenet", "özgün ileti", "元のメッセージ", "原始邮件", "原始郵件", "원본 메시지",
];
/// The fields with the sender, the date and the subject in the header above a message that Outlook and other programs quote.
#[rustfmt::skip]
const SENDER: [&str; 22] = [
    "From", "Von", "De", "Da", "Van", "Från", "Fra", "Lähettäjä", "Od", "Feladó", "От", "Від", "Από", "Kimden", "Gönderen", "差出人",
    "发件人", "寄件者", "보낸 사람", "De la", "Expediteur", "Expéditeur",
];
#[rustfmt::skip]
const DATE: [&str; 34] = [
    "Sent", "Date", "Gesendet", "Datum", "Envoyé", "Date d'envoi", "Enviado", "Enviado el", "Enviada em", "Enviado em", "Fecha",
    "Data", "Inviato", "Verzonden", "Skickat", "Sendt", "Dato", "Lähetetty", "Päivämäärä", "Wysłano", "Odesláno", "Elküldve",
    "Отправлено", "Дата", "Надіслано", "Στάλθηκε", "Gönderilme", "Gönderildi", "Tarih", "送信日時", "发送时间", "傳送時間", "日期", "보낸 날짜",
];
#[rustfmt::skip]
const SUBJECT: [&str; 20] = [
    "Subject", "Betreff", "Objet", "Asunto", "Assunto", "Oggetto", "Onderwerp", "Ämne", "Emne", "Aihe", "Temat", "Předmět", "Tárgy",
    "Тема", "Θέμα", "Konu", "件名", "主题", "主旨", "제목",
];
/// Maximum number of lines of such a header.
const MOST_HEADER_LINES: usize = 12;

/// The text without quoted replies and without the signature.
///
/// * `is_forward`: whether the subject says that the message is forwarded.
pub(super) fn strip(text: &str, is_forward: bool) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut kept = String::with_capacity(text.len());
    let mut rest = lines.as_slice();
    loop {
        let end = end_of_own_text(rest, is_forward, !kept.is_empty());
        push_own_lines(&rest[..end.own], &mut kept);
        let Some(forwarded) = end.forwarded else { return kept };
        rest = &rest[forwarded..];
        let end = rest.iter().position(|line| is_end_mark(line)).map_or(rest.len(), |end| end + 1);
        rest[..end].iter().for_each(|line| push_line(line, &mut kept));
        rest = &rest[end..];
        if rest.is_empty() {
            return kept;
        }
    }
}

/// The end of the author's text.
struct OwnEnd {
    /// The number of its lines.
    own: usize,
    /// The first line of the forwarded message, if there is one.
    forwarded: Option<usize>,
}

/// Finds the end of the author's text: at the signature, at a quoted message or at a forwarded one.
///
/// * `has_text`: whether there is text above the lines.
fn end_of_own_text(lines: &[&str], is_forward: bool, has_text: bool) -> OwnEnd {
    let mut signature = None;
    for (at, line) in lines.iter().enumerate() {
        let own = signature.unwrap_or(at);
        if is_mark(line) || is_forward && is_quoted(line) {
            return OwnEnd { own, forwarded: Some(at) };
        }
        let is_below_rule = at > 0 && is_rule(lines[at - 1]);
        if is_original_mark(line) || begins_quoted_message(&lines[at..], is_below_rule) {
            let has_text = has_text || lines[..own].iter().any(|line| !line.trim().is_empty() && !is_rule(line));
            if is_forward || !has_text {
                return OwnEnd { own, forwarded: Some(at) };
            }
            // A line may separate the message from the one below.
            return OwnEnd { own: if is_below_rule { own.min(at - 1) } else { own }, forwarded: None };
        }
        if signature.is_none() && matches!(*line, "-- " | "- -- " | "--\u{A0}") {
            signature = Some(at);
        }
    }
    OwnEnd { own: signature.unwrap_or(lines.len()), forwarded: None }
}

/// Appends the lines that the author of a message wrote.
fn push_own_lines(lines: &[&str], kept: &mut String) {
    let mut keeps = vec![true; lines.len()];
    let mut is_in_block = false;
    for (at, line) in lines.iter().enumerate() {
        match *line {
            "-----BEGIN PGP SIGNED MESSAGE-----" => keeps[at] = false,
            line if line.starts_with("Hash: ") && at > 0 && !keeps[at - 1] => keeps[at] = false,
            "-----BEGIN PGP SIGNATURE-----" => is_in_block = true,
            _ => {}
        }
        if is_in_block {
            keeps[at] = false;
            is_in_block = *line != "-----END PGP SIGNATURE-----";
        } else if is_quoted(line) {
            let begins = at == 0 || !is_quoted(lines[at - 1]);
            keeps[at] = false;
            if begins {
                strip_attribution(lines, at, &mut keeps);
            }
        } else if let Some(first) = attribution_that_ends_at(lines, at) {
            keeps[first..=at].fill(false);
        }
    }
    for (line, _) in lines.iter().zip(&keeps).filter(|(_, keeps)| **keeps) {
        push_line(line, kept);
    }
}

fn push_line(line: &str, kept: &mut String) {
    kept.push_str(line);
    kept.push('\n');
}

/// Whether a program puts this line above the message that a reply quotes.
fn is_original_mark(line: &str) -> bool {
    words_between_dashes(line.trim()).is_some_and(|words| ORIGINAL.contains(&&*words))
}

/// Whether lines begin with the header of a quoted message: a sender, a date and a subject, one field on each line. The date has a
/// number, which distinguishes the header from a text about headers.
///
/// * `is_below_rule`: whether a line of signs is above the lines, as Outlook writes it. The date then needs no number.
fn begins_quoted_message(lines: &[&str], is_below_rule: bool) -> bool {
    if lines.first().is_none_or(|line| value_of_field(line, &SENDER).is_none()) {
        return false;
    }
    // A page has a blank line between the lines of a table, and the value on a separate line.
    let header = &lines[..lines.len().min(MOST_HEADER_LINES)];
    let is_date = |(at, line): (usize, &&str)| {
        let Some(value) = value_of_field(line, &DATE) else { return false };
        let below = || header[at + 1..].iter().find(|line| !line.trim().is_empty()).copied().unwrap_or_default();
        let value = if value.trim_matches(['*', ' ', '\u{A0}', '\t']).is_empty() { below() } else { value };
        is_below_rule || value.contains(char::is_numeric)
    };
    header.iter().enumerate().any(is_date) && header.iter().any(|line| value_of_field(line, &SUBJECT).is_some())
}

/// The value in a line of a header, if its field has one of these names.
fn value_of_field<'a>(line: &'a str, names: &[&str]) -> Option<&'a str> {
    let (name, value) = line.trim().trim_start_matches('*').split_once([':', '：'])?;
    names.contains(&name.trim_end_matches('*').trim_end()).then_some(value)
}

/// Whether a line consists of the marks that programs put above a quoted message.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2 && line.bytes().all(|byte| matches!(byte, b'_' | b'-' | b'='))
}

/// Whether a line says who wrote what follows and when, by an address, a year and a time.
fn has_sender_and_date(line: &str) -> bool {
    static DATE_TIME: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"^[^@]*\b(?:19|20)[0-9]{2}.*[0-9]{1,2}[:.][0-9]{2}.*[<(\[][^\s@]+@[^\s@]+[>)\]]|[<(\[][^\s@]+@[^\s@]+[>)\]].*(?:19|20)[0-9]{2}.*[0-9]{1,2}[:.][0-9]{2}";
        Regex::new(pattern).expect("a pattern")
    });
    DATE_TIME.is_match(line)
}

fn is_quoted(line: &str) -> bool {
    line.strip_prefix(' ').unwrap_or(line).starts_with('>')
}

/// Removes the lines that say who wrote the quotation that begins at `at`.
fn strip_attribution(lines: &[&str], at: usize, keeps: &mut [bool]) {
    let Some(last) = (0..at).rev().find(|&line| !lines[line].trim().is_empty()) else { return };
    if at - last > 3 || !lines[last].trim_end().ends_with([':', '：']) {
        return;
    }
    let has_verb = |line: &str| VERBS.iter().any(|verb| line.contains(verb));
    let is_start = |line: &str| ATTRIBUTIONS.iter().any(|(first, _)| line.starts_with(first));
    let earliest = (last + 1).saturating_sub(MOST_LINES);
    let block = (earliest..=last).rev().take_while(|&line| !lines[line].trim().is_empty() && !is_quoted(lines[line]));
    let block: Vec<usize> = block.collect();
    let says_who = |line: &str| has_verb(line) || has_sender_and_date(line);
    let Some(verb) = block.iter().position(|&line| says_who(lines[line])) else { return };
    let first = block.iter().position(|&line| is_start(lines[line])).unwrap_or(verb).max(verb);
    keeps[block[first]..=last].fill(false);
}

/// The first line of an attribution that ends with the line at `at`, also where no quotation follows.
fn attribution_that_ends_at(lines: &[&str], at: usize) -> Option<usize> {
    let line = lines[at].trim_end();
    if !line.ends_with([':', '：']) {
        return None;
    }
    if has_sender_and_date(line) {
        return Some(at);
    }
    // A colon does not show that somebody is quoted.
    let ends = ATTRIBUTIONS.iter().filter(|(_, last)| *last != ":" && line.ends_with(last.trim_start()));
    let firsts: Vec<&str> = ends.map(|(first, _)| *first).collect();
    let mut before = (at.saturating_sub(2)..=at).rev().take_while(|&line| !lines[line].trim().is_empty());
    let begins = |line: &str| {
        firsts.iter().any(|first| line.starts_with(first)) && line.bytes().any(|byte| byte.is_ascii_digit())
    };
    before.find(|&line| begins(lines[line]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_and_signatures_are_no_text_of_the_author() {
        let text = "Hello,\n\nOn Mon, Jan 1, 2024 at 9:00, Ann Lee\n<ann@example.org> wrote:\n\n> Is it done?\n>> Or not?\nYes.\n\
                    Ann schrieb am Montag:\n> Danke\nGoodbye.\n-- \nBob\n";
        assert_eq!(strip(text, false), "Hello,\n\n\nYes.\nGoodbye.\n");
        let top =
            "Fine.\r\n\r\nOn 1 Jan 2024, Ann wrote:\r\nIs it done?\r\n-----Original Message-----\r\nFrom: Ann\r\n";
        assert_eq!(strip(top, false), "Fine.\n\nIs it done?\n");
        let signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nText.\n-----BEGIN PGP SIGNATURE-----\niQ\n-----END PGP SIGNATURE-----\n";
        assert_eq!(strip(signed, false), "\nText.\n");
    }

    #[test]
    fn a_message_below_its_header_is_quoted() {
        for header in [
            "From: Ann Lee <ann@example.org>\nSent: Monday, January 1, 2024 9:00 AM\nTo: Bob\nSubject: RE: Ferry",
            "________________________________\nVon: Ann\nGesendet: Montag, 1. Januar 2024 09:00\nAn: Bob\nBetreff: Fähre",
            "*De :* Ann\n*Envoyé :* lundi 1 janvier 2024 09:00\n*À :* Bob\n*Objet :* Bac",
            "差出人: Ann\n送信日時: 2024年1月1日 9:00\n宛先: Bob\n件名: フェリー",
            "От: Ann\nОтправлено: 1 января 2024 г. 9:00\nКому: Bob\nТема: Паром",
        ] {
            assert_eq!(strip(&format!("Yes.\n\n{header}\n\nIs it done?\n"), false), "Yes.\n\n", "{header}");
        }
        for line in [
            "пн, 1 янв. 2024 г. в 09:00, Ann <ann@example.org>:",
            "2024年1月1日(月) 9:00 Ann <ann@example.org>:",
            "Ann <ann@example.org> 于2024年1月1日周一 09:00写道：",
            "Ann <ann@example.org>, 1 Oca 2024 Pzt, 09:00 tarihinde şunu yazdı:",
            "po 1. 1. 2024 v 9:00 odesílatel Ann <ann@example.org> napsal:",
            "2024년 1월 1일 (월) 오전 9:00, Ann <ann@example.org>님이 작성:",
        ] {
            assert_eq!(strip(&format!("Yes.\n{line}\n> Is it done?\n"), false), "Yes.\n", "{line}");
            assert_eq!(strip(&format!("Yes.\n{line}\n"), false), "Yes.\n", "{line}");
        }
        let forwarded = "From: Ann\nSent: Monday\nSubject: Ferry\n\nIt leaves at nine.\n";
        assert_eq!(strip(forwarded, false), forwarded, "nothing else is there");
        assert_eq!(strip("Yes.\n-----Ursprüngliche Nachricht-----\nNo.\n", false), "Yes.\n");
    }

    #[test]
    fn other_lines_stay() {
        for text in [
            "He wrote:\n\nOnce more.\n",
            "I came\nFrom: the north\nDate: unknown\n",
            "At 9:00 in 2024 he said:\n",
            "On it goes.\nThese are the points:\n- a\n",
            "a --\nb > c\n--\nend\n",
            "\n",
            "The fields are:\n\nFrom: who sent it\nTo: who gets it\nSubject: what it is about\nSent: when\n\nA lesson.\n",
        ] {
            assert_eq!(strip(text, false), text);
        }
    }

    #[test]
    fn a_forwarded_message_is_no_quotation() {
        let header = "From: Ann\nSent: Monday, 1 January 2024\nTo: Bob\nSubject: Ferry";
        let body = "It leaves at nine.\n\nOn Sunday, 1 January 2024, Cid wrote:\n> When does it leave?\n-- \nAnn\n";
        for mark in [
            "---------- Forwarded message ---------",
            "Begin forwarded message:",
            "-----Forwarded by Ann/X on 1/1/2024-----",
        ] {
            let rest = format!("{mark}\n{header}\n\n{body}");
            assert_eq!(strip(&format!("See below.\n-- \nBob\n\n{rest}"), false), format!("See below.\n{rest}"));
            assert_eq!(strip(&rest, false), rest);
            assert_eq!(
                strip(&format!("{rest}----- End forwarded message -----\nYes.\n-- \nBob\n"), false),
                format!("{rest}----- End forwarded message -----\nYes.\n")
            );
            let reply = format!("Yes.\n-----Original Message-----\n{header}\n\n{rest}");
            assert_eq!(strip(&reply, false), "Yes.\n", "what a reply quotes may be forwarded");
        }
        for mark in ["-----Original Message-----\n", "________________________________\n", ""] {
            let text = format!("See below.\n\n{mark}{header}\n\n{body}");
            assert_eq!(strip(&text, true), text, "the subject says so");
            assert_eq!(strip(&text, false), "See below.\n\n");
            let only = format!("\n{mark}{header}\n\n{body}");
            assert_eq!(strip(&only, false), only, "nothing else is there");
        }
        let quoted = "See below.\n>From: Ann\n>\n>It leaves at nine.\n";
        assert_eq!((strip(quoted, true), strip(quoted, false)), (quoted.to_owned(), "See below.\n".to_owned()));
    }
}
