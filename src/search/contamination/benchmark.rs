//! `Benchmark`: the texts of the benchmarks as words, and the tables by which their runs are found in other texts.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use super::alike::{AlikeTexts, MANY_TEXTS};
use super::benchmark_text::{BenchmarkText, text_at};
use super::run_table::RunTable;
use super::settings::ContaminationSettings;
use crate::base::error::{CorpusError, Error, Result};
use crate::base::memory::reserve;
use crate::documents::document::{DocId, Documents};
use crate::search::corpus::TextWatcher;
use crate::text::plain_words::for_each_plain_word;

/// The name of the words in the message of a failed allocation.
const WORDS: &str = "the words of the benchmarks";

/// The benchmarks in memory.
#[derive(Debug)]
pub(super) struct Benchmark {
    pub(super) settings: ContaminationSettings,
    pub(super) texts: Vec<BenchmarkText>,
    /// The classes of texts with the same popular runs.
    pub(super) alike: AlikeTexts,
    /// For each text, the most of its words that one document contains in runs, as far as documents were not counted for
    /// its class; updated by all threads.
    most: Vec<AtomicU32>,
    /// For each class, the most words that one document contains in popular runs.
    most_of_class: Vec<AtomicU32>,
    /// The words of all texts.
    pub(super) words: Vec<u64>,
    /// The bytes of each word in its text.
    pub(super) bytes: Vec<[u32; 2]>,
    /// The runs of [`ContaminationSettings::min_run`] words, and then a table for each length of shorter texts, with the
    /// whole texts of this length.
    pub(super) tables: Vec<RunTable>,
    /// The first words of the shorter texts.
    pub(super) anchors: RunTable,
    /// The number of distinct runs in the tables before each, and in all.
    bases: Vec<u32>,
}

/// The words of the texts of one piece.
#[derive(Debug, Default)]
pub(super) struct PieceWords {
    /// The number of words of each document.
    lens: Vec<u32>,
    words: Vec<u64>,
    bytes: Vec<[u32; 2]>,
}

/// Collects the words of benchmark texts.
pub(super) struct CollectWords;

impl TextWatcher for CollectWords {
    type Found = PieceWords;

    fn see(&mut self, _number: usize, text: &[u8], found: &mut PieceWords) -> Result<u64> {
        let before = found.words.len();
        // A word and the white space after it have about six bytes.
        reserve(&mut found.words, text.len() / 6, WORDS)?;
        for_each_plain_word(text, |word, bytes| {
            found.words.push(word);
            found.bytes.push([bytes.start, bytes.end].map(|at| u32::try_from(at).unwrap_or(u32::MAX)));
        });
        let len = found.words.len() - before;
        found.lens.push(len as u32);
        Ok(len as u64)
    }
}

/// Benchmark texts before their tables are made.
#[derive(Debug, Default)]
pub(super) struct BenchmarkWords {
    texts: Vec<BenchmarkText>,
    words: Vec<u64>,
    bytes: Vec<[u32; 2]>,
}

impl BenchmarkWords {
    /// Adds the texts of a reading.
    ///
    /// * `field`: the number of the field that was read.
    /// * `documents`: the documents of the reading.
    /// * `number_of`: the number of a document among all benchmark documents; `None` if its text was read before.
    ///
    /// # Errors
    /// When memory is too small for the words, or there are too many.
    pub(super) fn add(
        &mut self,
        field: u32,
        pieces: Vec<(usize, PieceWords)>,
        documents: &Documents,
        number_of: &mut dyn FnMut(&Documents, DocId) -> Option<u32>,
    ) -> Result<()> {
        for (first, piece) in pieces {
            let mut start = 0;
            for (at, &len) in piece.lens.iter().enumerate() {
                let in_piece = start..start + len as usize;
                start = in_piece.end;
                let Some(document) = number_of(documents, DocId::new(first + at)) else { continue };
                let before = self.words.len();
                reserve(&mut self.words, in_piece.len(), WORDS)?;
                reserve(&mut self.bytes, in_piece.len(), WORDS)?;
                self.words.extend_from_slice(&piece.words[in_piece.clone()]);
                self.bytes.extend_from_slice(&piece.bytes[in_piece]);
                let end = u32::try_from(self.words.len()).ok().filter(|&end| end < u32::MAX);
                let end = end.ok_or(Error::OutOfMemory { what: WORDS, bytes: 8 << 32 })?;
                self.texts.push(BenchmarkText { document, field, words: before as u32..end });
            }
        }
        Ok(())
    }

    /// Makes the tables.
    ///
    /// # Errors
    /// When memory is too small for them, or no text is long enough to be found.
    pub(super) fn finish(self, settings: &ContaminationSettings) -> Result<Benchmark> {
        let Self { mut texts, words, bytes } = self;
        // A text is found by the position of its words, and the texts of a document are together in the records.
        texts.sort_unstable_by_key(|text| text.words.start);
        let (min_run, whole) = (settings.min_run, settings.whole_len());
        let runs = texts.iter().filter(|text| text.words.len() >= min_run);
        let runs = runs.flat_map(|text| text.words.start..text.words.end + 1 - min_run as u32);
        if !texts.iter().any(|text| text.words.len() >= whole) {
            return Err(Error::Corpus(CorpusError::NoBenchmark { words: whole }));
        }
        let mut tables = vec![RunTable::new(&words, min_run, runs)?];
        let is_short = |text: &&BenchmarkText| (whole..min_run).contains(&text.words.len());
        let anchors = texts.iter().filter(is_short).map(|text| text.words.start);
        let anchors = RunTable::new(&words, whole, anchors)?;
        let lens: BTreeSet<usize> = texts.iter().filter(is_short).map(|text| text.words.len()).collect();
        for len in lens {
            let of_len = texts.iter().filter(|text| text.words.len() == len).map(|text| text.words.start);
            tables.push(RunTable::new(&words, len, of_len)?);
        }
        let mut bases = vec![0];
        tables.iter().for_each(|table| bases.push(bases[bases.len() - 1] + table.num_runs() as u32));
        let numbered: Vec<(u32, &RunTable)> = bases.iter().copied().zip(&tables).collect();
        let alike = AlikeTexts::new(&texts, &numbered);
        let most = texts.iter().map(|_| AtomicU32::default()).collect();
        let most_of_class = (0..alike.num_classes()).map(|_| AtomicU32::default()).collect();
        let settings = settings.clone();
        Ok(Benchmark { settings, texts, alike, most, most_of_class, words, bytes, tables, anchors, bases })
    }
}

impl Benchmark {
    /// Whether a text is long enough to be found.
    pub(super) fn can_be_found(&self, text: &BenchmarkText) -> bool {
        text.words.len() >= self.settings.whole_len()
    }

    /// The number of the text that has this word.
    pub(super) fn text_at(&self, word: u32) -> usize {
        text_at(&self.texts, word)
    }

    /// Notes that a document has this many words of a text in runs.
    pub(super) fn count(&self, text: usize, matched: u32) {
        self.most[text].fetch_max(matched, Ordering::Relaxed);
    }

    /// Notes that a document has this many words of each text of a class in popular runs.
    pub(super) fn count_class(&self, class: u32, matched: u32) {
        self.most_of_class[class as usize].fetch_max(matched, Ordering::Relaxed);
    }

    /// The maximum number of a text's words that one document contains in runs.
    pub(super) fn most(&self, text: usize) -> u32 {
        let of_class =
            self.alike.class_of(text).map(|class| self.most_of_class[class as usize].load(Ordering::Relaxed));
        self.most[text].load(Ordering::Relaxed).max(of_class.unwrap_or(0))
    }

    /// Whether a document contains enough of a text.
    ///
    /// * `matched`: the number of its words that are in runs of the document.
    pub(super) fn is_found(&self, text: u32, matched: u32) -> bool {
        self.settings.is_found(matched.into(), self.texts[text as usize].words.len() as u64)
    }

    /// The number of texts of a class that a document contains to a sufficient part by popular runs. They are the first
    /// members in [`AlikeTexts::members`].
    pub(super) fn num_found(&self, class: u32, matched: u32) -> usize {
        self.alike.members(class).partition_point(|&text| self.is_found(text, matched))
    }

    /// The number, among all runs, of a distinct run of a table.
    pub(super) fn run_number(&self, table: usize, run: usize) -> u32 {
        self.bases[table] + run as u32
    }

    /// The positions of a distinct run in the words of all benchmarks, ascending.
    ///
    /// * `run`: its number among all runs.
    pub(super) fn positions(&self, run: u32) -> &[u32] {
        let table = self.table_of(run);
        self.tables[table].positions((run - self.bases[table]) as usize)
    }

    /// The positions of a popular run in the first text of each class; `None` if the run is not popular.
    pub(super) fn class_positions(&self, run: u32) -> Option<&[u32]> {
        if self.positions(run).len() > MANY_TEXTS { self.alike.positions(run) } else { None }
    }

    /// The number of words of a distinct run.
    pub(super) fn run_len(&self, run: u32) -> u32 {
        self.tables[self.table_of(run)].len() as u32
    }

    fn table_of(&self, run: u32) -> usize {
        self.bases.partition_point(|&base| base <= run) - 1
    }

    /// Bytes in memory.
    pub(super) fn num_bytes(&self) -> usize {
        let tables: usize = self.tables.iter().chain([&self.anchors]).map(RunTable::num_bytes).sum();
        16 * self.words.capacity()
            + self.texts.capacity() * (size_of::<BenchmarkText>() + 4)
            + tables
            + self.alike.num_bytes()
    }
}
