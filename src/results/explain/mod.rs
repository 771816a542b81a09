//! `explain`: shows how similar two documents of a corpus are, where, and why they are or are not reported as a pair.
//!
//! The first pass of a run over the same inputs determines the properties of the two documents: their sides and groups,
//! the shingles that are removed from them, and whether they are compared at all. Then only these two are read again
//! and compared, as the second pass would do it. So the verdict is the verdict of a run.
//!
//! `explanation` holds the result, `names` finds the documents, `record` is the form for scripts.

mod explanation;
mod names;
mod record;

pub use self::explanation::{
    BandAgreement, Comparison, ExplainedDocument, ExplainedPassage, ExplainedPassages, Explanation, Verdict,
};
use self::names::NamedInput;
pub use self::record::ExplanationRecord;
use crate::base::error::{Error, Result};
use crate::base::observe::{Observer, Stage};
use crate::compare::passages::{Aligner, Alignment, DocumentPart, LocatedPassage, PassageSettings};
use crate::compare::verify::{PairWeights, Threshold, VerifiableSet, Verifier, jaccard, shared_shingles};
use crate::documents::document::{Bar, DocId, Documents};
use crate::documents::input::{InputSettings, Sources};
use crate::search::corpus;
use crate::search::corpus::{
    DecodedText, FirstPass, IdentifierReader, Listed, PositionedReader, PositionedText, StageSettings,
};
use crate::search::run::Settings;
use crate::sign::banding::{band_keys, equal_bits};
use crate::sign::signature::equal_values;
use crate::text::normalize::{Disguises, ignored_parts, with_ignored};
use crate::text::removal::{Remaining, Removal, remaining_and_removed};
use crate::text::shingle::{ShingleSet, ShingleSetBuilder, Tokens};
use crate::text::weights::Weighing;

/// Explains how two documents of the inputs compare, and why a run with these settings does or does not report them.
///
/// * `names`: the names of two documents, as in pairs. `file:line` also finds a record that has an id, and the name of
///   a file or an archive finds the only document in it.
/// * `passages`: the definition of passages; `None` looks for none. Settings that match by passages override it.
///
/// The verdict is whether [`find_duplicates`](crate::search::find_duplicates) reports the pair. All documents are read and
/// signed once. The two documents are read a second time and held in memory with their shingles.
///
/// # Errors
/// When the run fails, when a name matches no document or several, or when a document changed between the two readings;
/// with `passages` also when the documents are sets, whose elements have no order.
pub fn explain(
    settings: &Settings,
    names: [&[u8]; 2],
    passages: Option<PassageSettings>,
    observer: &dyn Observer,
) -> Result<Explanation> {
    check_passages(settings, passages)?;
    ExplainableCorpus::read(settings, observer)?.explain(names, passages)
}

/// Inputs that were read once, so that any two of their documents can be explained. Needs 48 bytes and the name per
/// document, and 16 bytes more for its place.
pub struct ExplainableCorpus {
    settings: Settings,
    pool: rayon::ThreadPool,
    sources: Sources,
    documents: Documents,
    removal: Option<Removal>,
    list: Vec<Listed>,
    errors: u64,
    /// The shingles of templates with identifiers kept.
    kept_templates: Option<Removal>,
    /// The weights of shingles; `None` without weights.
    weighing: Option<Weighing>,
}

impl ExplainableCorpus {
    /// Reads and signs all documents.
    ///
    /// # Errors
    /// When the run fails.
    pub fn read(settings: &Settings, observer: &dyn Observer) -> Result<Self> {
        let input = InputSettings { with_offsets: true, with_source: true, ..settings.input.clone() };
        let settings = Settings { input, ..settings.clone() };
        settings.check()?;
        let pool = settings.thread_pool()?;
        let sources = Sources::new(settings.cancel.clone());
        observer.begin(Stage::Read);
        let weighing = settings.weights.as_ref().map(Weighing::new);
        let with_weights = StageSettings { weights: weighing.as_ref(), ..settings.corpus() };
        let FirstPass { corpus, removal, list, summary } = corpus::read(with_weights, &sources, observer, &pool, true)?;
        let documents = corpus.into_documents();
        let kept_templates = settings
            .pairs
            .kept_names
            .map(|size| corpus::read_kept_templates(settings.corpus(), size.get(), sources.cancel(), observer, &pool));
        let kept_templates = kept_templates.transpose()?.flatten();
        let errors = summary.problems.errors;
        Ok(Self { settings, pool, sources, documents, removal, list, errors, kept_templates, weighing })
    }

    /// Explains two of the documents, as [`explain`] does.
    ///
    /// # Errors
    /// When a name matches no document or several, or when a document changed since it was read; with `passages` also
    /// when the documents are sets.
    pub fn explain(&self, names: [&[u8]; 2], passages: Option<PassageSettings>) -> Result<Explanation> {
        let Self { settings, documents, list, .. } = self;
        check_passages(settings, passages)?;
        let passages = settings.pairs.by_passages.map(|matching| matching.passages).or(passages);
        let [a, b] = names::find(documents, list, names)?;
        if let (NamedInput::Document(a), NamedInput::Document(b)) = (&a, &b)
            && a == b
        {
            return Err(Error::OneDocument { name: String::from_utf8_lossy(documents.name(*a)).into_owned() });
        }
        let weighing = self.weighing.as_ref();
        let explainer = Explainer { settings, documents, removal: self.removal.as_ref(), list, weighing };
        let reader = PositionedReader::new(settings.corpus(), documents, &self.sources);
        let ids = [a.document(), b.document()];
        let read = self.pool.install(|| [a, b].map(|found| explainer.read(found, names, &reader)));
        if let Some(problem) = reader.into_problems().into_iter().next() {
            return Err(Error::Changed(problem));
        }
        let [a, b] = read;
        let mut explanation = explainer.explain(a?, b?, passages);
        explanation.errors = self.errors;
        if let ([Some(a), Some(b)], Some(comparison)) = (ids, &mut explanation.comparison) {
            comparison.kept_similarity = self.kept_similarity(a, b)?;
        }
        self.sources.check()?;
        Ok(explanation)
    }
}

impl ExplainableCorpus {
    /// The similarity of two program sources with their identifiers kept; `None` unless the run computes it.
    fn kept_similarity(&self, a: DocId, b: DocId) -> Result<Option<f64>> {
        let Some(size) = self.settings.pairs.kept_names else { return Ok(None) };
        let (corpus, templates) = (self.settings.corpus(), self.kept_templates.as_ref());
        let reader = IdentifierReader::new(corpus, size.get(), templates, &self.documents, &self.sources);
        let sets = self.pool.install(|| [a, b].map(|document| reader.read(document)));
        match (sets, reader.into_problems().into_iter().next()) {
            (_, Some(problem)) => Err(Error::Changed(problem)),
            ([Some(a), Some(b)], None) => Ok(Some(jaccard(&a, &b))),
            _ => Ok(None),
        }
    }
}

fn check_passages(settings: &Settings, passages: Option<PassageSettings>) -> Result<()> {
    if passages.is_some() && settings.shingles.of_sets() { Err(Error::PassagesOfSets) } else { Ok(()) }
}

/// The data that are needed to explain documents.
struct Explainer<'a> {
    settings: &'a Settings,
    documents: &'a Documents,
    removal: Option<&'a Removal>,
    list: &'a [Listed],
    weighing: Option<&'a Weighing>,
}

/// An input of an explanation, after it was read.
struct ReadDocument {
    explained: ExplainedDocument,
    /// The reason why the document is in no pair at all; `None` for a document that is compared.
    verdict: Option<Verdict>,
    /// `None` for an input that is not a document.
    read: Option<ComparedText>,
}

/// A document in memory.
struct ComparedText {
    id: DocId,
    positions: PositionedText,
    set: VerifiableSet,
    removed: ShingleSet,
}

impl Explainer<'_> {
    fn read(&self, found: NamedInput, names: [&[u8]; 2], reader: &PositionedReader) -> Result<ReadDocument> {
        let id = match found {
            NamedInput::Document(id) => id,
            NamedInput::Skipped { problem, side } => {
                let explained = ExplainedDocument {
                    name: names[side].to_vec(),
                    shingles: 0,
                    removed: 0,
                    detail: Some(problem.detail.clone()),
                    disguises: Disguises::default(),
                    decoded: DecodedText::default(),
                };
                return Ok(ReadDocument { explained, verdict: Some(Verdict::of_skipped(problem)), read: None });
            }
        };
        let name = self.documents.name(id).to_vec();
        let (positions, decoded) = reader
            .read_decoded(id)
            .ok_or_else(|| Error::NoSuchDocument { name: String::from_utf8_lossy(&name).into_owned() })?;
        let corpus = self.settings.corpus();
        let (mut shingler, mut buffer) = (corpus.shingler(), Vec::new());
        let (mut kept, mut removed) = (ShingleSetBuilder::default(), ShingleSetBuilder::default());
        let mut remove = |hash| removed.extend(&[hash]);
        let set = match self.weighing.and_then(|weighing| weighing.weigher(corpus.shingles)) {
            Some(mut weigher) => {
                let mut weights = Vec::new();
                let mut keep = |block: &[u64], of_block: &[u32]| kept.extend_weighted(block, of_block, &mut weights);
                weigher.for_each_block(&mut shingler, self.removal, &positions.text, &mut remove, &mut keep);
                VerifiableSet::weighted(kept.take(), weights.into())
            }
            None => {
                Remaining::new(shingler.shingles_utf8(&positions.text), self.removal, &mut buffer)
                    .for_each_block_and(&mut remove, &mut |block| kept.extend(block));
                VerifiableSet::new(kept.take())
            }
        };
        let removed = removed.take();
        let sizes = self.list.iter().find_map(|listed| match listed {
            Listed::Document(other, sizes) if *other == id => Some(sizes),
            _ => None,
        });
        let is_emptied = sizes.is_some_and(|sizes| sizes.is_emptied);
        let disguises = sizes.map(|sizes| sizes.disguises).unwrap_or_default();
        let verdict = match self.documents.first_of_text(id) {
            Some(_) => None,
            None if is_emptied => Some(Verdict::Emptied),
            None => Some(Verdict::Empty),
        };
        let (shingles, num_removed) = (set.set().len() as u64, removed.len() as u64);
        let explained = ExplainedDocument { name, shingles, removed: num_removed, detail: None, disguises, decoded };
        Ok(ReadDocument { explained, verdict, read: Some(ComparedText { id, positions, set, removed }) })
    }

    fn explain(&self, a: ReadDocument, b: ReadDocument, passages: Option<PassageSettings>) -> Explanation {
        let (mut comparison, mut found_passages) = (None, None);
        let mut verdict = a.verdict.or(b.verdict);
        if let (Some(read_a), Some(read_b)) = (&a.read, &b.read) {
            let mut is_matched = None;
            if let Some(passages) = passages {
                let (found, alignment) = self.align([&a, &b], [read_a, read_b], passages);
                found_passages = Some(found);
                is_matched = self.settings.pairs.by_passages.map(|matching| matching.is_reported(&alignment));
            }
            if verdict.is_none() {
                let compared = self.compare(read_a, read_b);
                verdict = Some(self.verdict(read_a.id, read_b.id, &compared, is_matched));
                comparison = Some(compared);
            }
        }
        let verdict = verdict.expect("two documents that are read are compared, or say why not");
        let (banding, threshold) = (self.settings.banding, self.settings.pairs.threshold);
        let (a, b, matching) = (a.explained, b.explained, self.settings.pairs.by_passages);
        let (passages, all_pairs) = (found_passages, self.settings.pairs.all_pairs);
        Explanation { a, b, verdict, comparison, passages, banding, threshold, all_pairs, matching, errors: 0 }
    }

    /// The numbers of a pair.
    fn compare(&self, a: &ComparedText, b: &ComparedText) -> Comparison {
        let banding = self.settings.banding;
        let mut signer = self.settings.corpus().signer();
        let [(signature_a, keys_a), (signature_b, keys_b)] = [a, b].map(|read| {
            let (mut signature, mut keys) = (vec![0; signer.num_hashes()], vec![0; banding.bands()]);
            match read.set.weight() {
                0 => signer.sign(&mut read.set.set(), &mut signature),
                _ => signer.sign_weighted(read.set.set().hashes(), read.set.weights(), &mut signature),
            };
            band_keys(&signature, &mut keys);
            (signature, keys)
        });
        let agreeing = keys_a.iter().zip(&keys_b).enumerate().filter(|(_, (a, b))| a == b).map(|(band, _)| band + 1);
        let found = Verifier::new(&a.set).verify_shared(&b.set, Threshold::ZERO).expect("every pair reaches 0");
        let shared = found.shingles;
        let (shingles_a, shingles_b) = (a.set.set().len() as u64, b.set.set().len() as u64);
        let weights = PairWeights { shared: found.weight, a: a.set.weight(), b: b.set.weight() };
        let weights = Some(weights).filter(|weights| weights.a > 0);
        let raw_similarity = self.removal.map(|_| {
            let shared = shared + shared_shingles(&a.removed, &b.removed) as u64;
            let all = shingles_a + shingles_b + (a.removed.len() + b.removed.len()) as u64;
            shared as f64 / (all - shared) as f64
        });
        let equal = equal_bits(&signature_a, &signature_b);
        let is_excluded = self.settings.filter().is_some_and(|filter| equal < filter.least_equal());
        let missing = self.settings.pairs.threshold.least_shared(shingles_a, shingles_b).saturating_sub(shared);
        let mut comparison = Comparison {
            shared,
            shingles_a,
            shingles_b,
            equal_values: equal_values(&signature_a, &signature_b) as u32,
            num_hashes: banding.num_hashes() as u32,
            raw_similarity,
            kept_similarity: None,
            bands: BandAgreement {
                bands: banding.bands(),
                rows: banding.rows(),
                agree: agreeing.collect(),
                chance: 0.0,
            },
            missing: if weights.is_some() { 0 } else { missing },
            is_excluded,
            same_text: self.documents.content(a.id) == self.documents.content(b.id),
            weights,
        };
        comparison.bands.chance = banding.recall(comparison.similarity());
        comparison
    }

    /// Whether a run reports two documents that have shingles, and why not.
    ///
    /// * `is_matched`: for a run that matches by passages, whether the passages suffice.
    fn verdict(&self, a: DocId, b: DocId, compared: &Comparison, is_matched: Option<bool>) -> Verdict {
        match self.documents.scope().bar(a, b) {
            Some(Bar::SameSide) => return Verdict::SameSide,
            Some(Bar::SameGroup) => return Verdict::SameGroup,
            Some(Bar::OtherGroup) => return Verdict::OtherGroup,
            None => {}
        }
        let (shared, of_a, of_b) = compared.sizes();
        match is_matched {
            Some(false) => return Verdict::BelowCoverage,
            Some(true) => {}
            None if !self.settings.pairs.threshold.is_met(shared, of_a + of_b - shared) => {
                return Verdict::BelowThreshold;
            }
            // Equal texts in one cell are pairs without any band; equal texts in two cells have equal signatures.
            None if self.settings.pairs.all_pairs => {}
            None if compared.bands.agree.is_empty() && !compared.same_text => return Verdict::NotFound,
            None if compared.is_excluded => return Verdict::Excluded,
            None => {}
        }
        let first = |document| self.documents.first_of_text(document).expect("it has shingles");
        // Among equal texts in one cell, only the pairs of the first document with each other one are reported.
        let stand_for_others =
            if first(a) == first(b) { first(a) == a || first(b) == b } else { first(a) == a && first(b) == b };
        if self.settings.pairs.collapse_exact && !stand_for_others { Verdict::Copy } else { Verdict::Reported }
    }

    fn align(
        &self,
        documents: [&ReadDocument; 2],
        read: [&ComparedText; 2],
        settings: PassageSettings,
    ) -> (ExplainedPassages, Alignment) {
        let mut shingler = self.settings.corpus().shingler();
        let [(a, removed_a), (b, removed_b)] =
            read.map(|read| remaining_and_removed(&mut shingler, self.removal, read.positions.text.clone()));
        let bytes = self.settings.corpus().memory().passages();
        let alignment = Aligner::with_memory(settings, bytes).align(&a, &b);
        let part = |side: usize, tokens: &Tokens, range: std::ops::Range<usize>| {
            let bytes = tokens.trimmed_bytes_of(range);
            let original = read[side].positions.original(bytes.clone());
            let part = DocumentPart {
                lines: original.lines,
                parts: original.parts,
                bytes: [original.bytes.start as u64, original.bytes.end as u64],
                of: read[side].positions.of,
            };
            (part, documents[side].explained.decoded.normalised.source_range(bytes))
        };
        let passages = alignment.passages.iter().map(|passage| {
            let (part_a, shown_a) = part(0, &a, passage.a.clone());
            let (part_b, shown_b) = part(1, &b, passage.b.clone());
            let (matched, exact) = (passage.matched as u64, passage.is_exact);
            ExplainedPassage {
                located: LocatedPassage { a: part_a, b: part_b, matched, exact },
                a: shown_a,
                b: shown_b,
            }
        });
        let shown = |side: usize, removed: Vec<std::ops::Range<usize>>| {
            let decoded = &documents[side].explained.decoded;
            let normalised = &read[side].positions.text;
            let ignored = ignored_parts(&self.settings.normalization, &decoded.text, normalised, &decoded.normalised);
            let removed = removed.into_iter().map(|bytes| decoded.normalised.source_range(bytes)).collect();
            with_ignored(removed, self.settings.removal.words(), ignored)
        };
        let [(shown_a, words_a), (shown_b, words_b)] = [shown(0, removed_a), shown(1, removed_b)];
        let explained = ExplainedPassages {
            // If only one text has such parts, its label is used.
            removed_words: if shown_a.is_empty() { words_b } else { words_a },
            removed: [shown_a, shown_b],
            passages: passages.collect(),
            coverage_a: alignment.coverage_a(),
            coverage_b: alignment.coverage_b(),
            matched: alignment.matched() as u64,
            longest: alignment.longest as u64,
        };
        (explained, alignment)
    }
}
