//! The one instruction.

#![allow(unsafe_code)] // an instruction that takes any address

#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn prefetch<T>(address: *const T) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: all processors of this kind have SSE, and an address that is not mapped is passed over.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
}

/// Elsewhere loops wait.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub(super) fn prefetch<T>(_: *const T) {}
