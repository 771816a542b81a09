//! `KeptPairs`: pairs or groups in; the pairs that a page shows, in the order in which it shows them, out.

use crate::records::{JoinedRecord, Name, PairCounts, PairRecord, PairSide, Ranking, push_json};
use crate::results::report::ReportSettings;
use crate::results::report::pair::ReportPair;
use crate::results::report::pair::order;
use crate::results::views::ViewKey;

/// A pair of the page.
#[derive(Debug)]
pub(super) struct PagePair {
    /// Which documents it has.
    pub(super) keys: [ViewKey; 2],
    /// What it is ordered by: the similarity, or the coverage where documents match by their passages.
    pub(super) share: f64,
    /// Both containments, where they are known.
    pub(super) containments: Option<[f64; 2]>,
    /// The similarity with names kept, of programs that were compared so.
    pub(super) kept: Option<f64>,
    /// Shingles in both, where they are known.
    pub(super) shared: Option<u64>,
}

impl PagePair {
    /// How a member came into its group.
    pub(super) fn of_join(joined: &JoinedRecord) -> Self {
        let key =
            |name: &Name, side: Option<PairSide>| ViewKey::new(&name.to_bytes(), side.unwrap_or(PairSide::A), None);
        Self {
            keys: [key(&joined.by, joined.by_side), key(&joined.name, joined.side)],
            share: match (joined.coverage_name, joined.coverage_by) {
                (Some(name), Some(by)) => f64::max(name, by),
                _ => joined.jaccard,
            },
            containments: None,
            kept: None,
            shared: None,
        }
    }
}

/// The pairs that a page shows.
pub(super) struct KeptPairs {
    most: usize,
    is_ranked: bool,
    /// `None` before the first pair.
    ranking: Option<Ranking>,
    /// Of groups: how each member came in.
    joins: Vec<PagePair>,
}

impl KeptPairs {
    pub(super) fn new(settings: &ReportSettings) -> Self {
        Self { most: settings.max_pairs, is_ranked: settings.is_ranked, ranking: None, joins: Vec::new() }
    }

    pub(super) fn add(&mut self, pair: &ReportPair) {
        let sort = order(self.is_ranked, pair);
        let ranking = self.ranking.get_or_insert_with(|| Ranking::new(sort, self.most));
        let record = pair.record();
        ranking.add(PairCounts::from(record), || {
            let mut line = Vec::new();
            push_json(&mut line, &PairRecord { passages: None, ..record.clone() });
            line.into()
        });
    }

    /// Keeps a join of a group, where there is room.
    pub(super) fn add_join(&mut self, join: PagePair) {
        if self.joins.len() < self.most {
            self.joins.push(join);
        }
    }

    /// The pairs; none are left.
    pub(super) fn take(&mut self) -> Vec<PagePair> {
        let lines = self.ranking.take().map(Ranking::into_lines).unwrap_or_default();
        let pair = |line: &[u8]| {
            let record: PairRecord = serde_json::from_slice(line).expect("it was written as a pair");
            let pair = ReportPair::new(&record, false);
            let keys = [
                ViewKey::new(&record.a.to_bytes(), PairSide::A, record.source_a.as_ref()),
                ViewKey::new(&record.b.to_bytes(), PairSide::B, record.source_b.as_ref()),
            ];
            PagePair {
                keys,
                share: pair.share(),
                containments: Some([record.containment_a, record.containment_b]),
                kept: record.jaccard_kept,
                shared: Some(record.shared),
            }
        };
        let mut pairs = std::mem::take(&mut self.joins);
        pairs.extend(lines.iter().map(|line| pair(line)));
        pairs
    }
}
