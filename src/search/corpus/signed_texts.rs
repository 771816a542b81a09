//! `SignedTexts`: remembers which texts are signed, so that their exact copies are not signed again.
//!
//! Where files have many copies, as in releases of one package, this saves half of all signing. The table is small and
//! forgets: of two texts with the same position, it keeps the last. A forgotten text is signed once more, which costs time
//! and another set of keys.

use std::num::NonZeroU32;
use std::sync::Mutex;

use super::signed::Signed;
use crate::text::shingle::Cut;

/// The number of parts, each with its own lock.
const PARTS: usize = 64;
/// The maximum number of texts in a part: 2^17 in all, 4 MiB. In releases of a package with ten thousand files, one
/// copy in thirteen is signed again.
const MOST: usize = 1 << 11;
/// The initial number of positions in a part, enough for a small run.
const FIRST: usize = 1 << 3;

/// The texts whose band keys are stored, by their hashes. May be used from any thread.
#[derive(Debug)]
pub(super) struct SignedTexts {
    parts: Box<[Mutex<TextShard>]>,
}

/// A table with one position for each text; its number of positions is a power of two, or 0.
#[derive(Debug, Default)]
struct TextShard {
    positions: Vec<Option<KnownText>>,
    num_taken: usize,
}

/// A text, and the facts that signing found. 32 bytes, even as an `Option`.
#[derive(Debug, Clone, Copy)]
struct KnownText {
    content: [u64; 2],
    /// The number of tokens plus 1.
    tokens_and_one: NonZeroU32,
    num_shingles: u32,
    num_removed: u32,
}

impl SignedTexts {
    pub(super) fn new() -> Self {
        Self { parts: (0..PARTS).map(|_| Mutex::default()).collect() }
    }

    /// The facts that signing found in a text; `None` for a text that is not known to be signed.
    ///
    /// * `content`: the hash of the text, `xxh3_128`.
    pub(super) fn find(&self, content: u128) -> Option<Signed> {
        self.part(content).lock().expect("no holder panics").find(content)
    }

    /// Remembers a text whose band keys are stored. Texts of 2^32 - 1 tokens or more are not remembered.
    ///
    /// * `content`: the hash of the text, `xxh3_128`.
    pub(super) fn add(&self, content: u128, signed: Signed) {
        let small = |number: u64| u32::try_from(number).ok();
        let Signed { cut, num_removed, .. } = signed;
        let numbers =
            (small(cut.num_tokens + 1).and_then(NonZeroU32::new), small(cut.num_shingles), small(num_removed));
        let (Some(tokens_and_one), Some(num_shingles), Some(num_removed)) = numbers else { return };
        let position = KnownText { content: halves(content), tokens_and_one, num_shingles, num_removed };
        self.part(content).lock().expect("no holder panics").add(position);
    }

    fn part(&self, content: u128) -> &Mutex<TextShard> {
        &self.parts[content as usize % PARTS]
    }
}

impl TextShard {
    fn find(&self, content: u128) -> Option<Signed> {
        let content = halves(content);
        let position = self
            .positions
            .get(position_of(content, self.positions.len()))?
            .filter(|position| position.content == content)?;
        let cut = Cut {
            num_tokens: u64::from(position.tokens_and_one.get()) - 1,
            num_shingles: position.num_shingles.into(),
        };
        Some(Signed { cut, num_removed: position.num_removed.into(), has_remaining: true })
    }

    fn add(&mut self, position: KnownText) {
        if self.num_taken >= self.positions.len() / 4 && self.positions.len() < MOST {
            let len = (2 * self.positions.len()).max(FIRST);
            let positions = std::mem::replace(&mut self.positions, vec![None; len]);
            self.num_taken = 0;
            positions.into_iter().flatten().for_each(|position| self.put(position));
        }
        self.put(position);
    }

    fn put(&mut self, position: KnownText) {
        let at = position_of(position.content, self.positions.len());
        self.num_taken += usize::from(self.positions[at].is_none());
        self.positions[at] = Some(position);
    }
}

fn halves(content: u128) -> [u64; 2] {
    [(content >> 64) as u64, content as u64]
}

/// The position of a text. It depends on other bits of the hash than the part does.
fn position_of(content: [u64; 2], num_positions: usize) -> usize {
    content[0] as usize & num_positions.wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_128;

    use super::*;

    fn signed(number: u64) -> Signed {
        let cut = Cut { num_tokens: number + 8, num_shingles: number };
        Signed { cut, num_removed: number / 2, has_remaining: true }
    }

    #[test]
    fn a_text_is_found_with_its_own_numbers_or_not_at_all() {
        for num_texts in [1, 100, 5_000, 500_000] {
            let texts = SignedTexts::new();
            let content = |number: u64| xxh3_128(&number.to_le_bytes());
            for number in 0..num_texts {
                assert_eq!(texts.find(content(number)), None);
                texts.add(content(number), signed(number));
                assert_eq!(texts.find(content(number)), Some(signed(number)));
            }
            let mut num_found = 0;
            for number in 0..num_texts {
                let found = texts.find(content(number));
                assert!(found.is_none() || found == Some(signed(number)));
                num_found += usize::from(found.is_some());
            }
            // Three quarters of all positions are free until the table has its maximum size; a full table keeps a text in
            // nearly every position.
            let least = if num_texts < 100_000 { num_texts as usize * 3 / 4 } else { PARTS * MOST * 19 / 20 };
            assert!((least..=PARTS * MOST).contains(&num_found), "{num_found} of {num_texts}");
            let num_positions: usize = texts.parts.iter().map(|part| part.lock().unwrap().positions.len()).sum();
            assert!(num_positions <= (10 * num_texts as usize).clamp(PARTS * FIRST, PARTS * MOST), "{num_positions}");
        }
    }

    #[test]
    fn numbers_that_have_no_room_are_not_kept() {
        let texts = SignedTexts::new();
        texts.add(7, signed(1 << 32));
        assert_eq!(texts.find(7), None);
        assert_eq!(size_of::<Option<KnownText>>(), 32);
    }
}
