//! `FoundContamination`: the documents that contain benchmarks, and the benchmarks that were found.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::Path;

use super::benchmark::Benchmark;
use super::benchmark_documents::BenchmarkDocuments;
use super::benchmark_text::{BenchmarkText, Span};
use super::hits::{Hit, HitCounts, MOST_DOCUMENTS, PieceHits};
use super::record::{
    BenchmarkFile, BenchmarkRecord, ContaminationSummary, FieldRecord, FoundInRecord, MarkRecord, SpanRecord,
};
use crate::base::error::Result;
use crate::documents::document::{DocId, Documents};
use crate::documents::input::{Sources, path_bytes, path_of};
use crate::records::Name;
use crate::search::corpus::{ReadSummary, WatchedCorpus};

/// The result of a search for benchmarks.
pub(crate) struct FoundContamination {
    benchmark: Benchmark,
    benchmark_documents: BenchmarkDocuments,
    pub(crate) documents: Documents,
    /// The sources by which documents are read again.
    pub(crate) sources: Sources,
    pub(crate) summary: ReadSummary,
    /// The documents that contain each benchmark text and are not counted for its class.
    found: Vec<FoundText>,
    /// The documents that contain texts of each class by their popular runs.
    found_classes: Vec<FoundClass>,
    /// The documents that contain enough of a benchmark text, ascending.
    contaminated: Vec<DocId>,
    /// For each of them, the benchmark text with the largest share in it, the number of these words, and the number of
    /// texts that it contains to a sufficient part.
    best: Vec<(u32, u32, u64)>,
    /// For each of them, the bytes that are cut.
    covered: Vec<Vec<Range<usize>>>,
    touched: u64,
    words: u64,
    benchmark_errors: u64,
}

/// The documents that contain a benchmark text.
#[derive(Debug, Default)]
struct FoundText {
    /// The number of documents that are not counted for its class.
    documents: u64,
    /// The first documents that have other than popular runs in common with it, whether or not they are counted for its
    /// class.
    first: Vec<FoundIn>,
}

/// The documents that contain a class of benchmark texts by their popular runs.
#[derive(Debug, Default)]
struct FoundClass {
    counts: HitCounts,
    first: Vec<FoundIn>,
}

/// A document that contains a benchmark text.
#[derive(Debug)]
struct FoundIn {
    document: DocId,
    matched: u32,
    spans: Box<[Span]>,
}

impl FoundIn {
    /// * `first`: the number of the first document of the piece.
    fn new(first: usize, hit: Hit) -> Self {
        Self { document: DocId::new(first + hit.document as usize), matched: hit.matched, spans: hit.spans }
    }
}

impl FoundContamination {
    pub(super) fn new(
        benchmark: Benchmark,
        benchmark_documents: BenchmarkDocuments,
        benchmark_errors: u64,
        watched: WatchedCorpus<PieceHits>,
        sources: Sources,
    ) -> Self {
        let WatchedCorpus { documents, found: pieces, summary } = watched;
        let mut found: Vec<FoundText> = benchmark.texts.iter().map(|_| FoundText::default()).collect();
        let mut found_classes: Vec<FoundClass> =
            (0..benchmark.alike.num_classes()).map(|_| FoundClass::default()).collect();
        let (mut contaminated, mut best, mut covered) = (Vec::new(), Vec::new(), Vec::new());
        let (mut touched, mut words) = (0, 0);
        for (first, piece) in pieces {
            touched += piece.touched;
            words += piece.words;
            for document in piece.documents {
                contaminated.push(DocId::new(first + document.document as usize));
                best.push((document.text, document.matched, document.texts));
                covered.push(document.covered);
            }
            for hit in piece.texts {
                let of_text = &mut found[hit.of as usize];
                if (of_text.first.len() as u64) < MOST_DOCUMENTS {
                    of_text.first.push(FoundIn::new(first, hit));
                }
            }
            piece.num_of_text.into_iter().for_each(|(text, number)| found[text as usize].documents += number);
            // The hits that the piece kept are its first ones, so they are counted first.
            let mut kept: HashMap<u32, HitCounts> = HashMap::new();
            for hit in piece.classes {
                let class = &mut found_classes[hit.of as usize];
                let counts = kept.entry(hit.of).or_insert_with(|| class.counts.clone());
                if counts.add(hit.matched) {
                    class.first.push(FoundIn::new(first, hit));
                }
            }
            piece.num_of_class.iter().for_each(|(&class, counts)| found_classes[class as usize].counts.append(counts));
        }
        Self {
            benchmark,
            benchmark_documents,
            documents,
            sources,
            summary,
            found,
            found_classes,
            contaminated,
            best,
            covered,
            touched,
            words,
            benchmark_errors,
        }
    }

    /// The documents that contain enough of a benchmark text, ascending.
    pub(crate) fn contaminated(&self) -> &[DocId] {
        &self.contaminated
    }

    /// The contaminated documents, each with the bytes of its decoded text that are cut.
    pub(crate) fn covered(&self) -> impl Iterator<Item = (DocId, &[Range<usize>])> {
        self.contaminated.iter().copied().zip(self.covered.iter().map(Vec::as_slice))
    }

    /// The mark of each contaminated document, in document order.
    pub(crate) fn marks(&self) -> impl Iterator<Item = (DocId, MarkRecord<'_>)> {
        self.contaminated.iter().zip(&self.best).map(|(&document, &(text, matched, texts))| {
            let of_text = &self.benchmark.texts[text as usize];
            let benchmark = Name::new(&self.benchmark_documents.rows[of_text.document as usize].name);
            let coverage = f64::from(matched) / of_text.words.len() as f64;
            (document, MarkRecord { benchmark, coverage, matched: matched.into(), texts })
        })
    }

    /// The number of documents that contain enough of a text.
    fn num_documents(&self, text: usize) -> u64 {
        let is_found = |matched| self.benchmark.is_found(text as u32, matched);
        let class = self.benchmark.alike.class_of(text).map(|class| &self.found_classes[class as usize]);
        self.found[text].documents + class.map_or(0, |class| class.counts.num_found(is_found))
    }

    /// The first documents that contain enough of a text, in document order.
    fn found_in(&self, text: usize) -> Vec<FoundInRecord<'_>> {
        let mut found: BTreeMap<DocId, FoundInRecord> = BTreeMap::new();
        let record = |found: &FoundIn, spans| FoundInRecord {
            name: Name::new(self.documents.name(found.document)),
            matched: found.matched.into(),
            spans,
        };
        if let Some(class) = self.benchmark.alike.class_of(text) {
            let moved = |span| self.span(&self.benchmark.alike.moved(span, class, text as u32));
            let is_found = |found: &&FoundIn| self.benchmark.is_found(text as u32, found.matched);
            let first = self.found_classes[class as usize].first.iter().filter(is_found).take(MOST_DOCUMENTS as usize);
            found.extend(first.map(|found| (found.document, record(found, found.spans.iter().map(moved).collect()))));
        }
        // Other runs add to the popular ones.
        let spans = |found: &FoundIn| found.spans.iter().map(|span| self.span(span)).collect();
        found.extend(self.found[text].first.iter().map(|found| (found.document, record(found, spans(found)))));
        found.into_values().take(MOST_DOCUMENTS as usize).collect()
    }

    /// Passes a record for each benchmark document that has a run in common with a document, in document order.
    ///
    /// # Errors
    /// When `sink` fails.
    pub(crate) fn for_each_record(&self, sink: &mut dyn FnMut(&BenchmarkRecord) -> Result<()>) -> Result<()> {
        self.for_each_document(&mut |document, texts| {
            if texts.iter().all(|&text| self.matched(text) == 0) {
                return Ok(());
            }
            let row = &self.benchmark_documents.rows[document];
            sink(&BenchmarkRecord {
                benchmark: Name::new(&row.name),
                file: Name::new(&row.file),
                contaminated: texts.iter().any(|&text| self.num_documents(text) > 0),
                texts: texts.iter().map(|&text| self.record(text)).collect(),
            })
        })
    }

    fn record(&self, number: usize) -> FieldRecord<'_> {
        let text = &self.benchmark.texts[number];
        let (words, matched) = (text.words.len() as u64, self.matched(number));
        FieldRecord {
            field: self.benchmark.settings.fields.get(text.field as usize).cloned(),
            words,
            too_short: !self.benchmark.can_be_found(text),
            matched,
            coverage: if words > 0 { matched as f64 / words as f64 } else { 0.0 },
            documents: self.num_documents(number),
            found_in: self.found_in(number),
        }
    }

    fn span(&self, span: &Span) -> SpanRecord {
        let bytes = &self.benchmark.bytes[span.benchmark as usize..][..span.len as usize];
        SpanRecord {
            words: span.len.into(),
            benchmark: [bytes[0][0], bytes[bytes.len() - 1][1]].map(u64::from),
            document: span.bytes.map(u64::from),
            again: span.again.iter().map(|bytes| bytes.map(u64::from)).collect(),
        }
    }

    /// The largest number of words of a benchmark text that are in runs of one document.
    fn matched(&self, text: usize) -> u64 {
        self.benchmark.most(text).into()
    }

    /// Calls `visit` with each benchmark document and its texts.
    fn for_each_document(&self, visit: &mut dyn FnMut(usize, &[usize]) -> Result<()>) -> Result<()> {
        let mut by_document: Vec<usize> = (0..self.benchmark.texts.len()).collect();
        by_document.sort_by_key(|&text| self.benchmark.texts[text].document);
        let document = |text: &usize| self.benchmark.texts[*text].document;
        by_document
            .chunk_by(|a, b| document(a) == document(b))
            .try_for_each(|texts| visit(document(&texts[0]) as usize, texts))
    }

    /// The numbers of the search.
    pub(crate) fn summary(&self) -> ContaminationSummary {
        let settings = &self.benchmark.settings;
        let mut files: BTreeMap<usize, BenchmarkFile> = BTreeMap::new();
        let mut order: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        let is_short = |text: &BenchmarkText| !self.benchmark.can_be_found(text);
        let visited = self.for_each_document(&mut |document, texts| {
            let file = self.group_of(document);
            let next = order.len();
            let at = *order.entry(file.clone()).or_insert(next);
            let counts = files.entry(at).or_insert_with(|| BenchmarkFile {
                file: String::from_utf8_lossy(&file).into_owned(),
                documents: 0,
                contaminated: 0,
                wholly: 0,
                too_short: 0,
                not_searched: 0,
            });
            let num_short = texts.iter().filter(|&&text| is_short(&self.benchmark.texts[text])).count();
            let is_whole = |&text: &usize| {
                let of_text = &self.benchmark.texts[text];
                is_short(of_text) || self.matched(text) == of_text.words.len() as u64
            };
            let contaminated = texts.iter().any(|&text| self.num_documents(text) > 0);
            counts.documents += 1;
            counts.contaminated += u64::from(contaminated);
            counts.wholly += u64::from(contaminated && texts.iter().all(is_whole));
            counts.too_short += u64::from(num_short > 0);
            counts.not_searched += u64::from(num_short == texts.len());
            Ok(())
        });
        visited.expect("nothing here fails");
        ContaminationSummary {
            min_run: settings.min_run,
            min_whole: settings.whole_len(),
            coverage: settings.coverage.value(),
            min_matched: settings.min_matched,
            fields: settings.fields.clone(),
            words: self.words,
            touched: self.touched,
            contaminated: self.contaminated.len() as u64,
            benchmark_errors: self.benchmark_errors,
            benchmark_memory: self.benchmark.num_bytes() as u64,
            benchmarks: files.into_values().collect(),
        }
    }

    /// The file of a record, or the folder of a file that is one text.
    fn group_of(&self, document: usize) -> Vec<u8> {
        let row = &self.benchmark_documents.rows[document];
        if row.is_record {
            return row.file.clone();
        }
        let folder = path_of(&row.file).parent().filter(|folder| *folder != Path::new(""));
        folder.map_or_else(|| row.file.clone(), |folder| path_bytes(folder).to_vec())
    }
}
