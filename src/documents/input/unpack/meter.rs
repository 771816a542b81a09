//! `Meter`: limits the number of bytes that one input file unpacks to, including all nested content.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use crate::base::setting::Setting;
use crate::base::shown::size;

/// Maximum ratio of unpacked to packed size. Measured ratios for 16 MiB: prose 3, logs up to 230 (one line per second,
/// zstd -19), and one record repeated 706 (xz). Zeros reach 1028 with gzip, 31,000 with zstd and 370,000 with bzip2.
pub(crate) const MOST_TIMES: u64 = 1000;
/// Number of bytes that any file may unpack to, because every machine has that much space.
pub(crate) const FLOOR: u64 = 1 << 30;

/// Counts the bytes that one file unpacks to. Clones share one count.
#[derive(Debug, Clone)]
pub(crate) struct Meter(Rc<Count>);

#[derive(Debug)]
struct Count {
    /// Bytes of the packed file.
    packed: Cell<u64>,
    unpacked: Cell<u64>,
    /// Maximum bytes that the file may unpack to, if given.
    max: Option<u64>,
    is_stopped: Cell<bool>,
    is_reported: Cell<bool>,
}

impl Meter {
    /// Starts a count.
    ///
    /// * `packed`: bytes of the file; 0 for a stream, whose bytes are counted by [`packed`](Self::packed).
    pub(crate) fn new(max: Option<u64>, packed: u64) -> Self {
        let (unpacked, is_stopped, is_reported) = Default::default();
        Self(Rc::new(Count { packed: Cell::new(packed), unpacked, max, is_stopped, is_reported }))
    }

    /// Maximum bytes that the file may unpack to.
    pub(crate) fn limit(&self) -> u64 {
        self.0.max.unwrap_or_else(|| self.0.packed.get().saturating_mul(MOST_TIMES).max(FLOOR))
    }

    /// Whether the limit was exceeded.
    pub(crate) fn is_stopped(&self) -> bool {
        self.0.is_stopped.get()
    }

    /// Returns `true` once after the limit was exceeded, so that it is reported once.
    pub(super) fn take_report(&self) -> bool {
        self.is_stopped() && !self.0.is_reported.replace(true)
    }

    pub(super) fn is_reported(&self) -> bool {
        self.0.is_reported.get()
    }

    /// A reader that counts unpacked bytes, and fails when they exceed the limit.
    pub(crate) fn unpacked<R>(&self, from: R) -> Metered<R> {
        Metered { from, meter: self.clone(), is_packed: false }
    }

    /// A reader that counts the packed bytes of a file whose length is unknown.
    pub(super) fn packed<R>(&self, from: R) -> Metered<R> {
        Metered { from, meter: self.clone(), is_packed: true }
    }

    /// Adds to the count of unpacked bytes.
    ///
    /// # Errors
    /// When the count exceeds the limit.
    pub(crate) fn add(&self, num_bytes: u64) -> io::Result<()> {
        let unpacked = self.0.unpacked.get().saturating_add(num_bytes);
        if unpacked > self.limit() {
            return Err(self.stop());
        }
        self.0.unpacked.set(unpacked);
        Ok(())
    }

    /// The message about a file that unpacks to more than the limit.
    ///
    /// * `what`: the consequence, such as `the rest of it is skipped`.
    pub(in crate::documents::input) fn report(&self, what: &str) -> String {
        let most = size(self.limit());
        format!("the file unpacks to more than {most}; {what} ({} SIZE reads more)", Setting::MaxUnpacked)
    }

    fn stop(&self) -> io::Error {
        self.0.is_stopped.set(true);
        let fault = format!("it unpacks to more than {}", Setting::MaxUnpacked);
        io::Error::new(io::ErrorKind::FileTooLarge, fault)
    }
}

/// A reader that counts the bytes read through it.
pub(crate) struct Metered<R> {
    from: R,
    meter: Meter,
    is_packed: bool,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = &self.meter.0;
        if self.is_packed {
            let read = self.from.read(buffer)?;
            count.packed.set(count.packed.get() + read as u64);
            return Ok(read);
        }
        if count.is_stopped.get() {
            return Err(self.meter.stop());
        }
        let room = self.meter.limit().saturating_sub(count.unpacked.get());
        if room == 0 && !buffer.is_empty() {
            // Only reading shows whether anything is left. It may also raise the limit, by counting packed bytes.
            return match self.from.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(self.meter.stop()),
            };
        }
        let most = buffer.len().min(usize::try_from(room).unwrap_or(usize::MAX));
        let read = self.from.read(&mut buffer[..most])?;
        count.unpacked.set(count.unpacked.get() + read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_unpacked_of_a_file_counts() {
        let meter = Meter::new(Some(10), 1);
        let mut all = Vec::new();
        meter.unpacked(&b"123456"[..]).read_to_end(&mut all).unwrap();
        meter.unpacked(&b"7890"[..]).read_to_end(&mut all).unwrap();
        assert!(!meter.is_stopped());
        assert!(meter.unpacked(&b"x"[..]).read_to_end(&mut all).is_err());
        assert_eq!((all.as_slice(), meter.is_stopped()), (&b"1234567890"[..], true));
        assert_eq!((meter.take_report(), meter.take_report()), (true, false));
    }

    #[test]
    fn the_limit_grows_with_the_file() {
        assert_eq!(Meter::new(None, 5).limit(), FLOOR);
        assert_eq!(Meter::new(None, FLOOR).limit(), FLOOR * MOST_TIMES);
        let meter = Meter::new(None, FLOOR - 1);
        meter.packed(&b"1"[..]).read_to_end(&mut Vec::new()).unwrap();
        assert_eq!(meter.limit(), FLOOR * MOST_TIMES);
    }
}
