//! `Aligner`: the tokens of two texts in, their passages out.

use super::alignment::{Alignment, Passage};
use super::linking;
use super::runs::RunFinder;
use super::seeds::{SeedIndex, TokenId};
use super::settings::PassageSettings;
use super::tiles::Tiler;
use crate::shingle::{Ids, Tokens};

/// Aligns one pair of texts after another; keeps its buffers, so give each thread its own.
///
/// ```
/// use dedup_scan::passages::{Aligner, PassageSettings};
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
    most_places: usize,
    finder: RunFinder,
    tiler: Tiler,
}

/// Buffers of more bytes than this are freed behind a pair.
const KEPT_BYTES: usize = 16 << 20;

impl Aligner {
    /// An aligner that takes 256 MiB for its index of a text, or less.
    pub fn new(settings: PassageSettings) -> Self {
        Self::with_memory(settings, 256 << 20)
    }

    /// An aligner that takes so many bytes for its index of a text, and indexes longer ones in several parts: of about
    /// 100 bytes a token, one for each time that these go into the memory. Runs come on top, at 12 bytes.
    pub fn with_memory(settings: PassageSettings, memory_bytes: u64) -> Self {
        const LEAST_PLACES: usize = 1 << 12;
        let most_places = usize::try_from(memory_bytes).unwrap_or(usize::MAX) / SeedIndex::PLACE_BYTES;
        Self {
            settings,
            most_places: most_places.max(LEAST_PLACES),
            finder: RunFinder::default(),
            tiler: Tiler::default(),
        }
    }

    /// The passages of two texts. The second text's with the first are the same with the sides exchanged.
    ///
    /// # Panics
    /// When one text has characters and the other one has other tokens, or when one has 2³² tokens or more.
    pub fn align(&mut self, a: &Tokens, b: &Tokens) -> Alignment {
        match (a.ids(), b.ids()) {
            (Ids::Ascii(ids_a), Ids::Ascii(ids_b)) => self.align_ids(a, b, ids_a, ids_b),
            (Ids::Chars(ids_a), Ids::Chars(ids_b)) => self.align_ids(a, b, ids_a, ids_b),
            (Ids::Pieces(ids_a), Ids::Pieces(ids_b)) => self.align_ids(a, b, ids_a, ids_b),
            (Ids::Ascii(ids_a), Ids::Chars(ids_b)) => self.align_ids(a, b, &widened(ids_a), ids_b),
            (Ids::Chars(ids_a), Ids::Ascii(ids_b)) => self.align_ids(a, b, ids_a, &widened(ids_b)),
            _ => panic!("characters are not aligned with other tokens"),
        }
    }

    fn align_ids<T: TokenId>(&mut self, a: &Tokens, b: &Tokens, ids_a: &[T], ids_b: &[T]) -> Alignment {
        if a.order(b).is_gt() { self.align_ordered(ids_b, ids_a).swapped() } else { self.align_ordered(ids_a, ids_b) }
    }

    /// * `a`: as a sequence no greater than `b`, so that ties are broken alike for both orders of a pair.
    fn align_ordered<T: TokenId>(&mut self, a: &[T], b: &[T]) -> Alignment {
        assert!(a.len().max(b.len()) < u32::MAX as usize, "a text of 2^32 tokens");
        let mut alignment = Alignment { tokens_a: a.len(), tokens_b: b.len(), ..Alignment::default() };
        if a == b {
            // What greedy tiling would find, also where the whole text is shorter than an anchor.
            let whole = Passage { a: 0..a.len(), b: 0..b.len(), matched: a.len(), is_exact: true };
            alignment.longest = a.len();
            alignment.passages.extend((!a.is_empty()).then_some(whole));
            return alignment;
        }
        let Self { settings, finder, tiler, most_places } = self;
        finder.find(a, b, settings.min_run(), *most_places);
        tiler.choose(&mut finder.runs, [a.len(), b.len()], settings.min_run());
        alignment.seeds_capped = finder.seeds_capped;
        alignment.longest = tiler.tiles.iter().map(|tile| tile.len as usize).max().unwrap_or(0);
        alignment.passages = linking::passages(&tiler.tiles, settings);
        finder.release(KEPT_BYTES);
        tiler.release(KEPT_BYTES);
        alignment
    }
}

/// ASCII as scalar values.
fn widened(ascii: &[u8]) -> Vec<u32> {
    ascii.iter().map(|&byte| byte.into()).collect()
}
