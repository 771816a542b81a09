//! `PreservingChoice`: chooses the documents that stay one after another, by the pairs of all texts.
//!
//! A star of [`ClusterBuilder`](crate::compare::clusters) needs only some of the pairs. Two choices need all of them: a document
//! that is removed only when its shingles are preserved in kept documents, and a corpus that is written without the
//! documents of another one, whose documents are all kept.

use std::collections::{HashMap, HashSet};

use super::choice::{StandIn, set_of};
use super::settings::Preserve;
use crate::base::error::Result;
use crate::compare::clusters::CentreOrder;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::{DocId, DocSet, Documents};
use crate::search::corpus::Rereader;

/// A verified pair of texts, seen from one of them. 32 bytes.
#[derive(Debug, Clone, Copy)]
struct Edge {
    text: DocId,
    other: DocId,
    similarity: f64,
    /// The share of the shingles of `text` that `other` has.
    contained: f64,
}

/// Collects the pairs of a run, and chooses the documents that stay.
#[derive(Debug, Default)]
pub(super) struct PreservingChoice {
    edges: Vec<Edge>,
}

/// The removed documents, and the number of documents that stay although they are similar to a kept one.
pub(super) struct Chosen {
    pub(super) stand_ins: Vec<StandIn>,
    pub(super) num_unpreserved: u64,
}

impl PreservingChoice {
    /// Adds pairs. Both directions of a pair need 64 bytes.
    pub(super) fn add_pairs(&mut self, documents: &Documents, pairs: &[DuplicatePair]) {
        for pair in pairs {
            let text = |document| documents.first_of_text(document).unwrap_or(document);
            let (a, b, similarity) = (text(pair.a), text(pair.b), pair.similarity());
            if a != b {
                self.edges.push(Edge { text: a, other: b, similarity, contained: pair.containment_a() });
                self.edges.push(Edge { text: b, other: a, similarity, contained: pair.containment_b() });
            }
        }
    }

    /// Chooses in the order of preference: each text that no kept text replaces is kept itself.
    ///
    /// * `num_own`: the number of documents that can be removed, which come first; all others are kept.
    /// * `preserve`: what a kept text must have of a text that it replaces; otherwise their similarity is enough.
    ///
    /// # Errors
    /// When a document that is read again has changed.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(super) fn choose(
        mut self,
        documents: &Documents,
        order: &CentreOrder,
        num_own: usize,
        preserve: Option<Preserve>,
        rereader: &Rereader,
    ) -> Result<Chosen> {
        self.edges.sort_unstable_by_key(|edge| (edge.text, edge.other));
        let positions = order.text_positions(documents);
        let copies = |text: DocId| std::iter::once(text).chain(documents.copies_of(text));
        let is_own = |document: &DocId| document.index() < num_own;
        let mut texts: Vec<(bool, u32, DocId)> = documents
            .with_text()
            .filter(|&document| documents.is_first(document))
            .map(|text| {
                let position = positions.as_ref().map_or(text.get(), |positions| positions[text.index()]);
                (copies(text).all(|document| is_own(&document)), position, text)
            })
            .collect();
        // The texts of the other corpus come first.
        texts.sort_unstable();
        let rank: HashMap<DocId, usize> = texts.iter().enumerate().map(|(rank, &(.., text))| (text, rank)).collect();
        let representative = |text: DocId| {
            let other = copies(text).find(|document| !is_own(document));
            other.or_else(|| order.first(copies(text))).expect("a text has a document")
        };
        let (mut kept, mut stand_ins, mut num_unpreserved) = (DocSet::new(documents.len()), Vec::new(), 0);
        for &(is_own_text, _, text) in &texts {
            let by =
                if is_own_text { self.replacement(text, &kept, &rank, preserve, documents, rereader)? } else { None };
            let (by, similarity, contained) = match by {
                Some(FoundReplacement { by: Some((by, similarity, contained)) }) => {
                    (representative(by), similarity, contained)
                }
                other => {
                    let own = copies(text).filter(is_own).count() as u64;
                    num_unpreserved += if other.is_some() { own } else { 0 };
                    kept.insert(text);
                    (representative(text), 1.0, 1.0)
                }
            };
            let removed = copies(text).filter(|document| is_own(document) && *document != by);
            let preserved = preserve.map(|_| contained);
            stand_ins.extend(removed.map(|document| StandIn { document, by, similarity: Some(similarity), preserved }));
        }
        stand_ins.sort_unstable_by_key(|stand_in| stand_in.document);
        Ok(Chosen { stand_ins, num_unpreserved })
    }

    /// Finds the kept text that replaces a text; `None` when no kept text is similar to it.
    fn replacement(
        &self,
        text: DocId,
        kept: &DocSet,
        rank: &HashMap<DocId, usize>,
        preserve: Option<Preserve>,
        documents: &Documents,
        rereader: &Rereader,
    ) -> Result<Option<FoundReplacement>> {
        let start = self.edges.partition_point(|edge| edge.text < text);
        let edges = self.edges[start..].iter().take_while(|edge| edge.text == text);
        let similar: Vec<&Edge> = edges.filter(|edge| kept.contains(edge.other)).collect();
        let found =
            |edge: &Edge, contained: f64| Some(FoundReplacement { by: Some((edge.other, edge.similarity, contained)) });
        let Some(first) = similar.iter().min_by_key(|edge| rank[&edge.other]) else { return Ok(None) };
        let Some(Preserve { share, several }) = preserve else { return Ok(found(first, first.contained)) };
        let most = similar
            .iter()
            .max_by(|a, b| a.contained.total_cmp(&b.contained).then(rank[&b.other].cmp(&rank[&a.other])))
            .expect("there is one");
        if most.contained >= share {
            return Ok(found(most, most.contained));
        }
        if several && similar.len() > 1 {
            let whole = set_of(text, documents, rereader)?;
            let mut missing: HashSet<u64> = whole.set().hashes().iter().copied().collect();
            for edge in &similar {
                let other = set_of(edge.other, documents, rereader)?;
                for hash in other.set().hashes() {
                    missing.remove(hash);
                }
            }
            let num_shared = whole.set().len() - missing.len();
            let contained = num_shared as f64 / whole.set().len() as f64;
            if contained >= share {
                return Ok(found(most, contained));
            }
        }
        Ok(Some(FoundReplacement { by: None }))
    }
}

/// The outcome for a text that is similar to a kept one: the kept text that replaces it, their similarity, and the share of
/// its shingles that is preserved; or `None` if too little of it is.
struct FoundReplacement {
    by: Option<(DocId, f64, f64)>,
}
