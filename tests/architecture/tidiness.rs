//! Rules of the files: one name for one type, and no file too long to read.

use std::collections::BTreeMap;

use regex::Regex;

use crate::source::files;

/// Most lines of a file.
const MOST_LINES: usize = 420;

#[test]
fn no_two_types_have_one_name() {
    let types = Regex::new(r"(?m)^(pub )?(struct|enum|trait|union) (\w+)").expect("it is valid");
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files().values() {
        for found in types.captures_iter(&file.code) {
            places.entry(found[3].to_owned()).or_default().push(file.path.display().to_string());
        }
    }
    assert!(places.len() > 200, "types are found");
    places.retain(|_, files| files.len() > 1 && !files.windows(2).all(|pair| pair[0] == pair[1]));
    assert!(places.is_empty(), "{places:#?}");
}

#[test]
fn no_file_is_too_long() {
    for file in files().values() {
        let num_lines = file.text.lines().count();
        assert!(num_lines <= MOST_LINES, "{}: {num_lines} lines", file.path.display());
    }
}
