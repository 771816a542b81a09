//! `PageIndex`: numbers the documents and groups of a page's pairs, and writes all of them as JSON for the script of
//! the page.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::Metadata;
use std::path::Path;
use std::time::SystemTime;

use serde::Serialize;

use super::groups::{AllGroups, Group};
use super::kept::PagePair;
use super::texts::PackedTexts;
use crate::documents::input::path_of;
use crate::records::{Name, PairSide};
use crate::results::report::ReportSettings;
use crate::results::report::pair::key_of;
use crate::results::report::words::whole_name;
use crate::results::review::{Answer, Answers};
use crate::results::views::ViewKey;

/// The documents, pairs and groups of a page.
pub(super) struct PageIndex {
    pairs: Vec<PagePair>,
    /// The numbers of the two documents of each pair.
    ends: Vec<[usize; 2]>,
    /// The names of documents, in the order of their first pairs.
    names: Vec<String>,
    /// The names as pairs have them, where `names` has another text.
    raw: BTreeMap<usize, Vec<u8>>,
    /// All groups, largest first, including groups without a pair on the page.
    groups: Vec<Group>,
    /// The groups with a pair on the page, as indexes into `groups`.
    shown: Vec<usize>,
    /// The group of each document, as an index into `shown`.
    group_of: Vec<usize>,
}

/// The JSON that the script reads. Similarities are in millionths, rounded down.
#[derive(Serialize)]
struct IndexRecord<'a> {
    names: &'a [String],
    /// The numbers of the groups with a pair on the page, largest group first.
    groups: Vec<u64>,
    /// The number of documents of these groups, including documents without a pair on the page.
    sizes: Vec<u32>,
    /// The group of each document, as an index into `groups`.
    of: &'a [usize],
    a: Vec<usize>,
    b: Vec<usize>,
    share: Vec<u64>,
    /// Both containments of each pair in millionths; empty if the report shows groups.
    contained: Vec<[u64; 2]>,
    shared: Vec<u64>,
    /// The similarity of each pair with identifiers kept; -1 for a pair without one. Empty if all pairs lack it.
    kept: Vec<i64>,
    /// The block that holds the text of each document, or -1.
    text: Vec<i64>,
    /// The block that holds the passages of each pair, or -1.
    passages: Vec<i64>,
    /// Documents whose text has changed since it was compared.
    lost: Vec<usize>,
    /// The time of each document in seconds since 1970, or -1; empty if no time is known.
    times: Vec<i64>,
    /// Whether the pairs have these times. Otherwise they are the times of files.
    dated: bool,
    /// Whether the page opens with its only pair.
    opens: bool,
    /// Identifies the result, so that a browser keeps the answers about it apart.
    result: String,
    /// The names of documents as pairs have them, where `names` has another text.
    raw: BTreeMap<usize, Name<'a>>,
    /// The Jaccard similarity of each pair in millionths; empty if `share` has it.
    jaccard: Vec<u64>,
    /// The answers about pairs that the report was given: the pair, the answer or an empty string, and the remark.
    answers: Vec<(usize, &'static str, &'a str)>,
}

impl PageIndex {
    /// * `all`: the groups of all pairs.
    pub(super) fn new(pairs: Vec<PagePair>, has_sides: bool, all: &mut AllGroups) -> Self {
        let groups = all.ranked();
        let place_of_first: HashMap<u32, usize> =
            groups.iter().enumerate().map(|(place, group)| (group.first, place)).collect();
        let (mut numbers, mut names, mut places) = (HashMap::new(), Vec::<String>::new(), Vec::new());
        let mut raw = BTreeMap::new();
        let mut number = |key: &ViewKey, mark: &str| {
            let side = has_sides.then_some(key.side);
            let is_second = side == Some(PairSide::B);
            *numbers.entry((is_second, key.name.clone())).or_insert_with(|| {
                names.push(whole_name(&key_of(&key.name, side)) + mark);
                let number = names.len() - 1;
                if names[number].as_bytes() != key.name {
                    raw.insert(number, key.name.clone());
                }
                places.push(place_of_first[&all.first_of((&key.name, side))]);
                number
            })
        };
        let ends: Vec<[usize; 2]> =
            pairs.iter().map(|pair| [0, 1].map(|at| number(&pair.keys[at], pair.marks[at]))).collect();
        let shown: Vec<usize> = places.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
        let group_of = places.iter().map(|place| shown.binary_search(place).expect("it is shown")).collect();
        Self { pairs, ends, names, raw, groups, shown, group_of }
    }

    /// The documents of each pair.
    pub(super) fn keys(&self) -> Vec<[ViewKey; 2]> {
        self.pairs.iter().map(|pair| pair.keys.clone()).collect()
    }

    /// The numbers of a pair's two documents.
    pub(super) fn documents_of(&self, pair: usize) -> [usize; 2] {
        self.ends[pair]
    }

    pub(super) fn num_pairs(&self) -> usize {
        self.pairs.len()
    }

    /// Whether the page shows a pair of the group with this first document.
    pub(super) fn shows(&self, first: u32) -> bool {
        self.shown.iter().any(|&place| self.groups[place].first == first)
    }

    /// Whether any pair has a similarity with identifiers kept.
    pub(super) fn has_kept(&self) -> bool {
        self.pairs.iter().any(|pair| pair.kept.is_some())
    }

    /// For each of the `num_groups` largest groups the names of its documents, in the order of the page's pairs;
    /// empty for a group that the page does not show.
    pub(super) fn members(&self, num_groups: usize) -> Vec<Vec<&str>> {
        let mut members = vec![Vec::new(); num_groups.min(self.groups.len())];
        for (name, &group) in self.names.iter().zip(&self.group_of) {
            if let Some(members) = members.get_mut(self.shown[group]) {
                members.push(name.as_str());
            }
        }
        members
    }

    /// The names of the documents.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// All groups, largest first.
    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Whether the pairs have the times of documents.
    fn has_times(&self) -> bool {
        self.pairs.iter().flat_map(|pair| pair.times).any(|time| time.is_some())
    }

    /// The time of each document: the time that the pairs have, or else the time of its file. Empty if none is known.
    fn times(&self, folder: Option<&Path>) -> Vec<i64> {
        let mut times = vec![-1; self.names.len()];
        if self.has_times() {
            for (pair, ends) in self.pairs.iter().zip(&self.ends) {
                for (&document, time) in ends.iter().zip(pair.times) {
                    times[document] = time.unwrap_or(-1);
                }
            }
            return times;
        }
        let keys = self.pairs.iter().zip(&self.ends).flat_map(|(pair, ends)| ends.iter().zip(&pair.keys));
        // A record does not have the time of its file.
        for (&document, key) in keys.filter(|(_, key)| key.place.is_none()) {
            if times[document] < 0 {
                times[document] = time_of(&folder.unwrap_or(Path::new("")).join(path_of(&key.file))).unwrap_or(-1);
            }
        }
        if times.iter().all(|&time| time < 0) { Vec::new() } else { times }
    }

    /// The answers about pairs of the page.
    fn answers<'a>(&self, answers: &'a Answers) -> Vec<(usize, &'static str, &'a str)> {
        if answers.say_nothing() {
            return Vec::new();
        }
        let of_pair = |(number, pair): (usize, &PagePair)| {
            let names = pair.keys.each_ref().map(|key| key.name.clone());
            let (answer, note) = (answers.of(&names), answers.note_of(&names));
            let is_marked = answer.is_some() || note.is_some();
            is_marked.then(|| (number, answer.map_or("", answer_word), note.unwrap_or_default()))
        };
        self.pairs.iter().enumerate().filter_map(of_pair).collect()
    }

    /// The index as JSON that is safe as text in HTML.
    ///
    /// * `result`: identifies the result.
    pub(super) fn json(&self, texts: &PackedTexts, result: u128, settings: &ReportSettings) -> String {
        let is_by_passages = self.pairs.iter().any(|pair| pair.jaccard != pair.share);
        let jaccard = self.pairs.iter().filter(|_| is_by_passages).map(|pair| millionths(pair.jaccard));
        let containments = self.pairs.iter().filter_map(|pair| pair.containments);
        let shown = || self.shown.iter().map(|&place| &self.groups[place]);
        let record = IndexRecord {
            names: &self.names,
            groups: shown().map(|group| group.number).collect(),
            sizes: shown().map(|group| group.size).collect(),
            of: &self.group_of,
            a: self.ends.iter().map(|ends| ends[0]).collect(),
            b: self.ends.iter().map(|ends| ends[1]).collect(),
            share: self.pairs.iter().map(|pair| millionths(pair.share)).collect(),
            contained: containments.map(|both| both.map(millionths)).collect(),
            shared: self.pairs.iter().filter_map(|pair| pair.shared).collect(),
            kept: if self.has_kept() {
                self.pairs.iter().map(|pair| pair.kept.map_or(-1, |kept| millionths(kept) as i64)).collect()
            } else {
                Vec::new()
            },
            text: (0..self.names.len()).map(|document| block(texts.block_of_text(document))).collect(),
            passages: (0..self.pairs.len()).map(|pair| block(texts.block_of_passages(pair))).collect(),
            lost: texts.lost().collect(),
            times: self.times(settings.folder.as_deref()),
            dated: self.has_times(),
            opens: settings.one_pair.is_some(),
            result: format!("{result:032x}"),
            raw: self.raw.iter().map(|(&number, name)| (number, Name::new(name))).collect(),
            jaccard: jaccard.collect(),
            answers: self.answers(&settings.answers),
        };
        as_text_in_html(&serde_json::to_string(&record).expect("it is made of plain values"))
    }
}

/// The time at which a file was last modified, in seconds since 1970; `None` if the file does not exist.
fn time_of(file: &Path) -> Option<i64> {
    let metadata = file.metadata().ok().filter(Metadata::is_file)?;
    let since = metadata.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_secs()).ok()
}

/// An answer as the script of the page has it.
fn answer_word(answer: Answer) -> &'static str {
    match answer {
        Answer::Yes => "yes",
        Answer::No => "no",
        Answer::Skip => "skip",
        Answer::Undone => "",
    }
}

/// A similarity in millionths, rounded down, so that only equal documents have 1,000,000.
fn millionths(share: f64) -> u64 {
    (share * 1e6 + 1e-6).floor() as u64
}

fn block(number: Option<usize>) -> i64 {
    number.map_or(-1, |number| number as i64)
}

/// Escapes characters in JSON that could end a script or change how text is displayed.
fn as_text_in_html(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        if matches!(c, '<' | '>' | '&' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}')
            || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        {
            text += &format!("\\u{:04x}", u32::from(c));
        } else {
            text.push(c);
        }
    }
    text
}
