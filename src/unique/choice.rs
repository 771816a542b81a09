//! Chooses the representative of each group of duplicates, and lists each removed document with its representative.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::SystemTime;

use rayon::prelude::*;

use super::fates::Fates;
use super::jobs::{Fingerprints, each_job};
use super::settings::Keep;
use crate::base::error::{CorpusError, Error, Result};
use crate::compare::clusters::{CentreOrder, Clusters, Joined};
use crate::compare::verify::{Threshold, VerifiableSet, Verifier};
use crate::documents::document::{DocId, DocSet, Documents, FieldOrder, FieldValue};
use crate::documents::input::{PathGlob, path_of};
use crate::results::saved::GroupedResult;
use crate::search::corpus::{Rereader, read_field};
use crate::search::run::Settings;

/// A removed document and its representative. Needs 40 bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StandIn {
    /// The document that is removed.
    pub document: DocId,
    /// The representative, which is kept.
    pub by: DocId,
    /// Exact Jaccard similarity of the two documents, from 0 to 1. `None` if a saved result does not contain it: with
    /// [`Linkage::Components`](crate::compare::Linkage::Components), for two documents that are not a pair of the
    /// result.
    pub similarity: Option<f64>,
    /// The share of the document's shingles that are preserved in the representative, or in all similar documents that are
    /// kept, from 0 to 1. `None` without [`UniqueSettings::preserve`](super::UniqueSettings::preserve).
    pub preserved: Option<f64>,
}

/// The rules of a choice, and the inputs from which they read what they need.
#[derive(Clone, Copy)]
pub(super) struct KeepRules<'a> {
    pub(super) keep: &'a [Keep],
    pub(super) settings: &'a Settings,
    pub(super) prints: &'a Fingerprints,
}

impl KeepRules<'_> {
    /// The order in which documents are preferred as representatives: by the first rule, then by the others.
    ///
    /// * `num_own`: the number of documents in the inputs that are written, which come first.
    ///
    /// # Errors
    /// When a rule needs the times of the files and a file has changed, or a field that no record has.
    pub(super) fn order(self, documents: &Documents, num_own: usize) -> Result<CentreOrder> {
        order_of(self.keep, |keep| self.ranks(keep, documents, num_own))
    }

    /// The rank of each document by one rule.
    pub(super) fn ranks(self, keep: &Keep, documents: &Documents, num_own: usize) -> Result<Vec<u32>> {
        let all = || (0..documents.len()).map(DocId::new);
        let name_matches = |glob: &PathGlob, document| {
            let origin = documents.origin(document).expect("a run that writes a corpus keeps origins");
            glob.matches(path_of(origin.file), 0)
        };
        Ok(match keep {
            Keep::First => all().map(DocId::get).collect(),
            Keep::Last => all().map(|document| u32::MAX - document.get()).collect(),
            Keep::Longest => all().map(|document| u32::MAX - documents.num_shingles(document)).collect(),
            Keep::Shortest => all().map(|document| documents.num_shingles(document)).collect(),
            Keep::Newest | Keep::Oldest => by_time(keep, &self.times(documents, num_own)?),
            Keep::Max(field) | Keep::Min(field) if !documents.is_empty() => {
                let values = self.values(field, documents)?;
                let no_values = || Error::Corpus(CorpusError::NoValues(field.clone()));
                let order = FieldOrder::of(values.iter()).ok_or_else(no_values)?;
                let value = |document: usize| order.value(values[document]);
                // Documents without a value come last.
                match keep {
                    Keep::Max(_) => ranks(documents.len(), |it| (value(it).is_none(), Reverse(value(it)))),
                    _ => ranks(documents.len(), |it| (value(it).is_none(), value(it))),
                }
            }
            Keep::Max(_) | Keep::Min(_) => Vec::new(),
            Keep::PathOrder => ranks(documents.len(), |document| documents.name(DocId::new(document))),
            Keep::Matching(glob) => all().map(|document| u32::from(!name_matches(glob, document))).collect(),
        })
    }

    /// The time of each document: of its member of an archive, or of its file.
    ///
    /// * `num_own`: as in [`order`](Self::order); other documents have no time.
    pub(super) fn times(self, documents: &Documents, num_own: usize) -> Result<Vec<Option<SystemTime>>> {
        let inputs = self.settings.corpus().inputs();
        let mut times = vec![None; documents.len()];
        let none = DocSet::new(0);
        let fates = Fates::new(documents, &none).of_first(num_own);
        each_job(inputs, fates, self.prints, false, &mut |job| {
            let time = job.metadata.and_then(|metadata| metadata.modified().ok());
            for document in job.documents {
                let origin = documents.origin(DocId::new(document)).expect("a run that writes a corpus keeps origins");
                times[document] = inputs.member_times.of_member(origin.file).or(time);
            }
            Ok(())
        })?;
        Ok(times)
    }

    /// The value of a field in each document. The first pass has read one field; any other is read here.
    fn values(self, field: &str, documents: &Documents) -> Result<Vec<FieldValue>> {
        let all = (0..documents.len()).map(DocId::new);
        if self.settings.input.value_field.as_deref() == Some(field) && self.settings.input.groups.is_none() {
            return Ok(all.map(|document| documents.value(document)).collect());
        }
        let mut settings = self.settings.clone();
        settings.input.value_field = Some(field.to_owned());
        settings.input.groups = None;
        let (values, _) = read_field(settings.corpus(), &settings.cancel, &settings.thread_pool()?, documents)?;
        Ok(values)
    }
}

/// The order of documents by the first rule, then by the others.
///
/// * `rank`: the rank of each document by a rule.
///
/// # Errors
/// The error that `rank` returns.
pub(super) fn order_of(keep: &[Keep], rank: impl Fn(&Keep) -> Result<Vec<u32>>) -> Result<CentreOrder> {
    let mut ranked: Option<Vec<u32>> = None;
    // No documents are equal after the document order.
    for keep in keep.iter().take_while(|keep| !matches!(keep, Keep::First)) {
        let next = rank(keep)?;
        ranked = Some(match ranked {
            None => next,
            Some(before) => ranks(before.len(), |document| (before[document], next[document])),
        });
    }
    Ok(ranked.map_or_else(CentreOrder::of_documents, CentreOrder::by_rank))
}

/// The rank of each document by its time; documents without a time come last.
pub(super) fn by_time(keep: &Keep, times: &[Option<SystemTime>]) -> Vec<u32> {
    match keep {
        Keep::Oldest => ranks(times.len(), |document| (times[document].is_none(), times[document])),
        _ => ranks(times.len(), |document| Reverse(times[document])),
    }
}

/// The rank of each number below `len` by its key; equal keys have the same rank. Needs 8 bytes for each number.
pub(super) fn ranks<K: Ord>(len: usize, key: impl Fn(usize) -> K + Sync) -> Vec<u32> {
    let mut order: Vec<u32> = (0..len as u32).collect();
    order.par_sort_unstable_by(|&a, &b| key(a as usize).cmp(&key(b as usize)));
    let (mut ranks, mut rank) = (vec![0; len], 0);
    for (position, &number) in order.iter().enumerate() {
        if position > 0 && key(order[position - 1] as usize) != key(number as usize) {
            rank += 1;
        }
        ranks[number as usize] = rank;
    }
    ranks
}

/// Number of texts that one thread compares at a time. The set of a representative is built once for all of them that
/// it represents.
const TEXTS: usize = 64;

/// Lists the removed documents in ascending order, each with its representative and their similarity.
///
/// If a text joined its group through another document than the representative, their similarity is computed here,
/// once for each pair of texts.
///
/// # Errors
/// When a document that is read again has changed.
///
/// # Panics
/// Outside the thread pool of the run.
pub(super) fn stand_ins(clusters: &Clusters, documents: &Documents, rereader: &Rereader) -> Result<Vec<StandIn>> {
    let text = |document| documents.first_of_text(document).expect("a document of a group has a text");
    let all =
        || clusters.iter().flat_map(|group| group.joined.iter().map(move |joined| (joined, group.representative)));
    // Pairs of texts without a known similarity, sorted by the representative.
    let mut far: Vec<(DocId, DocId)> = all()
        .map(|(joined, by)| (text(by), text(joined.document), joined.by == by))
        .filter(|&(by, text, is_near)| !is_near && by != text)
        .map(|(by, text, _)| (by, text))
        .collect();
    far.par_sort_unstable();
    far.dedup();
    let counted: Vec<Vec<f64>> = far
        .par_chunks(TEXTS)
        .map(|texts| {
            let set_of = |document| set_of(document, documents, rereader);
            let of_group = |texts: &[(DocId, DocId)]| {
                let whole = set_of(texts[0].0)?;
                let mut verifier = Verifier::new(&whole);
                texts
                    .iter()
                    .map(|&(_, text)| Ok(similarity_to(&mut verifier, &whole, &set_of(text)?)))
                    .collect::<Result<Vec<f64>>>()
            };
            Ok(texts.chunk_by(|a, b| a.0 == b.0).map(of_group).collect::<Result<Vec<_>>>()?.concat())
        })
        .collect::<Result<_>>()?;
    let counted = counted.concat();
    let similarity = |joined: &Joined, by| {
        let texts = (text(by), text(joined.document));
        match far.binary_search(&texts) {
            _ if joined.by == by => joined.similarity,
            _ if texts.0 == texts.1 => 1.0,
            at => counted[at.expect("it was counted")],
        }
    };
    let mut all: Vec<StandIn> = all()
        .map(|(joined, by)| StandIn {
            document: joined.document,
            by,
            similarity: Some(similarity(joined, by)),
            preserved: None,
        })
        .collect();
    all.par_sort_unstable_by_key(|stand_in| stand_in.document);
    Ok(all)
}

/// Lists the removed documents of a saved result with their representatives, using the similarities of its pairs.
pub(super) fn saved_stand_ins(grouped: &GroupedResult) -> Vec<StandIn> {
    let GroupedResult { documents, clusters, edges, .. } = grouped;
    let texts = |joined: &Joined, by| {
        let [a, b] = [joined.document, by].map(|end| documents.first_of_text(end).unwrap_or(end));
        (a.min(b), a.max(b))
    };
    let all =
        || clusters.iter().flat_map(|group| group.joined.iter().map(move |joined| (joined, group.representative)));
    let mut others: HashMap<(DocId, DocId), Option<f64>> =
        all().filter(|(joined, by)| joined.by != *by).map(|(joined, by)| (texts(joined, by), None)).collect();
    for edge in edges {
        if let Some(similarity) = others.get_mut(&(edge.a, edge.b)) {
            *similarity = Some(edge.similarity);
        }
    }
    let mut stand_ins: Vec<StandIn> = all()
        .map(|(joined, by)| {
            let texts = texts(joined, by);
            let similarity = match others.get(&texts) {
                _ if joined.by == by => Some(joined.similarity),
                _ if texts.0 == texts.1 => Some(1.0),
                other => other.copied().flatten(),
            };
            StandIn { document: joined.document, by, similarity, preserved: None }
        })
        .collect();
    stand_ins.sort_unstable_by_key(|stand_in| stand_in.document);
    stand_ins
}

/// The exact Jaccard similarity of the verifier's set and another set, weighted if shingles have weights.
fn similarity_to(verifier: &mut Verifier, whole: &VerifiableSet, other: &VerifiableSet) -> f64 {
    whole.similarity(other, verifier.verify_in_full(other, Threshold::ZERO).unwrap_or_default())
}

/// Reads a document again and returns the shingle set of its text.
pub(super) fn set_of(document: DocId, documents: &Documents, rereader: &Rereader) -> Result<VerifiableSet> {
    let set = rereader.read_again(document, &mut |text, tools| tools.verifiable_set_of(text));
    set.ok_or_else(|| {
        Error::Corpus(CorpusError::Changed(String::from_utf8_lossy(documents.name(document)).into_owned()))
    })
}
