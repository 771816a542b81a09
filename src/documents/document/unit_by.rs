//! `UnitBy`: the rule that joins files to documents, parsed from `--unit`.

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::group_by::GroupBy;

/// The property that the files, or records, of one document have in common.
#[derive(Debug, Clone)]
pub enum UnitBy {
    /// The input path.
    Path,
    /// The folder, the archive, the field of the record, or the part of the name, as for groups. A file without it is a document.
    Group(GroupBy),
    /// The name and the user id in the names of files that Canvas writes, since two people can have one name.
    Canvas,
}

/// The folders and files of Moodle: `Name_123_assignsubmission_file_/main.py`, or with the name of the file after it.
const MOODLE: &str = r"([^/!]+_[0-9]+)_assignsubmission_(?:file|onlinetext)_";
/// The files of Canvas: `lastfirst_12345_67890_main.py`, late ones `lastfirst_LATE_12345_67890_main.py`. The first number
/// identifies the user, and the second one the file.
static CANVAS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"([^/!]+?)_(?:LATE_)?([0-9]+)_[0-9]+_[^/!]+$").expect("the expression is correct"));

impl UnitBy {
    /// The length of the part of a file's name that is the name of its document, for folders and archives. `None` if the
    /// file is a separate document, or if the rule does not depend on the place of the file.
    ///
    /// * `name`: the name of the file, or of the member of an archive.
    /// * `root_len`: the length of the input path, if the file is below it.
    /// * `file_len`: the length of the path of the archive that contains the member.
    pub(crate) fn place_len(&self, name: &[u8], root_len: Option<usize>, file_len: Option<usize>) -> Option<usize> {
        let file_len = file_len.filter(|&len| len < name.len());
        match self {
            Self::Group(GroupBy::Archive) => file_len,
            Self::Group(GroupBy::Folder { depth }) => {
                let start = root_len.filter(|&len| len < name.len()).map_or(0, |len| len + 1);
                let is_end = |at: usize| match name[at] {
                    b'/' => true,
                    byte => byte == b'!' && file_len.is_some_and(|len| at >= len),
                };
                let mut ends = (start..name.len()).filter(|&at| is_end(at));
                match depth.map(NonZeroUsize::get) {
                    None => ends.next_back(),
                    Some(depth) => ends.by_ref().take(depth).last(),
                }
            }
            Self::Path | Self::Canvas | Self::Group(_) => None,
        }
    }

    /// The person in the name of a file of Canvas, such as `lastfirst_12345`, whether the file was late or not. `None` for
    /// another name.
    pub(crate) fn person_of_canvas(name: &[u8]) -> Option<Vec<u8>> {
        let captures = CANVAS.captures(name)?;
        Some([&captures[1], b"_", &captures[2]].concat())
    }
}

impl FromStr for UnitBy {
    type Err = String;

    /// Parses `path`, `moodle`, `canvas`, or a key as for groups.
    fn from_str(text: &str) -> Result<Self, String> {
        let name = |expression| Self::Group(GroupBy::Name(Regex::new(expression).expect("it is correct")));
        Ok(match text {
            "path" => Self::Path,
            "moodle" => name(MOODLE),
            "canvas" => Self::Canvas,
            "" => {
                return Err(
                    "give path, archive, dir, dir:DEPTH, field:NAME, moodle, canvas or a regular expression".into()
                );
            }
            other => Self::Group(other.parse()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place<'n>(by: &str, name: &'n str, root: &str, archive: &str) -> Option<&'n str> {
        let len = |text: &str| (!text.is_empty()).then_some(text.len());
        by.parse::<UnitBy>().unwrap().place_len(name.as_bytes(), len(root), len(archive)).map(|len| &name[..len])
    }

    #[test]
    fn a_place_is_a_folder_an_archive_or_the_input() {
        assert_eq!(place("dir:1", "in/ann/src/a.py", "in", ""), Some("in/ann"));
        assert_eq!(place("dir:2", "in/ann/src/a.py", "in", ""), Some("in/ann/src"));
        assert_eq!(place("dir:9", "in/ann/src/a.py", "in", ""), Some("in/ann/src"));
        assert_eq!(place("dir", "in/ann/src/a.py", "in", ""), Some("in/ann/src"));
        assert_eq!(place("dir:1", "ann/a.py", "", ""), Some("ann"));
        assert_eq!(place("dir:1", "in/a.py", "in", ""), None);
        assert_eq!(place("dir:1", "in.zip!ann/a.py", "in.zip", "in.zip"), Some("in.zip!ann"));
        assert_eq!(place("dir:1", "in/ann.zip!x/a.py", "in", "in/ann.zip"), Some("in/ann.zip"));
        assert_eq!(place("archive", "in/ann.zip!x/a.py", "in", "in/ann.zip"), Some("in/ann.zip"));
        assert_eq!(place("archive", "in/a.py", "in", ""), None);
        assert_eq!(place("archive", "in/a.py.gz", "in", "in/a.py.gz"), None);
        // An exclamation mark in the name of a folder does not mean an archive.
        assert_eq!(place("dir:1", "in/ann!/a.py", "in", ""), Some("in/ann!"));
    }

    #[test]
    fn names_of_moodle_and_canvas_say_who_it_is() {
        let who = |by: &str, name: &'static str| match by.parse().unwrap() {
            UnitBy::Group(GroupBy::Name(expression)) => {
                GroupBy::matched(&expression, name.as_bytes()).map(|who| String::from_utf8(who.to_vec()).unwrap())
            }
            UnitBy::Canvas => UnitBy::person_of_canvas(name.as_bytes()).map(|who| String::from_utf8(who).unwrap()),
            other => panic!("{other:?}"),
        };
        let who = |by: &str, name: &'static str| who(by, name).unwrap_or_default();
        assert_eq!(who("moodle", "m.zip!Ann Lee_123_assignsubmission_file_/src/a.py"), "Ann Lee_123");
        assert_eq!(who("moodle", "in/Ann Lee_123_assignsubmission_file_a.py"), "Ann Lee_123");
        assert_eq!(who("moodle", "in/readme.txt"), "");
        assert_eq!(who("canvas", "in/leeann_123_4567_a_b.py"), "leeann_123");
        assert_eq!(who("canvas", "in/leeann_LATE_123_4567_a.py"), "leeann_123");
        assert_eq!(who("canvas", "in/notes.txt"), "");
        assert_eq!(who("canvas", "in/leeann_124_4567_a.py"), "leeann_124", "another person of the same name");
    }

    #[test]
    fn keys_are_distinguished() {
        for wrong in ["", "dir:0", "field:", "("] {
            assert!(wrong.parse::<UnitBy>().is_err(), "{wrong}");
        }
        assert!(matches!("dir:2".parse(), Ok(UnitBy::Group(GroupBy::Folder { depth: Some(_) }))));
        assert!(matches!("field:a".parse(), Ok(UnitBy::Group(GroupBy::Field(_)))));
    }
}
