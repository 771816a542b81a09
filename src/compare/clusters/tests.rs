//! Tests of every linkage on random graphs against slow implementations with a dense matrix of documents.

use proptest::prelude::*;

use super::*;
use crate::documents::document::{DocId, DocumentLocation, Documents, Scope};

/// The edges of documents as a dense matrix; 0 for no edge.
struct Dense(Vec<Vec<f64>>);

/// A group of the slow implementations.
#[derive(Debug, PartialEq)]
struct SlowGroup {
    members: Vec<usize>,
    representative: usize,
    joined: Vec<(usize, usize, f64)>,
    min: f64,
    mean: f64,
}

impl Dense {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn groups(&self, linkage: Linkage, ranks: &[u32]) -> Vec<SlowGroup> {
        let labels = match linkage {
            Linkage::Components => self.components(),
            Linkage::Star => self.star(ranks),
            Linkage::Complete => self.complete(),
        };
        let mut groups = Vec::new();
        for first in 0..self.len() {
            let members: Vec<usize> = (first..self.len()).filter(|&other| labels[other] == labels[first]).collect();
            if members.len() < 2 || labels[..first].contains(&labels[first]) {
                continue;
            }
            let representative = *members.iter().min_by_key(|&&member| (ranks[member], member)).unwrap();
            let joined = match linkage {
                Linkage::Star => {
                    let taken = members.iter().filter(|&&member| member != representative);
                    taken.map(|&member| (member, representative, self.0[representative][member])).collect()
                }
                _ => self.prim(&members, representative),
            };
            let edges: Vec<f64> = match linkage {
                Linkage::Components => joined.iter().map(|&(.., similarity)| similarity).collect(),
                _ => {
                    let pairs = members.iter().flat_map(|&a| members.iter().map(move |&b| (a, b)));
                    pairs.filter(|&(a, b)| a < b).map(|(a, b)| self.0[a][b]).filter(|&edge| edge > 0.0).collect()
                }
            };
            let min = edges.iter().copied().fold(1.0, f64::min);
            let mean = edges.iter().sum::<f64>() / edges.len() as f64;
            groups.push(SlowGroup { members, representative, joined, min, mean });
        }
        groups
    }

    /// The smallest label spreads along edges until no label changes.
    fn components(&self) -> Vec<usize> {
        let mut labels: Vec<usize> = (0..self.len()).collect();
        loop {
            let before = labels.clone();
            for a in 0..self.len() {
                for b in 0..self.len() {
                    if self.0[a][b] > 0.0 {
                        labels[a] = labels[a].min(labels[b]);
                    }
                }
            }
            if labels == before {
                return labels;
            }
        }
    }

    fn star(&self, ranks: &[u32]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&document| (ranks[document], document));
        let mut labels = vec![usize::MAX; self.len()];
        for centre in order {
            if labels[centre] == usize::MAX {
                for (other, label) in labels.iter_mut().enumerate() {
                    if *label == usize::MAX && (other == centre || self.0[centre][other] > 0.0) {
                        *label = centre;
                    }
                }
            }
        }
        labels
    }

    fn complete(&self) -> Vec<usize> {
        let mut labels: Vec<usize> = (0..self.len()).collect();
        let mut edges: Vec<(usize, usize)> =
            (0..self.len()).flat_map(|a| (a + 1..self.len()).map(move |b| (a, b))).collect();
        edges.retain(|&(a, b)| self.0[a][b] > 0.0);
        // A stable sort keeps edges of equal similarity in document order.
        edges.sort_by(|x, y| self.0[y.0][y.1].total_cmp(&self.0[x.0][x.1]));
        for (a, b) in edges {
            let (a, b) = (labels[a], labels[b]);
            let of = |label| (0..self.len()).filter(|&other| labels[other] == label).collect::<Vec<_>>();
            let (one, other) = (of(a), of(b));
            if one.iter().all(|&x| other.iter().all(|&y| x == y || self.0[x][y] > 0.0)) {
                labels.iter_mut().filter(|label| **label == b).for_each(|label| *label = a);
            }
        }
        labels
    }

    /// Chooses the strongest edge that leads out of the members so far, and the first in document order of equally
    /// strong ones.
    fn prim(&self, members: &[usize], from: usize) -> Vec<(usize, usize, f64)> {
        let (mut inside, mut joined) = (vec![from], Vec::new());
        while inside.len() < members.len() {
            let outside = members.iter().filter(|member| !inside.contains(member));
            let edges = outside.flat_map(|&new| inside.iter().map(move |&by| (new, by)));
            let edges = edges.filter(|&(new, by)| self.0[new][by] > 0.0);
            let best = edges.min_by(|&(x, by_x), &(y, by_y)| {
                let ends = |a: usize, b: usize| (a.min(b), a.max(b));
                self.0[y][by_y].total_cmp(&self.0[x][by_x]).then(ends(x, by_x).cmp(&ends(y, by_y)))
            });
            let (new, by) = best.expect("a group hangs together");
            joined.push((new, by, self.0[new][by]));
            inside.push(new);
        }
        joined
    }
}

fn fast_groups(clusters: &Clusters) -> Vec<SlowGroup> {
    let group = |group: Cluster<'_>| SlowGroup {
        members: group.members.iter().map(|member| member.index()).collect(),
        representative: group.representative.index(),
        joined: group
            .joined
            .iter()
            .map(|joined| (joined.document.index(), joined.by.index(), joined.similarity))
            .collect(),
        min: group.similarity_min,
        mean: group.similarity_mean,
    };
    clusters.iter().map(group).collect()
}

fn assert_equal(clusters: &Clusters, slow: Vec<SlowGroup>, num_documents: usize) {
    let fast = fast_groups(clusters);
    assert_eq!(clusters.num_grouped(), slow.iter().map(|group| group.members.len()).sum::<usize>());
    for (number, (fast, slow)) in fast.iter().zip(&slow).enumerate() {
        assert!((fast.mean - slow.mean).abs() < 1e-12, "{fast:?} {slow:?}");
        assert_eq!(
            fast,
            &SlowGroup { mean: fast.mean, members: slow.members.clone(), joined: slow.joined.clone(), ..*slow }
        );
        assert!(slow.members.iter().all(|&member| clusters.group_of(DocId::new(member)) == Some(number)));
    }
    assert_eq!(fast.len(), slow.len());
    let alone = (0..num_documents).filter(|&document| clusters.group_of(DocId::new(document)).is_none()).count();
    assert_eq!(alone + clusters.num_grouped(), num_documents);
}

const LINKAGES: [Linkage; 3] = [Linkage::Components, Linkage::Star, Linkage::Complete];

/// Edges with few different similarities, so that many are equal.
fn edges_of(num_texts: usize) -> impl Strategy<Value = Vec<(usize, usize, u32)>> {
    prop::collection::vec((0..num_texts, 0..num_texts, 1u32..6), 0..3 * num_texts)
}

proptest! {
    #[test]
    fn every_linkage_equals_its_slow_twin(
        edges in edges_of(14),
        ranks in prop::option::of(prop::collection::vec(0u32..6, 14)),
    ) {
        let mut dense = Dense(vec![vec![0.0; 14]; 14]);
        for (a, b, strength) in edges.into_iter().filter(|(a, b, _)| a != b) {
            let similarity = f64::from(strength) / 6.0;
            (dense.0[a][b], dense.0[b][a]) = (similarity, similarity);
        }
        for linkage in LINKAGES {
            let mut builder = ClusterBuilder::new(linkage, 14);
            for a in (0..14).rev() {
                for b in (0..a).filter(|&b| dense.0[a][b] > 0.0) {
                    builder.add(VerifiedEdge::new(DocId::new(a), DocId::new(b), dense.0[a][b]));
                }
            }
            let order = ranks.clone().map_or(CentreOrder::of_documents(), CentreOrder::by_rank);
            let ranks = ranks.clone().unwrap_or(vec![0; 14]);
            assert_equal(&builder.finish(&order), dense.groups(linkage, &ranks), 14);
        }
    }

    /// The slow implementation does not know texts: it sees every edge of every copy.
    #[test]
    fn copies_count_as_if_every_edge_of_theirs_had_been_given(
        texts in prop::collection::vec(prop::option::weighted(0.9, 0usize..8), 1..16),
        edges in edges_of(8),
        ranks in prop::option::of(prop::collection::vec(0u32..6, 16)),
    ) {
        let mut documents = Documents::default();
        let located = DocumentLocation { offset: 0, len: 0, source: 0 };
        for (number, text) in texts.iter().enumerate() {
            documents.push(number.to_string().as_bytes(), text.map(|text| text as u128 + 1), 1, located).unwrap();
        }
        documents.group_copies(Scope::default()).unwrap();
        let mut between = [[0.0; 8]; 8];
        for (a, b, strength) in edges.into_iter().filter(|(a, b, _)| a != b) {
            let similarity = f64::from(strength) / 6.0;
            (between[a][b], between[b][a]) = (similarity, similarity);
        }
        (0..8).for_each(|text| between[text][text] = 1.0);
        let similarity = |a: usize, b: usize| match (texts[a], texts[b]) {
            (Some(x), Some(y)) if a != b => between[x][y],
            _ => 0.0,
        };
        let len = texts.len();
        let dense = Dense((0..len).map(|a| (0..len).map(|b| similarity(a, b)).collect()).collect());
        for linkage in LINKAGES {
            let mut builder = ClusterBuilder::new(linkage, len);
            for a in (0..len).map(DocId::new).filter(|&a| documents.is_first(a)) {
                for b in (a.index() + 1..len).map(DocId::new).filter(|&b| documents.is_first(b)) {
                    let similarity = dense.0[a.index()][b.index()];
                    if similarity > 0.0 {
                        builder.add(VerifiedEdge::new(a, b, similarity));
                    }
                }
            }
            let order = ranks.clone().map_or(CentreOrder::of_documents(), CentreOrder::by_rank);
            let ranks = ranks.clone().unwrap_or(vec![0; 16]);
            assert_equal(&builder.finish_with_copies(&documents, &order), dense.groups(linkage, &ranks), len);
        }
    }
}

#[test]
fn a_forest_that_drops_edges_early_is_the_forest_of_all() {
    // More edges than are kept at a time, most of them weak; the strong chain comes last.
    let len = 600;
    let mut builder = ClusterBuilder::new(Linkage::Components, len);
    let (mut seed, mut num_edges) = (1u64, 0);
    while num_edges < 20_000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (a, b) = ((seed >> 33) as usize % len, (seed >> 13) as usize % len);
        if a != b {
            builder.add(VerifiedEdge::new(DocId::new(a), DocId::new(b), 0.5));
            num_edges += 1;
        }
    }
    for later in 1..len {
        builder.add(VerifiedEdge::new(DocId::new(later - 1), DocId::new(later), 0.9));
    }
    let clusters = builder.finish(&CentreOrder::of_documents());
    let joined: Vec<_> =
        clusters.group(0).joined.iter().map(|joined| (joined.by.index(), joined.document.index())).collect();
    assert_eq!(joined, (1..len).map(|later| (later - 1, later)).collect::<Vec<_>>());
    assert_eq!(clusters.group(0).similarity_min, 0.9);
}

#[test]
fn a_centre_takes_what_stands_behind_it_and_leaves_chains_apart() {
    let edge = |a, b| VerifiedEdge::new(DocId::new(a), DocId::new(b), 0.8);
    let groups = |linkage| {
        let mut builder = ClusterBuilder::new(linkage, 5);
        [edge(0, 1), edge(1, 2), edge(2, 3), edge(3, 4)].into_iter().for_each(|edge| builder.add(edge));
        let clusters = builder.finish(&CentreOrder::of_documents());
        let members = |group: Cluster<'_>| group.members.iter().map(|member| member.index()).collect::<Vec<_>>();
        clusters.iter().map(members).collect::<Vec<_>>()
    };
    assert_eq!(groups(Linkage::Components), [vec![0, 1, 2, 3, 4]]);
    assert_eq!(groups(Linkage::Star), [vec![0, 1], vec![2, 3]]);
    assert_eq!(groups(Linkage::Complete), [vec![0, 1], vec![2, 3]]);
}
