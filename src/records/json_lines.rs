//! `JsonLines`: writes batches of pairs to a writer, one JSON object per line.

use std::io::{self, Write};

use rayon::prelude::*;

use super::lines::{self, Estimates};
use super::{PairRecord, push_json};
use crate::compare::passages::LocatedPassages;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::Documents;

/// Writes pairs as JSON Lines; each call of the writer passes whole lines only. Threads of the pool format one half of
/// a batch while the other half is written.
#[derive(Debug)]
pub struct JsonLines<W> {
    writer: W,
    /// Formatted lines of each part of the batch; parts are formatted in parallel.
    parts: Vec<Vec<u8>>,
    estimates: Estimates,
    with_source: bool,
}

impl<W: Write + Send> JsonLines<W> {
    /// Number of pairs that one thread formats at a time.
    const PART: usize = 2048;

    /// Creates a `JsonLines` on `writer`, which does not need to be buffered.
    pub fn new(writer: W) -> Self {
        Self { writer, parts: Vec::new(), estimates: Estimates::default(), with_source: true }
    }

    /// Omits the sources of documents even if they are known.
    pub fn without_sources(self) -> Self {
        Self { with_source: false, ..self }
    }

    /// The writer, for lines that are formatted elsewhere.
    pub fn writer(&mut self) -> &mut W {
        &mut self.writer
    }

    /// The writer, after all lines were written to it.
    pub fn into_writer(self) -> W {
        self.writer
    }

    /// Writes one line per pair.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write(&mut self, documents: &Documents, pairs: &[DuplicatePair]) -> io::Result<()> {
        self.write_passages(documents, pairs, &[])
    }

    /// Writes one line per record.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_records<'r>(&mut self, records: impl Iterator<Item = PairRecord<'r>>) -> io::Result<()> {
        let mut text = Vec::new();
        for mut record in records {
            if !self.with_source {
                (record.source_a, record.source_b) = (None, None);
            }
            push_json(&mut text, &record);
            text.push(b'\n');
        }
        self.writer.write_all(&text)?;
        self.writer.flush()
    }

    /// Writes one line per pair, with the passages of the pair.
    ///
    /// * `passages`: the passages of each pair, `None` for null; an empty slice writes lines without passages.
    ///
    /// # Errors
    /// When the writer fails.
    pub fn write_passages(
        &mut self,
        documents: &Documents,
        pairs: &[DuplicatePair],
        passages: &[Option<LocatedPassages>],
    ) -> io::Result<()> {
        let num_parts = pairs.len().div_ceil(Self::PART);
        self.parts.resize_with(self.parts.len().max(num_parts), Vec::new);
        self.estimates.prepare(pairs);
        let Self { writer, parts, estimates, with_source } = self;
        let format = |part: usize, lines: &mut Vec<u8>| {
            let pairs = &pairs[part * Self::PART..pairs.len().min((part + 1) * Self::PART)];
            let passages = passages.get(part * Self::PART..).unwrap_or_default();
            lines.clear();
            lines::append(documents, pairs, passages, estimates, *with_source, lines);
        };
        // At least as many parts at a time as there are threads to format them.
        let at_a_time = num_parts.div_ceil(2).min(rayon::current_num_threads()).max(1);
        let mut formatted: &[Vec<u8>] = &[];
        for (number, next) in parts[..num_parts].chunks_mut(at_a_time).enumerate() {
            let first = number * at_a_time;
            let (written, ()) = rayon::join(
                || write_all(writer, formatted),
                || next.par_iter_mut().enumerate().for_each(|(part, lines)| format(first + part, lines)),
            );
            written?;
            formatted = next;
        }
        write_all(writer, formatted)?;
        self.writer.flush()
    }
}

fn write_all(writer: &mut impl Write, parts: &[Vec<u8>]) -> io::Result<()> {
    parts.iter().try_for_each(|lines| writer.write_all(lines))
}
