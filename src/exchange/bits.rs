//! `BitWriter` and `BitReader`: sequences of numbers of any bit width, and ascending numbers stored as gaps.
//!
//! The gaps between sorted hashes have a geometric distribution. A Rice code writes the low bits of a gap unchanged,
//! and the rest as a number of zeros before a one: at most two bits per number more than any code needs (Golomb 1966;
//! Rice and Plaunt 1971).

/// Appends numbers bit by bit, the lowest bit first.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// The last bits, which do not fill 64 bits yet.
    word: u64,
    /// The number of bits in `word`, below 64.
    used: u32,
}

impl BitWriter {
    /// Appends a number.
    ///
    /// * `width`: the number of bits to write, at most 64; the number must fit.
    #[inline]
    pub(super) fn push(&mut self, number: u64, width: u32) {
        debug_assert!(width == 64 || number >> width == 0);
        self.word |= number.checked_shl(self.used).unwrap_or(0);
        self.used += width;
        if self.used >= 64 {
            self.bytes.extend_from_slice(&self.word.to_le_bytes());
            self.used -= 64;
            self.word = number.checked_shr(width - self.used).unwrap_or(0);
        }
    }

    /// Appends the gap between two numbers as a Rice code.
    #[inline]
    pub(super) fn push_gap(&mut self, gap: u64, low_bits: u32) {
        self.push(gap & low_mask(low_bits), low_bits);
        let mut zeros = gap >> low_bits;
        while zeros >= 32 {
            self.push(0, 32);
            zeros -= 32;
        }
        self.push(1 << zeros, zeros as u32 + 1);
    }

    /// Appends the header of a list of ascending numbers: their count and the number of low bits of a gap; returns the
    /// latter.
    ///
    /// * `span`: the greatest number minus the start of the list.
    pub(super) fn push_count(&mut self, count: usize, span: u64) -> u32 {
        let low_bits = (span / (count as u64).max(1)).checked_ilog2().unwrap_or(0);
        self.push(count as u64, 32);
        self.push(low_bits.into(), 6);
        low_bits
    }

    /// Appends a list of ascending numbers.
    pub(super) fn push_ascending(&mut self, numbers: impl ExactSizeIterator<Item = u64>, last: u64) {
        let low_bits = self.push_count(numbers.len(), last);
        let mut before = 0;
        for number in numbers {
            self.push_gap(number - before, low_bits);
            before = number;
        }
    }

    /// Returns all bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let len = self.used.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.word.to_le_bytes()[..len]);
        self.bytes
    }
}

/// Reads the output of a [`BitWriter`]. Returns `None` after its end.
#[derive(Debug)]
pub(super) struct BitReader<B> {
    bytes: B,
    /// The position of the next bit.
    at: usize,
}

impl<B: AsRef<[u8]>> BitReader<B> {
    pub(super) fn new(bytes: B) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next 64 bits, at least 57 of them valid; bits after the end are zero.
    #[inline]
    fn window(&self) -> u64 {
        let bytes = self.bytes.as_ref();
        let start = self.at / 8;
        let word = match bytes.get(start..start + 8) {
            Some(word) => u64::from_le_bytes(word.try_into().expect("8 bytes")),
            None => {
                let mut word = [0; 8];
                let rest = bytes.get(start..).unwrap_or_default();
                word[..rest.len()].copy_from_slice(rest);
                u64::from_le_bytes(word)
            }
        };
        word >> (self.at % 8)
    }

    /// Reads the next number of `width` bits.
    #[inline]
    pub(super) fn read(&mut self, width: u32) -> Option<u64> {
        let number = if width <= 56 {
            let number = self.window() & low_mask(width);
            self.at += width as usize;
            number
        } else {
            let low = self.window() & low_mask(32);
            self.at += 32;
            let high = self.window() & low_mask(width - 32);
            self.at += width as usize - 32;
            high << 32 | low
        };
        (self.at <= 8 * self.bytes.as_ref().len()).then_some(number)
    }

    /// Reads the next gap.
    #[inline]
    pub(super) fn read_gap(&mut self, low_bits: u32) -> Option<u64> {
        let low = self.read(low_bits)?;
        let mut high = 0u64;
        loop {
            let zeros = self.window().trailing_zeros().min(56);
            high += u64::from(zeros);
            if zeros < 56 {
                self.at += zeros as usize + 1;
                break;
            }
            self.at += 56;
            if self.at > 8 * self.bytes.as_ref().len() {
                return None;
            }
        }
        let is_within = self.at <= 8 * self.bytes.as_ref().len() && high.leading_zeros() >= low_bits;
        is_within.then(|| high << low_bits | low)
    }

    /// Reads the header of a list of ascending numbers: the count and the number of low bits of a gap. An impossible
    /// count gives `None`.
    pub(super) fn read_count(&mut self) -> Option<(usize, u32)> {
        let (count, low_bits) = (self.read(32)? as usize, self.read(6)? as u32);
        // Each number needs at least one bit.
        (count <= 8 * self.bytes.as_ref().len()).then_some((count, low_bits))
    }

    /// Reads a list of ascending numbers.
    pub(super) fn read_ascending(&mut self) -> Option<Vec<u64>> {
        let (count, low_bits) = self.read_count()?;
        let mut before = 0u64;
        let next = |_| {
            before = before.checked_add(self.read_gap(low_bits)?)?;
            Some(before)
        };
        (0..count).map(next).collect()
    }
}

fn low_mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_of_any_width_come_back(numbers in prop::collection::vec((any::<u64>(), 0u32..=64), 0..200)) {
            let numbers: Vec<(u64, u32)> = numbers.into_iter().map(|(number, width)| (number & low_mask(width), width)).collect();
            let mut writer = BitWriter::default();
            numbers.iter().for_each(|&(number, width)| writer.push(number, width));
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for &(number, width) in &numbers {
                prop_assert_eq!(reader.read(width), Some(number));
            }
            prop_assert_eq!(reader.read(8), None);
        }

        #[test]
        fn ascending_numbers_come_back_and_a_part_of_them_does_not(
            mut numbers in prop::collection::vec(prop_oneof![0u64..50, any::<u64>().prop_map(|number| number >> 2)], 0..300),
            cut in any::<prop::sample::Index>(),
        ) {
            numbers.sort_unstable();
            let mut writer = BitWriter::default();
            writer.push(5, 3);
            writer.push_ascending(numbers.iter().copied(), numbers.last().copied().unwrap_or(0));
            let bytes = writer.finish();
            // A gap has at most 62 bits, and the rest of each needs three bits on average.
            prop_assert!(bytes.len() * 8 <= 3 + 38 + numbers.len() * 65 + 8);
            let mut reader = BitReader::new(&bytes[..]);
            prop_assert_eq!(reader.read(3), Some(5));
            prop_assert_eq!(reader.read_ascending(), Some(numbers.clone()));
            let mut cut_off = BitReader::new(&bytes[..cut.index(bytes.len())]);
            let found = cut_off.read(3).and_then(|_| cut_off.read_ascending());
            prop_assert!(found.is_none());
        }
    }
}
