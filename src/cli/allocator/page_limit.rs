//! Keeps the pages of the process within `--memory`: a thread looks at them while tables are on the disk, and removes pages of
//! these tables from the memory when there are too many.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use super::tables::{DISK, LIMIT, WATCHER};

/// How long the thread waits before it looks again. A processor writes some 10 MB of new pages in this time.
const PAUSE: Duration = Duration::from_millis(10);

/// Lets tables go to the disk when they have no room within `bytes`. Nothing happens where the system limits the addresses of
/// the process, since a mapping needs many, and where it cannot start a thread.
pub(crate) fn limit_memory(bytes: u64) {
    #[cfg(target_os = "linux")]
    if rustix::process::getrlimit(rustix::process::Resource::As).current.is_none() {
        let watcher = thread::Builder::new().name("memory".to_owned()).stack_size(64 << 10);
        if WATCHER.get().is_none()
            && let Ok(watcher) = watcher.spawn(watch)
        {
            WATCHER.get_or_init(|| watcher.thread().clone());
        }
        if WATCHER.get().is_some() {
            LIMIT.store(bytes, Ordering::Relaxed);
            dedup_scan::base::tables_may_be_on_disk();
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = bytes;
}

#[cfg(target_os = "linux")]
fn watch() {
    while !DISK.is_used() {
        thread::park();
    }
    let Ok(status) = std::fs::File::open("/proc/self/status") else { return };
    loop {
        if !DISK.is_used() {
            thread::park();
            continue;
        }
        thread::sleep(PAUSE);
        let limit = LIMIT.load(Ordering::Relaxed);
        if resident(&status).is_some_and(|bytes| bytes > limit) {
            // A sixteenth more than needed, so that the next time is not at once.
            let enough = limit / 16 * 15;
            DISK.release(|| resident(&status).is_none_or(|bytes| bytes <= enough));
        }
    }
}

/// The bytes of the process that are in memory, by `/proc/self/status`, which counts them in kB of 1,024 bytes.
#[cfg(target_os = "linux")]
fn resident(status: &std::fs::File) -> Option<u64> {
    use std::os::unix::fs::FileExt;
    let mut text = [0; 4096];
    let len = status.read_at(&mut text, 0).ok()?;
    let mut lines = text[..len].split(|&byte| byte == b'\n');
    let line = std::str::from_utf8(lines.find_map(|line| line.strip_prefix(b"VmRSS:"))?).ok()?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
}
