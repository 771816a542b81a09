//! Removes from the text of a message what its author did not write there: quoted replies and the signature.
//!
//! A line that begins with `>` is quoted. The lines before quoted lines that say who wrote them, as in `On Monday, Ann
//! wrote:`, belong to the quotation. A signature follows the line `-- ` (RFC 3676, 4.3). Outlook quotes the whole message below
//! its header, without marks; a message that consists of nothing else is forwarded and keeps its text.

use std::sync::LazyLock;

use regex::Regex;

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

/// The HTML body without the elements in which programs put quoted replies.
pub(super) fn strip_page(page: &str) -> String {
    let lower = page.to_ascii_lowercase();
    static START: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = concat!(
            r#"<(blockquote) (?:type="?cite|class="(?:gmail_quote|protonmail_quote|tutanota_quote))|"#,
            r#"<(div) (?:dir="ltr" )?class="(?:gmail_quote|gmail_signature|yahoo_quoted|moz-cite-prefix|moz-signature|"#,
            r#"protonmail_quote|protonmail_signature|tutanota_quote|zmail_extra|outlookmessageheader)|"#,
            r#"<(pre) class="moz-signature|<(div) (?:id="mail-editor-reference-message-container|name="messagereplysection)"#,
        );
        Regex::new(pattern).expect("a pattern")
    });
    let (mut kept, mut at) = (String::with_capacity(page.len()), 0);
    while let Some(found) = START.captures_at(&lower, at) {
        let start = found.get(0).expect("the whole").start();
        let name = found.iter().skip(1).flatten().next().map_or("", |name| name.as_str());
        kept.push_str(&page[at..start]);
        // The text before and after it stays apart.
        kept.push_str("<br>");
        at = end_of_element(&lower, start, name);
    }
    kept.push_str(&page[at..]);
    kept
}

/// The end of the element that starts at `start`, after its end tag.
fn end_of_element(page: &str, start: usize, name: &str) -> usize {
    let (mut depth, mut at) = (0_usize, start);
    while let Some(tag) = page[at..].find('<') {
        at += tag + 1;
        let (is_end, rest) = page[at..].strip_prefix('/').map_or((false, &page[at..]), |rest| (true, rest));
        let is_it = rest.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
        match (is_it, is_end) {
            (true, false) => depth += 1,
            (true, true) => depth = depth.saturating_sub(1),
            (false, _) => continue,
        }
        if depth == 0 {
            return page[at..].find('>').map_or(page.len(), |end| at + end + 1);
        }
    }
    page.len()
}

/// The text without quoted replies and without the signature.
pub(super) fn strip(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let has_text = |end: &usize| lines[..*end].iter().any(|line| !line.trim().is_empty() && !is_rule(line));
    let end = lines.iter().position(|line| ends_text(line)).unwrap_or(lines.len());
    let quoted = (0..end).find(|&at| begins_quoted_message(&lines[at..end])).filter(has_text);
    // A line may separate the message from the one below.
    let quoted = quoted.map(|at| if is_rule(lines[at - 1]) { at - 1 } else { at });
    let lines = &lines[..quoted.unwrap_or(end)];
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
    let mut kept = String::with_capacity(text.len());
    for (line, _) in lines.iter().zip(&keeps).filter(|(_, keeps)| **keeps) {
        kept.push_str(line);
        kept.push('\n');
    }
    kept
}

/// Whether the text of the author ends before this line.
fn ends_text(line: &str) -> bool {
    if line == "-- " || line == "- -- " || line == "--\u{A0}" {
        return true;
    }
    let words = line.trim().trim_matches('-').trim();
    line.trim_start().starts_with("--") && ORIGINAL.contains(&words.to_lowercase().as_str())
}

/// Whether lines begin with the header of a quoted message: a sender, a date and a subject, one field on each line.
fn begins_quoted_message(lines: &[&str]) -> bool {
    let is_field = |line: &str, names: &[&str]| {
        let line = line.trim().trim_start_matches('*');
        let name = line.split([':', '：']).next().filter(|name| name.len() < line.len()).unwrap_or_default();
        let name = name.trim_end_matches('*').trim_end();
        names.contains(&name)
    };
    if !lines.first().is_some_and(|line| is_field(line, &SENDER)) {
        return false;
    }
    // A page has a blank line between the lines of a table.
    let header = || lines.iter().take(MOST_HEADER_LINES);
    header().any(|line| is_field(line, &DATE)) && header().any(|line| is_field(line, &SUBJECT))
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
        assert_eq!(strip(text), "Hello,\n\n\nYes.\nGoodbye.\n");
        let top =
            "Fine.\r\n\r\nOn 1 Jan 2024, Ann wrote:\r\nIs it done?\r\n-----Original Message-----\r\nFrom: Ann\r\n";
        assert_eq!(strip(top), "Fine.\n\nIs it done?\n");
        let signed = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nText.\n-----BEGIN PGP SIGNATURE-----\niQ\n-----END PGP SIGNATURE-----\n";
        assert_eq!(strip(signed), "\nText.\n");
    }

    #[test]
    fn quotations_in_pages_go_with_all_that_is_in_them() {
        let page = "<p>Yes.</p><Blockquote type=\"cite\"><blockquote>a</blockquote>b</blockquote><p>No.<div class=\"gmail_quote\">\
                    <div>c</div></div>End<blockquote type=cite>d";
        assert_eq!(strip_page(page), "<p>Yes.</p><br><p>No.<br>End<br>");
        let plain = "<blockquote>a</blockquote><div>b</div>";
        assert_eq!(strip_page(plain), plain);
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
            assert_eq!(strip(&format!("Yes.\n\n{header}\n\nIs it done?\n")), "Yes.\n\n", "{header}");
        }
        for line in [
            "пн, 1 янв. 2024 г. в 09:00, Ann <ann@example.org>:",
            "2024年1月1日(月) 9:00 Ann <ann@example.org>:",
            "Ann <ann@example.org> 于2024年1月1日周一 09:00写道：",
            "Ann <ann@example.org>, 1 Oca 2024 Pzt, 09:00 tarihinde şunu yazdı:",
            "po 1. 1. 2024 v 9:00 odesílatel Ann <ann@example.org> napsal:",
            "2024년 1월 1일 (월) 오전 9:00, Ann <ann@example.org>님이 작성:",
        ] {
            assert_eq!(strip(&format!("Yes.\n{line}\n> Is it done?\n")), "Yes.\n", "{line}");
            assert_eq!(strip(&format!("Yes.\n{line}\n")), "Yes.\n", "{line}");
        }
        let forwarded = "From: Ann\nSent: Monday\nSubject: Ferry\n\nIt leaves at nine.\n";
        assert_eq!(strip(forwarded), forwarded, "nothing else is there");
        assert_eq!(strip("Yes.\n-----Ursprüngliche Nachricht-----\nNo.\n"), "Yes.\n");
        let page =
            "<p>Yes.<div class=\"protonmail_quote\">No.</div><pre class=\"moz-signature\" cols=\"72\">-- Ann</pre>";
        assert_eq!(strip_page(page), "<p>Yes.<br><br>");
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
        ] {
            assert_eq!(strip(text), text);
        }
    }
}
