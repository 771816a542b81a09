//! Seeded data for the benchmarks: texts in two scripts, clusters of near-duplicates, and sets of known similarity.
//!
//! Words follow Zipf's law over an invented vocabulary. Lengths range from one kilobyte to thirty, and most texts are
//! short. Every text ends in the same notice, like the pages of one site.

use rand::rngs::ChaCha12Rng;
use rand::{Rng, SeedableRng};
use xxhash_rust::xxh3::xxh3_64;

/// The script of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Script {
    /// One byte per character, with spaces between words.
    Ascii,
    /// Three bytes per character, without spaces.
    Chinese,
}

/// The number of words in the notice at the end of every text.
const NOTICE_WORDS: usize = 40;

/// Writes texts in one script, from a seed.
pub(crate) struct Author {
    rng: ChaCha12Rng,
    script: Script,
    vocabulary: Vec<String>,
}

impl Author {
    pub(crate) fn new(script: Script, seed: u64) -> Self {
        let mut author = Self { rng: ChaCha12Rng::seed_from_u64(seed), script, vocabulary: Vec::new() };
        author.vocabulary = (0..20_000).map(|rank| author.invent(rank)).collect();
        author
    }

    /// A text of `num_bytes` bytes, or a little less where a character would be cut, in one line.
    pub(crate) fn text(&mut self, num_bytes: usize) -> String {
        // A word, with the space or full stop after it, has at least two bytes, so there are enough words to cut from.
        let words = self.words(num_bytes / 2);
        prefix(&self.join(&words), num_bytes).to_owned()
    }

    /// Makes `num_texts` texts of about `num_bytes` bytes, all copies of one text with `edits` words replaced.
    pub(crate) fn crowd(&mut self, num_bytes: usize, edits: usize, num_texts: usize) -> Vec<String> {
        let text = self.text(num_bytes);
        let words: Vec<&str> = text.split(' ').collect();
        let edited = |_| {
            let mut words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            for _ in 0..edits {
                let at = self.below(words.len());
                words[at] = self.word();
            }
            self.join(&words)
        };
        (0..num_texts).map(edited).collect()
    }

    /// Invents a word; words of low rank, which are frequent, are short.
    fn invent(&mut self, rank: usize) -> String {
        const SYLLABLES: [&str; 16] =
            ["ta", "re", "in", "so", "mel", "ka", "dor", "vi", "lu", "an", "per", "sti", "no", "ge", "ush", "ly"];
        let num_syllables = 1 + (rank + 1).ilog2() as usize / 5 + self.below(2);
        match self.script {
            Script::Ascii => (0..num_syllables).map(|_| SYLLABLES[self.below(SYLLABLES.len())]).collect(),
            // One to three characters out of the four thousand from U+4E00 on.
            Script::Chinese => (0..num_syllables.min(3))
                .map(|_| char::from_u32(0x4E00 + self.below(4000) as u32).expect("an assigned ideograph"))
                .collect(),
        }
    }

    fn words(&mut self, len: usize) -> Vec<String> {
        (0..len).map(|_| self.word()).collect()
    }

    /// A word of rank r has a probability proportional to 1/r; one word in twelve ends with a full stop.
    fn word(&mut self) -> String {
        let rank = (self.vocabulary.len() as f64).powf(self.unit()) as usize - 1;
        let ends_sentence = self.below(12) == 0;
        let stop = match self.script {
            _ if !ends_sentence => "",
            Script::Ascii => ".",
            Script::Chinese => "。",
        };
        format!("{}{stop}", self.vocabulary[rank])
    }

    fn join(&self, words: &[String]) -> String {
        match self.script {
            Script::Ascii => words.join(" "),
            Script::Chinese => words.concat(),
        }
    }

    /// A uniform number in 0..1.
    fn unit(&mut self) -> f64 {
        (self.rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.unit() * limit as f64) as usize
    }
}

/// The first `num_bytes` bytes of a text, or a little less where a character would be cut.
pub(crate) fn prefix(text: &str, num_bytes: usize) -> &str {
    let end = (0..=num_bytes.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.expect("0 is a boundary")]
}

/// Documents; one in twenty-five is the first of a cluster.
pub(crate) struct Corpus {
    pub(crate) texts: Vec<String>,
    /// The number of pairs at or above the default threshold.
    pub(crate) num_pairs: u64,
}

impl Corpus {
    /// The similarities of a cluster's other texts to its first text; 1 is the same text with other line breaks.
    const FAMILY: [f64; 3] = [1.0, 0.9, 0.5];
    /// The number of documents from the first of one cluster to the first of the next.
    const DISTANCE: usize = 25;
    /// The pairs of a cluster at 0.8 or above: all pairs of the first text, its copy and the text at 0.9.
    const PAIRS_IN_FAMILY: u64 = 3;

    pub(crate) fn new(script: Script, num_documents: usize, seed: u64) -> Self {
        let mut author = Author::new(script, seed);
        let notice = author.words(NOTICE_WORDS);
        let mut texts = Vec::with_capacity(num_documents);
        let mut num_pairs = 0;
        while texts.len() < num_documents {
            // 150 to 4,800 words, each doubling equally likely.
            let len = 150.0 * (5.0 * author.unit()).exp2();
            let mut words = author.words(len as usize);
            words.extend_from_slice(&notice);
            texts.push(author.join(&words));
            if texts.len() % Self::DISTANCE == 1 && texts.len() + Self::FAMILY.len() <= num_documents {
                texts.extend(Self::FAMILY.map(|similarity| variant(&mut author, &words, similarity)));
                num_pairs += Self::PAIRS_IN_FAMILY;
            }
        }
        Self { texts, num_pairs }
    }

    pub(crate) fn num_bytes(&self) -> u64 {
        self.texts.iter().map(|text| text.len() as u64).sum()
    }
}

/// A copy of the text with one passage rewritten, so that both texts have the given similarity.
fn variant(author: &mut Author, words: &[String], similarity: f64) -> String {
    if similarity == 1.0 {
        return format!("\n{}\r\n", author.join(words).replace(". ", ".\n"));
    }
    // Rewriting a share f leaves 1 − f of each text in common, and the union is 1 + f: s = (1 − f) / (1 + f).
    let share = (1.0 - similarity) / (1.0 + similarity);
    let anew = (share * words.len() as f64).round() as usize;
    let start = author.below(words.len() - NOTICE_WORDS - anew);
    let mut words = words.to_vec();
    words.splice(start..start + anew, author.words(anew));
    author.join(&words)
}

/// A shingle hash for each number.
pub(crate) fn hashes(numbers: std::ops::Range<u64>) -> Vec<u64> {
    numbers.map(|number| xxh3_64(&number.to_le_bytes())).collect()
}
