//! `check_result`: recomputes every number of a result from its documents, and finds the pairs that the result lacks.
//!
//! The documents are read and searched as the run did, which gives the pairs that the result must have. Then each line of
//! the result is counted again from the texts of its two documents, without the candidates, blocks and slices
//! of the search. So a fault of the search shows as a difference. An audit of the search bounds what it missed.
//!
//! `recount` counts pairs, `document_lines` checks the lines about documents, and `fault` describes a difference.

mod document_lines;
mod fault;
mod recount;

use std::io::BufRead;
use std::path::Path;

use serde_json::{Map, Value};

use self::document_lines::{DocumentLines, next_line, object, object_of};
use self::fault::{CountedFaults, differences, text_name};
pub use self::fault::{Fault, FaultKind, FaultSink};
use self::recount::{DocumentsByName, Recount};
use super::saved::{DOCUMENTS, HEADER, PAIRS, ResultHeader, changed_files, changed_inputs, open_pairs};
use crate::base::error::{Error, Result};
use crate::base::observe::{Observer, Stage};
use crate::compare::passages::PassageSettings;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::{DocId, Documents};
use crate::documents::input::InputSettings;
use crate::records::{DocumentRecord, Name, PairRecord, push_json};
use crate::search::corpus;
use crate::search::corpus::ReadCorpus;
use crate::search::run::{Search, Searched, Settings, Summary};
use crate::sign::banding::TextPair;

/// The maximum number of lines that are counted together.
const LINES_AT_ONCE: usize = 1024;

/// Checks in addition to the numbers of a line.
#[derive(Debug, Clone, Copy, Default)]
pub struct CheckSettings {
    /// The definition of a passage; `None` for sets, whose elements have no order.
    pub passages: Option<PassageSettings>,
    /// Whether every line must have passages. Lines that have them are checked anyway.
    pub needs_passages: bool,
    /// Whether every line must have the sources of its documents. Lines that have them are checked anyway.
    pub needs_sources: bool,
    /// Whether only the lines are checked, because the result was filtered and may lack pairs.
    pub only_lines: bool,
}

/// The numbers of a check.
#[derive(Debug)]
pub struct CheckSummary {
    /// The summary of the search that found the pairs of the documents again. Its audit says what the search missed.
    pub search: Summary,
    /// The number of lines with pairs.
    pub lines: u64,
    /// The number of these lines with a difference.
    pub wrong_lines: u64,
    /// The number of pairs that the search found and the result lacks; 0 if only lines are checked.
    pub missing: u64,
    /// The number of other differences: changed files, and lines about documents.
    pub other: u64,
    /// The number of inputs that could not be used because of an error.
    pub errors: u64,
}

impl CheckSummary {
    /// Whether anything differs.
    pub fn differs(&self) -> bool {
        self.wrong_lines + self.missing + self.other > 0
    }
}

/// Checks a result: a saved folder, a file of pairs, or `-` for standard input.
///
/// * `header`: the header of a saved folder, and whether it is as it was saved; `None` for pairs without a header.
/// * `settings`: the settings of the run that found the pairs, and its inputs.
///
/// # Errors
/// When the result cannot be read, when the documents cannot be searched, and when `sink` fails.
pub fn check_result(
    path: &Path,
    header: Option<(&ResultHeader, bool)>,
    settings: &Settings,
    check: CheckSettings,
    observer: &dyn Observer,
    sink: FaultSink,
) -> Result<CheckSummary> {
    let mut sink = CountedFaults::new(sink);
    if let Some((header, is_intact)) = header {
        check_files(header, is_intact, path, &mut sink)?;
    }
    let input = InputSettings { with_source: true, ..settings.input.clone() };
    let settings = Settings { input, ..settings.clone() };
    let mut saved_documents = header.map(|_| DocumentLines::open(&path.join(DOCUMENTS))).transpose()?;
    let (searched, found) = find_again(&settings, observer, saved_documents.as_mut(), &mut sink)?;
    if let Some(((header, _), saved)) = header.zip(saved_documents) {
        let shown = check.passages.filter(|_| check.needs_passages);
        let expected = object_of(&Summary::new(&settings, shown).settings);
        let counts = [saved.num_documents, found.len() as u64, searched.summary.errors];
        check_header(header, &expected, counts, &mut sink)?;
        saved.finish(&mut sink)?;
    }
    let other = sink.num;
    let kept_names = settings.pairs.kept_names.map(std::num::NonZeroUsize::get);
    let read_templates =
        |size| corpus::read_kept_templates(settings.corpus(), size, &settings.cancel, observer, &searched.pool);
    let kept_templates = kept_names.map(read_templates).transpose()?.flatten();
    let is_matching = settings.pairs.source.matching().is_some();
    let passages = settings.pairs.source.passages().or(check.passages);
    let corpus = searched.corpus(observer);
    let recount = || {
        let recount = Recount::new(corpus, kept_names, kept_templates.as_ref(), passages, is_matching);
        let mut lines = PairLines {
            corpus,
            names: DocumentsByName::new(corpus.documents),
            recount,
            check,
            finds_blocks: settings.pairs.source.finds_blocks(),
            file: header.map(|_| PAIRS),
            found: &found,
            seen: Vec::new(),
            wrong_lines: 0,
        };
        let num_lines = lines.check_all(open_pairs(path, header.is_some())?.0, observer, &mut sink)?;
        lines.report_repeated(&mut sink)?;
        let missing = if check.only_lines { 0 } else { lines.report_missing(&mut sink)? };
        let errors = lines.recount.finish(observer);
        Ok::<_, Error>((num_lines, lines.wrong_lines, missing, errors))
    };
    let (lines, wrong_lines, missing, errors) = searched.pool.install(recount)?;
    let errors = searched.summary.errors + errors;
    Ok(CheckSummary { search: searched.summary, lines, wrong_lines, missing, other, errors })
}

/// Finds the pairs again, and compares the documents with the lines of a saved result.
fn find_again(
    settings: &Settings,
    observer: &dyn Observer,
    saved: Option<&mut DocumentLines>,
    sink: &mut CountedFaults,
) -> Result<(Searched, Vec<TextPair>)> {
    let mut found: Vec<TextPair> = Vec::new();
    let mut collect = |_: &Documents, pairs: &[DuplicatePair], _: &[_]| {
        found.extend(pairs.iter().map(|pair| TextPair { a: pair.a, b: pair.b }));
        Ok(())
    };
    let search = Search::new(settings, observer).printed();
    let searched = match saved {
        Some(saved) => {
            let mut list = |record: &DocumentRecord| saved.check(record, sink);
            search.with_list(&mut list).run(&mut collect)?
        }
        None => search.run(&mut collect)?,
    };
    Ok((searched, found))
}

/// Checks the files of a saved result and its inputs by their lengths and hashes.
fn check_files(header: &ResultHeader, is_intact: bool, path: &Path, sink: &mut CountedFaults) -> Result<()> {
    let changed = |file: Name<'static>, detail: String| Fault {
        file: Some(file),
        ..Fault::new(FaultKind::Changed).because(detail)
    };
    if !is_intact {
        sink.add(&changed(text_name(HEADER), "is not as it was saved".to_owned()))?;
    }
    for (file, detail) in changed_files(header, path) {
        sink.add(&changed(text_name(&file), detail))?;
    }
    for (file, detail) in changed_inputs(header) {
        sink.add(&changed(file, detail))?;
    }
    Ok(())
}

/// Checks the counts and the settings of a header.
///
/// * `settings`: the settings that the header must have.
fn check_header(
    header: &ResultHeader,
    settings: &Map<String, Value>,
    counts: [u64; 3],
    sink: &mut CountedFaults,
) -> Result<()> {
    let [num_documents, num_pairs, num_errors] = counts;
    let counts = [
        ("documents", header.documents, num_documents),
        ("pairs", header.pairs, num_pairs),
        ("errors", header.errors, num_errors),
    ];
    let counts = counts.into_iter().filter(|(_, found, expected)| found != expected);
    let counts = counts.map(|(key, found, expected)| (key.to_owned(), found.into(), expected.into()));
    let saved = object(header.settings.get().as_bytes()).unwrap_or_default();
    let settings = differences(&saved, settings);
    let settings = settings.into_iter().map(|(key, found, expected)| (format!("settings.{key}"), found, expected));
    for (key, found, expected) in counts.chain(settings) {
        let fault = Fault { file: Some(text_name(HEADER)), key: Some(key), ..Fault::new(FaultKind::Value) };
        sink.add(&Fault { found: Some(found), expected: Some(expected), ..fault })?;
    }
    Ok(())
}

/// A line with a pair of known documents.
struct PairLine {
    number: u64,
    text: Vec<u8>,
    has_passages: bool,
    has_sources: bool,
    pair: TextPair,
}

/// The check of the lines with pairs.
struct PairLines<'a> {
    corpus: ReadCorpus<'a>,
    names: DocumentsByName,
    recount: Recount<'a>,
    check: CheckSettings,
    /// Whether a document that repeats blocks is a pair with itself.
    finds_blocks: bool,
    /// The file of the lines, if the result has several.
    file: Option<&'static str>,
    /// The pairs that the search found, ascending.
    found: &'a [TextPair],
    /// The pairs of the lines so far, each with its line.
    seen: Vec<(TextPair, u64)>,
    wrong_lines: u64,
}

impl PairLines<'_> {
    /// Checks all lines; returns their number.
    fn check_all(
        &mut self,
        mut lines: Box<dyn BufRead + Send>,
        observer: &dyn Observer,
        sink: &mut CountedFaults,
    ) -> Result<u64> {
        observer.begin(Stage::Verify);
        let most_bytes = self.corpus.settings.resources.memory_bytes / 4;
        let (mut line, mut number, mut waiting, mut num_bytes) = (Vec::new(), 0, Vec::new(), 0);
        while let Some(text) = next_line(&mut *lines, &mut line, Path::new("-"))? {
            number += 1;
            if let Some(line) = self.read_line(number, text, sink)? {
                num_bytes += self.recount.bytes_of(line.pair.a) + self.recount.bytes_of(line.pair.b);
                waiting.push(line);
            }
            if waiting.len() == LINES_AT_ONCE || num_bytes > most_bytes {
                self.check_lines(&std::mem::take(&mut waiting), sink)?;
                observer.advance(LINES_AT_ONCE as u64, 0, 0);
                num_bytes = 0;
            }
            self.corpus.sources.check()?;
        }
        self.check_lines(&waiting, sink)?;
        Ok(number)
    }

    /// The pair of a line; `None` after a fault.
    fn read_line(&mut self, number: u64, text: &[u8], sink: &mut CountedFaults) -> Result<Option<PairLine>> {
        let not_a_pair = |detail: String| Fault::new(FaultKind::NotAPair).at(self.file, number).because(detail);
        let record: PairRecord = match serde_json::from_slice(text) {
            Ok(record) => record,
            Err(error) => {
                self.wrong_lines += 1;
                return sink.add(&not_a_pair(error.to_string())).map(|()| None);
            }
        };
        let (a, b) = (record.a.into_owned(), record.b.into_owned());
        let fault = match self.names.pair(&a.to_bytes(), &b.to_bytes()) {
            [Some(first), Some(second)] if first != second || self.finds_blocks => {
                let pair = TextPair { a: first, b: second };
                let (has_passages, has_sources) = (record.passages.is_some(), record.source_a.is_some());
                return Ok(Some(PairLine { number, text: text.to_vec(), has_passages, has_sources, pair }));
            }
            [Some(_), Some(_)] => not_a_pair("both names belong to one document".to_owned()),
            [first, _] => {
                let unknown = if first.is_none() { &a } else { &b };
                let unknown = String::from_utf8_lossy(&unknown.to_bytes()).into_owned();
                Fault::new(FaultKind::UnknownDocument).at(self.file, number).because(unknown)
            }
        };
        self.wrong_lines += 1;
        sink.add(&fault.of_pair(a, b)).map(|()| None)
    }

    /// Compares lines with what their documents give.
    fn check_lines(&mut self, lines: &[PairLine], sink: &mut CountedFaults) -> Result<()> {
        let pairs: Vec<TextPair> = lines.iter().map(|line| line.pair).collect();
        let counted = self.recount.count(&pairs);
        let (documents, check, file) = (self.corpus.documents, self.check, self.file);
        let name = |document| Name::new(documents.name(document)).into_owned();
        let mut is_wrong = vec![false; lines.len()];
        for (at, (line, counted)) in lines.iter().zip(&counted).enumerate() {
            let fault = |kind| Fault::new(kind).at(file, line.number).of_pair(name(line.pair.a), name(line.pair.b));
            // A pair with a document that cannot be read again is reported as a problem.
            let jaccard = counted.as_ref().map(DuplicatePair::similarity);
            if self.found.binary_search(&line.pair).is_err() {
                is_wrong[at] = true;
                sink.add(&Fault { jaccard, ..fault(FaultKind::NotReported) })?;
            }
        }
        let known: Vec<DuplicatePair> = counted.iter().flatten().copied().collect();
        let mut known_lines = lines.iter().enumerate().zip(&counted).filter(|(_, counted)| counted.is_some());
        // Alignments are costly, and few results have passages.
        let wants_passages = check.needs_passages || lines.iter().any(|line| line.has_passages);
        let mut expected_line = Vec::new();
        self.recount.with_passages(wants_passages, &known, |pair, passages| {
            let ((at, line), _) = known_lines.next().expect("pairs are passed on in their order");
            let mut expected = PairRecord::new(documents, pair);
            if let Some(passages) = passages
                && (check.needs_passages || line.has_passages)
            {
                expected = expected.with_passages(passages);
            }
            if !check.needs_sources && !line.has_sources {
                (expected.source_a, expected.source_b) = (None, None);
            }
            expected_line.clear();
            push_json(&mut expected_line, &expected);
            if expected_line == line.text {
                return Ok(());
            }
            // The same values may be written in another way.
            let mut found = object(&line.text).expect("the line is a record");
            // Files have other times after they were copied.
            ["time_a", "time_b"].iter().for_each(|key| drop(found.remove(*key)));
            for (key, found, expected) in differences(&found, &object_of(&expected)) {
                is_wrong[at] = true;
                let fault = Fault::new(FaultKind::Value).at(file, line.number);
                let (key, found, expected) = (Some(key), Some(found), Some(expected));
                let fault = fault.of_pair(name(line.pair.a), name(line.pair.b));
                sink.add(&Fault { key, found, expected, ..fault })?;
            }
            Ok(())
        })?;
        self.wrong_lines += is_wrong.into_iter().filter(|&wrong| wrong).count() as u64;
        self.seen.extend(lines.iter().map(|line| (line.pair, line.number)));
        Ok(())
    }

    /// Reports the lines with the pair of an earlier line.
    fn report_repeated(&mut self, sink: &mut CountedFaults) -> Result<()> {
        self.seen.sort_unstable();
        for lines in self.seen.windows(2).filter(|lines| lines[0].0 == lines[1].0) {
            let (pair, line) = lines[1];
            self.wrong_lines += 1;
            let fault = Fault::new(FaultKind::Repeated).at(self.file, line);
            sink.add(&fault.of_pair(self.name(pair.a), self.name(pair.b)))?;
        }
        Ok(())
    }

    /// Reports the pairs that the search found and no line has; returns their number.
    fn report_missing(&mut self, sink: &mut CountedFaults) -> Result<u64> {
        let seen = &self.seen;
        let is_missing = |pair: &&TextPair| seen.binary_search_by_key(*pair, |(seen, _)| *seen).is_err();
        let missing: Vec<TextPair> = self.found.iter().filter(is_missing).copied().collect();
        for pairs in missing.chunks(LINES_AT_ONCE) {
            for (pair, counted) in pairs.iter().zip(self.recount.count(pairs)) {
                let jaccard = counted.as_ref().map(DuplicatePair::similarity);
                let fault = Fault::new(FaultKind::Missing).of_pair(self.name(pair.a), self.name(pair.b));
                sink.add(&Fault { jaccard, ..fault })?;
            }
        }
        Ok(missing.len() as u64)
    }

    fn name(&self, document: DocId) -> Name<'static> {
        Name::new(self.corpus.documents.name(document)).into_owned()
    }
}
