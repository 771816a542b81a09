//! `RowGroup`: collects the documents of a group, and finds the pairs that a run over these documents finds.

use std::collections::HashMap;
use std::sync::Mutex;

use xxhash_rust::xxh3::xxh3_128;

use super::verified_rows::VerifiedRows;
use crate::base::error::{Error, Result};
use crate::base::observe::Observer;
use crate::base::problem::Problem;
use crate::documents::document::{DocId, DocumentLocation, Documents, Kept, KeptForm, OffsetsOf, Scope};
use crate::documents::input::Sources;
use crate::search::corpus::{KeptTexts, ReadCorpus, StageSettings, TextSigner};
use crate::search::pairs::{PairSearch, PairSettings};
use crate::sign::banding::BucketTable;

/// The maximum number of bytes of a text: the position of a kept text stores its length in 32 bits.
const MOST_BYTES: usize = u32::MAX as usize - 1;

/// The documents of a group so far. Their texts are in memory as long as they fit, otherwise in an unlinked file.
pub(super) struct RowGroup {
    pub(super) name: Vec<u8>,
    documents: Documents,
    orders: Vec<u8>,
    /// The end of the order of each document in `orders`.
    order_ends: Vec<usize>,
    /// The band keys of the documents with shingles, one after another; zeros for copies.
    keys: Vec<u64>,
    kept: KeptTexts,
    sources: Sources,
    /// The documents by the hashes of their ids; filled when a copy is added.
    numbers: HashMap<u128, DocId>,
    num_numbered: usize,
}

impl RowGroup {
    pub(super) fn new(name: &[u8], settings: StageSettings) -> Self {
        Self {
            name: name.to_vec(),
            documents: Documents::default(),
            orders: Vec::new(),
            order_ends: Vec::new(),
            keys: Vec::new(),
            kept: KeptTexts::new(settings.memory().kept_texts()),
            sources: Sources::default(),
            numbers: HashMap::new(),
            num_numbered: 0,
        }
    }

    /// The number of documents.
    pub(super) fn len(&self) -> usize {
        self.documents.len()
    }

    /// The order and the id of the last document.
    pub(super) fn last(&self) -> Option<(&[u8], &[u8])> {
        let last = DocId::new(self.documents.len().checked_sub(1)?);
        Some((self.order(last), self.documents.name(last)))
    }

    fn order(&self, document: DocId) -> &[u8] {
        let start = document.index().checked_sub(1).map_or(0, |before| self.order_ends[before]);
        &self.orders[start..self.order_ends[document.index()]]
    }

    /// Adds a document at the end; returns `false` when its text is too long.
    ///
    /// # Errors
    /// When there is not enough memory or disk space for the document.
    pub(super) fn push(
        &mut self,
        order: &[u8],
        id: &[u8],
        text: &mut Vec<u8>,
        signer: &mut TextSigner,
    ) -> Result<bool> {
        if text.len() > MOST_BYTES {
            return Ok(false);
        }
        let original = text.clone();
        let signed = signer.sign(id, text)?;
        let mut located = DocumentLocation { offset: 0, len: 0, source: 0 };
        if let Some(signed) = signed
            && !self.kept.keep(signed.content, text)
        {
            let kept = Kept { form: KeptForm::Text, of: OffsetsOf::Field };
            located = self.sources.keep(&original, kept, || id.to_vec());
            self.sources.check()?;
        }
        self.keys.extend_from_slice(signer.keys());
        let num_shingles = signed.map_or(0, |signed| u32::try_from(signed.num_shingles).unwrap_or(u32::MAX));
        self.documents.push(id, signed.map(|signed| signed.content), num_shingles, located)?;
        self.documents.push_syntax(signed.and_then(|signed| signed.syntax))?;
        self.orders.extend_from_slice(order);
        self.order_ends.push(self.orders.len());
        Ok(true)
    }

    /// Adds a document that has the text of an earlier document; returns `false` when that document is missing or has
    /// no text.
    ///
    /// * `of`: the id of the earlier document.
    ///
    /// # Errors
    /// When there is not enough memory for the document.
    pub(super) fn push_copy(&mut self, order: &[u8], id: &[u8], of: &[u8], num_bands: usize) -> Result<bool> {
        for document in (self.num_numbered..self.documents.len()).map(DocId::new) {
            self.numbers.insert(xxh3_128(self.documents.name(document)), document);
        }
        self.num_numbered = self.documents.len();
        let of = self.numbers.get(&xxh3_128(of)).filter(|&&of| self.documents.is_compared(of));
        let Some(&of) = of else { return Ok(false) };
        let documents = &mut self.documents;
        let (content, num_shingles, located) =
            (documents.content(of), documents.num_shingles(of), documents.located(of));
        documents.push(id, Some(content), num_shingles, located)?;
        documents.push_syntax(documents.syntax(of))?;
        // Only the keys of the first document with a text count.
        self.keys.extend(std::iter::repeat_n(0, num_bands));
        self.orders.extend_from_slice(order);
        self.order_ends.push(self.orders.len());
        Ok(true)
    }

    /// Finds and writes the pairs of the group, and ends it.
    ///
    /// # Errors
    /// When rows cannot be written, or a text cannot be read again.
    ///
    /// # Panics
    /// When called outside the thread pool of the run.
    pub(super) fn verify(
        mut self,
        settings: StageSettings,
        pairs: PairSettings,
        rows: &mut VerifiedRows,
    ) -> Result<()> {
        self.documents.group_copies(Scope::default())?;
        let (documents, num_bands) = (&self.documents, settings.banding.bands());
        let table = BucketTable::build(num_bands, documents.len(), |band, bucket| {
            let keys = self.keys.chunks_exact(num_bands).map(|keys| keys[band]);
            bucket.extend(keys.zip(documents.with_text()).filter(|&(_, document)| documents.is_first(document)));
        });
        let settings = StageSettings { kept: Some(&self.kept), ..settings };
        let pairs = PairSettings { collapse_exact: true, ..pairs };
        let first_problem = FirstProblem::default();
        let corpus =
            ReadCorpus { observer: &first_problem, settings, removal: None, documents, sources: &self.sources };
        let search = PairSearch::new(corpus, pairs);
        let order = |document| self.order(document);
        search.run(&table, &mut |documents, pairs| rows.push(documents, pairs, order))?;
        self.sources.check()?;
        if let Some(problem) = first_problem.0.into_inner().expect("no holder panics") {
            return Err(Error::Changed(problem));
        }
        rows.end_group(Some(&self.name), self.documents.len() as u64)
    }
}

/// Keeps the first problem, a text that could not be read again; it ends the filter.
#[derive(Default)]
struct FirstProblem(Mutex<Option<Problem>>);

impl Observer for FirstProblem {
    fn problem(&self, problem: &Problem) {
        self.0.lock().expect("no holder panics").get_or_insert_with(|| problem.clone());
    }
}
