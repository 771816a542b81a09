//! The global allocator: forwards each request to the system's allocator or to the temporary file, and reports refusals.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::Ordering;

use super::refusal;
use super::tables::{DISK, GROWING, LARGE, LARGE_BYTES, is_for_disk, wake_if};

/// The system's allocator, which also ends the program when the system refuses memory, with tables on the disk.
pub(super) struct Allocator;

// SAFETY: memory comes from the system's allocator, or from `DISK`, which fulfil the contract; `is_on_disk` says which of
// them has an allocation. A refusal is returned as a null pointer, unless the program ends; this code does not unwind or
// allocate.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= LARGE {
            // SAFETY: the caller fulfils the contract.
            return unsafe { large(layout, |layout| System.alloc(layout)) };
        }
        // SAFETY: the caller fulfils the contract of the system's allocator.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= LARGE {
            // SAFETY: the caller fulfils the contract; new memory on the disk is zero.
            return unsafe { large(layout, |layout| System.alloc_zeroed(layout)) };
        }
        // SAFETY: the caller fulfils the contract of the system's allocator.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if layout.size() >= LARGE || new_size >= LARGE {
            // SAFETY: the caller fulfils the contract.
            return unsafe { resize_large(memory, layout, new_size) };
        }
        // SAFETY: as in `alloc`; small memory comes from the system's allocator.
        given(unsafe { System.realloc(memory, layout, new_size) }, new_size)
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if layout.size() >= LARGE {
            // SAFETY: the caller fulfils the contract.
            return unsafe { free_large(memory, layout) };
        }
        // SAFETY: as in `realloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Allocates at least [`LARGE`] bytes.
///
/// # Safety
/// As for [`GlobalAlloc::alloc`].
unsafe fn large(layout: Layout, of_system: impl FnOnce(Layout) -> *mut u8) -> *mut u8 {
    let on_disk = is_for_disk(layout.size(), GROWING).then(|| DISK.allocate(layout)).flatten();
    let memory = on_disk.unwrap_or_else(|| counted(of_system(layout), layout.size()));
    wake_if(on_disk.is_some());
    given(memory, layout.size())
}

/// Frees what [`large`] or [`resize_large`] allocated.
///
/// # Safety
/// As for [`GlobalAlloc::dealloc`].
unsafe fn free_large(memory: *mut u8, layout: Layout) {
    if DISK.contains(memory) {
        DISK.free(memory);
    } else {
        LARGE_BYTES.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the memory is the system allocator's.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Changes the size of an allocation that has, or will have, at least [`LARGE`] bytes.
///
/// # Safety
/// As for [`GlobalAlloc::realloc`].
unsafe fn resize_large(memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
    let is_on_disk = layout.size() >= LARGE && DISK.contains(memory);
    if is_on_disk && new_size >= LARGE && DISK.resize(memory, layout.size(), new_size) {
        return memory;
    }
    let has_its_length = new_size < layout.size();
    let part =
        if !is_on_disk && has_its_length && is_for_disk(new_size, LARGE) { DISK.allocate_part(new_size) } else { None };
    wake_if(part.is_some());
    if part.is_none() && !is_on_disk && (has_its_length || !is_for_disk(new_size, GROWING)) {
        // SAFETY: the memory is the system allocator's.
        let resized = unsafe { System.realloc(memory, layout, new_size) };
        if !resized.is_null() {
            let counts = |size: usize| if size >= LARGE { size } else { 0 };
            LARGE_BYTES.fetch_add(counts(new_size), Ordering::Relaxed);
            LARGE_BYTES.fetch_sub(counts(layout.size()), Ordering::Relaxed);
        }
        return given(resized, new_size);
    }
    // SAFETY: the caller promises that the alignment fits the new size. Both allocations have at least as many bytes as are
    // copied, and they do not overlap. The old one is freed as it was allocated.
    unsafe {
        let moved = match part {
            Some(part) => part,
            None => Allocator.alloc(Layout::from_size_align_unchecked(new_size, layout.align())),
        };
        if !moved.is_null() {
            ptr::copy_nonoverlapping(memory, moved, layout.size().min(new_size));
            Allocator.dealloc(memory, layout);
        }
        moved
    }
}

/// Counts an allocation of the system's allocator, unless it was refused.
fn counted(memory: *mut u8, num_bytes: usize) -> *mut u8 {
    if !memory.is_null() {
        LARGE_BYTES.fetch_add(num_bytes, Ordering::Relaxed);
    }
    memory
}

#[inline]
fn given(memory: *mut u8, num_bytes: usize) -> *mut u8 {
    if memory.is_null() {
        refusal::refused(num_bytes);
    }
    memory
}
