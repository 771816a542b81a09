//! `PieceTexts`: the texts of one piece's documents before they were normalised, where they leave with the piece.

use crate::error::Result;
use crate::memory::reserve;

/// Texts, one after another.
#[derive(Debug, Default)]
pub(super) struct PieceTexts {
    bytes: Vec<u8>,
    /// Where each ends, and whether it is what offsets in its document are offsets in.
    ends: Vec<(usize, bool)>,
}

impl PieceTexts {
    /// Adds a text, which [`keep_last`](Self::keep_last) then keeps or not.
    ///
    /// # Errors
    /// When there is no room for it.
    pub(super) fn push(&mut self, text: &[u8]) -> Result<()> {
        reserve(&mut self.bytes, text.len(), "texts")?;
        self.bytes.extend_from_slice(text);
        Ok(())
    }

    /// Keeps the text that was added last, unless its document was left out.
    pub(super) fn keep_last(&mut self, is_kept: bool, is_original: bool) {
        if is_kept {
            self.ends.push((self.bytes.len(), is_original));
        } else {
            self.bytes.truncate(self.ends.last().map_or(0, |&(end, _)| end));
        }
    }

    /// The text of a document, and whether it is its original; empty where texts are not kept.
    pub(super) fn get(&self, number: usize) -> (&[u8], bool) {
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&(end, _)| end);
        self.ends.get(number).map_or((&[], false), |&(end, is_original)| (&self.bytes[start..end], is_original))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_kept_come_back_in_order() {
        let mut texts = PieceTexts::default();
        for (text, is_kept) in [("one", true), ("gone", false), ("", true), ("three", true), ("gone", false)] {
            texts.push(text.as_bytes()).unwrap();
            texts.keep_last(is_kept, text.is_empty());
        }
        assert_eq!(
            [0, 1, 2, 3].map(|number| texts.get(number)),
            [(&b"one"[..], false), (b"", true), (b"three", false), (b"", false)]
        );
    }
}
