//! Signing: a text becomes a signature, and the signature band keys.

use rayon::prelude::*;

use xxhash_rust::xxh3::xxh3_128;

use super::Reading;
use super::sketches::{PartSketches, SketchBudget, Sketched, Sketcher};
use crate::banding::band_keys;
use crate::config::Config;
use crate::pipeline::max_df::Tally;
use crate::removal::{Left, Removal};
use crate::shingle::{Cut, ShingleHashes, ShingleKind, ShingleSetBuilder, Shingler};
use crate::signature::{PartSignature, Signer};
use crate::verify::sketch_words;

/// Distinct shingles that are counted at a time: 64 MiB.
const MOST_COUNTED: u64 = 1 << 22;
/// Bytes of a part of a long text that a thread signs at a time.
const SEGMENT: usize = 1 << 20;

/// What a thread signs with.
pub(super) struct Signing<'a> {
    removal: Option<&'a Removal>,
    /// Counts the texts of each shingle, in place of signing.
    tally: Option<&'a Tally>,
    left: Vec<u64>,
    shingler: Shingler,
    pub(super) shingle_kind: ShingleKind,
    signer: Signer,
    signature: Vec<u32>,
    pub(super) num_bands: usize,
    pub(super) min_tokens: u64,
    /// Whether documents are to be listed.
    pub(super) lists: bool,
    most_counted: u64,
    /// What distinct shingles are counted with, and those of a slice.
    counting: (ShingleSetBuilder, Vec<u64>),
    /// The band keys of the part at hand, those of one document after another.
    pub(super) keys: Vec<u64>,
    /// The sketch of the text at hand, and those of the part.
    sketcher: Sketcher,
    pub(super) sketches: PartSketches,
}

/// What a text with shingles has come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Signed {
    pub(super) cut: Cut,
    /// Shingles taken out, repeats counted.
    pub(super) num_removed: u64,
    /// Whether any shingle is left, and with it a signature.
    pub(super) is_left: bool,
}

/// The parts of its signature and of its sketch, and what a segment of a long text has come to.
type SignedSegment = (PartSignature, Sketcher, Signed);

impl<'a> Signing<'a> {
    pub(super) fn new(config: &Config, reading: Reading<'a>, lists: bool) -> Self {
        let (removal, tally) = match reading {
            Reading::Sign(removal) => (removal, None),
            Reading::Count(tally) => (None, Some(tally)),
        };
        let banding = config.banding;
        let signer = Signer::new(config.signature, banding.bands(), banding.rows(), config.seed);
        Self {
            removal,
            tally,
            left: Vec::new(),
            shingler: config.shingler(),
            shingle_kind: config.shingle_kind,
            signature: vec![0; signer.num_hashes()],
            signer,
            num_bands: banding.bands(),
            min_tokens: config.min_tokens,
            lists,
            most_counted: MOST_COUNTED,
            counting: Default::default(),
            keys: Vec::new(),
            sketcher: Sketcher::default(),
            sketches: PartSketches::default(),
        }
    }

    /// Signs what is left of a text, or counts its shingles; tells what it came to, or `None` when it has no shingle.
    pub(super) fn sign(&mut self, text: &[u8]) -> Option<Signed> {
        if let Some(tally) = self.tally {
            tally.add(xxh3_128(text), &mut self.shingler.shingles_utf8(text));
            return (!text.is_empty() && self.shingler.last().num_tokens > 0).then(|| Signed {
                cut: self.shingler.last(),
                num_removed: 0,
                is_left: true,
            });
        }
        self.sign_in_segments(text).or_else(|| self.sign_alone(text))
    }

    /// As [`sign`](Self::sign), by this thread alone.
    pub(super) fn sign_alone(&mut self, text: &[u8]) -> Option<Signed> {
        let expected = self.shingler.expected(text);
        self.sketcher.begin(expected, sketch_words(expected));
        let left = Left::new(self.shingler.shingles_utf8(text), self.removal, &mut self.left);
        let mut left = Sketched::new(left, &mut self.sketcher);
        let is_left = self.signer.sign(&mut left, &mut self.signature);
        let num_removed = left.shingles.num_removed as u64;
        (is_left || num_removed > 0).then(|| Signed { cut: self.shingler.last(), num_removed, is_left })
    }

    /// A long text is signed by all threads; `None` when that cannot be done.
    fn sign_in_segments(&mut self, text: &[u8]) -> Option<Signed> {
        let segments = self.shingler.segments(text, SEGMENT)?;
        let removal = self.removal;
        let num_words = sketch_words(self.shingler.expected(text));
        let tools = || (self.shingler.clone(), self.signer.clone(), Vec::new());
        let sign = |(shingler, signer, left): &mut (Shingler, Signer, Vec<u64>), segment: &&[u8]| {
            let mut sketcher = Sketcher::default();
            sketcher.begin(shingler.expected(segment), num_words);
            let mut left = Sketched::new(Left::new(shingler.shingles_utf8(segment), removal, left), &mut sketcher);
            let signature = signer.sign_part(&mut left);
            let num_removed = left.shingles.num_removed as u64;
            (signature, sketcher, Signed { cut: shingler.last(), num_removed, is_left: true })
        };
        let join = |(a, mut sketcher, a_signed): SignedSegment, (b, other, b_signed): SignedSegment| {
            let num_removed = a_signed.num_removed + b_signed.num_removed;
            sketcher.join(&other);
            (a.join(b), sketcher, Signed { cut: a_signed.cut.join(b_signed.cut), num_removed, is_left: true })
        };
        let (signature, sketcher, signed) = segments.par_iter().map_init(tools, sign).reduce_with(join)?;
        self.sketcher = sketcher;
        signature.write_to(&mut self.signature).then_some(signed)
    }

    /// The number of distinct shingles that are left of a text.
    ///
    /// * `num_shingles`: repeats counted. Many are counted slice by slice, so that they take no more memory than few.
    pub(super) fn num_distinct(&mut self, text: &[u8], num_shingles: u64) -> u64 {
        let num_slices = num_shingles.div_ceil(self.most_counted).next_power_of_two();
        let Self { shingler, removal, left, counting: (builder, in_slice), .. } = self;
        let count = |slice| {
            Left::new(shingler.shingles_utf8(text), *removal, left).for_each_block(&mut |block| {
                // By the lowest bits: the highest tell a hash's place in the builder.
                in_slice.clear();
                in_slice.extend(block.iter().filter(|&hash| hash & (num_slices - 1) == slice));
                builder.extend(in_slice);
            });
            builder.take().len() as u64
        };
        (0..num_slices).map(count).sum()
    }

    /// At least the number of distinct shingles that are left of the text that was signed last, or counted, and at least 1.
    pub(super) fn most_distinct(&self, cut: Cut) -> u64 {
        let num_shingles = if self.tally.is_some() { cut.num_shingles } else { self.sketcher.num_shingles() };
        num_shingles.max(1)
    }

    /// Adds the band keys and the sketch of the text that was signed last, if it was.
    pub(super) fn add_keys(&mut self, budget: &SketchBudget) {
        if self.tally.is_some() {
            return;
        }
        let start = self.keys.len();
        self.keys.resize(start + self.num_bands, 0);
        band_keys(&self.signature, &mut self.keys[start..]);
        self.sketches.push(self.sketcher.finish(budget));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::SignatureMethod;

    #[test]
    fn distinct_shingles_are_as_many_in_slices_as_at_once() {
        let mut signing = Signing::new(&Config::default(), Reading::Sign(None), true);
        for len in [0, 5, 100, 2_000, 20_000] {
            let text: String = (0..len).map(|i: u64| char::from(b'a' + (i * i % 8191 % 26) as u8)).collect();
            let whole = crate::shingle::ShingleSet::new(signing.shingler.shingles(&text)).len() as u64;
            for most_counted in [1 << 22, 1000, 7] {
                signing.most_counted = most_counted;
                assert_eq!(
                    signing.num_distinct(text.as_bytes(), len),
                    whole,
                    "{len} characters, {most_counted} at a time"
                );
            }
        }
    }

    #[test]
    fn a_long_text_has_the_keys_that_it_has_as_a_whole() {
        let long: String = (0..700_000u64).map(|i| char::from(b' ' + (i * i % 8191 % 90) as u8)).collect();
        let with_wide = long.replace('7', "七").repeat(5);
        // Too few distinct shingles to fill all values in the first round, and one text that is a single segment.
        for text in [&long.repeat(4), &with_wide, &"abc".repeat(1_000_000), &long] {
            for signature in [SignatureMethod::Classic, SignatureMethod::Fast] {
                let mut signing = Signing::new(&Config { signature, ..Config::default() }, Reading::Sign(None), false);
                let signed = signing.sign(text.as_bytes());
                let in_segments = signing.signature.clone();
                signing.signer.sign(&mut signing.shingler.shingles(text), &mut signing.signature);
                assert!(
                    in_segments == signing.signature
                        && signed.map(|signed| signed.cut) == Some(signing.shingler.last()),
                    "{signature:?}"
                );
            }
        }
    }
}
