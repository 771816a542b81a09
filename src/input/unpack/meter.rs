//! `Meter`: bounds what one input file unpacks to, however often what is in it is packed.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use crate::shown::size;

/// Times its own size that a file may unpack to. Measured with 16 MiB of each: prose packs 3 times, logs up to 230 times (a
/// line a second, zstd -19), and one record again and again 706 times (xz). Zeros pack 1028 times by gzip, 31,000 times by
/// zstd and 370,000 times by bzip2.
pub(crate) const MOST_TIMES: u64 = 1000;
/// What any file may unpack to: room that machines have.
pub(crate) const FLOOR: u64 = 1 << 30;

/// Counts what one file unpacks to; clones count together.
#[derive(Debug, Clone)]
pub(crate) struct Meter(Rc<Count>);

#[derive(Debug)]
struct Count {
    /// Bytes of the file.
    packed: Cell<u64>,
    unpacked: Cell<u64>,
    /// What it may unpack to, when that is given.
    max: Option<u64>,
    is_stopped: Cell<bool>,
    is_reported: Cell<bool>,
}

impl Meter {
    /// A count that begins.
    ///
    /// * `packed`: bytes of the file; 0 of a stream, which is counted by [`packed`](Self::packed).
    pub(crate) fn new(max: Option<u64>, packed: u64) -> Self {
        let (unpacked, is_stopped, is_reported) = Default::default();
        Self(Rc::new(Count { packed: Cell::new(packed), unpacked, max, is_stopped, is_reported }))
    }

    /// Bytes that the file may unpack to.
    pub(crate) fn limit(&self) -> u64 {
        self.0.max.unwrap_or_else(|| self.0.packed.get().saturating_mul(MOST_TIMES).max(FLOOR))
    }

    /// Whether it would unpack to more.
    pub(crate) fn is_stopped(&self) -> bool {
        self.0.is_stopped.get()
    }

    /// Whether it is to be reported that it stopped, which it is once.
    pub(super) fn take_report(&self) -> bool {
        self.is_stopped() && !self.0.is_reported.replace(true)
    }

    pub(super) fn is_reported(&self) -> bool {
        self.0.is_reported.get()
    }

    /// Counts what is read of something unpacked, and fails when there is more than the limit.
    pub(crate) fn unpacked<R>(&self, from: R) -> Metered<R> {
        Metered { from, meter: self.clone(), is_packed: false }
    }

    /// Counts what is read of a file whose length is not known.
    pub(super) fn packed<R>(&self, from: R) -> Metered<R> {
        Metered { from, meter: self.clone(), is_packed: true }
    }

    /// Counts more bytes.
    ///
    /// # Errors
    /// When there are more than the limit.
    pub(crate) fn add(&self, num_bytes: u64) -> io::Result<()> {
        let unpacked = self.0.unpacked.get().saturating_add(num_bytes);
        if unpacked > self.limit() {
            return Err(self.stop());
        }
        self.0.unpacked.set(unpacked);
        Ok(())
    }

    /// The report of a file that unpacks to more than the limit.
    ///
    /// * `what`: becomes of it, such as `the rest of it is skipped`.
    pub(in crate::input) fn report(&self, what: &str) -> String {
        let most = size(self.limit());
        format!("the file unpacks to more than {most}; {what} (--max-unpacked SIZE reads more)")
    }

    fn stop(&self) -> io::Error {
        self.0.is_stopped.set(true);
        io::Error::new(io::ErrorKind::FileTooLarge, "it unpacks to more than --max-unpacked")
    }
}

/// Reads something and counts it.
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
            // Whether anything is left shows when it is read, which also counts what it is unpacked from.
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
