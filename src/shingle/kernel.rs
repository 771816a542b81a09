//! A hint to the processor that no safe code can give.

#![allow(unsafe_code)] // the hint takes a pointer

/// Asks for an element of a list to be brought into the processor's cache; without effect beyond the list, and where the
/// processor takes no hints.
#[inline(always)]
pub(crate) fn prefetch<T>(list: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(element) = list.get(index) {
        // SAFETY: SSE is part of every x86-64 processor, and a prefetch neither reads nor writes, nor can it fault.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(element).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (list, index);
}
