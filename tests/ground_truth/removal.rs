//! What is left after templates and frequent shingles are removed, against brute force over all pairs.

use std::collections::{HashMap, HashSet};
use std::io::Write;

use dedup_scan::records::PairRecord;

use super::corpus::{Corpus, FoundPair, count_shared, numbered};
use super::exact;

/// `most_documents`: distinct texts that a shingle may be in.
pub(crate) fn what_is_left_equals_brute_force(name: &str, most_documents: usize, method_name: &str) {
    let corpus = Corpus::load(name);
    let template = &corpus.documents[corpus.documents.len() / 2].text;
    let mut numbers = HashMap::new();
    let whole: Vec<Vec<u32>> = corpus.documents.iter().map(|document| numbered(&document.text, &mut numbers)).collect();
    let mut removed: HashSet<u32> = numbered(template, &mut numbers).into_iter().collect();
    let mut frequencies: HashMap<u32, usize> = HashMap::new();
    let mut seen = HashSet::new();
    for (document, set) in corpus.documents.iter().zip(&whole).filter(|(document, _)| seen.insert(&document.text)) {
        assert!(!document.text.is_empty());
        set.iter().for_each(|&shingle| *frequencies.entry(shingle).or_default() += 1);
    }
    let frequent = frequencies.into_iter().filter(|&(_, count)| count > most_documents).map(|(shingle, _)| shingle);
    removed.extend(frequent);
    let less = |set: &Vec<u32>| set.iter().copied().filter(|shingle| !removed.contains(shingle)).collect();
    let left: Vec<Vec<u32>> = whole.iter().map(less).collect();
    let (mut expected, mut raw) = (Vec::new(), Vec::new());
    for a in 0..left.len() {
        for b in a + 1..left.len() {
            let shared = count_shared(&left[a], &left[b]);
            let union = left[a].len() + left[b].len() - shared;
            if shared > 0 && 2 * shared >= union {
                let [shared, shingles_a, shingles_b] = [shared, left[a].len(), left[b].len()].map(|len| len as u64);
                expected.push(FoundPair { a, b, shared, shingles_a, shingles_b });
                let shared = count_shared(&whole[a], &whole[b]);
                raw.push(shared as f64 / (whole[a].len() + whole[b].len() - shared) as f64);
            }
        }
    }
    let num_whole = corpus.truth.len();
    assert!(expected.len() > 50 && expected.len() + 20 < num_whole, "{} pairs of {num_whole}", expected.len());

    let mut file = tempfile::NamedTempFile::new().expect("a temporary file");
    file.write_all(template.as_bytes()).expect("room for it");
    let path = file.path().to_str().expect("its name is UTF-8");
    // A pair at 0.5 is missed with probability (1 - 0.5²)¹⁵⁰ < 2e-19.
    let flags = ["--threshold", "0.5", "--bands", "150", "--rows", "2", "--template", path, "--max-df"];
    let lines = exact::scan(&corpus, method_name, &[&flags[..], &[&most_documents.to_string()]].concat());
    assert_eq!(exact::parse(&corpus, &lines), expected);
    for (line, raw) in lines.lines().zip(raw) {
        let record: PairRecord = serde_json::from_str(line).expect("parsed before");
        assert!(record.jaccard_raw.is_some_and(|found| (found - raw).abs() <= 1e-12), "{raw}: {line}");
    }
}
