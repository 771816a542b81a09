//! `FoundContamination`: the documents that contain benchmarks, and the benchmarks that were found.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;

use super::benchmark::{Benchmark, BenchmarkText};
use super::benchmark_documents::BenchmarkDocuments;
use super::matcher::{MOST_DOCUMENTS, PieceHits, Span};
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
    /// For each benchmark text, the number of documents that contain enough of it, and the first of them.
    found: Vec<FoundText>,
    /// The documents that contain enough of a benchmark text, ascending.
    contaminated: Vec<DocId>,
    /// For each of them, the benchmark text with the largest share in it, the number of these words, and the number of
    /// texts that it contains to a sufficient part.
    best: Vec<(u32, u32, u32)>,
    /// For each of them, the bytes of its common runs.
    covered: Vec<Vec<Range<usize>>>,
    touched: u64,
    words: u64,
    benchmark_errors: u64,
}

/// The documents that contain a benchmark text.
#[derive(Debug, Default)]
struct FoundText {
    documents: u64,
    first: Vec<FoundIn>,
}

/// A document that contains a benchmark text.
#[derive(Debug)]
struct FoundIn {
    document: DocId,
    matched: u32,
    spans: Box<[Span]>,
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
        let (mut contaminated, mut best, mut covered) = (Vec::new(), Vec::<(u32, u32, u32)>::new(), Vec::new());
        let (mut touched, mut words) = (0, 0);
        for (first, piece) in pieces {
            touched += piece.touched;
            words += piece.words;
            covered.extend(piece.covered);
            for hit in piece.hits {
                let document = DocId::new(first + hit.document as usize);
                if contaminated.last() != Some(&document) {
                    contaminated.push(document);
                    best.push((hit.text, hit.matched, 0));
                }
                let (text, matched, texts) = best.last_mut().expect("just pushed");
                *texts += 1;
                let len = |text: u32| benchmark.texts[text as usize].words.len() as u64;
                if u64::from(hit.matched) * len(*text) > u64::from(*matched) * len(hit.text) {
                    (*text, *matched) = (hit.text, hit.matched);
                }
                let of_text = &mut found[hit.text as usize];
                of_text.documents += 1;
                if of_text.documents <= MOST_DOCUMENTS {
                    of_text.first.push(FoundIn { document, matched: hit.matched, spans: hit.spans });
                }
            }
        }
        Self {
            benchmark,
            benchmark_documents,
            documents,
            sources,
            summary,
            found,
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

    /// The contaminated documents, each with the bytes of its common runs in its decoded text.
    pub(crate) fn covered(&self) -> impl Iterator<Item = (DocId, &[Range<usize>])> {
        self.contaminated.iter().copied().zip(self.covered.iter().map(Vec::as_slice))
    }

    /// The mark of each contaminated document, in document order.
    pub(crate) fn marks(&self) -> impl Iterator<Item = (DocId, MarkRecord<'_>)> {
        self.contaminated.iter().zip(&self.best).map(|(&document, &(text, matched, texts))| {
            let of_text = &self.benchmark.texts[text as usize];
            let benchmark = Name::new(&self.benchmark_documents.rows[of_text.document as usize].name);
            let coverage = f64::from(matched) / of_text.words.len() as f64;
            (document, MarkRecord { benchmark, coverage, matched: matched.into(), texts: texts.into() })
        })
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
                contaminated: texts.iter().any(|&text| self.found[text].documents > 0),
                texts: texts.iter().map(|&text| self.record(text)).collect(),
            })
        })
    }

    fn record(&self, number: usize) -> FieldRecord<'_> {
        let text = &self.benchmark.texts[number];
        let (words, matched) = (text.words.len() as u64, self.matched(number));
        let FoundText { documents, first } = &self.found[number];
        FieldRecord {
            field: self.benchmark.settings.fields.get(text.field as usize).cloned(),
            words,
            too_short: !self.benchmark.can_be_found(text),
            matched,
            coverage: if words > 0 { matched as f64 / words as f64 } else { 0.0 },
            documents: *documents,
            found_in: first
                .iter()
                .map(|found| FoundInRecord {
                    name: Name::new(self.documents.name(found.document)),
                    matched: found.matched.into(),
                    spans: found.spans.iter().map(|span| self.span(span)).collect(),
                })
                .collect(),
        }
    }

    fn span(&self, span: &Span) -> SpanRecord {
        let bytes = &self.benchmark.bytes[span.benchmark as usize..][..span.len as usize];
        SpanRecord {
            words: span.len.into(),
            benchmark: [bytes[0][0], bytes[bytes.len() - 1][1]].map(u64::from),
            document: span.bytes.map(u64::from),
        }
    }

    /// The largest number of words of a benchmark text that are in runs of one document.
    fn matched(&self, text: usize) -> u64 {
        self.benchmark.most[text].load(Ordering::Relaxed).into()
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
            let contaminated = texts.iter().any(|&text| self.found[text].documents > 0);
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
