//! `MemberTimes`: when the members of archives were modified, by document name.

use std::fs::Metadata;
use std::time::SystemTime;

use super::by_name::ByName;
use super::paths::path_of;

/// The modification times of the members of archives, which a run collects while it reads them.
///
/// Default: no times are collected.
pub type MemberTimes = ByName<SystemTime>;

impl MemberTimes {
    /// The time at which a file, or a member of an archive, was modified. A member without a time has the time of its
    /// archive.
    ///
    /// * `file`: the name of the file, as in [`Origin`](crate::documents::Origin).
    pub fn of_file(&self, file: &[u8]) -> Option<SystemTime> {
        let modified = |file: &[u8]| path_of(file).metadata().ok().filter(Metadata::is_file)?.modified().ok();
        let archives = memchr::memrchr_iter(b'!', file).map(|end| &file[..end]);
        modified(file).or_else(|| self.of_member(file)).or_else(|| archives.into_iter().find_map(modified))
    }

    /// The time of a member. A member without a time has the time of the innermost enclosing archive that is a member
    /// with a time.
    pub(crate) fn of_member(&self, name: &[u8]) -> Option<SystemTime> {
        let ends = memchr::memrchr_iter(b'!', name);
        // The part before the first `!` is a file.
        self.first_of(std::iter::once(name.len()).chain(ends).map(|end| &name[..end]))
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
        times.add(b"a.tar!b.zip", time(7).unwrap());
        times.add(b"a.tar!b.zip!c", time(9).unwrap());
        let of = |name: &str| times.of_member(name.as_bytes());
        assert_eq!((of("a.tar!b.zip!c"), of("a.tar!b.zip!d"), of("a.tar!e")), (time(9), time(7), None));
        assert_eq!(MemberTimes::default().of_member(b"a.tar!b.zip"), None);
    }
}
