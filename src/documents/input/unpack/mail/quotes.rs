//! Removes from the text of a message what its author did not write there: quoted replies and the signature.
//!
//! A line that begins with `>` is quoted. The lines before quoted lines that say who wrote them, as in `On Monday, Ann
//! wrote:`, belong to the quotation. A signature follows the line `-- ` (RFC 3676, 4.3).

use std::sync::LazyLock;

use regex::Regex;

/// Maximum number of lines of an attribution.
const MOST_LINES: usize = 4;
/// The first and the last words of a line that says who wrote a quotation, also where no quoted line follows.
const ATTRIBUTIONS: [(&str, &str); 8] = [
    ("On ", " wrote:"),
    ("Am ", ":"),
    ("Le ", "écrit :"),
    ("Le ", "écrit\u{A0}:"),
    ("El ", "escribió:"),
    ("Il ", "ha scritto:"),
    ("Em ", "escreveu:"),
    ("Op ", "schreef:"),
];
/// Words before the quoted lines that say who wrote them.
const VERBS: [&str; 15] = [
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
];
const ORIGINAL: [&str; 4] = ["original message", "ursprüngliche nachricht", "message d'origine", "mensaje original"];

/// The HTML body without the elements in which programs put quoted replies.
pub(super) fn strip_page(page: &str) -> String {
    let lower = page.to_ascii_lowercase();
    static START: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r#"<(blockquote) (?:type="?cite|class="gmail_quote)|<(div) class="(?:gmail_quote|yahoo_quoted|moz-cite-prefix)"#;
        Regex::new(pattern).expect("a pattern")
    });
    let (mut kept, mut at) = (String::with_capacity(page.len()), 0);
    while let Some(found) = START.captures_at(&lower, at) {
        let start = found.get(0).expect("the whole").start();
        let name = found.get(1).or(found.get(2)).map_or("", |name| name.as_str());
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
    let end = lines.iter().position(|line| ends_text(line)).unwrap_or(lines.len());
    let lines = &lines[..end];
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
    let Some(verb) = block.iter().position(|&line| has_verb(lines[line])) else { return };
    let first = block.iter().position(|&line| is_start(lines[line])).unwrap_or(verb).max(verb);
    keeps[block[first]..=last].fill(false);
}

/// The first line of an attribution that ends with the line at `at`, also where no quotation follows.
fn attribution_that_ends_at(lines: &[&str], at: usize) -> Option<usize> {
    let line = lines[at].trim_end();
    if !line.ends_with(':') {
        return None;
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
    fn other_lines_stay() {
        for text in
            ["He wrote:\n\nOnce more.\n", "On it goes.\nThese are the points:\n- a\n", "a --\nb > c\n--\nend\n", "\n"]
        {
            assert_eq!(strip(text), text);
        }
    }
}
