//! `Signing`: makes the signature and the band keys of texts; one instance per thread.
//!
//! The shingler passes the hashes of a text's shingles in blocks to the signer, and the band keys are made from the
//! finished signature. A long text is cut into segments, whose signatures are made by several threads and then joined.
//! Some runs need less: the first of two readings only counts the texts of each shingle, and a run without signatures
//! only checks whether a text has shingles.

use rayon::prelude::*;

use xxhash_rust::xxh3::xxh3_128;

use super::frequent::Tally;
use super::kept_texts::KeptTexts;
use super::piece_keys::PieceKeys;
use super::signed::Signed;
use super::signed_texts::SignedTexts;
use super::stage_settings::StageSettings;
use crate::base::error::Result;
use crate::sign::signature::{PartSignature, SignatureMethod, Signer};
use crate::text::removal::{Remaining, Removal};
use crate::text::shingle::{ShingleHashes, ShingleKind, ShingleSetBuilder, Shingler};
use crate::text::weights::Weigher;

/// The maximum number of distinct shingles that are counted at the same time; they need 64 MiB.
const MOST_COUNTED: u64 = 1 << 22;
/// The bytes of a segment of a long text; threads sign the segments in parallel.
const SEGMENT: usize = 1 << 20;

/// The purpose of a reading.
#[derive(Clone, Copy)]
pub(super) enum Reading<'a> {
    /// Signs the documents, without the removed shingles.
    Sign(Option<&'a Removal>),
    /// Shows the shingles of each text to a visitor, and signs nothing.
    Visit(&'a dyn TextVisitor),
}

/// Sees the texts of a reading that signs nothing, from any thread of the pool.
pub(crate) trait TextVisitor: Sync {
    /// Visits the shingles of a normalised text, all of them and once.
    fn visit(&self, text: &[u8], shingles: &mut dyn ShingleHashes);
}

impl TextVisitor for Tally {
    /// Counts the shingles of each distinct text.
    fn visit(&self, text: &[u8], shingles: &mut dyn ShingleHashes) {
        self.add(xxh3_128(text), shingles);
    }
}

/// The data that the first pass keeps of each document, apart from its signature.
#[derive(Clone, Copy)]
pub(super) struct PieceSettings<'a> {
    pub(super) shingle_kind: ShingleKind,
    /// Whether texts are programs.
    pub(super) of_programs: bool,
    pub(super) min_tokens: u64,
    /// Whether documents are listed.
    pub(super) lists: bool,
    /// Whether the value of a record's field is kept to order records, and not to group them.
    pub(super) keeps_values: bool,
    /// Whether the values of the field that groups records are kept, too.
    pub(super) keeps_group_names: bool,
    /// The cache of texts that are needed again.
    pub(super) kept: Option<&'a KeptTexts>,
    /// The texts that have keys, where one document of each text is enough.
    pub(super) signed_texts: Option<&'a SignedTexts>,
}

/// Counts the distinct shingles of a text, slice by slice if they are too many for one set.
struct DistinctCounter {
    /// The maximum number of shingles that are counted at the same time.
    most: u64,
    set: ShingleSetBuilder,
    /// The hashes of a slice.
    slice: Vec<u64>,
}

/// Signs texts, or shows their shingles to a visitor; one instance per thread.
pub(super) struct Signing<'a> {
    removal: Option<&'a Removal>,
    /// The visitor of the shingles, used instead of signing.
    visitor: Option<&'a dyn TextVisitor>,
    /// Whether texts get signatures; otherwise their shingles are only visited.
    signs: bool,
    /// A buffer for the remaining shingles of a block.
    remaining: Vec<u64>,
    shingler: Shingler,
    signer: Signer,
    /// Whether long texts can be signed in segments.
    joins_parts: bool,
    weigher: Option<Weigher<'a>>,
    /// The signature of the last text.
    signature: Vec<u32>,
    counter: DistinctCounter,
    /// The band keys of the current piece.
    pub(super) keys: PieceKeys,
    /// The data that is kept of each document.
    pub(super) piece: PieceSettings<'a>,
}

impl<'a> Signing<'a> {
    pub(super) fn new(settings: StageSettings<'a>, reading: Reading<'a>, lists: bool) -> Self {
        let (removal, visitor) = match reading {
            Reading::Sign(removal) => (removal, None),
            Reading::Visit(visitor) => (None, Some(visitor)),
        };
        let signer = settings.signer();
        Self {
            removal,
            visitor,
            signs: settings.signs,
            remaining: Vec::new(),
            shingler: settings.shingler(),
            signature: vec![0; signer.num_hashes()],
            signer,
            joins_parts: settings.signature.method != SignatureMethod::Weighted,
            weigher: settings.weigher(),
            counter: DistinctCounter { most: MOST_COUNTED, set: ShingleSetBuilder::default(), slice: Vec::new() },
            keys: PieceKeys::new(settings),
            piece: PieceSettings {
                shingle_kind: settings.shingles.kind(),
                of_programs: settings.shingles.of_programs(),
                min_tokens: settings.shingles.min_tokens(),
                lists,
                keeps_values: settings.keeps_values(),
                keeps_group_names: settings.keeps_group_names(),
                kept: None,
                signed_texts: None,
            },
        }
    }

    /// Sets the cache for texts that are needed again.
    pub(super) fn keeping(self, kept: Option<&'a KeptTexts>) -> Self {
        Self { piece: PieceSettings { kept, ..self.piece }, ..self }
    }

    /// Sets the table of signed texts, whose copies are not signed again.
    pub(super) fn signing_once(self, signed_texts: Option<&'a SignedTexts>) -> Self {
        Self { piece: PieceSettings { signed_texts, ..self.piece }, ..self }
    }

    /// Also keeps the signatures of each piece.
    pub(super) fn keeping_signatures(self) -> Self {
        Self { keys: self.keys.with_signatures(), ..self }
    }

    /// Signs the remaining shingles of a text, or shows its shingles to the visitor. `None` when it has no shingle.
    pub(super) fn sign(&mut self, text: &[u8]) -> Option<Signed> {
        if let Some(visitor) = self.visitor {
            let mut shingles = NonEmptyCheck { shingles: self.shingler.shingles_utf8(text), are_there: false };
            visitor.visit(text, &mut shingles);
            return shingles.are_there.then(|| Signed {
                cut: self.shingler.last(),
                num_removed: 0,
                has_remaining: true,
            });
        }
        if !self.signs {
            return self.look_at(text);
        }
        self.sign_in_segments(text).or_else(|| self.sign_alone(text))
    }

    /// The number of tokens of the last text, for a text without shingles.
    pub(super) fn num_tokens(&self) -> u64 {
        self.shingler.last().num_tokens
    }

    /// Does what [`sign`](Self::sign) does, but only on this thread and without counting.
    pub(super) fn sign_alone(&mut self, text: &[u8]) -> Option<Signed> {
        if !self.signs {
            return self.look_at(text);
        }
        if let Some(weigher) = &mut self.weigher {
            let Self { signer, shingler, removal, signature, .. } = self;
            let (signer, mut num_removed) = (signer.weighted(), 0);
            signer.begin();
            weigher.for_each_block(shingler, *removal, text, &mut |_| num_removed += 1, &mut |hashes, weights| {
                signer.add(hashes, |place| weights[place]);
            });
            let has_remaining = signer.finish(signature);
            let signed = Signed { cut: shingler.last(), num_removed, has_remaining };
            return (has_remaining || num_removed > 0).then_some(signed);
        }
        let mut remaining = Remaining::new(self.shingler.shingles_utf8(text), self.removal, &mut self.remaining);
        let has_remaining = self.signer.sign(&mut remaining, &mut self.signature);
        let num_removed = remaining.num_removed as u64;
        (has_remaining || num_removed > 0).then(|| Signed { cut: self.shingler.last(), num_removed, has_remaining })
    }

    /// Returns what [`sign_alone`](Self::sign_alone) returns, but makes no signature.
    fn look_at(&mut self, text: &[u8]) -> Option<Signed> {
        let mut remaining = Remaining::new(self.shingler.shingles_utf8(text), self.removal, &mut self.remaining);
        let mut has_remaining = false;
        remaining.for_each_block(&mut |_| has_remaining = true);
        let num_removed = remaining.num_removed as u64;
        (has_remaining || num_removed > 0).then(|| Signed { cut: self.shingler.last(), num_removed, has_remaining })
    }

    /// Signs a long text on all threads; `None` when it cannot be cut into segments.
    fn sign_in_segments(&mut self, text: &[u8]) -> Option<Signed> {
        let segments = self.joins_parts.then(|| self.shingler.segments(text, SEGMENT)).flatten()?;
        let removal = self.removal;
        let tools = || (self.shingler.clone(), self.signer.clone(), Vec::new());
        let sign = |(shingler, signer, buffer): &mut (Shingler, Signer, Vec<u64>), segment: &&[u8]| {
            let mut remaining = Remaining::new(shingler.shingles_utf8(segment), removal, buffer);
            let signature = signer.sign_part(&mut remaining);
            let num_removed = remaining.num_removed as u64;
            (signature, Signed { cut: shingler.last(), num_removed, has_remaining: true })
        };
        let join = |(a, a_signed): (PartSignature, Signed), (b, b_signed): (PartSignature, Signed)| {
            let num_removed = a_signed.num_removed + b_signed.num_removed;
            (a.join(b), Signed { cut: a_signed.cut.join(b_signed.cut), num_removed, has_remaining: true })
        };
        let (signature, signed) = segments.par_iter().map_init(tools, sign).reduce_with(join)?;
        signature.write_to(&mut self.signature).then_some(signed)
    }

    /// The number of distinct remaining shingles of a text. A text with many distinct shingles is counted in several
    /// slices, in bounded memory.
    ///
    /// * `num_shingles`: the number of shingles of the text, repeats counted.
    pub(super) fn num_distinct(&mut self, text: &[u8], num_shingles: u64) -> u64 {
        if let Some(few) = self.num_distinct_if_few(text) {
            return few;
        }
        let num_slices = num_shingles.div_ceil(self.counter.most).next_power_of_two();
        let Self { shingler, removal, remaining, counter: DistinctCounter { set, slice: in_slice, .. }, .. } = self;
        let count = |slice| {
            Remaining::new(shingler.shingles_utf8(text), *removal, remaining).for_each_block(&mut |block| {
                // The lowest bits choose the slice, since the set uses the highest bits to place a hash.
                in_slice.clear();
                in_slice.extend(block.iter().filter(|&hash| hash & (num_slices - 1) == slice));
                set.extend(in_slice);
            });
            set.take().len() as u64
        };
        (0..num_slices).map(count).sum()
    }

    /// The number of distinct remaining shingles of a text; `None` if they are too many for one set.
    fn num_distinct_if_few(&mut self, text: &[u8]) -> Option<u64> {
        let Self { shingler, removal, remaining, counter: DistinctCounter { most, set, .. }, .. } = self;
        let mut is_few = true;
        Remaining::new(shingler.shingles_utf8(text), *removal, remaining).for_each_block(&mut |block| {
            if is_few {
                set.extend(block);
                is_few = set.len() as u64 <= *most;
            }
        });
        let num_distinct = set.take().len() as u64;
        is_few.then_some(num_distinct)
    }

    /// Appends the hashes of the remaining shingles of a text that are at most `most`, ascending, each once.
    pub(super) fn sample(&mut self, text: &[u8], most: u64, samples: &mut Vec<u64>) {
        let start = samples.len();
        let mut remaining = Remaining::new(self.shingler.shingles_utf8(text), self.removal, &mut self.remaining);
        remaining.for_each_block(&mut |block| samples.extend(block.iter().filter(|&&hash| hash <= most)));
        samples[start..].sort_unstable();
        let mut end = start;
        for at in start..samples.len() {
            if at == start || samples[at] != samples[end - 1] {
                samples[end] = samples[at];
                end += 1;
            }
        }
        samples.truncate(end);
    }

    /// Adds the band keys of the text that was signed last; does nothing where texts have no signature.
    ///
    /// # Errors
    /// When memory is too small for them.
    pub(super) fn add_keys(&mut self) -> Result<()> {
        if self.visitor.is_some() || !self.signs { Ok(()) } else { self.keys.add(&self.signature) }
    }
}

/// Shingles, and whether any were visited.
struct NonEmptyCheck<S> {
    shingles: S,
    are_there: bool,
}

impl<S: ShingleHashes> ShingleHashes for NonEmptyCheck<S> {
    fn for_each_block(&mut self, visit: &mut dyn FnMut(&[u64])) {
        let Self { shingles, are_there } = self;
        shingles.for_each_block(&mut |block| {
            *are_there = true;
            visit(block);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::corpus::stage_settings::tests::with_settings;
    use crate::sign::signature::{SignatureMethod, SignatureSettings};

    #[test]
    fn distinct_shingles_are_as_many_in_slices_as_at_once() {
        with_settings(|_| {}, |settings| check_slices(Signing::new(settings, Reading::Sign(None), true)));
    }

    fn check_slices(mut signing: Signing) {
        for len in [0, 5, 100, 2_000, 20_000] {
            let text: String = (0..len).map(|i: u64| char::from(b'a' + (i * i % 8191 % 26) as u8)).collect();
            let whole = crate::text::shingle::ShingleSet::new(signing.shingler.shingles(&text)).len() as u64;
            for most_counted in [1 << 22, 1000, 7] {
                signing.counter.most = most_counted;
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
        // Most texts have too few distinct shingles to fill all values in the first round, and one is a single segment.
        for text in [&long.repeat(4), &with_wide, &"abc".repeat(1_000_000), &long] {
            for method in [SignatureMethod::Classic, SignatureMethod::Fast] {
                let signature = SignatureSettings { method, ..SignatureSettings::default() };
                let check = |mut signing: Signing| {
                    let signed = signing.sign(text.as_bytes());
                    let in_segments = signing.signature.clone();
                    signing.signer.sign(&mut signing.shingler.shingles(text), &mut signing.signature);
                    assert!(
                        in_segments == signing.signature
                            && signed.map(|signed| signed.cut) == Some(signing.shingler.last()),
                        "{signature:?}"
                    );
                };
                with_settings(
                    |settings| settings.signature = signature,
                    |settings| check(Signing::new(settings, Reading::Sign(None), false)),
                );
            }
        }
    }
}
