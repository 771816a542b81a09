//! Own repeats: finds the blocks of a text that occur earlier in the same text.
//!
//! A block is a run of at least `min_run` tokens at two positions that do not overlap. For every position, the longest run that
//! begins there and occurs completely before it is found with a suffix automaton whose states know the end of their first
//! occurrence (Crochemore and Tischler 2011). From these runs, the fewest blocks are chosen that together contain every token
//! of every run of `min_run` tokens that occurs earlier: from each token that is not in a block yet, the run that
//! ends last.
//!
//! So a run that repeats itself with a period is reported in blocks of growing length, each next to its copy: the second period
//! repeats the first, the next two repeat these two, and so on.
//!
//! Only spans whose hashes of `min_run` tokens occur twice enter the automaton, so texts without repeats cost one pass.

use std::collections::HashMap;
use std::ops::Range;

use super::alignment::{Alignment, Passage};
use super::rolling_hash::{RollingHash, TokenId};
use crate::text::shingle::{Ids, Tokens};

/// Approximate bytes of the automaton for each token of a span that may repeat.
const TOKEN_BYTES: u64 = 160;
/// The number of tokens that enter the automaton whatever the memory.
const LEAST_TOKENS: usize = 1 << 13;

/// The blocks that a text repeats.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct OwnRepeats {
    /// The blocks, by their later positions in the text: `a` is the first position of a block, `b` the later one.
    pub(crate) alignment: Alignment,
    /// The number of tokens at the start of the text in which all blocks are found, if memory is too small for all of it.
    pub(crate) found_in: Option<usize>,
}

/// Finds the blocks of at least `min_run` tokens that a text repeats.
///
/// * `memory_bytes`: the memory for the search; a text that needs more is searched from its start, as far as it fits.
///
/// Blocks may overlap each other, but never their own copies. Their order and positions depend on the tokens only.
pub(crate) fn own_repeats(tokens: &Tokens, min_run: usize, memory_bytes: u64) -> OwnRepeats {
    let most = usize::try_from(memory_bytes / TOKEN_BYTES).unwrap_or(usize::MAX).clamp(LEAST_TOKENS, 1 << 30);
    match tokens.ids() {
        Ids::Ascii(ids) => of_ids(ids, min_run, most),
        Ids::Chars(ids) => of_ids(ids, min_run, most),
        Ids::Pieces(ids) => of_ids(ids, min_run, most),
    }
}

fn of_ids<T: TokenId>(ids: &[T], min_run: usize, most_tokens: usize) -> OwnRepeats {
    let spans = repeated_spans(ids, min_run);
    let (joined, found_in) = JoinedSpans::new(ids, &spans, most_tokens);
    let runs = earlier_runs(&joined.numbers);
    let mut passages: Vec<Passage> = Vec::new();
    let mut longest = 0;
    for (from, to) in fewest_blocks(&runs, min_run) {
        let (a, b) = (joined.original(from), joined.original(to));
        longest = longest.max(b.len());
        passages.push(Passage { matched: b.len(), a, b, is_exact: true });
    }
    let alignment = Alignment { passages, tokens_a: ids.len(), tokens_b: ids.len(), longest, ..Alignment::default() };
    OwnRepeats { alignment, found_in }
}

/// The maximal ranges of tokens whose runs of `min_run` tokens each have a hash that occurs twice, ascending.
fn repeated_spans<T: TokenId>(ids: &[T], min_run: usize) -> Vec<Range<usize>> {
    if min_run == 0 || ids.len() < 2 * min_run {
        return Vec::new();
    }
    let mut hashes = RollingHash::new(ids, min_run);
    let mut at: Vec<(u64, usize)> = (0..=ids.len() - min_run).map(|at| (hashes.at(at), at)).collect();
    at.sort_unstable();
    let same = at.chunk_by(|one, next| one.0 == next.0).filter(|same| same.len() > 1);
    let mut starts: Vec<usize> = same.flatten().map(|&(_, at)| at).collect();
    starts.sort_unstable();
    let mut spans: Vec<Range<usize>> = Vec::new();
    for start in starts {
        match spans.last_mut() {
            Some(last) if start <= last.end => last.end = start + min_run,
            _ => spans.push(start..start + min_run),
        }
    }
    spans
}

/// The spans of a text one after another, with a different number between each two, so that no run crosses them.
struct JoinedSpans {
    /// The number of each distinct token, in the order of their first occurrence.
    numbers: Vec<u32>,
    /// The position of each span in `numbers`, and its first token in the text.
    positions: Vec<(usize, usize)>,
}

impl JoinedSpans {
    /// Joins spans up to a number of tokens, which is at least the first spans that fit. Returns the tokens up to which
    /// the text is joined, if not all of it is.
    fn new<T: TokenId>(ids: &[T], spans: &[Range<usize>], most_tokens: usize) -> (Self, Option<usize>) {
        let mut joined = Self { numbers: Vec::new(), positions: Vec::new() };
        let mut numbers: HashMap<u64, u32> = HashMap::new();
        let mut unused = 0..=u32::MAX;
        let mut next = || unused.next().expect("fewer numbers than tokens");
        for span in spans {
            let room = most_tokens.saturating_sub(joined.numbers.len() + 1);
            let end = span.end.min(span.start + room);
            joined.positions.push((joined.numbers.len(), span.start));
            for &id in &ids[span.start..end] {
                joined.numbers.push(*numbers.entry(id.number()).or_insert_with(&mut next));
            }
            if end < span.end {
                return (joined, Some(end));
            }
            // A number that no token has.
            joined.numbers.push(next());
        }
        (joined, None)
    }

    /// The tokens of the text at a range of `numbers`, which must be within a span.
    fn original(&self, range: Range<usize>) -> Range<usize> {
        let (position, token) =
            self.positions[self.positions.partition_point(|&(position, _)| position <= range.start) - 1];
        range.start - position + token..range.end - position + token
    }
}

/// For each position, the longest run that begins there and also ends at or before it at an earlier position: its length, and the
/// first such position.
fn earlier_runs(numbers: &[u32]) -> Vec<(usize, usize)> {
    let automaton = SuffixAutomaton::new(numbers);
    let (mut state, mut len) = (0, 0);
    let mut runs = Vec::with_capacity(numbers.len());
    for at in 0..numbers.len() {
        while at + len < numbers.len() {
            let next = automaton.next(state, numbers[at + len]).expect("every run of the text is in its automaton");
            if automaton.states[next as usize].first_end as usize > at {
                break;
            }
            (state, len) = (next, len + 1);
        }
        runs.push((len, automaton.states[state as usize].first_end as usize - len));
        // The run without its first token, which may belong to a shorter state.
        len = len.saturating_sub(1);
        let link = automaton.states[state as usize].link;
        if state != 0 && automaton.states[link as usize].len as usize == len {
            state = link;
        }
    }
    runs
}

/// Chooses the fewest runs of at least `min_run` tokens that together contain every position that such a run contains; of runs
/// with the same end, the longest. Returns the earlier and the later position of each.
fn fewest_blocks(runs: &[(usize, usize)], min_run: usize) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
    let is_long = move |at: &usize| runs[*at].0 >= min_run;
    let mut long = (0..runs.len()).filter(is_long).peekable();
    let mut covered = 0;
    std::iter::from_fn(move || {
        // The ends of runs never descend, so the last run that contains the first uncovered token ends last.
        let mut best: Option<usize> = None;
        while let Some(&at) = long.peek() {
            let end = at + runs[at].0;
            if end <= covered {
                long.next();
                continue;
            }
            let first = best.map_or(at.max(covered), |best: usize| best.max(covered));
            if at > first {
                break;
            }
            if best.is_none_or(|best| best + runs[best].0 < end) {
                best = Some(at);
            }
            long.next();
        }
        let at = best?;
        let (len, from) = runs[at];
        covered = at + len;
        Some((from..from + len, at..at + len))
    })
}

/// A state of the automaton: some runs of the text that end at the same positions.
#[derive(Debug, Clone, Copy)]
struct RunState {
    /// The length of the longest of its runs.
    len: u32,
    /// The state of the longest run that ends at more positions.
    link: u32,
    /// The end of the first occurrence of its runs.
    first_end: u32,
    /// The first entry of its list of transitions; `NONE` for an empty list.
    tokens: u32,
}

const NONE: u32 = u32::MAX;

/// The smallest automaton of all runs of a text (Blumer and others 1985).
struct SuffixAutomaton {
    states: Vec<RunState>,
    next: HashMap<(u32, u32), u32>,
    /// The tokens of transitions, each with the next entry of the list of its state.
    tokens: Vec<(u32, u32)>,
}

impl SuffixAutomaton {
    fn new(numbers: &[u32]) -> Self {
        let root = RunState { len: 0, link: 0, first_end: 0, tokens: NONE };
        let mut automaton = Self { states: vec![root], next: HashMap::new(), tokens: Vec::new() };
        let mut last = 0;
        for &token in numbers {
            last = automaton.add(last, token);
        }
        automaton
    }

    fn next(&self, state: u32, token: u32) -> Option<u32> {
        self.next.get(&(state, token)).copied()
    }

    /// Adds a token after the text so far, whose state is `last`. Returns the state of the whole text.
    fn add(&mut self, last: u32, token: u32) -> u32 {
        let len = self.states[last as usize].len + 1;
        let new = self.push(RunState { len, link: 0, first_end: len, tokens: NONE });
        let mut state = last;
        loop {
            if let Some(next) = self.next(state, token) {
                self.states[new as usize].link = self.with_len(state, token, next);
                return new;
            }
            self.connect(state, token, new);
            if state == 0 {
                return new;
            }
            state = self.states[state as usize].link;
        }
    }

    /// The state of the longest run of `state` followed by `token`: `next`, or a part of it that is split off.
    fn with_len(&mut self, mut state: u32, token: u32, next: u32) -> u32 {
        let len = self.states[state as usize].len + 1;
        let whole = self.states[next as usize];
        if whole.len == len {
            return next;
        }
        let part = self.push(RunState { len, tokens: NONE, ..whole });
        let mut entry = whole.tokens;
        while entry != NONE {
            let (token, rest) = self.tokens[entry as usize];
            self.connect(part, token, self.next[&(next, token)]);
            entry = rest;
        }
        self.states[next as usize].link = part;
        while self.next(state, token) == Some(next) {
            self.next.insert((state, token), part);
            if state == 0 {
                break;
            }
            state = self.states[state as usize].link;
        }
        part
    }

    fn push(&mut self, state: RunState) -> u32 {
        self.states.push(state);
        self.states.len() as u32 - 1
    }

    /// Adds a transition that the state does not have.
    fn connect(&mut self, state: u32, token: u32, next: u32) {
        self.next.insert((state, token), next);
        let list = &mut self.states[state as usize].tokens;
        self.tokens.push((token, *list));
        *list = self.tokens.len() as u32 - 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The longest earlier run at each position, by comparing all pairs of positions.
    fn slow_runs(text: &[u8]) -> Vec<(usize, usize)> {
        let common = |i: usize, j: usize| {
            let len = text[i..].iter().zip(&text[j..]).take_while(|(a, b)| a == b).count();
            len.min(j - i)
        };
        (0..text.len())
            .map(|j| {
                (0..j).map(|i| (common(i, j), i)).fold((0, 0), |best, run| if run.0 > best.0 { run } else { best })
            })
            .collect()
    }

    /// The blocks, by looking at all runs from each token that is not in a block.
    fn slow_blocks(text: &[u8], min_run: usize) -> Vec<(Range<usize>, Range<usize>)> {
        let runs = slow_runs(text);
        let long: Vec<usize> = (0..text.len()).filter(|&at| runs[at].0 >= min_run).collect();
        let (mut blocks, mut covered) = (Vec::new(), 0);
        for token in 0..text.len() {
            let around = long.iter().copied().filter(|&at| at <= token && token < at + runs[at].0);
            let best = around.max_by_key(|&at| (at + runs[at].0, std::cmp::Reverse(at)));
            if let Some(at) = best.filter(|_| token >= covered) {
                covered = at + runs[at].0;
                blocks.push((runs[at].1..runs[at].1 + runs[at].0, at..covered));
            }
        }
        blocks
    }

    fn blocks(text: &[u8], min_run: usize) -> Vec<(Range<usize>, Range<usize>)> {
        let found = of_ids(text, min_run, 1 << 20);
        assert_eq!(found.found_in, None);
        found.alignment.passages.into_iter().map(|passage| (passage.a, passage.b)).collect()
    }

    proptest! {
        #[test]
        fn blocks_equal_those_of_all_pairs_of_positions(
            text in prop_oneof![
                prop::collection::vec(0u8..2, 0..60),
                prop::collection::vec(0u8..4, 0..90),
                (prop::collection::vec(0u8..9, 1..12), 1usize..9, prop::collection::vec(0u8..9, 0..30))
                    .prop_map(|(part, times, rest)| [part.repeat(times), rest, part].concat()),
            ],
            min_run in 1usize..8,
        ) {
            let found = blocks(&text, min_run);
            prop_assert_eq!(&found, &slow_blocks(&text, min_run));
            // Every token of a run that occurs earlier is in a block, and no other token is.
            for at in 0..text.len() {
                let is_repeat = |start: usize| {
                    let run = &text[start..start + min_run];
                    start >= min_run && (0..=start - min_run).any(|i| &text[i..i + min_run] == run)
                };
                let first = (at + 1).saturating_sub(min_run);
                let is_in_run = (first..=at).any(|start| start + min_run <= text.len() && is_repeat(start));
                prop_assert_eq!(found.iter().any(|(_, b)| b.contains(&at)), is_in_run, "token {}", at);
            }
            for (a, b) in &found {
                prop_assert!(a.end <= b.start && text[a.clone()] == text[b.clone()] && a.len() >= min_run);
            }
        }
    }

    #[test]
    fn a_run_that_repeats_itself_is_found_in_blocks_that_double() {
        let text = b"abc".repeat(9);
        assert_eq!(blocks(&text, 3), [(0..3, 3..6), (0..6, 6..12), (0..12, 12..24), (0..12, 15..27)]);
    }

    #[test]
    fn a_third_copy_repeats_the_first() {
        assert_eq!(blocks(b"-abcdef+abcdef*abcdef", 4), [(1..7, 8..14), (1..7, 15..21)]);
        assert_eq!(blocks(b"abcdef", 4), []);
        assert_eq!(blocks(b"", 1), []);
    }

    #[test]
    fn a_text_that_does_not_fit_is_searched_from_its_start() {
        let text: Vec<u32> = (0..5000).chain(0..5000).collect();
        let found = of_ids(&text, 50, LEAST_TOKENS);
        assert_eq!(found.found_in, Some(LEAST_TOKENS - 1));
        let positions: Vec<_> =
            found.alignment.passages.iter().map(|found| (found.a.clone(), found.b.clone())).collect();
        assert_eq!(positions, [(0..LEAST_TOKENS - 5001, 5000..LEAST_TOKENS - 1)]);
        assert_eq!(of_ids(&text, 50, 1 << 20).alignment.matched(), 5000);
    }
}
