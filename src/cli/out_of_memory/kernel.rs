//! The global allocator: forwards each request to the system's allocator, and reports refusals to `refused`.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, which also ends the program when the system refuses memory.
pub(super) struct Allocator;

// SAFETY: all memory comes from the system's allocator, which fulfils the contract. A refusal is returned unchanged as
// a null pointer, unless the program ends; this code does not unwind or allocate.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the contract of the system's allocator.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller fulfils the contract of the system's allocator.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: as in `alloc`; `memory` comes from the system's allocator, like all memory.
        given(unsafe { System.realloc(memory, layout, new_size) }, new_size)
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as in `realloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn given(memory: *mut u8, num_bytes: usize) -> *mut u8 {
    if memory.is_null() {
        super::refused(num_bytes);
    }
    memory
}

/// Makes all threads allocate from one arena, since each further arena would reserve 64 MiB of address space.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn share_arena() {
    // SAFETY: the function only needs two numbers, and no other thread allocates yet.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Does nothing, since threads of other C libraries do not reserve address space.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn share_arena() {}

/// Ends the program at once, without destructors, exit handlers or flushing.
pub(super) fn end(code: i32) -> ! {
    #[cfg(unix)]
    // SAFETY: every number is valid, and the process executes nothing afterwards.
    unsafe {
        libc::_exit(code)
    }
    #[cfg(not(unix))]
    std::process::exit(code)
}
