//! `cluster_result`: groups the documents of a result by its pairs.
//!
//! A saved folder lists all documents in document order and says which are copies. A file of pairs contains only the
//! documents that are in pairs; these get an order that agrees with the lines ([`PairOrder`]).

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use super::filter::PairFilter;
use super::header::{DOCUMENTS, ResultHeader};
use super::pair_order::PairOrder;
use super::reader::SavedResult;
use crate::base::error::{Error, Result};
use crate::base::observe::Observer;
use crate::compare::clusters::{CentreOrder, ClusterBuilder, Clusters, Linkage, VerifiedEdge};
use crate::compare::verify::Threshold;
use crate::documents::document::{DocId, DocumentLocation, Documents, Origins, Scope};
use crate::records::{DocumentRecord, Name, PairSide, Treatment};
use crate::search::pairs::Coverages;
use crate::search::run::{FoundClusters, OrderOf};

/// The documents of a result, by name. 48 bytes and the name per document, as in a run, and about 40 bytes more.
pub(super) struct ResultDocuments {
    pub(super) documents: Documents,
    /// The documents by side and by the hash of the name.
    ids: HashMap<(Option<PairSide>, u128), DocId>,
    /// The number of documents of the first side; `None` without two sides.
    num_compared: Option<usize>,
    /// The number of documents that are not old; `None` without old documents.
    num_new: Option<usize>,
    /// Whether the result lists all documents.
    is_complete: bool,
}

/// Groups the documents of a result by its pairs.
///
/// * `filter`: selects the pairs to use.
/// * `order`: makes the order by which centres and representatives are chosen.
///
/// Needs 16 bytes per edge in addition to the documents.
///
/// # Errors
/// When the result cannot be read, or was saved with higher limits than the filter's.
pub fn cluster_result(
    result: &mut SavedResult,
    linkage: Linkage,
    filter: PairFilter,
    order: &mut OrderOf,
    observer: &dyn Observer,
) -> Result<(Documents, FoundClusters)> {
    let order = &mut |documents: &mut Documents| order(documents);
    let grouped = group_result(result, linkage, filter, false, observer, order)?;
    let joins = grouped.clusters.joins().iter().filter(|_| grouped.is_of_passages);
    let coverages = joins.map(|joined| grouped.coverages_of(joined.document, joined.by)).collect();
    let GroupedResult { documents, clusters, least, .. } = grouped;
    Ok((documents, FoundClusters { coverages, ..FoundClusters::of(clusters, linkage, least) }))
}

/// A result and the groups of its documents.
pub(crate) struct GroupedResult {
    pub(crate) documents: Documents,
    pub(crate) clusters: Clusters,
    /// The edges that form the groups: where copies count as one text, only edges between first documents.
    pub(crate) edges: Vec<VerifiedEdge>,
    /// The minimum similarity of an edge.
    pub(crate) least: Threshold,
    /// The coverages of pairs that match by their passages, by (lower document, higher document). 40 bytes per pair.
    coverages: HashMap<(DocId, DocId), Coverages>,
    /// Whether documents match by their passages, as far as the result shows.
    pub(crate) is_of_passages: bool,
}

impl GroupedResult {
    /// The coverages of two documents, in this order; `None` when the result does not contain them.
    pub(crate) fn coverages_of(&self, a: DocId, b: DocId) -> Option<Coverages> {
        let [first, second] = [a, b].map(|document| self.documents.first_of_text(document).unwrap_or(document));
        if first == second && self.is_of_passages {
            return Some([1.0, 1.0]);
        }
        let found = self.coverages.get(&(first.min(second), first.max(second)))?;
        Some(if first < second { *found } else { [found[1], found[0]] })
    }
}

/// Groups the documents of a result by its pairs.
///
/// * `filter`: as in [`cluster_result`].
/// * `with_origins`: whether documents have origins, which only a folder stores: 12 bytes per document.
/// * `order`: makes the order by which centres and representatives are chosen.
///
/// # Errors
/// As in [`cluster_result`], and when `order` fails.
pub(crate) fn group_result(
    result: &mut SavedResult,
    linkage: Linkage,
    filter: PairFilter,
    with_origins: bool,
    observer: &dyn Observer,
    order: &mut dyn FnMut(&mut Documents) -> Result<CentreOrder>,
) -> Result<GroupedResult> {
    result.check(&filter)?;
    let saved = result.header().map(ResultHeader::threshold).transpose()?.map(Threshold::new).transpose()?;
    let least = filter.threshold.or(saved).unwrap_or(Threshold::ZERO);
    let mut documents = ResultDocuments::of(result, with_origins, &mut |_| ())?;
    let copies_are_one_text = result.header().is_some_and(|header| header.copies_are_one_text);
    documents.group_copies(copies_are_one_text)?;
    let mut read = ResultEdges::read(result, &filter, &mut documents, copies_are_one_text, observer)?;
    if !documents.is_complete
        && let Some(order) = std::mem::take(&mut read.order).documents(documents.documents.len())
    {
        let numbers = documents.reorder(&order, &mut read.edges)?;
        read.covered.iter_mut().for_each(|((a, b), _)| (*a, *b) = (numbers[a.index()], numbers[b.index()]));
    }
    let ResultEdges { edges, covered, .. } = read;
    let in_order = |((a, b), [of_a, of_b]): ((DocId, DocId), Coverages)| {
        if a < b { ((a, b), [of_a, of_b]) } else { ((b, a), [of_b, of_a]) }
    };
    let is_of_passages = !covered.is_empty()
        || result.header().map(ResultHeader::matching).transpose()?.is_some_and(|matching| matching.is_some());
    let coverages = covered.into_iter().map(in_order).collect();
    let mut documents = documents.documents;
    let mut builder = ClusterBuilder::new(linkage, documents.len());
    edges.iter().for_each(|&edge| builder.add(edge));
    let order = order(&mut documents)?;
    let clusters =
        if copies_are_one_text { builder.finish_with_copies(&documents, &order) } else { builder.finish(&order) };
    Ok(GroupedResult { documents, clusters, edges, least, coverages, is_of_passages })
}

/// The pairs of a result as edges between its documents.
#[derive(Default)]
struct ResultEdges {
    edges: Vec<VerifiedEdge>,
    /// The coverages of pairs that match by their passages.
    covered: Vec<((DocId, DocId), Coverages)>,
    /// The order of the documents by the lines of pairs; empty if the result lists all documents.
    order: PairOrder,
}

impl ResultEdges {
    /// Reads the edges of a result.
    ///
    /// * `copies_are_one_text`: whether only edges between the first documents with their texts are read.
    ///
    /// # Errors
    /// When the result cannot be read, or has a pair of an unknown document or of one document.
    fn read(
        result: &mut SavedResult,
        filter: &PairFilter,
        documents: &mut ResultDocuments,
        copies_are_one_text: bool,
        observer: &dyn Observer,
    ) -> Result<Self> {
        let (mut read, path) = (Self::default(), result.path().to_owned());
        result.for_each_of(filter, observer, &mut |_, pair| {
            let (a, b) = (documents.id(&pair.a, PairSide::A, &path)?, documents.id(&pair.b, PairSide::B, &path)?);
            // A document that repeats blocks joins no group.
            if a == b && pair.is_of_one() {
                return Ok(());
            }
            if a == b {
                let name = String::from_utf8_lossy(&pair.a.to_bytes()).into_owned();
                let fault = format!("a pair has the document {name:?} twice; scan again");
                return Err(Error::SavedResult { path: path.clone(), fault });
            }
            let is_of_texts = documents.documents.is_first(a) && documents.documents.is_first(b);
            if copies_are_one_text && !is_of_texts {
                return Ok(());
            }
            read.edges.push(VerifiedEdge::new(a, b, pair.jaccard));
            if let (Some(of_a), Some(of_b), Some(_)) = (pair.coverage_a, pair.coverage_b, pair.matched) {
                read.covered.push(((a, b), [of_a, of_b]));
            }
            if !documents.is_complete {
                read.order.push(a, b);
            }
            Ok(())
        })?;
        Ok(read)
    }
}

/// Passes on the documents of a saved folder, without the inputs that are not documents.
///
/// # Errors
/// When the documents cannot be read, and the error that `pass` returns.
///
/// # Panics
/// When the result is not a folder.
pub(crate) fn each_document(result: &SavedResult, pass: &mut dyn FnMut(&DocumentRecord) -> Result<()>) -> Result<()> {
    let header = result.header().expect("a folder");
    let fault = |fault: String| Error::SavedResult { path: result.path().to_owned(), fault };
    let unreadable = |error| fault(format!("{DOCUMENTS}: {error}; scan again"));
    let lines = BufReader::new(File::open(result.path().join(DOCUMENTS)).map_err(unreadable)?).split(b'\n');
    let mut num_lines = 0;
    for line in lines {
        let line = line.map_err(unreadable)?;
        num_lines += 1;
        let record: DocumentRecord = serde_json::from_slice(&line)
            .map_err(|error| fault(format!("line {num_lines} of {DOCUMENTS} is no document ({error}); scan again")))?;
        if !matches!(record.treatment, Treatment::Binary | Treatment::Skipped) {
            pass(&record)?;
        }
    }
    if num_lines != header.documents {
        return Err(fault(format!("it has {num_lines} of its {} documents; scan again", header.documents)));
    }
    Ok(())
}

impl SavedResult {
    /// Passes on the name of every document of a saved folder; nothing for other results.
    ///
    /// # Errors
    /// When the list of documents cannot be read.
    pub fn each_name(&self, pass: &mut dyn FnMut(&[u8])) -> Result<()> {
        if self.header().is_none() {
            return Ok(());
        }
        each_document(self, &mut |record| {
            pass(&record.name.to_bytes());
            Ok(())
        })
    }
}

impl ResultDocuments {
    /// The documents of a saved folder; an empty list for other results.
    ///
    /// * `with_origins`: whether documents have origins.
    /// * `visit`: receives each document.
    pub(super) fn of(result: &SavedResult, with_origins: bool, visit: &mut dyn FnMut(&DocumentRecord)) -> Result<Self> {
        let is_complete = result.header().is_some();
        let mut documents = Self {
            documents: Documents::default(),
            ids: HashMap::new(),
            num_compared: None,
            num_new: None,
            is_complete,
        };
        if is_complete {
            let (mut origins, mut last) = (Origins::with_capacity(0)?, None);
            each_document(result, &mut |record| {
                visit(record);
                if record.side == Some(PairSide::A) {
                    documents.num_compared = Some(documents.documents.len() + 1);
                } else if record.side.is_some() {
                    documents.num_compared.get_or_insert(documents.documents.len());
                }
                if record.old == Some(true) {
                    documents.num_new.get_or_insert(documents.documents.len());
                }
                let hash = record.text_hash.as_deref().and_then(|hash| u128::from_str_radix(hash, 16).ok());
                if with_origins {
                    push_origin(&mut origins, record, &mut last);
                }
                documents.push(&record.name, record.side, hash, record.occurrences.unwrap_or(1)).map(drop)
            })?;
            documents.documents.set_origins(with_origins.then_some(origins));
        }
        Ok(documents)
    }

    /// Adds a document.
    ///
    /// * `occurrences`: the number of shingles, counting repeats; ignored for a document without a text.
    fn push(
        &mut self,
        name: &Name,
        side: Option<PairSide>,
        text_hash: Option<u128>,
        occurrences: u32,
    ) -> Result<DocId> {
        let name = name.to_bytes();
        let located = DocumentLocation { offset: 0, len: 0, source: DocumentLocation::FILE };
        let id = self.documents.push(&name, text_hash, text_hash.map_or(0, |_| occurrences), located)?;
        self.ids.insert((side, xxh3_128(&name)), id);
        Ok(id)
    }

    /// Renumbers documents that have only a name in this order, and the edges accordingly. Returns the new number of
    /// each document.
    fn reorder(&mut self, order: &[DocId], edges: &mut [VerifiedEdge]) -> Result<Vec<DocId>> {
        let named = std::mem::take(&mut self.documents);
        let mut numbers = vec![DocId::new(0); order.len()];
        for &document in order {
            numbers[document.index()] =
                self.push(&Name::new(named.name(document)), None, Some(document.index() as u128 + 1), 1)?;
        }
        for edge in edges {
            *edge = VerifiedEdge::new(numbers[edge.a.index()], numbers[edge.b.index()], edge.similarity);
        }
        Ok(numbers)
    }

    /// Finds the first document with each text, among the documents that the run compared with one another.
    ///
    /// * `copies_are_one_text`: whether copies count as one text, wherever they are.
    fn group_copies(&mut self, copies_are_one_text: bool) -> Result<()> {
        let num_documents = self.documents.len();
        let scope = match (self.num_compared, self.num_new) {
            _ if copies_are_one_text => Scope::default(),
            // The same name may occur on both sides.
            (Some(num_compared), _) => Scope::new(num_documents, Some(num_compared), None),
            (None, Some(num_new)) => Scope::with_old(num_documents, num_new, None),
            (None, None) => return Ok(()),
        };
        self.documents.group_copies(scope)
    }

    /// The document with this name. A result without a list of documents adds an unknown name.
    pub(super) fn id(&mut self, name: &Name, side: PairSide, path: &Path) -> Result<DocId> {
        let side = self.num_compared.map(|_| side);
        if let Some(&id) = self.ids.get(&(side, xxh3_128(&name.to_bytes()))) {
            return Ok(id);
        }
        if self.is_complete {
            let name = String::from_utf8_lossy(&name.to_bytes()).into_owned();
            let fault = format!("a pair has the document {name:?}, which {DOCUMENTS} has not; scan again");
            return Err(Error::SavedResult { path: path.to_owned(), fault });
        }
        // Without a list of documents, all texts are assumed to differ.
        self.push(name, side, Some(self.documents.len() as u128 + 1), 1)
    }
}

/// Adds the origin of a document.
///
/// * `last`: the file of records that was started last, and whether its places are rows.
fn push_origin(origins: &mut Origins, record: &DocumentRecord, last: &mut Option<(Vec<u8>, bool)>) {
    let name = record.name.to_bytes();
    let file = record.source.as_ref().map_or(name.clone(), |source| source.file.to_bytes());
    let index = record.source.as_ref().and_then(|source| source.index.as_ref());
    origins.in_index(index.map(Name::to_bytes).as_deref());
    match record.source.as_ref().and_then(|source| Some((source.line.or(source.row)?, source.row.is_some()))) {
        Some((place, has_rows)) => {
            if last.as_ref().is_none_or(|(last, had_rows)| *last != *file || *had_rows != has_rows) {
                origins.begin_file(&file, has_rows);
                *last = Some((file, has_rows));
            }
            origins.push_record(place);
        }
        None => {
            let offset = record.source.as_ref().and_then(|source| source.offset);
            origins.push_file((file != name).then_some(&file), offset);
        }
    }
}
