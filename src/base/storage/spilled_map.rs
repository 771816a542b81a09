//! `SpilledMap`: stores for each key the first value that it was given, in bounded memory.
//!
//! New keys are in a hash table. When the table is full, its entries become a sorted run in a separate spill, and the
//! runs of a tier are merged into one run of the next tier. A filter with some bits per key nearly always shows that a
//! run does not contain a key; otherwise one block is read. So the memory in addition to the table is about one and a
//! half bytes per key, and results depend only on the keys.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use super::blocks::{SpillWriter, SpilledRecords, block_len, read_spilled};
use super::merge::Merge;
use super::record::{RecordWords, SortRecord};
use super::spill::Spill;
use crate::base::error::Result;
use crate::base::memory::{asking, no_room, reserve_share};

/// The minimum number of entries of the table, whatever the memory limit.
const LEAST_ROOM: usize = 1 << 8;
/// The number of runs of a tier that are merged.
const RUNS: usize = 8;

/// An entry of a map: a key, which is a hash, and its value. Entries are in the order of their hashes.
pub(crate) trait MapEntry: SortRecord<Words: AsRef<[u32]>> {
    /// The number of words of the key, 3 or 4. Its lowest 96 bits are spread evenly.
    const KEY_WORDS: usize;

    /// The key as a number.
    fn hash128(self) -> u128 {
        self.words().as_ref()[..Self::KEY_WORDS].iter().fold(0, |hash, &word| hash << 32 | u128::from(word))
    }
}

/// A map from keys to the first value that each was given.
pub(crate) struct SpilledMap<E> {
    what: &'static str,
    /// The maximum number of entries of the table.
    room: usize,
    table: HashSet<ByHash<E>>,
    runs: Vec<SpilledMapRun>,
}

/// An entry that equals every other entry with its key.
struct ByHash<E>(E);

impl<E: MapEntry> PartialEq for ByHash<E> {
    fn eq(&self, other: &Self) -> bool {
        self.0.hash128() == other.0.hash128()
    }
}

impl<E: MapEntry> Eq for ByHash<E> {}

impl<E: MapEntry> Hash for ByHash<E> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash128().hash(state);
    }
}

/// A sorted run of entries on the disk.
struct SpilledMapRun {
    tier: u32,
    spill: Spill,
    /// The end of the blocks in the spill.
    end: u64,
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
        reserve_share(&mut lines, num_lines, what)?;
        lines.resize(num_lines, [0; 8]);
        Ok(Self(lines))
    }

    /// The line of a key. All bits of a key are in one line, so that a look-up loads one cache line.
    fn line_of(&self, bits: u128) -> usize {
        ((u64::from((bits >> 64) as u32) * self.0.len() as u64) >> 32) as usize
    }

    fn positions(bits: u128) -> impl Iterator<Item = (usize, u64)> {
        (0..6).map(move |number| (bits >> (9 * number)) as usize & 511).map(|bit| (bit / 64, 1 << (bit % 64)))
    }

    fn add(&mut self, bits: u128) {
        let at = self.line_of(bits);
        Self::positions(bits).for_each(|(word, bit)| self.0[at][word] |= bit);
    }

    fn may_have(&self, bits: u128) -> bool {
        let line = &self.0[self.line_of(bits)];
        Self::positions(bits).all(|(word, bit)| line[word] & bit != 0)
    }
}

impl<E: MapEntry> SpilledMap<E> {
    /// Creates an empty map.
    ///
    /// * `what`: the kind of data, for messages.
    /// * `memory_bytes`: the memory limit of the table, also while it grows or becomes a run. Some kilobytes are used
    ///   in any case.
    pub(crate) fn new(what: &'static str, memory_bytes: u64) -> Self {
        let slot = size_of::<E>() + 1;
        let slots = usize::try_from(memory_bytes).unwrap_or(usize::MAX) / (2 * slot);
        // A table has a power of two of slots; seven eighths of them are used.
        let slots = 1usize.checked_shl(usize::BITS - 1 - slots.max(1).leading_zeros()).unwrap_or(1);
        Self { what, room: (slots / 8 * 7).max(LEAST_ROOM), table: HashSet::new(), runs: Vec::new() }
    }

    /// Bytes in memory.
    pub(crate) fn num_bytes(&self) -> usize {
        let slot = size_of::<E>() + 1;
        let of_runs = self.runs.iter().map(|run| 16 * run.fences.capacity() + 64 * run.filter.0.capacity());
        self.table.capacity() * 8 / 7 * slot + of_runs.sum::<usize>()
    }

    /// Removes all keys.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.runs.clear();
    }

    /// The entry with the key of `like`, or `None` when the map does not contain the key.
    ///
    /// # Errors
    /// When data on the disk cannot be read.
    pub(crate) fn get(&self, like: E) -> Result<Option<E>> {
        if let Some(ByHash(entry)) = self.table.get(&ByHash(like)) {
            return Ok(Some(*entry));
        }
        let hash = like.hash128();
        let runs = self.runs.iter().rev().filter(|run| run.filter.may_have(hash));
        runs.map(|run| run.get(hash)).find_map(Result::transpose).transpose()
    }

    /// Returns the entry with the key of `entry`; if the key is missing, inserts `entry` and returns `None`.
    ///
    /// # Errors
    /// When there is not enough memory or disk space, or data on the disk cannot be read.
    pub(crate) fn get_or_insert(&mut self, entry: E) -> Result<Option<E>> {
        if let Some(there) = self.get(entry)? {
            return Ok(Some(there));
        }
        if self.table.len() == self.room {
            self.spill()?;
        }
        asking(|| self.table.try_reserve(1)).map_err(|_| no_room::<E>(2 * self.table.len(), self.what))?;
        self.table.insert(ByHash(entry));
        Ok(None)
    }

    /// Writes the entries of the table as a run.
    fn spill(&mut self) -> Result<()> {
        let mut entries = Vec::new();
        reserve_share(&mut entries, self.table.len(), self.what)?;
        entries.extend(self.table.drain().map(|ByHash(entry)| entry));
        entries.sort_unstable();
        self.runs.push(SpilledMapRun::write(self.what, 0, entries.len(), entries.into_iter().map(Ok))?);
        self.merge()
    }

    /// Merges the runs of the last tier into one, as long as there are enough.
    fn merge(&mut self) -> Result<()> {
        while let Some(last) = self.runs.last().map(|run| run.tier)
            && self.runs.iter().filter(|run| run.tier == last).count() == RUNS
        {
            // Tiers never increase from the first run to the last.
            let merged = self.runs.split_off(self.runs.len() - RUNS);
            let mut entries = Merge::new(merged.iter().map(SpilledMapRun::read::<E>).collect())?;
            let entries = std::iter::from_fn(|| entries.next().map(|next| next.map(|(entry, _)| entry)).transpose());
            self.runs.push(SpilledMapRun::write(self.what, last + 1, merged.iter().map(|run| run.len).sum(), entries)?);
        }
        Ok(())
    }
}

impl SpilledMapRun {
    /// Writes a run.
    ///
    /// * `len`: the number of entries.
    /// * `entries`: the entries, ascending.
    fn write<E: MapEntry>(
        what: &'static str,
        tier: u32,
        len: usize,
        entries: impl Iterator<Item = Result<E>>,
    ) -> Result<Self> {
        let (spill, mut filter, mut fences) = (Spill::new(what), KeyFilter::with_room(len, what)?, Vec::new());
        reserve_share(&mut fences, len.div_ceil(block_len::<E>()), what)?;
        let mut writer = SpillWriter::new(&spill, 0);
        for (number, entry) in entries.enumerate() {
            let entry = entry?;
            if number % block_len::<E>() == 0 {
                fences.push(entry.hash128());
            }
            filter.add(entry.hash128());
            writer.push(entry)?;
        }
        let end = writer.finish()?;
        Ok(Self { tier, spill, end, len, fences, filter })
    }

    fn get<E: MapEntry>(&self, hash: u128) -> Result<Option<E>> {
        let Some(block) = self.fences.partition_point(|&fence| fence <= hash).checked_sub(1) else { return Ok(None) };
        let mut bytes = Vec::new();
        let entries = read_spilled::<E>(&self.spill, 0..self.end, block, &mut bytes)?;
        let len = E::Words::BYTES;
        let (mut low, mut high) = (0, entries.len() / len);
        while low < high {
            let middle = low.midpoint(high);
            let entry = E::of_words(E::Words::read(&entries[middle * len..][..len]));
            match entry.hash128().cmp(&hash) {
                std::cmp::Ordering::Equal => return Ok(Some(entry)),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    /// All entries, in their order.
    fn read<E: MapEntry>(&self) -> SpilledRecords<'_, E> {
        SpilledRecords::new(&self.spill, 0..self.end, 0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_128;

    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct Number {
        hash: [u32; 4],
        value: u32,
    }

    impl SortRecord for Number {
        type Words = [u32; 5];

        fn words(self) -> [u32; 5] {
            let [a, b, c, d] = self.hash;
            [a, b, c, d, self.value]
        }

        fn of_words([a, b, c, d, value]: [u32; 5]) -> Self {
            Self { hash: [a, b, c, d], value }
        }
    }

    impl MapEntry for Number {
        const KEY_WORDS: usize = 4;
    }

    fn entry(number: u32, value: u32) -> Number {
        let hash = xxh3_128(&number.to_le_bytes());
        Number { hash: [96, 64, 32, 0].map(|bits| (hash >> bits) as u32), value }
    }

    fn get(map: &SpilledMap<Number>, number: u32) -> Result<Option<u32>> {
        Ok(map.get(entry(number, 0))?.map(|entry| entry.value))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn answers_are_those_of_a_plain_map(numbers in prop::collection::vec(0u32..3000, 0..5000), memory in 0u64..60_000) {
            let (mut map, mut plain) = (SpilledMap::<Number>::new("numbers", memory), HashMap::new());
            for (value, number) in (0..).zip(numbers) {
                prop_assert_eq!(get(&map, number).unwrap(), plain.get(&number).copied());
                let there = plain.get(&number).copied();
                plain.entry(number).or_insert(value);
                let found = map.get_or_insert(entry(number, value)).unwrap();
                prop_assert_eq!(found.map(|entry| entry.value), there);
            }
            for number in 0..3000 {
                prop_assert_eq!(get(&map, number).unwrap(), plain.get(&number).copied());
            }
        }
    }

    #[test]
    fn runs_stay_few_and_the_memory_small() {
        let mut map = SpilledMap::<Number>::new("numbers", 1 << 16);
        let number = 60_000;
        for value in 0..number {
            assert_eq!(map.get_or_insert(entry(value, value)).unwrap(), None);
        }
        assert!(map.runs.len() < 4 * RUNS && map.runs.iter().map(|run| run.tier).max() > Some(1));
        assert!(map.num_bytes() < (1 << 16) + 60_000 * 3 / 2, "{}", map.num_bytes());
        // For nearly all missing keys, the filter makes reading the disk unnecessary.
        let looks = |key| map.runs.iter().filter(|run| run.filter.may_have(entry(key, 0).hash128())).count();
        let looks: usize = (number..number + 10_000).map(looks).sum();
        assert!(looks < 10_000 * map.runs.len() / 30, "{looks} of {} runs", map.runs.len());
        assert!((0..number).step_by(17).all(|value| get(&map, value).unwrap() == Some(value)));
        map.clear();
        assert_eq!(map.get_or_insert(entry(1, 5)).unwrap(), None);
    }

    #[test]
    fn a_block_that_is_another_one_is_an_error() {
        let mut map = SpilledMap::<Number>::new("numbers", 0);
        for value in 0..2000 {
            map.get_or_insert(entry(value, value)).unwrap();
        }
        let run = &map.runs[0];
        let mut bytes = Vec::new();
        run.spill.read(100, 1, &mut bytes).unwrap();
        run.spill.write(100, &[bytes[0] ^ 1]).unwrap();
        let errors = (0..2000).filter_map(|value| get(&map, value).err()).count();
        assert!(errors > 50, "{errors}");
    }
}
