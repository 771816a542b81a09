//! `RowPairs`: verifies rows of two documents, and writes those that reach the threshold.

use super::verified_rows::VerifiedRows;
use crate::base::error::Result;
use crate::compare::verify::{DuplicatePair, Threshold, VerifiableSet, Verifier};
use crate::documents::document::{DocId, DocumentLocation, Documents};
use crate::search::corpus::{StageSettings, Tools};
use crate::sign::signature::equal_values;
use crate::text::code::{StatedSyntax, Syntax};
use crate::text::normalize::Normalizer;

/// The names and orders of a pair, in document order.
pub(super) struct RowPair<'r> {
    pub(super) names: [&'r [u8]; 2],
    pub(super) orders: [&'r [u8]; 2],
}

/// Verifies pairs. Consecutive rows with the same first document share its shingle set.
pub(super) struct RowPairs<'a> {
    settings: StageSettings<'a>,
    normalizer: Normalizer,
    tools: Tools<'a>,
    threshold: Threshold,
    /// The first document of the previous row: its name, its text, and its set.
    first: Option<(Vec<u8>, Vec<u8>, RowSide)>,
}

/// The shingle set of a document; empty when the document has too few tokens.
struct RowSide {
    set: VerifiableSet,
    signature: Option<Box<[u32]>>,
}

impl<'a> RowPairs<'a> {
    pub(super) fn new(settings: StageSettings<'a>, threshold: Threshold) -> Self {
        let tools = Tools::new(settings, None);
        Self { settings, normalizer: settings.normalizer(), tools, threshold, first: None }
    }

    /// Writes the row of a pair when its similarity reaches the threshold.
    ///
    /// # Errors
    /// When rows cannot be written.
    pub(super) fn verify(&mut self, pair: &RowPair, texts: [&[u8]; 2], rows: &mut VerifiedRows) -> Result<()> {
        let is_same = |(name, text, _): &(Vec<u8>, Vec<u8>, _)| name == pair.names[0] && text == texts[0];
        let (name, text, mut a) = match self.first.take().filter(is_same) {
            Some(first) => first,
            None => (pair.names[0].to_vec(), texts[0].to_vec(), self.side(pair.names[0], texts[0])),
        };
        let mut b = self.side(pair.names[1], texts[1]);
        let (len_a, len_b) = (a.set.set().len() as u64, b.set.set().len() as u64);
        let has_both = len_a > 0 && len_b > 0;
        if let Some(shared) = has_both.then(|| Verifier::new(&a.set).verify(&b.set, self.threshold)).flatten() {
            let equal_values = equal_values(a.signature(&mut self.tools), b.signature(&mut self.tools));
            let numbers =
                PairNumbers { shared: shared as u64, sizes: [len_a, len_b], equal_values: equal_values as u32 };
            pair.write(numbers, self.settings.banding.num_hashes(), rows)?;
        }
        self.first = Some((name, text, a));
        Ok(())
    }

    fn side(&mut self, name: &[u8], text: &[u8]) -> RowSide {
        let mut text = text.to_vec();
        self.normalizer.set_syntax(self.syntax_of(name));
        self.normalizer.normalize_utf8(&mut text);
        let set = self.tools.set_of(&text);
        let is_long_enough = self.tools.shingler.last().num_tokens >= self.settings.shingles.min_tokens();
        let set = if is_long_enough { set } else { Default::default() };
        RowSide { set: VerifiableSet::new(set), signature: None }
    }

    fn syntax_of(&self, name: &[u8]) -> Option<Syntax> {
        self.settings.syntax_of(name, StatedSyntax::None)
    }
}

impl RowSide {
    fn signature(&mut self, tools: &mut Tools) -> &[u32] {
        self.signature.get_or_insert_with(|| tools.sign(self.set.set().hashes(), &[]))
    }
}

/// The counts of a pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairNumbers {
    pub(super) shared: u64,
    /// The number of distinct shingles of each document.
    pub(super) sizes: [u64; 2],
    /// The number of equal values in the two signatures.
    pub(super) equal_values: u32,
}

impl RowPair<'_> {
    /// Whether the documents are in document order.
    pub(super) fn is_ordered(&self) -> bool {
        (self.orders[0], self.names[0]) < (self.orders[1], self.names[1])
    }

    /// Writes the row of the pair.
    ///
    /// * `num_hashes`: the number of values of a signature.
    ///
    /// # Errors
    /// When rows cannot be written.
    pub(super) fn write(&self, numbers: PairNumbers, num_hashes: usize, rows: &mut VerifiedRows) -> Result<()> {
        let mut documents = Documents::default();
        let [a, b] = self.names;
        let nowhere = DocumentLocation { offset: 0, len: 0, source: 0 };
        let (a, b) = (documents.push(a, None, 0, nowhere)?, documents.push(b, None, 0, nowhere)?);
        let PairNumbers { shared, sizes: [shingles_a, shingles_b], equal_values } = numbers;
        let pair = DuplicatePair {
            a,
            b,
            shared,
            shingles_a,
            shingles_b,
            equal_values,
            num_hashes: num_hashes as u32,
            removed: None,
            kept_names: None,
            weights: None,
        };
        rows.push(&documents, &[pair], |document: DocId| self.orders[document.index()])
    }
}
