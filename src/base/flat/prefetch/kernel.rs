//! The prefetch instruction of the processor.

#![allow(unsafe_code)] // an instruction that accepts any address

#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn prefetch<T>(address: *const T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: all processors of this kind have SSE, and the instruction ignores addresses that are not mapped.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}

/// Does nothing on other architectures.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn prefetch<T>(_: *const T) {}
