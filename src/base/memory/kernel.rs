//! A call of the glibc allocator.

#![allow(unsafe_code)] // the call of a C function

/// Returns freed memory to the system. glibc keeps freed memory between blocks that are in use.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn give_back_freed() {
    // SAFETY: the function accepts any number, may be called at any time, and moves nothing.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Does nothing: other allocators return freed memory without a call.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn give_back_freed() {}
