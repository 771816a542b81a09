//! `Tokens`: a normalised text and its tokens in order, with an id and a byte range for each. Equal tokens have equal
//! ids.
//!
//! Shingles consist of these tokens. The characters of an ASCII text are its bytes, so they need no additional memory.
//! Other characters need 4 bytes each, and all other tokens 24.

use std::cmp::Ordering;
use std::ops::Range;

use xxhash_rust::xxh3::xxh3_64;

use super::hashes::as_str;
use super::kinds::chars::utf8::is_continuation;

/// The tokens of a text, in order; created by [`Shingler::tokens`](super::Shingler::tokens).
///
/// Characters are compared exactly, other tokens by 64-bit hashes: exact up to collisions, about n² / 2⁶⁵ for n
/// distinct tokens.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// The normalised text in valid UTF-8.
    text: Vec<u8>,
    ids: TokenIds,
    /// Byte range of each token; empty for characters.
    pieces: Vec<Range<usize>>,
    /// Start of every `SAMPLE`-th character; empty unless tokens are characters of a text that is not ASCII.
    starts: Vec<usize>,
    /// The bytes at which the files after the first begin; empty unless the text is joined from files.
    file_starts: Vec<usize>,
}

/// The ids of the tokens of a text.
#[derive(Debug, Clone)]
enum TokenIds {
    /// The ids are the bytes of an ASCII text.
    Ascii,
    /// The ids are Unicode scalar values.
    Chars(Vec<u32>),
    /// The ids are hashes of words, lines, sentences or other pieces.
    Pieces(Vec<u64>),
}

/// The ids of the tokens of a text, in one of three types.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ids<'t> {
    Ascii(&'t [u8]),
    Chars(&'t [u32]),
    Pieces(&'t [u64]),
}

/// Number of characters per stored start.
const SAMPLE: usize = 64;

impl Tokens {
    /// The characters of a text as tokens.
    pub(super) fn of_chars(text: Vec<u8>) -> Self {
        let (mut chars, mut starts) = (Vec::new(), Vec::new());
        if text.is_ascii() {
            return Self { text, ids: TokenIds::Ascii, pieces: Vec::new(), starts, file_starts: Vec::new() };
        }
        for (at, c) in as_str(&text).char_indices() {
            if chars.len() % SAMPLE == 0 {
                starts.push(at);
            }
            chars.push(u32::from(c));
        }
        Self { text, ids: TokenIds::Chars(chars), pieces: Vec::new(), starts, file_starts: Vec::new() }
    }

    /// Consecutive pieces of a text as tokens.
    pub(super) fn of_pieces(text: Vec<u8>, pieces: Vec<Range<usize>>) -> Self {
        let ids = pieces.iter().map(|piece| xxh3_64(&text[piece.clone()])).collect();
        Self { text, ids: TokenIds::Pieces(ids), pieces, starts: Vec::new(), file_starts: Vec::new() }
    }

    /// Sets the bytes at which the files after the first begin.
    pub(super) fn with_files(self, file_starts: Vec<usize>) -> Self {
        Self { file_starts, ..self }
    }

    /// The numbers of the first tokens of the files after the first; empty unless the text is joined from files.
    pub(crate) fn file_borders(&self) -> Vec<u32> {
        let token = |&start: &usize| self.pieces.partition_point(|piece| piece.start < start) as u32;
        self.file_starts.iter().map(token).collect()
    }

    /// The same text without some of its tokens. Characters then become pieces of the text, like words.
    ///
    /// * `left_out`: ascending token ranges that do not overlap.
    pub(crate) fn without(self, left_out: &[Range<usize>]) -> Self {
        let kept = || {
            let starts = std::iter::once(0).chain(left_out.iter().map(|tokens| tokens.end));
            let ends = left_out.iter().map(|tokens| tokens.start).chain([self.len()]);
            starts.zip(ends).flat_map(|(start, end)| start..end)
        };
        let pieces: Vec<Range<usize>> = kept().map(|at| self.bytes_of(at..at + 1)).collect();
        let ids = match self.ids() {
            Ids::Pieces(ids) => kept().map(|at| ids[at]).collect(),
            Ids::Ascii(ids) => kept().map(|at| ids[at].into()).collect(),
            Ids::Chars(ids) => kept().map(|at| ids[at].into()).collect(),
        };
        let file_starts = self.file_starts;
        Self { text: self.text, ids: TokenIds::Pieces(ids), pieces, starts: Vec::new(), file_starts }
    }

    /// Number of tokens.
    pub fn len(&self) -> usize {
        match self.ids() {
            Ids::Ascii(bytes) => bytes.len(),
            Ids::Chars(chars) => chars.len(),
            Ids::Pieces(hashes) => hashes.len(),
        }
    }

    /// Whether there are no tokens, as in a text without words.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entire normalised text. It is checked to be UTF-8, so the time grows with its length.
    pub fn text(&self) -> &str {
        as_str(&self.text)
    }

    /// The bytes of a range of tokens, and of what is between them.
    ///
    /// # Panics
    /// When the range exceeds the tokens.
    pub(crate) fn text_of(&self, tokens: Range<usize>) -> &[u8] {
        &self.text[self.bytes_of(tokens)]
    }

    /// The number of characters in a range of tokens, and in what is between them.
    ///
    /// # Panics
    /// When the range exceeds the tokens.
    pub(crate) fn num_chars_of(&self, tokens: Range<usize>) -> usize {
        self.text_of(tokens).iter().filter(|&&byte| !is_continuation(byte)).count()
    }

    /// The byte range from the start of the first token of a range to the end of the last; empty for an empty range.
    ///
    /// # Panics
    /// When the range exceeds the tokens.
    pub fn bytes_of(&self, tokens: Range<usize>) -> Range<usize> {
        assert!(tokens.start <= tokens.end && tokens.end <= self.len(), "{tokens:?} of {} tokens", self.len());
        match &self.ids {
            TokenIds::Ascii => tokens,
            TokenIds::Chars(chars) => self.char_start(chars, tokens.start)..self.char_start(chars, tokens.end),
            TokenIds::Pieces(_) if tokens.is_empty() => 0..0,
            TokenIds::Pieces(_) => self.pieces[tokens.start].start..self.pieces[tokens.end - 1].end,
        }
    }

    /// Same as [`bytes_of`](Self::bytes_of), without the white space at both ends. A range of only white space is
    /// unchanged.
    ///
    /// # Panics
    /// When the range exceeds the tokens.
    pub(crate) fn trimmed_bytes_of(&self, tokens: Range<usize>) -> Range<usize> {
        let bytes = self.bytes_of(tokens);
        let text = as_str(&self.text[bytes.clone()]).trim_start();
        if text.is_empty() {
            return bytes;
        }
        let start = bytes.end - text.len();
        start..start + text.trim_end().len()
    }

    fn char_start(&self, chars: &[u32], at: usize) -> usize {
        let sample = at / SAMPLE;
        let Some(&start) = self.starts.get(sample) else { return self.text.len() };
        let between = &chars[sample * SAMPLE..at];
        start + between.iter().map(|&c| char::from_u32(c).map_or(0, char::len_utf8)).sum::<usize>()
    }

    pub(crate) fn ids(&self) -> Ids<'_> {
        match &self.ids {
            TokenIds::Ascii => Ids::Ascii(&self.text),
            TokenIds::Chars(chars) => Ids::Chars(chars),
            TokenIds::Pieces(hashes) => Ids::Pieces(hashes),
        }
    }

    /// Compares the token sequences by the bytes of the first tokens that differ; a prefix comes before the longer
    /// sequence.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        let at = self.first_difference(other);
        let token = |tokens: &Self| (at < tokens.len()).then(|| tokens.bytes_of(at..at + 1));
        match (token(self), token(other)) {
            (Some(a), Some(b)) => self.text[a].cmp(&other.text[b]),
            (a, b) => a.is_some().cmp(&b.is_some()),
        }
    }

    fn first_difference(&self, other: &Self) -> usize {
        fn of<T: Copy, U: Copy>(a: &[T], b: &[U], equal: impl Fn(T, U) -> bool) -> usize {
            a.iter().zip(b).take_while(|&(&a, &b)| equal(a, b)).count()
        }
        match (self.ids(), other.ids()) {
            (Ids::Ascii(a), Ids::Ascii(b)) => of(a, b, |a, b| a == b),
            (Ids::Chars(a), Ids::Chars(b)) => of(a, b, |a, b| a == b),
            (Ids::Pieces(a), Ids::Pieces(b)) => of(a, b, |a, b| a == b),
            (Ids::Ascii(a), Ids::Chars(b)) | (Ids::Chars(b), Ids::Ascii(a)) => of(a, b, |a, b| u32::from(a) == b),
            _ => panic!("characters are not compared with other tokens"),
        }
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        let ids = match &self.ids {
            TokenIds::Ascii => 0,
            TokenIds::Chars(chars) => 4 * chars.capacity(),
            TokenIds::Pieces(hashes) => 8 * hashes.capacity(),
        };
        self.text.capacity() + ids + 16 * self.pieces.capacity() + 8 * self.starts.capacity()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::normalize::{Normalization, Normalizer};
    use crate::text::shingle::{ShingleHashes, ShingleKind, Shingler, StopWords};

    fn shingler(kind: ShingleKind, size: usize) -> Shingler {
        Shingler::new(kind, size)
            .with_stop_words(StopWords::Words(["a", "b", "文"].map(String::from).to_vec()), Normalizer::default())
    }

    fn strings(tokens: &Tokens) -> Vec<&str> {
        (0..tokens.len()).map(|at| &tokens.text()[tokens.bytes_of(at..at + 1)]).collect()
    }

    fn any_kind() -> impl Strategy<Value = ShingleKind> {
        use ShingleKind::*;
        prop::sample::select(vec![Char, Word, Line, Sentence, StopWord, Code])
    }

    const TEXT: &str =
        r#"([a-c]{0,12}|[ \r\n]{1,3}|\u{85}|文字は|🙂👩‍👩‍👧|e\u{301}|,|don't|_|['_.]{1,3}|x_|_y| \. |3,5|\. [A-Z]b){0,40}"#;

    proptest! {
        #[test]
        fn shingles_made_from_the_tokens_are_those_of_the_shingler(
            text in TEXT,
            size in 1usize..8,
            kind in any_kind(),
        ) {
            let text = Normalizer::new(&Normalization::default(), kind.units()).normalize(&text);
            let mut shingler = shingler(kind, size);
            let tokens = shingler.tokens(text.clone());
            let tokens = strings(&tokens);
            let joint = match kind {
                ShingleKind::Char => "",
                ShingleKind::Word | ShingleKind::StopWord => " ",
                _ => "\n",
            };
            let starts = |window: &&[&str]| {
                kind != ShingleKind::StopWord || ["a", "b", "文"].contains(&window[0].to_lowercase().as_str())
            };
            let mut expected: Vec<u64> =
                tokens.windows(size).filter(starts).map(|window| xxh3_64(window.join(joint).as_bytes())).collect();
            if expected.is_empty() && !tokens.is_empty() && !text.is_empty() {
                expected.push(xxh3_64(tokens.join(joint).as_bytes()));
            }
            let mut hashes = Vec::new();
            shingler.shingles(&text).for_each_block(&mut |block| hashes.extend_from_slice(block));
            prop_assert_eq!(hashes, expected, "{:?}", tokens);
        }

        #[test]
        fn tokens_follow_one_another_and_equal_ones_have_equal_ids(text in TEXT, kind in any_kind()) {
            let text = Normalizer::new(&Normalization::default(), kind.units()).normalize(&text);
            let tokens = shingler(kind, 1).tokens(text.clone());
            let mut end = 0;
            for at in 0..tokens.len() {
                let bytes = tokens.bytes_of(at..at + 1);
                prop_assert!(bytes.start >= end && bytes.end > bytes.start && bytes.end <= text.len());
                end = bytes.end;
                prop_assert_eq!(tokens.bytes_of(at..tokens.len()).start, bytes.start);
            }
            let id = |at: usize| match tokens.ids() {
                Ids::Ascii(ids) => ids[at].into(),
                Ids::Chars(ids) => ids[at].into(),
                Ids::Pieces(ids) => ids[at],
            };
            let strings = strings(&tokens);
            for at in 1..tokens.len() {
                prop_assert_eq!(id(at - 1) == id(at), strings[at - 1] == strings[at]);
            }
        }

        #[test]
        fn tokens_are_left_out_and_the_others_stay(
            text in TEXT,
            kind in any_kind(),
            cuts in prop::collection::btree_set(0usize..60, 0..8),
        ) {
            let text = Normalizer::new(&Normalization::default(), kind.units()).normalize(&text);
            let whole = shingler(kind, 1).tokens(text);
            let cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(whole.len())).collect();
            let left_out: Vec<Range<usize>> = cuts.chunks_exact(2).map(|cut| cut[0]..cut[1]).collect();
            let is_kept = |at: &usize| !left_out.iter().any(|tokens| tokens.contains(at));
            let all = strings(&whole);
            let expected: Vec<&str> = (0..whole.len()).filter(is_kept).map(|at| all[at]).collect();
            let rest = whole.clone().without(&left_out);
            prop_assert_eq!(strings(&rest), expected);
            let Ids::Pieces(ids) = rest.ids() else { panic!("pieces") };
            let again = whole.clone().without(&left_out);
            prop_assert_eq!(ids.len(), rest.len());
            prop_assert!(again.order(&rest).is_eq());
        }

        #[test]
        fn white_space_at_the_ends_of_tokens_is_trimmed(text in TEXT, kind in any_kind(), cut in (0usize..60, 0usize..60)) {
            let text = Normalizer::new(&Normalization::default(), kind.units()).normalize(&text);
            let tokens = shingler(kind, 1).tokens(text);
            let [start, end] = [cut.0.min(cut.1), cut.0.max(cut.1)].map(|at| at.min(tokens.len()));
            let (bytes, trimmed) = (tokens.bytes_of(start..end), tokens.trimmed_bytes_of(start..end));
            let (whole, text) = (&tokens.text()[bytes.clone()], &tokens.text()[trimmed.clone()]);
            if whole.trim().is_empty() {
                prop_assert_eq!(trimmed, bytes);
            } else {
                prop_assert_eq!((text, trimmed.start - bytes.start), (whole.trim(), whole.find(text).unwrap()));
            }
        }

        #[test]
        fn sequences_are_ordered_as_their_strings_are(a in "[abé]{0,3}( [abé]{1,2}){0,3}", b in "[abé]{0,3}( [abé]{1,2}){0,3}") {
            for kind in [ShingleKind::Char, ShingleKind::Word] {
                let (a, b) = [&a, &b].map(|text| shingler(kind, 1).tokens(crate::text::normalize(text))).into();
                prop_assert_eq!(a.order(&b), strings(&a).cmp(&strings(&b)));
            }
        }
    }

    #[test]
    fn words_of_long_ascii_spans_stand_where_they_are() {
        let text = "one. two's _ _three_ (four) 5,000 é six ".repeat(3000);
        let text = crate::text::normalize(&text);
        let tokens = shingler(ShingleKind::Word, 5).tokens(text.clone());
        assert_eq!(strings(&tokens)[..7], ["one", "two's", "_three_", "four", "5,000", "é", "six"]);
        let period = text.find("one").unwrap() + "one. two's _ _three_ (four) 5,000 é six ".len();
        for at in 0..tokens.len() - 7 {
            let (here, next) = (tokens.bytes_of(at..at + 1), tokens.bytes_of(at + 7..at + 8));
            assert_eq!((here.start + period, here.end + period), (next.start, next.end));
        }
    }
}
