//! `ClusterSort`: the order in which groups are listed.

use std::cmp::Reverse;

use super::table::Clusters;

/// The order in which groups are listed. Equal groups stay in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClusterSort {
    /// Document order of the first members.
    #[default]
    Order,
    /// Descending number of members.
    Size,
    /// Descending lowest similarity of a group's edges.
    Jaccard,
    /// Descending mean similarity of a group's edges.
    Mean,
    /// Descending lowest similarity of any two members. Groups in which it is not known come last.
    Least,
    /// Descending number of members, and among groups of one size descending lowest similarity.
    SizeThenJaccard,
}

impl Clusters {
    /// The numbers of the groups in the given order. 8 bytes per group.
    ///
    /// * `lowest`: the lowest similarity of any two members of each group, where it is known.
    pub fn sorted(&self, sort: ClusterSort, lowest: &[Option<f64>]) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..self.len()).collect();
        let size = |number: usize| Reverse(self.group(number).members.len());
        let least = |number: usize| self.group(number).similarity_min;
        match sort {
            ClusterSort::Order => {}
            ClusterSort::Size => numbers.sort_by_key(|&number| size(number)),
            ClusterSort::Jaccard => numbers.sort_by(|&a, &b| least(b).total_cmp(&least(a))),
            ClusterSort::Mean => {
                let mean = |number: usize| self.group(number).similarity_mean;
                numbers.sort_by(|&a, &b| mean(b).total_cmp(&mean(a)));
            }
            ClusterSort::Least => {
                // No similarity is below 0, so that these groups come last.
                let lowest = |number: usize| lowest[number].unwrap_or(-1.0);
                numbers.sort_by(|&a, &b| lowest(b).total_cmp(&lowest(a)));
            }
            ClusterSort::SizeThenJaccard => {
                numbers.sort_by(|&a, &b| size(a).cmp(&size(b)).then(least(b).total_cmp(&least(a))));
            }
        }
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::clusters::{CentreOrder, ClusterBuilder, Linkage, VerifiedEdge};
    use crate::documents::document::DocId;

    #[test]
    fn equal_groups_stay_in_document_order() {
        let mut builder = ClusterBuilder::new(Linkage::Components, 9);
        for (a, b, similarity) in [(0, 1, 0.8), (2, 3, 0.9), (4, 5, 0.8), (5, 6, 0.95), (7, 8, 0.9)] {
            builder.add(VerifiedEdge::new(DocId::new(a), DocId::new(b), similarity));
        }
        let clusters = builder.finish(&CentreOrder::of_documents());
        let lowest = [Some(0.8), None, Some(0.1), Some(0.9)];
        let sorted = |sort| clusters.sorted(sort, &lowest);
        assert_eq!(sorted(ClusterSort::Least), [3, 0, 2, 1]);
        assert_eq!(sorted(ClusterSort::Order), [0, 1, 2, 3]);
        assert_eq!(sorted(ClusterSort::Size), [2, 0, 1, 3]);
        assert_eq!(sorted(ClusterSort::Jaccard), [1, 3, 0, 2]);
        // The second of the groups of 0.8 has an edge of 0.95 too.
        assert_eq!(sorted(ClusterSort::Mean), [1, 3, 2, 0]);
        assert_eq!(sorted(ClusterSort::SizeThenJaccard), [2, 1, 3, 0]);
    }
}
