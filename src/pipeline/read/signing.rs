//! Signing: a text becomes a signature, and the signature band keys.

use rayon::prelude::*;

use crate::banding::band_keys;
use crate::config::Config;
use crate::shingle::{ShingleHashes, Shingler};
use crate::signature::{PartSignature, Signer};

/// Bytes of a part of a long text that a thread signs at a time.
const SEGMENT: usize = 1 << 20;

/// What a thread signs with.
pub(super) struct Signing {
    pub(super) shingler: Shingler,
    signer: Signer,
    signature: Vec<u32>,
    pub(super) num_bands: usize,
    /// The band keys of the part at hand, those of one document after another.
    pub(super) keys: Vec<u64>,
}

impl Signing {
    pub(super) fn new(config: &Config) -> Self {
        let banding = config.banding;
        let signer = Signer::new(config.signature, banding.bands(), banding.rows(), config.seed);
        Self {
            shingler: Shingler::new(config.shingle_kind, config.shingle_size.get()),
            signature: vec![0; signer.num_hashes()],
            signer,
            num_bands: banding.bands(),
            keys: Vec::new(),
        }
    }

    /// Adds the band keys of a text, if it has any shingle; returns the number of its shingles, repeats counted.
    pub(super) fn sign(&mut self, text: &[u8]) -> usize {
        let num_shingles = match self.sign_in_segments(text) {
            Some(num_shingles) => num_shingles,
            None => {
                let mut shingles = Counted { shingles: self.shingler.shingles_utf8(text), count: 0 };
                self.signer.sign(&mut shingles, &mut self.signature);
                shingles.count
            }
        };
        if num_shingles > 0 {
            let start = self.keys.len();
            self.keys.resize(start + self.num_bands, 0);
            band_keys(&self.signature, &mut self.keys[start..]);
        }
        num_shingles
    }

    /// A long text is signed by all threads; `None` when that cannot be done.
    fn sign_in_segments(&mut self, text: &[u8]) -> Option<usize> {
        let segments = self.shingler.segments(text, SEGMENT)?;
        let tools = || (self.shingler.clone(), self.signer.clone());
        let sign = |(shingler, signer): &mut (Shingler, Signer), segment: &&[u8]| {
            let mut shingles = Counted { shingles: shingler.shingles_utf8(segment), count: 0 };
            let signature = signer.sign_part(&mut shingles);
            (signature, shingles.count)
        };
        let join = |(a, a_count): (PartSignature, usize), (b, b_count)| (a.join(b), a_count + b_count);
        let (signature, num_shingles) = segments.par_iter().map_init(tools, sign).reduce_with(join)?;
        signature.write_to(&mut self.signature).then_some(num_shingles)
    }
}

/// Counts the hashes that pass by.
struct Counted<S> {
    shingles: S,
    count: usize,
}

impl<S: ShingleHashes> ShingleHashes for Counted<S> {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        let Self { shingles, count } = self;
        *count = 0;
        shingles.for_each_block(&mut |block| {
            *count += block.len();
            visit(block);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::SignatureMethod;

    #[test]
    fn a_long_text_has_the_keys_that_it_has_as_a_whole() {
        let long: String = (0..700_000u64).map(|i| char::from(b' ' + (i * i % 8191 % 90) as u8)).collect();
        let with_wide = long.replace('7', "七").repeat(5);
        // Too few distinct shingles to fill all values in the first round, and one text that is a single segment.
        for text in [&long.repeat(4), &with_wide, &"abc".repeat(1_000_000), &long] {
            for signature in [SignatureMethod::Classic, SignatureMethod::Fast] {
                let mut signing = Signing::new(&Config { signature, ..Config::default() });
                let num_shingles = signing.sign(text.as_bytes());
                let mut shingles = Counted { shingles: signing.shingler.shingles(text), count: 0 };
                signing.signer.sign(&mut shingles, &mut signing.signature);
                let mut keys = vec![0; signing.num_bands];
                band_keys(&signing.signature, &mut keys);
                assert_eq!((num_shingles, &signing.keys), (shingles.count, &keys));
            }
        }
    }
}
