//! `remaining_tokens`: a text in, its tokens out without those that removed shingles cover.

use super::shingles::Removal;
use crate::shingle::{ShingleHashes, Shingler, Tokens};

/// The tokens of a normalised text that are in no removed shingle. Those before and behind a removed one are neighbours.
///
/// * `shingler`: of shingles at every token: not from stop words on, and not of sets.
pub(crate) fn remaining_tokens(shingler: &mut Shingler, removal: Option<&Removal>, text: Vec<u8>) -> Tokens {
    let Some(removal) = removal else { return shingler.tokens_utf8(text) };
    let size = shingler.size();
    let mut covered: Vec<std::ops::Range<usize>> = Vec::new();
    let mut at = 0;
    shingler.shingles_utf8(&text).for_each_block(&mut |block| {
        for &hash in block {
            if removal.contains(hash) {
                match covered.last_mut().filter(|last| last.end >= at) {
                    Some(last) => last.end = at + size,
                    None => covered.push(at..at + size),
                }
            }
            at += 1;
        }
    });
    let tokens = shingler.tokens_utf8(text);
    // A text that is shorter than a shingle has one.
    if let Some(last) = covered.last_mut() {
        last.end = last.end.min(tokens.len());
    }
    tokens.without(&covered)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::shingle::{ShingleKind, ShingleSet};

    proptest! {
        #[test]
        fn tokens_of_template_shingles_leave_and_no_others(
            template in prop::collection::vec("[a-c]", 0..12),
            text in prop::collection::vec("[a-c]|x", 0..30),
            size in 1usize..5,
            kind in prop::sample::select(vec![ShingleKind::Char, ShingleKind::Word, ShingleKind::Line]),
        ) {
            let joint = match kind {
                ShingleKind::Word => " ",
                ShingleKind::Line => "\n",
                _ => "",
            };
            let mut shingler = Shingler::new(kind, size);
            let removed = ShingleSet::new(shingler.shingles(&template.join(joint)));
            let shingles = |tokens: &[String]| -> HashSet<Vec<String>> {
                let len = if tokens.len() < size { tokens.len() } else { size };
                if tokens.is_empty() { HashSet::new() } else { tokens.windows(len).map(<[String]>::to_vec).collect() }
            };
            let of_template = shingles(&template);
            let len = size.min(text.len());
            let is_covered = |at: usize| {
                (0..=text.len() - len).any(|start| {
                    (start..start + len).contains(&at) && of_template.contains(&text[start..start + len])
                })
            };
            let expected: Vec<&str> =
                (0..text.len()).filter(|&at| !is_covered(at)).map(|at| text[at].as_str()).collect();
            let removal = Removal::new(removed);
            let rest = remaining_tokens(&mut shingler, Some(&removal), text.join(joint).into_bytes());
            let rest: Vec<&str> = (0..rest.len()).map(|at| &rest.text()[rest.bytes_of(at..at + 1)]).collect();
            prop_assert_eq!(rest, expected);
        }
    }
}
