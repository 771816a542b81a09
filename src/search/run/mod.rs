//! `find_duplicates`: runs all stages, from paths to duplicate pairs.
//!
//! The first pass (`corpus`) reads, shingles and signs every document; the second pass (`pairs`) reads the documents of
//! candidate pairs again and verifies them. `search` runs the stages of `pass`, and every command that finds pairs begins with
//! it. `found_pairs` has a variant for each source of candidates, and `pair_steps` has the steps that pairs pass before
//! they leave: a new source or step begins there. `clusters` forms groups from the pairs, `overlaps` compares the
//! groups of `--by`, and `list` reports the fate of each document.

mod candidate_sums;
mod clusters;
mod common_frame;
mod duplicated_lines;
mod found_pairs;
mod group_summaries;
mod list;
mod overlaps;
mod pair_steps;
mod pass;
mod search;
mod settings;
mod settings_record;
mod sign;
mod similarities;
mod summary;
mod timed;
#[cfg(test)]
mod brute_force_tests;

pub(crate) use self::candidate_sums::CandidateSums;
pub(crate) use self::clusters::coverages;
pub use self::clusters::{ClusterSettings, FoundClusters, OrderOf, find_clusters};
pub use self::common_frame::CommonFrame;
pub use self::duplicated_lines::{DocumentDuplication, Duplication, LineSet};
pub use self::group_summaries::{ClusterSummary, OverlapSummary};
pub use self::list::{DocumentSink, list_documents};
pub(crate) use self::overlaps::OverlapBuilder;
pub use self::overlaps::{GroupOverlap, GroupOverlaps, OverlapSort, find_overlaps};
pub use self::search::{Search, Searched};
pub use self::settings::Settings;
pub(crate) use self::settings_record::RecordedSettings;
pub use self::settings_record::{MatchingRecord, SettingsRecord};
pub use self::sign::sign_documents;
pub use self::similarities::sample_similarities;
pub use self::summary::{LargestBucket, Memory, Seconds, Summary};
use crate::base::error::Result;
use crate::base::observe::Observer;
use crate::compare::passages::PassageSettings;
use crate::compare::verify::DuplicatePair;
use crate::documents::document::Documents;
use crate::search::pairs::{PairSink, Sink};

/// Finds all candidate pairs of the corpus, verifies each, and passes the pairs that reach the threshold to `sink`.
///
/// * `sink`: receives pairs in document order (by `a`, then `b`), in batches, from one thread.
///
/// Memory is a fixed number of bytes per document, plus the parts that [`MemoryPlan`](crate::base::MemoryPlan) assigns. The
/// pairs and their order depend only on the texts and the settings of the method.
///
/// # Errors
/// When the run cannot be done. Inputs that cannot be used are problems: they are reported to the observer and counted.
pub fn find_duplicates(settings: &Settings, observer: &dyn Observer, sink: Sink) -> Result<Summary> {
    let mut sink = |documents: &Documents, pairs: &[DuplicatePair], _: &[_]| sink(documents, pairs);
    Ok(Search::new(settings, observer).printed().run(&mut sink)?.summary)
}

/// Does what [`find_duplicates`] does, and finds the passages of each pair. It reads the documents of pairs once more.
///
/// * `passages`: the definition of a passage; [`PassageSettings::of`] has the defaults for each kind of shingle.
/// * `sink`: receives pairs and the passages of each; `None` where a document changed or could not be read again, which
///   is also reported as a problem.
///
/// Passages are parts of whole documents: they include shingles that the run removes, such as the shingles of
/// templates.
///
/// # Errors
/// As for [`find_duplicates`], and when the documents are sets, whose elements have no order.
pub fn find_passages(
    settings: &Settings,
    passages: PassageSettings,
    observer: &dyn Observer,
    sink: &mut dyn PairSink,
) -> Result<Summary> {
    Ok(Search::new(settings, observer).printed().with_passages(Some(passages)).run(sink)?.summary)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::base::error::Error;
    use crate::base::memory::Resources;
    use crate::base::observe::Unwatched;
    use crate::compare::verify::{DuplicatePair, Threshold};
    use crate::documents::document::GroupSettings;
    use crate::documents::input::{Against, Cancel, InputSettings};
    use crate::search::pairs::{PairBatch, PairSettings};
    use crate::text::shingle::{ShingleKind, ShingleSettings};

    fn settings_of(folder: &Path, threshold: f64, memory_bytes: u64, threads: usize) -> Settings {
        Settings {
            pairs: PairSettings { threshold: Threshold::new(threshold).unwrap(), ..PairSettings::default() },
            banding: crate::sign::Banding::new(100, 2).unwrap(),
            resources: Resources { memory_bytes, threads: threads.try_into().unwrap() },
            ..Settings::of(InputSettings::of(vec![folder.into()]))
        }
    }

    fn pairs_of(folder: &Path, threshold: f64, memory_bytes: u64, threads: usize) -> Vec<DuplicatePair> {
        pairs_without(&[], folder, threshold, memory_bytes, threads)
    }

    fn pairs_without(
        templates: &[&str],
        folder: &Path,
        threshold: f64,
        memory_bytes: u64,
        threads: usize,
    ) -> Vec<DuplicatePair> {
        let mut settings = settings_of(folder, threshold, memory_bytes, threads);
        settings.removal.templates = templates.iter().map(|&path| path.into()).collect();
        let mut pairs = Vec::new();
        let summary = find_duplicates(&settings, &Unwatched, &mut |_, batch| {
            pairs.extend_from_slice(batch);
            Ok(())
        });
        assert_eq!(summary.unwrap().pairs, pairs.len() as u64);
        pairs
    }

    #[test]
    fn a_cancelled_run_fails_whenever_it_was_cancelled() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "b"] {
            std::fs::write(folder.path().join(name), "the same text").unwrap();
        }
        let before = settings_of(folder.path(), 0.8, 1 << 30, 1);
        before.cancel.cancel();
        let found = find_duplicates(&before, &Unwatched, &mut |_, _| panic!("there is nothing to pass on"));
        assert!(matches!(found, Err(Error::Cancelled)));
        let during = settings_of(folder.path(), 0.8, 1 << 30, 1);
        let cancel = during.cancel.clone();
        let found = find_duplicates(&during, &Unwatched, &mut |_, _| {
            cancel.cancel();
            Ok(())
        });
        assert!(matches!(found, Err(Error::Cancelled)));
    }

    /// Notes its calls, and cancels the run when the documents are known, if it has a handle for that.
    #[derive(Default)]
    struct NotingSink {
        calls: Vec<String>,
        cancel: Option<Cancel>,
    }

    impl PairSink for NotingSink {
        fn begin(&mut self, documents: &Documents) -> Result<()> {
            self.calls.push(format!("{} documents", documents.len()));
            self.cancel.iter().for_each(Cancel::cancel);
            Ok(())
        }

        fn pairs(&mut self, batch: PairBatch<'_>) -> Result<()> {
            self.calls.push(format!("{} pairs", batch.pairs.len()));
            Ok(())
        }
    }

    #[test]
    fn a_sink_receives_all_documents_once_and_before_the_first_pair() {
        let folder = tempfile::tempdir().unwrap();
        let calls = |cancels: bool| {
            let settings = settings_of(folder.path(), 0.8, 1 << 30, 2);
            let mut sink = NotingSink { cancel: cancels.then(|| settings.cancel.clone()), ..NotingSink::default() };
            let found = Search::new(&settings, &Unwatched).printed().run(&mut sink);
            assert_eq!(cancels, matches!(found, Err(Error::Cancelled)));
            sink.calls
        };
        for name in ["a", "b", "c"] {
            std::fs::write(folder.path().join(name), "the same text").unwrap();
        }
        assert_eq!(calls(false), ["3 documents", "3 pairs"]);
        assert_eq!(calls(true), ["3 documents"]);
        std::fs::write(folder.path().join("a"), "another one").unwrap();
        std::fs::write(folder.path().join("b"), "and a third").unwrap();
        assert_eq!(calls(false), ["3 documents"]);
    }

    #[test]
    fn a_sliced_text_without_later_neighbours_keeps_its_size_for_the_copy_of_an_earlier_one() {
        let folder = tempfile::tempdir().unwrap();
        let words: Vec<String> = (0..600u32).map(|i| (i * 7919 % 10_007).to_string()).collect();
        let text = words.join(" ");
        // The second text is similar to the first and to its copy, and a candidate of the last text, which is half of
        // it.
        for (name, text) in [("a", &text), ("b", &text.replace("9 1", "9 x 1")), ("c", &text)] {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        std::fs::write(folder.path().join("d"), words[..300].join(" ")).unwrap();
        let whole = pairs_of(folder.path(), 0.8, 1 << 30, 1);
        let names: Vec<(usize, usize)> = whole.iter().map(|pair| (pair.a.index(), pair.b.index())).collect();
        assert_eq!(names, [(0, 1), (0, 2), (1, 2)]);
        assert!(whole.iter().all(|pair| pair.shingles_a > 1024));
        assert_eq!(pairs_of(folder.path(), 0.8, 1 << 14, 1), whole);
    }

    #[test]
    fn sets_that_do_not_fit_the_memory_come_and_go_and_give_the_same_pairs() {
        let folder = tempfile::tempdir().unwrap();
        let words: Vec<String> = (0..300u32).map(|i| (i * 7919 % 10_007).to_string()).collect();
        // One bucket of distinct texts with about 1,500 shingles each.
        for number in 0..50 {
            let mut words = words.clone();
            words[number * 5] = "other".to_owned();
            std::fs::write(folder.path().join(format!("{number:02}")), words.join(" ")).unwrap();
        }
        let whole = pairs_of(folder.path(), 0.5, 1 << 30, 2);
        assert_eq!(whole.len(), 50 * 49 / 2);
        // The sets do not fit, so they are counted in slices.
        for threads in [1, 2] {
            assert_eq!(pairs_of(folder.path(), 0.5, 100_000, threads), whole);
        }
    }

    /// Writes 900 texts in 30 clusters. Consecutive file numbers belong to different clusters, one text in three comes
    /// early, and one cluster is as large as the next ten together. In each cluster the texts cycle through 97
    /// versions, so some are copies.
    fn write_families(folder: &Path) -> Vec<Vec<usize>> {
        let mut families = vec![Vec::new(); 30];
        for number in 0..900usize {
            let family = if number % 3 == 0 { number / 30 } else { (number * 7919 % 40).min(29) };
            let words: Vec<String> = (0..60).map(|i| ((family + 1) * (i + 17) * 7919 % 10_007).to_string()).collect();
            let version = "xyz".repeat(families[family].len() % 97 / 4) + &"w".repeat(families[family].len() % 97 % 4);
            let group = folder.join(["a", "b"][number % 2]);
            std::fs::create_dir_all(&group).unwrap();
            std::fs::write(group.join(format!("{number:03}")), words.join(" ") + &version).unwrap();
            families[family].push(number);
        }
        families
    }

    #[test]
    fn components_side_by_side_give_the_same_pairs_in_the_same_order_in_any_memory() {
        let folder = tempfile::tempdir().unwrap();
        let families = write_families(folder.path());
        let whole = pairs_of(folder.path(), 0.5, 1 << 30, 2);
        // Files with even numbers are in the first folder, files with odd numbers in the second.
        let position = |number: usize| number / 2 + number % 2 * 450;
        let mut expected: Vec<(usize, usize)> = Vec::new();
        for family in &families {
            let pairs = family.iter().enumerate().flat_map(|(at, &a)| family[at + 1..].iter().map(move |&b| (a, b)));
            expected.extend(pairs.map(|(a, b)| (position(a).min(position(b)), position(a).max(position(b)))));
        }
        expected.sort_unstable();
        // One cluster has more texts than a small component.
        assert!(families.iter().any(|family| family.len() > 97) && expected.len() > 10 * 1024);
        assert_eq!(whole.iter().map(|pair| (pair.a.index(), pair.b.index())).collect::<Vec<_>>(), expected);
        for memory_bytes in [1 << 14, 1 << 16, 1 << 18] {
            for threads in [1, 2] {
                assert_eq!(pairs_of(folder.path(), 0.5, memory_bytes, threads), whole, "{memory_bytes}");
            }
        }
    }

    #[test]
    fn any_memory_gives_the_pairs_of_sides_groups_and_collapsed_copies_too() {
        let folder = tempfile::tempdir().unwrap();
        write_families(folder.path());
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        let groups = |within| Some(GroupSettings { by: "dir".parse().unwrap(), within, with_names: false });
        let changes: [&dyn Fn(&mut Settings); 4] = [
            &|settings| settings.pairs.collapse_exact = true,
            &|settings| {
                settings.input.paths = vec![a.clone()];
                settings.input.against = Some(Against { paths: vec![b.clone()], ..Against::default() });
            },
            &|settings| settings.input.groups = groups(false),
            &|settings| settings.input.groups = groups(true),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let pairs = |memory_bytes, threads| {
                let mut pairs = Vec::new();
                let mut settings = settings_of(folder.path(), 0.5, memory_bytes, threads);
                change(&mut settings);
                find_duplicates(&settings, &Unwatched, &mut |_, batch| {
                    pairs.extend_from_slice(batch);
                    Ok(())
                })
                .unwrap();
                pairs
            };
            let whole = pairs(1 << 30, 2);
            assert!(whole.len() > 5 * 1024 && whole.is_sorted_by_key(|pair| (pair.a, pair.b)), "{number}");
            assert_eq!(pairs(1 << 14, 2), whole, "{number}");
            assert_eq!(pairs(1 << 16, 1), whole, "{number}");
        }
    }

    #[test]
    fn the_summary_has_the_memory_of_sets_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let sets_of = |memory_bytes, threads: usize| {
            let settings = Settings {
                banding: crate::sign::Banding::default(),
                ..settings_of(folder.path(), 0.8, memory_bytes, threads)
            };
            find_duplicates(&settings, &Unwatched, &mut |_, _| Ok(())).unwrap().memory.sets
        };
        let words: Vec<String> = (0..300u32).map(|i| (i * 7919 % 10_007).to_string()).collect();
        let text = words.join(" ");
        assert_eq!(sets_of(1 << 30, 1), 0);
        for pair in 0..40 {
            for side in ["a", "b"] {
                // Each pair is a separate component.
                let text = text.replace(' ', &format!("{pair}z")) + side;
                std::fs::write(folder.path().join(format!("{pair}{side}")), text).unwrap();
            }
        }
        let one = std::fs::metadata(folder.path().join("39a")).unwrap().len();
        // Each thread holds a block of up to 60 bytes per different shingle, and each found pair needs 64.
        for threads in [1, 2] {
            let sets = sets_of(1 << 30, threads);
            let least = 8 * (one - 20);
            let most = threads as u64 * 60 * (one + 100) + 40 * 64;
            assert!((least..most).contains(&sets), "{threads} threads: {sets} of {least} to {most}");
        }
    }

    #[test]
    fn sets_counted_in_slices_are_less_the_templates_too() {
        // Many articles share a lead paragraph. Even without it they are too large for a cache of 16 KiB.
        let templates = ["examples/corpus/news/ferry-portal.txt", "examples/corpus/news/orchard-in-brief.txt"];
        let pairs = |memory_bytes| pairs_without(&templates, Path::new("examples/corpus"), 0.3, memory_bytes, 2);
        let whole = pairs(1 << 30);
        let is_sliced = |pair: &&DuplicatePair| {
            pair.shingles_a > 1024 && pair.shingles_b > 1024 && pair.removed.is_some_and(|removed| removed.shared > 0)
        };
        assert!(whole.iter().filter(is_sliced).count() > 1);
        assert!(whole.iter().all(|pair| pair.removed.is_some()));
        assert_eq!(pairs(1 << 14), whole);
    }

    #[test]
    fn sets_counted_in_slices_give_the_same_pairs() {
        let pairs = |memory_bytes, threads| pairs_of(Path::new("examples/corpus"), 0.3, memory_bytes, threads);
        let whole = pairs(1 << 30, 2);
        // In a memory of 16 KiB only sets of more than 1,024 shingles are sliced.
        let sliced = whole.iter().filter(|pair| pair.shingles_a.max(pair.shingles_b) > 1024).count();
        assert!(sliced > 10 && whole.len() - sliced > 10);
        assert!(whole.iter().any(|pair| (pair.shingles_a > 1024) != (pair.shingles_b > 1024)));
        assert_eq!(pairs(1 << 14, 2), whole);
        assert_eq!(pairs(1 << 14, 1), whole);
    }

    #[test]
    fn multisets_and_lines_counted_in_slices_give_the_same_pairs() {
        let folder = tempfile::tempdir().unwrap();
        let lines: Vec<String> = (0..4000u32).map(|i| (i * 7919 % 1511).to_string()).collect();
        for (name, from) in [("a", 0), ("b", 200), ("c", 700)] {
            std::fs::write(folder.path().join(name), lines[from..].join("\n")).unwrap();
        }
        for kind in [ShingleKind::Word, ShingleKind::Line, ShingleKind::Char] {
            let pairs = |memory_bytes, bag| {
                let settings = Settings {
                    shingles: ShingleSettings::new(kind).with_size(2).unwrap().with_bag(bag),
                    resources: Resources::with_memory_bytes(memory_bytes),
                    ..Settings::of(InputSettings::of(vec![folder.path().into()]))
                };
                let mut pairs = Vec::new();
                find_duplicates(&settings, &Unwatched, &mut |_, batch| {
                    pairs.extend_from_slice(batch);
                    Ok(())
                })
                .unwrap();
                pairs
            };
            let whole = pairs(1 << 30, true);
            assert_eq!(pairs(1 << 14, true), whole, "{kind:?}");
            // Every word, or line, except the last begins a shingle of two.
            let shingles = whole[0].shingles_a;
            assert!(whole.len() >= 2 && (kind == ShingleKind::Char || shingles == 3999), "{kind:?}: {whole:?}");
            assert!(pairs(1 << 14, false)[0].shingles_a < shingles, "{kind:?}");
        }
    }
}
