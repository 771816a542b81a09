//! `Weigher`: computes the weights of the shingles of a text.

use std::sync::OnceLock;

use super::idf::IdfWeights;
use super::tokens::TokenWeights;
use super::weighting::Weighting;
use crate::text::removal::Removal;
use crate::text::shingle::{ShingleHashes, ShingleSettings, Shingler};

/// The weights of shingles in one run.
#[derive(Debug)]
pub(crate) struct Weighing {
    weighting: Weighting,
    /// Set once the texts that contain each shingle are counted.
    idf: OnceLock<IdfWeights>,
}

impl Weighing {
    pub(crate) fn new(weighting: &Weighting) -> Self {
        Self { weighting: weighting.clone(), idf: OnceLock::new() }
    }

    /// Whether weights are known only after the texts that contain each shingle are counted.
    pub(crate) fn counts_texts(&self) -> bool {
        matches!(self.weighting, Weighting::Idf)
    }

    /// Sets the weights that depend on the corpus.
    ///
    /// # Panics
    /// When the weights are already set.
    pub(crate) fn set_idf(&self, weights: IdfWeights) {
        self.idf.set(weights).expect("the texts of a run are counted once");
    }

    /// Creates a weigher; each thread needs its own. Returns `None` while the weights are not known.
    pub(crate) fn weigher(&self, shingles: &ShingleSettings) -> Option<Weigher<'_>> {
        let source = match &self.weighting {
            Weighting::Idf => WeightSource::Shingles(self.idf.get()?),
            Weighting::Tokens(weights) => WeightSource::Tokens {
                weights,
                cutter: Box::new(Shingler::new(shingles.kind(), 1)),
                size: shingles.size(),
                of_tokens: Vec::new(),
            },
        };
        Some(Weigher { source, hashes: Vec::new(), weights: Vec::new() })
    }
}

/// Weighs the shingles of one text after another; keeps its buffers from one text to the next.
#[derive(Debug, Clone)]
pub(crate) struct Weigher<'a> {
    source: WeightSource<'a>,
    hashes: Vec<u64>,
    weights: Vec<u32>,
}

#[derive(Debug, Clone)]
enum WeightSource<'a> {
    /// Each shingle has its own weight.
    Shingles(&'a IdfWeights),
    /// The weight of a shingle is the sum of the weights of its tokens.
    Tokens {
        weights: &'a TokenWeights,
        /// Cuts a text into tokens.
        cutter: Box<Shingler>,
        /// Number of tokens in a shingle.
        size: usize,
        /// The weights of the tokens of the text, in order.
        of_tokens: Vec<u32>,
    },
}

impl Weigher<'_> {
    /// Passes the shingles of a normalised text that are not removed to `visit`, in blocks, with their weights.
    ///
    /// * `removed`: receives the removed shingles.
    pub(crate) fn for_each_block(
        &mut self,
        shingler: &mut Shingler,
        removal: Option<&Removal>,
        text: &[u8],
        removed: &mut dyn FnMut(u64),
        visit: &mut dyn FnMut(&[u64], &[u32]),
    ) {
        let Self { source, hashes, weights } = self;
        if let WeightSource::Tokens { weights, cutter, of_tokens, .. } = source {
            of_tokens.clear();
            let weight = |&hash: &u64| weights.of(hash);
            cutter.shingles_utf8(text).for_each_block(&mut |block| of_tokens.extend(block.iter().map(weight)));
        }
        // Position of the first shingle of a block in the text.
        let mut start = 0;
        shingler.shingles_utf8(text).for_each_block(&mut |block| {
            weights.clear();
            match source {
                WeightSource::Shingles(idf) => weights.extend(block.iter().map(|&hash| idf.of(hash))),
                WeightSource::Tokens { size, of_tokens, .. } => {
                    weights.extend((start..start + block.len()).map(|position| sum(of_tokens, position, *size)));
                }
            }
            start += block.len();
            let Some(removal) = removal else { return visit(block, weights) };
            hashes.clear();
            let mut kept = 0;
            for (position, &hash) in block.iter().enumerate() {
                if removal.contains(hash) {
                    removed(hash);
                    continue;
                }
                hashes.push(hash);
                weights[kept] = weights[position];
                kept += 1;
            }
            if kept > 0 {
                visit(hashes, &weights[..kept]);
            }
        });
    }

    /// Same as [`for_each_block`](Self::for_each_block), but ignores the removed shingles.
    pub(crate) fn for_each_remaining(
        &mut self,
        shingler: &mut Shingler,
        removal: Option<&Removal>,
        text: &[u8],
        visit: &mut dyn FnMut(&[u64], &[u32]),
    ) {
        self.for_each_block(shingler, removal, text, &mut |_| {}, visit);
    }
}

/// Sum of the weights of `size` tokens from `position` on, or of the remaining tokens if there are fewer. The result is at
/// least 1 and saturates at the maximum weight.
fn sum(weights: &[u32], position: usize, size: usize) -> u32 {
    let end = weights.len().min(position + size);
    weights[position.min(end)..end].iter().fold(0u32, |sum, &weight| sum.saturating_add(weight)).max(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::normalize::Normalization;
    use crate::text::shingle::{ShingleKind, ShingleSet};

    proptest! {
        #[test]
        fn a_shingle_weighs_what_its_tokens_do_and_removal_takes_its_weight_along(
            words in prop::collection::vec(0usize..6, 1..9000),
            size in 1usize..5,
            bag in any::<bool>(),
            removed in prop::collection::vec(0usize..9000, 0..5),
        ) {
            let shingles = ShingleSettings::new(ShingleKind::Word).with_size(size).unwrap().with_bag(bag);
            let folding = Normalization::default();
            let table = TokenWeights::parse("w0\t2\nw1\t0.5\nw2\t0\n", &shingles, &folding, 3.0).unwrap();
            let unit = |word: usize| [2 << 16, 1 << 15, 1, 3 << 16, 3 << 16, 3 << 16][word];
            let text: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
            let text = text.join(" ");
            let mut shingler = shingles.shingler(&folding);
            let mut all = Vec::new();
            shingler.shingles(&text).for_each_block(&mut |block| all.extend_from_slice(block));
            let expected: Vec<u32> = if words.len() < size {
                vec![words.iter().map(|&word| unit(word)).sum()]
            } else {
                words.windows(size).map(|words| words.iter().map(|&word| unit(word)).sum()).collect()
            };
            prop_assert_eq!(all.len(), expected.len());
            let gone: Vec<u64> = removed.iter().map(|&position| all[position % all.len()]).collect();
            let removal = (!gone.is_empty()).then(|| Removal::new(ShingleSet::new(gone.as_slice())));
            let weighing = Weighing::new(&Weighting::Tokens(table));
            let mut weigher = weighing.weigher(&shingles).unwrap();
            let (mut found, mut taken) = (Vec::new(), Vec::new());
            let mut take = |hash| taken.push(hash);
            weigher.for_each_block(&mut shingler, removal.as_ref(), text.as_bytes(), &mut take, &mut |hashes, weights| {
                assert!(!hashes.is_empty() && hashes.len() == weights.len());
                found.extend(hashes.iter().copied().zip(weights.iter().copied()));
            });
            let remain = all.iter().copied().zip(expected).filter(|(hash, _)| !gone.contains(hash));
            prop_assert_eq!(found, remain.collect::<Vec<_>>());
            prop_assert_eq!(taken, all.iter().copied().filter(|hash| gone.contains(hash)).collect::<Vec<_>>());
        }
    }
}
