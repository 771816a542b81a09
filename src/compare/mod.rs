//! Compares two documents exactly, and groups documents by verified pairs.
//!
//! The modules in order; each imports only from the modules above it:
//!
//! | Module | Comes in, goes out |
//! | --- | --- |
//! | `verify` | Two sets of shingles in; their exact similarity out, or that it is below the threshold. |
//! | `block` | Some sets of shingles in; the exact numbers of shingles that any two of them share out. |
//! | `passages` | The tokens of two texts in; the passages that both contain out. |
//! | `clusters` | Verified pairs in; clusters of documents out. |

pub(crate) mod verify;
pub(crate) mod block;
pub mod passages;
pub(crate) mod clusters;

#[doc(hidden)]
pub use self::block::overlap_by_kernel;
pub use self::clusters::{CentreOrder, Cluster, ClusterBuilder, ClusterSort, Clusters, Joined, Linkage, VerifiedEdge};
pub use self::verify::{
    DuplicatePair, KeptNames, PairWeights, RemovedShingles, Threshold, VerifiableSet, Verifier, jaccard,
    shared_shingles,
};
