//! `read_documents`: reads every document of the inputs, in parallel and in order. Every command that reads documents
//! uses it.
//!
//! The walk runs on its own thread and hands out pieces. Workers read them in any order and fold the documents of each
//! piece into the caller's type. The folded pieces are returned in document order.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Receiver;

use rayon::prelude::*;

use super::folded_piece::{Fold, FoldedPiece, fold_piece};
use super::reader::Reader;
use super::units::walk_inputs;
use crate::base::error::Result;
use crate::base::hand_over::{PassOn, hand_over};
use crate::base::observe::Observer;
use crate::documents::input::piece::Piece;
use crate::documents::input::settings::Inputs;
use crate::documents::input::streams::spool::Sources;
use crate::documents::input::walk::Walked;

/// Maximum number of pieces that the walk may be ahead of the workers. They hold at most tens of thousands of paths.
const PIECES_AHEAD: usize = 1 << 9;

/// Reads every document of the inputs in the threads of `pool` and returns the folded pieces in document order.
///
/// A strict run ends early, but always at the same place: at the first piece with an error.
///
/// # Errors
/// The error of an input or of a fold that ended the run.
pub(crate) fn read_documents<F: Fold>(
    inputs: Inputs,
    sources: &Sources,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
    new_fold: impl Fn() -> F + Send + Sync,
) -> Result<(Vec<FoldedPiece<F::Output>>, Walked)> {
    let first_error = AtomicU64::new(u64::MAX);
    let wants = |number| number <= first_error.load(Ordering::Relaxed) && !sources.has_failed();
    let walk = |pass_on: PassOn<'_, Piece>| {
        let sending = Mutex::new((0, pass_on));
        Ok(walk_inputs(inputs, pool.current_num_threads(), sources, &|piece| {
            let mut sending = sending.lock().expect("no holder panics");
            let (units, pass_on) = &mut *sending;
            *units += piece.units();
            observer.total(*units);
            wants(piece.number) && pass_on(piece).is_ok()
        }))
    };
    let new_worker = || (Reader::new(inputs, sources), new_fold());
    let fold = |(reader, fold): &mut (Reader, F), piece: Piece| {
        if !wants(piece.number) {
            return None;
        }
        let folded = fold_piece(reader, fold, piece, observer).map_err(|error| sources.fail(error)).ok()?;
        if inputs.strict && folded.has_error() {
            first_error.fetch_min(folded.number, Ordering::Relaxed);
        }
        Some(folded)
    };
    let fold_all = |pieces: Receiver<Piece>| {
        let fold_all = || pieces.into_iter().par_bridge().map_init(new_worker, fold).flatten().collect::<Vec<_>>();
        Ok(pool.install(fold_all))
    };
    let (walked, mut pieces) = hand_over(PIECES_AHEAD, walk, fold_all)?;
    sources.check()?;
    pieces.sort_unstable_by_key(|piece| piece.number);
    Ok((pieces, walked))
}
