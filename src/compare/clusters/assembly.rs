//! `assemble`: builds groups of documents in flat arrays from the labels of texts and the edges that joined them.

use super::edge::{Joined, VerifiedEdge};
use super::grow::Grower;
use super::order::CentreOrder;
use super::table::{Clusters, GroupHead};
use super::texts::TextsOfDocuments;
use crate::documents::document::DocId;

/// The edges that added texts to their groups.
pub(super) enum BroughtIn {
    /// A tree of the strongest edges of each group.
    Trees(Vec<VerifiedEdge>),
    /// The edge of each text to its centre, in the order of texts.
    Centres(Vec<Joined>),
}

/// Builds the groups of at least two documents.
///
/// * `labels`: equal for the texts of a group, below the number of documents; `None` for a text without an edge.
/// * `verified`: all edges if the similarities of a group cover all its edges; `None` if they cover only the edges that
///   added its members.
pub(super) fn assemble(
    labels: &[Option<u32>],
    brought_in: BroughtIn,
    verified: Option<&[VerifiedEdge]>,
    texts: TextsOfDocuments<'_>,
    order: &CentreOrder,
) -> Clusters {
    let (group_of, ends) = number(labels, texts);
    let mut starts: Vec<usize> = std::iter::once(0).chain(ends.iter().copied()).collect();
    let mut members = vec![DocId::new(0); ends.last().copied().unwrap_or(0)];
    for (document, &group) in group_of.iter().enumerate().filter(|&(_, &group)| group != Clusters::ALONE) {
        members[starts[group as usize]] = DocId::new(document);
        starts[group as usize] += 1;
    }
    let groups: Vec<&[DocId]> = split(&members, &ends).collect();
    let representatives: Vec<DocId> =
        groups.iter().map(|members| order.first(members.iter().copied()).expect("two and more")).collect();
    let joins = joins(brought_in, &group_of, &groups, &representatives, texts);
    let mut sums = vec![Sum::default(); groups.len()];
    match verified {
        None => {
            joins.iter().for_each(|joined| sums[group_of[joined.by.index()] as usize].add(joined.similarity, 1));
        }
        Some(edges) => {
            for edge in edges {
                let group = group_of[edge.a.index()];
                if group == group_of[edge.b.index()] && group != Clusters::ALONE {
                    sums[group as usize].add(edge.similarity, texts.len(edge.a) * texts.len(edge.b));
                }
            }
            for &first in members.iter().filter(|&&member| texts.has_copies(member)) {
                let len = texts.len(first);
                sums[group_of[first.index()] as usize].add(1.0, len * (len - 1) / 2);
            }
        }
    }
    let heads = representatives.iter().zip(&sums).map(|(&representative, sum)| GroupHead {
        representative,
        least: sum.least,
        mean: sum.total / sum.num_edges as f64,
    });
    let heads = heads.collect();
    Clusters { group_of, members, ends, heads, joins }
}

/// The group of each document, numbered in the order of first members, and the end of each group's members.
fn number(labels: &[Option<u32>], texts: TextsOfDocuments<'_>) -> (Vec<u32>, Vec<usize>) {
    let label = |document: usize| {
        let text = texts.of(DocId::new(document))?;
        labels[text.index()].or_else(|| texts.has_copies(text).then_some(text.get()))
    };
    let mut sizes = vec![0u32; labels.len()];
    (0..labels.len()).filter_map(label).for_each(|label| sizes[label as usize] += 1);
    let mut numbers = vec![Clusters::ALONE; labels.len()];
    let mut group_of = vec![Clusters::ALONE; labels.len()];
    let mut ends = Vec::new();
    for (document, group) in group_of.iter_mut().enumerate() {
        let Some(label) = label(document).filter(|&label| sizes[label as usize] > 1) else { continue };
        let number = &mut numbers[label as usize];
        if *number == Clusters::ALONE {
            *number = ends.len() as u32;
            ends.push(ends.last().map_or(0, |&end| end) + sizes[label as usize] as usize);
        }
        *group = *number;
    }
    (group_of, ends)
}

/// For each member except the representative, the edge that added it, group by group.
fn joins(
    brought_in: BroughtIn,
    group_of: &[u32],
    groups: &[&[DocId]],
    representatives: &[DocId],
    texts: TextsOfDocuments<'_>,
) -> Vec<Joined> {
    let mut joins = Vec::with_capacity(groups.iter().map(|members| members.len() - 1).sum());
    let (mut grower, mut tree) = (Grower::default(), Vec::new());
    let (mut trees, taken) = match brought_in {
        BroughtIn::Trees(edges) => (edges, None),
        BroughtIn::Centres(taken) => (Vec::new(), Some(taken)),
    };
    trees.sort_unstable_by_key(|edge| (group_of[edge.a.index()], edge.ends()));
    let mut trees = trees.as_slice();
    for (group, (members, &representative)) in groups.iter().zip(representatives).enumerate() {
        if let Some(taken) = &taken {
            let own = texts.of(representative);
            joins.extend(members.iter().filter(|&&member| member != representative).map(|&document| {
                let text = texts.of(document);
                let at = taken.binary_search_by_key(&text, |taken| Some(taken.document));
                let similarity = if text == own { 1.0 } else { taken[at.expect("it was taken")].similarity };
                Joined { document, by: representative, similarity }
            }));
        } else {
            let of_group = trees.partition_point(|edge| group_of[edge.a.index()] as usize <= group);
            let of_texts = trees.split_off(..of_group).expect("there are so many");
            tree.clear();
            tree.extend_from_slice(of_texts);
            for &first in members.iter().filter(|&&member| texts.has_copies(member)) {
                tree.extend(texts.members(first).skip(1).map(|copy| VerifiedEdge::new(first, copy, 1.0)));
            }
            grower.grow(members, &tree, representative, &mut joins);
        }
    }
    joins
}

/// The slices of items between consecutive ends.
fn split<'i, T>(items: &'i [T], ends: &[usize]) -> impl Iterator<Item = &'i [T]> {
    let mut start = 0;
    ends.iter().map(move |&end| &items[std::mem::replace(&mut start, end)..end])
}

/// Statistics of the similarities of a group's edges.
#[derive(Clone)]
struct Sum {
    num_edges: u64,
    total: f64,
    least: f64,
}

impl Default for Sum {
    fn default() -> Self {
        Self { num_edges: 0, total: 0.0, least: 1.0 }
    }
}

impl Sum {
    fn add(&mut self, similarity: f64, num_edges: u64) {
        self.num_edges += num_edges;
        self.total += similarity * num_edges as f64;
        self.least = self.least.min(similarity);
    }
}
