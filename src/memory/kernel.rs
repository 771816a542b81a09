//! A call of the allocator of glibc.

#![allow(unsafe_code)] // the call of a C function

/// Gives memory that was freed back to the system. glibc keeps what lies between blocks that are in use.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn give_back_freed() {
    // SAFETY: it takes a number, may be called at any time, and moves nothing.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Elsewhere allocators give it back by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back_freed() {}
