//! The source, file by file: its code without comments and unit tests, and the paths that it imports.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// A file of `src`, by the path of its module, as in `input::walk`.
pub(crate) struct SourceFile {
    pub(crate) path: PathBuf,
    /// All of it.
    pub(crate) text: String,
    /// Without comments, strings and unit tests.
    pub(crate) code: String,
}

pub(crate) type Module = Vec<String>;

/// All files except `main.rs`, the build script and the files of unit tests.
pub(crate) fn files() -> BTreeMap<Module, SourceFile> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let paths = walkdir::WalkDir::new(&root).into_iter().map(|entry| entry.expect("src can be read").into_path());
    let mut files = BTreeMap::new();
    for path in paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        let relative = path.strip_prefix(&root).expect("it is inside").with_extension("");
        let mut module: Module = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        module.pop_if(|last| last == "mod" || last == "lib");
        if module.iter().any(|part| part == "tests" || part == "main") || module == ["build"] {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a file of the source");
        let code = code_of(&text);
        files.insert(module, SourceFile { path, text, code });
    }
    files
}

/// A file without its unit tests, which stand last.
pub(crate) fn without_tests(text: &str) -> &str {
    let tests = Regex::new(r"(?m)^#\[cfg\((all\()?test\b[^\n]*\n(pub(\([^)]*\))? )?mod tests").expect("it is valid");
    tests.find(text).map_or(text, |tests| &text[..tests.start()])
}

fn code_of(text: &str) -> String {
    let code = without_tests(text);
    let comments = Regex::new(r"//[^\n]*").expect("it is valid");
    let visibility = Regex::new(r"pub\([^)]*\)").expect("it is valid");
    visibility.replace_all(&comments.replace_all(code, ""), "pub").into_owned()
}

/// The paths that code imports or names, as they are written: those of `use`, one for each name, and those that begin with
/// `crate`, `super` or `self` elsewhere.
pub(crate) fn paths(code: &str) -> Vec<String> {
    let uses = Regex::new(r"(?m)^\s*(pub )?use ([^;]+);").expect("it is valid");
    let inline = Regex::new(r"\b(crate|super|self)(::\w+)+").expect("it is valid");
    let imported =
        uses.captures_iter(code).flat_map(|found| expanded(&found[2].split_whitespace().collect::<String>()));
    let rest = uses.replace_all(code, "");
    imported.chain(inline.find_iter(&rest).map(|found| found.as_str().to_owned())).collect()
}

/// The names that a module passes on from its children, and from which.
pub(crate) fn passed_on(code: &str) -> Vec<(String, String)> {
    let paths = paths(code).into_iter();
    paths
        .filter_map(|path| {
            path.strip_prefix("self::")?.rsplit_once("::").map(|(from, name)| (name.into(), from.into()))
        })
        .collect()
}

/// `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
pub(crate) fn expanded(path: &str) -> Vec<String> {
    let Some((start, inside)) = path.split_once('{') else { return vec![path.to_owned()] };
    let inside = inside.strip_suffix('}').expect("what is opened is closed");
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in inside.chars() {
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            _ => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                parts.last_mut().expect("there is one").push(c);
            }
        }
    }
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts.flat_map(|part| expanded(part)).map(|part| format!("{start}{part}")).collect()
}

#[test]
fn lists_of_imports_are_taken_apart() {
    assert_eq!(paths("use a::{b, c::{d, e}};\nlet x = crate::f::g(1);"), ["a::b", "a::c::d", "a::c::e", "crate::f::g"]);
    assert_eq!(
        passed_on("pub use self::b::C;\nuse self::d::{e::F};"),
        [("C".into(), "b".into()), ("F".into(), "d::e".into())]
    );
}
