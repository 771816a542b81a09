//! `read_ahead`: reads parts on one thread while a pool processes the previous part; the results keep their order.

use std::sync::mpsc;

use crate::base::error::Result;

/// Reads part after part on the calling thread, which owns the index; the threads of a pool process one part while the
/// next is read. The calling thread receives the results in order, while the pool processes the next part.
///
/// * `pool`: threads that do no other work.
/// * `read`: returns the next part; `None` at the end.
/// * `work`: runs in the pool, and may split its work there.
///
/// # Errors
/// When `read` or `take` fails; neither is called again after that.
pub(crate) fn read_ahead<P: Send, W: Send>(
    pool: &rayon::ThreadPool,
    mut read: impl FnMut() -> Result<Option<P>>,
    work: impl Fn(P) -> W + Sync,
    mut take: impl FnMut(W) -> Result<()>,
) -> Result<()> {
    let work = &work;
    pool.in_place_scope(|scope| {
        let mut working: Option<mpsc::Receiver<W>> = None;
        loop {
            let part = read()?;
            // A missing result means that the pool panicked; the scope passes the panic on.
            let Ok(done) = working.take().map(|done| done.recv()).transpose() else { return Ok(()) };
            let is_last = part.is_none();
            // The pool starts with the next part before the result of the last one is taken.
            working = part.map(|part| {
                let (send, receive) = mpsc::sync_channel(1);
                // After an error the result is not received.
                scope.spawn(move |_| drop(send.send(work(part))));
                receive
            });
            done.map(&mut take).transpose()?;
            if is_last {
                return Ok(());
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::error::Error;

    fn pool() -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap()
    }

    #[test]
    fn what_is_made_comes_in_the_order_in_which_it_is_read() {
        for parts in 0..5 {
            let (mut numbers, mut taken) = (0..parts, Vec::new());
            let keep = |number| {
                taken.push(number);
                Ok(())
            };
            read_ahead(&pool(), || Ok(numbers.next()), |number| number * number, keep).unwrap();
            assert_eq!(taken, (0..parts).map(|number| number * number).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_it() {
        let read = |number: u32| if number == 3 { Err(Error::Cancelled) } else { Ok(Some(number)) };
        let (mut numbers, mut taken) = (0.., 0);
        let failed = read_ahead(
            &pool(),
            || read(numbers.next().unwrap()),
            |number| number,
            |_| {
                taken += 1;
                Ok(())
            },
        );
        assert!(matches!(failed, Err(Error::Cancelled)) && taken == 2, "{failed:?}, {taken}");
        let (mut numbers, mut num_read) = (0..100, 0);
        let failed = read_ahead(
            &pool(),
            || {
                num_read += 1;
                Ok(numbers.next())
            },
            |number| number,
            |_| Err(Error::Cancelled),
        );
        assert!(matches!(failed, Err(Error::Cancelled)) && num_read == 2, "{failed:?}, {num_read}");
    }

    #[test]
    fn a_panic_ends_it_and_is_passed_on() {
        let (mut numbers, mut num_read) = (0..100, 0);
        let read = || {
            num_read += 1;
            Ok(numbers.next())
        };
        let panics = || read_ahead(&pool(), read, |_| panic!("as it does"), |()| Ok(()));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
        assert_eq!(num_read, 2);
    }
}
