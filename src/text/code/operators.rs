//! Operators of several characters. All languages share one list, because the only requirement is that equal programs
//! have equal tokens. The list excludes operators whose characters may also be separate tokens: `>>` also closes two
//! lists of types, `**` is also two pointers.

/// Operators of three characters, which are tried before the shorter ones.
const LONG: [&[u8]; 12] =
    [b"===", b"!==", b"<=>", b"...", b"..=", b"..<", b"<<=", b"**=", b"//=", b"&&=", b"||=", b"??="];

/// Operators of two characters.
const SHORT: [&[u8; 2]; 32] = [
    b"==", b"!=", b"<=", b">=", b"&&", b"||", b"++", b"--", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
    b"<<", b"->", b"=>", b"::", b"..", b"//", b"??", b"?.", b":=", b"<-", b"=~", b"!~", b"~=", b"<>", b"|>", b"?:",
];

/// Length of the operator at the start of a text; at least 1. The text must begin with an ASCII character.
pub(super) fn operator_len(text: &[u8]) -> usize {
    let Some(&[first, second]) = text.first_chunk() else { return 1 };
    // No other character is the second one of an operator, and most operators have one character.
    if !matches!(
        second,
        b'=' | b'&' | b'|' | b'+' | b'-' | b'>' | b'<' | b':' | b'.' | b'*' | b'/' | b'?' | b'~' | b'!'
    ) {
        return 1;
    }
    if let Some(long) = LONG.iter().find(|long| text.starts_with(long)) {
        return long.len();
    }
    if SHORT.contains(&&[first, second]) { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_operator_counts() {
        let check = |text: &str, len| assert_eq!(operator_len(text.as_bytes()), len, "{text}");
        LONG.iter().for_each(|long| check(std::str::from_utf8(long).unwrap(), long.len()));
        SHORT.iter().for_each(|short| check(std::str::from_utf8(*short).unwrap(), 2));
        for (text, len) in [
            ("=", 1),
            ("=a", 1),
            ("=(", 1),
            ("(=", 1),
            ("=-1", 1),
            (">>>==", 1),
            ("**a", 1),
            ("!!a", 1),
            ("..x", 2),
            (";=", 1),
        ] {
            check(text, len);
        }
    }
}
