//! Turns shingles into candidate pairs: MinHash signatures and locality-sensitive hashing (MMDS, sections 3.3 to 3.7).
//!
//! In order; a module imports only from the modules above it:
//!
//! | Module | Comes in, goes out |
//! | --- | --- |
//! | `banding` | Signatures in; candidate pairs out. |
//! | `signature` | Shingle hashes in; MinHash signatures out. |
//! | `kernels` | The names of the vectorised inner loops that this processor runs. |

pub mod banding;
pub(crate) mod signature;
pub(crate) mod kernels;

pub use self::banding::Banding;
pub use self::kernels::kernels;
pub use self::signature::{SignatureMethod, SignatureSettings, Signer, estimated_similarity};
