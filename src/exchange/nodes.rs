//! `NodeNumbers`: gives each distinct node name a number, from 0 on in the order of arrival.
//!
//! Most names are whole numbers, because engines count or hash. As long as every name is a whole number in its usual
//! form, a name needs 8 bytes; the first other name converts all names to text. The order of names is the same in both
//! forms.

use std::cmp::Ordering;
use std::io::Write;

use xxhash_rust::xxh3::xxh3_64;

/// The distinct nodes.
///
/// A number needs 8 bytes, another name needs its bytes and 8 more; the hash table adds 6 to 11 bytes per node.
#[derive(Debug)]
pub(super) struct NodeNumbers {
    names: NodeNames,
    /// A hash table of node numbers with linear probing. It has a power of two of slots; at most three quarters are
    /// occupied.
    slots: Vec<u32>,
}

/// The names, by the numbers of the nodes.
#[derive(Debug)]
enum NodeNames {
    /// Names that are whole numbers, without a plus sign and leading zeros.
    Numbers(Vec<i64>),
    /// Any names: their bytes, and the end of each.
    Texts { bytes: Vec<u8>, ends: Vec<u64> },
}

/// A name that is looked up or added.
#[derive(Debug, Clone, Copy)]
enum NodeName<'n> {
    Number(i64),
    Text(&'n [u8]),
}

/// Marks a vacant slot.
const VACANT: u32 = u32::MAX;

/// The maximum number of characters of a number, with its sign.
pub(super) const MOST_DIGITS: usize = 20;

impl Default for NodeNumbers {
    fn default() -> Self {
        Self { names: NodeNames::Numbers(Vec::new()), slots: vec![VACANT; 64] }
    }
}

impl NodeNumbers {
    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The number of a node; adds a new name. `None` when there are too many nodes.
    pub(super) fn number(&mut self, name: &[u8]) -> Option<u32> {
        if let NodeNames::Numbers(_) = self.names {
            if let Some(number) = whole_number(name) {
                return self.place(NodeName::Number(number));
            }
            self.names.turn_to_texts();
            self.fill_slots(self.slots.len());
        }
        self.place(NodeName::Text(name))
    }

    /// The number of a node whose name is a whole number; only valid while all names are whole numbers.
    pub(super) fn number_of_whole(&mut self, name: i64) -> Option<u32> {
        self.place(NodeName::Number(name))
    }

    fn place(&mut self, name: NodeName) -> Option<u32> {
        if 4 * (self.len() + 1) > 3 * self.slots.len() {
            self.fill_slots(2 * self.slots.len());
        }
        let slot = self.slot(name);
        if self.slots[slot] == VACANT {
            let next = u32::try_from(self.len()).ok().filter(|&next| next != VACANT)?;
            self.names.push(name);
            self.slots[slot] = next;
        }
        Some(self.slots[slot])
    }

    /// The slot that contains a name, or the vacant slot for it.
    fn slot(&self, name: NodeName) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = name.hash() as usize & mask;
        while self.slots[slot] != VACANT && !self.names.is(self.slots[slot], name) {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Rebuilds the table with `num_slots` slots, a power of two.
    fn fill_slots(&mut self, num_slots: usize) {
        // The old table is freed before the new one is allocated: the names suffice to rebuild it.
        self.slots = Vec::new();
        self.slots.resize(num_slots, VACANT);
        for node in 0..self.len() as u32 {
            let mut slot = self.names.hash(node) as usize & (num_slots - 1);
            while self.slots[slot] != VACANT {
                slot = (slot + 1) & (num_slots - 1);
            }
            self.slots[slot] = node;
        }
    }

    /// All nodes in ascending order of the bytes of their names, and the names. Ends the collection.
    pub(super) fn sorted(mut self) -> (Vec<u32>, SortedNodes) {
        self.slots = Vec::new();
        let mut sorted: Vec<u32> = (0..self.len() as u32).collect();
        match &self.names {
            NodeNames::Numbers(numbers) => sorted.sort_unstable_by_key(|&node| order_of(numbers[node as usize])),
            names @ NodeNames::Texts { .. } => sorted.sort_unstable_by(|&a, &b| names.compare(a, b)),
        }
        (sorted, SortedNodes(self.names))
    }

    /// Compares two nodes by the bytes of their names.
    pub(super) fn compare(&self, a: u32, b: u32) -> Ordering {
        self.names.compare(a, b)
    }
}

/// The names of all nodes, when the collection is complete.
#[derive(Debug)]
pub(super) struct SortedNodes(NodeNames);

impl SortedNodes {
    /// The name of a node; `digits` is a buffer for the name of a number.
    pub(super) fn name<'n>(&'n self, node: u32, digits: &'n mut [u8; MOST_DIGITS]) -> &'n [u8] {
        match &self.0 {
            NodeNames::Numbers(numbers) => written(numbers[node as usize], digits),
            NodeNames::Texts { bytes, ends } => text(bytes, ends, node),
        }
    }

    /// The name of a node as a number.
    ///
    /// # Panics
    /// When some name is not a whole number.
    pub(super) fn number(&self, node: u32) -> i64 {
        match &self.0 {
            NodeNames::Numbers(numbers) => numbers[node as usize],
            NodeNames::Texts { .. } => unreachable!("whole numbers came in"),
        }
    }
}

impl NodeName<'_> {
    fn hash(self) -> u64 {
        match self {
            NodeName::Number(number) => xxh3_64(&number.to_le_bytes()),
            NodeName::Text(name) => xxh3_64(name),
        }
    }
}

impl NodeNames {
    fn len(&self) -> usize {
        match self {
            NodeNames::Numbers(numbers) => numbers.len(),
            NodeNames::Texts { ends, .. } => ends.len(),
        }
    }

    fn hash(&self, node: u32) -> u64 {
        match self {
            NodeNames::Numbers(numbers) => NodeName::Number(numbers[node as usize]).hash(),
            NodeNames::Texts { bytes, ends } => NodeName::Text(text(bytes, ends, node)).hash(),
        }
    }

    fn is(&self, node: u32, name: NodeName) -> bool {
        match (self, name) {
            (NodeNames::Numbers(numbers), NodeName::Number(number)) => numbers[node as usize] == number,
            (NodeNames::Texts { bytes, ends }, NodeName::Text(name)) => text(bytes, ends, node) == name,
            _ => unreachable!("a name is looked for as names are kept"),
        }
    }

    fn push(&mut self, name: NodeName) {
        match (self, name) {
            (NodeNames::Numbers(numbers), NodeName::Number(number)) => numbers.push(number),
            (NodeNames::Texts { bytes, ends }, NodeName::Text(name)) => {
                bytes.extend_from_slice(name);
                ends.push(bytes.len() as u64);
            }
            _ => unreachable!("a name is kept as others are"),
        }
    }

    fn turn_to_texts(&mut self) {
        if let NodeNames::Numbers(numbers) = self {
            let (mut bytes, mut ends) = (Vec::new(), Vec::with_capacity(numbers.len()));
            for &number in numbers.iter() {
                bytes.extend_from_slice(written(number, &mut [0; MOST_DIGITS]));
                ends.push(bytes.len() as u64);
            }
            *self = NodeNames::Texts { bytes, ends };
        }
    }

    fn compare(&self, a: u32, b: u32) -> Ordering {
        match self {
            NodeNames::Numbers(numbers) => order_of(numbers[a as usize]).cmp(&order_of(numbers[b as usize])),
            NodeNames::Texts { bytes, ends } => text(bytes, ends, a).cmp(text(bytes, ends, b)),
        }
    }
}

fn text<'n>(bytes: &'n [u8], ends: &[u64], node: u32) -> &'n [u8] {
    let start = (node as usize).checked_sub(1).map_or(0, |before| ends[before]);
    &bytes[start as usize..ends[node as usize] as usize]
}

/// Parses a name that is a whole number in its usual form.
fn whole_number(name: &[u8]) -> Option<i64> {
    let (is_negative, digits) = name.strip_prefix(b"-").map_or((false, name), |digits| (true, digits));
    let is_plain = match digits {
        [b'0'] => !is_negative,
        [b'1'..=b'9', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    std::str::from_utf8(name).ok().filter(|_| is_plain && name.len() <= MOST_DIGITS)?.parse().ok()
}

/// Writes a number as decimal digits.
fn written(number: i64, digits: &mut [u8; MOST_DIGITS]) -> &[u8] {
    let mut rest = &mut digits[..];
    write!(rest, "{number}").expect("no number of 64 bits has more");
    let len = MOST_DIGITS - rest.len();
    &digits[..len]
}

/// A sort key that orders numbers by the bytes of their decimal digits: a minus sign comes before all digits, and a
/// number before its longer continuations.
fn order_of(number: i64) -> (bool, u64, u32) {
    const MOST_LOG: u32 = i64::MAX.ilog10();
    let size = number.unsigned_abs();
    let log = size.checked_ilog10().unwrap_or(0);
    (number >= 0, size * 10u64.pow(MOST_LOG - log), log)
}

/// The root of a node; halves the path to it.
pub(super) fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        let grandparent = parents[parents[node as usize] as usize];
        parents[node as usize] = grandparent;
        node = grandparent;
    }
    node
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names() -> impl Strategy<Value = String> {
        let numbers = prop_oneof![-30i64..30, any::<i64>(), (0u32..19).prop_map(|log| 10i64.pow(log))];
        let odd = prop_oneof![
            Just("-0"),
            Just("007"),
            Just("+1"),
            Just("9223372036854775808"),
            Just("a"),
            Just("-"),
            Just("1 ")
        ];
        prop_oneof![9 => numbers.prop_map(|number| number.to_string()), 1 => odd.prop_map(str::to_owned)]
    }

    proptest! {
        #[test]
        fn nodes_are_numbered_and_sorted_as_their_names(given in prop::collection::vec(names(), 0..400), plain in any::<bool>()) {
            let given: Vec<String> =
                given.into_iter().filter(|name| !plain || whole_number(name.as_bytes()).is_some()).collect();
            let mut nodes = NodeNumbers::default();
            let mut distinct: Vec<&str> = Vec::new();
            for name in &given {
                let at = distinct.iter().position(|known| known == name).unwrap_or(distinct.len());
                if at == distinct.len() {
                    distinct.push(name);
                }
                prop_assert_eq!(nodes.number(name.as_bytes()), Some(at as u32));
            }
            for a in 0..distinct.len().min(20) {
                for b in 0..distinct.len().min(20) {
                    prop_assert_eq!(nodes.compare(a as u32, b as u32), distinct[a].as_bytes().cmp(distinct[b].as_bytes()));
                }
            }
            let (order, named) = nodes.sorted();
            if plain {
                prop_assert!(order.iter().all(|&node| named.number(node).to_string() == distinct[node as usize]));
            }
            let found: Vec<Vec<u8>> =
                order.iter().map(|&node| named.name(node, &mut [0; MOST_DIGITS]).to_vec()).collect();
            distinct.sort_unstable();
            prop_assert_eq!(found, distinct.iter().map(|name| name.as_bytes().to_vec()).collect::<Vec<_>>());
        }
    }
}
