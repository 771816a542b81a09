//! `Pass`: the stages of a run, one after another.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::Instant;

use super::common_frame::PairSample;
use super::duplicated_lines::DuplicatedLines;
use super::found_pairs::FoundPairs;
use super::pair_steps::{AuditStep, FrameStep, LineStep, PairStep, PairSteps};
use super::settings::Settings;
use super::summary::{LargestBucket, Memory, Summary};
use super::timed::timed;
use crate::base::error::Result;
use crate::base::memory;
use crate::base::observe::{Observer, Stage};
use crate::compare::clusters::CentreOrder;
use crate::compare::passages::PassageSettings;
use crate::documents::document::Documents;
use crate::documents::input::Sources;
use crate::search::corpus;
use crate::search::corpus::{Corpus, FirstPass, ReadCorpus, StageSettings};
use crate::search::estimate::audit::TextSampler;
use crate::search::join::{JoinResult, JoinSearch};
use crate::search::matching::{MatchSearch, MatchSettings, Postings};
use crate::search::pairs::{IdentifierSearch, PairSearch, PairSink, PairSource, PassageSearch, SearchSummary};
use crate::sign::banding::BucketTable;
use crate::text::removal::Removal;

/// The tools of a run, which all its stages share.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a> {
    pub(super) settings: &'a Settings,
    /// The settings of the stages, with the texts that are kept, the sample and the weights of this run.
    pub(super) stages: StageSettings<'a>,
    pub(super) observer: &'a dyn Observer,
    pub(super) sources: &'a Sources,
    pub(super) pool: &'a rayon::ThreadPool,
    /// Whether documents that repeat blocks are pairs with themselves.
    pub(super) with_own: bool,
    /// The definition of the passages that pairs are passed on with; `None` finds no passages.
    pub(super) passages: Option<PassageSettings>,
}

impl<'a> Pass<'a> {
    pub(super) fn read_corpus<'d>(&self, documents: &'d Documents, removal: Option<&'d Removal>) -> ReadCorpus<'d>
    where
        'a: 'd,
    {
        ReadCorpus { observer: self.observer, settings: self.stages, removal, documents, sources: self.sources }
    }

    /// The tools for the second pass, which has the memory that the tables leave.
    pub(super) fn after_tables(mut self, documents: &Documents, found: &FoundPairs) -> Self {
        let tables = found.table_bytes().map(|bytes| documents.num_bytes() + bytes).unwrap_or_default();
        self.stages.resources = self.stages.resources.without_tables(tables as u64);
        self
    }

    /// The first pass: reads and signs all documents.
    pub(super) fn read(&self, lists: bool, summary: Summary) -> Result<(FirstPass, Summary)> {
        let read = || corpus::read(self.stages, self.sources, self.observer, self.pool, lists);
        let (mut read, seconds) = timed(self.observer, Stage::Read, read)?;
        read.summary.check_read()?;
        let mut summary = summary.with_read(std::mem::take(&mut read.summary));
        summary.seconds.read = seconds;
        Ok((read, summary))
    }

    /// Finds the pairs of texts.
    pub(super) fn find_candidates(
        &self,
        corpus: Corpus,
        removal: Option<&Removal>,
        summary: &mut Summary,
    ) -> Result<(Documents, FoundPairs)> {
        self.pool.install(|| match self.settings.pairs.source {
            PairSource::Bands => self.band(corpus, summary),
            PairSource::AllPairs => self.join(corpus.into_documents(), removal, summary),
            PairSource::Passages(matching) => self.match_passages(corpus.into_documents(), matching, removal, summary),
        })
    }

    /// Puts the signatures into the bucket table.
    fn band(&self, corpus: Corpus, summary: &mut Summary) -> Result<(Documents, FoundPairs)> {
        let band = || bucket_table(self.settings, &corpus, &mut summary.memory);
        let (table, seconds) = timed(self.observer, Stage::Band, band)?;
        let bits = corpus.take_bits(self.stages.filter, &table)?;
        let documents = corpus.into_documents();
        summary.seconds.band = seconds;
        summary.largest_bucket = table.largest_bucket().map(|(first, num_documents)| LargestBucket {
            documents: num_documents as u64,
            first: String::from_utf8_lossy(documents.name(first)).into_owned(),
        });
        let found = FoundPairs::Table(table, bits);
        summary.memory.tables_at_least(documents.num_bytes() + found.table_bytes().unwrap_or_default());
        Ok((documents, found))
    }

    /// Finds the pairs of texts that may reach the threshold; none that reaches it is missing.
    fn join(
        &self,
        documents: Documents,
        removal: Option<&Removal>,
        summary: &mut Summary,
    ) -> Result<(Documents, FoundPairs)> {
        let start = Instant::now();
        let search = JoinSearch::new(self.read_corpus(&documents, removal), self.settings.pairs.threshold);
        let JoinResult { candidates, summary: join, table_bytes, problems } = search.run(None)?;
        summary.seconds.band = start.elapsed().as_secs_f64();
        summary.report(problems, self.observer);
        summary.join = Some(join);
        summary.memory.tables_at_least(documents.num_bytes() + table_bytes.max(candidates.num_bytes()));
        self.sources.check()?;
        Ok((documents, FoundPairs::Joined(candidates)))
    }

    /// Finds the pairs of texts that share enough passages.
    fn match_passages(
        &self,
        mut documents: Documents,
        matching: MatchSettings,
        removal: Option<&Removal>,
        summary: &mut Summary,
    ) -> Result<(Documents, FoundPairs)> {
        let read = || Postings::read(self.read_corpus(&documents, removal), matching);
        let (mut postings, index_seconds) = timed(self.observer, Stage::Index, read)?;
        summary.report(std::mem::take(&mut postings.problems), self.observer);
        documents.forget_texts(&postings.without_tokens);
        let search = MatchSearch { corpus: self.read_corpus(&documents, removal), settings: matching };
        let (candidates, band_seconds) = timed(self.observer, Stage::Band, || search.candidates(postings))?;
        summary.seconds.band = index_seconds + band_seconds;
        let (mut matches, align_seconds) = timed(self.observer, Stage::Align, || search.matches(candidates))?;
        summary.seconds.verify = align_seconds;
        summary.report(std::mem::take(&mut matches.problems), self.observer);
        summary.matches = Some(matches.summary.clone());
        summary.memory.tables_at_least(documents.num_bytes() + matches.candidates.num_bytes());
        self.sources.check()?;
        Ok((documents, FoundPairs::Matches(matches)))
    }

    /// The second pass: verifies the candidates, and passes the pairs on to the sink through the steps that the settings ask
    /// for.
    ///
    /// * `centres`: the order of the centres of stars, if only the pairs of stars are needed.
    ///
    /// # Errors
    /// When the sink or a step fails, or a document or a candidate could not be read, so that pairs are missing.
    pub(super) fn verify(
        &self,
        corpus: ReadCorpus<'_>,
        found: FoundPairs,
        centres: Option<&CentreOrder>,
        sink: &mut dyn PairSink,
        summary: &mut Summary,
    ) -> Result<()> {
        let (documents, cancel) = (corpus.documents, &self.settings.cancel);
        let kept_templates = self.kept_templates()?;
        let steps = self.steps(corpus, &found, kept_templates.as_ref(), centres.is_none());
        let own = if self.with_own { found.own(documents, self.settings) } else { Vec::new() };
        let num_own = own.len() as u64;
        let mut steps = PairSteps { steps, cancel, own: own.into_iter(), sink };
        steps.begin(documents)?;
        let verify = || -> Result<SearchSummary> {
            let search = PairSearch::new(corpus, self.settings.pairs);
            let search = if let Some(centres) = centres { search.of_stars(centres) } else { search };
            let mut numbers = found.verify(search, &mut |documents, pairs| steps.pass_on(documents, pairs))?;
            steps.pass_rest(documents)?;
            numbers.pairs += num_own;
            Ok(numbers)
        };
        let (numbers, seconds) = timed(self.observer, Stage::Verify, || self.pool.install(verify))?;
        summary.add_search(numbers);
        summary.seconds.verify += seconds;
        found.complete(summary);
        // All pairs have left; a fault here means that pairs are missing.
        self.sources.check()?;
        found.check()?;
        self.pool.install(|| steps.finish(summary, self.observer))
    }

    /// The steps that the settings ask for, in the order in which pairs pass them: passages first, since reading them cuts
    /// batches into smaller ones.
    ///
    /// * `kept_templates`: what [`kept_templates`](Self::kept_templates) returns.
    /// * `is_whole`: whether all pairs pass, and not only the pairs of stars.
    fn steps<'s>(
        &self,
        corpus: ReadCorpus<'s>,
        found: &FoundPairs,
        kept_templates: Option<&'s Removal>,
        is_whole: bool,
    ) -> Vec<Box<dyn PairStep + 's>> {
        let (pairs, memory) = (self.settings.pairs, corpus.memory());
        let mut steps: Vec<Box<dyn PairStep + 's>> = Vec::new();
        let kept_size = pairs.kept_names.map(NonZeroUsize::get);
        if let Some(passages) = self.passages {
            let kept_bytes = if kept_size.is_some() { memory.kept_names() } else { 0 };
            let search = PassageSearch::new(corpus, passages, memory.passages() - kept_bytes);
            steps.push(Box::new(found.passages(search)));
        }
        if let Some(size) = kept_size {
            steps.push(Box::new(IdentifierSearch::new(corpus, size, kept_templates)));
        }
        if self.passages.is_some() && pairs.source.finds_blocks() {
            steps.push(Box::new(LineStep { corpus, duplicated: DuplicatedLines::default() }));
        }
        // Groups need only some of the pairs, so an audit would count the others as missed.
        if let Some(audit) = self.settings.audit.filter(|_| is_whole && !pairs.spanning) {
            let drawing = TextSampler::new(audit, self.settings.signature.seed, corpus.documents);
            steps.push(Box::new(AuditStep { corpus, pairs, drawing }));
        }
        if let Some(sample) = PairSample::of(self.settings).filter(|_| self.stages.sample.is_none()) {
            steps.push(Box::new(FrameStep { corpus, threshold: pairs.threshold, sample }));
        }
        steps
    }

    /// The shingles of the templates with identifiers kept, which are removed from programs that are compared in this way.
    /// `None` if programs are compared in no other way, or without templates.
    fn kept_templates(&self) -> Result<Option<Removal>> {
        let Some(size) = self.settings.pairs.kept_names else { return Ok(None) };
        let (settings, cancel) = (self.settings.corpus(), self.sources.cancel());
        corpus::read_kept_templates(settings, size.get(), cancel, self.observer, self.pool)
    }
}

/// Builds the bucket table of a corpus, in the thread pool of the run.
///
/// # Errors
/// When the table does not fit into memory, or band keys cannot be read from the disk.
fn bucket_table(settings: &Settings, corpus: &Corpus, memory: &mut Memory) -> Result<BucketTable> {
    let (num_bands, num_documents) = (settings.banding.bands(), corpus.documents.len());
    memory::ask_for(BucketTable::expected_building_bytes(num_bands, num_documents), "the bucket table")?;
    let failure = Mutex::new(None);
    let take_band = |band, out: &mut Vec<_>| {
        if let Err(error) = corpus.take_band(band, out) {
            *failure.lock().expect("no holder panics") = Some(error);
        }
    };
    let table = match corpus.documents.scope().classes() {
        None => BucketTable::build(num_bands, num_documents, take_band),
        Some(classes) => BucketTable::build_across(num_bands, classes, take_band),
    };
    failure.into_inner().expect("no holder panics").map_or(Ok(()), Err)?;
    memory.tables_at_least(corpus.num_bytes() + table.building_bytes());
    (memory.spilled, memory.keys) = (corpus.spilled_bytes(), corpus.key_bytes());
    // The verification needs blocks of other sizes than those that were freed.
    memory::give_back_freed();
    Ok(table)
}
