//! `Baseline`: accepted pairs, from a file and to a file; pairs of a run in, whether they are known out.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::Deserialize;

use super::entry::{AcceptedPair, AcceptedRecord};
use crate::error::{Error, Result};
use crate::output::push_json;

/// The form of the baselines that this version reads and writes.
pub const BASELINE_FORM: u32 = 1;
/// The first line of a baseline.
const HEADER: &str = "{\"dedup_baseline\":1}\n";

/// The pairs that are accepted. About 400 bytes for each.
#[derive(Debug, Default)]
pub struct Baseline {
    /// In the order of the file.
    entries: Vec<AcceptedPair>,
    /// The keys of both names, ascending, each with the number of its entry.
    by_names: Vec<(u128, u32)>,
    /// The same of the keys that have texts.
    by_texts: Vec<(u128, u32)>,
    /// The entries that occur.
    seen: Vec<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineForm {
    dedup_baseline: u32,
}

impl Baseline {
    /// Reads a baseline. Lines may be in any order, and there more than once, as a merge may leave them.
    ///
    /// # Errors
    /// When it cannot be read, or a line is none of a baseline.
    pub fn read(path: &Path) -> Result<Self> {
        let fault = |fault: String| Error::SavedResult { path: path.to_owned(), fault };
        let text = fs::read(path).map_err(|error| {
            fault(format!("cannot read the baseline: {error}; write one with dedup baseline --from RESULT"))
        })?;
        let mut entries = Vec::new();
        let mut lines = (1..).zip(text.split(|&byte| byte == b'\n'));
        let form = lines.next().and_then(|(_, line)| serde_json::from_slice::<BaselineForm>(line).ok());
        match form {
            Some(BaselineForm { dedup_baseline: BASELINE_FORM }) => {}
            Some(BaselineForm { dedup_baseline }) => {
                return Err(fault(format!(
                    "it is a baseline of form {dedup_baseline}, of another version; write it anew"
                )));
            }
            None => {
                return Err(fault(
                    "it is no baseline; write one with dedup baseline --from RESULT --output FILE".to_owned(),
                ));
            }
        }
        for (number, line) in lines {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            if line.is_empty() {
                continue;
            }
            let record: AcceptedRecord = serde_json::from_slice(line).map_err(|error| {
                fault(match line {
                    [b'<' | b'=' | b'>' | b'|', ..] => {
                        format!("line {number} is a mark of a merge conflict; keep the lines of both sides, without the marks")
                    }
                    _ => format!("line {number} is no accepted pair ({error}); correct it, or write the baseline anew"),
                })
            })?;
            entries.push(AcceptedPair::from(&record));
        }
        Ok(Self::of(entries))
    }

    /// The baseline of these pairs.
    pub fn of(entries: Vec<AcceptedPair>) -> Self {
        let (mut by_names, mut by_texts) = (Vec::with_capacity(entries.len()), Vec::new());
        for (number, entry) in (0..).zip(&entries) {
            let (names, texts) = entry.keys();
            by_names.push((names, number));
            by_texts.extend(texts.into_iter().map(|key| (key, number)));
        }
        by_names.sort_unstable();
        by_texts.sort_unstable();
        Self { seen: vec![false; entries.len()], entries, by_names, by_texts }
    }

    /// Whether a pair is known. Its entries then occur, also when it is too much more alike to be known.
    pub fn knows(&mut self, pair: &AcceptedPair) -> bool {
        let (names, texts) = pair.keys();
        let by_names = numbers(&self.by_names, names);
        // Those of its names stand for it alone, though other documents may have the same texts.
        let has_names = !by_names.is_empty();
        let mut is_known = false;
        let found = by_names.iter().map(|found| (found, true));
        let others = texts.iter().flat_map(|&key| numbers(&self.by_texts, key)).map(|found| (found, !has_names));
        for (&(_, number), is_it) in found.chain(others) {
            is_known |= self.entries[number as usize].covers(pair);
            self.seen[number as usize] |= is_it;
        }
        is_known
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it accepts nothing.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries that no pair had.
    ///
    /// * `could_occur`: whether a run that reports pairs like this one would have.
    pub fn gone(&self, could_occur: impl Fn(&AcceptedPair) -> bool) -> impl Iterator<Item = &AcceptedPair> {
        self.entries
            .iter()
            .zip(&self.seen)
            .filter(move |&(entry, &seen)| !seen && could_occur(entry))
            .map(|(entry, _)| entry)
    }

    /// Writes the entries, sorted, each once; of those with the same names and texts, the one that accepts the most.
    ///
    /// * `keeps`: which of them.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(&self, out: &mut dyn Write, keeps: impl Fn(&AcceptedPair, bool) -> bool) -> io::Result<()> {
        let kept = self.entries.iter().zip(&self.seen).filter(|&(entry, &seen)| keeps(entry, seen));
        let mut entries: Vec<&AcceptedPair> = kept.map(|(entry, _)| entry).collect();
        let accepts = |entry: &AcceptedPair| entry.coverage.unwrap_or(entry.jaccard);
        entries.sort_unstable_by(|one, other| {
            let order = (&one.names, one.texts, one.coverage.is_some()).cmp(&(
                &other.names,
                other.texts,
                other.coverage.is_some(),
            ));
            order.then(accepts(other).total_cmp(&accepts(one)))
        });
        entries.dedup_by(|next, kept| {
            next.names == kept.names && next.texts == kept.texts && next.coverage.is_some() == kept.coverage.is_some()
        });
        out.write_all(HEADER.as_bytes())?;
        for entry in entries {
            let mut line = Vec::new();
            push_json(&mut line, &entry.record());
            line.push(b'\n');
            out.write_all(&line)?;
        }
        Ok(())
    }
}

/// The entries of a key.
fn numbers(keys: &[(u128, u32)], key: u128) -> &[(u128, u32)] {
    let start = keys.partition_point(|&(other, _)| other < key);
    let len = keys[start..].partition_point(|&(other, _)| other == key);
    &keys[start..start + len]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pair(names: [&str; 2], texts: [Option<u128>; 2], jaccard: f64) -> AcceptedPair {
        let names = names.map(|name| name.as_bytes().to_vec());
        AcceptedPair { names, texts, jaccard, coverage: None }.in_order()
    }

    #[test]
    fn a_pair_is_known_by_names_or_texts_of_either_side() {
        let mut baseline = Baseline::of(vec![pair(["a", "b"], [Some(1), Some(2)], 0.8)]);
        for (names, texts, is_known) in [
            (["a", "b"], [None, None], true),
            (["b", "a"], [None, None], true),
            (["a", "moved"], [Some(9), Some(2)], true),
            (["moved", "a"], [Some(2), Some(9)], true),
            (["x", "y"], [Some(2), Some(1)], true),
            (["x", "y"], [Some(1), Some(1)], false),
            (["a", "c"], [Some(1), Some(3)], false),
            (["c", "d"], [None, None], false),
        ] {
            assert_eq!(baseline.knows(&pair(names, texts, 0.8)), is_known, "{names:?} {texts:?}");
        }
    }

    #[test]
    fn what_becomes_more_alike_is_new_and_still_occurs() {
        let mut baseline = Baseline::of(vec![pair(["a", "b"], [None; 2], 0.8)]);
        assert!(!baseline.knows(&pair(["a", "b"], [None; 2], 0.86)));
        assert_eq!(baseline.gone(|_| true).count(), 0);
        assert!(
            baseline.knows(&pair(["a", "b"], [None; 2], 0.85)) && baseline.knows(&pair(["a", "b"], [None; 2], 0.1))
        );
        let covered = |coverage| AcceptedPair { coverage: Some(coverage), ..pair(["a", "b"], [None; 2], 1.0) };
        let mut baseline = Baseline::of(vec![covered(0.3)]);
        assert!(baseline.knows(&covered(0.35)) && !baseline.knows(&covered(0.36)));
    }

    #[test]
    fn an_entry_occurs_by_its_names_before_the_copies_of_its_texts() {
        let entries = vec![pair(["a1", "b"], [Some(1), Some(2)], 0.8), pair(["a2", "b"], [Some(1), Some(2)], 0.8)];
        let mut baseline = Baseline::of(entries);
        assert!(baseline.knows(&pair(["a1", "b"], [Some(1), Some(2)], 0.8)));
        let gone: Vec<_> = baseline.gone(|_| true).map(|entry| entry.names[0].clone()).collect();
        assert_eq!(gone, [b"a2".to_vec()]);
        let mut pruned = Vec::new();
        baseline.write(&mut pruned, |_, seen| seen).unwrap();
        let text = String::from_utf8(pruned).unwrap();
        assert_eq!(text.lines().count(), 2);
        assert!(text.contains("a1") && !text.contains("a2"));
    }

    #[test]
    fn other_files_are_refused() {
        let read = |text: &str| {
            let file = tempfile::NamedTempFile::new().unwrap();
            fs::write(file.path(), text).unwrap();
            Baseline::read(file.path()).map(|baseline| baseline.len()).map_err(|error| error.to_string())
        };
        assert_eq!(read(HEADER), Ok(0));
        let line = r#"{"a":"x","b":"y","jaccard":0.8}"#;
        assert_eq!(read(&format!("{HEADER}{line}\r\n\n{line}\n")), Ok(2));
        for (text, part) in [
            ("".to_owned(), "it is no baseline"),
            ("{\"a\":1}\n".to_owned(), "it is no baseline"),
            ("{\"dedup_baseline\":2}\n".to_owned(), "form 2"),
            (format!("{HEADER}<<<<<<< HEAD\n"), "line 2 is a mark of a merge conflict"),
            (format!("{HEADER}{line}\n{{}}\n"), "line 3 is no accepted pair"),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_known_is_what_a_slow_search_finds(
            entries in prop::collection::vec((0usize..4, 0usize..4, 0u128..3, 0u128..3, 0u32..4), 0..12),
            pairs in prop::collection::vec((0usize..4, 0usize..4, 0u128..3, 0u128..3, 0u32..4), 0..12),
        ) {
            const NAMES: [&str; 4] = ["a", "b", "c", "d"];
            // Text 0 is not known.
            let make = |&(a, b, of_a, of_b, share): &(usize, usize, u128, u128, u32)| {
                pair([NAMES[a], NAMES[b]], [of_a, of_b].map(|text| Some(text).filter(|&text| text > 0)), f64::from(share) * 0.04)
            };
            let entries: Vec<AcceptedPair> = entries.iter().map(make).collect();
            let mut file = tempfile::NamedTempFile::new().unwrap();
            Baseline::of(entries.clone()).write(&mut file, |_, _| true).unwrap();
            let mut baseline = Baseline::read(file.path()).unwrap();
            for pair in pairs.iter().map(make) {
                let same = |entry: &AcceptedPair, at: usize, of: usize| {
                    entry.names[at] == pair.names[of] || entry.texts[at].is_some() && entry.texts[at] == pair.texts[of]
                };
                let is_known = entries.iter().any(|entry| {
                    let matches = same(entry, 0, 0) && same(entry, 1, 1) || same(entry, 0, 1) && same(entry, 1, 0);
                    matches && pair.jaccard <= entry.jaccard + 0.05 + 1e-9
                });
                prop_assert_eq!(baseline.knows(&pair), is_known, "{:?}", pair);
            }
        }
    }
}
