//! `ShingleClasses`: the shingles of a block by the texts that have them, so that pairs are counted class by class.
//!
//! The shingles of a class are in exactly the same texts. Similar texts have many shingles in common, so a block has few
//! classes with two texts or more. A pair of texts shares the classes that both have. The shingles that two blocks share
//! are in classes again, one for each pair of a class of one block and a class of the other.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::counts::ShingleCounts;
use super::mask::{MASK_WORDS, MOST_TEXTS, Mask, transpose};
use super::planes::{ClassColumn, MaskedTexts, Planes};
use crate::base::flat::radix_sort::sort_by_hash;

/// The shingles of a block, in classes.
#[derive(Debug, Default)]
pub(crate) struct ShingleClasses {
    num_texts: usize,
    masks: Vec<Mask>,
    /// The number of shingles of each class, and their weight.
    sizes: Vec<ShingleCounts>,
    /// All shingles, by hash.
    members: Vec<ClassMember>,
}

/// A shingle and its class.
#[derive(Debug, Clone, Copy)]
struct ClassMember {
    hash: u64,
    class: u32,
    weight: u32,
}

/// Counts pairs of two texts of one block, or of a text of one block and a text of another.
#[derive(Debug)]
pub(crate) struct ClassCounter {
    shingles: Planes,
    removed: Planes,
    weights: Planes,
}

/// Mixes the words of a mask.
#[derive(Default)]
struct MaskHasher(u64);

impl Hasher for MaskHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes
            .chunks(8)
            .for_each(|chunk| self.write_u64(chunk.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// A mask, and whether its shingles were removed.
#[derive(PartialEq, Eq)]
struct ClassKey(Mask, bool);

impl std::hash::Hash for ClassKey {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|&word| state.write_u64(word));
        state.write_u64(self.1.into());
    }
}

/// The shingles of a block by number.
pub(super) struct Numbered<'b> {
    pub(super) hashes: &'b [u64],
    /// Empty without weights.
    pub(super) weights: &'b [u32],
    /// A bit for each shingle that was removed; may end early.
    pub(super) removed: &'b [u64],
}

impl ShingleClasses {
    /// * `rows`: a bit for each number that a text has; rows may end early.
    ///
    /// # Panics
    /// When there are more than [`MOST_TEXTS`] rows.
    pub(super) fn new(rows: &[&[u64]], shingles: &Numbered<'_>) -> Self {
        assert!(rows.len() <= MOST_TEXTS, "a mask has a bit for each text");
        let mut classes = Self { num_texts: rows.len(), ..Self::default() };
        let mut numbers: HashMap<ClassKey, u32, BuildHasherDefault<MaskHasher>> = HashMap::default();
        let mut masks = vec![[0; MASK_WORDS]; 64];
        classes.members.reserve_exact(shingles.hashes.len());
        for (word, hashes) in shingles.hashes.chunks(64).enumerate() {
            for (group, rows) in rows.chunks(64).enumerate() {
                let mut square = [0; 64];
                for (target, row) in square.iter_mut().zip(rows) {
                    *target = row.get(word).copied().unwrap_or(0);
                }
                transpose(&mut square);
                masks.iter_mut().zip(square).for_each(|(mask, bits)| mask[group] = bits);
            }
            let removed = shingles.removed.get(word).copied().unwrap_or(0);
            let mut last: Option<(Mask, bool, u32)> = None;
            for (at, (&hash, &mask)) in hashes.iter().zip(&masks).enumerate() {
                let is_removed = removed >> at & 1 == 1;
                // A text that went to another block has left numbers that no text has.
                if mask == [0; MASK_WORDS] {
                    continue;
                }
                // Consecutive shingles are often in the same texts.
                let class = match last {
                    Some((of_last, was_removed, class)) if of_last == mask && was_removed == is_removed => class,
                    _ => *numbers.entry(ClassKey(mask, is_removed)).or_insert_with(|| {
                        classes.masks.push(mask);
                        classes.sizes.push(ShingleCounts::default());
                        classes.masks.len() as u32 - 1
                    }),
                };
                last = Some((mask, is_removed, class));
                let weight = shingles.weights.get(64 * word + at).copied().unwrap_or(0);
                classes.members.push(ClassMember { hash, class, weight });
                let (shingles, removed) = if is_removed { (0, 1) } else { (1, 0) };
                classes.sizes[class as usize].add(ShingleCounts { shingles, removed, weight: weight.into() });
            }
        }
        classes
    }

    /// Sorts the shingles, as [`join`](Self::join) needs them.
    pub(crate) fn sort(&mut self) {
        sort_by_hash(&mut self.members, &mut Vec::new(), |member| member.hash);
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        let of_class = size_of::<Mask>() + size_of::<ShingleCounts>();
        size_of::<ClassMember>() * self.members.capacity() + of_class * self.masks.capacity()
    }

    /// Counts pairs of texts of the block.
    pub(crate) fn within(&self) -> ClassCounter {
        let is_shared = |mask: &Mask| mask.iter().map(|word| word.count_ones()).sum::<u32>() > 1;
        let shared = (0u32..).zip(self.masks.iter().zip(&self.sizes)).filter(|(_, (mask, _))| is_shared(mask));
        ClassCounter::new(shared.map(|(class, (_, &size))| (class, class, size)).collect(), self.side(), None)
    }

    /// Counts pairs of a text of this block and a text of another; the shingles of both are sorted.
    pub(crate) fn join(&self, other: &Self) -> ClassCounter {
        let both = self.shared_members(other);
        // The shingles of each class of this block, one class after another.
        let mut ends = vec![0u32; self.masks.len() + 1];
        both.iter().for_each(|shared| ends[shared.a as usize + 1] += 1);
        for class in 0..self.masks.len() {
            ends[class + 1] += ends[class];
        }
        let mut sorted = vec![Shared::default(); both.len()];
        for &shared in &both {
            let position = &mut ends[shared.a as usize];
            sorted[*position as usize] = shared;
            *position += 1;
        }
        let mut of_other = vec![(0u32, 0u64); other.masks.len()];
        let (mut met, mut classes) = (Vec::new(), Vec::new());
        for same in sorted.chunk_by(|one, next| one.a == next.a) {
            for &Shared { b, weight, .. } in same {
                let (count, sum) = &mut of_other[b as usize];
                if *count == 0 {
                    met.push(b);
                }
                *count += 1;
                *sum += u64::from(weight);
            }
            let a = same[0].a;
            let is_removed = self.sizes[a as usize].removed > 0;
            for b in met.drain(..) {
                let (count, weight) = std::mem::take(&mut of_other[b as usize]);
                let (shingles, removed) = if is_removed { (0, count) } else { (count, 0) };
                classes.push((a, b, ShingleCounts { shingles, removed, weight }));
            }
        }
        ClassCounter::new(classes, self.side(), Some(other.side()))
    }

    fn side(&self) -> MaskedTexts<'_> {
        MaskedTexts { masks: &self.masks, num_texts: self.num_texts }
    }

    /// The shingles that both blocks have.
    fn shared_members(&self, other: &Self) -> Vec<Shared> {
        let (a, b) = (&self.members, &other.members);
        let mut shared = vec![Shared::default(); a.len().min(b.len()) + 1];
        let (mut i, mut j, mut len) = (0, 0, 0);
        // No branch depends on the hashes, which no processor could predict.
        while i < a.len() && j < b.len() {
            let (of_a, of_b) = (a[i], b[j]);
            shared[len] = Shared { a: of_a.class, b: of_b.class, weight: of_a.weight };
            len += usize::from(of_a.hash == of_b.hash);
            i += usize::from(of_a.hash <= of_b.hash);
            j += usize::from(of_b.hash <= of_a.hash);
        }
        shared.truncate(len);
        shared
    }
}

/// A shingle that two blocks have, by its classes.
#[derive(Clone, Copy, Default)]
struct Shared {
    a: u32,
    b: u32,
    weight: u32,
}

impl ClassCounter {
    fn new(classes: Vec<(u32, u32, ShingleCounts)>, a: MaskedTexts<'_>, b: Option<MaskedTexts<'_>>) -> Self {
        let planes = |value: fn(&ShingleCounts) -> u64| {
            let columns = classes.iter().map(|(a, b, size)| ClassColumn { a: *a, b: *b, value: value(size) });
            Planes::new(&columns.filter(|column| column.value > 0).collect::<Vec<_>>(), a, b)
        };
        Self {
            shingles: planes(|size| size.shingles.into()),
            removed: planes(|size| size.removed.into()),
            weights: planes(|size| size.weight),
        }
    }

    /// The shingles that two texts share.
    #[inline]
    pub(crate) fn shared(&self, a: usize, b: usize) -> ShingleCounts {
        ShingleCounts {
            shingles: self.shingles.shared(a, b) as u32,
            removed: self.removed.shared(a, b) as u32,
            weight: self.weights.shared(a, b),
        }
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        self.shingles.num_bytes() + self.removed.num_bytes() + self.weights.num_bytes()
    }
}
