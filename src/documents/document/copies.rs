//! Finds documents whose text equals the text of an earlier document, by a parallel sort of the hashes of all texts.

use rayon::prelude::*;

use super::id::DocId;
use super::scope::Scope;
use crate::base::error::Result;
use crate::base::flat::radix_sort::sort_by_hash;
use crate::base::memory::{reserve, reserve_exact};

/// The number of ranges of hashes that a thread sorts, one after another, and the maximum of all threads. For each range,
/// the hashes of all documents are read.
const RANGES: usize = 4;
const MOST_RANGES: usize = 32;
/// The name of this memory in the message of a failed allocation.
const HASHES: &str = "hashes of texts";

/// Every exact copy as (first document, copy), both in one cell, ascending. Sorting needs 8 bytes per document.
///
/// * `texts`: the documents with a text, ascending.
/// * `content`: the hash of a document's text.
///
/// # Errors
/// When there is not enough memory to sort them.
pub(super) fn find<Texts: Iterator<Item = DocId>>(
    texts: impl Fn() -> Texts + Sync,
    content: impl Fn(DocId) -> u128 + Sync,
    scope: &Scope,
) -> Result<Vec<(DocId, DocId)>> {
    let find_in = |range, num_ranges| find_in(range, num_ranges, &texts, &content, scope);
    // Outside of the run's pool there is one thread.
    let num_threads = rayon::current_thread_index().map_or(1, |_| rayon::current_num_threads());
    let num_ranges = (RANGES * num_threads).min(MOST_RANGES);
    let find_in = |range: usize| find_in(range as u64, num_ranges as u64);
    let ranges = match num_threads {
        1 => (0..num_ranges).map(find_in).collect::<Result<Vec<_>>>()?,
        _ => (0..num_ranges).into_par_iter().with_max_len(1).map(find_in).collect::<Result<Vec<_>>>()?,
    };
    let mut copies = Vec::new();
    reserve_exact(&mut copies, ranges.iter().map(Vec::len).sum(), HASHES)?;
    ranges.into_iter().for_each(|range| copies.extend(range));
    copies.sort_unstable();
    copies.shrink_to_fit();
    Ok(copies)
}

/// The copies whose hashes lie in one of `num_ranges` ranges of equal width.
fn find_in<Texts: Iterator<Item = DocId>>(
    range: u64,
    num_ranges: u64,
    texts: impl Fn() -> Texts,
    content: impl Fn(DocId) -> u128,
    scope: &Scope,
) -> Result<Vec<(DocId, DocId)>> {
    let hash = |document| (content(document) >> 64) as u64;
    let range_of = |hash: u64| ((u128::from(hash) * u128::from(num_ranges)) >> 64) as u64;
    let texts = || texts().filter(|&document| range_of(hash(document)) == range);
    let (mut order, mut scratch) = (Vec::new(), Vec::new());
    let num_texts = texts().count();
    reserve_exact(&mut order, num_texts, HASHES)?;
    reserve_exact(&mut scratch, num_texts, HASHES)?;
    order.extend(texts().map(|document| (hash(document), document)));
    // The position of a hash within its range, spread over 64 bits.
    sort_by_hash(&mut order, &mut scratch, |&(hash, _)| hash.wrapping_mul(num_ranges));
    let mut copies = Vec::new();
    for run in order.chunk_by_mut(|a, b| a.0 == b.0).filter(|run| run.len() > 1) {
        let text = |document| (content(document), scope.cell(document));
        run.sort_unstable_by_key(|&(_, document)| (text(document), document));
        for group in run.chunk_by(|a, b| text(a.1) == text(b.1)) {
            reserve(&mut copies, group.len() - 1, HASHES)?;
            copies.extend(group[1..].iter().map(|&(_, copy)| (group[0].1, copy)));
        }
    }
    Ok(copies)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::*;

    static POOLS: LazyLock<Vec<rayon::ThreadPool>> = LazyLock::new(|| {
        let pool = |num_threads| rayon::ThreadPoolBuilder::new().num_threads(num_threads).build().unwrap();
        [1, 2, 3, 16, 20].map(pool).into()
    });

    /// Hashes on both sides of the borders of ranges. Some agree in the half that is sorted.
    fn content() -> impl Strategy<Value = Option<u128>> {
        let high = prop_oneof![
            0u64..3,
            (1u64..16, 0u64..2).prop_map(|(part, below)| (part << 60) - below),
            u64::MAX - 2..=u64::MAX
        ];
        prop::option::weighted(0.9, (high, 0u64..3).prop_map(|(high, low)| u128::from(high) << 64 | u128::from(low)))
    }

    proptest! {
        #[test]
        fn any_number_of_threads_finds_the_copies(contents in prop::collection::vec(content(), 0..200)) {
            let (mut firsts, mut expected) = (HashMap::new(), Vec::new());
            for (document, content) in contents.iter().enumerate() {
                let document = DocId::new(document);
                if let &Some(content) = content {
                    let first = *firsts.entry(content).or_insert(document);
                    expected.extend((first != document).then_some((first, document)));
                }
            }
            expected.sort_unstable();
            let texts = || (0..contents.len()).map(DocId::new).filter(|document| contents[document.index()].is_some());
            let find = || find(texts, |document| contents[document.index()].unwrap(), &Scope::default()).unwrap();
            prop_assert_eq!(&find(), &expected);
            for pool in &*POOLS {
                let found = pool.install(find);
                prop_assert_eq!(&found, &expected, "{} threads", pool.current_num_threads());
            }
        }
    }
}
