//! `PairPrinter`: filters pairs, sorts them by `--sort`, and prints them as lines and reports.

use std::borrow::Cow;
use std::io::{self, Write};
use std::time::SystemTime;

use dedup_scan::base::shown;
use dedup_scan::compare::passages::LocatedPassages;
use dedup_scan::documents::MemberTimes;
use dedup_scan::records::{JsonLines, PairCounts, PairRecord, PairSide, Ranking, push_json};
use dedup_scan::results::SavedDocuments;
use dedup_scan::results::report::ReportTotals;
use dedup_scan::search::{PairBatch, PairSink};
use dedup_scan::{DocId, Documents, DuplicatePair, Error, Threshold};

use super::destination::{LINE_BYTES, LineOutput};
use super::gate::Gate;
use super::printed_search::Printer;
use super::publication::{CompleteFiles, Printed, Publication};
use super::reports::Reports;
use super::views::Views;
use crate::cli::flags::{FilterFlags, SortableNumbers, TimeSource};
use crate::cli::messages::{self, Failure, Result};

/// Prints the pairs of a run or of a saved result.
pub(crate) struct PairPrinter<'a> {
    lines: JsonLines<LineOutput<'a>>,
    reports: Reports<'a>,
    files: CompleteFiles<'a>,
    gate: Gate<'a>,
    /// Whether lines are printed; `false` when a report replaces them.
    prints_lines: bool,
    with_source: bool,
    min_containment: Option<Threshold>,
    /// `None` when pairs are printed in document order.
    ranking: Option<Ranking>,
    filters: &'a FilterFlags,
    kept: Vec<DuplicatePair>,
    kept_passages: Vec<Option<LocatedPassages>>,
    /// Lines of a saved result that are written together.
    gathered: Vec<u8>,
    num_printed: u64,
    times: Option<PairTimes<'a>>,
}

/// The times that lines have.
struct PairTimes<'a> {
    source: &'a TimeSource,
    /// The times of the members of archives.
    members: MemberTimes,
    /// The time of each document, once they are known.
    of: Vec<Option<SystemTime>>,
}

impl<'a> PairPrinter<'a> {
    /// * `with_source`: whether lines include the sources of documents, if known.
    /// * `lines`: whether lines are printed unless a report replaces them.
    pub(crate) fn new(
        publication: Publication<'a>,
        filters: &'a FilterFlags,
        gate: Gate<'a>,
        with_source: bool,
        lines: bool,
    ) -> Result<Self> {
        let Publication { output, reports, files } = publication;
        let prints_lines = lines && !reports.take_output(&output);
        let lines = JsonLines::new(output);
        Ok(Self {
            lines: if with_source { lines } else { lines.without_sources() },
            reports,
            files,
            gate,
            prints_lines,
            with_source,
            min_containment: filters.min_containment()?,
            ranking: filters.ranks().then(|| Ranking::new(filters.sort(), filters.top.unwrap_or(usize::MAX))),
            filters,
            kept: Vec::new(),
            kept_passages: Vec::new(),
            gathered: Vec::new(),
            num_printed: 0,
            times: None,
        })
    }

    /// Adds the times of documents to the pairs of a run.
    ///
    /// * `members`: the times of the members of archives, which the run collects.
    pub(crate) fn with_times(self, source: Option<&'a TimeSource>, members: &MemberTimes) -> Self {
        let times = source.map(|source| PairTimes { source, members: members.clone(), of: Vec::new() });
        Self { times, ..self }
    }

    /// The time of each document of the run; empty if lines have no times.
    pub(crate) fn times(&self) -> &[Option<SystemTime>] {
        self.times.as_ref().map_or(&[], |times| &times.of)
    }

    /// Prints pairs of a run, or keeps them to be sorted.
    fn print(&mut self, batch: PairBatch<'_>) -> io::Result<()> {
        let batch = if self.min_containment.is_some() || !self.gate.is_open() {
            self.keep(batch);
            PairBatch { pairs: &self.kept, passages: &self.kept_passages, ..batch }
        } else {
            self.gate.count(batch.pairs.len());
            batch
        };
        let PairBatch { documents, pairs, passages } = batch;
        if !self.reports.is_empty() {
            pairs.iter().for_each(|pair| self.reports.count(documents.name(pair.a), documents.name(pair.b)));
        }
        let times = self.times.as_ref().map_or(&[][..], |times| &times.of);
        let record = |number: usize| batch.record_with_times(number, times);
        let Some(ranking) = &mut self.ranking else {
            self.num_printed += pairs.len() as u64;
            if !self.reports.is_empty() {
                for record in (0..pairs.len()).map(record) {
                    self.reports.pair(&record, self.gate.is_about_b(&record), self.lines.writer())?;
                }
            }
            if !self.prints_lines {
                return Ok(());
            }
            if times.is_empty() {
                return self.lines.write_passages(documents, pairs, passages);
            }
            return self.lines.write_records((0..pairs.len()).map(record));
        };
        for (number, pair) in pairs.iter().enumerate() {
            let counts = PairCounts::from(pair).with_passages(passages.get(number).and_then(Option::as_ref));
            ranking.add(counts, || {
                let mut line = Vec::new();
                push_json(&mut line, &record(number));
                line.into()
            });
        }
        Ok(())
    }

    /// Keeps the pairs that no filter hides.
    fn keep(&mut self, batch: PairBatch<'_>) {
        let PairBatch { documents, pairs, passages } = batch;
        self.kept.clear();
        self.kept_passages.clear();
        for (number, pair) in pairs.iter().enumerate() {
            let is_kept = self.min_containment.is_none_or(|least| PairCounts::from(pair).is_contained(least));
            let is_new = if self.gate.is_open() {
                self.gate.count(usize::from(is_kept));
                is_kept
            } else {
                let record = batch.record(number);
                let texts = [pair.a, pair.b].map(|document| documents.text_hash(document));
                self.gate.is_new(&record, texts, is_kept)
            };
            if is_new {
                self.kept.push(*pair);
                self.kept_passages.extend(passages.get(number).cloned());
            }
        }
    }

    /// Prints a pair of a saved result, or keeps it to be sorted.
    ///
    /// * `documents`: the documents of the result.
    pub(crate) fn print_saved(&mut self, line: &[u8], pair: &PairRecord, documents: &SavedDocuments) -> io::Result<()> {
        let counts = PairCounts::from(pair);
        let is_kept = self.min_containment.is_none_or(|least| counts.is_contained(least));
        let is_new = if self.gate.is_open() {
            self.gate.count(usize::from(is_kept));
            is_kept
        } else {
            let (a, b) = (pair.a.to_bytes(), pair.b.to_bytes());
            let texts = [documents.text_hash(&a, PairSide::A), documents.text_hash(&b, PairSide::B)];
            self.gate.is_new(&with_sources(pair, documents), texts, is_kept)
        };
        if !is_new {
            return Ok(());
        }
        if !self.reports.is_empty() {
            self.reports.count(&pair.a.to_bytes(), &pair.b.to_bytes());
        }
        if let Some(ranking) = &mut self.ranking {
            ranking.add(counts, || line.into());
            return Ok(());
        }
        self.num_printed += 1;
        self.report(pair, documents)?;
        if self.prints_lines {
            self.gathered.extend_from_slice(line);
            self.gathered.push(b'\n');
            if self.gathered.len() >= LINE_BYTES {
                self.lines.writer().write_all(&self.gathered)?;
                self.gathered.clear();
            }
        }
        Ok(())
    }

    /// Refuses `--sort` by a number that the pairs do not have, which is possible in a saved result.
    fn check_sort(&self) -> Result<()> {
        let Some(first) = self.ranking.as_ref().and_then(Ranking::first) else { return Ok(()) };
        let first: PairRecord = serde_json::from_slice(first).expect("it was written as a pair");
        self.filters.check_sort(SortableNumbers {
            passages: first.passages.is_some() || first.matched.is_some(),
            kept: first.jaccard_kept.is_some(),
            raw: first.jaccard_raw.is_some(),
            weights: first.weights().is_some(),
        })
    }

    fn end(&mut self, documents: &SavedDocuments, totals: ReportTotals, views: &Views<'_>) -> io::Result<()> {
        self.lines.writer().write_all(&self.gathered)?;
        for lines in self.ranking.take().map(Ranking::into_lines).unwrap_or_default().chunks(256) {
            self.num_printed += lines.len() as u64;
            let mut text = Vec::new();
            for line in lines {
                let is_whole = self.reports.is_empty() && self.with_source;
                if is_whole {
                    text.extend_from_slice(line);
                } else {
                    let mut pair: PairRecord = serde_json::from_slice(line).expect("it was written as a pair");
                    self.report(&pair, documents)?;
                    if !self.with_source {
                        (pair.source_a, pair.source_b) = (None, None);
                    }
                    push_json(&mut text, &pair);
                }
                text.push(b'\n');
            }
            if self.prints_lines {
                self.lines.writer().write_all(&text)?;
            }
        }
        self.reports.end(totals, views, self.lines.writer())
    }

    /// Adds a pair to the reports, with the sources of its documents.
    fn report(&mut self, pair: &PairRecord, documents: &SavedDocuments) -> io::Result<()> {
        if self.reports.is_empty() {
            return Ok(());
        }
        let pair = with_sources(pair, documents);
        self.reports.pair(&pair, self.gate.is_about_b(&pair), self.lines.writer())
    }
}

impl<'a> Printer<'a> for PairPrinter<'a> {
    fn finish(mut self, documents: &SavedDocuments, totals: ReportTotals, views: &Views<'_>) -> Result<Printed<'a>> {
        if let Err(failure) = self.check_sort() {
            return Err(self.failure(failure));
        }
        let totals = self.gate.totals(totals);
        match self.end(documents, totals, views) {
            Ok(()) => Ok(Printed {
                on_terminal: self.prints_lines && self.num_printed > 0 && self.lines.writer().is_terminal(),
                publication: Publication { output: self.lines.into_writer(), reports: self.reports, files: self.files },
                gate: Some(self.gate),
                num_printed: self.num_printed,
                what: messages::counted(self.num_printed, "pair"),
            }),
            Err(error) => Err(self.failure(Failure::output(error))),
        }
    }

    fn failure(mut self, failure: Failure) -> Failure {
        self.reports.failure().unwrap_or_else(|| self.lines.writer().failure(failure))
    }
}

impl PairTimes<'_> {
    /// Finds the times of all documents.
    fn find(&mut self, documents: &Documents) {
        let mut last: Option<(&[u8], Option<SystemTime>)> = None;
        let mut time = |document: DocId| {
            if let TimeSource::Field(_) = self.source {
                return documents.time(document);
            }
            let file = documents.origin(document)?.file;
            // The records of a file come one after another.
            let time = match last {
                Some((other, time)) if other == file => time,
                _ => self.members.of_file(file),
            };
            last = Some((file, time));
            time
        };
        self.of = (0..documents.len()).map(|number| time(DocId::new(number))).collect();
        if self.of.iter().all(Option::is_none) && !documents.is_empty() {
            let why = match self.source {
                TimeSource::File => "file: no document is in a file with a time".to_owned(),
                TimeSource::Field(name) => format!("field:{}: no document has a date in this field", shown(name)),
            };
            messages::line(&format!("dedup: warning: --times {why}"));
        }
    }
}

impl PairSink for PairPrinter<'_> {
    fn begin(&mut self, documents: &Documents) -> dedup_scan::Result<()> {
        self.gate.mark_present(documents);
        if let Some(times) = &mut self.times {
            times.find(documents);
        }
        Ok(())
    }

    fn pairs(&mut self, batch: PairBatch<'_>) -> dedup_scan::Result<()> {
        self.print(batch).map_err(Error::Output)
    }
}

/// A pair with the sources of its documents, if known.
fn with_sources<'p>(pair: &'p PairRecord<'p>, documents: &'p SavedDocuments) -> Cow<'p, PairRecord<'p>> {
    let (a, b) = (pair.a.to_bytes(), pair.b.to_bytes());
    let source_a = pair.source_a.clone().or_else(|| documents.source(&a, PairSide::A));
    let source_b = pair.source_b.clone().or_else(|| documents.source(&b, PairSide::B));
    if source_a == pair.source_a && source_b == pair.source_b {
        return Cow::Borrowed(pair);
    }
    Cow::Owned(PairRecord { source_a, source_b, ..pair.clone() })
}
