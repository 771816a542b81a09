//! Threads that work at the same time as the calling thread: [`hand_over`] makes values that the calling thread uses,
//! [`Consumer`] uses values that it makes, and [`run_both`] runs a function in a pool next to it.

use std::io;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

use crate::base::error::{Error, Result};

/// Passes a value on to the other thread.
pub(crate) type PassOn<'p, T> = &'p mut (dyn FnMut(T) -> Result<()> + Send);

/// Runs `make` on another thread, which passes values on to `take` on the calling thread.
///
/// When `take` ends early, its error is the one to report: passing on fails with [`Error::Cancelled`] then.
///
/// * `ahead`: the number of values that may wait.
///
/// # Errors
/// When one of the two fails, or the thread cannot be started.
///
/// # Panics
/// When `make` panics.
pub(crate) fn hand_over<T: Send, M: Send, U>(
    ahead: usize,
    make: impl FnOnce(PassOn<'_, T>) -> Result<M> + Send,
    take: impl FnOnce(Receiver<T>) -> Result<U>,
) -> Result<(M, U)> {
    let (send, receive) = mpsc::sync_channel(ahead);
    let make = move || make(&mut |value| send.send(value).map_err(|_| Error::Cancelled));
    let (made, taken) = thread::scope(|scope| -> Result<_> {
        let maker = thread::Builder::new().spawn_scoped(scope, make).map_err(Error::Thread)?;
        let taken = take(receive);
        Ok((maker.join().expect("making values does not panic"), taken))
    })?;
    let taken = taken?;
    Ok((made?, taken))
}

/// Runs two functions at the same time and returns both results: the first one on a thread of the pool, if there is one,
/// and the second one on the calling thread.
pub(crate) fn run_both<A: Send, B>(
    pool: Option<&rayon::ThreadPool>,
    there: impl FnOnce() -> A + Send,
    here: impl FnOnce() -> B,
) -> (A, B) {
    let Some(pool) = pool else { return (there(), here()) };
    let mut done = None;
    let here = pool.in_place_scope(|scope| {
        scope.spawn(|_| done = Some(there()));
        here()
    });
    (done.expect("the scope waits for it"), here)
}

/// A thread that uses values, in the order in which they are passed on.
#[derive(Debug)]
pub(crate) struct Consumer<T, U> {
    values: SyncSender<T>,
    thread: JoinHandle<io::Result<U>>,
}

impl<T: Send + 'static, U: Send + 'static> Consumer<T, U> {
    /// Starts the thread.
    ///
    /// * `ahead`: the number of values that may wait.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub(crate) fn start(
        ahead: usize,
        consume: impl FnOnce(Receiver<T>) -> io::Result<U> + Send + 'static,
    ) -> io::Result<Self> {
        let (values, receive) = mpsc::sync_channel(ahead);
        Ok(Self { values, thread: thread::Builder::new().spawn(move || consume(receive))? })
    }

    /// Passes a value on. Returns `false` when the thread has failed; [`end`](Self::end) returns its error.
    pub(crate) fn pass_on(&self, value: T) -> bool {
        self.values.send(value).is_ok()
    }

    /// Waits until the thread has used all values.
    ///
    /// # Errors
    /// The error of the thread.
    ///
    /// # Panics
    /// When the thread panics.
    pub(crate) fn end(self) -> io::Result<U> {
        drop(self.values);
        self.thread.join().expect("using values does not panic")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(pass_on: PassOn<'_, u32>) -> Result<&'static str> {
        (0..1000).try_for_each(pass_on)?;
        Ok("all")
    }

    #[test]
    fn values_come_in_order() {
        let take = |values: Receiver<u32>| Ok(values.into_iter().collect::<Vec<_>>());
        let (made, taken) = hand_over(1, numbers, take).unwrap();
        assert_eq!((made, taken), ("all", (0..1000).collect()));
    }

    #[test]
    fn the_error_of_the_taking_thread_counts() {
        let take = |values: Receiver<u32>| match values.into_iter().nth(3) {
            Some(_) => Err(Error::NoInput),
            None => Ok(()),
        };
        assert!(matches!(hand_over(1, numbers, take), Err(Error::NoInput)));
        let fail = |_: PassOn<'_, u32>| Err::<(), _>(Error::NoInput);
        let take = |values: Receiver<u32>| Ok(values.into_iter().count());
        assert!(matches!(hand_over(1, fail, take), Err(Error::NoInput)));
    }

    #[test]
    fn a_consumer_uses_all_values_or_returns_its_error() {
        let sum = Consumer::start(1, |values: Receiver<u32>| Ok(values.into_iter().sum::<u32>())).unwrap();
        assert!((0..100).all(|number| sum.pass_on(number)));
        assert_eq!(sum.end().unwrap(), 4950);
        let fail = Consumer::start(1, |values: Receiver<u32>| {
            values.into_iter().take(3).for_each(drop);
            Err::<(), _>(io::Error::other("full"))
        });
        let fail = fail.unwrap();
        assert!(!(0..100).all(|number| fail.pass_on(number)));
        assert_eq!(fail.end().unwrap_err().to_string(), "full");
    }
}
