//! `read_documents`: reads every document of the inputs, in parallel and in order. Every command that reads documents
//! uses it.
//!
//! The walk runs on its own thread and hands out pieces. Workers read them in any order and fold the documents of each
//! piece into the caller's type. The folded pieces are returned in document order.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;

use rayon::prelude::*;

use super::folded_piece::{Fold, FoldedPiece, fold_piece};
use super::reader::Reader;
use super::units::walk_inputs;
use crate::base::error::{Error, Result};
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
    let (send, receive) = mpsc::sync_channel::<Piece>(PIECES_AHEAD);
    let first_error = AtomicU64::new(u64::MAX);
    let wants = |number| number <= first_error.load(Ordering::Relaxed) && !sources.has_failed();
    let (walked, mut pieces) = thread::scope(|scope| {
        let wants = &wants;
        let walker = thread::Builder::new().spawn_scoped(scope, move || {
            let units = Mutex::new(0);
            walk_inputs(inputs, pool.current_num_threads(), sources, &|piece| {
                let mut units = units.lock().expect("no holder panics");
                *units += piece.units();
                observer.total(*units);
                drop(units);
                wants(piece.number) && send.send(piece).is_ok()
            })
        });
        let walker = walker.map_err(Error::Thread)?;
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
        let fold_all = || receive.into_iter().par_bridge().map_init(new_worker, fold).flatten().collect::<Vec<_>>();
        let pieces = pool.install(fold_all);
        Ok((walker.join().expect("the walk does not panic"), pieces))
    })?;
    sources.check()?;
    pieces.sort_unstable_by_key(|piece| piece.number);
    Ok((pieces, walked))
}
