//! `PageIndex`: the pairs of a page in; its documents and groups, and all of them as JSON for its script, out.

use std::collections::HashMap;

use serde::Serialize;

use super::kept::PagePair;
use super::texts::PackedTexts;
use crate::output::PairSide;
use crate::report::pair::key_of;
use crate::report::words::whole_name;
use crate::views::ViewKey;

/// The documents, pairs and groups of a page.
pub(super) struct PageIndex {
    pairs: Vec<PagePair>,
    /// The documents of each pair.
    ends: Vec<[usize; 2]>,
    /// The names of documents, in the order in which pairs name them.
    names: Vec<String>,
    groups: Vec<PageGroup>,
    /// The group of each document.
    group_of: Vec<usize>,
}

/// Documents that pairs of the page join.
pub(super) struct PageGroup {
    /// Its number: by falling size, or that of the report where it is of groups.
    pub(super) number: u64,
    /// Its documents.
    pub(super) size: usize,
    /// The document with the most pairs.
    pub(super) centre: usize,
    /// The least share of its pairs.
    pub(super) least: f64,
}

/// What the script reads. Shares are in millionths, never rounded up.
#[derive(Serialize)]
struct IndexRecord<'a> {
    names: &'a [String],
    /// The numbers of groups, in their order.
    groups: Vec<u64>,
    /// The group of each document, by its place in `groups`.
    of: &'a [usize],
    a: Vec<usize>,
    b: Vec<usize>,
    share: Vec<u64>,
    /// Empty where the report is of groups.
    contained: Vec<[u64; 2]>,
    shared: Vec<u64>,
    /// The block of texts that has a document, or -1.
    text: Vec<i64>,
    /// The block that has the passages of a pair, or -1.
    passages: Vec<i64>,
    /// Documents whose text was not what it was when it was compared.
    lost: Vec<usize>,
}

impl PageIndex {
    pub(super) fn new(pairs: Vec<PagePair>, has_sides: bool) -> Self {
        let (mut numbers, mut names) = (HashMap::new(), Vec::new());
        let mut number = |key: &ViewKey| {
            let side = has_sides.then_some(key.side);
            let is_second = side == Some(PairSide::B);
            *numbers.entry((is_second, key.name.clone())).or_insert_with(|| {
                names.push(whole_name(&key_of(&key.name, side)));
                names.len() - 1
            })
        };
        let ends: Vec<[usize; 2]> = pairs.iter().map(|pair| pair.keys.each_ref().map(&mut number)).collect();
        let (groups, group_of) = groups(&pairs, &ends, names.len());
        Self { pairs, ends, names, groups, group_of }
    }

    /// The documents of each pair.
    pub(super) fn keys(&self) -> Vec<[ViewKey; 2]> {
        self.pairs.iter().map(|pair| pair.keys.clone()).collect()
    }

    /// The numbers of a pair's documents.
    pub(super) fn documents_of(&self, pair: usize) -> [usize; 2] {
        self.ends[pair]
    }

    pub(super) fn num_pairs(&self) -> usize {
        self.pairs.len()
    }

    /// The names of the documents.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The groups, by falling size, or in the order of the report where it is of groups.
    pub(super) fn groups(&self) -> &[PageGroup] {
        &self.groups
    }

    /// All of it, as JSON that is text in HTML too.
    pub(super) fn json(&self, texts: &PackedTexts) -> String {
        let containments = self.pairs.iter().filter_map(|pair| pair.containments);
        let record = IndexRecord {
            names: &self.names,
            groups: self.groups.iter().map(|group| group.number).collect(),
            of: &self.group_of,
            a: self.ends.iter().map(|ends| ends[0]).collect(),
            b: self.ends.iter().map(|ends| ends[1]).collect(),
            share: self.pairs.iter().map(|pair| millionths(pair.share)).collect(),
            contained: containments.map(|both| both.map(millionths)).collect(),
            shared: self.pairs.iter().filter_map(|pair| pair.shared).collect(),
            text: (0..self.names.len()).map(|document| block(texts.block_of_text(document))).collect(),
            passages: (0..self.pairs.len()).map(|pair| block(texts.block_of_passages(pair))).collect(),
            lost: texts.lost().collect(),
        };
        as_text_in_html(&serde_json::to_string(&record).expect("it is made of plain values"))
    }
}

/// The groups that pairs make, and the place of the group of each document.
fn groups(pairs: &[PagePair], ends: &[[usize; 2]], num_documents: usize) -> (Vec<PageGroup>, Vec<usize>) {
    let mut parents: Vec<usize> = (0..num_documents).collect();
    fn root(parents: &mut [usize], mut at: usize) -> usize {
        while parents[at] != at {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        at
    }
    let mut degrees = vec![0_usize; num_documents];
    for &[a, b] in ends {
        degrees[a] += 1;
        degrees[b] += 1;
        let (a, b) = (root(&mut parents, a), root(&mut parents, b));
        parents[a.max(b)] = a.min(b);
    }
    let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
    for document in 0..num_documents {
        members.entry(root(&mut parents, document)).or_default().push(document);
    }
    let (mut least, mut numbers) = (HashMap::new(), HashMap::new());
    for (pair, ends) in pairs.iter().zip(ends) {
        let root = root(&mut parents, ends[0]);
        let least = least.entry(root).or_insert(pair.share);
        *least = f64::min(*least, pair.share);
        numbers.extend(pair.group.map(|number| (root, number)));
    }
    let mut groups: Vec<(usize, Vec<usize>)> = members.into_iter().collect();
    // The roots are the first documents of groups.
    groups.sort_unstable_by_key(|(root, members)| (std::cmp::Reverse(members.len()), *root));
    let mut group_of = vec![0; num_documents];
    let groups = groups.into_iter().enumerate().map(|(place, (root, members))| {
        members.iter().for_each(|&member| group_of[member] = place);
        let centre = members.iter().copied().max_by_key(|&member| (degrees[member], std::cmp::Reverse(member)));
        PageGroup {
            number: numbers.get(&root).copied().unwrap_or(place as u64 + 1),
            size: members.len(),
            centre: centre.expect("a group has members"),
            least: least[&root],
        }
    });
    (groups.collect(), group_of)
}

/// A share in millionths, never rounded up, so that only what is equal has all of them.
fn millionths(share: f64) -> u64 {
    (share * 1e6 + 1e-6).floor() as u64
}

fn block(number: Option<usize>) -> i64 {
    number.map_or(-1, |number| number as i64)
}

/// JSON without anything that ends a script or that shows text otherwise than it is.
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
