//! The global allocator: passes each request to the system's allocator, and reports each refusal to `refused`.

use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator; it ends the program when the system refuses memory.
pub(super) struct Allocator;

// SAFETY: all memory is the system's, which keeps the promises of an allocator. What it refuses is passed on as it is, a null
// pointer, unless the program ends; nothing here unwinds or allocates.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises what the system asks for.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: as above; `memory` was given by the system, since all is.
        given(unsafe { System.realloc(memory, layout, new_size) }, new_size)
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
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

/// Lets all threads take memory from one arena: each further one would reserve 64 MiB of the address space.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(super) fn share_arena() {
    // SAFETY: it takes two numbers, and no other thread takes memory yet.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}

/// Elsewhere threads reserve nothing.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(super) fn share_arena() {}

/// Ends the program at once, without destructors, exit handlers or flushing.
pub(super) fn end(code: i32) -> ! {
    #[cfg(unix)]
    // SAFETY: any number may be given, and nothing is done in this process any more.
    unsafe {
        libc::_exit(code)
    }
    #[cfg(not(unix))]
    std::process::exit(code)
}
