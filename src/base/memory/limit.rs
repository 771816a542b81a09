//! `limit`: how many bytes of memory this process may use.

#[cfg(target_os = "linux")]
use super::control_group;

/// The maximum number of bytes that this process may use: the smallest of the machine's memory, the limits of its
/// control groups, and the limit of its address space (`ulimit -v`). `None` when none of these is known.
#[cfg(target_os = "linux")]
pub(crate) fn limit() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    // A system call instead of a file, because /proc may be missing.
    let info = rustix::system::sysinfo();
    #[allow(clippy::unnecessary_cast, reason = "32 bits wide on some machines")]
    let machine = Some((info.totalram as u64).saturating_mul(info.mem_unit.into())).filter(|&bytes| bytes > 0);
    let groups = control_group::limit(std::path::Path::new("/"));
    [machine, groups, getrlimit(Resource::As).current].into_iter().flatten().min()
}

/// The maximum number of bytes that this process may use: the machine's memory. `None` when it is unknown.
#[cfg(not(target_os = "linux"))]
pub(crate) fn limit() -> Option<u64> {
    let mut system = sysinfo::System::new();
    system.refresh_memory_specifics(sysinfo::MemoryRefreshKind::nothing().with_ram());
    Some(system.total_memory()).filter(|&bytes| bytes > 0)
}
