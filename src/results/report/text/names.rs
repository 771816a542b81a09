//! Shortens the names of a pair or a group to the available width, in the parts that the names have in common.

use std::collections::{HashMap, HashSet};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::entries::ViewEntry;
use crate::results::report::words::common_ends;

/// The replacement for the folder of a second name, if it is the folder of the first name.
const FOLDER: &str = "…/";

/// A name as it is shown next to others.
pub(super) struct CommonName {
    pub(super) text: String,
    /// The lengths in bytes of the beginning and the end that all names of the pair or group share.
    common: [usize; 2],
    /// The lengths in bytes of the beginning and the end that the most similar name of the view shares.
    near: [usize; 2],
}

/// The lengths in bytes of the beginning and the end that a name shares with the most similar other name.
///
/// * `names`: ascending.
fn near(name: &str, names: &[&str]) -> [usize; 2] {
    let start = names.partition_point(|other| *other < name);
    let end = names.partition_point(|other| *other <= name);
    let others = [start.checked_sub(1), Some(end)].into_iter().flatten().filter_map(|at| names.get(at));
    let ends = others.map(|other| common_ends(&[name, *other]));
    ends.max_by_key(|[start, end]| start + end).unwrap_or([0, 0])
}

/// Returns the names of a pair; `None` for a larger group. If both are in one folder, an ellipsis replaces the folder
/// of the second name.
///
/// * `folder`: the folder that contains all files of the view.
/// * `names`: all names of the view without that folder, ascending.
pub(super) fn names_of(entry: &ViewEntry, folder: &str, names: &[&str]) -> Option<[CommonName; 2]> {
    let [first, second] = entry.members.as_slice() else { return None };
    let are_files = first.is_file && second.is_file;
    let [first, second] = [first.name_in(folder), second.name_in(folder)];
    let [same, end] = common_ends(&[first, second]);
    let folder = if are_files { common_folder([first, second].into_iter()) } else { String::new() };
    let near_second = near(second, names);
    let first = CommonName { text: first.to_owned(), common: [same, end], near: near(first, names) };
    let second = match folder.len() {
        0 => CommonName { text: second.to_owned(), common: [same, end], near: near_second },
        // The ellipsis represents the folder in the shown name.
        len => CommonName {
            text: format!("{FOLDER}{}", &second[len..]),
            common: [FOLDER.len() + same - len, end],
            near: match near_second {
                [start, end] if start >= len => [FOLDER.len() + start - len, end],
                [_, end] => [0, end.min(second.len() - len)],
            },
        },
    };
    Some([first, second])
}

/// The folder that contains all files of the entries, with the `/` at its end; empty if they are one file. Identifiers of
/// records do not matter, unless one of them would then look like a file.
pub(super) fn folder_of(entries: &[ViewEntry]) -> String {
    let members = || entries.iter().flat_map(|entry| &entry.members);
    let files = || members().filter(|member| member.is_file).map(|member| member.name.as_str());
    if files().zip(files().skip(1)).all(|(one, other)| one == other) {
        return String::new();
    }
    let folder = common_folder(files());
    let identifiers: HashSet<&str> =
        members().filter(|member| !member.is_file).map(|member| member.name.as_str()).collect();
    let is_unclear = members().any(|member| member.is_file && identifiers.contains(member.name_in(&folder)));
    if is_unclear { String::new() } else { folder }
}

/// The folder that contains all names, with the `/` at its end; empty if there is none.
fn common_folder<'n>(mut names: impl Iterator<Item = &'n str>) -> String {
    let Some(first) = names.next() else { return String::new() };
    let mut common = &first[..first.rfind('/').map_or(0, |at| at + 1)];
    for name in names {
        while !name.starts_with(common) {
            let above = common.trim_end_matches('/');
            common = &common[..above.rfind('/').map_or(0, |at| at + 1).min(above.len())];
        }
    }
    common.to_owned()
}

/// Fits two names into the given numbers of columns.
pub(super) fn fitted(names: &[CommonName; 2], columns: &[usize; 2]) -> [String; 2] {
    let [first, second] = fitted_all(names, columns).try_into().expect("two names were given");
    [first, second]
}

/// Fits names into the given numbers of columns. Different names that would look the same stay whole.
pub(super) fn fitted_all(names: &[CommonName], columns: &[usize]) -> Vec<String> {
    let cut: Vec<String> = names.iter().zip(columns).map(|(name, &columns)| name.fitted(columns)).collect();
    let mut whole_of: HashMap<&str, Option<&str>> = HashMap::new();
    for (name, cut) in names.iter().zip(&cut) {
        let whole = whole_of.entry(cut).or_insert(Some(&name.text));
        *whole = whole.filter(|&whole| whole == name.text);
    }
    let shown = |(name, cut): (&CommonName, &String)| match whole_of[cut.as_str()] {
        Some(_) => cut.clone(),
        None => name.text.clone(),
    };
    names.iter().zip(&cut).map(shown).collect()
}

impl CommonName {
    /// Names that are shown next to each other.
    pub(super) fn of_all(names: &[&str]) -> Vec<Self> {
        let common = common_ends(names);
        let mut sorted = names.to_vec();
        sorted.sort_unstable();
        names.iter().map(|&name| Self { text: name.to_owned(), common, near: near(name, &sorted) }).collect()
    }

    /// Fits the name into `most` columns. First shortens the common beginning, then the middle of the common end, and
    /// finally the middle of the part that differs. It avoids hiding the difference to the most similar name of the
    /// view.
    fn fitted(&self, most: usize) -> String {
        let Self { text, common, near } = self;
        if text.width() <= most {
            return text.clone();
        }
        cut(text, *common, most)
            .or_else(|| cut(text, *near, most))
            .unwrap_or_else(|| cut_in_the_middle(text, *common, most))
    }
}

/// Shortens the common ends of a name; `None` if the rest is too wide.
fn cut(text: &str, [start, end]: [usize; 2], most: usize) -> Option<String> {
    let (differs, tail) = (&text[start..text.len() - end], &text[text.len() - end..]);
    let room = most.saturating_sub(1);
    if differs.width() + tail.width() <= room {
        return Some(format!("…{}", last_columns(text, room)));
    }
    let lead = if start > 0 { "…" } else { "" };
    let room = most.saturating_sub(lead.width() + 1);
    // Keeps the whole folder in which names differ, if there is room.
    let folder = tail.find('/').unwrap_or(0);
    let (differs, tail) = match differs.width() + tail[..folder].width() <= room / 2 {
        true => (&text[start..text.len() - end + folder], &tail[folder..]),
        false => (differs, tail),
    };
    let left = room.checked_sub(differs.width()).filter(|&left| left > 0 && tail.width() > 1)?;
    Some(format!("{lead}{differs}…{}", last_columns(tail, left)))
}

/// Shortens a name in the middle of the part that differs.
fn cut_in_the_middle(text: &str, [start, end]: [usize; 2], most: usize) -> String {
    let (differs, tail) = (&text[start..text.len() - end], &text[text.len() - end..]);
    let lead = if start > 0 { "…" } else { "" };
    let room = most.saturating_sub(lead.width() + 1);
    let trail = if tail.width() > room / 3 { "…" } else { tail };
    let room = room.saturating_sub(trail.width());
    let ending = last_columns(differs, room / 2);
    format!("{lead}{}…{ending}{trail}", first_columns(differs, room - ending.width()))
}

/// Returns the longest beginning of a text that has at most `most` columns.
fn first_columns(text: &str, most: usize) -> &str {
    let mut width = 0;
    let end = text.char_indices().find(|(_, c)| {
        width += c.width().unwrap_or(0);
        width > most
    });
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// Returns the longest end of a text that has at most `most` columns.
fn last_columns(text: &str, most: usize) -> &str {
    let mut width = 0;
    let before = text.char_indices().rev().find(|(_, c)| {
        width += c.width().unwrap_or(0);
        width > most
    });
    &text[before.map_or(0, |(at, c)| at + c.len_utf8())..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::text::entries::ViewMember;

    fn file(name: &str) -> ViewMember {
        ViewMember { name: name.to_owned(), is_file: true, ..ViewMember::default() }
    }

    /// Fits both names of a pair into `most` columns.
    fn pair(first: &str, second: &str, most: usize) -> [String; 2] {
        fitted_all(&CommonName::of_all(&[first, second]), &[most; 2]).try_into().unwrap()
    }

    #[test]
    fn wide_names_are_cut_in_what_they_have_in_common() {
        assert_eq!(pair("abc", "abd", 3), ["abc", "abd"]);
        assert_eq!(pair("abcd", "abce", 3), ["…cd", "…ce"]);
        assert_eq!(pair("日本語", "日本文", 5), ["…本語", "…本文"]);
        assert_eq!(pair("日本語", "日本文", 4), ["…語", "…文"]);
        assert_eq!(pair("alice/src/main.py", "bob/src/main.py", 12), ["alice…ain.py", "bob…/main.py"]);
        assert_eq!(
            pair("essays/alice/src/main.py", "essays/bob/src/main.py", 14),
            ["…alice…main.py", "…bob…c/main.py"]
        );
        // A part that differs and is too wide keeps its ends, where the names are certain to differ.
        assert_eq!(pair("alice/src/1.txt", "bob/src/2.txt", 10), ["alic…rc/1…", "bob/…rc/2…"]);
        // If a group has little in common, the parts shared with the most similar name are cut.
        let group = ["aXXXXXXXX-1-YYYYYYYYb", "aXXXXXXXX-2-YYYYYYYYb", "bXXXXXXXX-3-YYYYYYYYc"];
        assert_eq!(fitted_all(&CommonName::of_all(&group), &[9; 3]), ["…1…YYYYYb", "…2…YYYYYb", "bXXX…YYYc"]);
        // A name that is too wide is better than two names that look the same.
        let group = ["aa-1111-bb", "aa-1221-bb", "cc"];
        assert_eq!(fitted_all(&CommonName::of_all(&group), &[4; 3])[..2], ["aa-1111-bb", "aa-1221-bb"]);
    }

    #[test]
    fn names_of_other_rows_differ() {
        let others = ["seminars/winter/alice/first-essay-final.txt", "seminars/winter/bob/first-essay-final.txt"];
        let names = ["report.txt", others[0], others[1]];
        let shown = others.map(|other| {
            let entry = ViewEntry { members: vec![file("report.txt"), file(other)], ..ViewEntry::default() };
            names_of(&entry, "", &names).unwrap()[1].fitted(22)
        });
        assert_eq!(shown, ["…alice…essay-final.txt", "…bob…t-essay-final.txt"]);
    }

    #[test]
    fn a_cut_name_fits_and_shows_where_it_differs() {
        let parts = ["", "a", "é", "日本", "/", "src/", "alice", "bob", "-1.txt", "e\u{301}"];
        let names = || {
            parts.iter().flat_map(|one| parts.iter().flat_map(move |two| parts.map(|tail| format!("{one}{two}{tail}"))))
        };
        for first in names().step_by(7) {
            for second in names().step_by(11).filter(|second| *second != first) {
                for most in [4, 6, 9] {
                    let shown = pair(&first, &second, most);
                    assert_ne!(shown[0], shown[1], "{first} {second} {most}");
                    for (name, shown) in [&first, &second].into_iter().zip(&shown) {
                        assert!(shown.width() <= most || shown == name, "{first} {second} {most}: {shown}");
                    }
                }
            }
        }
    }

    #[test]
    fn identifiers_of_records_do_not_change_the_folder_of_the_files() {
        let record = |name: &str| ViewMember { is_file: false, ..file(name) };
        let entry = |members: Vec<ViewMember>| [ViewEntry { members, ..ViewEntry::default() }];
        let shown = entry(vec![file("news/a.txt"), record("17"), file("news/old/b.txt"), record("x/y")]);
        assert_eq!(folder_of(&shown), "news/");
        assert_eq!(
            shown[0].members.iter().map(|one| one.name_in("news/")).collect::<Vec<_>>(),
            ["a.txt", "17", "old/b.txt", "x/y"]
        );
        // An identifier that would look like a file.
        assert_eq!(folder_of(&entry(vec![file("news/a.txt"), record("a.txt")])), "");
        assert_eq!(folder_of(&entry(vec![record("x/a"), record("x/b")])), "");
        assert_eq!(folder_of(&entry(vec![record("17"), file("news/a.txt"), file("news/a.txt")])), "");
        let pair = entry(vec![record("x/a"), record("x/b")]);
        assert_eq!(names_of(&pair[0], "", &[]).unwrap()[1].text, "x/b");
    }

    #[test]
    fn names_are_cut_by_the_folder_that_they_share() {
        let common = |names: &[&str]| common_folder(names.iter().copied());
        assert_eq!(common(&["a/b/c", "a/b/d"]), "a/b/");
        assert_eq!(common(&["a/b/c", "a/bc/d"]), "a/");
        assert_eq!(common(&["/a", "/b/c"]), "/");
        assert_eq!(common(&["a", "a/b"]), "");
        assert_eq!(common(&["é/x", "è/x"]), "");
        let names = |names: [&str; 2]| {
            let [_, second] =
                names_of(&ViewEntry { members: names.map(file).into(), ..ViewEntry::default() }, "", &[]).unwrap();
            let [start, end] = second.common;
            (second.text.clone(), second.text[start..second.text.len() - end].to_owned())
        };
        assert_eq!(names(["news/a.txt", "news/old/b.txt"]), ("…/old/b.txt".to_owned(), "old/b".to_owned()));
        assert_eq!(names(["a.txt", "news/b.txt"]), ("news/b.txt".to_owned(), "news/b".to_owned()));
    }
}
