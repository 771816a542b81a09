//! The log, files without names, and threads that ask.

use std::path::PathBuf;

use super::*;
use crate::index::file::OpenFor;
use crate::index::sealed::IndexTable;
use crate::index::{IndexSettings, OpenIndex, QuerySettings, build_index, check_index};
use crate::input::InputSettings;
use crate::observe::Unwatched;
use crate::run::Settings;

#[test]
fn the_log_stays_short_beside_a_reader_that_never_ends() {
    let folder = tempfile::tempdir().unwrap();
    let index = index_of_a_text(folder.path());
    let mut writer = IndexWriter::open(&index, Duration::ZERO, 1 << 20).unwrap();
    writer.most_log = 1 << 20;
    // Blocks of a run that is no part of the index.
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
    // 20 batches are more than the log may hold; without a reader it is emptied after each.
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
    assert!(refused.contains("another process has read it for long"), "{refused}");
    assert!((1 << 20..(1 << 20) + 12 * 17_000).contains(&log()), "{}", log());
    // The reader still sees what it saw.
    assert_eq!(reader.state.generation, 21);
    drop(reader);
    batch(&mut writer, number).unwrap();
    assert_eq!(log(), 0);
    writer.delete_left().unwrap();
    drop(writer);
    assert_eq!(check_index(&index, &Unwatched).unwrap(), [""; 0]);
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
        open.ask(None, "The quick brown fox jumps over the lazy cat.").unwrap().matches.len()
    });
    assert_eq!(found, [1; 3]);
}
