//! Clusters: verified edges in, the groups of documents that belong together out.
//!
//! A group is made of verified edges alone: two documents that share a bucket and nothing else are never in one. A
//! [`ClusterBuilder`] takes the edges in any order, [`Linkage`] says which of them join documents, and [`Clusters`] is what
//! comes out, in flat arrays. Exact copies are one text: their edges are not needed, and copies join the group of their text.
//!
//! Everything is deterministic. Edges of one similarity stand in document order, so no two edges are equal, and the forest of
//! the strongest edges is the only one of its weight (Kruskal 1956; Prim 1957 grows the same one).

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
