//! Clusters: groups documents that are connected by verified edges.
//!
//! A group consists of verified edges only: two documents that merely share a bucket are not connected. A
//! [`ClusterBuilder`] accepts the edges in any order, [`Linkage`] selects the edges that join documents, and
//! [`Clusters`] is the result, in flat arrays. Exact copies are one text: their edges are not needed, and copies join
//! the group of their text.
//!
//! The result is deterministic. Edges of equal similarity are in document order, so no two edges are equal, and the
//! forest of the strongest edges is the only one of its weight (Kruskal 1956; Prim 1957 grows the same one).

mod assembly;
mod builder;
mod complete;
mod edge;
mod forest;
mod grow;
mod order;
mod sorting;
mod star;
mod table;
mod texts;

pub use self::builder::{ClusterBuilder, Linkage};
pub use self::edge::{Joined, VerifiedEdge};
pub use self::order::CentreOrder;
pub use self::sorting::ClusterSort;
pub use self::table::{Cluster, Clusters};

#[cfg(test)]
mod tests;
