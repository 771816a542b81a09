//! `Baseline`: reads and writes accepted pairs, and recognises them among the pairs of a run.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use serde::Deserialize;

use super::entry::{AcceptedPair, AcceptedRecord, name_hash};
use super::keys::Keys;
use crate::base::error::{Error, Result};
use crate::documents::input::{InputSettings, decoded, path_bytes, path_of};
use crate::records::push_json;
use crate::results::saved::file_of;

/// The format version of the baselines that this program reads and writes.
pub const BASELINE_FORM: u32 = 1;
/// The first line of a baseline.
const HEADER: &str = "{\"dedup_baseline\":1}\n";

/// Length in bytes that no line of a baseline reaches.
const MOST_LINE: u64 = 1 << 20;

/// The accepted pairs. About 400 bytes per pair.
#[derive(Debug, Default)]
pub struct Baseline {
    /// The entries in the order of the file.
    entries: Vec<AcceptedPair>,
    /// The entries by the key of both names.
    by_names: Keys,
    /// The entries by the keys that contain texts; made once the documents of the run are known.
    by_texts: Option<Keys>,
    /// The hashes of the names in entries that a document of the run has.
    met: HashSet<u128>,
    /// The hashes of all names in entries.
    names: HashSet<u128>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BaselineForm {
    dedup_baseline: u32,
}

impl Baseline {
    /// Reads a baseline. The lines may be in any order, and may repeat, as a merge can leave them.
    ///
    /// # Errors
    /// When the baseline cannot be read, or a line is not a baseline entry.
    pub fn read(path: &Path) -> Result<Self> {
        let fault = |fault: String| Error::SavedResult { path: path.to_owned(), fault };
        let no_baseline = |fault: String| Error::NoBaseline { path: path.to_owned(), fault };
        let unreadable = |error| no_baseline(format!("cannot read the baseline: {error}"));
        let file = File::open(path).map_err(unreadable)?;
        let mut reader = BufReader::new(decoded(file, InputSettings::DEFAULT_MAX_WINDOW).map_err(unreadable)?.0);
        let (mut entries, mut line, mut number) = (Vec::new(), Vec::new(), 0);
        loop {
            line.clear();
            number += 1;
            let len = reader.by_ref().take(MOST_LINE).read_until(b'\n', &mut line).map_err(unreadable)?;
            let text = line.strip_suffix(b"\n").unwrap_or(&line);
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            if number == 1 {
                check_form(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text)).map_err(no_baseline)?;
            } else if len as u64 == MOST_LINE {
                return Err(fault(format!("line {number} is too long for an accepted pair; write the baseline again")));
            } else if !text.is_empty() {
                entries.push(entry(text, number).map_err(fault)?);
            } else if len == 0 {
                break;
            }
        }
        Ok(Self::of(entries))
    }

    /// A baseline of these pairs.
    pub fn of(entries: Vec<AcceptedPair>) -> Self {
        let by_names = Keys::new(&entries, |entry, keys| keys.push(entry.name_key()));
        let names = entries.iter().flat_map(AcceptedPair::name_hashes).collect();
        Self { entries, by_names, by_texts: None, met: HashSet::new(), names }
    }

    /// Notes that the run has a document with this name. Call it for all documents before the first pair. The text of
    /// an entry's document identifies it only if no document has its name any more, so a further copy counts as new.
    pub fn mark_present(&mut self, name: &[u8]) {
        let hash = name_hash(name);
        if self.names.contains(&hash) {
            self.met.insert(hash);
        }
    }

    /// Calls [`mark_present`](Self::mark_present) for the names of entries that a run has.
    pub fn mark_present_if(&mut self, is_met: impl Fn(&[u8]) -> bool) {
        let Self { entries, met, .. } = self;
        for entry in entries {
            let named = entry.names.iter().zip(entry.name_hashes());
            met.extend(named.filter(|(name, _)| is_met(name)).map(|(_, hash)| hash));
        }
    }

    /// Whether a pair is accepted. Its entries then count as occurring, even if the pair is too similar to be accepted.
    pub fn knows(&mut self, pair: &AcceptedPair) -> bool {
        let Self { entries, by_names, by_texts, met, .. } = self;
        let by_texts = by_texts.get_or_insert_with(|| {
            Keys::new(entries, |entry, keys| {
                keys.extend(entry.text_keys(entry.name_hashes().map(|hash| !met.contains(&hash))))
            })
        });
        let by_names = by_names.found.get_mut(&pair.name_key());
        // An entry with both names matches this pair only, even if other documents have the same texts.
        let has_names = by_names.is_some();
        let mut is_known = false;
        if let Some((accepted, seen)) = by_names {
            *seen = true;
            is_known = accepted.covers(pair);
        }
        for key in pair.text_keys([true; 2]) {
            if let Some((accepted, seen)) = by_texts.found.get_mut(&key) {
                *seen |= !has_names;
                is_known |= accepted.covers(pair);
            }
        }
        is_known
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the baseline has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries that did not occur although a pair of theirs would have been found: the run has both documents, or
    /// one of them no longer exists.
    ///
    /// * `folder`: the folder to which relative file names refer.
    /// * `has_records`: whether the run has records. A missing record may belong to a file that the run did not read,
    ///   so it counts as gone only if the run has the other document of the entry.
    /// * `could_occur`: whether the run reports pairs like this one.
    pub fn gone(
        &self,
        folder: &Path,
        has_records: bool,
        could_occur: impl Fn(&AcceptedPair) -> bool,
    ) -> impl Iterator<Item = &AcceptedPair> {
        let is_there = |name: &[u8]| file_of(path_bytes(&folder.join(path_of(name)))).is_some();
        let seen = self.seen();
        let is_gone = move |entry: &AcceptedPair| {
            let met = entry.name_hashes().map(|hash| self.met.contains(&hash));
            let is_side_gone = |side: usize| {
                let name = &entry.names[side];
                // A name with a folder belonged to a file; any other name may be the id of a record.
                let was_file = name.contains(&b'/') && !has_records;
                !met[side] && (met[1 - side] || was_file) && !is_there(name)
            };
            met == [true; 2] || is_side_gone(0) || is_side_gone(1)
        };
        let unseen = self.entries.iter().zip(seen).filter(|&(_, seen)| !seen).map(|(entry, _)| entry);
        unseen.filter(move |entry| could_occur(entry) && is_gone(entry))
    }

    /// Whether each entry occurred.
    fn seen(&self) -> Vec<bool> {
        let mut seen = vec![false; self.entries.len()];
        self.by_names.mark(&mut seen);
        self.by_texts.iter().for_each(|keys| keys.mark(&mut seen));
        seen
    }

    /// Writes the entries, sorted and without repeats. From entries with the same names and texts it keeps the one that
    /// accepts the most.
    ///
    /// * `without`: entries to omit, in the order of the entries.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(&self, out: &mut dyn Write, without: &[&AcceptedPair]) -> io::Result<()> {
        let mut without = without.iter().peekable();
        let mut is_left_out = |entry: &AcceptedPair| without.next_if(|other| std::ptr::eq(**other, entry)).is_some();
        let mut entries: Vec<&AcceptedPair> = self.entries.iter().filter(|entry| !is_left_out(entry)).collect();
        let is_of = |entry: &AcceptedPair| (entry.names.clone(), entry.against, entry.texts, entry.coverage.is_some());
        let accepts = |entry: &AcceptedPair| entry.coverage.unwrap_or(entry.jaccard);
        entries
            .sort_unstable_by(|one, other| is_of(one).cmp(&is_of(other)).then(accepts(other).total_cmp(&accepts(one))));
        entries.dedup_by(|next, kept| is_of(next) == is_of(kept));
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

/// Checks the first line.
fn check_form(line: &[u8]) -> Result<(), String> {
    match serde_json::from_slice::<BaselineForm>(line) {
        Ok(BaselineForm { dedup_baseline: BASELINE_FORM }) => Ok(()),
        Ok(BaselineForm { dedup_baseline }) => {
            Err(format!("it has form {dedup_baseline}, of another version of dedup"))
        }
        Err(_) => Err("not a baseline".to_owned()),
    }
}

/// Parses the entry of a line.
fn entry(line: &[u8], number: u64) -> Result<AcceptedPair, String> {
    if let [b'<' | b'=' | b'>' | b'|', ..] = line {
        return Err(format!(
            "line {number} is a marker of a merge conflict; keep the lines of both sides, and delete the markers"
        ));
    }
    let record: Result<AcceptedRecord, String> = serde_json::from_slice(line).map_err(|error| error.to_string());
    let pair = record.and_then(|record| AcceptedPair::try_from(&record).map_err(str::to_owned));
    pair.map_err(|error| {
        format!("line {number} is not an accepted pair ({error}); correct it, or write the baseline again")
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use proptest::prelude::*;

    use super::*;

    fn pair(names: [&str; 2], texts: [Option<u128>; 2], jaccard: f64) -> AcceptedPair {
        let names = names.map(|name| name.as_bytes().to_vec());
        AcceptedPair { names, texts, against: false, jaccard, coverage: None }.in_order()
    }

    fn gone(baseline: &Baseline) -> Vec<&AcceptedPair> {
        baseline.gone(Path::new("/no such folder"), false, |_| true).collect()
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
        assert_eq!(gone(&baseline).len(), 0);
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
        baseline.mark_present_if(|name| name != b"a2");
        assert!(baseline.knows(&pair(["a1", "b"], [Some(1), Some(2)], 0.8)));
        let gone = gone(&baseline);
        assert_eq!(gone.iter().map(|entry| &*entry.names[0]).collect::<Vec<_>>(), [b"a2"]);
        let mut pruned = Vec::new();
        baseline.write(&mut pruned, &gone).unwrap();
        let text = String::from_utf8(pruned).unwrap();
        assert_eq!(text.lines().count(), 2);
        assert!(text.contains("a1") && !text.contains("a2"));
    }

    #[test]
    fn a_text_stands_for_a_document_that_is_no_longer_there() {
        let entries = vec![pair(["a", "b"], [Some(1), Some(1)], 1.0)];
        let copy = pair(["a", "z"], [Some(1), Some(1)], 1.0);
        let mut moved = Baseline::of(entries.clone());
        moved.mark_present(b"a");
        assert!(moved.knows(&copy));
        let mut copied = Baseline::of(entries);
        copied.mark_present_if(|name| name == b"a" || name == b"b");
        assert!(!copied.knows(&copy) && copied.knows(&pair(["b", "a"], [Some(1), Some(1)], 1.0)));
    }

    #[test]
    fn the_sides_of_a_comparison_are_not_exchanged() {
        let of_sides = |names| AcceptedPair { against: true, ..pair(names, [Some(1), Some(2)], 0.9) };
        let mut baseline = Baseline::of(vec![of_sides(["1", "2"])]);
        baseline.mark_present_if(|_| true);
        assert!(baseline.knows(&of_sides(["1", "2"])));
        assert!(!baseline.knows(&AcceptedPair { names: [b"2".to_vec(), b"1".to_vec()], ..of_sides(["1", "2"]) }));
        assert!(!baseline.knows(&pair(["1", "2"], [None; 2], 0.9)));
    }

    #[test]
    fn an_entry_is_gone_when_the_run_would_have_had_it() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("there"), "").unwrap();
        let entries = [["a", "b"], ["a", "there"], ["x", "y"], ["there", "y"], ["d/x", "there"]];
        let entries = entries.map(|names| pair(names, [None; 2], 0.9));
        let gone = |met: &[&str], has_records| {
            let mut baseline = Baseline::of(entries.to_vec());
            met.iter().for_each(|name| baseline.mark_present(name.as_bytes()));
            let gone = baseline.gone(folder.path(), has_records, |_| true);
            gone.map(|entry| entry.names.each_ref().map(|name| String::from_utf8_lossy(name).into_owned()).concat())
                .collect::<Vec<_>>()
        };
        assert_eq!(gone(&[], false), ["d/xthere"]);
        assert_eq!(gone(&["a"], false), ["ab", "d/xthere"]);
        assert_eq!(gone(&["there"], true), ["athere", "therey", "d/xthere"]);
        assert_eq!((gone(&["a"], true), gone(&["d/x"], true)), (vec!["ab".to_owned()], Vec::<String>::new()));
        assert_eq!(gone(&["x", "y"], true), ["xy"]);
    }

    #[test]
    fn other_files_are_refused() {
        let read = |text: &str| {
            let file = tempfile::NamedTempFile::new().unwrap();
            fs::write(file.path(), text).unwrap();
            Baseline::read(file.path()).map(|baseline| baseline.len()).map_err(|error| error.to_string())
        };
        assert_eq!((read(HEADER), read(&format!("\u{FEFF}{HEADER}"))), (Ok(0), Ok(0)));
        let line = r#"{"a":"x","b":"y","jaccard":0.8}"#;
        assert_eq!(read(&format!("{HEADER}{line}\r\n\n{line}\n")), Ok(2));
        for (text, part) in [
            ("".to_owned(), "not a baseline"),
            ("{\"a\":1}\n".to_owned(), "not a baseline"),
            ("{\"dedup_baseline\":2}\n".to_owned(), "form 2"),
            (format!("{HEADER}<<<<<<< HEAD\n"), "line 2 is a marker of a merge conflict"),
            (format!("{HEADER}{line}\n{{}}\n"), "line 3 is not an accepted pair"),
            (
                format!("{HEADER}{}\n", line.replace("0.8", "9")),
                "line 2 is not an accepted pair (similarities are from 0 to 1)",
            ),
            (format!("{HEADER}{}\n", line.replace("}", ",\"text_a\":\"zz\"}")), "(hashes have 32 hexadecimal digits)"),
            (format!("{HEADER}{}", "x".repeat(2 << 20)), "line 2 is too long"),
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
            met in prop::collection::vec(0usize..4, 0..3),
        ) {
            const NAMES: [&str; 4] = ["a", "b", "c", "d"];
            // Text 0 means an unknown text.
            let make = |&(a, b, of_a, of_b, share): &(usize, usize, u128, u128, u32)| {
                pair([NAMES[a], NAMES[b]], [of_a, of_b].map(|text| Some(text).filter(|&text| text > 0)), f64::from(share) * 0.04)
            };
            let entries: Vec<AcceptedPair> = entries.iter().map(make).collect();
            let mut file = tempfile::NamedTempFile::new().unwrap();
            Baseline::of(entries.clone()).write(&mut file, &[]).unwrap();
            let mut baseline = Baseline::read(file.path()).unwrap();
            met.iter().for_each(|&name| baseline.mark_present(NAMES[name].as_bytes()));
            let is_met = |name: &[u8]| met.iter().any(|&met| NAMES[met].as_bytes() == name);
            for pair in pairs.iter().map(make) {
                let same = |entry: &AcceptedPair, at: usize, of: usize| {
                    let has_text = entry.texts[at].is_some() && entry.texts[at] == pair.texts[of];
                    entry.names[at] == pair.names[of] || has_text && !is_met(&entry.names[at])
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
