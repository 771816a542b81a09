//! Reads the memory limits of Linux control groups: the smallest limit of the group of this process and its ancestors.
//!
//! `/proc/self/cgroup` lists the group: a group of version 2, or of version 1 if that version counts memory.
//! `/proc/self/mountinfo` says where the files of the group are. See `cgroups(7)` and `proc_pid_mountinfo(5)`.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// The two versions of control groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// A mounted control group hierarchy.
#[derive(Debug)]
struct Mount {
    version: Version,
    /// The group that is mounted at `point`.
    group: PathBuf,
    point: PathBuf,
}

impl Version {
    /// The files of a group that contain its limits: a number of bytes, or a word for "no limit". Above `memory.high`
    /// the kernel throttles a group heavily.
    fn limits(self) -> &'static [&'static str] {
        match self {
            Self::One => &["memory.limit_in_bytes"],
            Self::Two => &["memory.max", "memory.high"],
        }
    }
}

/// The smallest memory limit of the groups of this process; `None` when all are unlimited or cannot be read.
///
/// * `root`: the root of the file system.
pub(super) fn limit(root: &Path) -> Option<u64> {
    let read = |path: &str| fs::read(root.join(path)).map(|text| String::from_utf8_lossy(&text).into_owned());
    let groups = read("proc/self/cgroup").ok()?;
    let mounts: Vec<Mount> = match read("proc/self/mountinfo") {
        Ok(mounts) => mounts.lines().filter_map(mount).collect(),
        Err(_) => usual_mounts().into(),
    };
    let of_group = |(version, group): (Version, &Path)| {
        let mounts = mounts.iter().filter(move |mount| mount.version == version);
        mounts
            .flat_map(|mount| on_the_way(mount, group))
            .filter_map(|folder| {
                version
                    .limits()
                    .iter()
                    .filter_map(|file| read(folder.join(file).to_str()?).ok()?.trim().parse().ok())
                    .min()
            })
            .min()
    };
    groups.lines().filter_map(group).filter_map(of_group).min()
}

/// Parses a line of `/proc/self/cgroup`, `hierarchy:controllers:group`, if that hierarchy counts memory.
fn group(line: &str) -> Option<(Version, &Path)> {
    let mut fields = line.splitn(3, ':');
    let (hierarchy, controllers, group) = (fields.next()?, fields.next()?, fields.next()?);
    let version = match (hierarchy, controllers) {
        ("0", "") => Version::Two,
        (_, controllers) if controllers.split(',').any(|name| name == "memory") => Version::One,
        _ => return None,
    };
    Some((version, Path::new(group)))
}

/// Parses a line of `/proc/self/mountinfo`, if it is a mount of control groups that count memory.
fn mount(line: &str) -> Option<Mount> {
    let (place, what) = line.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (group, point) = (unescaped(place.next()?), unescaped(place.next()?));
    let mut what = what.split(' ');
    let version = match (what.next()?, what.nth(1)?) {
        ("cgroup2", _) => Version::Two,
        ("cgroup", options) if options.split(',').any(|name| name == "memory") => Version::One,
        _ => return None,
    };
    Some(Mount { version, group, point })
}

/// The mounts of most machines.
fn usual_mounts() -> [Mount; 2] {
    let mount = |version, point: &str| Mount { version, group: "/".into(), point: point.into() };
    [mount(Version::Two, "/sys/fs/cgroup"), mount(Version::One, "/sys/fs/cgroup/memory")]
}

/// Decodes a path of `mountinfo`, in which white space and `\` are octal escapes.
fn unescaped(path: &str) -> PathBuf {
    let codes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    codes.iter().fold(path.to_owned(), |path, (code, character)| path.replace(code, character)).into()
}

/// The folders of a group and its visible ancestors, relative to the root of the file system.
fn on_the_way(mount: &Mount, group: &Path) -> Vec<PathBuf> {
    // In a container the ancestors of a group are invisible, and the mounted group may be the container's own.
    let inside = group.strip_prefix(&mount.group).ok();
    let inside = inside.filter(|inside| inside.components().all(|part| matches!(part, Component::Normal(_))));
    let point = mount.point.strip_prefix("/").unwrap_or(&mount.point);
    inside.unwrap_or(Path::new("")).ancestors().map(|group| point.join(group)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const V2: &str = "31 23 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
    const V1: &str = "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
                      36 31 0:33 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n";

    /// The limit in a file system with these files.
    fn limit_of(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        for (path, content) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        limit(root.path())
    }

    #[test]
    fn without_control_groups_there_is_no_limit() {
        assert_eq!(limit_of(&[]), None);
        assert_eq!(limit_of(&[("proc/self/cgroup", "0::/\n")]), None);
        assert_eq!(
            limit_of(&[("proc/self/cgroup", "no such line\n"), ("proc/self/mountinfo", "nor such a one\n")]),
            None
        );
        assert_eq!(limit_of(&[("proc/self/cgroup", "0::/a\n"), ("sys/fs/cgroup/a/memory.max", "max\n")]), None);
    }

    #[test]
    fn the_least_limit_on_the_way_to_the_root_counts() {
        let tree = |own: &str, above: &str, high: &str| {
            limit_of(&[
                ("proc/self/cgroup", "0::/user.slice/job/step\n"),
                ("proc/self/mountinfo", V2),
                ("sys/fs/cgroup/user.slice/job/step/memory.max", own),
                ("sys/fs/cgroup/user.slice/job/memory.max", above),
                ("sys/fs/cgroup/user.slice/memory.high", high),
                ("sys/fs/cgroup/user.slice/other/memory.max", "1\n"),
                ("sys/fs/cgroup/memory.max", "max\n"),
            ])
        };
        assert_eq!(tree("1000\n", "2000\n", "max\n"), Some(1000));
        assert_eq!(tree("max\n", "2000\n", "max\n"), Some(2000));
        assert_eq!(tree("max\n", "2000\n", "1500\n"), Some(1500));
        assert_eq!(tree("max\n", "max\n", "max\n"), None);
    }

    #[test]
    fn version_1_counts_memory_in_a_tree_of_its_own() {
        let groups = "4:memory:/batch/17\n1:cpu:/other\n0::/\n";
        let limits = [
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "3000\n"),
            ("sys/fs/cgroup/memory/batch/17/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/cpu/other/memory.limit_in_bytes", "1\n"),
        ];
        let hybrid = format!("{V1}41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
        for mounts in [V1, &hybrid] {
            let files = [&[("proc/self/cgroup", groups), ("proc/self/mountinfo", mounts)], &limits[..]].concat();
            assert_eq!(limit_of(&files), Some(3000));
        }
        let files = [&[("proc/self/cgroup", groups)], &limits[..]].concat();
        assert_eq!(limit_of(&files), Some(3000), "where they usually are");
    }

    #[test]
    fn in_a_container_the_group_may_be_the_one_that_is_mounted() {
        for (group, mounted) in [
            ("4:memory:/docker/x", "/docker/x"),
            ("4:memory:/docker/x", "/"),
            ("4:memory:/", "/../.."),
            ("4:memory:/../other", "/"),
        ] {
            let mount = format!("35 31 0:32 {mounted} /mnt/my\\040groups rw - cgroup cgroup rw,memory\n");
            let limit = limit_of(&[
                ("proc/self/cgroup", group),
                ("proc/self/mountinfo", &mount),
                ("mnt/my groups/memory.limit_in_bytes", "4000\n"),
                ("mnt/other/memory.limit_in_bytes", "1\n"),
            ]);
            assert_eq!(limit, Some(4000), "{group} {mounted}");
        }
    }
}
