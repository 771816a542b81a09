//! Tests of the sorter against a vector that is sorted and deduplicated.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use proptest::prelude::*;
use rayon::prelude::*;

use super::*;
use crate::base::error::Error;

static POOL: LazyLock<rayon::ThreadPool> =
    LazyLock::new(|| rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap());

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct KeyAndNumber(u64, u32);

impl SortRecord for KeyAndNumber {
    type Words = [u32; 3];

    fn words(self) -> [u32; 3] {
        let [high, low] = halves(self.0);
        [high, low, self.1]
    }

    fn of_words([high, low, number]: [u32; 3]) -> Self {
        Self(whole([high, low]), number)
    }
}

fn sort(records: &[KeyAndNumber], most_key: u64, memory_bytes: u64) -> SortedRecords<KeyAndNumber> {
    POOL.install(|| {
        let sorter = RecordSorter::new("a test", most_key, memory_bytes, 3);
        records.par_chunks(7).try_for_each(|records| sorter.push(records.iter().copied())).unwrap();
        sorter.finish()
    })
}

fn read(sorted: &SortedRecords<KeyAndNumber>) -> crate::base::error::Result<Vec<KeyAndNumber>> {
    let mut all = Vec::new();
    for partition in 0..sorted.num_partitions() {
        let visit = |record| {
            all.push(record);
            Ok(())
        };
        sorted.for_each(partition, 1, visit)?;
    }
    Ok(all)
}

/// Pseudo-random records, by SplitMix64.
fn records(len: u64, mask: u64) -> Vec<KeyAndNumber> {
    let mixed = |number: u64| {
        let mut z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z ^ (z >> 27)
    };
    (0..len).map(|number| KeyAndNumber(mixed(number) & mask, number as u32 % 5)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn distinct_records_come_out_in_order(
        keys in prop::collection::vec((prop_oneof![any::<u64>(), 0u64..9], 0u32..4), 0..3000),
        unused_bits in 0u32..64,
        memory_bytes in prop_oneof![Just(0), 10_000u64..200_000],
    ) {
        let records: Vec<_> = keys.into_iter().map(|(key, number)| KeyAndNumber(key >> unused_bits, number)).collect();
        let expected: Vec<_> = records.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let sorted = sort(&records, u64::MAX >> unused_bits, memory_bytes);
        prop_assert_eq!(read(&sorted).unwrap(), expected);
    }
}

#[test]
fn what_does_not_fit_the_memory_is_spilled_and_comes_out_the_same() {
    let records = records(200_000, u64::MAX >> 20);
    let roomy = sort(&records, u64::MAX >> 20, 1 << 30);
    assert_eq!(roomy.num_runs(), 0);
    let expected = read(&roomy).unwrap();
    assert!(expected.is_sorted() && expected.len() == records.len());
    for memory_bytes in [0, 100_000, 1 << 20] {
        let tight = sort(&records, u64::MAX >> 20, memory_bytes);
        assert!(tight.num_runs() > 3);
        assert!(tight.num_bytes() as u64 <= memory_bytes / 2 + 20_000, "{}", tight.num_bytes());
        assert!(read(&tight).unwrap() == expected);
    }
}

#[test]
fn repeats_take_no_room() {
    // 100,000 records, at most 1,000 of them distinct.
    let records = records(100_000, 199);
    let sorted = sort(&records, 255, 200_000);
    assert_eq!(sorted.num_runs(), 0);
    assert_eq!(read(&sorted).unwrap().len(), records.iter().collect::<BTreeSet<_>>().len());
}

#[test]
fn a_damaged_block_is_an_error_and_never_a_record() {
    let records = records(3000, u64::MAX);
    let sorted = sort(&records, u64::MAX, 0);
    let whole = read(&sorted).unwrap();
    let len = sorted.spill().reserve(0);
    for position in [0, 5000, len / 2, len - 1] {
        let mut byte = Vec::new();
        sorted.spill().read(position, 1, &mut byte).unwrap();
        sorted.spill().write(position, &[byte[0] ^ 16]).unwrap();
        assert!(matches!(read(&sorted), Err(Error::DamagedSpill { what: "a test", .. })), "{position}");
        sorted.spill().write(position, &byte).unwrap();
    }
    assert!(read(&sorted).unwrap() == whole);
    // One block is replaced by another block.
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let block = 12 * 3 + 8;
    sorted.spill().read(0, block, &mut first).unwrap();
    sorted.spill().read(len - block as u64, block, &mut second).unwrap();
    sorted.spill().write(0, &second).unwrap();
    assert!(read(&sorted).is_err());
}
