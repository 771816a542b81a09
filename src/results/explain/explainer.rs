//! `Explainer`: reads two documents again and compares them, as the second pass of a run would do it.

use super::explanation::{
    BandAgreement, Comparison, ExplainedDocument, ExplainedPassage, ExplainedPassages, Explanation, Verdict,
};
use super::names::NamedInput;
use crate::base::error::{Error, Result};
use crate::compare::passages::{Aligner, Alignment, LocatedPassage, PassageSettings, own_repeats};
use crate::compare::verify::{
    DuplicatePair, PairWeights, RemovedShingles, Threshold, VerifiableSet, Verifier, shared_shingles,
};
use crate::documents::document::{Bar, DocId, Documents};
use crate::search::corpus::{DecodedText, Listed, PositionedReader, PositionedText, StageSettings, Tools};
use crate::search::matching::MatchSettings;
use crate::search::pairs::PairSource;
use crate::search::run::Settings;
use crate::sign::banding::{band_keys, equal_bits};
use crate::sign::signature::equal_values;
use crate::text::normalize::{Disguises, ignored_parts, with_ignored};
use crate::text::removal::{Removal, remaining_and_removed};
use crate::text::shingle::{ShingleSet, Tokens};
use crate::text::weights::Weighing;

/// The data that are needed to explain documents.
pub(super) struct Explainer<'a> {
    pub(super) settings: &'a Settings,
    pub(super) documents: &'a Documents,
    pub(super) removal: Option<&'a Removal>,
    pub(super) list: &'a [Listed],
    pub(super) weighing: Option<&'a Weighing>,
}

/// An input of an explanation, after it was read.
pub(super) struct ReadDocument {
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
    /// The tools that cut and sign texts, for both documents of an explanation.
    pub(super) fn tools(&self) -> Tools<'_> {
        Tools::new(StageSettings { weights: self.weighing, ..self.settings.corpus() }, self.removal)
    }

    /// Reads a document.
    ///
    /// * `names`: the names of inputs that are not documents.
    pub(super) fn read(
        &self,
        found: NamedInput,
        names: [&[u8]; 2],
        reader: &PositionedReader,
        tools: &mut Tools,
    ) -> Result<ReadDocument> {
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
            .ok_or_else(|| Error::NoSuchDocument { name: String::from_utf8_lossy(&name).into_owned(), longer: None })?;
        let (set, removed) = tools.sets_of(&positions.text);
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

    /// Compares two documents.
    pub(super) fn explain(
        &self,
        [a, b]: [ReadDocument; 2],
        passages: Option<PassageSettings>,
        tools: &mut Tools,
    ) -> Explanation {
        let (mut comparison, mut found_passages) = (None, None);
        let mut verdict = a.verdict.or(b.verdict);
        if let (Some(read_a), Some(read_b)) = (&a.read, &b.read) {
            let mut is_matched = None;
            if let Some(passages) = passages {
                let (found, alignment) = self.align([&a, &b], [read_a, read_b], passages);
                found_passages = Some(found);
                let is_one = read_a.id == read_b.id;
                let is_enough = |matching: MatchSettings| match is_one {
                    true => !alignment.passages.is_empty(),
                    false => matching.is_reported(&alignment),
                };
                is_matched = self.settings.pairs.source.matching().map(is_enough);
            }
            if verdict.is_none() {
                let compared = self.compare(read_a, read_b, tools);
                verdict = Some(self.verdict(read_a.id, read_b.id, &compared, is_matched));
                comparison = Some(compared);
            }
        }
        let verdict = verdict.expect("two documents that are read are compared, or say why not");
        let (banding, threshold) = (self.settings.banding, self.settings.pairs.threshold);
        let (a, b, passages) = (a.explained, b.explained, found_passages);
        let source = self.settings.pairs.source;
        Explanation { a, b, verdict, comparison, passages, banding, threshold, source, errors: 0 }
    }

    /// The numbers of a pair.
    fn compare(&self, a: &ComparedText, b: &ComparedText, tools: &mut Tools) -> Comparison {
        let banding = self.settings.banding;
        let [(signature_a, keys_a), (signature_b, keys_b)] = [a, b].map(|read| {
            let signature = tools.sign(read.set.set().hashes(), read.set.weights());
            let mut keys = vec![0; banding.bands()];
            band_keys(&signature, &mut keys);
            (signature, keys)
        });
        let agreeing = keys_a.iter().zip(&keys_b).enumerate().filter(|(_, (a, b))| a == b).map(|(band, _)| band + 1);
        let found = Verifier::new(&a.set).verify_shared(&b.set, Threshold::ZERO).expect("every pair reaches 0");
        let shared = found.shingles;
        let (shingles_a, shingles_b) = (a.set.set().len() as u64, b.set.set().len() as u64);
        let weights = PairWeights { shared: found.weight, a: a.set.weight(), b: b.set.weight() };
        let weights = Some(weights).filter(|weights| weights.a > 0);
        let removed = self.removal.map(|_| RemovedShingles {
            a: a.removed.len() as u64,
            b: b.removed.len() as u64,
            shared: shared_shingles(&a.removed, &b.removed) as u64,
        });
        let equal = equal_bits(&signature_a, &signature_b);
        let is_excluded = self.settings.filter().is_some_and(|filter| equal < filter.least_equal());
        let missing = self.settings.pairs.threshold.least_shared(shingles_a, shingles_b).saturating_sub(shared);
        let pair = DuplicatePair {
            a: a.id,
            b: b.id,
            shared,
            shingles_a,
            shingles_b,
            equal_values: equal_values(&signature_a, &signature_b) as u32,
            num_hashes: banding.num_hashes() as u32,
            removed,
            kept_names: None,
            weights,
        };
        Comparison {
            pair,
            bands: BandAgreement {
                bands: banding.bands(),
                rows: banding.rows(),
                agree: agreeing.collect(),
                chance: banding.recall(pair.similarity()),
            },
            missing: if weights.is_some() { 0 } else { missing },
            is_excluded,
            same_text: self.documents.content(a.id) == self.documents.content(b.id),
        }
    }

    /// Whether a run reports two documents that have shingles, and why not.
    ///
    /// * `is_matched`: for a run that matches by passages, whether the passages suffice.
    fn verdict(&self, a: DocId, b: DocId, compared: &Comparison, is_matched: Option<bool>) -> Verdict {
        let bar = if a == b { self.bar_within(a) } else { self.documents.scope().bar(a, b) };
        match bar {
            Some(Bar::SameSide) => return Verdict::SameSide,
            Some(Bar::BothOld) => return Verdict::BothOld,
            Some(Bar::SameGroup) => return Verdict::SameGroup,
            Some(Bar::OtherGroup) => return Verdict::OtherGroup,
            None => {}
        }
        let (shared, of_a, of_b) = compared.pair.sizes();
        match is_matched {
            Some(false) => return Verdict::BelowCoverage,
            None if !self.settings.pairs.threshold.is_met(shared, of_a + of_b - shared) => {
                return Verdict::BelowThreshold;
            }
            Some(true) | None => {}
        }
        match self.settings.pairs.source {
            // Equal texts in one cell are pairs without any band; equal texts in two cells have equal signatures.
            PairSource::Bands if compared.bands.agree.is_empty() && !compared.same_text => return Verdict::NotFound,
            PairSource::Bands if compared.is_excluded => return Verdict::Excluded,
            PairSource::Bands | PairSource::AllPairs | PairSource::Passages(_) => {}
        }
        let first = |document| self.documents.first_of_text(document).expect("it has shingles");
        // Among equal texts in one cell, only the pairs of the first document with each other one are reported.
        let stand_for_others =
            if first(a) == first(b) { first(a) == a || first(b) == b } else { first(a) == a && first(b) == b };
        if self.settings.pairs.collapse_exact && !stand_for_others { Verdict::Copy } else { Verdict::Reported }
    }

    /// Why a document is not looked at for blocks that it repeats.
    fn bar_within(&self, document: DocId) -> Option<Bar> {
        let scope = self.documents.scope();
        let bar = || match scope.is_old(document) {
            true => Bar::BothOld,
            false if scope.side(document).is_some_and(|side| side != 0) => Bar::SameSide,
            false => Bar::SameGroup,
        };
        (!scope.compares_within(document)).then(bar)
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
        let is_one = read[0].id == read[1].id;
        let alignment = match is_one {
            true => own_repeats(&a, settings.anchor(), bytes).alignment,
            false => Aligner::with_memory(settings, bytes).align(&a, &b),
        };
        let part = |side: usize, tokens: &Tokens, range: std::ops::Range<usize>| {
            let bytes = tokens.trimmed_bytes_of(range);
            let part = read[side].positions.original(bytes.clone()).located(read[side].positions.of);
            (part, documents[side].explained.decoded.normalised.source_range(bytes))
        };
        let passages = alignment.passages.iter().map(|passage| {
            let ((part_a, files_a), shown_a) = part(0, &a, passage.a.clone());
            let ((part_b, files_b), shown_b) = part(1, &b, passage.b.clone());
            let (matched, exact) = (passage.matched as u64, passage.is_exact);
            ExplainedPassage {
                located: LocatedPassage { a: part_a, b: part_b, matched, exact, files_a, files_b },
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
            coverage_a: if is_one { alignment.share_of_a() } else { alignment.coverage_a() },
            coverage_b: if is_one { alignment.share_of_b() } else { alignment.coverage_b() },
            matched: alignment.matched() as u64,
            longest: alignment.longest as u64,
        };
        (explained, alignment)
    }
}
