//! Sketches on their way from the signing to the filter of candidates: a bit or two for each shingle, in bounded memory.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::shingle::{RecentShingles, ShingleHashes};
use crate::verify::{add_to_sketch, fold_sketch, sketch_words};

/// Makes the sketch of one text after another.
#[derive(Debug, Clone, Default)]
pub(super) struct Sketcher {
    words: Vec<u64>,
    recent: RecentShingles,
    /// Shingles that were no recent repeats: at least the number of distinct ones.
    num_shingles: u64,
    is_sketched: bool,
}

/// Shingles, less most repeats, whose first visit sets their bits in a sketch.
pub(super) struct Sketched<'s, S> {
    pub(super) shingles: S,
    sketcher: &'s mut Sketcher,
}

/// The sketches of the documents of a part that have band keys, in their order.
#[derive(Debug, Default)]
pub(super) struct PartSketches {
    words: Vec<u64>,
    /// The number of words of each.
    lens: Vec<u32>,
}

/// The bytes that the sketches of a run may take.
///
/// A sketch of half the length is of use, too. So the first half of the bytes is for sketches of full length, half of what
/// is left for half the length, and so on: every document has one, and nobody has to know how many there will be.
#[derive(Debug)]
pub(super) struct SketchBudget {
    most: u64,
    used: AtomicU64,
}

impl Sketcher {
    /// Another text begins, or a part of one, of about so many shingles.
    ///
    /// * `num_words`: of its sketch; a power of two.
    pub(super) fn begin(&mut self, num_shingles: usize, num_words: usize) {
        self.words.clear();
        self.words.resize(num_words, 0);
        self.recent.begin(num_shingles);
        self.num_shingles = 0;
        self.is_sketched = false;
    }

    /// Joins what was made of another part of the text; both have sketches of one length.
    pub(super) fn join(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
        self.num_shingles += other.num_shingles;
    }

    /// At least the number of distinct shingles, most repeats left out.
    pub(super) fn num_shingles(&self) -> u64 {
        self.num_shingles
    }

    /// The sketch, as long as the number of shingles and the budget allow; of no words when there is no room.
    pub(super) fn finish(&mut self, budget: &SketchBudget) -> &[u64] {
        let wanted = sketch_words(usize::try_from(self.num_shingles).unwrap_or(usize::MAX));
        let num_words = budget.take(wanted.min(self.words.len()));
        if num_words == 0 { &[] } else { fold_sketch(&mut self.words, num_words) }
    }
}

impl<'s, S: ShingleHashes> Sketched<'s, S> {
    pub(super) fn new(shingles: S, sketcher: &'s mut Sketcher) -> Self {
        Self { shingles, sketcher }
    }
}

impl<S: ShingleHashes> ShingleHashes for Sketched<'_, S> {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        let Self { shingles, sketcher: Sketcher { words, recent, num_shingles, is_sketched } } = self;
        if std::mem::replace(is_sketched, true) {
            return shingles.for_each_block(visit);
        }
        shingles.for_each_block(&mut |block| {
            recent.leave_out(block, &mut |block| {
                add_to_sketch(words, block);
                *num_shingles += block.len() as u64;
                visit(block);
            });
        });
    }
}

impl PartSketches {
    pub(super) fn push(&mut self, sketch: &[u64]) {
        self.words.extend_from_slice(sketch);
        self.lens.push(u32::try_from(sketch.len()).expect("sketches are bounded"));
    }

    /// What was gathered so far, without room to spare.
    pub(super) fn take(&mut self) -> Self {
        let Self { words, lens } = self;
        let taken = Self { words: words.as_slice().into(), lens: lens.as_slice().into() };
        words.clear();
        lens.clear();
        taken
    }

    pub(super) fn num_bytes(&self) -> usize {
        8 * self.words.capacity() + 4 * self.lens.capacity()
    }

    /// Passes the sketches on, one after another.
    pub(super) fn for_each(&self, mut visit: impl FnMut(&[u64])) {
        let mut words = self.words.as_slice();
        for &len in &self.lens {
            visit(words.split_off(..len as usize).expect("the words of all"));
        }
    }
}

impl SketchBudget {
    pub(super) fn new(most: u64) -> Self {
        Self { most, used: AtomicU64::new(0) }
    }

    /// How many words a sketch may take that wants so many, a power of two; none when there is hardly any room.
    fn take(&self, num_words: usize) -> usize {
        let free = self.most.saturating_sub(self.used.load(Ordering::Relaxed));
        let halvings = if free == 0 { u32::MAX } else { ((self.most - 1) / free).checked_ilog2().map_or(0, |log| log + 1) };
        let num_words = match num_words.checked_shr(halvings).unwrap_or(0) {
            0 if halvings < 4 => 1,
            num_words => num_words,
        };
        self.used.fetch_add(8 * num_words as u64, Ordering::Relaxed);
        num_words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sketches_get_shorter_as_room_does_and_never_take_more_than_there_is() {
        let budget = SketchBudget::new(8 * 1000);
        let lens: Vec<usize> = (0..100).map(|_| budget.take(64)).collect();
        assert!(lens.is_sorted_by(|a, b| a >= b));
        assert_eq!(&lens[..8], [64; 8]);
        assert!(lens.contains(&32) && lens.contains(&16) && lens[99] <= 1);
        assert!(lens.iter().sum::<usize>() <= 1000, "{}", lens.iter().sum::<usize>());
    }

    #[test]
    fn a_second_visit_changes_no_sketch() {
        let mut sketcher = Sketcher::default();
        let shingles: Vec<u64> = (0..500u64).map(|i| xxhash_rust::xxh3::xxh3_64(&i.to_le_bytes())).collect();
        sketcher.begin(500, sketch_words(500));
        let mut stream = Sketched::new(shingles.as_slice(), &mut sketcher);
        for _ in 0..2 {
            let mut seen = Vec::new();
            stream.for_each_block(&mut |block| seen.extend_from_slice(block));
            assert_eq!(seen, shingles);
        }
        let mut expected = vec![0; sketch_words(500)];
        add_to_sketch(&mut expected, &shingles);
        assert_eq!(sketcher.num_shingles(), 500);
        assert_eq!(sketcher.finish(&SketchBudget::new(1 << 20)), expected);
    }
}
