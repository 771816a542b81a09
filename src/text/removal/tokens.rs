//! `remaining_tokens`: the tokens of a text that no removed shingle covers.

use std::ops::Range;

use super::shingles::Removal;
use crate::text::joined::normalised_parts;
use crate::text::shingle::{ShingleHashes, ShingleKind, Shingler, Tokens};

/// The tokens of a normalised text that are not in a removed shingle. The tokens before and after a removed one become
/// neighbours.
///
/// * `shingler`: must not be for sets. Shingles of stop words do not begin at every token, so none of their tokens is
///   removed.
pub(crate) fn remaining_tokens(shingler: &mut Shingler, removal: Option<&Removal>, text: Vec<u8>) -> Tokens {
    remaining_and_removed(shingler, removal, text).0
}

/// The remaining tokens, and the byte ranges of removed tokens, ascending.
pub(crate) fn remaining_and_removed(
    shingler: &mut Shingler,
    removal: Option<&Removal>,
    text: Vec<u8>,
) -> (Tokens, Vec<Range<usize>>) {
    let Some(removal) = removal.filter(|_| shingler.kind() != ShingleKind::StopWord) else {
        return (shingler.tokens_utf8(text), Vec::new());
    };
    let mut covered: Vec<Range<usize>> = Vec::new();
    if shingler.is_joined(&text) {
        let mut start = 0;
        for (_, part) in normalised_parts(&text).filter(|(_, part)| !part.is_empty()) {
            start += push_covered(shingler, removal, part, start, &mut covered);
        }
    } else {
        push_covered(shingler, removal, &text, 0, &mut covered);
    }
    let tokens = shingler.tokens_utf8(text);
    let removed = covered.iter().map(|range| tokens.trimmed_bytes_of(range.clone())).collect();
    (tokens.without(&covered), removed)
}

/// Appends the token ranges of a text that removed shingles cover. Returns the number of tokens of the text.
///
/// * `start`: the number of tokens before the text.
fn push_covered(
    shingler: &mut Shingler,
    removal: &Removal,
    text: &[u8],
    start: usize,
    covered: &mut Vec<Range<usize>>,
) -> usize {
    let (size, num_before) = (shingler.size(), covered.len());
    let mut at = start;
    shingler.shingles_utf8(text).for_each_block(&mut |block| {
        for &hash in block {
            if removal.contains(hash) {
                match covered[num_before..].last_mut().filter(|last| last.end >= at) {
                    Some(last) => last.end = at + size,
                    None => covered.push(at..at + size),
                }
            }
            at += 1;
        }
    });
    let num_tokens = shingler.last().num_tokens as usize;
    // A text that is shorter than a shingle has one shingle.
    if let Some(last) = covered[num_before..].last_mut() {
        last.end = last.end.min(start + num_tokens);
    }
    num_tokens
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::text::shingle::ShingleSet;

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
