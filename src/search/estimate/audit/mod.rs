//! The audit measures the recall of a run: the share of the true pairs that it found.
//!
//! Some texts are drawn at random. An exhaustive join finds all true partners of these texts, and the pairs that the
//! run reported show how many of them it found. The measurement assumes nothing about signatures and bands, so it can
//! be compared with the recall that their S-curve promises.

mod text_sampler;
mod interval;
mod missed;
mod settings;
mod summary;

use std::collections::BTreeMap;

pub use self::missed::MissedPair;
use self::missed::MissedPairs;
pub use self::settings::AuditSettings;
use self::summary::ComponentCounts;
pub use self::summary::{AuditBucket, AuditCounts, AuditSummary};
pub(crate) use self::text_sampler::TextSampler;
use self::text_sampler::is_counted;
use crate::base::error::Result;
use crate::base::flat::union_find::UnionFind;
use crate::base::memory::table;
use crate::base::observe::Stage;
use crate::base::problem::{Problem, ProblemCounts};
use crate::compare::verify::DuplicatePair;
use crate::documents::document::{DocId, Documents};
use crate::search::corpus::ReadCorpus;
use crate::search::join::{JoinResult, JoinSearch};
use crate::search::pairs::{PairSearch, PairSettings, PairSource};
use crate::sign::banding::{SignatureFilter, TextPair};

/// Measures the recall of a finished run.
pub(crate) struct Audit<'a> {
    pub(crate) corpus: ReadCorpus<'a>,
    pub(crate) pairs: PairSettings,
}

impl Audit<'_> {
    /// Finds the partners of the drawn texts, in the thread pool of the run. Also returns documents that could not be
    /// read again: those that are still to be reported, and the counts of those already reported.
    ///
    /// # Errors
    /// When memory is too small, or the run was cancelled.
    pub(crate) fn run(self, drawing: TextSampler<'_>) -> Result<(AuditSummary, Vec<Problem>, ProblemCounts)> {
        let Self { corpus, pairs } = self;
        let ReadCorpus { observer, documents, .. } = corpus;
        let drawn = drawing.finish();
        let mut summary = AuditSummary::new(drawn.num_drawn, drawn.num_texts, pairs.threshold.value());
        if drawn.num_drawn == 0 {
            return Ok((summary, Vec::new(), ProblemCounts::default()));
        }
        let join = JoinSearch::new(corpus, pairs.threshold);
        let sample = (drawn.num_drawn < drawn.num_texts).then_some(&drawn.texts);
        let JoinResult { candidates, problems, .. } = join.run(sample)?;
        observer.begin(Stage::Verify);
        // Any banding finds exact copies, so they are left collapsed.
        let settings = PairSettings { collapse_exact: true, source: PairSource::AllPairs, ..pairs };
        let search = PairSearch::new(corpus, settings);
        let mut counted: Vec<CountedPair> = Vec::new();
        let relatives = table(|| UnionFind::new(documents.len() as u32));
        let filter = corpus.settings.filter;
        let mut promised = [0.0; AuditSummary::BUCKETS];
        let mut missed = MissedPairs::default();
        let mut sink = |documents: &Documents, pairs: &[DuplicatePair]| {
            for pair in pairs.iter().filter(|pair| is_counted(documents, pair)) {
                let bucket = summary.bucket_of(pair.similarity());
                let is_found = drawn.found.binary_search(&TextPair { a: pair.a, b: pair.b }).is_ok();
                relatives.join(pair.a.get(), pair.b.get());
                if !is_found {
                    missed.add(pair);
                }
                counted.push(CountedPair { a: pair.a, bucket: bucket as u8, is_found });
                promised[bucket] += SignatureFilter::recall(filter, corpus.settings.banding, pair.similarity());
            }
            Ok(())
        };
        let search = search.run_source(&candidates, &mut sink)?;
        candidates.check()?;
        // The pairs of one component depend on one another, and components are complete only after the last pair. The
        // map is ordered, since sums of floating-point numbers depend on their order.
        let mut components: BTreeMap<u32, ComponentCounts> = BTreeMap::new();
        for CountedPair { a, bucket, is_found } in counted {
            let (all, found) = &mut components.entry(relatives.root(a.get())).or_default()[usize::from(bucket)];
            (*all, *found) = (*all + 1, *found + u64::from(is_found));
        }
        summary.set(components.values(), promised);
        summary.missed = missed.named(documents);
        Ok((summary, problems, search.problems))
    }
}

/// A true pair whose component is not yet known; 8 bytes.
struct CountedPair {
    a: DocId,
    bucket: u8,
    is_found: bool,
}
