//! Prefetches memory that a loop will need soon. Each access to a table larger than the caches has to wait otherwise,
//! and a loop that branches on the values cannot overlap these waits.

mod kernel;

/// The number of iterations between a prefetch and the access. On 17 texts of 1 to 9 MB, shingle sets took 28.3 ns per
/// shingle without prefetching, 21.6 with 8, 19.5 with 16, 20.4 with 32 and 20.3 with 64.
pub(crate) const AHEAD: usize = 16;

/// Starts to load a slot into the first-level cache. `position` may be out of range; the call only affects speed.
#[inline(always)]
pub(crate) fn prefetch<T>(slots: &[T], position: usize) {
    kernel::prefetch(slots.as_ptr().wrapping_add(position));
}
