//! Runs the search on hand-made sets and candidates and compares it with brute force.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use super::plan::Plan;
use super::sets::SetSource;
use super::windows::verify_windows;
use super::*;
use crate::base::flat::union_find::UnionFind;
use crate::base::observe::Unwatched;
use crate::compare::verify::{DuplicatePair, PairWeights, RemovedShingles, Threshold};
use crate::documents::document::{DocId, DocumentLocation, Groups, Scope};
use crate::sign::banding::CandidateSource;

const NUM_HASHES: u32 = 4;

static POOL: LazyLock<rayon::ThreadPool> =
    LazyLock::new(|| rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap());

/// Sets by document, in memory.
struct HandMadeSets {
    sets: Vec<Vec<u64>>,
    removed: Vec<Vec<u64>>,
    /// The documents that cannot be loaded.
    lost: HashSet<usize>,
    has_weights: bool,
}

/// The weight of an item: most weigh little, some a thousand times as much.
fn weight(item: u64) -> u32 {
    [3, 70, 1, 5000, 9, 20, 1000][(item % 7) as usize]
}

impl HandMadeSets {
    fn signature_of(&self, document: DocId) -> Box<[u32]> {
        let value = |number| self.sets[document.index()].iter().map(|hash| hash.rotate_left(16 * number) as u32).min();
        (0..NUM_HASHES).map(|number| value(number).unwrap_or(0)).collect()
    }

    fn is_there(&self, document: DocId) -> bool {
        !self.lost.contains(&document.index())
    }
}

impl SetSource for HandMadeSets {
    fn shingles(&self, document: DocId, visit: &mut dyn FnMut(&[u64], &[u32])) -> Option<Vec<u64>> {
        if !self.is_there(document) {
            return None;
        }
        for block in self.sets[document.index()].chunks(7) {
            let weights: Vec<u32> = block.iter().filter(|_| self.has_weights).map(|&item| weight(item)).collect();
            visit(block, &weights);
        }
        Some(self.removed[document.index()].clone())
    }

    fn most_shingles(&self, document: DocId) -> usize {
        self.sets[document.index()].len()
    }

    fn is_plain(&self) -> bool {
        false
    }

    fn sign(&self, hashes: &[u64], _: &[u32]) -> Box<[u32]> {
        let value = |number| hashes.iter().map(|hash| hash.rotate_left(16 * number) as u32).min();
        (0..NUM_HASHES).map(|number| value(number).unwrap_or(0)).collect()
    }

    fn signature(&self, document: DocId) -> Option<Box<[u32]>> {
        self.is_there(document).then(|| self.signature_of(document))
    }
}

/// The candidates of each document, as lists.
struct HandMadeCandidates {
    lists: Vec<Vec<DocId>>,
    components: UnionFind,
}

impl HandMadeCandidates {
    fn new(num_documents: usize, pairs: &BTreeSet<(usize, usize)>) -> Self {
        let mut lists = vec![Vec::new(); num_documents];
        let components = UnionFind::new(num_documents as u32);
        for &(a, b) in pairs {
            lists[a].push(DocId::new(b));
            components.join(a as u32, b as u32);
        }
        assert!(lists.iter().all(|list| list.is_sorted()));
        components.settle();
        Self { lists, components }
    }
}

impl CandidateSource for HandMadeCandidates {
    fn gather(&self, document: DocId, candidates: &mut Vec<DocId>) {
        candidates.extend(&self.lists[document.index()]);
    }

    fn least_candidates(&self, document: DocId) -> usize {
        // A lower bound such as the fullest of three bands would give.
        self.lists[document.index()].len().div_ceil(3)
    }

    fn component(&self, document: DocId) -> DocId {
        DocId::new(self.components.least(document.get()) as usize)
    }
}

/// A corpus that exists only in memory.
struct Corpus {
    documents: Documents,
    sets: HandMadeSets,
    /// The candidate pairs of texts, by their first documents.
    pairs: BTreeSet<(usize, usize)>,
    threshold: Threshold,
}

impl Corpus {
    /// * `texts`: the set of each document; equal sets are exact copies.
    /// * `is_candidate`: whether two different texts share a bucket.
    fn new(texts: Vec<Vec<u64>>, scope: Scope, is_candidate: impl Fn(usize, usize) -> bool) -> Self {
        let mut documents = Documents::with_capacity(texts.len(), 0).unwrap();
        let located = DocumentLocation { offset: 0, len: 0, source: DocumentLocation::FILE };
        for (number, text) in texts.iter().enumerate() {
            let bytes: Vec<u8> = text.iter().flat_map(|item| item.to_le_bytes()).collect();
            let name = number.to_string();
            documents.push(name.as_bytes(), Some(xxh3_128(&bytes)), text.len() as u32, located).unwrap();
        }
        documents.group_copies(scope).unwrap();
        let firsts: Vec<usize> = (0..texts.len()).filter(|&number| documents.is_first(DocId::new(number))).collect();
        let all = firsts.iter().flat_map(|&a| firsts.iter().map(move |&b| (a, b)));
        let pairs = all.filter(|&(a, b)| a < b && is_candidate(a, b)).collect();
        let hashes = |text: &Vec<u64>| text.iter().map(|item| xxh3_64(&item.to_le_bytes())).collect();
        let removed = |number: usize| (0..number as u64 % 5).chain(10..10 + number as u64 % 3).collect();
        let sets = HandMadeSets {
            sets: texts.iter().map(hashes).collect(),
            removed: (0..texts.len()).map(removed).collect(),
            lost: HashSet::new(),
            has_weights: false,
        };
        Self { documents, sets, pairs, threshold: Threshold::default() }
    }

    fn found(&self, limits: &SearchLimits, collapse_exact: bool) -> Vec<DuplicatePair> {
        let candidates = HandMadeCandidates::new(self.documents.len(), &self.pairs);
        let mut found = Vec::new();
        let mut sink = |_: &Documents, batch: &[DuplicatePair]| -> Result<()> {
            found.extend_from_slice(batch);
            Ok(())
        };
        let core = VerifyContext::new(&Unwatched, &self.documents, &candidates, &self.sets, self.threshold);
        let emitter = PairEmitter::new(&self.documents, collapse_exact, true, NUM_HASHES, &mut sink);
        let summary = POOL.install(|| verify_windows(&core, limits, emitter)).unwrap();
        assert_eq!(summary.pairs, found.len() as u64);
        found
    }

    fn num_windows(&self, limits: &SearchLimits) -> usize {
        let candidates = HandMadeCandidates::new(self.documents.len(), &self.pairs);
        let core = VerifyContext::new(&Unwatched, &self.documents, &candidates, &self.sets, self.threshold);
        let plan = Plan::new(&core, limits);
        std::iter::successors(plan.window(0), |window| plan.window(window.documents.end)).count()
    }

    /// All duplicate pairs among the candidates and the exact copies, by brute force.
    fn expected(&self, collapse_exact: bool) -> Vec<DuplicatePair> {
        let documents = &self.documents;
        let all = (0..documents.len()).flat_map(|a| (a + 1..documents.len()).map(move |b| (a, b)));
        all.filter_map(|(a, b)| {
            let (a, b) = (DocId::new(a), DocId::new(b));
            let (first_a, first_b) = (documents.first_of_text(a)?, documents.first_of_text(b)?);
            let texts = (first_a.index().min(first_b.index()), first_a.index().max(first_b.index()));
            let is_copy = first_a == first_b;
            let is_reported = if collapse_exact { a == first_a && (b == first_b || is_copy) } else { true };
            let may_pair = documents.scope().may_pair(a, b) && (is_copy || self.pairs.contains(&texts));
            let is_there = self.sets.is_there(first_a) && self.sets.is_there(first_b);
            (is_reported && may_pair && is_there).then(|| self.pair((a, first_a), (b, first_b))).flatten()
        })
        .collect()
    }

    fn pair(&self, (a, first_a): (DocId, DocId), (b, first_b): (DocId, DocId)) -> Option<DuplicatePair> {
        let count = |sets: &[Vec<u64>]| {
            let set = |first: DocId| sets[first.index()].iter().copied().collect::<HashSet<u64>>();
            let (a, b) = (set(first_a), set(first_b));
            (a.len() as u64, b.len() as u64, a.intersection(&b).count() as u64)
        };
        let (shingles_a, shingles_b, shared) = count(&self.sets.sets);
        let (removed_a, removed_b, removed_shared) = count(&self.sets.removed);
        let signatures = (self.sets.signature_of(first_a), self.sets.signature_of(first_b));
        let equal_values = signatures.0.iter().zip(&signatures.1).filter(|(a, b)| a == b).count() as u32;
        let weigh = |items: HashSet<u64>| items.into_iter().map(|item| u64::from(weight(item))).sum();
        let set = |first: DocId| self.sets.sets[first.index()].iter().copied().collect::<HashSet<u64>>();
        let (set_a, set_b) = (set(first_a), set(first_b));
        let common = set_a.intersection(&set_b).copied().collect();
        let weights = PairWeights { shared: weigh(common), a: weigh(set_a), b: weigh(set_b) };
        let weights = self.sets.has_weights.then_some(weights);
        let union = shingles_a + shingles_b - shared;
        let is_met = weights.map_or_else(
            || self.threshold.is_met(shared, union),
            |weights| self.threshold.is_met(weights.shared, weights.union()),
        );
        is_met.then_some(DuplicatePair {
            a,
            b,
            shared,
            shingles_a,
            shingles_b,
            equal_values,
            num_hashes: NUM_HASHES,
            removed: Some(RemovedShingles { a: removed_a, b: removed_b, shared: removed_shared }),
            kept_names: None,
            weights,
        })
    }
}

const ROOMY: SearchLimits =
    SearchLimits { num_threads: 2, window_candidates: 1 << 16, block_bytes: 1 << 30, kept_bytes: 1 << 30 };

/// The set of a text in a cluster; most of its items belong to all texts of the cluster.
fn text_of(family: usize, version: usize, len: usize) -> Vec<u64> {
    let item = |at: usize| (family * 10_000 + at) as u64;
    let mut items: Vec<u64> = (0..len).map(item).collect();
    for edit in 0..version % 30 {
        let at = (edit * 37 + version * 11) % len;
        items[at] = item(5_000 + version * 40 + edit);
    }
    items
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn any_search_finds_what_brute_force_does(
        families in prop::collection::vec(0usize..6, 1..160),
        shape in (1usize..40, 20usize..150, 1usize..12),
        scope in 0usize..4,
        lost in prop::collection::hash_set(0usize..160, 0..3),
        window_candidates in 8usize..2000,
        bytes in (1500u64..60_000, 0u64..60_000),
        collapse_exact in any::<bool>(),
        has_weights in any::<bool>(),
    ) {
        let (num_versions, len, sparsity) = shape;
        let texts: Vec<Vec<u64>> =
            families.iter().enumerate().map(|(number, &family)| text_of(family, number % num_versions, len)).collect();
        let groups = |within| Some(Groups { of: families.iter().map(|family| *family as u32 % 2).collect(), within, names: Default::default() });
        let scope = match scope {
            0 => Scope::default(),
            1 => Scope::new(texts.len(), Some(texts.len() / 3), None),
            2 => Scope::new(texts.len(), None, groups(false)),
            _ => Scope::new(texts.len(), None, groups(true)),
        };
        // All or some pairs of texts in a cluster, and occasionally two texts of different clusters, are candidates.
        let is_candidate = |a: usize, b: usize| match families[a] == families[b] {
            true => (a * 31 + b * 17).is_multiple_of(sparsity) || sparsity < 6,
            false => (a * 31 + b * 17).is_multiple_of(997),
        };
        let mut corpus = Corpus::new(texts, scope, is_candidate);
        corpus.sets.lost = lost;
        corpus.sets.has_weights = has_weights;
        let (block_bytes, kept_bytes) = bytes;
        let limits = SearchLimits { window_candidates, block_bytes, kept_bytes, ..ROOMY };
        let expected = corpus.expected(collapse_exact);
        prop_assert_eq!(corpus.found(&limits, collapse_exact), &expected[..]);
        prop_assert_eq!(corpus.found(&ROOMY, collapse_exact), expected);
    }
}

/// Makes 900 texts in 30 clusters: one text in three comes early, and one cluster is as large as the next ten together.
/// In each cluster the texts cycle through 97 versions, so some are copies.
fn families_side_by_side() -> (Vec<usize>, Vec<Vec<u64>>) {
    let family = |number: usize| if number.is_multiple_of(3) { number / 30 } else { (number * 7919 % 40).min(29) };
    let mut sizes = [0; 30];
    let text = |number| {
        let family = family(number);
        sizes[family] += 1;
        text_of(family, (sizes[family] - 1) % 97, 120)
    };
    let texts = (0..900).map(text).collect();
    ((0..900).map(family).collect(), texts)
}

#[test]
fn components_that_reach_over_several_windows_give_the_pairs_of_brute_force_in_order() {
    let (families, texts) = families_side_by_side();
    let groups =
        |within| Some(Groups { of: (0..900).map(|number| number % 2).collect(), within, names: Default::default() });
    let scopes = [
        Scope::default(),
        Scope::new(900, Some(300), None),
        Scope::new(900, None, groups(false)),
        Scope::new(900, None, groups(true)),
    ];
    for scope in scopes {
        let mut corpus = Corpus::new(texts.clone(), scope, |a, b| families[a] == families[b]);
        corpus.threshold = Threshold::new(0.5).unwrap();
        for collapse_exact in [false, true] {
            let expected = corpus.expected(collapse_exact);
            assert!(expected.len() > 5 * 1024 && expected.is_sorted_by_key(|pair| (pair.a, pair.b)));
            for (window_candidates, memory_bytes) in [(1 << 10, 1 << 14), (1 << 10, 1 << 30), (1 << 16, 1 << 30)] {
                let limits = SearchLimits {
                    window_candidates,
                    block_bytes: memory_bytes / 4,
                    kept_bytes: memory_bytes / 16 * 7,
                    ..ROOMY
                };
                assert!(window_candidates > 1 << 10 || corpus.num_windows(&limits) > 5);
                assert!(corpus.found(&limits, collapse_exact) == expected, "{window_candidates} {memory_bytes}");
            }
        }
    }
}

/// Writes texts of `num_families` clusters. A version differs from its cluster's text in up to half of its words.
pub(super) fn write_families(folder: &Path, num_families: usize, num_texts: usize) {
    let words = |family: usize| (0..80).map(move |at| (family * 1000 + at) as u32 * 7919 % 10_007);
    for number in 0..num_texts {
        let (family, version) = (number % num_families, number / num_families);
        // All texts share a third of their words.
        let mut words: Vec<u32> = (0..40).map(|at| at * 104_729 % 99_991).chain(words(family)).collect();
        for edit in 0..version % 40 {
            words[40 + edit * 31 % 80] = (100_000 + version * 100 + edit) as u32;
        }
        let text: Vec<String> = words.iter().map(u32::to_string).collect();
        std::fs::write(folder.join(format!("{number:04}")), text.join(" ")).unwrap();
    }
}
