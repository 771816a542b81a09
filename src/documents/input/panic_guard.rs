//! Calls libraries that parse untrusted input, and turns their panics into errors.
//!
//! A panic of a library affects only one input. It is caught at the call, prints nothing on stderr, and becomes an
//! error about that input. A panic of our own code propagates, even from a callback inside a library. The source
//! location of the panic distinguishes the two.

use std::cell::Cell;
use std::io::{self, Read};
use std::panic::{self, AssertUnwindSafe, Location};
use std::sync::Once;

use thiserror::Error;

/// The error that a library panicked. Everything that it was working on must be dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("inconsistent data")]
pub(crate) struct Panicked;

impl From<Panicked> for io::Error {
    fn from(panicked: Panicked) -> Self {
        Self::new(io::ErrorKind::InvalidData, panicked)
    }
}

thread_local! {
    /// The depth of nested library calls on this thread.
    static CALLS: Cell<u32> = const { Cell::new(0) };
    /// Whether the last panic within those calls came from our code.
    static WAS_OURS: Cell<bool> = const { Cell::new(false) };
}

/// Calls a library.
///
/// # Errors
/// When the library panics. Values that it was modifying may be inconsistent and must not be used again.
///
/// # Panics
/// When our own code panics in a callback from the library.
pub(crate) fn contain<T>(call: impl FnOnce() -> T) -> Result<T, Panicked> {
    keep_quiet();
    CALLS.set(CALLS.get() + 1);
    let done = panic::catch_unwind(AssertUnwindSafe(call));
    CALLS.set(CALLS.get() - 1);
    done.map_err(|panic| if WAS_OURS.get() { panic::resume_unwind(panic) } else { Panicked })
}

/// Suppresses the message on stderr of a panic that `contain` catches.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            let is_ours = panic.location().is_some_and(is_ours);
            WAS_OURS.set(is_ours);
            if is_ours || CALLS.get() == 0 {
                report(panic);
            }
        }));
    });
}

/// Whether a location is in the sources of this package, which is where this file is.
fn is_ours(place: &Location) -> bool {
    const HERE: &str = file!();
    let sources = &HERE[..HERE.len() - "input/foreign.rs".len()];
    place.file().starts_with(sources)
}

/// A reader implemented by a library. After a panic, every further read returns the error again.
pub(super) struct Contained<R> {
    stream: R,
    has_panicked: bool,
}

impl<R> Contained<R> {
    pub(super) fn new(stream: R) -> Self {
        Self { stream, has_panicked: false }
    }
}

impl<R: Read> Read for Contained<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.has_panicked {
            return Err(Panicked.into());
        }
        contain(|| self.stream.read(buffer)).inspect_err(|_| self.has_panicked = true)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Panics in the sources of a library.
    fn foreign_panic() -> usize {
        let found = regex::Regex::new("a").unwrap();
        found.captures("a").unwrap()[1].len()
    }

    #[test]
    fn a_panic_of_a_library_is_an_error() {
        assert_eq!(contain(foreign_panic), Err(Panicked));
        assert_eq!(contain(|| contain(foreign_panic)), Ok(Err(Panicked)));
        assert_eq!(contain(|| 7), Ok(7));
    }

    #[test]
    fn a_panic_of_ours_is_not_contained() {
        for _ in 0..2 {
            let caught = panic::catch_unwind(|| contain(|| contain(|| -> u32 { panic!("ours") })));
            assert_eq!(caught.unwrap_err().downcast_ref(), Some(&"ours"));
            let caught = panic::catch_unwind(|| contain(|| [0][std::hint::black_box(1)]));
            assert!(caught.is_err(), "the index is ours, too");
            assert_eq!(contain(foreign_panic), Err(Panicked));
        }
    }

    #[test]
    fn a_stream_that_has_panicked_is_not_read_on() {
        struct Panics(u32);
        impl Read for Panics {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                self.0 += 1;
                assert_eq!(self.0, 1);
                Ok(foreign_panic())
            }
        }
        let mut stream = Contained::new(Panics(0));
        for _ in 0..2 {
            let error = stream.read(&mut [0]).unwrap_err();
            assert_eq!(error.to_string(), "inconsistent data");
        }
    }
}
