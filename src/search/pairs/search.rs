//! The search: for each window, verifies small components first and then large ones in blocks, and emits the pairs in
//! document order.
//!
//! Each thread verifies small components independently, and hands back those that turn out to be large. All threads
//! together then verify the large ones, block by block. The results stay in memory until the whole window is verified.

use rayon::prelude::*;

use super::context::VerifyContext;
use super::count::{LargeComponents, LongTextRoom, SmallComponents};
use super::emit::PairEmitter;
use super::found::{VerifiedTexts, in_document_order};
use super::plan::{ComponentText, Plan, Progress, SearchLimits, Window};
use super::summary::SearchSummary;
use crate::base::error::Result;

/// Verifies all candidate pairs and passes them on, in document order.
///
/// # Errors
/// When the emitter's sink fails.
///
/// # Panics
/// Outside the thread pool of the run.
pub(super) fn search(
    core: &VerifyContext<'_>,
    limits: &SearchLimits,
    mut emitter: PairEmitter<'_, '_>,
) -> Result<SearchSummary> {
    let mut summary = SearchSummary::default();
    core.observer.total(core.documents.len() as u64);
    let plan = Plan::new(core, limits);
    let mut large = LargeComponents::new(core, limits);
    let mut start = 0;
    while let Some(window) = plan.window(start) {
        // Texts without candidates need no time, so they are done before the others.
        core.observer.advance(window.num_others() as u64, 0, 0);
        let found = verify_window(core, limits, &plan, &mut large, &window);
        summary.candidates += found.iter().map(|found| found.num_candidates).sum::<u64>();
        emitter.emit_window(window.documents.clone(), in_document_order(&found))?;
        start = window.documents.end;
    }
    summary.pairs = emitter.finish()?;
    summary.set_bytes = core.memory.peak();
    Ok(summary)
}

/// Verifies the texts of a window against their candidates.
fn verify_window(
    core: &VerifyContext<'_>,
    limits: &SearchLimits,
    plan: &Plan<'_>,
    large: &mut LargeComponents<'_>,
    window: &Window,
) -> Vec<VerifiedTexts> {
    core.memory.set_beside(large.num_bytes());
    let (mut found, texts) = verify_small(core, limits, &window.components());
    let mut found_bytes = found.iter().map(VerifiedTexts::num_bytes).sum();
    let mut rest = texts.as_slice();
    while let Some(&next) = rest.first() {
        let len = plan.block_len(rest, large.is_full());
        let block = rest.split_off(..len).expect("a block is no longer than what is left");
        let progress = Progress { candidates: core.candidates, window: window.documents.clone(), next };
        let found_in_block = large.verify(block, &progress, found_bytes);
        core.observer.advance(block.len() as u64, block.len() as u64, 0);
        found_bytes += found_in_block.num_bytes();
        found.push(found_in_block);
    }
    core.memory.set_beside(found_bytes + large.num_bytes());
    found
}

/// Verifies the small components; returns the texts of the others, in order.
fn verify_small(
    core: &VerifyContext<'_>,
    limits: &SearchLimits,
    components: &[&[ComponentText]],
) -> (Vec<VerifiedTexts>, Vec<ComponentText>) {
    let num_bytes = |texts: &[ComponentText]| texts.iter().map(|text| core.sets.most_bytes(text.first)).sum::<u64>();
    let (long, others): (Vec<_>, Vec<_>) =
        components.iter().partition(|texts| num_bytes(texts) > limits.small_component_bytes);
    // Components of long texts come first, so that all threads end at about the same time.
    let room = LongTextRoom::new(limits.long_text_bytes);
    let most_at_a_time = others.len() / (64 * limits.num_threads) + 1;
    let ((mut found, large), (found_in_others, large_of_others)) = rayon::join(
        || verify_each(core, limits, &room, &long, 1),
        || verify_each(core, limits, &room, &others, most_at_a_time),
    );
    found.extend(found_in_others);
    let mut large = [large, large_of_others].concat();
    large.sort_unstable();
    (found, large)
}

/// Verifies the small components; returns the texts of the others.
///
/// * `most_at_a_time`: the maximum number of components in one task of a thread.
fn verify_each(
    core: &VerifyContext<'_>,
    limits: &SearchLimits,
    room: &LongTextRoom,
    components: &[&[ComponentText]],
    most_at_a_time: usize,
) -> (Vec<VerifiedTexts>, Vec<ComponentText>) {
    let verified = components.par_iter().with_max_len(most_at_a_time).fold(
        || (SmallComponents::new(core, limits, room), Vec::new()),
        |(mut small, mut large), component| {
            if small.verify(component) {
                core.observer.advance(component.len() as u64, component.len() as u64, 0);
            } else {
                large.push(*component);
            }
            (small, large)
        },
    );
    let (found, large): (Vec<Vec<VerifiedTexts>>, Vec<_>) =
        verified.map(|(small, large)| (small.into_found(), large)).unzip();
    (found.into_iter().flatten().collect(), large.concat().concat())
}
