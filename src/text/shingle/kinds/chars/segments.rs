//! Segments: cuts a long text into parts, so that several threads can hash their shingles in parallel.

use super::utf8::{char_len, is_continuation};

/// Cuts a text as `Cutter::segments` specifies.
pub(super) fn segments(text: &[u8], size: usize, segment_len: usize) -> Option<Vec<&[u8]>> {
    // A character has at most four bytes, so no segment is shorter than a shingle.
    let segment_len = segment_len.max(8 * size);
    if text.len() < 2 * segment_len {
        return None;
    }
    let num_segments = text.len() / segment_len;
    let cut = |number: usize| {
        let near = number * (text.len() / num_segments);
        (near..text.len()).find(|&at| !is_continuation(text[at])).unwrap_or(text.len())
    };
    // A shingle that begins in one segment ends in the next one at the latest.
    let end = |cut| (1..size).fold(cut, |end, _| end + char_len(text[end]));
    let cuts: Vec<usize> = (0..num_segments).map(cut).collect();
    let ends = cuts[1..].iter().copied().map(end).chain([text.len()]);
    Some(cuts.iter().zip(ends).map(|(&start, end)| &text[start..end]).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::text::shingle::{ShingleHashes, ShingleKind, Shingler};

    fn hashes(shingler: &mut Shingler, text: &[u8]) -> Vec<u64> {
        let mut hashes = Vec::new();
        shingler.shingles_utf8(text).for_each_block(&mut |block| hashes.extend_from_slice(block));
        hashes
    }

    proptest! {
        #[test]
        fn segments_have_each_shingle_of_the_text_once(
            text in r"([a-z]{0,9}|文字|🙂|é){0,80}", size in 1usize..12, segment_len in 1usize..40,
        ) {
            let mut shingler = Shingler::new(ShingleKind::Char, size);
            let whole = hashes(&mut shingler, text.as_bytes());
            match shingler.segments(text.as_bytes(), segment_len) {
                Some(segments) => {
                    let parts: Vec<u64> = segments.iter().flat_map(|part| hashes(&mut shingler, part)).collect();
                    prop_assert!(segments.len() >= 2);
                    prop_assert_eq!(parts, whole);
                }
                None => prop_assert!(text.len() < 2 * segment_len.max(8 * size)),
            }
        }
    }
}
