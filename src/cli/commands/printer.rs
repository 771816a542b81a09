//! `PairPrinter`: pairs in document order in; those that the filters leave out, in the order of `--sort`.

use std::io::{self, Write};

use dedup_scan::output::{JsonLines, PairCounts, PairRecord, PairSort, Ranking, push_json};
use dedup_scan::passages::LocatedPassages;
use dedup_scan::{Documents, DuplicatePair, Threshold};

use super::destination::LineOutput;
use crate::cli::flags::FilterFlags;
use crate::cli::messages::Result;

/// Prints pairs.
pub(crate) struct PairPrinter<'a> {
    lines: JsonLines<LineOutput<'a>>,
    with_source: bool,
    min_containment: Option<Threshold>,
    /// `None` when pairs are printed as they come.
    ranking: Option<Ranking>,
    kept: Vec<DuplicatePair>,
    kept_passages: Vec<Option<LocatedPassages>>,
    num_printed: u64,
}

impl<'a> PairPrinter<'a> {
    /// * `with_source`: whether lines say where documents come from, when that is known.
    pub(crate) fn new(output: LineOutput<'a>, filters: &FilterFlags, with_source: bool) -> Result<Self> {
        let (lines, sort) = (JsonLines::new(output), filters.sort());
        let ranks = sort != PairSort::Order || filters.top.is_some();
        Ok(Self {
            lines: if with_source { lines } else { lines.without_sources() },
            with_source,
            min_containment: filters.min_containment()?,
            ranking: ranks.then(|| Ranking::new(sort, filters.top.unwrap_or(usize::MAX))),
            kept: Vec::new(),
            kept_passages: Vec::new(),
            num_printed: 0,
        })
    }

    /// Prints pairs of a run, or keeps them for their turn.
    ///
    /// * `passages`: of each pair, or none at all.
    pub(crate) fn print(
        &mut self,
        documents: &Documents,
        pairs: &[DuplicatePair],
        passages: &[Option<LocatedPassages>],
    ) -> io::Result<()> {
        let (mut pairs, mut passages) = (pairs, passages);
        if let Some(least) = self.min_containment {
            let is_kept = |pair: &DuplicatePair| PairCounts::from(pair).is_contained(least);
            self.kept_passages.clear();
            let kept = pairs.iter().zip(passages).filter(|(pair, _)| is_kept(pair));
            self.kept_passages.extend(kept.map(|(_, passages)| passages.clone()));
            self.kept.clear();
            self.kept.extend(pairs.iter().filter(|pair| is_kept(pair)));
            (pairs, passages) = (&self.kept, &self.kept_passages);
        }
        let Some(ranking) = &mut self.ranking else {
            self.num_printed += pairs.len() as u64;
            return self.lines.write_passages(documents, pairs, passages);
        };
        for (number, pair) in pairs.iter().enumerate() {
            let counts = PairCounts::from(pair).with_passages(passages.get(number).and_then(Option::as_ref));
            ranking.add(counts, || {
                let mut record = PairRecord::new(documents, pair);
                if !self.with_source {
                    (record.source_a, record.source_b) = (None, None);
                }
                if let Some(passages) = passages.get(number) {
                    record = record.with_passages(passages.as_ref());
                }
                let mut line = Vec::new();
                push_json(&mut line, &record);
                line.into()
            });
        }
        Ok(())
    }

    /// Prints the line of a pair, or keeps it for its turn.
    ///
    /// * `lines`: gathers what is printed at once.
    pub(crate) fn print_line(&mut self, counts: PairCounts, line: &[u8], lines: &mut Vec<u8>) {
        if self.min_containment.is_some_and(|least| !counts.is_contained(least)) {
            return;
        }
        match &mut self.ranking {
            Some(ranking) => ranking.add(counts, || line.into()),
            None => {
                self.num_printed += 1;
                lines.extend_from_slice(line);
                lines.push(b'\n');
            }
        }
    }

    /// Prints lines that were gathered.
    pub(crate) fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        self.lines.writer().write_all(lines)
    }

    /// Prints what was kept. Returns where lines went, and how many did.
    pub(crate) fn finish(self) -> (LineOutput<'a>, io::Result<u64>) {
        let mut output = self.lines.into_writer();
        let (mut num_printed, mut written) = (self.num_printed, Ok(()));
        for lines in self.ranking.map(Ranking::into_lines).unwrap_or_default().chunks(256) {
            num_printed += lines.len() as u64;
            let text: Vec<u8> = lines.iter().flat_map(|line| [&**line, b"\n"]).flatten().copied().collect();
            written = written.and_then(|()| output.write_all(&text));
        }
        (output, written.map(|()| num_printed))
    }

    /// Where lines go.
    pub(crate) fn into_output(self) -> LineOutput<'a> {
        self.lines.into_writer()
    }
}
