//! `SpilledMap`: stores for each key the first value that it was given, in bounded memory.
//!
//! New keys are in a hash table. When the table is full, its entries become a sorted run in a separate spill, and the
//! runs of a tier are merged into one run of the next tier. A filter with some bits per key nearly always shows that a
//! run does not contain a key; otherwise one block is read. So the memory in addition to the table is about one and a
//! half bytes per key, and results depend only on the keys.

use std::collections::HashMap;
use std::hash::Hash;
use std::marker::PhantomData;

use super::merge::{Merge, SortedSource};
use super::spill::{CHECKSUM_BYTES, Spill, push_checksum};
use crate::base::error::Result;
use crate::base::memory::{asking, no_room, reserve_exact};

/// The minimum number of entries of the table, whatever the memory limit.
const LEAST_ROOM: usize = 1 << 8;
/// The number of runs of a tier that are merged.
const RUNS: usize = 8;
/// The maximum number of bytes of a block, with its checksum.
const BLOCK_BYTES: usize = 4 << 10;
/// The number of bytes that are written at a time.
const WRITTEN_BYTES: usize = 1 << 18;

/// The type of the entries of a map: keys that are hashes, and their values.
pub(crate) trait MapEntry {
    type Key: Copy + Eq + Hash;
    type Value: Copy;
    /// The number of bytes of an entry on the disk.
    const BYTES: usize;

    /// The key as a number, by which entries are sorted; at least its lowest 96 bits are spread evenly.
    fn bits(key: Self::Key) -> u128;

    /// Appends the bytes of an entry.
    fn write(key: Self::Key, value: Self::Value, bytes: &mut Vec<u8>);

    /// Reads an entry from its bytes.
    fn read(bytes: &[u8]) -> (Self::Key, Self::Value);
}

/// A map from keys to the first value that each was given.
pub(crate) struct SpilledMap<E: MapEntry> {
    what: &'static str,
    /// The maximum number of entries of the table.
    room: usize,
    table: HashMap<E::Key, E::Value>,
    runs: Vec<SpilledMapRun>,
}

/// A sorted run of entries on the disk.
struct SpilledMapRun {
    tier: u32,
    spill: Spill,
    len: usize,
    /// The smallest key of each block.
    fences: Vec<u128>,
    filter: KeyFilter,
}

/// A Bloom filter: recognises most keys that a run does not contain.
struct KeyFilter(Vec<[u64; 8]>);

impl KeyFilter {
    /// The number of bits per key.
    const BITS: usize = 10;

    fn with_room(len: usize, what: &'static str) -> Result<Self> {
        let mut lines = Vec::new();
        let num_lines = (len * Self::BITS).div_ceil(512).max(1);
        reserve_exact(&mut lines, num_lines, what)?;
        lines.resize(num_lines, [0; 8]);
        Ok(Self(lines))
    }

    /// The line of a key. All bits of a key are in one line, so that a look-up loads one cache line.
    fn line_of(&self, bits: u128) -> usize {
        ((u64::from((bits >> 64) as u32) * self.0.len() as u64) >> 32) as usize
    }

    fn places(bits: u128) -> impl Iterator<Item = (usize, u64)> {
        (0..6).map(move |number| (bits >> (9 * number)) as usize & 511).map(|bit| (bit / 64, 1 << (bit % 64)))
    }

    fn add(&mut self, bits: u128) {
        let at = self.line_of(bits);
        Self::places(bits).for_each(|(word, bit)| self.0[at][word] |= bit);
    }

    fn may_have(&self, bits: u128) -> bool {
        let line = &self.0[self.line_of(bits)];
        Self::places(bits).all(|(word, bit)| line[word] & bit != 0)
    }
}

impl<E: MapEntry> SpilledMap<E> {
    /// The number of entries of a block.
    const BLOCK: usize = (BLOCK_BYTES - CHECKSUM_BYTES) / E::BYTES;

    /// Creates an empty map.
    ///
    /// * `what`: the kind of data, for messages.
    /// * `memory_bytes`: the memory limit of the table, also while it grows or becomes a run. Some kilobytes are used
    ///   in any case.
    pub(crate) fn new(what: &'static str, memory_bytes: u64) -> Self {
        let slot = size_of::<(E::Key, E::Value)>() + 1;
        let slots = usize::try_from(memory_bytes).unwrap_or(usize::MAX) / (2 * slot);
        // A table has a power of two of slots; seven eighths of them are used.
        let slots = 1usize.checked_shl(usize::BITS - 1 - slots.max(1).leading_zeros()).unwrap_or(1);
        Self { what, room: (slots / 8 * 7).max(LEAST_ROOM), table: HashMap::new(), runs: Vec::new() }
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        let slot = size_of::<(E::Key, E::Value)>() + 1;
        let of_runs = self.runs.iter().map(|run| 16 * run.fences.capacity() + 64 * run.filter.0.capacity());
        self.table.capacity() * 8 / 7 * slot + of_runs.sum::<usize>()
    }

    /// Removes all keys.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.runs.clear();
    }

    /// The value of a key, or `None` when the map does not contain the key.
    ///
    /// # Errors
    /// When data on the disk cannot be read.
    pub(crate) fn get(&self, key: E::Key) -> Result<Option<E::Value>> {
        if let Some(&value) = self.table.get(&key) {
            return Ok(Some(value));
        }
        let bits = E::bits(key);
        for run in self.runs.iter().rev().filter(|run| run.filter.may_have(bits)) {
            if let Some(value) = run.get::<E>(bits)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Returns the value of a key; if the key is missing, inserts `value` and returns `None`.
    ///
    /// # Errors
    /// When there is not enough memory or disk space, or data on the disk cannot be read.
    pub(crate) fn get_or_insert(&mut self, key: E::Key, value: E::Value) -> Result<Option<E::Value>> {
        if let Some(value) = self.get(key)? {
            return Ok(Some(value));
        }
        if self.table.len() == self.room {
            self.spill()?;
        }
        asking(|| self.table.try_reserve(1))
            .map_err(|_| no_room::<(E::Key, E::Value)>(2 * self.table.len(), self.what))?;
        self.table.insert(key, value);
        Ok(None)
    }

    /// Writes the entries of the table as a run.
    fn spill(&mut self) -> Result<()> {
        let mut entries = Vec::new();
        reserve_exact(&mut entries, self.table.len(), self.what)?;
        entries.extend(self.table.drain());
        entries.sort_unstable_by_key(|&(key, _)| E::bits(key));
        let mut writer = SpilledMapWriter::<E>::begin(self.what, entries.len(), 0)?;
        entries.into_iter().try_for_each(|(key, value)| writer.push(key, value))?;
        self.runs.push(writer.finish()?);
        self.merge()
    }

    /// Merges the runs of the last tier into one, as long as there are enough.
    fn merge(&mut self) -> Result<()> {
        while let Some(last) = self.runs.last().map(|run| run.tier)
            && self.runs.iter().filter(|run| run.tier == last).count() == RUNS
        {
            // Tiers never increase from the first run to the last.
            let merged = self.runs.split_off(self.runs.len() - RUNS);
            let mut entries = Merge::new(merged.iter().map(SpilledMapReader::<E>::new).collect())?;
            let mut writer = SpilledMapWriter::<E>::begin(self.what, merged.iter().map(|run| run.len).sum(), last + 1)?;
            while let Some((_, reader)) = entries.next()? {
                let (key, value) = E::read(reader.entry());
                writer.push(key, value)?;
            }
            self.runs.push(writer.finish()?);
        }
        Ok(())
    }
}

impl SpilledMapRun {
    fn get<E: MapEntry>(&self, bits: u128) -> Result<Option<E::Value>> {
        let Some(block) = self.fences.partition_point(|&fence| fence <= bits).checked_sub(1) else { return Ok(None) };
        let mut bytes = Vec::with_capacity(BLOCK_BYTES);
        self.read::<E>(block, &mut bytes)?;
        let (mut low, mut high) = (0, bytes.len() / E::BYTES);
        while low < high {
            let middle = low.midpoint(high);
            let (key, value) = E::read(&bytes[middle * E::BYTES..][..E::BYTES]);
            match E::bits(key).cmp(&bits) {
                std::cmp::Ordering::Equal => return Ok(Some(value)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    /// Reads the entries of a block into `bytes`.
    fn read<E: MapEntry>(&self, block: usize, bytes: &mut Vec<u8>) -> Result<()> {
        let len = (self.len - block * SpilledMap::<E>::BLOCK).min(SpilledMap::<E>::BLOCK) * E::BYTES;
        let place = (block * (SpilledMap::<E>::BLOCK * E::BYTES + CHECKSUM_BYTES)) as u64;
        bytes.clear();
        self.spill.read(place, len + CHECKSUM_BYTES, bytes)?;
        bytes.truncate(self.spill.checked(place, bytes)?.len());
        Ok(())
    }
}

/// Writes a run.
struct SpilledMapWriter<E: MapEntry> {
    run: SpilledMapRun,
    block: Vec<u8>,
    written: Vec<u8>,
    end: u64,
    entry: PhantomData<E>,
}

impl<E: MapEntry> SpilledMapWriter<E> {
    fn begin(what: &'static str, len: usize, tier: u32) -> Result<Self> {
        let mut fences = Vec::new();
        reserve_exact(&mut fences, len.div_ceil(SpilledMap::<E>::BLOCK), what)?;
        let run =
            SpilledMapRun { tier, spill: Spill::new(what), len: 0, fences, filter: KeyFilter::with_room(len, what)? };
        Ok(Self { run, block: Vec::new(), written: Vec::new(), end: 0, entry: PhantomData })
    }

    /// Adds an entry, whose key must be greater than the previous one.
    fn push(&mut self, key: E::Key, value: E::Value) -> Result<()> {
        let bits = E::bits(key);
        if self.block.is_empty() {
            self.run.fences.push(bits);
        }
        self.run.filter.add(bits);
        self.run.len += 1;
        E::write(key, value, &mut self.block);
        if self.block.len() == SpilledMap::<E>::BLOCK * E::BYTES { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<()> {
        let start = self.written.len();
        self.written.append(&mut self.block);
        push_checksum(&mut self.written, start, self.end + start as u64);
        if self.written.len() >= WRITTEN_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.run.spill.write(self.end, &self.written)?;
        self.end += self.written.len() as u64;
        self.written.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<SpilledMapRun> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        self.flush()?;
        Ok(self.run)
    }
}

/// Reads the entries of a run in order.
struct SpilledMapReader<'r, E> {
    run: &'r SpilledMapRun,
    next_block: usize,
    bytes: Vec<u8>,
    /// The end of the current entry.
    end: usize,
    entry: PhantomData<E>,
}

impl<'r, E: MapEntry> SpilledMapReader<'r, E> {
    fn new(run: &'r SpilledMapRun) -> Self {
        Self { run, next_block: 0, bytes: Vec::new(), end: 0, entry: PhantomData }
    }

    /// The bytes of the current entry.
    fn entry(&self) -> &[u8] {
        &self.bytes[self.end - E::BYTES..self.end]
    }
}

impl<E: MapEntry> SortedSource for SpilledMapReader<'_, E> {
    /// The key of an entry as a number.
    type Item = u128;

    fn next(&mut self) -> Result<Option<u128>> {
        if self.end == self.bytes.len() {
            if self.next_block == self.run.fences.len() {
                return Ok(None);
            }
            self.run.read::<E>(self.next_block, &mut self.bytes)?;
            (self.next_block, self.end) = (self.next_block + 1, 0);
        }
        self.end += E::BYTES;
        Ok(Some(E::bits(E::read(self.entry()).0)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_128;

    use super::*;

    struct Numbers;

    impl MapEntry for Numbers {
        type Key = u128;
        type Value = u32;
        const BYTES: usize = 20;

        fn bits(key: u128) -> u128 {
            key
        }

        fn write(key: u128, value: u32, bytes: &mut Vec<u8>) {
            bytes.extend_from_slice(&key.to_le_bytes());
            bytes.extend_from_slice(&value.to_le_bytes());
        }

        fn read(bytes: &[u8]) -> (u128, u32) {
            let (key, value) = bytes.split_at(16);
            (u128::from_le_bytes(key.try_into().unwrap()), u32::from_le_bytes(value.try_into().unwrap()))
        }
    }

    fn hash(number: u32) -> u128 {
        xxh3_128(&number.to_le_bytes())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn answers_are_those_of_a_plain_map(numbers in prop::collection::vec(0u32..3000, 0..5000), memory in 0u64..60_000) {
            let (mut map, mut plain) = (SpilledMap::<Numbers>::new("numbers", memory), HashMap::new());
            for (value, number) in (0..).zip(numbers) {
                prop_assert_eq!(map.get(hash(number)).unwrap(), plain.get(&number).copied());
                let there = plain.get(&number).copied();
                plain.entry(number).or_insert(value);
                prop_assert_eq!(map.get_or_insert(hash(number), value).unwrap(), there);
            }
            for number in 0..3000 {
                prop_assert_eq!(map.get(hash(number)).unwrap(), plain.get(&number).copied());
            }
        }
    }

    #[test]
    fn runs_stay_few_and_the_memory_small() {
        let mut map = SpilledMap::<Numbers>::new("numbers", 1 << 16);
        let number = 60_000;
        for value in 0..number {
            assert_eq!(map.get_or_insert(hash(value), value).unwrap(), None);
        }
        assert!(map.runs.len() < 4 * RUNS && map.runs.iter().map(|run| run.tier).max() > Some(1));
        assert!(map.num_bytes() < (1 << 16) + 60_000 * 3 / 2, "{}", map.num_bytes());
        // For nearly all missing keys, the filter makes reading the disk unnecessary.
        let looks = |key| map.runs.iter().filter(|run| run.filter.may_have(hash(key))).count();
        let looks: usize = (number..number + 10_000).map(looks).sum();
        assert!(looks < 10_000 * map.runs.len() / 30, "{looks} of {} runs", map.runs.len());
        assert!((0..number).step_by(17).all(|value| map.get(hash(value)).unwrap() == Some(value)));
        map.clear();
        assert_eq!(map.get_or_insert(hash(1), 5).unwrap(), None);
    }

    #[test]
    fn a_block_that_is_another_one_is_an_error() {
        let mut map = SpilledMap::<Numbers>::new("numbers", 0);
        for value in 0..2000 {
            map.get_or_insert(hash(value), value).unwrap();
        }
        let run = &map.runs[0];
        let mut bytes = Vec::new();
        run.spill.read(100, 1, &mut bytes).unwrap();
        run.spill.write(100, &[bytes[0] ^ 1]).unwrap();
        let errors = (0..2000).filter_map(|value| map.get(hash(value)).err()).count();
        assert!(errors > 50, "{errors}");
    }
}
