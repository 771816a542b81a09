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
    /// Whether the names of the groups are kept: 16 bytes a group, and the name. Default: no.
    pub with_names: bool,
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
    /// The archive that is a file. A document that is not in an archive is a group of one.
    Archive,
    /// The host of the URI that is the document's name, or that is the part of its name after a `!`, as in a web crawl. A
    /// document whose name is not a URI is a group of one.
    Host,
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

/// The host of a URI, in lower case and without user, port and final dot; `None` for another name.
///
/// * `name`: a URI, or a name such as `crawl.warc!URI`.
pub(crate) fn host_of(name: &[u8]) -> Option<Vec<u8>> {
    const SEPARATOR: &[u8] = b"://";
    let is_scheme = |&byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let at = name.windows(SEPARATOR.len()).position(|window| window == SEPARATOR)?;
    let start = name[..at].iter().rposition(|byte| !is_scheme(byte)).map_or(0, |before| before + 1);
    if !name[start..at].first().is_some_and(u8::is_ascii_alphabetic) || start > 0 && name[start - 1] != b'!' {
        return None;
    }
    let rest = &name[at + SEPARATOR.len()..];
    let authority = rest.split(|byte| matches!(byte, b'/' | b'?' | b'#' | b'\\')).next().unwrap_or_default();
    let host = authority.rsplit(|&byte| byte == b'@').next().unwrap_or_default();
    let end = match host.iter().rposition(|&byte| byte == b':') {
        // The colons of an IPv6 address are within brackets.
        Some(colon) if host[colon + 1..].iter().all(u8::is_ascii_digit) => colon,
        _ => host.len(),
    };
    let host = host[..end].strip_suffix(b".").unwrap_or(&host[..end]);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

impl FromStr for GroupBy {
    type Err = String;

    /// Parses `dir`, `dir:DEPTH`, `archive`, `field:NAME` or `host`; anything else is a regular expression.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "dir" {
            return Ok(Self::Folder { depth: None });
        }
        // A colon after the word is as in `dir:`.
        if let "archive" | "archive:" = text {
            return Ok(Self::Archive);
        }
        if text == "host" {
            return Ok(Self::Host);
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
            return Err("give dir, dir:DEPTH, archive, field:NAME, host or a regular expression".to_owned());
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
            Self::Archive => f.write_str("archive"),
            Self::Host => f.write_str("host"),
            Self::Name(expression) => f.write_str(expression.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_distinguished_by_their_start() {
        for text in [
            "dir",
            "dir:1",
            "dir:12",
            "archive",
            "field:author",
            "host",
            "^([a-z]+)-",
            "dirs",
            "fields:",
            "(?:dir:x)",
            "hosts",
        ] {
            assert_eq!(text.parse::<GroupBy>().unwrap().to_string(), text);
        }
        assert!(matches!("dir".parse(), Ok(GroupBy::Folder { depth: None })));
        assert!(matches!("field:a:b".parse(), Ok(GroupBy::Field(name)) if name == "a:b"));
        assert!(matches!("host".parse(), Ok(GroupBy::Host)));
        assert!(matches!("archive:".parse(), Ok(GroupBy::Archive)));
        assert!(matches!("(?:archive)".parse(), Ok(GroupBy::Name(_))));
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
    fn the_host_of_a_name_is_the_host_of_its_uri() {
        for (name, host) in [
            ("https://example.org/a?b#c", Some("example.org")),
            ("HTTP://me:pw@WWW.Example.org.:8080", Some("www.example.org")),
            ("crawl.warc.gz!https://example.org/x!y://z", Some("example.org")),
            ("https://web.archive.org/web/1/http://example.org/", Some("web.archive.org")),
            ("ftp://[2001:db8::1]:21/f", Some("[2001:db8::1]")),
            ("ftp://[2001:db8::1]", Some("[2001:db8::1]")),
            ("https://example.org\\@other.org/", Some("example.org")),
            ("file:///etc/hosts", None),
            ("notes/see https://example.org", None),
            ("1http://example.org", None),
            ("example.org/a", None),
            ("://x", None),
        ] {
            let found = host_of(name.as_bytes()).map(|host| String::from_utf8(host).unwrap());
            assert_eq!(found.as_deref(), host, "{name}");
        }
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
