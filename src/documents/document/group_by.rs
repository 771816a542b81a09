//! `GroupBy`: the rule that puts documents into groups, parsed from `--group-by`.

use std::ffi::OsStr;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::{Component, Path};
use std::str::FromStr;

use regex::bytes::Regex;

use crate::base::shown::regex_fault;

/// The rule that puts documents into groups, and whether pairs are looked for within or across groups.
#[derive(Debug, Clone)]
pub struct GroupSettings {
    /// The rule that puts documents into groups.
    pub by: GroupBy,
    /// Look only for pairs within a group. Default: only pairs of different groups.
    pub within: bool,
}

/// The property that the documents of one group have in common.
#[derive(Debug, Clone)]
pub enum GroupBy {
    /// The folders between the input path and the file: all of them, or the outermost ones.
    Folder {
        /// How many folders count, from the outermost; `None` for all. For a file that is an input path itself, the
        /// folders of its path count.
        depth: Option<NonZeroUsize>,
    },
    /// A field of the record. A document that is not a record, or whose record lacks the field, is a group of one.
    Field(String),
    /// The part of the document's name that matches the first capture group of an expression, or the whole expression
    /// when it has no capture group. A document whose name does not match is a group of one.
    Name(Regex),
}

impl GroupBy {
    /// The folders of a path that count: the folders below `root`, or all of them when the path is an input path
    /// itself.
    pub(crate) fn folders<'p>(path: &'p Path, root: Option<&Path>, depth: Option<NonZeroUsize>) -> Vec<&'p OsStr> {
        let inside = root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
        let folder = inside.parent().unwrap_or(Path::new(""));
        let parts = folder.components().filter(|part| *part != Component::CurDir).map(Component::as_os_str);
        parts.take(depth.map_or(usize::MAX, NonZeroUsize::get)).collect()
    }

    /// The part of a name that identifies the group.
    pub(crate) fn matched<'n>(expression: &Regex, name: &'n [u8]) -> Option<&'n [u8]> {
        let captures = expression.captures(name)?;
        let group = if captures.len() > 1 { captures.get(1) } else { captures.get(0) };
        group.map(|group| group.as_bytes())
    }
}

impl FromStr for GroupBy {
    type Err = String;

    /// Parses `dir`, `dir:DEPTH` or `field:NAME`; anything else is a regular expression.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "dir" {
            return Ok(Self::Folder { depth: None });
        }
        if let Some(depth) = text.strip_prefix("dir:") {
            let fault =
                |_| format!("give a number of folders of 1 or more after dir:, or for an expression (?:{text})");
            return Ok(Self::Folder { depth: Some(depth.parse().map_err(fault)?) });
        }
        if let Some(name) = text.strip_prefix("field:") {
            let named = (!name.is_empty()).then(|| Self::Field(name.to_owned()));
            return named.ok_or_else(|| "give a field, such as field:author".to_owned());
        }
        if text.is_empty() {
            return Err("give dir, dir:DEPTH, field:NAME or a regular expression".to_owned());
        }
        let fault = |error| format!("not a regular expression: {}", regex_fault(&error));
        Regex::new(text).map(Self::Name).map_err(fault)
    }
}

impl fmt::Display for GroupBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder { depth: None } => f.write_str("dir"),
            Self::Folder { depth: Some(depth) } => write!(f, "dir:{depth}"),
            Self::Field(name) => write!(f, "field:{name}"),
            Self::Name(expression) => f.write_str(expression.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart_by_their_start() {
        for text in ["dir", "dir:1", "dir:12", "field:author", "^([a-z]+)-", "dirs", "fields:", "(?:dir:x)"] {
            assert_eq!(text.parse::<GroupBy>().unwrap().to_string(), text);
        }
        assert!(matches!("dir".parse(), Ok(GroupBy::Folder { depth: None })));
        assert!(matches!("field:a:b".parse(), Ok(GroupBy::Field(name)) if name == "a:b"));
        assert!(matches!("dirs".parse(), Ok(GroupBy::Name(_))));
        for wrong in ["dir:", "dir:0", "dir:x", "dir:-1", "field:", "", "(", "a\n[b"] {
            let message = wrong.parse::<GroupBy>().unwrap_err();
            assert!(!message.is_empty() && !message.contains('\n'), "{wrong}: {message}");
        }
    }

    #[test]
    fn folders_are_those_below_the_argument() {
        let folders = |path, root: Option<&str>, depth| {
            let folders = GroupBy::folders(Path::new(path), root.map(Path::new), NonZeroUsize::new(depth));
            folders.join(OsStr::new("/")).into_string().unwrap()
        };
        assert_eq!(folders("in/ann/1/x", Some("in"), 0), "ann/1");
        assert_eq!(folders("in/ann/1/x", Some("in/"), 1), "ann");
        assert_eq!(folders("in/ann/1/x", Some("./in"), 9), "in/ann/1");
        assert_eq!(folders("./in/ann/x", Some("./in"), 9), "ann");
        assert_eq!(folders("in/x", Some("in"), 1), "");
        // A leading `.` is not part of the names of files below it.
        assert_eq!(folders("ann/x", Some("."), 1), "ann");
        assert_eq!(folders("./ann/x", None, 1), "ann");
        assert_eq!(folders("/ann/x", None, 0), "//ann");
    }

    #[test]
    fn a_name_is_grouped_by_its_first_capture_or_the_whole_match() {
        let matched = |expression, name| {
            let matched = GroupBy::matched(&Regex::new(expression).unwrap(), name);
            matched.map(|bytes| std::str::from_utf8(bytes).unwrap())
        };
        assert_eq!(matched("([a-z]+)_([0-9]+)", b"in/ann_1.txt"), Some("ann"));
        assert_eq!(matched("[a-z]+_", b"in/ann_1.txt"), Some("ann_"));
        assert_eq!(matched("^x", b"in/ann_1.txt"), None);
        // A capture group that does not participate in the match yields no group.
        assert_eq!(matched("(x)?ann", b"ann"), None);
        assert_eq!(matched("a+", b"\xFFaa"), Some("aa"));
    }
}
