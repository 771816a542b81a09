//! `Aligner`: finds the passages that two texts share, from their tokens.

use std::ops::Range;

use super::alignment::{Alignment, Passage};
use super::linking;
use super::rolling_hash::TokenId;
use super::runs::{RunFinder, TokenRun};
use super::seeds::{MOST_POSITIONS, SeedIndex};
use super::settings::PassageSettings;
use super::tiles::{HiddenRuns, Round, Tiler};
use crate::text::shingle::{Ids, Tokens};

/// Aligns one pair of texts after another. It keeps its buffers, so each thread needs its own.
///
/// ```
/// use dedup_scan::compare::passages::{Aligner, PassageSettings};
/// use dedup_scan::{ShingleKind, Shingler, normalize};
///
/// let mut shingler = Shingler::new(ShingleKind::Word, 5);
/// let mut words = |text| shingler.tokens(normalize(text));
/// let a = words("He wrote: the night was long, and the wind came over the hill from the sea.");
/// let b = words("The wind came over the hill from the sea. It was cold, and the night was long.");
/// let mut aligner = Aligner::new(PassageSettings::new(5, 8, 10)?);
/// let alignment = aligner.align(&a, &b);
/// let passage = &alignment.passages[0];
/// assert_eq!(&a.text()[a.bytes_of(passage.a.clone())], "wind came over the hill from the sea");
/// assert_eq!((passage.matched, passage.is_exact, alignment.coverage_a()), (8, true, 0.5));
/// # Ok::<(), dedup_scan::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Aligner {
    settings: PassageSettings,
    most_positions: usize,
    most_runs: usize,
    finder: RunFinder,
    tiler: Tiler,
}

/// Maximum bytes of buffers that are kept for the next text.
const KEPT_BYTES: usize = 16 << 20;

impl Aligner {
    /// Maximum number of tokens of a text that can be aligned: 2³² - 2.
    pub const MOST_TOKENS: usize = u32::MAX as usize - 1;

    /// Creates an aligner that uses at most 256 MiB in addition to the tokens.
    pub fn new(settings: PassageSettings) -> Self {
        Self::with_memory(settings, 256 << 20)
    }

    /// Creates an aligner that uses about `memory_bytes` in addition to the tokens of a pair of texts, but at least 1
    /// MiB and 14 bytes per token.
    ///
    /// It indexes a text with 28 bytes per token. If 18 of them do not fit into three quarters of the memory, it
    /// indexes the text in parts: with 10 bytes per token, 4 per token of the other text, and 18 per token of a part.
    /// It then reads both texts once for each part. The rest of the memory holds the runs, with 16 bytes each; if they
    /// do not fit, it searches for them again.
    pub fn with_memory(settings: PassageSettings, memory_bytes: u64) -> Self {
        let mut aligner = Self::with_limits(settings, 0, 0, MOST_POSITIONS);
        aligner.limit_memory(memory_bytes);
        aligner
    }

    /// Changes the memory limit to about `memory_bytes`; see [`with_memory`](Self::with_memory).
    pub fn limit_memory(&mut self, memory_bytes: u64) {
        let bytes = usize::try_from(memory_bytes).unwrap_or(usize::MAX).max(1 << 20);
        self.most_positions = bytes / 4 * 3 / SeedIndex::POSITION_BYTES;
        self.most_runs = bytes / 4 / (2 * size_of::<TokenRun>());
    }

    /// Creates an aligner with explicit limits.
    ///
    /// * `most_positions`: maximum number of positions of one text in the index at once.
    /// * `most_runs`: maximum number of runs in a round of tiling.
    /// * `most_seeds`: maximum number of positions of one hash in one text that have seeds.
    pub(super) fn with_limits(
        settings: PassageSettings,
        most_positions: usize,
        most_runs: usize,
        most_seeds: u32,
    ) -> Self {
        Self { settings, most_positions, most_runs, finder: RunFinder::new(most_seeds), tiler: Tiler::default() }
    }

    /// Returns the passages of two texts. Exchanging the texts gives the same passages with the sides exchanged.
    ///
    /// # Panics
    /// When one text consists of characters and the other one of other tokens, or when one has more than
    /// [`MOST_TOKENS`](Self::MOST_TOKENS).
    pub fn align(&mut self, a: &Tokens, b: &Tokens) -> Alignment {
        self.align_each(a, [b]).pop().expect("an alignment for each text")
    }

    /// Returns the passages of one text with each of several others; indexes the text once.
    ///
    /// # Panics
    /// As [`align`](Self::align).
    pub fn align_each<'t>(&mut self, a: &Tokens, others: impl IntoIterator<Item = &'t Tokens>) -> Vec<Alignment> {
        self.align_each_if(a, others, |_, _| true)
    }

    /// Same as [`align_each`](Self::align_each), but without the passages of texts that cannot match enough. Tiles are
    /// chosen only if a run is as long as an anchor and the total length of all runs is enough.
    ///
    /// * `can_be_enough`: whether the passages of two texts may be of use, given the maximum number of tokens in their
    ///   passages, and the number of tokens of the shorter text.
    pub(crate) fn align_each_if<'t>(
        &mut self,
        a: &Tokens,
        others: impl IntoIterator<Item = &'t Tokens>,
        can_be_enough: impl Fn(u64, u64) -> bool,
    ) -> Vec<Alignment> {
        let can_be_enough: &dyn Fn(u64, u64) -> bool = &can_be_enough;
        let mut is_indexed = false;
        let alignments = others.into_iter().map(|b| match (a.ids(), b.ids()) {
            (Ids::Ascii(ids_a), Ids::Ascii(ids_b)) => {
                self.align_ids([a, b], ids_a, ids_b, &mut is_indexed, can_be_enough)
            }
            (Ids::Ascii(ids_a), Ids::Chars(ids_b)) => {
                self.align_ids([a, b], ids_a, ids_b, &mut is_indexed, can_be_enough)
            }
            (Ids::Chars(ids_a), Ids::Ascii(ids_b)) => {
                self.align_ids([a, b], ids_a, ids_b, &mut is_indexed, can_be_enough)
            }
            (Ids::Chars(ids_a), Ids::Chars(ids_b)) => {
                self.align_ids([a, b], ids_a, ids_b, &mut is_indexed, can_be_enough)
            }
            (Ids::Pieces(ids_a), Ids::Pieces(ids_b)) => {
                self.align_ids([a, b], ids_a, ids_b, &mut is_indexed, can_be_enough)
            }
            _ => panic!("characters are not aligned with other tokens"),
        });
        let alignments = alignments.collect();
        self.finder.release(KEPT_BYTES);
        self.tiler.release(KEPT_BYTES);
        alignments
    }

    fn align_ids<A: TokenId, B: TokenId>(
        &mut self,
        [a, b]: [&Tokens; 2],
        ids_a: &[A],
        ids_b: &[B],
        is_indexed: &mut bool,
        can_be_enough: &dyn Fn(u64, u64) -> bool,
    ) -> Alignment {
        assert!(a.len().max(b.len()) <= Self::MOST_TOKENS, "a text of 2^32 - 1 tokens or more");
        let mut alignment = Alignment { tokens_a: a.len(), tokens_b: b.len(), ..Alignment::default() };
        let order = a.order(b);
        if order.is_eq() {
            // Greedy tiling would find the same, even if the whole text is shorter than an anchor.
            let whole = Passage { a: 0..a.len(), b: 0..b.len(), matched: a.len(), is_exact: true };
            alignment.longest = a.len();
            alignment.passages.extend((!a.is_empty()).then_some(whole));
            return alignment;
        }
        let Self { settings, finder, tiler, most_positions, most_runs } = self;
        if !std::mem::replace(is_indexed, true) {
            finder.index(ids_a, settings.min_run(), *most_positions);
        }
        // The text with the smaller token sequence is the first one, so that ties are resolved equally for both orders
        // of a pair.
        let is_swapped = order.is_gt();
        let lens = if is_swapped { [b.len(), a.len()] } else { [a.len(), b.len()] };
        finder.begin(ids_b, ids_a);
        let mut hides = true;
        let begin = |tiler: &mut Tiler, hides: bool| {
            tiler.begin(lens, settings.min_run(), *most_runs, hides.then_some(usize::from(!is_swapped)));
        };
        begin(tiler, hides);
        // Every tile is a part of a run, and the longest run becomes a tile as a whole.
        let (mut longest, mut most_matched) = (0, 0);
        let mut is_first_round = true;
        loop {
            finder.find(ids_b, ids_a, hides, |run| {
                if is_first_round {
                    longest = run.len.max(longest);
                    most_matched += u64::from(run.len);
                }
                tiler.offer(in_order(run, is_swapped));
            });
            let shorter = a.len().min(b.len()) as u64;
            alignment.seeds_capped = [finder.seeds_capped[1], finder.seeds_capped[0]];
            if (longest as usize) < settings.anchor() || !can_be_enough(most_matched.min(shorter), shorter) {
                alignment.longest = longest as usize;
                return alignment;
            }
            is_first_round = false;
            match tiler.end_round(&Hidden { finder, other: ids_b, indexed: ids_a, is_swapped }) {
                Round::Complete => break,
                Round::OfferAgain => {}
                Round::HidesTooMuch => {
                    hides = false;
                    begin(tiler, hides);
                }
            }
        }
        alignment.longest = tiler.tiles.iter().map(|tile| tile.len as usize).max().unwrap_or(0);
        let files = if is_swapped { [b, a] } else { [a, b] }.map(Tokens::file_borders);
        alignment.passages = linking::passages(&tiler.tiles, settings, &files);
        if is_swapped {
            alignment.swap_passages();
        }
        alignment
    }
}

/// Puts the text with the smaller token sequence first in a run of a finder, whose second text is the indexed one. The
/// same function converts back.
fn in_order(run: TokenRun, is_swapped: bool) -> TokenRun {
    if is_swapped { run } else { run.swapped() }
}

/// The runs that a finder hid, with the texts in the order of their token sequences.
struct Hidden<'t, A, B> {
    finder: &'t RunFinder,
    other: &'t [A],
    indexed: &'t [B],
    /// Whether the indexed text is the second one.
    is_swapped: bool,
}

impl<A: TokenId, B: TokenId> HiddenRuns for Hidden<'_, A, B> {
    fn with_seeds(
        &self,
        run: TokenRun,
        positions: Range<usize>,
        is_free: impl Fn(usize) -> bool,
        mut visit: impl FnMut(TokenRun),
    ) -> bool {
        let run = in_order(run, self.is_swapped);
        self.finder.find_with_seeds(run, positions, self.other, self.indexed, is_free, |run| {
            visit(in_order(run, self.is_swapped))
        })
    }

    fn like(&self, run: TokenRun, mut visit: impl FnMut(TokenRun)) -> bool {
        self.finder.find_like(in_order(run, self.is_swapped), self.other, self.indexed, |run| {
            visit(in_order(run, self.is_swapped))
        })
    }

    fn all(&self, run: TokenRun, mut visit: impl FnMut(TokenRun)) {
        self.finder.find_within(in_order(run, self.is_swapped), self.other, self.indexed, |run| {
            visit(in_order(run, self.is_swapped))
        });
    }
}
