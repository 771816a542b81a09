//! `ResultDetails`: finds the passages of query results, and their similarity with identifiers kept.
//!
//! Results are processed in rounds. The calling thread reads the texts of as many results as fit in memory, and all
//! threads split, align and count them. Texts and alignments of the previous round are kept if the next round needs
//! them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use rayon::prelude::*;

use super::found_match::FoundMatch;
use crate::base::error::Result;
use crate::base::flat::line_starts::LineStarts;
use crate::base::flat::offset_trace::OffsetTrace;
use crate::base::flat::per_thread::PerThread;
use crate::base::problem::{Problem, Reason};
use crate::compare::passages::{Aligner, Alignment, LocatedPassages, PassageSettings, PassageTotals};
use crate::compare::verify::KeptNames;
use crate::documents::document::OffsetsOf;
use crate::index::texts::docs::DocRow;
use crate::search::corpus::{PositionedText, StageSettings};
use crate::search::matching::MatchSettings;
use crate::search::pairs::PositionedTokens;
use crate::text::normalize::{Normalization, Normalizer};
use crate::text::removal::{Remaining, Removal, remaining_tokens};
use crate::text::shingle::{ShingleSet, Shingler};

/// The maximum number of results of a round, which limits the passages in memory.
const MOST_RESULTS: usize = 1024;

/// The key of a text; results with the same text share the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum TextKey {
    /// A query, by its position in the batch.
    Query(usize),
    /// A document of the open batch, by its position.
    Open(u32),
    /// A stored text: the position of its index, its number, and the unit of offsets in it.
    Stored(usize, u32, Option<OffsetsOf>),
}

impl TextKey {
    /// The key of the text of a result. Programs with the same text may be in different languages, so each has its own
    /// key.
    pub(crate) fn of(found: FoundMatch, row: &DocRow) -> Self {
        let FoundMatch { matched, index, is_open } = found;
        if is_open {
            return Self::Open(matched.document);
        }
        let number = if row.syntax.is_some() { matched.document } else { row.text };
        Self::Stored(index, number, row.is_original.then_some(row.offsets_of))
    }
}

/// A result as two texts: the text of the query and the text of the document.
pub(crate) type MatchTexts<'r> = [(TextKey, &'r DocRow); 2];

/// Returns the text of a document before normalisation; `None` when it cannot be read, which is reported elsewhere.
pub(crate) type TextSource<'s> = &'s mut dyn FnMut(TextKey, &DocRow) -> Result<Option<Vec<u8>>>;

/// The details of a result; details that were not requested, or could not be found, are `None`.
#[derive(Debug, Clone, Default)]
pub(crate) struct MatchDetail {
    pub(crate) passages: Option<LocatedPassages>,
    pub(crate) kept_names: Option<KeptNames>,
    /// Whether the passages of the result are known, and do not meet the requested limits.
    pub(crate) is_too_little: bool,
}

/// The requested details.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WantedDetails<'a> {
    pub(crate) passages: Option<PassageSettings>,
    /// The limits that the passages of a result must meet.
    pub(crate) matching: Option<MatchSettings>,
    /// The shingles of templates. Their tokens are removed before passages are searched.
    pub(crate) templates: Option<&'a Removal>,
    /// The number of tokens of a shingle with identifiers kept, and the shingles of that size that are removed.
    pub(crate) kept_names: Option<(usize, Option<&'a Removal>)>,
}

/// Finds the details of results.
pub(crate) struct ResultDetails<'a> {
    wanted: WantedDetails<'a>,
    workers: PerThread<DetailWorker>,
    pool: &'a rayon::ThreadPool,
    /// Bytes of memory that a byte of a text needs.
    bytes_per_byte: u64,
    most_bytes: u64,
    aligner_bytes: u64,
    loaded: HashMap<TextKey, Option<Arc<DetailText>>>,
    aligned: HashMap<[u128; 2], Arc<Alignment>>,
    seeds_capped: u64,
    /// The names of documents that are too long for passages, with their number of tokens.
    too_long: BTreeMap<Vec<u8>, usize>,
}

struct DetailWorker {
    normalizer: Normalizer,
    /// The normalizer that keeps identifiers.
    keeping_normalizer: Normalizer,
    shingler: Shingler,
    kept_shingler: Shingler,
    remaining: Vec<u64>,
    aligner: Option<Aligner>,
}

/// A text that is split into tokens.
#[derive(Default)]
struct DetailText {
    /// The tokens; `None` when the text is too long.
    tokens: Option<PositionedTokens>,
    num_tokens: usize,
    kept: Option<ShingleSet>,
}

impl<'a> ResultDetails<'a> {
    /// Creates a finder.
    ///
    /// * `settings`: the settings, with the settings of the index applied.
    /// * `pool`: threads that do no other work.
    pub(crate) fn new(settings: StageSettings<'a>, wanted: WantedDetails<'a>, pool: &'a rayon::ThreadPool) -> Self {
        let keeping = Normalization { keep_names: true, ..settings.normalization.clone() };
        let worker = move || DetailWorker {
            normalizer: settings.normalizer(),
            keeping_normalizer: settings.shingles.normalizer(&keeping),
            shingler: settings.shingler(),
            kept_shingler: Shingler::new(settings.shingles.kind(), wanted.kept_names.map_or(1, |(size, _)| size)),
            remaining: Vec::new(),
            aligner: wanted.passages.map(Aligner::new),
        };
        let (threads, bytes) = (pool.current_num_threads(), settings.memory().passages());
        Self {
            wanted,
            workers: PerThread::new(threads, worker),
            pool,
            bytes_per_byte: settings.shingles.token_bytes(wanted.templates.is_some()) + 2,
            most_bytes: bytes / 2,
            aligner_bytes: bytes / 2 / threads as u64,
            loaded: HashMap::new(),
            aligned: HashMap::new(),
            seeds_capped: 0,
            too_long: BTreeMap::new(),
        }
    }

    /// Whether any details are requested.
    pub(crate) fn are_wanted(&self) -> bool {
        self.wanted.passages.is_some() || self.wanted.kept_names.is_some()
    }

    /// Finds the details of some results.
    ///
    /// # Errors
    /// When `text_of` fails.
    pub(crate) fn of(&mut self, matches: &[MatchTexts], text_of: TextSource) -> Result<Vec<MatchDetail>> {
        let mut details = Vec::with_capacity(matches.len());
        // The queries and the open documents have changed since the last call.
        self.loaded.retain(|key, _| matches!(key, TextKey::Stored(..)));
        let mut rest = matches;
        while !rest.is_empty() {
            let round = rest.split_off(..self.round_len(rest)).expect("a round is no longer than what is left");
            self.load(round, text_of)?;
            self.align(round);
            details.extend(round.iter().map(|texts| self.detail(texts)));
        }
        Ok(details)
    }

    /// The number of results whose texts fit in memory; at least one.
    fn round_len(&self, matches: &[MatchTexts]) -> usize {
        let (mut keys, mut num_bytes) = (HashSet::new(), 0);
        let does_fit = |texts: &&MatchTexts| {
            let new = texts.iter().filter(|(key, _)| keys.insert(*key));
            num_bytes += new.map(|(_, row)| row.len * self.bytes_per_byte).sum::<u64>();
            num_bytes <= self.most_bytes
        };
        matches.iter().take(MOST_RESULTS).take_while(does_fit).count().max(1)
    }

    /// Reads and splits the texts of a round.
    fn load(&mut self, round: &[MatchTexts], text_of: TextSource) -> Result<()> {
        let mut wanted: HashMap<TextKey, &DocRow> = HashMap::new();
        let mut order = Vec::new();
        for &(key, row) in round.iter().flatten() {
            if wanted.insert(key, row).is_none() {
                order.push(key);
            }
        }
        self.loaded.retain(|key, _| wanted.contains_key(key));
        order.retain(|key| !self.loaded.contains_key(key));
        // In the order of the index, each block is read once.
        order.sort_unstable_by_key(|key| match *key {
            TextKey::Query(position) => (0, 0, position as u64),
            TextKey::Open(position) => (1, 0, position.into()),
            TextKey::Stored(index, number, _) => (2, index, number.into()),
        });
        let texts = order.iter().map(|key| text_of(*key, wanted[key])).collect::<Result<Vec<_>>>()?;
        let cut = |(key, text): (&TextKey, Option<Vec<u8>>)| {
            (*key, text.map(|text| Arc::new(self.workers.get().cut(text, wanted[key], self.wanted))))
        };
        let cut: Vec<_> = self.pool.install(|| order.par_iter().zip(texts).with_max_len(1).map(cut).collect());
        for (key, text) in &cut {
            let is_too_long = |text: &Arc<DetailText>| self.wanted.passages.is_some() && text.tokens.is_none();
            if let Some(text) = text.as_ref().filter(|text| is_too_long(text)) {
                self.too_long.insert(wanted[key].name.clone(), text.num_tokens);
            }
        }
        self.loaded.extend(cut);
        Ok(())
    }

    /// Aligns the texts of a round that have not been aligned before.
    fn align(&mut self, round: &[MatchTexts]) {
        if self.wanted.passages.is_none() {
            return;
        }
        let wanted: HashSet<[u128; 2]> = round.iter().map(contents).collect();
        self.aligned.retain(|contents, _| wanted.contains(contents));
        let mut seen = HashSet::new();
        let is_new = |texts: &&MatchTexts| {
            let contents = contents(texts);
            !self.aligned.contains_key(&contents) && self.tokens(texts).is_some() && seen.insert(contents)
        };
        let new: Vec<&MatchTexts> = round.iter().filter(is_new).collect();
        let align = |texts: &&MatchTexts| {
            let [a, b] = self.tokens(texts).expect("just looked at");
            let mut worker = self.workers.get();
            let aligner = worker.aligner.as_mut().expect("passages are wanted");
            aligner.limit_memory(self.aligner_bytes);
            (contents(texts), Arc::new(aligner.align(&a.tokens, &b.tokens)))
        };
        let aligned: Vec<_> = self.pool.install(|| new.par_iter().with_max_len(1).map(align).collect());
        self.aligned.extend(aligned);
    }

    /// The tokens of both texts of a result, if both have them.
    fn tokens(&self, texts: &MatchTexts) -> Option<[&PositionedTokens; 2]> {
        let [a, b] = texts.map(|(key, _)| self.loaded[&key].as_ref().and_then(|text| text.tokens.as_ref()));
        Some([a?, b?])
    }

    fn detail(&mut self, texts: &MatchTexts) -> MatchDetail {
        let passages = self.tokens(texts).and_then(|[a, b]| {
            let alignment = self.aligned.get(&contents(texts))?;
            let totals = || PassageTotals { matched: alignment.matched() as u64, longest: alignment.longest as u64 };
            let located = a.located_with(b, alignment, self.wanted.matching.map(|_| totals()));
            let is_too_little = self.wanted.matching.is_some_and(|matching| !matching.is_reported(alignment));
            Some((located, alignment.seeds_capped.iter().sum::<u64>(), is_too_little))
        });
        let is_too_little = passages.as_ref().is_some_and(|&(_, _, is_too_little)| is_too_little);
        self.seeds_capped += passages.as_ref().map_or(0, |&(_, seeds_capped, _)| seeds_capped);
        let [a, b] = texts.map(|(key, _)| self.loaded[&key].as_deref().and_then(|text| text.kept.as_ref()));
        let kept_names = a.zip(b).map(|(a, b)| KeptNames::of(a, b));
        MatchDetail { passages: passages.map(|(passages, ..)| passages), kept_names, is_too_little }
    }

    /// The number of shared runs that were skipped because they are too frequent, if passages are requested; and the
    /// documents that are too long for passages.
    pub(crate) fn finish(self) -> (Option<u64>, Vec<Problem>) {
        let most = Aligner::MOST_TOKENS;
        let too_long = self.too_long.into_iter().map(|(name, num_tokens)| {
            let detail = format!(
                "has {num_tokens} tokens, but passages are only found in documents of up to {most}; its passages are missing, split it"
            );
            Problem::error(String::from_utf8_lossy(&name), Reason::TooLarge, detail)
        });
        (self.wanted.passages.map(|_| self.seeds_capped), too_long.collect())
    }
}

/// The hashes of both texts of a result.
fn contents(texts: &MatchTexts) -> [u128; 2] {
    texts.map(|(_, row)| row.content)
}

impl DetailWorker {
    fn cut(&mut self, text: Vec<u8>, row: &DocRow, wanted: WantedDetails) -> DetailText {
        let mut cut = DetailText::default();
        if let Some((_, removal)) = wanted.kept_names {
            let mut text = text.clone();
            self.keeping_normalizer.set_syntax(row.syntax);
            self.keeping_normalizer.normalize_utf8(&mut text);
            let shingles = self.kept_shingler.shingles_utf8(&text);
            cut.kept = Some(ShingleSet::new(Remaining::new(shingles, removal, &mut self.remaining)));
        }
        if wanted.passages.is_some() {
            let (mut text, lines) = (text.clone(), LineStarts::new(&text, None));
            let mut trace = OffsetTrace::default();
            self.normalizer.set_syntax(row.syntax);
            self.normalizer.normalize_traced(&mut text, &mut trace);
            let (map, _) = trace.into_parts(text.len());
            let tokens = remaining_tokens(&mut self.shingler, wanted.templates, text);
            cut.num_tokens = tokens.len();
            let of = if row.is_original { row.offsets_of } else { OffsetsOf::Text };
            let positions = PositionedText { text: Vec::new(), map, lines, of, files: None };
            cut.tokens = (tokens.len() <= Aligner::MOST_TOKENS).then_some(PositionedTokens { tokens, positions });
        }
        cut
    }
}
