//! The choice: groups of documents in, for each document that is removed the one that stands for it out.

use std::cmp::Reverse;
use std::time::SystemTime;

use rayon::prelude::*;

use super::fates::Fates;
use super::jobs::{Fingerprints, each_job};
use super::settings::Keep;
use crate::clusters::{CentreOrder, Clusters, Joined};
use crate::corpus::Rereader;
use crate::document::{DocId, DocSet, Documents};
use crate::error::{Error, Result};
use crate::input::{Inputs, PathGlob, path_of};
use crate::shingle::ShingleSet;
use crate::verify::jaccard;

/// The order in which documents stand for others.
///
/// # Errors
/// When the files are asked for their times and are not what they were.
pub(super) fn keep_order(
    keep: &Keep,
    documents: &Documents,
    inputs: Inputs,
    prints: &Fingerprints,
) -> Result<CentreOrder> {
    let all = || (0..documents.len()).map(DocId::new);
    let name_matches = |glob: &PathGlob, document| {
        let origin = documents.origin(document).expect("a run that writes a corpus keeps origins");
        glob.matches(path_of(origin.file), 0)
    };
    if let Keep::Max(field) | Keep::Min(field) = keep
        && !documents.is_empty()
        && all().all(|document| documents.value(document).is_none())
    {
        return Err(Error::NoValues { field: field.clone() });
    }
    Ok(CentreOrder::by_rank(match keep {
        Keep::First => return Ok(CentreOrder::of_documents()),
        Keep::Last => all().map(|document| u32::MAX - document.get()).collect(),
        Keep::Longest => all().map(|document| u32::MAX - documents.num_shingles(document)).collect(),
        Keep::Shortest => all().map(|document| documents.num_shingles(document)).collect(),
        Keep::Newest => {
            let mut times = vec![SystemTime::UNIX_EPOCH; documents.len()];
            let none = DocSet::new(0);
            each_job(inputs, Fates::new(documents, &none), prints, false, &mut |job| {
                if let Some(Ok(time)) = job.metadata.map(|metadata| metadata.modified()) {
                    times[job.documents].fill(time);
                }
                Ok(())
            })?;
            ranks(documents.len(), |document| Reverse(times[document]))
        }
        // What has the field stands before what does not.
        Keep::Max(_) => ranks(documents.len(), |document| {
            let value = documents.value(DocId::new(document));
            (value.is_none(), Reverse(value))
        }),
        Keep::Min(_) => ranks(documents.len(), |document| {
            let value = documents.value(DocId::new(document));
            (value.is_none(), value)
        }),
        Keep::PathOrder => ranks(documents.len(), |document| documents.name(DocId::new(document))),
        Keep::Matching(glob) => all().map(|document| u32::from(!name_matches(glob, document))).collect(),
    }))
}

/// The rank of each number below `len` by its key; equal keys have one rank. 8 bytes each.
pub(super) fn ranks<K: Ord>(len: usize, key: impl Fn(usize) -> K + Sync) -> Vec<u32> {
    let mut order: Vec<u32> = (0..len as u32).collect();
    order.par_sort_unstable_by(|&a, &b| key(a as usize).cmp(&key(b as usize)));
    let (mut ranks, mut rank) = (vec![0; len], 0);
    for (place, &number) in order.iter().enumerate() {
        if place > 0 && key(order[place - 1] as usize) != key(number as usize) {
            rank += 1;
        }
        ranks[number as usize] = rank;
    }
    ranks
}

/// The documents that are removed, ascending, each with the one that stands for it and their similarity. 16 bytes each.
///
/// Where a document came into its group by another than the one that stands for it, their similarity is counted now.
///
/// # Errors
/// When one of them is not what it was.
///
/// # Panics
/// Outside the thread pool of the run.
pub(super) fn stand_ins(clusters: &Clusters, documents: &Documents, rereader: &Rereader) -> Result<Vec<Joined>> {
    let mut all: Vec<Joined> = Vec::with_capacity(clusters.num_grouped() - clusters.len());
    for group in clusters.iter() {
        all.extend(group.joined.iter().filter(|joined| joined.by == group.representative));
        let others: Vec<DocId> = group
            .joined
            .iter()
            .filter(|joined| joined.by != group.representative)
            .map(|joined| joined.document)
            .collect();
        let stand_in = group.representative;
        let set_of = |document| set_of(document, documents, rereader);
        let whole = if others.is_empty() { None } else { Some(set_of(stand_in)?) };
        let counted = others.par_iter().map(|&document| {
            let is_copy = documents.first_of_text(document) == documents.first_of_text(stand_in);
            let whole = whole.as_ref().expect("there are others");
            let similarity = if is_copy { 1.0 } else { jaccard(whole, &set_of(document)?) };
            Ok(Joined { document, by: stand_in, similarity })
        });
        all.extend(counted.collect::<Result<Vec<_>>>()?);
    }
    all.par_sort_unstable_by_key(|joined| joined.document);
    Ok(all)
}

fn set_of(document: DocId, documents: &Documents, rereader: &Rereader) -> Result<ShingleSet> {
    let first = documents.first_of_text(document).expect("a document of a group has a text");
    let set = rereader.read_again(first, &mut |text, tools| tools.set_of(text));
    set.ok_or_else(|| Error::ChangedBeforeWriting {
        place: String::from_utf8_lossy(documents.name(document)).into_owned(),
    })
}
