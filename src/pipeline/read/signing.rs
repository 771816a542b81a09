//! Signing: a text becomes a signature, and the signature band keys.

use rayon::prelude::*;

use crate::banding::band_keys;
use crate::config::Config;
use crate::shingle::{Cut, ShingleKind, ShingleSet, Shingler};
use crate::signature::{PartSignature, Signer};

/// Bytes of a part of a long text that a thread signs at a time.
const SEGMENT: usize = 1 << 20;

/// What a thread signs with.
pub(super) struct Signing {
    shingler: Shingler,
    pub(super) shingle_kind: ShingleKind,
    signer: Signer,
    signature: Vec<u32>,
    pub(super) num_bands: usize,
    pub(super) min_tokens: u64,
    /// Whether documents are to be listed.
    pub(super) lists: bool,
    /// The band keys of the part at hand, those of one document after another.
    pub(super) keys: Vec<u64>,
}

impl Signing {
    pub(super) fn new(config: &Config, lists: bool) -> Self {
        let banding = config.banding;
        let signer = Signer::new(config.signature, banding.bands(), banding.rows(), config.seed);
        Self {
            shingler: config.shingler(),
            shingle_kind: config.shingle_kind,
            signature: vec![0; signer.num_hashes()],
            signer,
            num_bands: banding.bands(),
            min_tokens: config.min_tokens,
            lists,
            keys: Vec::new(),
        }
    }

    /// Signs a text; tells what it came to, or `None` when it has no shingle.
    pub(super) fn sign(&mut self, text: &[u8]) -> Option<Cut> {
        self.sign_in_segments(text).or_else(|| {
            let signed = self.signer.sign(&mut self.shingler.shingles_utf8(text), &mut self.signature);
            signed.then(|| self.shingler.last())
        })
    }

    /// A long text is signed by all threads; `None` when that cannot be done.
    fn sign_in_segments(&mut self, text: &[u8]) -> Option<Cut> {
        let segments = self.shingler.segments(text, SEGMENT)?;
        let tools = || (self.shingler.clone(), self.signer.clone());
        let sign = |(shingler, signer): &mut (Shingler, Signer), segment: &&[u8]| {
            let signature = signer.sign_part(&mut shingler.shingles_utf8(segment));
            (signature, shingler.last())
        };
        let join = |(a, a_cut): (PartSignature, Cut), (b, b_cut)| (a.join(b), a_cut.join(b_cut));
        let (signature, cut) = segments.par_iter().map_init(tools, sign).reduce_with(join)?;
        signature.write_to(&mut self.signature).then_some(cut)
    }

    /// The number of distinct shingles of a text.
    pub(super) fn num_distinct(&mut self, text: &[u8]) -> u64 {
        ShingleSet::new(self.shingler.shingles_utf8(text)).len() as u64
    }

    /// Adds the band keys of the text that was signed last.
    pub(super) fn add_keys(&mut self) {
        let start = self.keys.len();
        self.keys.resize(start + self.num_bands, 0);
        band_keys(&self.signature, &mut self.keys[start..]);
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
                let mut signing = Signing::new(&Config { signature, ..Config::default() }, false);
                let cut = signing.sign(text.as_bytes());
                let in_segments = signing.signature.clone();
                signing.signer.sign(&mut signing.shingler.shingles(text), &mut signing.signature);
                assert!(in_segments == signing.signature && cut == Some(signing.shingler.last()), "{signature:?}");
            }
        }
    }
}
