//! MinHash signatures: computes `num_hashes` values per document from its shingle hashes, in one pass.
//!
//! In all methods each value is equal in the signatures of two documents with a probability equal to the Jaccard
//! similarity of their shingle sets. So the share of equal values estimates the similarity. For the weighted method
//! this is the weighted Jaccard similarity. Signatures are laid out band after band.

mod classic;
mod exponential;
mod fast;
mod hash_family;
mod kernel;
mod repeats;
mod settings;
mod weighted;

use self::classic::ClassicSigner;
use self::fast::FastSigner;
pub use self::settings::{SignatureMethod, SignatureSettings};
pub(crate) use self::weighted::WeightedSigner;
use crate::sign::banding::Banding;
use crate::text::shingle::ShingleHashes;

/// Computes signatures of one method, shape and seed. It keeps scratch memory, so each thread needs its own clone.
#[derive(Debug, Clone)]
pub struct Signer {
    num_hashes: usize,
    inner: Inner,
}

#[derive(Debug, Clone)]
enum Inner {
    Classic(ClassicSigner),
    Fast(FastSigner),
    Weighted(WeightedSigner),
}

impl SignatureSettings {
    /// Creates a signer for signatures that are cut into the bands of `banding`.
    pub fn signer(self, banding: Banding) -> Signer {
        Signer::new(self.method, banding.bands(), banding.rows(), self.seed)
    }
}

impl Signer {
    /// Creates a signer for signatures of `bands` × `rows` values.
    ///
    /// ```
    /// use dedup_scan::{SignatureMethod, Signer, estimated_similarity};
    ///
    /// let mut signer = Signer::new(SignatureMethod::Classic, 20, 5, 42);
    /// let (small, large): (Vec<u64>, Vec<u64>) = ((0..80).map(hash).collect(), (0..100).map(hash).collect());
    /// # fn hash(item: u64) -> u64 { item.wrapping_mul(0x9E37_79B9_7F4A_7C15) }
    /// let (mut a, mut b) = (vec![0; 100], vec![0; 100]);
    /// signer.sign(&mut small.as_slice(), &mut a);
    /// signer.sign(&mut large.as_slice(), &mut b);
    /// assert!((estimated_similarity(&a, &b) - 0.8).abs() < 0.2);
    /// ```
    ///
    /// # Panics
    /// When `bands` or `rows` is 0 or their product exceeds [`MAX_HASHES`](crate::sign::banding::MAX_HASHES).
    pub fn new(method: SignatureMethod, bands: usize, rows: usize, seed: u64) -> Self {
        let num_hashes = bands * rows;
        assert!((1..=crate::sign::banding::MAX_HASHES).contains(&num_hashes), "bands x rows out of range");
        let inner = match method {
            SignatureMethod::Classic => Inner::Classic(ClassicSigner::new(bands, rows, seed)),
            SignatureMethod::Fast => Inner::Fast(FastSigner::new(num_hashes, seed)),
            SignatureMethod::Weighted => Inner::Weighted(WeightedSigner::new(num_hashes, seed)),
        };
        Self { num_hashes, inner }
    }

    /// Classic signers: one for each kernel that this processor can run, with the kernel's name. The reference
    /// implementation comes first.
    ///
    /// All signers make equal signatures. Benchmarks compare them through this function; it is not part of the public
    /// interface.
    #[doc(hidden)]
    pub fn classic_by_kernel(bands: usize, rows: usize, seed: u64) -> Vec<(&'static str, Self)> {
        let with_kernel = |(name, kernel)| {
            let classic = ClassicSigner::with_kernel(bands, rows, seed, kernel);
            (name, Self { num_hashes: bands * rows, inner: Inner::Classic(classic) })
        };
        kernel::available().into_iter().map(with_kernel).collect()
    }

    /// Same as [`classic_by_kernel`](Self::classic_by_kernel), for the fast signature.
    #[doc(hidden)]
    pub fn fast_by_kernel(bands: usize, rows: usize, seed: u64) -> Vec<(&'static str, Self)> {
        let num_hashes = bands * rows;
        let with_kernel = |(name, kernel)| {
            (name, Self { num_hashes, inner: Inner::Fast(FastSigner::with_kernel(num_hashes, seed, kernel)) })
        };
        kernel::slots::available().into_iter().map(with_kernel).collect()
    }

    /// Number of values in a signature.
    pub fn num_hashes(&self) -> usize {
        self.num_hashes
    }

    /// Writes the signature of the set of all hashes that `shingles` yields. If it yields none, returns `false` and
    /// sets every value to `u32::MAX`.
    ///
    /// Classic values are below 2³¹ − 1; fast values are the lowest 32 bits of a slot's minimum. In a weighted
    /// signature all hashes have the same weight; see [`sign_weighted`](Self::sign_weighted).
    ///
    /// # Panics
    /// When the length of `signature` is not `num_hashes`.
    pub fn sign(&mut self, shingles: &mut dyn ShingleHashes, signature: &mut [u32]) -> bool {
        assert_eq!(signature.len(), self.num_hashes, "a signature holds num_hashes values");
        match &mut self.inner {
            Inner::Classic(classic) => classic.sign(shingles, signature),
            Inner::Fast(fast) => fast.sign(shingles, signature),
            Inner::Weighted(weighted) => {
                weighted.begin();
                shingles.for_each_block(&mut |block| weighted.add(block, |_| 1));
                weighted.finish(signature)
            }
        }
    }

    /// Writes the signature of a set of weighted elements. If the set is empty, returns `false` and sets every value to
    /// `u32::MAX`.
    ///
    /// An element must have the same weight in every set. Values of two signatures are then equal with a probability
    /// equal to the weighted Jaccard similarity: the weight of the elements in both sets, divided by the weight of the
    /// elements in at least one.
    ///
    /// * `weights`: the weight of each element, above 0, in any unit.
    ///
    /// ```
    /// use dedup_scan::{SignatureMethod, Signer, estimated_similarity};
    ///
    /// let mut signer = Signer::new(SignatureMethod::Weighted, 100, 4, 42);
    /// let hashes = |words: [&str; 3]| words.map(|word| xxhash_rust::xxh3::xxh3_64(word.as_bytes()));
    /// let (mut a, mut b) = (vec![0; 400], vec![0; 400]);
    /// signer.sign_weighted(&hashes(["the", "quick", "fox"]), &[1, 20, 10], &mut a);
    /// signer.sign_weighted(&hashes(["a", "quick", "fox"]), &[1, 20, 10], &mut b);
    /// // 30 of 32.
    /// assert!((estimated_similarity(&a, &b) - 0.9375).abs() < 0.06);
    /// ```
    ///
    /// # Panics
    /// When the method is not [`SignatureMethod::Weighted`], the numbers of weights and elements differ, or the length
    /// of `signature` is not `num_hashes`.
    pub fn sign_weighted(&mut self, hashes: &[u64], weights: &[u32], signature: &mut [u32]) -> bool {
        assert_eq!(hashes.len(), weights.len(), "each element has a weight");
        let weighted = self.weighted();
        weighted.begin();
        weighted.add(hashes, |position| weights[position]);
        weighted.finish(signature)
    }

    /// The signer of weighted elements, which can be added step by step.
    ///
    /// # Panics
    /// When the method is not [`SignatureMethod::Weighted`].
    pub(crate) fn weighted(&mut self) -> &mut WeightedSigner {
        match &mut self.inner {
            Inner::Weighted(weighted) => weighted,
            _ => panic!("only weighted signatures have weights"),
        }
    }
}

impl Signer {
    /// Signs a part of a set, to be joined with the other parts.
    pub(crate) fn sign_part(&mut self, shingles: &mut dyn ShingleHashes) -> PartSignature {
        match &mut self.inner {
            Inner::Classic(classic) => {
                let mut signature = vec![0; self.num_hashes];
                classic.sign(shingles, &mut signature);
                PartSignature(signature.into_iter().map(u64::from).collect())
            }
            Inner::Fast(fast) => PartSignature(fast.first_slots(shingles)),
            Inner::Weighted(_) => unreachable!("a text with weights is signed as a whole"),
        }
    }
}

/// The minimum hashes over a part of a shingle set.
#[derive(Debug)]
pub(crate) struct PartSignature(Box<[u64]>);

impl PartSignature {
    /// The minimum hashes over both parts.
    pub(crate) fn join(mut self, other: Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(least, hash)| *least = hash.min(*least));
        self
    }

    /// Writes the signature of the whole set. Returns `false` if the parts do not determine it, as for sets with only
    /// slightly more distinct shingles than values.
    pub(crate) fn write_to(&self, signature: &mut [u32]) -> bool {
        signature.iter_mut().zip(&self.0).for_each(|(value, &hash)| *value = hash as u32);
        !self.0.contains(&kernel::slots::UNSET)
    }
}

/// The share of equal values of two signatures: an unbiased estimate of the Jaccard similarity.
///
/// # Panics
/// When the signatures differ in length.
pub fn estimated_similarity(a: &[u32], b: &[u32]) -> f64 {
    equal_values(a, b) as f64 / a.len() as f64
}

/// Number of equal values in two signatures.
pub(crate) fn equal_values(a: &[u32], b: &[u32]) -> usize {
    assert_eq!(a.len(), b.len(), "signatures of one shape");
    // A 32-bit sum, like the values, so that four or more are added at a time.
    a.iter().zip(b).map(|(a, b)| u32::from(a == b)).sum::<u32>() as usize
}

/// Names of the kernels that this processor runs for the classic and the fast signature.
pub(crate) fn kernels() -> [(&'static str, &'static str); 2] {
    let classic = kernel::available().last().map_or("scalar", |&(name, _)| name);
    let fast = kernel::slots::available().last().map_or("scalar", |&(name, _)| name);
    [("signature classic", classic), ("signature fast", fast)]
}

#[cfg(test)]
mod tests;
