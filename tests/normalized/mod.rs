//! The normalised text by its definition, with regular expressions: slow, and sharing nothing with the library.

use std::sync::LazyLock;

use regex::Regex;

/// The text with each run of `White_Space` as one space, after [`joined_lines`].
pub(crate) fn normalized(text: &str) -> String {
    joined_lines(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without each single line end, and the white space around it, between two letters or marks of some scripts.
pub(crate) fn joined_lines(text: &str) -> String {
    static JOINED: LazyLock<Regex> = LazyLock::new(|| {
        const LETTERS: &str =
            r"[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}&&[\p{L}\p{M}]]";
        const BLANKS: &str = r"[\s--[\r\n\x0B\x0C\x{85}\x{2028}\x{2029}]]*";
        let pattern = format!(r"(?<before>{LETTERS}){BLANKS}(?:\r\n|\r|\n){BLANKS}(?<after>{LETTERS})");
        Regex::new(&pattern).expect("a pattern")
    });
    let (mut made, mut done) = (String::new(), 0);
    while let Some(found) = JOINED.captures_at(text, done) {
        let (before, after) = (found.name("before").expect("a letter"), found.name("after").expect("a letter"));
        made += &text[done..before.end()];
        done = after.start();
    }
    made += &text[done..];
    made
}
