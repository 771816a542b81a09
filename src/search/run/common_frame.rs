//! `CommonFrame`: whether the pairs of web pages are similar by what all pages of a site have in common, such as menus.
//!
//! A sample of the pairs, spread evenly over their order, is compared once more by the main texts of both pages. The sample
//! depends only on the order of the pairs, and not on the number of threads.

use super::settings::Settings;
use crate::base::flat::offset_map::NoTrace;
use crate::compare::verify::{DuplicatePair, Threshold, VerifiableSet, Verifier};
use crate::documents::document::DocId;
use crate::documents::input::{HtmlMode, InputSettings, Reader};
use crate::search::corpus::{ReadCorpus, StageSettings, Tools};

/// Maximum number of pairs that are compared by their main texts.
const MOST_PAIRS: usize = 64;
/// Maximum number of pairs that are kept until the kind of their documents is known; an even number.
const MOST_KEPT: usize = 1 << 12;
/// Minimum number of pairs that say something about a site.
const FEWEST_PAIRS: u64 = 5;

/// Pairs of web pages that were compared again by their main texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommonFrame {
    /// The number of these pairs.
    pub pairs: u64,
    /// The pairs whose main texts are below the threshold.
    pub below: u64,
}

impl CommonFrame {
    /// Whether more than half of the pairs are similar only by text that is not main text.
    pub fn is_common(self) -> bool {
        self.pairs >= FEWEST_PAIRS && 2 * self.below > self.pairs
    }
}

/// Every n-th pair, where n is doubled when the pairs become too many.
#[derive(Debug)]
pub(super) struct PairSample {
    pairs: Vec<(DocId, DocId)>,
    /// The number of pairs that were added.
    added: u64,
    /// The distance of the kept pairs in the order of all pairs.
    distance: u64,
}

impl PairSample {
    /// An empty sample, if the settings read whole pages and compare them by similarity.
    pub(super) fn of(settings: &Settings) -> Option<Self> {
        let reads_pages = matches!(settings.input.html, HtmlMode::Auto | HtmlMode::Strip);
        let is_wanted = reads_pages && settings.pairs.min_similarity().is_some() && settings.input.unit.is_none();
        is_wanted.then_some(Self { pairs: Vec::new(), added: 0, distance: 1 })
    }

    /// Adds the next pairs of the run.
    pub(super) fn add_pairs(&mut self, pairs: &[DuplicatePair]) {
        pairs.iter().for_each(|pair| self.add(pair.a, pair.b));
    }

    fn add(&mut self, a: DocId, b: DocId) {
        if self.added.is_multiple_of(self.distance) && self.pairs.len() == MOST_KEPT {
            let mut position = 0;
            self.pairs.retain(|_| {
                position += 1;
                position % 2 == 1
            });
            self.distance *= 2;
        }
        if self.added.is_multiple_of(self.distance) {
            self.pairs.push((a, b));
        }
        self.added += 1;
    }

    /// Compares the main texts of pairs of pages. Pairs whose documents cannot be read again do not count.
    pub(super) fn measure(&self, corpus: ReadCorpus, threshold: Threshold) -> CommonFrame {
        let ReadCorpus { settings, documents, sources, .. } = corpus;
        let reader = Reader::new(settings.inputs(), sources);
        let is_page = |document| reader.is_page(documents.name(document), documents.located(document));
        let pages: Vec<_> = self.pairs.iter().filter(|&&(a, b)| is_page(a) && is_page(b)).collect();
        let input = InputSettings { html: HtmlMode::Main, with_offsets: false, ..settings.input.clone() };
        let mut texts = MainTexts::new(ReadCorpus { settings: StageSettings { input: &input, ..settings }, ..corpus });
        let chosen = pages.iter().copied().step_by(pages.len().div_ceil(MOST_PAIRS).max(1));
        let compared = chosen.filter_map(|&(a, b)| Some((texts.read(a)?, texts.read(b)?)));
        compared.fold(CommonFrame { pairs: 0, below: 0 }, |CommonFrame { pairs, below }, (a, b)| {
            let is_empty = a.set().is_empty() || b.set().is_empty();
            let is_met = !is_empty && Verifier::new(&a).verify(&b, threshold).is_some();
            CommonFrame { pairs: pairs + 1, below: below + u64::from(!is_met) }
        })
    }
}

/// Reads the main texts of documents.
struct MainTexts<'a> {
    corpus: ReadCorpus<'a>,
    reader: Reader<'a>,
    tools: Tools<'a>,
}

impl<'a> MainTexts<'a> {
    /// * `corpus`: the corpus, with settings that read the main texts of pages.
    fn new(corpus: ReadCorpus<'a>) -> Self {
        let reader = Reader::new(corpus.settings.inputs(), corpus.sources);
        Self { reader, tools: Tools::new(corpus.settings, corpus.removal), corpus }
    }

    /// The shingles of a main text; `None` when the document cannot be read again.
    fn read(&mut self, document: DocId) -> Option<VerifiableSet> {
        let documents = self.corpus.documents;
        let read = self.reader.read_again(documents.name(document), documents.located(document), &mut NoTrace).ok()?;
        self.corpus.settings.normalizer().normalize_utf8(read);
        Some(self.tools.verifiable_set_of(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_evenly_over_all_pairs() {
        for num_pairs in [0, 1, MOST_KEPT, MOST_KEPT + 1, 3 * MOST_KEPT, 100_000] {
            let mut sample = PairSample { pairs: Vec::new(), added: 0, distance: 1 };
            (0..num_pairs).for_each(|pair| sample.add(DocId::new(pair), DocId::new(pair + 1)));
            let positions: Vec<usize> = sample.pairs.iter().map(|&(a, _)| a.index()).collect();
            let distance = sample.distance as usize;
            assert_eq!(positions, (0..num_pairs).step_by(distance).collect::<Vec<_>>(), "{num_pairs}");
            assert!(positions.len() <= MOST_KEPT && (num_pairs < MOST_KEPT || positions.len() >= MOST_KEPT / 2));
        }
    }
}
