//! `TextSampler`: draws texts at random while a run passes its pairs on, and keeps the pairs of the drawn texts.
//!
//! Each text has a pseudo-random number, and the texts with the lowest numbers are drawn. The number of a pair is the
//! lower number of its two texts. A text is drawn exactly when its number is at most a bound, and a pair counts when
//! one of its texts is drawn. So when too many pairs are kept, lowering the bound gives a smaller sample with all of
//! its pairs, and no pair has to be seen twice.

use super::settings::AuditSettings;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::{DocId, DocSet, Documents};
use crate::sign::banding::TextPair;

/// Draws texts at random, and keeps the pairs that the run found with at least one of them.
pub(crate) struct TextSampler<'a> {
    settings: AuditSettings,
    documents: &'a Documents,
    seed: u64,
    /// The highest number of a drawn text.
    bound: u64,
    found: Vec<TextPair>,
    /// The number of kept pairs at which the bound is lowered.
    full: usize,
}

/// The result of a [`TextSampler`].
pub(super) struct TextSample {
    /// The drawn texts, by their first documents.
    pub(super) texts: DocSet,
    pub(super) num_drawn: u64,
    /// The number of distinct texts in the corpus.
    pub(super) num_texts: u64,
    /// The pairs of different texts that the run found and that contain a drawn text, ascending.
    pub(super) found: Vec<TextPair>,
}

impl<'a> TextSampler<'a> {
    /// * `seed`: the seed of the pseudo-random numbers.
    pub(crate) fn new(settings: AuditSettings, seed: u64, documents: &'a Documents) -> Self {
        let mut drawing = Self {
            settings,
            documents,
            seed,
            bound: u64::MAX,
            found: Vec::new(),
            full: 4 * AuditSettings::ENOUGH_PAIRS,
        };
        if let Some(num_texts) = settings.num_texts {
            let mut numbers: Vec<u64> = drawing.texts().map(|text| drawing.number(text)).collect();
            let last = usize::try_from(num_texts.get()).unwrap_or(usize::MAX) - 1;
            if last < numbers.len() {
                drawing.bound = *numbers.select_nth_unstable(last).1;
            }
        }
        drawing
    }

    /// Adds pairs that the run found.
    pub(crate) fn add(&mut self, pairs: &[DuplicatePair]) {
        for pair in pairs {
            let is_counted = is_counted(self.documents, pair);
            let pair = TextPair { a: pair.a, b: pair.b };
            if is_counted && self.number_of(pair) <= self.bound {
                self.found.push(pair);
            }
        }
        if self.settings.num_texts.is_none() && self.found.len() >= self.full {
            self.lower();
            self.full = 2 * self.found.len().max(2 * AuditSettings::ENOUGH_PAIRS);
        }
    }

    /// Lowers the bound so that the drawn texts have just enough pairs.
    fn lower(&mut self) {
        let Some(last) = self.found.len().checked_sub(1).filter(|&last| last >= AuditSettings::ENOUGH_PAIRS) else {
            return;
        };
        let mut numbers: Vec<u64> = self.found.iter().map(|&pair| self.number_of(pair)).collect();
        self.bound = *numbers.select_nth_unstable(last.min(AuditSettings::ENOUGH_PAIRS - 1)).1;
        let mut found = std::mem::take(&mut self.found);
        found.retain(|&pair| self.number_of(pair) <= self.bound);
        self.found = found;
    }

    /// Returns the drawn texts and their pairs.
    pub(super) fn finish(mut self) -> TextSample {
        if self.settings.num_texts.is_none() {
            self.lower();
        }
        let mut drawn = DocSet::new(self.documents.len());
        let (mut num_drawn, mut num_texts) = (0, 0);
        for text in self.texts() {
            num_texts += 1;
            if self.number(text) <= self.bound {
                drawn.insert(text);
                num_drawn += 1;
            }
        }
        self.found.sort_unstable();
        TextSample { texts: drawn, num_drawn, num_texts, found: self.found }
    }

    fn texts(&self) -> impl Iterator<Item = DocId> + 'a {
        let documents = self.documents;
        (0..documents.len()).map(DocId::new).filter(|&document| documents.is_first(document))
    }

    fn number_of(&self, pair: TextPair) -> u64 {
        self.number(pair.a).min(self.number(pair.b))
    }

    /// The pseudo-random number of a text: SplitMix64 (Steele, Lea and Flood 2014). Different texts have different
    /// numbers.
    fn number(&self, text: DocId) -> u64 {
        // The seed is mixed first. Otherwise neighbouring seeds would give the same numbers to shifted texts.
        mix(mix(self.seed).wrapping_add(u64::from(text.get()).wrapping_mul(GOLDEN)))
    }
}

/// The step by which the state of SplitMix64 advances.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The output function of SplitMix64, a bijection.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Whether a pair counts: both documents are the first of their texts, and the texts differ. Exact copies do not count,
/// since any banding finds them.
pub(super) fn is_counted(documents: &Documents, pair: &DuplicatePair) -> bool {
    documents.is_first(pair.a)
        && documents.is_first(pair.b)
        && documents.text_hash(pair.a) != documents.text_hash(pair.b)
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_128;

    use super::*;
    use crate::documents::document::{DocumentLocation, Scope};

    fn documents(len: usize) -> Documents {
        let mut documents = Documents::with_capacity(len, 0).unwrap();
        let located = DocumentLocation { offset: 0, len: 0, source: DocumentLocation::FILE };
        for number in 0..len {
            let name = number.to_string();
            documents.push(name.as_bytes(), Some(xxh3_128(name.as_bytes())), 1, located).unwrap();
        }
        documents.group_copies(Scope::default()).unwrap();
        documents
    }

    fn pair(a: usize, b: usize) -> DuplicatePair {
        DuplicatePair {
            a: DocId::new(a),
            b: DocId::new(b),
            shared: 1,
            shingles_a: 1,
            shingles_b: 1,
            equal_values: 0,
            num_hashes: 0,
            removed: None,
            kept_names: None,
            weights: None,
        }
    }

    #[test]
    fn the_texts_that_are_drawn_keep_all_their_pairs_and_are_no_more_than_needed() {
        let documents = documents(3000);
        let pairs: Vec<DuplicatePair> =
            (0..3000).flat_map(|a| (a + 1..3000.min(a + 40)).map(move |b| pair(a, b))).collect();
        let draw = |chunk| {
            let mut drawing = TextSampler::new(AuditSettings::default(), 7, &documents);
            pairs.chunks(chunk).for_each(|pairs| drawing.add(pairs));
            drawing.finish()
        };
        let (drawn, other) = (draw(100), draw(7000));
        let is_drawn = |pair: &TextPair| drawn.texts.contains(pair.a) || drawn.texts.contains(pair.b);
        let expected: Vec<TextPair> =
            pairs.iter().map(|pair| TextPair { a: pair.a, b: pair.b }).filter(is_drawn).collect();
        assert_eq!(drawn.found, expected);
        // Each text has about 78 pairs, so a bound lowered by one text would leave fewer pairs than enough.
        assert!((10_000..10_200).contains(&drawn.found.len()), "{}", drawn.found.len());
        assert_eq!((drawn.num_drawn, &drawn.found), (other.num_drawn, &other.found));
    }

    #[test]
    fn so_many_texts_are_drawn_as_are_asked_for_and_all_where_pairs_are_few() {
        let documents = documents(500);
        let drawn = |num_texts: Option<u64>, seed| {
            let settings = AuditSettings { num_texts: num_texts.map(|number| number.try_into().unwrap()) };
            let mut drawing = TextSampler::new(settings, seed, &documents);
            drawing.add(&[pair(3, 9)]);
            let drawn = drawing.finish();
            let texts: Vec<usize> = (0..500).filter(|&text| drawn.texts.contains(DocId::new(text))).collect();
            assert_eq!((texts.len() as u64, drawn.num_texts), (drawn.num_drawn, 500));
            texts
        };
        assert_eq!((drawn(None, 1).len(), drawn(Some(900), 1).len(), drawn(Some(40), 1).len()), (500, 500, 40));
        assert_eq!(drawn(Some(40), 1), drawn(Some(40), 1));
        assert_ne!(drawn(Some(40), 1), drawn(Some(40), 2));
        // Near-duplicates often have neighbouring numbers, so neighbouring seeds must not draw one instead of the
        // other.
        for seed in [6, 42, 100] {
            let [one, other] = [seed, seed + 1].map(|seed| drawn(Some(40), seed));
            let in_pairs =
                |texts: &[usize]| texts.iter().map(|text| text / 2).collect::<std::collections::HashSet<_>>();
            let both = in_pairs(&one).intersection(&in_pairs(&other)).count();
            assert!(both < 15, "{both} of 40, by chance 6");
        }
    }
}
