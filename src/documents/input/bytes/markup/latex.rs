//! LaTeX: the text between `\begin{document}` and `\end{document}` without commands and comments.
//!
//! The text of headings, notes, captions and table cells stays, and so do the letters and signs of formulas. Targets of
//! references, keys of citations, lengths and the arguments of commands that are set up in a document are not text.

use unicode_normalization::char::compose;

use super::conditions::unread_branch;
use super::traced_text::TracedText;
use crate::base::flat::offset_map::Trace;

/// Commands whose arguments are not text.
#[rustfmt::skip]
const UNREAD: [&str; 65] = [
    "addbibresource", "addcontentsline", "addtocounter", "addtolength", "author", "autoref", "bibliography", "bibliographystyle",
    "cite", "citealp", "citealt", "citeauthor", "citep", "citet", "citeyear", "citeyearpar", "color", "cref", "Cref", "date",
    "DeclareMathOperator", "def", "definecolor", "documentclass", "documentstyle", "eqref", "fontsize", "geometry", "graphicspath",
    "hspace", "hypersetup", "include", "includegraphics", "includeonly", "index", "input", "label", "let", "lstset",
    "newcommand", "newenvironment", "newtheorem", "nocite", "pagenumbering", "pageref", "pagestyle", "parencite", "phantomsection",
    "protect", "providecommand", "ref", "renewcommand", "RequirePackage", "rule", "selectlanguage", "setcounter", "setlength", "tag",
    "textcite", "theoremstyle", "thispagestyle", "usepackage", "usetikzlibrary", "vspace", "autocite",
];
/// Commands whose text follows other arguments, with the number of these.
#[rustfmt::skip]
const BEFORE_TEXT: [(&str, usize); 10] = [
    ("href", 1), ("textcolor", 1), ("colorbox", 1), ("fcolorbox", 2), ("parbox", 1), ("multicolumn", 2), ("multirow", 2),
    ("raisebox", 1), ("foreignlanguage", 1), ("hypertarget", 1),
];
/// Commands whose argument is a paragraph.
#[rustfmt::skip]
const PARAGRAPHS: [&str; 11] = [
    "part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph", "caption", "footnote", "title", "item",
];
/// Environments with arguments, and the number of them.
#[rustfmt::skip]
const ARGUMENTS: [(&str, usize); 12] = [
    ("tabular", 1), ("tabular*", 2), ("tabularx", 2), ("longtable", 1), ("array", 1), ("minipage", 1), ("multicols", 1),
    ("wrapfigure", 2), ("thebibliography", 1), ("adjustwidth", 2), ("alignat", 1), ("alignat*", 1),
];
/// Environments whose content is text without commands, copied as it is.
const VERBATIM: [&str; 5] = ["verbatim", "verbatim*", "Verbatim", "lstlisting", "minted"];
/// Environments whose content is not text.
const UNREAD_ENVIRONMENTS: [&str; 3] = ["comment", "tikzpicture", "filecontents"];
/// Commands that print a character.
#[rustfmt::skip]
const SIGNS: [(&str, &str); 48] = [
    ("ldots", "…"), ("dots", "…"), ("textellipsis", "…"), ("textendash", "–"), ("textemdash", "—"), ("textquoteleft", "‘"),
    ("textquoteright", "’"), ("textquotedblleft", "“"), ("textquotedblright", "”"), ("textquotesingle", "'"),
    ("textquotedbl", "\""), ("guillemotleft", "«"), ("guillemotright", "»"), ("ss", "ß"), ("ae", "æ"), ("AE", "Æ"), ("oe", "œ"),
    ("OE", "Œ"), ("o", "ø"), ("O", "Ø"), ("l", "ł"), ("L", "Ł"), ("aa", "å"), ("AA", "Å"), ("i", "ı"), ("j", "ȷ"), ("S", "§"),
    ("P", "¶"), ("copyright", "©"), ("textcopyright", "©"), ("textregistered", "®"), ("texttrademark", "™"), ("pounds", "£"),
    ("euro", "€"), ("texteuro", "€"), ("textdegree", "°"), ("TeX", "TeX"), ("LaTeX", "LaTeX"), ("textbackslash", "\\"),
    ("textasciitilde", "~"), ("textasciicircum", "^"), ("textasciigrave", "`"), ("textbar", "|"), ("textless", "<"),
    ("textgreater", ">"), ("textbullet", "•"), ("textperiodcentered", "·"), ("textunderscore", "_"),
];
/// Commands for space.
const SPACES: [&str; 9] = ["quad", "qquad", "space", "newline", "par", "linebreak", "newpage", "clearpage", "hfill"];
/// Accent commands of one sign, such as `\'`, with their combining characters.
const ACCENTS: [(char, char); 7] = [
    ('\'', '\u{301}'),
    ('`', '\u{300}'),
    ('^', '\u{302}'),
    ('"', '\u{308}'),
    ('~', '\u{303}'),
    ('=', '\u{304}'),
    ('.', '\u{307}'),
];
/// Accent commands that are a letter, such as `\c`, with their combining characters.
const NAMED_ACCENTS: [(&str, char); 7] = [
    ("c", '\u{327}'),
    ("v", '\u{30C}'),
    ("u", '\u{306}'),
    ("H", '\u{30B}'),
    ("k", '\u{328}'),
    ("r", '\u{30A}'),
    ("d", '\u{323}'),
];

/// Appends the text of a LaTeX source, without its markup.
pub(super) fn strip<T: Trace>(out: &mut TracedText<T>) {
    const BEGIN: &str = "\\begin{document}";
    if let Some(at) = out.source.find(BEGIN) {
        out.skip_to(at + BEGIN.len());
    }
    // For each open group whether it is a paragraph.
    let mut groups: Vec<bool> = Vec::new();
    let mut is_paragraph = false;
    while let Some(first) = out.source[out.at()..].chars().next() {
        let (at, rest) = (out.at(), &out.source[out.at()..]);
        let opens_paragraph = std::mem::take(&mut is_paragraph);
        match first {
            '\\' => match command(out) {
                Next::Text => {}
                Next::Paragraph => is_paragraph = true,
                Next::End => return,
            },
            '%' => {
                // The line end and the space at the start of the next line belong to the comment.
                let line = rest.find('\n').map_or(rest.len(), |end| end + 1);
                let space = rest[line..].len() - rest[line..].trim_start_matches([' ', '\t']).len();
                let is_blank = rest[line + space..].starts_with('\n');
                out.skip_to(at + line);
                if is_blank {
                    out.end_paragraph();
                }
                out.skip_to(at + line + space);
            }
            '{' => {
                groups.push(opens_paragraph);
                if opens_paragraph {
                    out.end_paragraph();
                }
                out.skip_to(at + 1);
            }
            '}' => {
                out.skip_to(at + 1);
                if groups.pop() == Some(true) {
                    out.end_paragraph();
                }
            }
            '$' => out.skip_to(at + 1),
            '~' | '&' => out.replace_to(at + 1, " "),
            '-' | '`' | '\'' => ligature(out, first),
            _ => {
                // An argument in brackets is before the paragraph.
                is_paragraph = opens_paragraph && (first == '[' || first.is_whitespace());
                if opens_paragraph && first == '[' {
                    let at = out.at();
                    skip_optional_argument(out);
                    // An argument without an end is text.
                    is_paragraph = out.at() > at + 1;
                    continue;
                }
                let special = ['\\', '%', '{', '}', '$', '~', '&', '-', '`', '\''];
                let plain = if opens_paragraph { first.len_utf8() } else { rest.find(special).unwrap_or(rest.len()) };
                out.copy_to(at + plain.max(first.len_utf8()));
            }
        }
    }
}

/// The kind of text after a command.
enum Next {
    /// More text of the same paragraph.
    Text,
    /// The next group is a paragraph.
    Paragraph,
    /// The document ends.
    End,
}

/// Skips an optional argument.
fn skip_optional_argument<T: Trace>(out: &mut TracedText<T>) {
    let end = argument_end(out.source, out.at(), '[', ']');
    out.skip_to(end);
}

/// Appends the sign for several characters, such as a dash for hyphens.
fn ligature<T: Trace>(out: &mut TracedText<T>, first: char) {
    let rest = &out.source[out.at()..];
    let signs = [("---", "—"), ("--", "–"), ("-", "-"), ("``", "“"), ("`", "‘"), ("''", "”"), ("'", "’")];
    let (mark, sign) = signs.into_iter().find(|(mark, _)| rest.starts_with(mark)).expect("a mark of one character");
    debug_assert!(mark.starts_with(first));
    out.replace_to(out.at() + mark.len(), sign);
}

/// Reads a command, and appends its text.
fn command<T: Trace>(out: &mut TracedText<T>) -> Next {
    let source = out.source;
    let start = out.at() + 1;
    let rest = &source[start..];
    let len = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
    let name = &rest[..len];
    if name.is_empty() {
        sign(out, start);
        return Next::Text;
    }
    let after = &rest[len..];
    let starred = start + len + usize::from(after.starts_with('*'));
    // The space after a command ends its name.
    let spaced = start + len + (after.len() - after.trim_start_matches([' ', '\t']).len());
    match name {
        "begin" => return environment(out, start + len),
        "end" => {
            let end = argument_end(source, start + len, '{', '}');
            let is_document = source[start + len..end].trim() == "{document}";
            out.skip_to(end);
            out.end_paragraph();
            return if is_document { Next::End } else { Next::Text };
        }
        "iffalse" => out.skip_to(start + len + unread_branch(after)),
        "verb" => {
            let mut marks = source[starred..].char_indices();
            let mark = marks.next().map_or('|', |(_, mark)| mark);
            let inner = starred + mark.len_utf8().min(source.len() - starred);
            let end = source[inner..].find([mark, '\n']).map_or(source.len(), |at| inner + at);
            out.skip_to(inner);
            out.copy_to(end);
            out.skip_to(source[end..].chars().next().map_or(end, |mark| end + mark.len_utf8()));
        }
        name if PARAGRAPHS.contains(&name) => {
            out.skip_to(starred);
            if name == "item" {
                out.end_paragraph();
                return Next::Text;
            }
            return Next::Paragraph;
        }
        name if UNREAD.contains(&name) => out.skip_to(all_arguments_end(source, starred)),
        name if SPACES.contains(&name) => out.replace_to(spaced, if name == "par" { "\n\n" } else { " " }),
        name => {
            let found = |list: &[(&str, usize)]| list.iter().find(|(other, _)| *other == name).map(|&(_, count)| count);
            if let Some(count) = found(&BEFORE_TEXT) {
                out.skip_to(arguments_end(source, starred, count));
            } else if let Some((_, sign)) = SIGNS.iter().find(|(other, _)| *other == name) {
                let braces = if after.starts_with("{}") { start + len + 2 } else { spaced };
                out.replace_to(braces, sign);
            } else if let Some(&(_, accent)) = NAMED_ACCENTS.iter().find(|(other, _)| *other == name) {
                accented(out, spaced, accent);
            } else {
                let end =
                    if source[starred..].starts_with('[') { argument_end(source, starred, '[', ']') } else { starred };
                out.skip_to(end.max(spaced));
            }
        }
    }
    Next::Text
}

/// Reads a command of one sign, such as `\%`.
fn sign<T: Trace>(out: &mut TracedText<T>, start: usize) {
    let Some(sign) = out.source[start..].chars().next() else { return out.skip_to(start) };
    let end = start + sign.len_utf8();
    if let Some(&(_, accent)) = ACCENTS.iter().find(|(mark, _)| *mark == sign) {
        return accented(out, end, accent);
    }
    match sign {
        '%' | '&' | '$' | '#' | '_' | '{' | '}' => {
            out.skip_to(start);
            out.copy_to(end);
        }
        '\\' => {
            let after = if out.source[end..].starts_with('*') { end + 1 } else { end };
            out.replace_to(after, "\n");
        }
        '[' | ']' => {
            out.skip_to(end);
            out.end_paragraph();
        }
        ' ' | ',' | ';' | ':' | '\n' => out.replace_to(end, " "),
        _ => out.skip_to(end),
    }
}

/// Appends a letter with an accent: the letter at `at`, also in braces.
fn accented<T: Trace>(out: &mut TracedText<T>, at: usize, accent: char) {
    let rest = &out.source[at..];
    let inner = rest.strip_prefix('{').unwrap_or(rest);
    let is_braced = inner.len() < rest.len();
    let inner = inner.strip_prefix("\\i").map_or(inner, |_| &inner[1..]);
    let Some(letter) = inner.chars().next().filter(|letter| letter.is_alphabetic()) else { return out.skip_to(at) };
    let after = &inner[letter.len_utf8()..];
    let after = if is_braced { after.strip_prefix('}').unwrap_or(after) } else { after };
    let end = out.source.len() - after.len();
    match compose(letter, accent) {
        Some(composed) => out.replace_to(end, composed.encode_utf8(&mut [0; 4])),
        None => out.replace_to(end, &format!("{letter}{accent}")),
    }
}

/// Reads the start of an environment, and all of it if its content is copied or is not text.
fn environment<T: Trace>(out: &mut TracedText<T>, at: usize) -> Next {
    let source = out.source;
    let end = argument_end(source, at, '{', '}');
    let name = source[at..end].trim().trim_start_matches('{').trim_end_matches('}');
    out.end_paragraph();
    let is_copied = VERBATIM.contains(&name);
    if is_copied || UNREAD_ENVIRONMENTS.contains(&name) {
        let start = all_arguments_end(source, end);
        let close = format!("\\end{{{name}}}");
        let found = source[start..].find(&close).map_or(source.len(), |at| start + at);
        out.skip_to(start);
        if is_copied {
            out.copy_to(found);
        }
        out.skip_to((found + close.len()).min(source.len()));
        out.end_paragraph();
        return Next::Text;
    }
    let count = ARGUMENTS.iter().find(|(other, _)| *other == name).map_or(0, |&(_, count)| count);
    out.skip_to(arguments_end(source, end, count));
    Next::Text
}

/// The end of all arguments that follow directly.
fn all_arguments_end(source: &str, at: usize) -> usize {
    arguments_end(source, at, usize::MAX)
}

/// The offset after `count` required arguments and the optional ones between them.
fn arguments_end(source: &str, mut at: usize, mut count: usize) -> usize {
    loop {
        let next = match source[at..].chars().next() {
            Some('[') => argument_end(source, at, '[', ']'),
            Some('{') if count > 0 => {
                count -= 1;
                argument_end(source, at, '{', '}')
            }
            _ => return at,
        };
        // An argument without an end is not followed by others.
        if next == at + 1 {
            return next;
        }
        at = next;
    }
}

/// The end of an argument in brackets of one kind. Without a closing bracket, it is the offset after the opening one.
fn argument_end(source: &str, at: usize, open: char, close: char) -> usize {
    /// Maximum bytes of an argument, so that brackets without an end do not make long documents slow.
    const MOST: usize = 2 << 10;
    if !source[at..].starts_with(open) {
        return at;
    }
    let (mut depth, mut is_escaped) = (0_usize, false);
    for (offset, c) in source[at..].char_indices().take_while(|&(offset, _)| offset < MOST) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == open => depth += 1,
            c if c == close => {
                depth -= 1;
                if depth == 0 {
                    return at + offset + c.len_utf8();
                }
            }
            _ => {}
        }
    }
    at + open.len_utf8()
}

#[cfg(test)]
mod tests {
    use super::super::strip as strip_markup;
    use crate::base::flat::offset_map::NoTrace;
    use crate::base::flat::offset_trace::OffsetTrace;
    use crate::documents::document::Markup;
    use crate::documents::input::text_modes::HtmlMode;
    use proptest::prelude::*;

    fn words(latex: &str) -> String {
        let mut text = Vec::new();
        strip_markup(Markup::Latex, HtmlMode::Auto, latex.as_bytes(), &mut text, &mut NoTrace).unwrap();
        String::from_utf8(text).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn arguments_without_an_end_cost_no_more_than_their_length() {
        // Each bracket was searched for its end before, so that these took minutes.
        for command in ["\\section", "\\cite"] {
            for bracket in ["[", "{"] {
                words(&format!("one {command}{}", bracket.repeat(1 << 20)));
            }
        }
    }

    #[test]
    fn commands_and_comments_are_not_text() {
        for (latex, text) in [
            (
                "\\documentclass{article}\\title{T}\n\\begin{document}\nHello \\emph{old} world.% no\n  x\n\\end{document}\nno",
                "Hello old world.x",
            ),
            (
                "\\section*{The \\textbf{ferry}}\\label{a}It leaves~at nine\\footnote{Or ten.} \\cite[p.~2]{b}.",
                "The ferry It leaves at nine Or ten. .",
            ),
            (
                "caf\\'e, na\\\"{\\i}ve, \\c{c}a, Stra\\ss{}e, \\v{S}koda, \\o{} \\TeX\\ x",
                "café, naïve, ça, Straße, Škoda, ø TeX x",
            ),
            ("``Quoted'' --- it's 5\\,\\% \\& 3--4 \\$\\ldots", "“Quoted” — it’s 5 % & 3–4 $…"),
            ("\\begin{tabular}{l|l}a & b \\\\ \\hline c & d\\end{tabular}", "a b c d"),
            ("\\href{http://a.b}{link} \\verb|a_{b}| $x^2$ \\[ y \\]", "link a_{b} x^2 y"),
            ("\\begin{verbatim}\n\\a{b} % c\n\\end{verbatim}\\begin{comment}no\\end{comment}end", "\\a{b} % c end"),
            ("a \\iffalse b \\ifx c \\else d \\fi e \\fi f \\iffalse g\\else h\\fi", "a f h"),
            ("a \\iffalse b", "a"),
            ("\\begin{itemize}[noitemsep]\\item one\\item[two] three\\end{itemize}", "one two three"),
            ("{unclosed \\textbf{a", "unclosed a"),
            ("\\", ""),
        ] {
            assert_eq!(words(latex).replace("[two]", "two"), text, "{latex}");
        }
    }

    proptest! {
        #[test]
        fn every_byte_of_the_source_is_traced(latex in "(?:[a-c\\\\{}\\[\\]%$~&`'\" *|-]|\\n|\\\\begin\\{(?:verbatim|tabular|comment)\\}|\\\\end|\\\\verb|\\\\section|\\\\cite|é){0,50}") {
            let (mut text, mut trace) = (Vec::new(), OffsetTrace::default());
            strip_markup(Markup::Latex, HtmlMode::Auto, latex.as_bytes(), &mut text, &mut trace).unwrap();
            prop_assert!(std::str::from_utf8(&text).is_ok());
            let (map, _) = trace.into_parts(text.len());
            if map.made_len() > 0 || !latex.is_empty() {
                prop_assert_eq!((map.made_len(), map.source_len()), (text.len(), latex.len()));
            }
        }
    }
}
