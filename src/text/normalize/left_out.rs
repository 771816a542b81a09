//! Finds text to ignore that is marked by its typography only: quotations, and the list of references at the end.

use std::ops::Range;

use super::white_space::split_line;

/// Opening and closing quotation marks.
const QUOTES: [(&str, &[&str]); 12] = [
    ("\u{201C}", &["\u{201D}"]),
    // Swedish and Finnish.
    ("\u{201D}", &["\u{201D}"]),
    // German and Polish.
    ("\u{201E}", &["\u{201C}", "\u{201D}"]),
    ("\u{AB}", &["\u{BB}"]),
    ("\u{BB}", &["\u{AB}"]),
    ("\u{201A}", &["\u{2018}"]),
    ("\u{2039}", &["\u{203A}"]),
    ("\u{203A}", &["\u{2039}"]),
    ("\u{300C}", &["\u{300D}"]),
    ("\u{300E}", &["\u{300F}"]),
    ("\"", &["\""]),
    // TeX.
    ("``", &["''"]),
];

/// Headings of lists of references, in lower case.
const REFERENCES: [&str; 28] = [
    "references",
    "reference list",
    "list of references",
    "bibliography",
    "works cited",
    "literature cited",
    "literature",
    "literatur",
    "literaturverzeichnis",
    "quellen",
    "quellenverzeichnis",
    "bibliographie",
    "références",
    "références bibliographiques",
    "bibliografía",
    "referencias",
    "bibliografia",
    "riferimenti bibliografici",
    "referências",
    "literatuur",
    "bronnen",
    "литература",
    "список литературы",
    "kaynakça",
    "参考文献",
    "參考文獻",
    "참고문헌",
    "źródła",
];

/// The quotations of a text, including the quotation marks. A quotation reaches from an opening mark to the first
/// matching closing mark in the same paragraph. A mark without a partner is ordinary text.
pub(super) fn quotations(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for paragraph in paragraphs(text) {
        let end = paragraph.end;
        let mut at = paragraph.start;
        while let Some((start, mark)) = next_mark(&text[at..end]).map(|(start, mark)| (at + start, mark)) {
            let inside = start + mark.0.len();
            // A quotation mark after a digit means inches or seconds.
            if mark.0 == "\"" && text[..start].ends_with(|c: char| c.is_ascii_digit()) {
                at = inside;
                continue;
            }
            let rest = &text[inside..end];
            let closing = mark.1.iter().filter_map(|closing| Some((rest.find(closing)?, closing.len()))).min();
            at = match closing {
                Some((place, len)) => {
                    found.push(start..inside + place + len);
                    inside + place + len
                }
                None => inside,
            };
        }
    }
    found
}

fn next_mark(text: &str) -> Option<(usize, &'static (&'static str, &'static [&'static str]))> {
    let may_open = |(_, c): &(usize, char)| matches!(c, '"' | '`') || !c.is_ascii();
    let opens = |at: usize| QUOTES.iter().find(|(opening, _)| text[at..].starts_with(opening)).map(|mark| (at, mark));
    text.char_indices().filter(may_open).find_map(|(at, _)| opens(at))
}

/// The paragraphs of a text, which blank lines separate.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut paragraphs = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < text.len() {
        let (line, end) = split_line(&text.as_bytes()[at..]);
        if text[at..at + line].trim().is_empty() {
            paragraphs.push(start..at);
            start = at + line + end;
        }
        at += line + end;
    }
    paragraphs.push(start..text.len());
    paragraphs
}

/// The start of the list of references: the last line that is its heading, unless there is no text before or after it.
pub(super) fn references(text: &str) -> Option<usize> {
    let (mut found, mut at) = (None, 0);
    while at < text.len() {
        let (line, end) = split_line(&text.as_bytes()[at..]);
        if is_heading(&text[at..at + line]) {
            found = Some((at, at + line + end));
        }
        at += line + end;
    }
    let (start, behind) = found?;
    let is_between = !text[..start].trim().is_empty() && !text[behind..].trim().is_empty();
    is_between.then_some(start)
}

/// Whether a line is the heading of a list of references, possibly numbered, in capitals, or with heading markup.
fn is_heading(line: &str) -> bool {
    // A longer line cannot be a heading with a number and markup.
    if line.len() > 120 {
        return false;
    }
    let is_around = |c: char| c.is_whitespace() || c.is_ascii_digit() || "#*_=.:()[]".contains(c);
    let words = line.trim_matches(is_around);
    !words.is_empty() && REFERENCES.contains(&words.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> Vec<&str> {
        quotations(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn quotations_end_at_their_mark_and_within_their_paragraph() {
        assert_eq!(quoted("He said “one “two” three” and \"four\"."), ["“one “two”", "\"four\""]);
        assert_eq!(quoted("„eins“ »zwei« «trois» 「四」"), ["„eins“", "»zwei«", "«trois»", "「四」"]);
        assert_eq!(quoted("a \"b\n\nc\" d \"e\nf\" 5\" tall"), ["\" d \"", "\" 5\""]);
        assert_eq!(quoted("a “b\n \nc” d"), [""; 0]);
        assert_eq!(
            quoted("”ett” ‚zwei‘ ‹trois› ›vier‹ ``five''"),
            ["”ett”", "‚zwei‘", "‹trois›", "›vier‹", "``five''"]
        );
        assert_eq!(quoted("5\" by 7\", \"said\" `code`"), ["\"said\""]);
        assert_eq!(quoted("don't, it's ‘not’ a mark"), [""; 0]);
    }

    #[test]
    fn references_begin_at_the_last_heading_of_theirs() {
        let start = |text: &str| references(text).map(|at| text[at..].lines().next().unwrap().to_owned());
        assert_eq!(start("text\nReferences\n[1] one\n"), Some("References".to_owned()));
        assert_eq!(start("text\n\n## 7. WORKS CITED:\r\none"), Some("## 7. WORKS CITED:".to_owned()));
        assert_eq!(start("References\nare good.\n参考文献\n一"), Some("参考文献".to_owned()));
        assert_eq!(start("text\nReferences to others are rare.\nend"), None);
        assert_eq!(start("References\none\ntwo"), None, "nothing would be left");
        assert_eq!(start("text\nReferences\n \n"), None);
    }
}
