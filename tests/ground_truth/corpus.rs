//! One corpus: documents in document order and every pair at or above 0.5, by brute force.
//!
//! The brute force of a corpus that is made here is in [`brute_force`]; that of a corpus of `../shared/data` was done by
//! others. Nothing here uses the library's shingles: sets are sets of substrings, so a shared mistake cannot hide.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::generated::{self, Made};
use super::normalized::normalized;

/// Scalar values in a shingle, in `exact_jaccard.tsv` as here.
const SHINGLE_SIZE: usize = 9;

/// Where the corpora are, as seen from the package that is tested, not from where it was compiled.
pub(crate) fn data_folder() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&package).join("../shared/data")
}

/// A corpus with its truth.
pub(crate) struct Corpus {
    pub(crate) folder: PathBuf,
    /// Ids and texts, normalised by the definition, in document order.
    pub(crate) documents: Vec<Document>,
    /// All pairs at or above 0.5, in document order.
    pub(crate) truth: Vec<TruthPair>,
    /// The pairs that are labelled as duplicates, in document order.
    pub(crate) labelled: Vec<(usize, usize)>,
    positions: HashMap<String, usize>,
    truth_by_documents: HashMap<(usize, usize), usize>,
    /// Where a corpus lies that is made here.
    _made_in: Option<TempDir>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Document {
    pub(crate) id: String,
    pub(crate) text: String,
}

/// A pair that brute force found; `a` and `b` are places in document order, `a` first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TruthPair {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) shared: u64,
    pub(crate) union: u64,
}

impl TruthPair {
    pub(crate) fn similarity(&self) -> f64 {
        self.shared as f64 / self.union as f64
    }

    /// Whether the similarity is at least this many tenths, in integers.
    pub(crate) fn reaches(&self, tenths: u64) -> bool {
        self.shared * 10 >= self.union * tenths
    }
}

/// A pair that `dedup` found, by places in document order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FoundPair {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) shared: u64,
    pub(crate) shingles_a: u64,
    pub(crate) shingles_b: u64,
}

impl Corpus {
    pub(crate) fn load(name: &str) -> Self {
        generated::make(name).map_or_else(|| Self::shared(name), Self::made)
    }

    /// A corpus that is made here, written to a folder of its own.
    pub(crate) fn made(made: Made) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let lines: String = (0..)
            .zip(made.texts)
            .map(|(number, text)| {
                let document = Document { id: format!("made-{number}"), text };
                serde_json::to_string(&document).expect("a document is an object") + "\n"
            })
            .collect();
        fs::write(folder.path().join("docs.jsonl"), lines).expect("room for a small corpus");
        let mut corpus = Self::documents(folder.path().to_owned());
        corpus.set_truth(brute_force(&corpus.documents));
        Self { labelled: made.labelled, _made_in: Some(folder), ..corpus }
    }

    fn shared(name: &str) -> Self {
        let mut corpus = Self::documents(data_folder().join(name));
        // Where line ends matter, this is the truth by the definition of normalised text.
        let joined = corpus.folder.join("exact_jaccard_joined.tsv");
        let lines = if joined.exists() { read(&joined) } else { read(&corpus.folder.join("exact_jaccard.tsv")) };
        let truth = lines.lines().map(|line| {
            let [one, other, _, shared, union] = fields(line);
            let (one, other) = (corpus.position(one), corpus.position(other));
            let count = |field: &str| field.parse().expect("a count");
            TruthPair { a: one.min(other), b: one.max(other), shared: count(shared), union: count(union) }
        });
        let truth = truth.collect();
        corpus.set_truth(truth);
        if let Ok(lines) = fs::read_to_string(corpus.folder.join("truth.tsv")) {
            let pairs = lines.lines().map(|line| {
                let [one, other] = fields(line).map(|id| corpus.position(id));
                (one.min(other), one.max(other))
            });
            corpus.labelled = pairs.collect();
            corpus.labelled.sort_unstable();
        }
        corpus
    }

    /// The documents of `docs.jsonl` in a folder, and nothing of their pairs.
    fn documents(folder: PathBuf) -> Self {
        let documents: Vec<Document> = read(&folder.join("docs.jsonl"))
            .lines()
            .map(|line| {
                let Document { id, text } = serde_json::from_str(line).expect("a document a line");
                Document { id, text: normalized(&text) }
            })
            .collect();
        let positions: HashMap<String, usize> =
            documents.iter().enumerate().map(|(position, document)| (document.id.clone(), position)).collect();
        assert_eq!(positions.len(), documents.len(), "{}: an id occurs twice", folder.display());
        let (truth, labelled, truth_by_documents) = (Vec::new(), Vec::new(), HashMap::new());
        Self { folder, documents, truth, labelled, positions, truth_by_documents, _made_in: None }
    }

    fn set_truth(&mut self, mut truth: Vec<TruthPair>) {
        truth.sort_unstable();
        self.truth_by_documents = truth.iter().enumerate().map(|(index, pair)| ((pair.a, pair.b), index)).collect();
        self.truth = truth;
    }

    pub(crate) fn input(&self) -> PathBuf {
        self.folder.join("docs.jsonl")
    }

    /// The place of a document in document order.
    pub(crate) fn position(&self, id: &str) -> usize {
        *self.positions.get(id).unwrap_or_else(|| panic!("{id:?} is no document"))
    }

    /// The distinct shingles of every document.
    pub(crate) fn num_shingles(&self) -> Vec<u64> {
        self.documents.iter().map(|document| shingles(&document.text).len() as u64).collect()
    }

    /// Which pair of the truth each found pair is; fails for one that is not, or has other values, or stands in the
    /// wrong place.
    pub(crate) fn match_truth(&self, found: &[FoundPair], num_shingles: &[u64]) -> Vec<usize> {
        for pair in found.windows(2) {
            assert!((pair[0].a, pair[0].b) < (pair[1].a, pair[1].b), "out of document order: {pair:?}");
        }
        found
            .iter()
            .map(|pair| {
                let ids = [pair.a, pair.b].map(|position| &self.documents[position].id);
                assert!(pair.a < pair.b, "{ids:?} are not in document order");
                let index = *self
                    .truth_by_documents
                    .get(&(pair.a, pair.b))
                    .unwrap_or_else(|| panic!("{ids:?} is below 0.5 by brute force, reported as {pair:?}"));
                let truth = self.truth[index];
                assert_eq!(pair.shared, truth.shared, "shared shingles of {ids:?}");
                assert_eq!(pair.shingles_a + pair.shingles_b - pair.shared, truth.union, "union of {ids:?}");
                assert_eq!([pair.shingles_a, pair.shingles_b], [num_shingles[pair.a], num_shingles[pair.b]], "{ids:?}");
                index
            })
            .collect()
    }
}

/// The shingle set of a normalised text, as substrings.
pub(crate) fn shingles(text: &str) -> HashSet<&str> {
    let mut starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
    starts.push(text.len());
    if (1..=SHINGLE_SIZE).contains(&text.chars().count()) {
        return HashSet::from([text]);
    }
    starts.windows(SHINGLE_SIZE + 1).map(|window| &text[window[0]..window[SHINGLE_SIZE]]).collect()
}

/// Every pair at or above 0.5: all pairs of documents, counted one by one.
fn brute_force(documents: &[Document]) -> Vec<TruthPair> {
    let mut numbers = HashMap::new();
    let sets: Vec<Vec<u32>> = documents.iter().map(|document| numbered(&document.text, &mut numbers)).collect();
    let mut truth = Vec::new();
    for a in 0..sets.len() {
        for b in a + 1..sets.len() {
            let shared = count_shared(&sets[a], &sets[b]);
            let union = sets[a].len() + sets[b].len() - shared;
            if shared > 0 && 2 * shared >= union {
                truth.push(TruthPair { a, b, shared: shared as u64, union: union as u64 });
            }
        }
    }
    truth
}

/// The distinct shingles of a text as numbers, ascending.
pub(crate) fn numbered<'t>(text: &'t str, numbers: &mut HashMap<&'t str, u32>) -> Vec<u32> {
    let number = |shingle| {
        let next = numbers.len() as u32;
        *numbers.entry(shingle).or_insert(next)
    };
    let mut set: Vec<u32> = shingles(text).into_iter().map(number).collect();
    set.sort_unstable();
    set
}

/// The numbers that are in both of two ascending lists.
pub(crate) fn count_shared<N: Ord>(a: &[N], b: &[N]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        shared += usize::from(a[i] == b[j]);
        let (from_a, from_b) = (a[i] <= b[j], b[j] <= a[i]);
        i += usize::from(from_a);
        j += usize::from(from_b);
    }
    shared
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn fields<const N: usize>(line: &str) -> [&str; N] {
    let fields: Vec<&str> = line.split('\t').collect();
    fields.try_into().unwrap_or_else(|_| panic!("not {N} fields: {line:?}"))
}
