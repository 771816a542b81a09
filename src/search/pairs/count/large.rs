//! `LargeFamilies`: counts families of many documents or of long texts with all threads, one family after another.

use std::ops::Range;

use rayon::prelude::*;

use super::blocks::FamilyCounter;
use super::family::Family;
use super::small::SmallFamilies;
use crate::compare::block::MOST_TEXTS;
use crate::documents::document::DocId;
use crate::search::pairs::context::VerifyContext;
use crate::search::pairs::found::VerifiedTexts;
use crate::search::pairs::plan::{ComponentText, SearchLimits};

/// The maximum number of times that the documents of a family are read, on average, if it is cut into small families.
/// Each further time costs as much as some joins of blocks.
const MOST_READS: usize = 3;
/// The number of texts in a task that collects results.
const TASK: usize = 64;

/// Verifies large families.
#[derive(Clone, Copy)]
pub(in crate::search::pairs) struct LargeFamilies<'s> {
    core: &'s VerifyContext<'s>,
    limits: &'s SearchLimits,
}

impl<'s> LargeFamilies<'s> {
    pub(in crate::search::pairs) fn new(core: &'s VerifyContext<'s>, limits: &'s SearchLimits) -> Self {
        Self { core, limits }
    }

    /// Verifies texts of one component against their candidates. Skips texts that can no longer be read.
    ///
    /// # Panics
    /// Outside the thread pool of the run.
    pub(in crate::search::pairs) fn verify(self, texts: &[ComponentText]) -> Vec<VerifiedTexts> {
        let firsts: Vec<DocId> = texts.iter().map(|text| text.first).collect();
        let mut family = Family::default();
        family.gather(self.core, &firsts);
        let num_documents = family.documents().len();
        let ranges = family.cut(MOST_TEXTS, MOST_READS * num_documents).filter(|ranges| ranges.len() > 1);
        let Some(ranges) = ranges else { return self.verify_family(&family) };
        drop(family);
        let count = |(mut small, mut large): (SmallFamilies<'s>, Vec<_>), range: Range<usize>| {
            let texts = &texts[range];
            if !small.verify(texts) {
                large.push(texts);
            }
            (small, large)
        };
        let new = || (SmallFamilies::new(self.core, self.limits), Vec::new());
        let counted = ranges.into_par_iter().with_max_len(1).fold(new, count);
        let (mut found, large): (Vec<VerifiedTexts>, Vec<Vec<&[ComponentText]>>) =
            counted.map(|(small, large)| (small.into_found(), large)).unzip();
        for texts in large.into_iter().flatten() {
            let firsts: Vec<DocId> = texts.iter().map(|text| text.first).collect();
            let mut family = Family::default();
            family.gather(self.core, &firsts);
            found.extend(self.verify_family(&family));
        }
        found
    }

    fn verify_family(self, family: &Family) -> Vec<VerifiedTexts> {
        let Self { core, limits } = self;
        let _in_use = core.memory.pass(family.num_bytes() as u64);
        let counter = FamilyCounter { sets: core.sets, memory: &core.memory, limits, signs: true };
        let counts = counter.count(family);
        let sign = |position: usize| core.sets.signature(family.documents()[position]);
        let collect = |mut found: VerifiedTexts, text: usize| {
            let (position, list, first_pair) = family.text(text);
            let shared = |at: usize, _| counts.shared(first_pair + at);
            let size = |position: usize| counts.size(position);
            let signature = |position: usize| counts.signature_or(position, || sign(position));
            found.push_verified(core, family.documents(), (position, list), size, shared, signature);
            found
        };
        let texts = (0..family.num_texts()).into_par_iter().with_min_len(TASK);
        texts.fold(VerifiedTexts::default, collect).collect()
    }
}
