//! `KeptPairs`: chooses the pairs that a page shows from all pairs or groups, and sorts them for the page.

use std::collections::HashMap;

use crate::records::{ClusterRecord, JoinedRecord, Name, PairCounts, PairRecord, PairSide, Ranking, push_json};
use crate::results::report::ReportSettings;
use crate::results::report::pair::{OLD, ReportPair, mark_of, order, share_of};
use crate::results::views::ViewKey;

/// A pair on the page.
#[derive(Debug)]
pub(super) struct PagePair {
    /// The two documents.
    pub(super) keys: [ViewKey; 2],
    /// The mark after the name of each document.
    pub(super) marks: [&'static str; 2],
    /// The value by which pairs are sorted: the similarity, or the coverage where documents match by their passages.
    pub(super) share: f64,
    /// The Jaccard similarity.
    pub(super) jaccard: f64,
    /// Both containments, if they are known.
    pub(super) containments: Option<[f64; 2]>,
    /// The similarity with identifiers kept, if programs were compared with it.
    pub(super) kept: Option<f64>,
    /// The number of shingles in both documents, if it is known.
    pub(super) shared: Option<u64>,
    /// The time of each document in seconds since 1970, if the pair has it.
    pub(super) times: [Option<i64>; 2],
}

impl PagePair {
    /// The pair with its documents in document order, as pairs have them.
    ///
    /// * `places`: the place of each member of the group, by its name and its side.
    pub(super) fn in_order(mut self, places: &HashMap<(Vec<u8>, PairSide), usize>) -> Self {
        let [first, second] = self.keys.each_ref().map(|key| places.get(&(key.name.clone(), key.side)));
        if first > second {
            self.keys.reverse();
            self.marks.reverse();
            self.times.reverse();
        }
        self
    }

    /// The pair by which a member joined its group.
    pub(super) fn of_join(joined: &JoinedRecord, group: &ClusterRecord, has_choice: bool) -> Self {
        let key =
            |name: &Name, side: Option<PairSide>| ViewKey::new(&name.to_bytes(), side.unwrap_or(PairSide::A), None);
        Self {
            keys: [key(&joined.by, joined.by_side), key(&joined.name, joined.side)],
            marks: [&joined.by, &joined.name].map(|name| mark_of(group, name, has_choice)),
            share: share_of(joined),
            jaccard: joined.jaccard,
            containments: None,
            kept: None,
            shared: None,
            times: [&joined.by, &joined.name].map(|name| time_in(group, name)),
        }
    }
}

/// The time of a member of a group, in seconds since 1970.
fn time_in(group: &ClusterRecord, name: &Name) -> Option<i64> {
    let at = group.members.iter().position(|member| member == name)?;
    seconds_of(group.times.as_ref()?.get(at)?.as_deref()?)
}

/// A time by RFC 3339 in seconds since 1970.
fn seconds_of(time: &str) -> Option<i64> {
    chrono::DateTime::parse_from_rfc3339(time).ok().map(|time| time.timestamp())
}

/// The pairs that a page shows.
pub(super) struct KeptPairs {
    most: usize,
    is_ranked: bool,
    /// The best pairs so far; `None` before the first pair.
    ranking: Option<Ranking>,
    /// The pairs by which members joined their groups, in a report of groups.
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

    /// Keeps the pair by which a member joined its group, unless the page is full.
    pub(super) fn add_join(&mut self, join: PagePair) {
        if self.joins.len() < self.most {
            self.joins.push(join);
        }
    }

    /// Takes all pairs out.
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
                marks: ["", if record.old_b == Some(true) { OLD } else { "" }],
                share: pair.share(),
                jaccard: record.jaccard,
                containments: Some([record.containment_a, record.containment_b]),
                kept: record.jaccard_kept,
                shared: Some(record.shared),
                times: [&record.time_a, &record.time_b].map(|time| time.as_deref().and_then(seconds_of)),
            }
        };
        let mut pairs = std::mem::take(&mut self.joins);
        pairs.extend(lines.iter().map(|line| pair(line)));
        pairs
    }
}
