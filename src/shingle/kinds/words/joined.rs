//! Words one behind another, each with a space behind it: a shingle is a slice of them.

use std::ops::Range;

/// The words of a part of a text.
#[derive(Debug, Clone)]
pub(super) struct Joined {
    /// Each word and a space; what is behind `len` is room.
    pub(super) bytes: Vec<u8>,
    pub(super) len: usize,
    /// Where each word starts, and where the next one would; what is behind `num_words` is room.
    pub(super) starts: Vec<usize>,
    pub(super) num_words: usize,
}

impl Default for Joined {
    fn default() -> Self {
        Self { bytes: Vec::new(), len: 0, starts: vec![0], num_words: 0 }
    }
}

impl Joined {
    /// Bytes behind the words, and starts, that whole registers may be written to.
    pub(super) const ROOM: usize = 64;

    pub(super) fn clear(&mut self) {
        (self.len, self.num_words) = (0, 0);
        self.starts[0] = 0;
    }

    /// The number of words.
    pub(super) fn num_words(&self) -> usize {
        self.num_words
    }

    /// Bytes of the words and the spaces behind them.
    pub(super) fn num_bytes(&self) -> usize {
        self.len
    }

    /// `count` words from the one at `first` on, joined by single spaces.
    #[inline]
    pub(super) fn words(&self, first: usize, count: usize) -> &[u8] {
        &self.bytes[self.starts[first]..self.starts[first + count] - 1]
    }

    /// All words.
    pub(super) fn all(&self) -> &[u8] {
        &self.bytes[..self.len.saturating_sub(1)]
    }

    pub(super) fn push(&mut self, word: &[u8]) {
        self.reserve(word.len() + 1, 1);
        self.bytes[self.len..][..word.len()].copy_from_slice(word);
        self.end_word(word.len());
    }

    /// As [`push`](Self::push), of a part of a text, when there is `ROOM` behind it.
    #[inline(always)]
    pub(super) fn push_of(&mut self, text: &[u8], word: Range<usize>) {
        let len = word.len();
        match (text[word.start..].first_chunk::<{ Self::ROOM }>(), self.bytes[self.len..].first_chunk_mut()) {
            // To copy more than is needed takes no loop.
            (Some(from), Some(to)) if len <= Self::ROOM => *to = *from,
            _ => self.bytes[self.len..][..len].copy_from_slice(&text[word]),
        }
        self.end_word(len);
    }

    #[inline(always)]
    fn end_word(&mut self, word_len: usize) {
        self.bytes[self.len + word_len] = b' ';
        self.len += word_len + 1;
        self.num_words += 1;
        self.starts[self.num_words] = self.len;
    }

    /// Room for so many bytes and words more.
    pub(super) fn reserve(&mut self, num_bytes: usize, num_words: usize) {
        let (bytes_len, starts_len) = (self.len + num_bytes, self.num_words + 1 + num_words);
        if self.bytes.len() < bytes_len {
            self.bytes.resize(bytes_len.next_power_of_two(), 0);
        }
        if self.starts.len() < starts_len {
            self.starts.resize(starts_len.next_power_of_two(), 0);
        }
    }

    /// Forgets the first `count` words, unless that would move more than it leaves out.
    pub(super) fn forget(&mut self, count: usize) -> usize {
        let dropped = self.starts[count];
        if dropped * 2 < self.len {
            return 0;
        }
        self.bytes.copy_within(dropped..self.len, 0);
        self.starts.copy_within(count..=self.num_words, 0);
        self.len -= dropped;
        self.num_words -= count;
        self.starts[..=self.num_words].iter_mut().for_each(|start| *start -= dropped);
        count
    }

    /// Gives the memory back that one huge text has taken.
    pub(super) fn release(&mut self, kept_bytes: usize) {
        if self.bytes.len() > kept_bytes {
            *self = Self::default();
        }
    }
}
