//! `read_ahead`: one thread reads parts, and a pool works on each while the next is read; what it makes comes out in order.

use std::sync::mpsc;

use crate::error::Result;

/// Reads part after part on this thread, which has the index; the threads of a pool work on one while the next is read. What they
/// made is taken on this thread, in order, while they work on the next one.
///
/// * `pool`: threads that do nothing else.
/// * `read`: the next part; `None` at the end.
/// * `work`: runs in the pool, and may share its work there.
///
/// # Errors
/// Those of `read` and `take`; nothing is read or taken after the first one.
pub(super) fn read_ahead<P: Send, W: Send>(
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
            // The pool panicked if there is nothing to receive, which the scope passes on.
            let Ok(done) = working.take().map(|done| done.recv()).transpose() else { return Ok(()) };
            let is_last = part.is_none();
            // The pool does not wait for what is taken.
            working = part.map(|part| {
                let (send, receive) = mpsc::sync_channel(1);
                // Nobody takes it after an error.
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
    use crate::error::Error;

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
