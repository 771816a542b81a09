//! `Postings`: the kept hashes of every distinct text, sorted by hash, each with its text.
//!
//! To make them, every distinct text is read again and winnowed. The same reading stores the texts in memory if all of
//! them fit, and notes the texts that have no tokens left after removal.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::loaded_text::{LoadedText, TextStore};
use super::own_texts::{OwnText, OwnTexts};
use super::settings::MatchSettings;
use crate::base::error::{Error, Result};
use crate::base::problem::Problem;
use crate::base::storage::{RecordSorter, SortRecord, SortedRecords, halves};
use crate::compare::passages::Winnower;
use crate::documents::document::DocId;
use crate::search::corpus::ReadCorpus;
use crate::text::removal::remaining_tokens;

/// The number of texts in a thread's unit of work.
const TEXTS: usize = 16;

/// A kept hash and a text that has it. 12 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Posting {
    /// The hash, high half first.
    hash: [u32; 2],
    pub(super) document: DocId,
}

impl Posting {
    fn new(hash: u64, document: DocId) -> Self {
        Self { hash: halves(hash), document }
    }

    pub(super) fn hash(self) -> u64 {
        self.key()
    }
}

impl SortRecord for Posting {
    type Words = [u32; 3];

    fn words(self) -> [u32; 3] {
        [self.hash[0], self.hash[1], self.document.get()]
    }

    fn of_words([high, low, document]: [u32; 3]) -> Self {
        Self { hash: [high, low], document: DocId::new(document as usize) }
    }
}

/// The kept hashes of all distinct texts.
pub(crate) struct Postings {
    pub(super) records: SortedRecords<Posting>,
    /// All texts, if they fit the memory.
    pub(super) texts: Option<HashMap<DocId, Arc<LoadedText>>>,
    /// The texts without tokens after removal, and in a search for blocks also the texts that are too short for one.
    pub(crate) without_tokens: HashSet<DocId>,
    /// The texts that repeat blocks, in a search for blocks.
    pub(super) own: OwnTexts,
    /// The number of texts with fewer tokens than the longest run of a passage has at least.
    pub(super) short: u64,
    /// The documents that could not be read again.
    pub(crate) problems: Vec<Problem>,
}

impl Postings {
    /// Reads the first document of each text again, in the thread pool of the run.
    ///
    /// # Errors
    /// When the hashes cannot be stored, or the run was cancelled.
    pub(crate) fn read(corpus: ReadCorpus<'_>, settings: MatchSettings) -> Result<Self> {
        let passages = settings.passages;
        let ReadCorpus { observer, removal, documents, sources, .. } = corpus;
        let num_threads = corpus.threads();
        let rereader = corpus.rereader();
        let sorter = RecordSorter::new("the index of passages", u64::MAX, corpus.memory().postings(), num_threads);
        let without_tokens = Mutex::new(HashSet::new());
        let short = AtomicU64::new(0);
        let own = Mutex::new(OwnTexts::default());
        let own_bytes = corpus.memory().own_repeats(num_threads);
        let store = TextStore::new(corpus.memory().stored_texts());
        let scope = documents.scope();
        let read = |(winnower, postings): &mut (Winnower, Vec<Posting>), firsts: &[DocId]| {
            if sources.has_failed() {
                return Err(Error::Cancelled);
            }
            for &first in firsts {
                let salt = scope.salt(first);
                let is_empty = rereader.read_again(first, &mut |text, tools| {
                    let tokens = remaining_tokens(&mut tools.shingler, removal, text.to_vec());
                    if settings.blocks
                        && let Some(text) =
                            OwnText::find(&tokens, passages.anchor(), own_bytes, || tools.shingler.shingles_utf8(text))
                    {
                        own.lock().expect("no holder panics").insert(first, text);
                    }
                    winnower.keep(&tokens, |hash, _| postings.push(Posting::new(hash ^ salt, first)));
                    let is_empty = tokens.is_empty();
                    let is_short = !is_empty && tokens.len() < passages.anchor();
                    short.fetch_add(u64::from(is_short), Ordering::Relaxed);
                    store.keep(first, || LoadedText::new(tokens, passages.min_run()));
                    is_empty || settings.blocks && is_short
                });
                if is_empty == Some(true) {
                    without_tokens.lock().expect("no holder panics").insert(first);
                }
            }
            observer.advance(firsts.len() as u64, firsts.len() as u64, 0);
            sorter.push(postings.drain(..))
        };
        let firsts: Vec<DocId> =
            (0..documents.len()).map(DocId::new).filter(|&document| documents.is_first(document)).collect();
        observer.total(firsts.len() as u64);
        let tools = || (Winnower::new(passages), Vec::new());
        firsts.par_chunks(TEXTS).map_init(tools, |tools, firsts| read(tools, firsts)).collect::<Result<()>>()?;
        let without_tokens = without_tokens.into_inner().expect("no holder panics");
        let own = own.into_inner().expect("no holder panics");
        let mut problems = rereader.into_problems();
        problems.extend(own.problems(documents));
        Ok(Self {
            records: sorter.finish(),
            texts: store.finish(),
            without_tokens,
            short: short.into_inner(),
            own,
            problems,
        })
    }
}
