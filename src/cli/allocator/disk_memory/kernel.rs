//! Maps a file, allocates and frees its blocks, and removes its pages from memory.

use std::fs::File;
use std::io;
use std::ops::Range;

/// Maps `len` bytes of a file, which may be shorter, and returns their address. The mapping is never removed.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub(super) fn map(file: &File, len: usize) -> io::Result<usize> {
    use std::os::fd::AsRawFd;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_SHARED | libc::MAP_NORESERVE;
    // SAFETY: the system chooses an address that is not in use.
    let address = unsafe { libc::mmap(std::ptr::null_mut(), len, protection, flags, file.as_raw_fd(), 0) };
    if address == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    report_unreadable_pages();
    Ok(address as usize)
}

/// Allocates a range of a file, whose new bytes are 0.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub(super) fn allocate(file: &File, range: Range<usize>) -> io::Result<()> {
    change(file, rustix::fs::FallocateFlags::empty(), range)
}

/// Frees the blocks of a range of a file; its bytes are 0 then.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub(super) fn punch(file: &File, range: Range<usize>) -> io::Result<()> {
    use rustix::fs::FallocateFlags;
    change(file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, range)
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn change(file: &File, flags: rustix::fs::FallocateFlags, range: Range<usize>) -> io::Result<()> {
    let (offset, len) = (range.start as u64, range.len() as u64);
    loop {
        match rustix::fs::fallocate(file, flags, offset, len) {
            Err(rustix::io::Errno::INTR) => {}
            changed => return Ok(changed?),
        }
    }
}

/// Removes the pages at these addresses from memory. They belong to a shared mapping of a file, which keeps their data.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub(super) fn release(addresses: Range<usize>) {
    // SAFETY: the pages of a shared mapping are read from the file again, so that no byte changes.
    unsafe {
        libc::madvise(addresses.start as *mut _, addresses.len(), libc::MADV_DONTNEED);
    }
}

/// Ends the program with a line when the disk cannot read or write a page, for which the system sends a signal.
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn report_unreadable_pages() {
    extern "C" fn end(_signal: libc::c_int) {
        const LINE: &[u8] = b"dedup: a temporary file cannot be read or written: input/output error; check the disk, or set TMPDIR to a folder on another disk, and run again\n";
        // SAFETY: both functions may be called in a handler of a signal.
        unsafe {
            libc::write(libc::STDERR_FILENO, LINE.as_ptr().cast(), LINE.len());
            libc::_exit(2)
        }
    }
    // SAFETY: all bytes of `sigaction` may be 0, and the handler calls no function that a handler may not call. A program that
    // maps no other file for writing receives this signal for no other reason.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = end as *const () as usize;
        libc::sigaction(libc::SIGBUS, &action, std::ptr::null_mut());
    }
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
pub(super) fn map(_file: &File, _len: usize) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
pub(super) fn allocate(_file: &File, _range: Range<usize>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
pub(super) fn punch(_file: &File, _range: Range<usize>) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(all(target_os = "linux", target_pointer_width = "64")))]
pub(super) fn release(_addresses: Range<usize>) {}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64"))]
pub(super) mod tests {
    /// Sets the bytes of an allocation.
    pub(crate) fn fill(memory: *mut u8, len: usize, byte: u8) {
        // SAFETY: the tests pass allocations of this length.
        unsafe { std::ptr::write_bytes(memory, byte, len) }
    }

    /// Whether all bytes of an allocation are equal to one.
    pub(crate) fn is_filled(memory: *const u8, len: usize, byte: u8) -> bool {
        // SAFETY: the tests pass allocations of this length.
        unsafe { std::slice::from_raw_parts(memory, len) }.iter().all(|&other| other == byte)
    }
}
