//! `QueryRound`: splits the queries of a batch into rounds whose sets fit in memory.
//!
//! The keys of a batch are looked up together; its rounds are verified one after another.

use std::ops::Range;
use std::sync::OnceLock;

use super::candidates::Candidate;
use super::query_document::QueryDocument;
use crate::index::read::loaded_text::StoredSet;

/// Bytes of the set of a query per byte of its text: a record of 280 bytes needed 16 kB.
pub(crate) const SET_BYTES: usize = 57;
/// The minimum and maximum of the bytes of sets in a round; in between, they are a quarter of the memory limit.
const MOST_BYTES: [u64; 2] = [1 << 20, 512 << 20];

/// The queries of a round, with the sets of those that are compared.
pub(crate) struct QueryRound<'q> {
    first: u32,
    queries: &'q [QueryDocument],
    /// The sets, made on first use: a query whose only candidate is its own text needs no set.
    sets: Vec<OnceLock<StoredSet>>,
}

impl<'q> QueryRound<'q> {
    /// Creates a round.
    ///
    /// * `queries`: all queries of the batch.
    /// * `round`: the positions of the queries in this round.
    pub(crate) fn new(queries: &'q [QueryDocument], round: &Range<u32>) -> Self {
        let queries = &queries[round.start as usize..round.end as usize];
        let sets = std::iter::repeat_with(OnceLock::new).take(queries.len()).collect();
        Self { first: round.start, queries, sets }
    }

    /// The sets that were made.
    pub(crate) fn into_sets(self) -> Vec<OnceLock<StoredSet>> {
        self.sets
    }

    /// The maximum bytes of the sets of a round.
    ///
    /// * `memory_bytes`: the memory limit of the run.
    pub(crate) fn most_bytes(memory_bytes: u64) -> u64 {
        (memory_bytes / 4).clamp(MOST_BYTES[0], MOST_BYTES[1])
    }

    /// Splits queries into rounds; a query whose set is too large is the only one with a set in its round.
    pub(crate) fn rounds(queries: &[QueryDocument], candidates: &[Candidate], most_bytes: u64) -> Vec<Range<u32>> {
        let mut has_set = vec![false; queries.len()];
        candidates.iter().for_each(|&(_, query)| has_set[query as usize] = true);
        let (mut rounds, mut start, mut num_bytes) = (Vec::new(), 0, 0);
        for (number, (query, has_set)) in (0..).zip(queries.iter().zip(has_set)) {
            let of_set = if has_set { (SET_BYTES * query.text.len()) as u64 } else { 0 };
            if of_set > 0 && num_bytes > 0 && num_bytes + of_set > most_bytes {
                rounds.push(start..number);
                (start, num_bytes) = (number, 0);
            }
            num_bytes += of_set;
        }
        rounds.push(start..queries.len() as u32);
        rounds
    }

    /// A query, by its number.
    pub(crate) fn query(&self, number: u32) -> &'q QueryDocument {
        &self.queries[(number - self.first) as usize]
    }

    /// The set of a query.
    ///
    /// * `load`: makes the set; called by the first thread that needs it.
    pub(crate) fn get(&self, number: u32, load: impl FnOnce(&QueryDocument) -> StoredSet) -> &StoredSet {
        self.sets[(number - self.first) as usize].get_or_init(|| load(self.query(number)))
    }

    /// The set of a query, if it was made.
    pub(crate) fn made(&self, number: u32) -> Option<&StoredSet> {
        self.sets[(number - self.first) as usize].get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::document::OffsetsOf;
    use crate::index::texts::docs::{DocRow, StoredOrigin};

    fn query(len: usize) -> QueryDocument {
        let row = DocRow {
            name: Vec::new(),
            content: 0,
            raw: 0,
            first: 0,
            text: 0,
            len: len as u64,
            origin: StoredOrigin::Named,
            syntax: None,
            offsets_of: OffsetsOf::Field,
            is_original: true,
        };
        let text = vec![b'a'; len].into();
        let (keys, signature, samples) = (Box::default(), Box::default(), Box::default());
        QueryDocument { row, keys, signature, samples, num_shingles: 0, text, place: None, syntax: None }
    }

    #[test]
    fn rounds_have_each_query_once_and_fit_but_where_one_is_alone() {
        let lens = [10, 20, 5000, 30, 900, 100, 1, 999, 2, 3];
        let queries = lens.map(query);
        let candidates_of = |numbers: &[u32]| numbers.iter().map(|&number| (7, number)).collect::<Vec<Candidate>>();
        let all: Vec<u32> = (0..10).collect();
        let most_bytes = (1000 * SET_BYTES) as u64;
        for (queries_of, ends) in [
            (&all[..], &[2, 3, 5, 7, 8, 10][..]),
            // Only queries with candidates need sets.
            (&[0, 1, 3, 4, 6], &[10]),
            (&[2, 7], &[7, 10]),
            (&[], &[10]),
        ] {
            let rounds = QueryRound::rounds(&queries, &candidates_of(queries_of), most_bytes);
            assert_eq!(rounds.iter().map(|round| round.end).collect::<Vec<u32>>(), ends, "{queries_of:?}");
            let starts: Vec<u32> = std::iter::once(0).chain(ends.iter().copied()).take(ends.len()).collect();
            assert_eq!(rounds.iter().map(|round| round.start).collect::<Vec<u32>>(), starts, "{queries_of:?}");
        }
    }
}
