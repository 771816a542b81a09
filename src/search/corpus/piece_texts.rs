//! `PieceTexts`: the texts of one piece's documents before normalisation, where they are passed on with the piece.

use crate::base::error::Result;
use crate::base::memory::reserve;

/// Texts, one after another.
#[derive(Debug, Default)]
pub(super) struct PieceTexts {
    bytes: Vec<u8>,
    /// The end of each text, and whether the text is the original in which offsets of its document are counted.
    ends: Vec<(usize, bool)>,
}

impl PieceTexts {
    /// Adds a text, which [`keep_last`](Self::keep_last) then keeps or drops.
    ///
    /// # Errors
    /// When memory is too small for it.
    pub(super) fn push(&mut self, text: &[u8]) -> Result<()> {
        reserve(&mut self.bytes, text.len(), "texts")?;
        self.bytes.extend_from_slice(text);
        Ok(())
    }

    /// Keeps the text that was added last, or drops it if its document was skipped.
    pub(super) fn keep_last(&mut self, is_kept: bool, is_original: bool) {
        if is_kept {
            self.ends.push((self.bytes.len(), is_original));
        } else {
            self.bytes.truncate(self.ends.last().map_or(0, |&(end, _)| end));
        }
    }

    /// The text of a document, and whether it is the original; empty where texts are not kept.
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
