//! Finds the customers that two companies have in common, in records with typos: entity resolution (MMDS 3.8.1 to
//! 3.8.3).
//!
//! Records are candidates when their names, their addresses or their phone numbers are equal after folding. These are
//! three bands of one row, with a record's folded fields instead of a signature. Each candidate gets a score from
//! weighted comparisons of its fields. A gold column identifies the true customer of each record. The minimum score of
//! a match is learnt from one half of the records and evaluated on the other half. Pairs that reach it are printed as
//! JSON Lines; the learnt score goes to stderr.
//!
//! ```text
//! cargo run --example entities                      # on a generated pair of files
//! cargo run --example entities -- A.jsonl B.jsonl   # records with id, name, address, phone and gold
//! ```

mod hash_families;

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use dedup_scan::sign::banding::BucketTable;
use dedup_scan::{DocId, Normalization, Normalizer, Units};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use self::hash_families::{Draws, edit_distance};

/// A line of an input file.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Customer {
    id: String,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
    /// The true customer; all records of one customer have the same number.
    gold: u64,
}

/// A line of output.
#[derive(Debug, Serialize)]
struct Match<'r> {
    a: &'r str,
    b: &'r str,
    /// The score of the pair, from 0 to 300.
    score: u32,
    /// Whether the gold column says that both records belong to one customer.
    same: bool,
}

/// The fields of a record as they are compared: name, address, phone.
type Folded = [Option<String>; 3];

/// The points that equal fields add to a score.
const WEIGHT: f64 = 100.0;
/// The points that a field adds if one of the records lacks it: evidence neither for nor against a match.
const UNKNOWN: f64 = 50.0;

/// The learnt score, the results, and their quality.
#[derive(Debug)]
pub struct Outcome {
    /// The number of records in each file.
    pub num_records: [usize; 2],
    /// The number of pairs of records that belong to one customer.
    pub in_common: usize,
    /// The number of pairs with an equal field.
    pub candidates: usize,
    /// The number of candidates that belong to one customer.
    pub candidates_in_common: usize,
    /// The minimum score of a match.
    pub threshold: u32,
    /// The number of candidates in the half that is not used for learning; they evaluate the score.
    pub examined: usize,
    /// The share of the matches among them that are right.
    pub precision: f64,
    /// The share of the true pairs among them that match.
    pub recall: f64,
}

fn main() -> io::Result<()> {
    let folder = tempfile::tempdir()?;
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let paths = match arguments.as_slice() {
        [a, b] => [a.clone(), b.clone()],
        _ => generate(folder.path(), 7)?,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let outcome = resolve(&paths, &mut out)?;
    out.flush()?;
    let Outcome { num_records: [a, b], in_common, candidates, candidates_in_common, .. } = outcome;
    let Outcome { threshold, examined, precision, recall, .. } = outcome;
    eprintln!("{a} and {b} records, {in_common} pairs of one customer");
    eprintln!("{candidates} candidates of {} pairs; {candidates_in_common} of one customer", a * b);
    if examined == 0 {
        eprintln!("score of {threshold} learnt; the other half has no candidates to examine it with");
    } else {
        eprintln!(
            "score of {threshold} learnt; on the other half {precision:.3} are right, and {recall:.3} of the candidates found"
        );
    }
    Ok(())
}

/// Writes the pairs of records from two files that belong to one customer according to their scores.
pub fn resolve(paths: &[PathBuf; 2], out: &mut dyn Write) -> io::Result<Outcome> {
    let [a, b] = [read(&paths[0])?, read(&paths[1])?];
    let all: Vec<&Customer> = a.iter().chain(&b).collect();
    let folded = fold(&all);
    let pairs = candidates(&folded, a.len());
    let of_pair = |&(first, other): &(usize, usize)| Match {
        a: &all[first].id,
        b: &all[other].id,
        score: score(&folded[first], &folded[other]),
        same: all[first].gold == all[other].gold,
    };
    let matches: Vec<Match> = pairs.iter().map(of_pair).collect();

    // One half of the customers is used to learn the score, and the other half to evaluate it.
    let teaches = |pair: &&Match| xxh3_64(pair.a.as_bytes()).is_multiple_of(2);
    let (taught, examined): (Vec<&Match>, Vec<&Match>) = matches.iter().partition(teaches);
    let threshold = best_threshold(&taught);
    for pair in matches.iter().filter(|pair| pair.score >= threshold) {
        writeln!(out, "{}", serde_json::to_string(pair)?)?;
    }
    let [_, precision, recall] = quality(&examined, threshold);
    Ok(Outcome {
        num_records: [a.len(), b.len()],
        in_common: in_common(&a, &b),
        candidates: pairs.len(),
        candidates_in_common: matches.iter().filter(|pair| pair.same).count(),
        threshold,
        examined: examined.len(),
        precision,
        recall,
    })
}

/// The number of pairs of records that belong to one customer.
fn in_common(a: &[Customer], b: &[Customer]) -> usize {
    let mut records_of_b: HashMap<u64, usize> = HashMap::new();
    b.iter().for_each(|customer| *records_of_b.entry(customer.gold).or_default() += 1);
    a.iter().filter_map(|customer| records_of_b.get(&customer.gold)).sum()
}

/// The pairs across the files with an equal name, address or phone number. There is one band for each field, and a
/// record without the field is not in a bucket of that band.
fn candidates(folded: &[Folded], num_of_first: usize) -> Vec<(usize, usize)> {
    let table = BucketTable::build(3, folded.len(), |field, bucket| {
        let keys = folded.iter().enumerate().filter_map(|(record, fields)| Some((fields[field].as_ref()?, record)));
        bucket.extend(keys.map(|(value, record)| (xxh3_64(value.as_bytes()), DocId::new(record))));
    });
    let mut candidates = table.candidates();
    let mut pairs = Vec::new();
    for first in 0..num_of_first {
        let others = candidates.of(DocId::new(first)).iter().map(|other| other.index());
        pairs.extend(others.filter(|&other| other >= num_of_first).map(|other| (first, other)));
    }
    pairs
}

/// Folds records so that fields which people write differently become equal.
fn fold(records: &[&Customer]) -> Vec<Folded> {
    let folding =
        Normalization { lowercase: true, strip_accents: true, strip_punctuation: true, ..Normalization::default() };
    let mut normalizer = Normalizer::new(&folding, Units::Text);
    let mut words = |text: &str| normalizer.normalize(text);
    let of_record = |record: &&Customer| {
        let mut names: Vec<String> = words(&record.name).split(' ').map(str::to_owned).collect();
        // Sorting makes the order of first and last name irrelevant.
        names.sort_unstable();
        let long = |word: &str| match word {
            "st" | "str" => "street".to_owned(),
            "rd" => "road".to_owned(),
            "ave" => "avenue".to_owned(),
            other => other.to_owned(),
        };
        let address =
            record.address.as_deref().map(|address| words(address).split(' ').map(long).collect::<Vec<_>>().join(" "));
        let digits = |phone: &str| phone.chars().filter(char::is_ascii_digit).collect::<String>();
        // A field that is empty after folding counts as missing, and is not equal to any other.
        [Some(names.join(" ")), address, record.phone.as_deref().map(digits)]
            .map(|field| field.filter(|text| !text.is_empty()))
    };
    records.iter().map(of_record).collect()
}

/// The points for all fields: the maximum for equal fields, less for each edit, and 0 when half of the characters
/// differ.
fn score(a: &Folded, b: &Folded) -> u32 {
    let points = |(a, b): (&Option<String>, &Option<String>)| {
        let (Some(a), Some(b)) = (a, b) else { return UNKNOWN };
        let half = a.chars().count().max(b.chars().count()) / 2;
        edit_distance(a, b, half).map_or(0.0, |edits| WEIGHT * (1.0 - edits as f64 / half.max(1) as f64).max(0.0))
    };
    a.iter().zip(b).map(points).sum::<f64>().round() as u32
}

/// F1, precision and recall when the candidates with at least this score count as matches.
fn quality(pairs: &[&Match], threshold: u32) -> [f64; 3] {
    let count = |is_it: &dyn Fn(&Match) -> bool| pairs.iter().filter(|pair| is_it(pair)).count() as f64;
    let right = count(&|pair| pair.score >= threshold && pair.same);
    let precision = right / count(&|pair| pair.score >= threshold).max(1.0);
    let recall = right / count(&|pair| pair.same).max(1.0);
    [2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE), precision, recall]
}

/// The score with the highest F1; the lowest of several such scores.
fn best_threshold(pairs: &[&Match]) -> u32 {
    let of = |threshold: u32| quality(pairs, threshold)[0];
    (0..=300).reduce(|best, other| if of(other) > of(best) { other } else { best }).expect("there are thresholds")
}

fn read(path: &Path) -> io::Result<Vec<Customer>> {
    let lines = BufReader::new(File::open(path)?).lines();
    lines.map(|line| Ok(serde_json::from_str(&line?)?)).collect()
}

const FIRST_NAMES: [&str; 24] = [
    "Ada", "Béla", "Chloé", "Dmitri", "Emil", "Fatma", "Goran", "Hana", "Ines", "Jonas", "Katya", "Luís", "Mia",
    "Noël", "Oskar", "Priya", "Quentin", "Rosa", "Sven", "Tariq", "Uma", "Viktor", "Wanda", "Zoë",
];
const LAST_NAMES: [&str; 24] = [
    "Almeida",
    "Bergström",
    "Castellanos",
    "Dubois",
    "Eriksson",
    "Fernández",
    "Grünwald",
    "Horvath",
    "Ivanova",
    "Jankowski",
    "Keller",
    "Lindqvist",
    "Moreau",
    "Novák",
    "O'Connor",
    "Petrov",
    "Quiroga",
    "Rasmussen",
    "Silva",
    "Takahashi",
    "Ulrich",
    "Vasquez",
    "Weber",
    "Zimmermann",
];
const STREETS: [&str; 16] = [
    "Alder Street",
    "Birch Road",
    "Chapel Street",
    "Dock Road",
    "Elm Avenue",
    "Forge Street",
    "Garden Road",
    "Harbour Street",
    "Ivy Avenue",
    "Juniper Road",
    "King Street",
    "Lantern Road",
    "Mill Street",
    "North Avenue",
    "Orchard Road",
    "Quarry Street",
];

/// Writes the customers of two companies; some are customers of both.
pub fn generate(folder: &Path, seed: u64) -> io::Result<[PathBuf; 2]> {
    let mut draws = Draws::new(seed);
    let paths = ["a.jsonl", "b.jsonl"].map(|name| folder.join(name));
    let mut files = [BufWriter::new(File::create(&paths[0])?), BufWriter::new(File::create(&paths[1])?)];
    let mut written = [0; 2];
    for gold in 0..1500 {
        let initial = char::from(b'A' + draws.below(26) as u8);
        let name = format!("{} {initial}. {}", pick(&FIRST_NAMES, &mut draws), pick(&LAST_NAMES, &mut draws));
        let address = format!("{} {}", 1 + draws.below(120), pick(&STREETS, &mut draws));
        let phone = format!("0{} {:03}-{:04}", 20 + draws.below(60), draws.below(1000), draws.below(10_000));
        let customer = Customer { id: String::new(), name, address: Some(address), phone: Some(phone), gold };
        // A third are customers of only the first company, a third of only the second, and a third of both.
        let of = draws.below(3);
        for (company, file) in files.iter_mut().enumerate() {
            if of == company || of == 2 {
                written[company] += 1;
                let id = format!("{}{}", ["a", "b"][company], written[company]);
                let line = serde_json::to_string(&misspelt(&Customer { id, ..customer.clone() }, &mut draws))?;
                writeln!(file, "{line}")?;
            }
        }
    }
    files.iter_mut().try_for_each(BufWriter::flush)?;
    Ok(paths)
}

fn pick<'w>(words: &[&'w str], draws: &mut Draws) -> &'w str {
    words[draws.below(words.len())]
}

/// Returns the record as a person may have typed it: names in the other order or without the initial, streets
/// abbreviated, fields missing or changed, and typos.
fn misspelt(customer: &Customer, draws: &mut Draws) -> Customer {
    let mut customer = customer.clone();
    let names: Vec<&str> = customer.name.split(' ').collect();
    let [first, initial, last] = names[..] else { unreachable!("three parts of a name") };
    customer.name = match draws.below(12) {
        0 => format!("{first} {last}"),
        1 | 2 => format!("{last}, {first} {initial}"),
        _ => customer.name,
    };
    customer.address = customer.address.filter(|_| draws.below(20) > 0).map(|address| match draws.below(3) {
        0 => address.replace("Street", "St.").replace("Road", "Rd.").replace("Avenue", "Ave."),
        _ => address,
    });
    customer.phone = customer.phone.filter(|_| draws.below(16) > 0).map(|phone| match draws.below(10) {
        // A new number.
        0 => format!("0{} {:03}-{:04}", 20 + draws.below(60), draws.below(1000), draws.below(10_000)),
        1..4 => phone.replace([' ', '-'], ""),
        _ => phone,
    });
    for text in [Some(&mut customer.name), customer.address.as_mut(), customer.phone.as_mut()].into_iter().flatten() {
        if draws.below(8) == 0 {
            *text = with_typo(text, draws);
        }
    }
    customer
}

/// Returns the text with one character omitted, doubled, or exchanged with the next one.
fn with_typo(text: &str, draws: &mut Draws) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let at = draws.below(characters.len() - 1);
    match draws.below(3) {
        0 => drop(characters.remove(at)),
        1 => characters.insert(at, characters[at]),
        _ => characters.swap(at, at + 1),
    }
    characters.into_iter().collect()
}
