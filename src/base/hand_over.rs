//! `hand_over`: one thread makes values while the calling thread uses them.

use std::sync::mpsc::{self, Receiver};
use std::thread;

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
}
