//! `limit`: how many bytes of memory this process may take.

#[cfg(target_os = "linux")]
use super::control_group;

/// The most bytes that this process may take: the least of the machine's memory, the limits of its control groups and that
/// of its address space (`ulimit -v`). `None` when none of them can be told.
#[cfg(target_os = "linux")]
pub(crate) fn limit() -> Option<u64> {
    use rustix::process::{Resource, getrlimit};
    // By a system call: there may be no /proc.
    let info = rustix::system::sysinfo();
    #[allow(clippy::unnecessary_cast, reason = "32 bits wide on some machines")]
    let machine = Some((info.totalram as u64).saturating_mul(info.mem_unit.into())).filter(|&bytes| bytes > 0);
    let groups = control_group::limit(std::path::Path::new("/"));
    [machine, groups, getrlimit(Resource::As).current].into_iter().flatten().min()
}

/// The most bytes that this process may take: the machine's memory. `None` when that cannot be told.
#[cfg(not(target_os = "linux"))]
pub(crate) fn limit() -> Option<u64> {
    let mut system = sysinfo::System::new();
    system.refresh_memory_specifics(sysinfo::MemoryRefreshKind::nothing().with_ram());
    Some(system.total_memory()).filter(|&bytes| bytes > 0)
}
