//! `read_in_order`: reads every document of the inputs in parallel, and passes each piece on as soon as all earlier
//! pieces were passed on.
//!
//! A single thread walks and unpacks, so that pieces reach the workers in document order, numbered without gaps. A
//! piece that is ready early waits for the earlier ones. The walk is at most a fixed number of pieces ahead of the
//! first piece not passed on. This bounds the memory even if the receiver is slow.

use std::collections::BTreeMap;
use std::sync::mpsc::Receiver;
use std::sync::{Condvar, Mutex};

use rayon::prelude::*;

use super::folded_piece::{Fold, FoldedPiece, fold_piece};
use super::reader::Reader;
use super::units::walk_inputs_in_order;
use crate::base::error::Result;
use crate::base::hand_over::{PassOn, hand_over};
use crate::base::observe::Observer;
use crate::documents::input::piece::Piece;
use crate::documents::input::settings::Inputs;
use crate::documents::input::streams::spool::Sources;

/// Maximum number of pieces per worker that the walk may be ahead.
const PIECES_AHEAD: usize = 8;

/// Receives folded pieces in document order.
pub(crate) type PieceSink<'a, P> = &'a mut (dyn FnMut(FoldedPiece<P>) -> Result<()> + Send);

/// Reads every document of the inputs in the threads of `pool`, and passes on the folded pieces in document order. The
/// requested fields that no record of a piece has are recorded in the piece.
///
/// * `pass_on`: called by one thread at a time.
///
/// # Errors
/// The error of an input, of a fold, or of `pass_on` that ended the run. The earlier pieces were passed on.
pub(crate) fn read_in_order<F: Fold>(
    inputs: Inputs,
    sources: &Sources,
    observer: &dyn Observer,
    pool: &rayon::ThreadPool,
    new_fold: impl Fn() -> F + Send + Sync,
    pass_on: PieceSink<'_, F::Output>,
) -> Result<()> {
    let threads = pool.current_num_threads();
    let ahead = PIECES_AHEAD * threads;
    let queue = InOrder {
        waiting: Mutex::new(Waiting { next: 0, ready: BTreeMap::new(), pass_on, is_over: false }),
        moved: Condvar::new(),
    };
    let walk = |pass_on: PassOn<'_, (u64, Piece)>| {
        let sending = Mutex::new((0, 0, pass_on));
        walk_inputs_in_order(inputs, threads, sources, &|piece| {
            let mut sending = sending.lock().expect("no holder panics");
            let (next, units, pass_on) = &mut *sending;
            let number = *next;
            *next += 1;
            *units += piece.units();
            observer.total(*units);
            queue.wait_for_turn(number, ahead as u64, sources) && pass_on((number, piece)).is_ok()
        });
        Ok(())
    };
    let new_worker = || (Reader::new(inputs, sources), new_fold());
    let fold = |(reader, fold): &mut (Reader, F), (number, piece): (u64, Piece)| {
        if sources.has_failed() {
            return queue.end();
        }
        let passed = fold_piece(reader, fold, piece, observer).and_then(|piece| queue.pass_on(number, piece));
        if let Err(error) = passed {
            sources.fail(error);
            queue.end();
        }
    };
    let fold_all = |pieces: Receiver<(u64, Piece)>| {
        let pieces = pieces.into_iter().par_bridge();
        pool.install(|| pieces.map_init(new_worker, fold).for_each(drop));
        Ok(())
    };
    hand_over(ahead, walk, fold_all)?;
    sources.check()
}

/// The queue of pieces that wait for their turn.
struct InOrder<'a, P> {
    waiting: Mutex<Waiting<'a, P>>,
    /// Signalled whenever `next` grows or the queue ends.
    moved: Condvar,
}

struct Waiting<'a, P> {
    /// The number of the first piece that was not passed on.
    next: u64,
    ready: BTreeMap<u64, FoldedPiece<P>>,
    pass_on: PieceSink<'a, P>,
    /// Whether no further piece is passed on.
    is_over: bool,
}

impl<P> InOrder<'_, P> {
    /// Waits until a piece is near enough to the first one that was not passed on. Returns `false` when the piece is
    /// not wanted.
    fn wait_for_turn(&self, number: u64, ahead: u64, sources: &Sources) -> bool {
        let waiting = self.waiting.lock().expect("no holder panics");
        let is_early = |waiting: &mut Waiting<P>| !waiting.is_over && number >= waiting.next + ahead;
        let waiting = self.moved.wait_while(waiting, is_early).expect("no holder panics");
        !waiting.is_over && !sources.has_failed()
    }

    /// Passes on a piece, and later ones that waited for it, if all earlier pieces were passed on; otherwise the piece
    /// waits.
    fn pass_on(&self, number: u64, piece: FoldedPiece<P>) -> Result<()> {
        let mut waiting = self.waiting.lock().expect("no holder panics");
        waiting.ready.insert(number, piece);
        loop {
            let next = waiting.next;
            let Some(piece) = waiting.ready.remove(&next).filter(|_| !waiting.is_over) else { return Ok(()) };
            if let Err(error) = (waiting.pass_on)(piece) {
                waiting.is_over = true;
                return Err(error);
            }
            waiting.next += 1;
            self.moved.notify_all();
        }
    }

    /// Stops passing pieces on.
    fn end(&self) {
        self.waiting.lock().expect("no holder panics").is_over = true;
        self.moved.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::base::error::Error;

    fn piece(number: u64) -> FoldedPiece<()> {
        FoldedPiece {
            number,
            lines: None,
            absent: None,
            problems: Vec::new(),
            input_bytes: 0,
            is_of_files: false,
            folded: (),
        }
    }

    fn queue<'a>(pass_on: PieceSink<'a, ()>) -> InOrder<'a, ()> {
        let waiting = Waiting { next: 0, ready: BTreeMap::new(), pass_on, is_over: false };
        InOrder { waiting: Mutex::new(waiting), moved: Condvar::new() }
    }

    #[test]
    fn pieces_leave_in_order_however_they_come() {
        let mut passed = Vec::new();
        let mut pass_on = |piece: FoldedPiece<()>| {
            passed.push(piece.number);
            Ok(())
        };
        let queue = queue(&mut pass_on);
        (0..1000).into_par_iter().for_each(|at| {
            let number = at * 7919 % 1000;
            queue.pass_on(number, piece(number)).unwrap();
        });
        assert!(queue.waiting.lock().unwrap().ready.is_empty());
        drop(queue);
        assert!(passed.into_iter().eq(0..1000));
    }

    #[test]
    fn nothing_leaves_after_an_error_and_nobody_waits_for_it() {
        let mut passed = Vec::new();
        let mut pass_on = |piece: FoldedPiece<()>| {
            passed.push(piece.number);
            if piece.number == 2 { Err(Error::Cancelled) } else { Ok(()) }
        };
        let (queue, sources) = (queue(&mut pass_on), Sources::default());
        for number in [1, 3, 0] {
            queue.pass_on(number, piece(number)).unwrap();
        }
        assert!(queue.wait_for_turn(5, 4, &sources), "near enough to the second");
        let waits = thread::scope(|scope| {
            let waits = scope.spawn(|| queue.wait_for_turn(6, 4, &sources));
            assert!(matches!(queue.pass_on(2, piece(2)), Err(Error::Cancelled)));
            queue.end();
            queue.pass_on(4, piece(4)).unwrap();
            waits.join().unwrap()
        });
        assert!(!waits);
        drop(queue);
        assert_eq!(passed, [0, 1, 2]);
    }
}
