//! The operators: which characters stand together. One list for all languages, since what matters is that equal programs have
//! equal tokens. So none is here whose characters may also stand apart: `>>` closes two lists of types, `**` is two pointers.

/// Operators of three characters and more, the longest first.
const LONG: [&[u8]; 12] =
    [b"===", b"!==", b"<=>", b"...", b"..=", b"..<", b"<<=", b"**=", b"//=", b"&&=", b"||=", b"??="];

/// Operators of two characters.
const SHORT: [&[u8; 2]; 32] = [
    b"==", b"!=", b"<=", b">=", b"&&", b"||", b"++", b"--", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=",
    b"<<", b"->", b"=>", b"::", b"..", b"//", b"??", b"?.", b":=", b"<-", b"=~", b"!~", b"~=", b"<>", b"|>", b"?:",
];

/// The length of the operator that a text begins with, which begins with ASCII; at least 1.
pub(super) fn operator_len(text: &[u8]) -> usize {
    let Some(&[first, second]) = text.first_chunk() else { return 1 };
    // No operator has other characters, and most are alone.
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
