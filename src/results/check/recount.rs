//! `Recount`: counts pairs of documents again, one pair at a time, without candidates, blocks or slices.

use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::base::error::Result;
use crate::base::observe::Observer;
use crate::base::problem::ProblemCounts;
use crate::compare::passages::{LocatedPassages, PassageSettings};
use crate::compare::verify::{
    DuplicatePair, PairWeights, RemovedShingles, Threshold, VerifiableSet, Verifier, shared_shingles,
};
use crate::documents::document::{DocId, Documents};
use crate::search::corpus::{ReadCorpus, Rereader};
use crate::search::pairs::{IdentifierSearch, PassageSearch};
use crate::sign::banding::TextPair;
use crate::sign::signature::equal_values;
use crate::text::removal::Removal;
use crate::text::shingle::ShingleSet;

/// Counts pairs again from the texts of their documents.
pub(super) struct Recount<'a> {
    corpus: ReadCorpus<'a>,
    rereader: Rereader<'a>,
    identifiers: Option<IdentifierSearch<'a>>,
    passages: Option<PassageSearch<'a>>,
    /// The texts of the last pairs, since texts that are similar to one text are often similar to the next one, too.
    texts: HashMap<DocId, RecountedText>,
}

/// The shingles of a text, and its signature.
struct RecountedText {
    set: VerifiableSet,
    removed: ShingleSet,
    signature: Box<[u32]>,
}

/// The bytes that a shingle of a text takes while its pairs are counted: its hash, and its weight with the space for
/// sorting.
const BYTES_PER_SHINGLE: u64 = 24;
/// The maximum number of pairs that a thread counts at a time.
const PAIRS_AT_ONCE: usize = 64;

impl<'a> Recount<'a> {
    /// * `kept_templates`: the shingles of templates with identifiers kept.
    /// * `passages`: the definition of a passage; `None` finds no passages.
    /// * `is_matching`: whether pairs match by their passages.
    pub(super) fn new(
        corpus: ReadCorpus<'a>,
        kept_names: Option<usize>,
        kept_templates: Option<&'a Removal>,
        passages: Option<PassageSettings>,
        is_matching: bool,
    ) -> Self {
        let search = passages.map(|passages| {
            let search = PassageSearch::new(corpus, passages, corpus.memory().passages());
            if is_matching { search.of_matches(Arc::default()) } else { search }
        });
        Self {
            corpus,
            rereader: corpus.rereader(),
            identifiers: kept_names.map(|size| IdentifierSearch::new(corpus, size, kept_templates)),
            passages: search,
            texts: HashMap::new(),
        }
    }

    /// The number of bytes that a document takes while its pairs are counted, about.
    pub(super) fn bytes_of(&self, document: DocId) -> u64 {
        u64::from(self.corpus.documents.num_shingles(document)) * BYTES_PER_SHINGLE
    }

    /// Counts pairs, in the pool; `None` for a pair with a document that has no shingles or cannot be read again.
    pub(super) fn count(&mut self, pairs: &[TextPair]) -> Vec<Option<DuplicatePair>> {
        let documents = self.corpus.documents;
        let mut needed: Vec<DocId> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
        needed.sort_unstable();
        needed.dedup();
        let num_bytes = |documents: &mut dyn Iterator<Item = DocId>| documents.map(|id| self.bytes_of(id)).sum::<u64>();
        let missing: Vec<DocId> = needed.iter().copied().filter(|id| !self.texts.contains_key(id)).collect();
        let all = num_bytes(&mut self.texts.keys().copied()) + num_bytes(&mut missing.iter().copied());
        let read = |&document: &DocId| Some((document, self.read(documents.first_of_text(document)?)?));
        let texts: Vec<(DocId, RecountedText)> = missing.par_iter().with_max_len(1).filter_map(read).collect();
        if all > self.corpus.settings.resources.memory_bytes / 2 {
            self.texts.retain(|id, _| needed.binary_search(id).is_ok());
        }
        self.texts.extend(texts);
        let (texts, has_removal) = (&self.texts, self.corpus.removal.is_some());
        let same_first = pairs.chunk_by(|pair, next| pair.a == next.a).flat_map(|pairs| pairs.chunks(PAIRS_AT_ONCE));
        let count = |pairs: &&[TextPair]| count(pairs, texts, has_removal);
        let counted: Vec<Option<DuplicatePair>> =
            same_first.collect::<Vec<_>>().par_iter().flat_map_iter(count).collect();
        let Some(identifiers) = &mut self.identifiers else { return counted };
        let known: Vec<DuplicatePair> = counted.iter().flatten().copied().collect();
        let mut compared = identifiers.compared(&known).into_iter();
        counted.into_iter().map(|pair| pair.and_then(|_| compared.next())).collect()
    }

    /// Passes on pairs with their passages, in the pool.
    ///
    /// * `wants_passages`: whether passages are searched for; otherwise pairs have none.
    ///
    /// # Errors
    /// When `sink` fails.
    pub(super) fn with_passages(
        &mut self,
        wants_passages: bool,
        pairs: &[DuplicatePair],
        mut sink: impl FnMut(&DuplicatePair, Option<Option<&LocatedPassages>>) -> Result<()>,
    ) -> Result<()> {
        let Some(search) = self.passages.as_mut().filter(|_| wants_passages) else {
            return pairs.iter().try_for_each(|pair| sink(pair, None));
        };
        search.pass_on(pairs, |pairs, passages| {
            pairs.iter().zip(passages).try_for_each(|(pair, passages)| sink(pair, Some(passages.as_ref())))
        })
    }

    fn read(&self, first: DocId) -> Option<RecountedText> {
        self.rereader.read_again(first, &mut |text, tools| {
            let (set, removed) = tools.sets_of(text);
            let signature = tools.sign(set.set().hashes(), set.weights());
            RecountedText { set, removed, signature }
        })
    }

    /// Reports the documents that could not be read again, and returns their number.
    pub(super) fn finish(self, observer: &dyn Observer) -> u64 {
        let mut problems = self.rereader.into_problems();
        problems.extend(self.identifiers.map(IdentifierSearch::into_problems).unwrap_or_default());
        problems.extend(self.passages.map(|passages| passages.finish().1).unwrap_or_default());
        let mut counts = ProblemCounts::default();
        for problem in &problems {
            counts.count(problem);
            observer.problem(problem);
        }
        counts.errors
    }
}

/// Counts pairs with the same first text.
fn count(pairs: &[TextPair], texts: &HashMap<DocId, RecountedText>, has_removal: bool) -> Vec<Option<DuplicatePair>> {
    let Some(a) = texts.get(&pairs[0].a) else { return vec![None; pairs.len()] };
    let mut verifier = Verifier::new(&a.set);
    let mut count = |pair: &TextPair| {
        let b = texts.get(&pair.b)?;
        let found = verifier.verify_shared(&b.set, Threshold::ZERO)?;
        let weights = PairWeights { shared: found.weight, a: a.set.weight(), b: b.set.weight() };
        let removed = || RemovedShingles {
            a: a.removed.len() as u64,
            b: b.removed.len() as u64,
            shared: shared_shingles(&a.removed, &b.removed) as u64,
        };
        Some(DuplicatePair {
            a: pair.a,
            b: pair.b,
            shared: found.shingles,
            shingles_a: a.set.set().len() as u64,
            shingles_b: b.set.set().len() as u64,
            equal_values: equal_values(&a.signature, &b.signature) as u32,
            num_hashes: a.signature.len() as u32,
            removed: has_removal.then(removed),
            kept_names: None,
            weights: Some(weights).filter(|weights| weights.a > 0),
        })
    };
    pairs.iter().map(&mut count).collect()
}

/// The documents of a corpus by their names.
pub(super) struct DocumentsByName(HashMap<u128, [DocId; 2]>);

impl DocumentsByName {
    pub(super) fn new(documents: &Documents) -> Self {
        let mut ids: HashMap<u128, [DocId; 2]> = HashMap::with_capacity(documents.len());
        for id in (0..documents.len()).map(DocId::new) {
            let hash = xxhash_rust::xxh3::xxh3_128(documents.name(id));
            ids.entry(hash).and_modify(|[_, last]| *last = id).or_insert([id; 2]);
        }
        Self(ids)
    }

    /// The documents with two names. The two sides of a comparison may each have a document of one name; the first name
    /// means the document of the first side, the second name the document of the second side.
    pub(super) fn pair(&self, a: &[u8], b: &[u8]) -> [Option<DocId>; 2] {
        let ids = [a, b].map(|name| self.0.get(&xxhash_rust::xxh3::xxh3_128(name)));
        [ids[0].map(|ids| ids[0]), ids[1].map(|ids| ids[1])]
    }
}
