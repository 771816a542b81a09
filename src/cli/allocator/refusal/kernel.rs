//! Calls of the C library: one arena for all threads, and the end of the program.

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
