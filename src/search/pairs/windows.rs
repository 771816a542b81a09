//! `verify_windows`: verifies the small components of each window and then the large ones, and emits the pairs in document
//! order.
//!
//! Each thread verifies small components independently, and hands back those that turn out to be large. All threads
//! together then verify the large ones, one after another. The results stay in memory until the whole window is verified.

use rayon::prelude::*;

use super::context::VerifyContext;
use super::count::{LargeFamilies, SmallFamilies};
use super::emit::PairEmitter;
use super::found::{VerifiedTexts, in_document_order};
use super::plan::{ComponentText, Plan, SearchLimits, Window};
use super::summary::SearchSummary;
use crate::base::error::Result;

/// The number of shingles from which on a component is verified before the others.
const LONG_COMPONENT: usize = 1 << 19;

/// Verifies all candidate pairs and passes them on, in document order.
///
/// # Errors
/// When the emitter's sink fails.
///
/// # Panics
/// Outside the thread pool of the run.
pub(super) fn verify_windows(
    core: &VerifyContext<'_>,
    limits: &SearchLimits,
    mut emitter: PairEmitter<'_, '_>,
) -> Result<SearchSummary> {
    let mut summary = SearchSummary::default();
    core.observer.total(core.documents.len() as u64);
    let plan = Plan::new(core, limits);
    let mut start = 0;
    while let Some(window) = plan.window(start) {
        // Texts without candidates need no time, so they are done before the others.
        core.observer.advance(window.num_others() as u64, 0, 0);
        let found = verify_window(core, limits, &window);
        summary.candidates += found.iter().map(|found| found.num_candidates).sum::<u64>();
        emitter.emit_window(window.documents.clone(), in_document_order(&found))?;
        start = window.documents.end;
    }
    summary.pairs = emitter.finish()?;
    summary.set_bytes = core.memory.peak();
    Ok(summary)
}

/// Verifies the texts of a window against their candidates.
fn verify_window(core: &VerifyContext<'_>, limits: &SearchLimits, window: &Window) -> Vec<VerifiedTexts> {
    let (mut found, large) = verify_small(core, limits, &window.components());
    for texts in large {
        core.memory.set_beside(found.iter().map(VerifiedTexts::num_bytes).sum());
        found.extend(LargeFamilies::new(core, limits).verify(texts));
        core.observer.advance(texts.len() as u64, texts.len() as u64, 0);
    }
    core.memory.set_beside(found.iter().map(VerifiedTexts::num_bytes).sum());
    found
}

/// Verifies the components of few documents; returns the texts of the others.
fn verify_small<'w>(
    core: &VerifyContext<'_>,
    limits: &SearchLimits,
    components: &[&'w [ComponentText]],
) -> (Vec<VerifiedTexts>, Vec<&'w [ComponentText]>) {
    let num_shingles =
        |texts: &[ComponentText]| -> usize { texts.iter().map(|text| core.sets.most_shingles(text.first)).sum() };
    let (long, others): (Vec<_>, Vec<_>) =
        components.iter().copied().partition(|texts| num_shingles(texts) > LONG_COMPONENT);
    // Components of long texts come first, so that all threads end at about the same time.
    let most_at_a_time = others.len() / (64 * limits.num_threads) + 1;
    let ((mut found, mut large), (found_in_others, large_of_others)) =
        rayon::join(|| verify_each(core, limits, &long, 1), || verify_each(core, limits, &others, most_at_a_time));
    found.extend(found_in_others);
    large.extend(large_of_others);
    (found, large)
}

/// Verifies the components of few documents; returns the texts of the others.
///
/// * `most_at_a_time`: the maximum number of components in one task of a thread.
fn verify_each<'w>(
    core: &VerifyContext<'_>,
    limits: &SearchLimits,
    components: &[&'w [ComponentText]],
    most_at_a_time: usize,
) -> (Vec<VerifiedTexts>, Vec<&'w [ComponentText]>) {
    let verified = components.par_iter().with_max_len(most_at_a_time).fold(
        || (SmallFamilies::new(core, limits), Vec::new()),
        |(mut small, mut large), component| {
            if small.verify(component) {
                core.observer.advance(component.len() as u64, component.len() as u64, 0);
            } else {
                large.push(*component);
            }
            (small, large)
        },
    );
    let (found, large): (Vec<VerifiedTexts>, Vec<Vec<_>>) =
        verified.map(|(small, large)| (small.into_found(), large)).unzip();
    (found, large.concat())
}
