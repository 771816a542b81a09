//! `query_index`: inputs in as questions, the documents of an index that are similar to each out, as pairs.
//!
//! Workers read and sign the questions; the calling thread answers them, many at a time, so that each part of the index is read
//! once for all of them.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use serde::Serialize;

use super::answers::Answerer;
use super::asked::AskedIndexes;
use super::containment::{ContainmentSummary, WantedContainment};
use super::details::{AnswerDetails, WantedDetails};
use super::file::add_own_files;
use super::meta;
use super::query_run::QueryRun;
use super::query_settings::{AddWhat, QuerySettings};
use super::question::IndexQuestion;
use super::question_sets::SET_BYTES;
use super::sampling::SampleRate;
use super::text_place::PlaceFinder;
use super::writing::Added;
use crate::corpus::{self, SignedDocument, SignedParts};
use crate::error::{Error, Result};
use crate::input::Sources;
use crate::observe::{Observer, Stage};
use crate::pairs::PassageSink;
use crate::run::{Settings, Summary};

/// Most questions that are answered at a time.
const QUESTIONS: usize = 1 << 17;
/// Least and most bytes that these take, which are otherwise a sixteenth of the memory of a run: a batch is read, one waits, one
/// is answered and one is freed.
const QUESTION_BYTES: [u64; 2] = [1 << 20, 256 << 20];
/// Bytes of pages that a query keeps.
const CACHE_BYTES: u64 = 16 << 20;

/// What a query did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QuerySummary {
    /// What was read and asked: the documents, the problems, the settings, and how many pairs were found.
    #[serde(flatten)]
    pub asked: Summary,
    /// The documents of the index, in the end; of all indexes, where several are asked.
    pub index_documents: u64,
    /// What became of the questions that were to be added; nothing where none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<Added>,
    /// Where contained documents were looked for: the chance that one is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub containment: Option<ContainmentSummary>,
    /// Whether the index was made to find contained documents.
    #[serde(skip)]
    pub can_find_contained: bool,
    /// Parts of the index that are damaged, each in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<String>,
    /// Documents that were no answers, since their texts are no longer those that the index refers to; nothing where there are none.
    #[serde(skip_serializing_if = "is_none")]
    pub stale: u64,
}

/// Reads the inputs and passes on what an index has that is similar to each: pairs of a question and a document of the index, by
/// questions in document order, and then in the order of the index.
///
/// These are the pairs that [`find_duplicates`](crate::find_duplicates) and [`find_passages`](crate::find_passages) pass on for the
/// same inputs against the documents of the index, with the settings that the index was made with. A passage in a text that is not,
/// byte for byte, what the document was made of is located in that text, and says so.
///
/// * `settings`: what is read and how; texts, shingles and signatures are those of the index, whatever these say.
/// * `sink`: receives pairs, each time with a table of their documents, and their passages where these are asked for.
///
/// # Errors
/// When inputs or index cannot be read. Damage of texts costs the pairs of these texts, and is in the summary. So does a text that is
/// no longer where the index refers to: `observer` receives it as a problem ([`Reason::Stale`](crate::Reason::Stale)).
pub fn query_index(
    query: &QuerySettings,
    settings: &Settings,
    observer: &dyn Observer,
    sink: PassageSink<'_>,
) -> Result<QuerySummary> {
    let wait = (query.add != AddWhat::None).then_some(query.wait);
    let mut indexes = AskedIndexes::open(&query.index, &query.others, wait, CACHE_BYTES)?;
    let mut settings = settings.clone();
    indexes.first().meaning.apply(&mut settings, &query.index)?;
    for index in std::iter::once(&query.index).chain(&query.others) {
        add_own_files(index, &mut settings.input.own_files);
    }
    settings.pairs.threshold = query.threshold.unwrap_or(settings.pairs.threshold);
    settings.pairs.kept_names = query.kept_names.map_or(settings.pairs.kept_names, NonZeroUsize::new);
    let settings = &settings;
    settings.check()?;
    indexes.set_threads(settings.resources.threads);
    let pool = settings.thread_pool()?;
    let answering_pool = settings.thread_pool()?;
    let sources = Sources::read_once(settings.cancel.clone());
    observer.begin(Stage::Read);
    let started = Instant::now();
    let templates = indexes.first_mut().templates.take();
    let kept_size = settings.pairs.kept_names;
    let first = indexes.first();
    let read_kept = |size| meta::kept_templates(&first.file, &first.meaning, size);
    let kept_templates = kept_size.map(read_kept).transpose()?.flatten();
    let wanted = WantedDetails {
        passages: query.passages,
        templates: templates.as_ref(),
        kept_names: kept_size.map(|size| (size.get(), kept_templates.as_ref())),
    };
    let mut details = AnswerDetails::new(settings.corpus(), wanted, &answering_pool);
    let way = if query.add == AddWhat::None { None } else { indexes.way_of(settings)? };
    let (send, receive) = mpsc::sync_channel::<Vec<IndexQuestion>>(1);
    let threshold = settings.pairs.threshold;
    let containment = WantedContainment::of(indexes.first(), query)?;
    let is_sampled = containment.is_some() || query.add != AddWhat::None;
    let rate = indexes.first().meaning.containment.filter(|_| is_sampled);
    let mut asking = QueryRun {
        query,
        with_source: settings.input.with_source,
        removes: templates.is_some(),
        threshold,
        pairs: 0,
        candidates: 0,
        added: Added::default(),
        damage: Vec::new(),
        stale: HashSet::new(),
        observer,
        pool: &answering_pool,
        num_shingles: Vec::new(),
        sink,
    };
    let (read, answered) = thread::scope(|scope| {
        let read = || -> Result<_> {
            let (mut batch, mut num_bytes) = (Vec::new(), 0);
            let most_bytes = (settings.resources.memory_bytes / 16).clamp(QUESTION_BYTES[0], QUESTION_BYTES[1]);
            // What is added stays at hand with its set until the batch ends.
            let set_bytes = if query.add == AddWhat::None { 0 } else { SET_BYTES };
            let mut places = way.map(PlaceFinder::new);
            let mut ask = |document: &SignedDocument| {
                let place = places.as_mut().map(|places| places.place_of(document)).transpose()?;
                let question = IndexQuestion::of(document, rate, place);
                num_bytes += (question.num_bytes() + set_bytes * question.text.len()) as u64;
                batch.push(question);
                if batch.len() < QUESTIONS && num_bytes < most_bytes {
                    return Ok(());
                }
                num_bytes = 0;
                // When the answering thread has ended, its error is the one that counts.
                send.send(std::mem::take(&mut batch)).map_err(|_| Error::Cancelled)
            };
            let samples = rate.map(SampleRate::most);
            let parts = SignedParts { signatures: true, texts: true, samples, sizes: containment.is_some() };
            let corpus = settings.corpus();
            let read = corpus::read_signed(corpus, templates.as_ref(), parts, &sources, observer, &pool, &mut ask)?;
            let _ = send.send(batch);
            drop(send);
            Ok(read)
        };
        let asked = thread::Builder::new().spawn_scoped(scope, read).map_err(Error::Thread)?;
        let answerer = Answerer::new(settings.corpus(), templates.as_ref(), threshold, &answering_pool);
        let answerer = answerer.by_containment(containment);
        // The channel goes with its last question or with an error, whichever is first.
        let mut receive = receive.into_iter();
        let mut answer = |questions: Vec<_>| {
            asking.answer(&mut indexes, &answerer, &mut details, &questions)?;
            // Nobody waits for their memory.
            answering_pool.spawn(move || drop(questions));
            Ok(())
        };
        let answered = receive.try_for_each(&mut answer);
        drop(receive);
        Ok((asked.join().expect("reading does not panic"), answered))
    })?;
    answered?;
    let read = read?;
    read.check_read()?;
    let mut summary = Summary::of_reading(settings, read);
    (summary.pairs, summary.candidates) = (asking.pairs, asking.candidates);
    summary.seconds.read = started.elapsed().as_secs_f64();
    summary.settings.passages = query.passages;
    let (seeds_capped, problems) = details.finish();
    summary.seeds_capped = seeds_capped;
    for problem in &problems {
        observer.problem(problem);
        summary.count(problem);
    }
    Ok(QuerySummary {
        asked: summary,
        index_documents: indexes.readers().map(|reader| reader.state.documents).sum(),
        added: (query.add != AddWhat::None).then_some(asking.added),
        containment: containment.map(|wanted| ContainmentSummary::new(wanted, asking.num_shingles)),
        can_find_contained: indexes.first().meaning.containment.is_some(),
        damage: asking.damage,
        stale: asking.stale.len() as u64,
    })
}

fn is_none(number: &u64) -> bool {
    *number == 0
}
