//! `RemainingWords`: the words of a text that are not cut, and the seams at which words follow each other because others
//! between them are cut.

use std::ops::Range;

/// The words of a text, linked to the words that come before and after them. Words are numbered from 0.
#[derive(Debug)]
pub(super) struct RemainingWords {
    /// For each word plus 1, the next word plus 1; the first entry is the start of the text.
    next: Vec<u32>,
    /// For each word plus 1, the word before it plus 1.
    before: Vec<u32>,
    is_removed: Vec<bool>,
    /// The words plus 1 around each seam that was not looked at.
    seams: Vec<(u32, u32)>,
}

impl RemainingWords {
    /// All words of a text.
    pub(super) fn new(len: usize) -> Self {
        let len = len as u32;
        let next = (1..len + 2).chain([len + 1]).collect();
        let before = [0].into_iter().chain(0..len + 1).collect();
        Self { next, before, is_removed: vec![false; len as usize], seams: Vec::new() }
    }

    /// Removes words that follow each other in the text.
    pub(super) fn remove(&mut self, words: Range<usize>) {
        self.is_removed[words.clone()].fill(true);
        self.link(words.start, words.end - 1);
    }

    /// Removes words between which all other words are removed.
    pub(super) fn remove_all(&mut self, words: &[usize]) {
        words.iter().for_each(|&word| self.is_removed[word] = true);
        self.link(words[0], words[words.len() - 1]);
    }

    fn link(&mut self, first: usize, last: usize) {
        let (before, next) = (self.before[first + 1], self.next[last + 1]);
        self.next[before as usize] = next;
        self.before[next as usize] = before;
        self.seams.push((before, next));
    }

    /// The remaining words around a seam that was not looked at before: up to `most` on each side. `None` if there are no more.
    pub(super) fn next_seam(&mut self, most: usize) -> Option<Vec<usize>> {
        let end = self.is_removed.len() as u32 + 1;
        let is_seam = |before: u32, next: u32| {
            let is_there = |word: u32| !self.is_removed[word as usize - 1];
            before > 0 && next < end && is_there(before) && is_there(next)
        };
        let at = self.seams.iter().rposition(|&(before, next)| is_seam(before, next));
        self.seams.truncate(at.map_or(0, |at| at + 1));
        let (mut before, mut next) = self.seams.pop()?;
        let mut words = Vec::new();
        while before > 0 && words.len() < most {
            words.push(before as usize - 1);
            before = self.before[before as usize];
        }
        words.reverse();
        let most = words.len() + most;
        while next < end && words.len() < most {
            words.push(next as usize - 1);
            next = self.next[next as usize];
        }
        Some(words)
    }

    /// The removed words, as ranges that do not touch.
    pub(super) fn removed(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = at + self.is_removed[at..].iter().position(|&is_removed| is_removed)?;
            let len = self.is_removed[start..].iter().take_while(|&&is_removed| is_removed).count();
            at = start + len;
            Some(start..at)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_each_other_where_others_are_removed() {
        let mut words = RemainingWords::new(10);
        words.remove(0..2);
        words.remove(4..6);
        // Nothing comes before the first words.
        assert_eq!(words.next_seam(3), Some(vec![2, 3, 6, 7, 8]));
        assert_eq!(words.next_seam(3), None);
        words.remove_all(&[3, 6]);
        assert_eq!(words.next_seam(1), Some(vec![2, 7]));
        words.remove(8..10);
        assert_eq!(words.next_seam(9), None);
        assert_eq!(words.removed().collect::<Vec<_>>(), [0..2, 3..7, 8..10]);
        assert_eq!(RemainingWords::new(0).removed().count(), 0);
    }
}
