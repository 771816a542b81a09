//! `renumber`: renumbers shards, files named `NAME-00000-of-00010.EXT`, after some of them were not written.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use walkdir::WalkDir;

/// The common parts of the names of one set of shards: the part before the number, the written number of shards, and
/// the part after it.
type Set = (String, String, String);

/// Renumbers the shards of each set in a folder and its subfolders from 0, and corrects their total. Files whose
/// names are not Unicode are ignored.
///
/// # Errors
/// When a file cannot be renamed, or its new name exists.
pub(super) fn renumber(root: &Path) -> io::Result<()> {
    let folders =
        WalkDir::new(root).into_iter().filter_map(|entry| entry.ok()).filter(|entry| entry.file_type().is_dir());
    for folder in folders.map(walkdir::DirEntry::into_path).collect::<Vec<_>>() {
        let mut sets: BTreeMap<Set, Vec<String>> = BTreeMap::new();
        for entry in fs::read_dir(&folder)? {
            let Ok(name) = entry?.file_name().into_string() else { continue };
            if let Some((before, number, of, behind)) = parts(&name) {
                let set = (before.to_owned(), of.to_owned(), behind.to_owned());
                sets.entry(set).or_default().push(number.to_owned());
            }
        }
        for ((before, of, behind), mut numbers) in sets {
            numbers.sort_unstable();
            let total = format!("{:0width$}", numbers.len(), width = of.len());
            for (number, old) in numbers.iter().enumerate() {
                let new = format!("{before}-{number:0width$}-of-{total}{behind}", width = old.len());
                let old = format!("{before}-{old}-of-{of}{behind}");
                if new == old {
                    continue;
                }
                if folder.join(&new).symlink_metadata().is_ok() {
                    return Err(io::Error::other(format!("{new}: two sets of shards would have this name")));
                }
                fs::rename(folder.join(old), folder.join(new))?;
            }
        }
    }
    Ok(())
}

/// Splits `NAME-00000-of-00010.EXT` into `NAME`, `00000`, `00010` and `.EXT`; `None` for other names.
fn parts(name: &str) -> Option<(&str, &str, &str, &str)> {
    let at = name.rfind("-of-")?;
    let (front, back) = (&name[..at], &name[at + "-of-".len()..]);
    let end = back.find(|c: char| !c.is_ascii_digit()).unwrap_or(back.len());
    let (of, behind) = back.split_at(end);
    let (before, number) = front.rsplit_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_shard = is_number(number) && is_number(of) && (behind.is_empty() || behind.starts_with('.'));
    is_shard.then_some((before, number, of, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_numbered_by_how_many_there_are() {
        let folder = tempfile::tempdir().unwrap();
        let old = ["a-00001-of-00004.jsonl.gz", "a-00003-of-00004.jsonl.gz", "a-7-of-9", "b-of-3.x", "c-1-of-2-d", "x"];
        fs::create_dir(folder.path().join("in")).unwrap();
        for name in old {
            fs::write(folder.path().join("in").join(name), name).unwrap();
        }
        renumber(folder.path()).unwrap();
        let mut names: Vec<_> = fs::read_dir(folder.path().join("in"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        let new = ["a-00000-of-00002.jsonl.gz", "a-00001-of-00002.jsonl.gz", "a-0-of-1", "b-of-3.x", "c-1-of-2-d", "x"];
        let mut new = new.to_vec();
        new.sort_unstable();
        assert_eq!(names, new);
        let read = |name: &str| fs::read_to_string(folder.path().join("in").join(name)).unwrap();
        assert_eq!((read("a-00000-of-00002.jsonl.gz"), read("a-0-of-1")), (old[0].into(), old[2].into()));
    }
}
