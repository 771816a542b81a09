//! `TextWriter`: writes texts in compressed blocks, in the order of their numbers.
//!
//! Blocks are sized so that two blocks, or six short ones, fill a page of SQLite. A dictionary is made from the first 4
//! MiB of texts. Later texts may have other words: after 128 MiB of texts, the next 4 MiB make another dictionary.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, mpsc};
use std::thread;

use super::block_sizer::BlockSizer;
use super::common_words::common_words;
use super::stored_texts::{PART, PART_KIND, dictionary_of, payload_of, row_id};
use crate::base::error::Result;
use crate::index::blocks::compression::{Dictionary, Effort, compressed};
use crate::index::blocks::packing::push_varint;
use crate::index::blocks::sealed::IndexTable;
use crate::index::database::file::IndexFile;
use crate::index::database::meta;
use crate::index::database::state::MadeDictionaries;

/// The number of blocks in a page of 16 KiB.
const BLOCKS: usize = 2;
/// The number of short blocks in a page. A text of a short block is read and erased in a third of the time.
const SHORT_BLOCKS: usize = 6;
/// The maximum increase of the compressed size for which blocks are short: 4 %.
const MOST_LONGER: f64 = 1.04;
/// Bytes of texts with which both block lengths are compared.
const COMPARED: usize = 1 << 19;
/// Bytes of the texts that a dictionary is made from.
const SAMPLE: usize = 4 << 20;
/// The maximum bytes of texts that wait for a dictionary: if most texts are too large for one, no dictionary is made.
const MOST_WAITING: usize = 4 * SAMPLE;
/// Bytes of the texts that a dictionary is used for. Making it needs 2 % of their processor time, and its two copies
/// 0.2 % of their bytes.
const PERIOD: u64 = 128 << 20;
/// The maximum bytes of a block that uses the dictionary, and of a text that contributes to it: larger texts repeat
/// their own words.
const FOR_DICTIONARY: usize = 64 << 10;

/// The number of blocks that are not written yet when the size of the next one is chosen, so that sizes do not depend
/// on the number of threads. With this value, up to four blocks are compressed at a time. A value of one needs 0.5 %
/// less disk space for short records, and allows two at a time.
pub(crate) const AHEAD: usize = 3;
/// The maximum bytes of texts in these blocks; beyond it, a block is written before the next one is compressed.
const MOST_AHEAD: usize = 4 << 20;
/// The maximum number of threads that compress blocks.
pub(crate) const MOST_PACKERS: usize = AHEAD + 1;

/// A block that is being compressed.
struct BlockAhead {
    /// The number of its first text.
    first: u32,
    /// Bytes of its texts before compression.
    texts: usize,
    /// Receives the compressed block, or the panic of the compression.
    payload: mpsc::Receiver<thread::Result<Vec<u8>>>,
}

/// Writes texts in the order of their numbers.
pub(crate) struct TextWriter<'p> {
    pub(crate) dictionaries: MadeDictionaries,
    /// The last dictionary.
    dictionary: Option<Arc<Dictionary>>,
    has_texts: bool,
    /// Texts that wait for a dictionary to be made from them; `None` when no dictionary is being made.
    sample: Option<Vec<(u32, Box<[u8]>)>>,
    /// Bytes of the waiting texts that contribute to the dictionary.
    sample_bytes: usize,
    /// Bytes of all waiting texts.
    waiting_bytes: usize,
    entries: Vec<(u32, Option<usize>)>,
    bytes: Vec<u8>,
    room: BlockSizer,
    /// Blocks that are not written yet, in order.
    ahead: VecDeque<BlockAhead>,
    pool: Option<&'p rayon::ThreadPool>,
}

impl<'p> TextWriter<'p> {
    /// Creates a writer.
    ///
    /// * `has_texts`: whether the index stores texts instead of places of texts.
    /// * `dictionaries`: the dictionaries of the index.
    /// * `pool`: compresses blocks, if given. The calling thread must not belong to it, and its threads must not wait
    ///   for the calling thread.
    ///
    /// # Errors
    /// When the last dictionary is damaged.
    pub(crate) fn new(
        file: &IndexFile,
        has_texts: bool,
        dictionaries: MadeDictionaries,
        pool: Option<&'p rayon::ThreadPool>,
    ) -> Result<Self> {
        let last = dictionaries.number.checked_sub(1);
        let dictionary = last.map(|number| dictionary_of(file, number)).transpose()?;
        Ok(Self {
            dictionaries,
            dictionary,
            has_texts,
            sample: None,
            sample_bytes: 0,
            waiting_bytes: 0,
            entries: Vec::new(),
            bytes: Vec::new(),
            room: BlockSizer::new(blocks_a_page(dictionaries.has_short_blocks)),
            ahead: VecDeque::new(),
            pool,
        })
    }

    /// Adds a text.
    pub(crate) fn push(&mut self, file: &IndexFile, number: u32, text: &[u8]) -> Result<()> {
        if text.len() > PART {
            self.flush(file)?;
            let num_parts = text.len().div_ceil(PART);
            for (part, bytes) in text.chunks(PART).enumerate() {
                let mut payload = vec![PART_KIND];
                push_varint(num_parts as u64, &mut payload);
                push_varint(bytes.len() as u64, &mut payload);
                payload.extend(compressed(bytes, Effort::First, None));
                file.put(IndexTable::Texts, row_id(number, part), &payload)?;
            }
            return Ok(());
        }
        if self.sample.is_none() && self.dictionaries.bytes_before_next == 0 && self.has_texts {
            self.sample = Some(Vec::new());
        }
        let Some(sample) = &mut self.sample else { return self.push_to_block(file, number, text) };
        sample.push((number, text.into()));
        self.waiting_bytes += text.len();
        self.sample_bytes += if text.len() <= FOR_DICTIONARY { text.len() } else { 0 };
        if self.sample_bytes >= SAMPLE || self.waiting_bytes >= MOST_WAITING {
            self.dictionaries.bytes_before_next = PERIOD;
            return self.write_sample(file);
        }
        Ok(())
    }

    fn push_to_block(&mut self, file: &IndexFile, number: u32, text: &[u8]) -> Result<()> {
        let room = self.room.bytes(self.ahead.iter().map(|block| block.texts));
        if !self.entries.is_empty() && self.bytes.len() + text.len() > room {
            self.flush_block(file)?;
        }
        self.entries.push((number, Some(text.len())));
        self.bytes.extend_from_slice(text);
        let before_next = &mut self.dictionaries.bytes_before_next;
        *before_next = before_next.saturating_sub(text.len() as u64);
        Ok(())
    }

    /// Makes a dictionary from the waiting texts, if there are enough, and writes these texts.
    fn write_sample(&mut self, file: &IndexFile) -> Result<()> {
        let Some(sample) = self.sample.take() else { return Ok(()) };
        self.waiting_bytes = 0;
        if std::mem::take(&mut self.sample_bytes) >= SAMPLE {
            let texts = sample.iter().map(|(_, text)| &**text).filter(|text| text.len() <= FOR_DICTIONARY);
            let texts: Vec<&[u8]> = texts.collect();
            let words = common_words(texts.iter().copied());
            if !words.is_empty() {
                let number = self.dictionaries.number;
                meta::put_dictionary(file, number, &words)?;
                let dictionary = Dictionary::new(number, words);
                self.dictionaries.has_short_blocks = are_short_blocks_as_good(&texts, &dictionary);
                self.room.set_blocks_a_page(blocks_a_page(self.dictionaries.has_short_blocks));
                self.dictionary = Some(Arc::new(dictionary));
                self.dictionaries.number += 1;
            }
        }
        sample.into_iter().try_for_each(|(number, text)| self.push_to_block(file, number, &text))
    }

    /// Writes all texts that are not written yet.
    pub(crate) fn flush(&mut self, file: &IndexFile) -> Result<()> {
        self.write_sample(file)?;
        self.flush_block(file)?;
        while !self.ahead.is_empty() {
            self.write_first(file)?;
        }
        Ok(())
    }

    /// Starts to compress the current block.
    fn flush_block(&mut self, file: &IndexFile) -> Result<()> {
        let Some(&(first, _)) = self.entries.first() else { return Ok(()) };
        let texts = self.bytes.len();
        // The next block will have about the same size.
        let bytes = std::mem::replace(&mut self.bytes, Vec::with_capacity(texts.min(FOR_DICTIONARY)));
        let entries = std::mem::take(&mut self.entries);
        while self.ahead.iter().map(|block| block.texts).sum::<usize>() + texts > MOST_AHEAD && !self.ahead.is_empty() {
            self.write_first(file)?;
        }
        let dictionary = self.dictionary.clone().filter(|_| texts <= FOR_DICTIONARY);
        let compress = move || payload_of(first, &entries, &bytes, Effort::First, dictionary.as_deref());
        let (send, payload) = mpsc::sync_channel(1);
        // After an error the result is not received.
        let work = move || drop(send.send(panic::catch_unwind(AssertUnwindSafe(compress))));
        match self.pool {
            Some(pool) => pool.spawn(work),
            None => work(),
        }
        self.ahead.push_back(BlockAhead { first, texts, payload });
        if self.ahead.len() > AHEAD { self.write_first(file) } else { Ok(()) }
    }

    /// Writes the first block that is not written yet.
    fn write_first(&mut self, file: &IndexFile) -> Result<()> {
        let Some(BlockAhead { first, texts, payload }) = self.ahead.pop_front() else { return Ok(()) };
        let payload = payload.recv().expect("it is sent").unwrap_or_else(|panic| panic::resume_unwind(panic));
        file.put(IndexTable::Texts, row_id(first, 0), &payload)?;
        self.room.wrote(texts, payload.len());
        Ok(())
    }
}

fn blocks_a_page(are_short: bool) -> usize {
    if are_short { SHORT_BLOCKS } else { BLOCKS }
}

/// Whether short blocks compress texts almost as well as longer ones.
///
/// This holds for texts that share words and little else, such as short records: random words grow by three percent.
/// Articles cut into records grow by 5 to 8 percent, and revisions by a quarter.
fn are_short_blocks_as_good(texts: &[&[u8]], dictionary: &Dictionary) -> bool {
    let share_of = |blocks_a_page: usize| {
        let room = BlockSizer::new(blocks_a_page).bytes([].into_iter());
        let (mut block, mut read, mut written) = (Vec::new(), 0, 0);
        for text in texts {
            block.extend_from_slice(text);
            if block.len() >= room {
                written += compressed(&block, Effort::First, Some(dictionary)).len();
                read += block.len();
                block.clear();
            }
            if read >= COMPARED {
                break;
            }
        }
        written as f64 / read as f64
    };
    share_of(SHORT_BLOCKS) <= MOST_LONGER * share_of(BLOCKS)
}

#[cfg(test)]
mod tests {
    use rand::rngs::ChaCha12Rng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn blocks_are_short_where_texts_have_words_in_common_and_nothing_else() {
        let words: Vec<String> =
            (0..2_000u32).map(|word| format!("word{:x} ", word.wrapping_mul(2_654_435_761))).collect();
        let dictionary = Dictionary::new(0, words.concat().into_bytes());
        let mut random = ChaCha12Rng::seed_from_u64(1);
        let mut word = || words[random.random_range(0..words.len())].as_str();
        let unlike: Vec<String> = (0..2_000).map(|_| (0..40).map(|_| word()).collect()).collect();
        // Each sentence is repeated in the next few texts.
        let alike: Vec<String> = (0..2_000).map(|at| unlike[at / 20].clone() + &unlike[at][..50]).collect();
        let are_short = |texts: &[String]| {
            let texts: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
            are_short_blocks_as_good(&texts, &dictionary)
        };
        assert!(are_short(&unlike));
        assert!(!are_short(&alike));
    }
}
