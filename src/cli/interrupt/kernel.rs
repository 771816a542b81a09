//! Queries the system whether the program ignores a signal. The standard library has no safe function for it.

/// Whether a signal is ignored, as after `trap ''`, in a background job of a script, or under nohup.
///
/// `false` if the system has no such signal.
pub(super) fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, `sigaction` changes nothing, and `action` has space for the current action.
    let asked = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) };
    // SAFETY: all zeros are a valid `sigaction`, so the value is valid whether the call succeeded or failed.
    let action = unsafe { action.assume_init() };
    asked == 0 && action.sa_sigaction == libc::SIG_IGN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_library_ignores_broken_pipes_and_nothing_ignores_alarms() {
        assert!(is_ignored(libc::SIGPIPE));
        assert!(!is_ignored(libc::SIGALRM));
        assert!(!is_ignored(-1));
    }
}
