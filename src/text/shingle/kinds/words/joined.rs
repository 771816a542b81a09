//! `JoinedWords`: a buffer of words, each followed by a space, so that the bytes of a shingle are one slice.

use std::ops::Range;

/// A buffer of consecutive words.
#[derive(Debug, Clone)]
pub(super) struct JoinedWords {
    /// Each word followed by a space, up to `len`; further bytes are spare.
    pub(super) bytes: Vec<u8>,
    pub(super) len: usize,
    /// The start of each word and of the next one, `num_words` + 1 in total; further items are spare.
    pub(super) starts: Vec<usize>,
    pub(super) num_words: usize,
}

impl Default for JoinedWords {
    fn default() -> Self {
        Self { bytes: Vec::new(), len: 0, starts: vec![0], num_words: 0 }
    }
}

impl JoinedWords {
    /// Spare bytes after the words, so that kernels can write whole registers.
    pub(super) const ROOM: usize = 64;

    pub(super) fn clear(&mut self) {
        (self.len, self.num_words) = (0, 0);
        self.starts[0] = 0;
    }

    /// Number of words.
    pub(super) fn num_words(&self) -> usize {
        self.num_words
    }

    /// Number of bytes of the words and the spaces after them.
    pub(super) fn num_bytes(&self) -> usize {
        self.len
    }

    /// The bytes of `count` words from index `first` on, joined by single spaces.
    #[inline]
    pub(super) fn words(&self, first: usize, count: usize) -> &[u8] {
        &self.bytes[self.starts[first]..self.starts[first + count] - 1]
    }

    /// The bytes of all words, joined by single spaces.
    pub(super) fn all(&self) -> &[u8] {
        &self.bytes[..self.len.saturating_sub(1)]
    }

    pub(super) fn push(&mut self, word: &[u8]) {
        self.reserve(word.len() + 1, 1);
        self.bytes[self.len..][..word.len()].copy_from_slice(word);
        self.end_word(word.len());
    }

    /// Like [`push`](Self::push), for a word in `text`. The caller must have reserved `ROOM` bytes.
    #[inline(always)]
    pub(super) fn push_of(&mut self, text: &[u8], word: Range<usize>) {
        let len = word.len();
        match (text[word.start..].first_chunk::<{ Self::ROOM }>(), self.bytes[self.len..].first_chunk_mut()) {
            // Copying a fixed number of bytes, even more than necessary, needs no loop.
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

    /// Reserves memory for `num_bytes` more bytes and `num_words` more words.
    pub(super) fn reserve(&mut self, num_bytes: usize, num_words: usize) {
        let (bytes_len, starts_len) = (self.len + num_bytes, self.num_words + 1 + num_words);
        if self.bytes.len() < bytes_len {
            self.bytes.resize(bytes_len.next_power_of_two(), 0);
        }
        if self.starts.len() < starts_len {
            self.starts.resize(starts_len.next_power_of_two(), 0);
        }
    }

    /// Drops the first `count` words, unless that would move more bytes than it drops. Returns the number of dropped
    /// words.
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

    /// Frees a buffer of more than `kept_bytes` bytes.
    pub(super) fn release(&mut self, kept_bytes: usize) {
        if self.bytes.len() > kept_bytes {
            *self = Self::default();
        }
    }
}
