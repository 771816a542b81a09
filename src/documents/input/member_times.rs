//! `MemberTimes`: when the members of archives were modified, by document name.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_128;

/// The modification times of the members of archives, which a run collects while it reads them: 40 bytes per member.
/// All clones share one collection.
///
/// Default: no times are collected.
#[derive(Debug, Clone, Default)]
pub struct MemberTimes(Option<Arc<Mutex<HashMap<u128, SystemTime>>>>);

impl MemberTimes {
    /// An empty collection that is filled during the run.
    pub fn collected() -> Self {
        Self(Some(Arc::default()))
    }

    /// Adds the time of a member, if times are collected.
    ///
    /// * `name`: the name of the member's document, such as `a.tar!b.zip!c.txt`.
    pub(crate) fn add(&self, name: &[u8], time: Option<SystemTime>) {
        if let (Some(times), Some(time)) = (&self.0, time) {
            times.lock().expect("no holder panics").insert(xxh3_128(name), time);
        }
    }

    /// The time of a member. A member without a time has the time of the innermost enclosing archive that is a member
    /// with a time.
    pub(crate) fn of(&self, name: &[u8]) -> Option<SystemTime> {
        let times = self.0.as_ref()?.lock().expect("no holder panics");
        let ends = memchr::memrchr_iter(b'!', name);
        // The part before the first `!` is a file.
        std::iter::once(name.len()).chain(ends).find_map(|end| times.get(&xxh3_128(&name[..end])).copied())
    }

    pub(crate) fn is_collected(&self) -> bool {
        self.0.is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_member_without_a_time_has_that_of_its_archive() {
        let times = MemberTimes::collected();
        let time = |seconds| Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        times.add(b"a.tar!b.zip", time(7));
        times.add(b"a.tar!b.zip!c", time(9));
        times.add(b"a.tar!b.zip!d", None);
        let of = |name: &str| times.of(name.as_bytes());
        assert_eq!((of("a.tar!b.zip!c"), of("a.tar!b.zip!d"), of("a.tar!e")), (time(9), time(7), None));
        assert_eq!(MemberTimes::default().of(b"a.tar!b.zip"), None);
    }
}
