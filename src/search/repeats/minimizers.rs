//! `Minimizers`: chooses one gram of each run of a text. Equal runs get equal grams.
//!
//! A run of L tokens contains w = L − k + 1 grams of k tokens. Its minimizer is the gram with the smallest hash, the
//! leftmost of equal ones (Roberts et al. 2004). Equal runs have equal minimizers at equal positions. Consecutive runs often
//! have the same one, so a text has about 2 / (w + 1) minimizers for each token.

use std::collections::VecDeque;

/// Consecutive runs of a text with the same minimizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunSpan {
    /// The hash of the minimizer.
    pub(super) gram: u64,
    /// The first token of the first run.
    pub(super) start: usize,
    /// The number of runs. Each begins one token after its predecessor.
    pub(super) num_runs: usize,
}

/// Finds the spans of one text after the other.
pub(super) struct Minimizers {
    /// The number of grams in a run.
    window: usize,
    /// The grams of the current run that are smaller than all later ones: their hashes and positions.
    least: VecDeque<(u64, usize)>,
    /// The number of grams so far.
    num_grams: usize,
    /// The position of the current minimizer, and its span so far.
    current: Option<(usize, RunSpan)>,
}

impl Minimizers {
    pub(super) fn new(window: usize) -> Self {
        Self { window, least: VecDeque::new(), num_grams: 0, current: None }
    }

    /// Adds grams of the text, in order.
    ///
    /// * `pass`: receives each span that is complete.
    pub(super) fn add(&mut self, grams: &[u64], mut pass: impl FnMut(RunSpan)) {
        for &gram in grams {
            let position = self.num_grams;
            self.num_grams += 1;
            while self.least.back().is_some_and(|&(other, _)| other > gram) {
                self.least.pop_back();
            }
            self.least.push_back((gram, position));
            if self.least[0].1 + self.window == position {
                self.least.pop_front();
            }
            let Some(start) = (position + 1).checked_sub(self.window) else { continue };
            let (gram, minimizer) = self.least[0];
            match &mut self.current {
                Some((current, span)) if *current == minimizer => span.num_runs += 1,
                current => {
                    let next = (minimizer, RunSpan { gram, start, num_runs: 1 });
                    if let Some((_, span)) = current.replace(next) {
                        pass(span);
                    }
                }
            }
        }
    }

    /// Ends the text, and prepares for the next one.
    pub(super) fn finish(&mut self, pass: impl FnOnce(RunSpan)) {
        if let Some((_, span)) = self.current.take() {
            pass(span);
        }
        self.least.clear();
        self.num_grams = 0;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn each_run_has_the_leftmost_least_gram(
            texts in prop::collection::vec(prop::collection::vec(0u64..6, 0..60), 1..4),
            window in 1usize..8,
            block in 1usize..9,
        ) {
            let mut minimizers = Minimizers::new(window);
            for grams in texts {
                let mut spans = Vec::new();
                grams.chunks(block).for_each(|block| minimizers.add(block, |span| spans.push(span)));
                minimizers.finish(|span| spans.push(span));
                let mut expected: Vec<(usize, RunSpan)> = Vec::new();
                for (start, run) in grams.windows(window).enumerate() {
                    let gram = *run.iter().min().unwrap();
                    let position = start + run.iter().position(|&other| other == gram).unwrap();
                    match expected.last_mut() {
                        Some((last, span)) if *last == position => span.num_runs += 1,
                        _ => expected.push((position, RunSpan { gram, start, num_runs: 1 })),
                    }
                }
                prop_assert_eq!(spans, expected.into_iter().map(|(_, span)| span).collect::<Vec<_>>());
            }
        }
    }
}
