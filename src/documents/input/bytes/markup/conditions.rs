//! `unread_branch`: the text of LaTeX that `\iffalse` excludes, as authors do with old paragraphs.

/// The length of the text after `\iffalse` up to its `\else` or `\fi`. As in TeX, it is all text where both are missing.
pub(super) fn unread_branch(text: &str) -> usize {
    const CONDITIONS: [&str; 10] =
        ["if", "ifx", "ifnum", "ifdim", "ifodd", "ifcase", "iftrue", "iffalse", "ifdefined", "ifmmode"];
    let mut depth = 0;
    for at in memchr::memchr_iter(b'\\', text.as_bytes()) {
        let name = &text[at + 1..];
        let name = &name[..name.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(name.len())];
        match name {
            "fi" | "else" if depth == 0 => return at + 1 + name.len(),
            "fi" => depth -= 1,
            name => depth += usize::from(CONDITIONS.contains(&name)),
        }
    }
    text.len()
}
