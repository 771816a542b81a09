//! Tests of the write-ahead log, renamed files, searching threads and dictionaries.

use std::path::PathBuf;

use super::*;
use crate::base::observe::Unwatched;
use crate::documents::input::InputSettings;
use crate::index::blocks::sealed::IndexTable;
use crate::index::database::file::OpenFor;
use crate::index::texts::stored_texts::{dictionary_of, find_block, text_of};
use crate::index::{IndexSettings, OpenIndex, QuerySettings, build_index, check_index};
use crate::search::run::Settings;

#[test]
fn the_log_stays_short_beside_a_reader_that_never_ends() {
    let folder = tempfile::tempdir().unwrap();
    let index = index_of_a_text(folder.path());
    let mut writer = IndexWriter::open(&index, Duration::ZERO, 1 << 20).unwrap();
    writer.most_log = 1 << 20;
    // Blocks of a run that is not part of the index.
    let batch = |writer: &mut IndexWriter, number: i64| {
        writer.transact(|writer| {
            let mut places = (0..8).map(|block| 99 << 32 | (8 * number + block));
            places.try_for_each(|at| writer.reader.file.put(IndexTable::Runs, at, &[7; 16_000]))
        })
    };
    let log = || std::fs::metadata(wal_of(&index)).map_or(0, |log| log.len());
    for number in 0..20 {
        batch(&mut writer, number).unwrap();
    }
    // 20 batches exceed the maximum size of the log; without a reader it is emptied after each.
    assert_eq!(log(), 0);
    let reader = IndexReader::open(&index, OpenFor::Read, 1 << 20).unwrap();
    let mut number = 20;
    let refused = loop {
        match batch(&mut writer, number) {
            Ok(()) => number += 1,
            Err(error) => break error.to_string(),
        }
        assert!(number < 40, "nothing is refused");
    };
    assert!(refused.contains("another process has been reading it for a long time"), "{refused}");
    assert!((1 << 20..(1 << 20) + 12 * 17_000).contains(&log()), "{}", log());
    // The reader still sees the same generation.
    assert_eq!(reader.state.generation, 21);
    drop(reader);
    batch(&mut writer, number).unwrap();
    assert_eq!(log(), 0);
    writer.delete_left().unwrap();
    drop(writer);
    assert!(check_index(&index, &Unwatched).unwrap().is_empty());
}

fn index_of_a_text(folder: &Path) -> PathBuf {
    let (index, text) = (folder.join("x.index"), folder.join("a.txt"));
    std::fs::write(&text, "The quick brown fox jumps over the lazy dog.").unwrap();
    let settings = Settings::of(InputSettings::of(vec![text]));
    build_index(&index, IndexSettings::default(), &settings, &Unwatched).unwrap();
    index
}

#[test]
#[cfg(unix)]
fn what_is_written_into_a_file_without_a_name_is_not_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let index = index_of_a_text(folder.path());
    let mut writer = IndexWriter::open(&index, Duration::ZERO, 1 << 20).unwrap();
    writer.transact(|_| Ok(())).unwrap();
    let renamed = writer.transact(|_| {
        std::fs::rename(&index, folder.path().join("y.index")).unwrap();
        Ok(())
    });
    assert!(matches!(renamed, Err(Error::Index(IndexError::Gone { .. }))), "{renamed:?}");
}

#[test]
fn threads_of_any_pool_may_ask() {
    let folder = tempfile::tempdir().unwrap();
    let index = index_of_a_text(folder.path());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let found = pool.broadcast(|_| {
        let mut open = OpenIndex::open(&QuerySettings { index: index.clone(), ..QuerySettings::default() }).unwrap();
        open.search(None, "The quick brown fox jumps over the lazy cat.").unwrap().matches.len()
    });
    assert_eq!(found, [1; 3]);
}

/// Writes enough texts for a dictionary, from a number on, in a transaction that ends with the given result.
fn write_texts(writer: &mut IndexWriter, number: u32, text: &[u8], ends: Result<()>) -> Result<()> {
    let next = number + (4 << 20) / text.len() as u32 + 1;
    writer.transact(|writer| {
        let IndexReader { file, state, .. } = &mut writer.reader;
        let mut texts = TextWriter::new(file, true, state.dictionaries, None)?;
        (number..next).try_for_each(|number| texts.push(file, number, text))?;
        texts.flush(file)?;
        state.dictionaries = texts.dictionaries;
        assert!(dictionary_of(file, state.dictionaries.number - 1).is_ok());
        ends
    })
}

#[test]
fn a_dictionary_goes_with_the_transaction_that_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(&index_of_a_text(folder.path()), Duration::ZERO, 1 << 20).unwrap();
    let text = "a text of some common words ".repeat(1 << 9);
    assert!(write_texts(&mut writer, 9, text.as_bytes(), Err(Error::Cancelled)).is_err());
    assert!(dictionary_of(&writer.reader.file, 0).is_err());
    write_texts(&mut writer, 9, text.as_bytes(), Ok(())).unwrap();
    assert!(dictionary_of(&writer.reader.file, 0).is_ok());
}

#[test]
fn texts_are_read_with_the_dictionary_that_was_the_last_one() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(&index_of_a_text(folder.path()), Duration::ZERO, 1 << 20).unwrap();
    let texts = ["everywhere the same words come again ", "quite different ones follow "].map(|text| text.repeat(100));
    for (number, text) in [1, 100_000].into_iter().zip(&texts) {
        // Otherwise the second dictionary would only be made after 128 MiB of texts.
        writer
            .transact(|writer| {
                writer.reader.state.dictionaries.bytes_before_next = 0;
                Ok(())
            })
            .unwrap();
        write_texts(&mut writer, number, text.as_bytes(), Ok(())).unwrap();
        let count = (4 << 20) / text.len() as u64 + 1;
        assert_eq!(writer.reader.state.dictionaries.bytes_before_next, (128 << 20) - count * text.len() as u64);
    }
    assert_eq!(writer.reader.state.dictionaries.number, 2);
    let file = &writer.reader.file;
    for (number, text) in [100, 100_100].into_iter().zip(&texts) {
        let block = find_block(file, number).unwrap();
        assert_eq!(text_of(file, &block, number).unwrap(), text.as_bytes());
    }
}

#[test]
fn texts_that_are_too_large_for_a_dictionary_wait_for_none() {
    let folder = tempfile::tempdir().unwrap();
    let small = "a text of some common words ".repeat(1 << 9).into_bytes();
    let large = b"large ones have words of their own ".repeat(60_000);
    // With eight large texts, 16 MiB wait before there are enough small texts; with five, there are enough before.
    for (num_large, num_dictionaries) in [(8, 0), (5, 1)] {
        let index = index_of_a_text(folder.path());
        let mut writer = IndexWriter::open(&index, Duration::ZERO, 1 << 20).unwrap();
        let texts: Vec<&[u8]> =
            std::iter::repeat_n(large.as_slice(), num_large).chain([small.as_slice(); 300]).collect();
        let write = |writer: &mut IndexWriter| {
            let IndexReader { file, state, .. } = &mut writer.reader;
            let mut written = TextWriter::new(file, true, state.dictionaries, None)?;
            (9..).zip(&texts).try_for_each(|(number, text)| written.push(file, number, text))?;
            written.flush(file)?;
            state.dictionaries = written.dictionaries;
            Ok(())
        };
        writer.transact(write).unwrap();
        assert_eq!(writer.reader.state.dictionaries.number, num_dictionaries);
        assert!(writer.reader.state.dictionaries.bytes_before_next > 0);
        for (number, text) in (9..).zip(&texts) {
            let block = find_block(&writer.reader.file, number).unwrap();
            assert!(text_of(&writer.reader.file, &block, number).unwrap() == *text);
        }
        drop(writer);
        std::fs::remove_file(index).unwrap();
    }
}

#[test]
fn blocks_are_the_same_whoever_compresses_them() {
    // More texts than a dictionary is made from, and one that is larger than all waiting blocks may be.
    let text = |text: u32| format!("text {} ", text * text % 977).repeat(1 + text as usize % 900);
    let mut texts: Vec<Vec<u8>> = (0..2_000u32).map(|number| text(number).into()).collect();
    texts[1_990] = text(1_990).repeat(1_000).into();
    let blocks = |pool: Option<&rayon::ThreadPool>| {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = IndexWriter::open(&index_of_a_text(folder.path()), Duration::ZERO, 1 << 20).unwrap();
        let write = |writer: &mut IndexWriter| {
            let file = &writer.reader.file;
            let mut written = TextWriter::new(file, true, writer.reader.state.dictionaries, pool)?;
            (9..).zip(&texts).try_for_each(|(number, text)| written.push(file, number, text))?;
            written.flush(file)?;
            assert_eq!(written.dictionaries.number, 1);
            Ok(())
        };
        writer.transact(write).unwrap();
        let file = &writer.reader.file;
        let read = |(number, text): (u32, &Vec<u8>)| {
            let block = find_block(file, number).unwrap();
            assert!(text_of(file, &block, number).unwrap() == *text);
            (block.at, file.need(IndexTable::Texts, block.at, |payload| Some(payload.to_vec())).unwrap())
        };
        (9..).zip(&texts).map(read).collect::<Vec<(i64, Vec<u8>)>>()
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let alone = blocks(None);
    assert!(alone.windows(2).any(|pair| pair[0].0 < pair[1].0), "several blocks");
    assert!(blocks(Some(&pool)) == alone);
}
