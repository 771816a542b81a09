//! Tests sets of documents that are read again, some of which have changed in between.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::*;
use crate::base::error::Result;
use crate::base::memory::Resources;
use crate::base::observe::{Observer, Stage, Unwatched};
use crate::base::problem::{Problem, Reason};
use crate::documents::document::{DocId, Documents};
use crate::documents::input::{InputSettings, Sources};
use crate::search::corpus::ReadCorpus;
use crate::search::run::{Settings, find_duplicates};

const TEXT: &str = "the text of a document";

fn settings(paths: &[PathBuf]) -> Settings {
    let mut settings = Settings::of(InputSettings::of(paths.to_vec()));
    settings.resources.threads = std::num::NonZeroUsize::MIN;
    settings
}

/// Reads the files, calls `change` to modify them, and loads the sets of all first documents.
fn problems_after(paths: &[PathBuf], change: impl FnOnce()) -> (Vec<bool>, Vec<Problem>) {
    let settings = settings(paths);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let sources = Sources::default();
    let corpus = crate::search::corpus::read(settings.corpus(), &sources, &Unwatched, &pool, false).unwrap().corpus;
    change();
    let documents = &corpus.documents;
    let sets = RereadSets::new(ReadCorpus {
        observer: &Unwatched,
        settings: settings.corpus(),
        removal: None,
        documents,
        sources: &sources,
    });
    let firsts: Vec<DocId> = (0..documents.len()).map(DocId::new).filter(|&id| documents.is_first(id)).collect();
    // The sets are loaded twice, to show that a problem is reported once.
    let loaded = pool.install(|| {
        let load = || firsts.iter().map(|&first| sets.shingles(first, &mut |_, _| {}).is_some()).collect();
        let _: Vec<bool> = load();
        load()
    });
    (loaded, sets.into_problems())
}

fn files<const N: usize>(folder: &Path, texts: [&str; N]) -> [PathBuf; N] {
    let mut number = 0;
    texts.map(|text| {
        number += 1;
        let path = folder.join(number.to_string());
        fs::write(&path, text).unwrap();
        path
    })
}

fn expected(path: &Path, fault: &str) -> Problem {
    let detail = format!("{fault} while it was compared; pairs with it may be missing, scan again");
    Problem::error(path.to_str().unwrap(), Reason::Changed, detail)
}

#[test]
fn untouched_files_are_loaded_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let paths = files(folder.path(), [TEXT, "another text altogether", "", "x"]);
    assert_eq!(problems_after(&paths, || ()), (vec![true; 3], vec![]));
}

#[test]
fn files_that_change_or_vanish_are_reported_once_and_never_compared() {
    let folder = tempfile::tempdir().unwrap();
    let paths = files(folder.path(), ["first text", "second text", "third text", "fourth text", "fifth text"]);
    let change = || {
        fs::write(&paths[0], "first tExt").unwrap();
        fs::remove_file(&paths[1]).unwrap();
        fs::write(&paths[2], b"\xFF").unwrap();
        fs::write(&paths[3], "").unwrap();
        // White space at the ends does not belong to the text.
        fs::write(&paths[4], "\nfifth  text").unwrap();
    };
    let (loaded, problems) = problems_after(&paths, change);
    assert_eq!(loaded, [false, false, false, false, true]);
    let faults = ["changed", "vanished", "changed", "changed"];
    let all: Vec<Problem> = paths.iter().zip(faults).map(|(path, fault)| expected(path, fault)).collect();
    assert_eq!(problems, all);
}

#[test]
fn a_copy_stands_in_for_a_file_that_vanished() {
    let folder = tempfile::tempdir().unwrap();
    let paths = files(folder.path(), [TEXT, TEXT]);
    let (loaded, problems) = problems_after(&paths, || fs::remove_file(&paths[0]).unwrap());
    assert_eq!((loaded, problems), (vec![true], vec![expected(&paths[0], "vanished")]));
}

#[test]
fn records_that_move_or_are_cut_off_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    let line = |id: &str| format!("{{\"id\":\"{id}\",\"text\":\"the text of {id}\"}}\n");
    fs::write(&path, line("a") + &line("b") + &line("c")).unwrap();
    let change = || fs::write(&path, line("a") + "\n" + &line("b")).unwrap();
    let (loaded, problems) = problems_after(std::slice::from_ref(&path), change);
    assert_eq!(loaded, [true, false, false]);
    let changed = |id| expected(Path::new(id), "changed");
    assert_eq!(problems, [changed("b"), changed("c")]);
}

#[test]
fn a_scan_during_which_a_file_changes_is_incomplete_and_prints_no_pair_of_it() {
    // Verifies the pair as a small component and, in a memory too small for that, in a block.
    for memory_bytes in [1 << 30, 1 << 12] {
        a_scan_during_which_a_file_changes(memory_bytes);
    }
}

fn a_scan_during_which_a_file_changes(memory_bytes: u64) {
    /// Changes a file when verification begins.
    struct Changes<'a>(&'a Path, Mutex<Vec<Problem>>);
    impl Observer for Changes<'_> {
        fn begin(&self, stage: Stage) {
            if stage == Stage::Verify {
                fs::write(self.0, "quite something else").unwrap();
            }
        }
        fn problem(&self, problem: &Problem) {
            self.1.lock().unwrap().push(problem.clone());
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let text = |end: &str| format!("{}{end}", "a text that is long enough to be alike ".repeat(2));
    let (one, two, three) = (text("1"), text("2"), text("3"));
    let paths = files(folder.path(), [&one, &two, &three]);
    let observer = Changes(&paths[1], Mutex::default());
    let mut pairs = Vec::new();
    let mut sink = |_: &Documents, batch: &[crate::compare::verify::DuplicatePair]| -> Result<()> {
        pairs.extend(batch.iter().map(|pair| (pair.a.index(), pair.b.index())));
        Ok(())
    };
    let resources = Resources { memory_bytes, ..settings(&paths).resources };
    let summary = find_duplicates(&Settings { resources, ..settings(&paths) }, &observer, &mut sink).unwrap();
    assert_eq!(pairs, [(0, 2)]);
    assert_eq!((summary.errors, summary.skipped[&Reason::Changed]), (1, 1));
    assert_eq!(observer.1.into_inner().unwrap(), [expected(&paths[1], "changed")]);
}

#[test]
fn many_records_of_a_file_that_vanished_are_one_problem() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.jsonl");
    for (number, is_one) in [(5, false), (6, true)] {
        let line = |id: usize| format!("{{\"id\":\"{id}\",\"text\":\"the text of {id}\"}}\n");
        fs::write(&path, (0..number).map(line).collect::<String>()).unwrap();
        let (loaded, problems) = problems_after(std::slice::from_ref(&path), || fs::remove_file(&path).unwrap());
        assert_eq!(loaded, vec![false; number]);
        if is_one {
            let detail = "vanished while 6 of its documents were compared; pairs with it may be missing, scan again";
            let problem = Problem::error(path.to_str().unwrap(), Reason::Changed, detail);
            assert_eq!(problems, [Problem { number: 6, ..problem }]);
        } else {
            let of_records: Vec<Problem> =
                (0..number).map(|id| expected(Path::new(&id.to_string()), "vanished")).collect();
            assert_eq!(problems, of_records);
        }
    }
}
