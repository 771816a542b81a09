//! The public interface of the library: the names that other crates can use, compared with a recorded list.

use std::collections::BTreeSet;
use std::path::Path;

use regex::Regex;

use crate::source::{Module, expanded, files};

/// The paths of all public names: of definitions and re-exports in public modules, from the root of the crate on.
fn public_names() -> BTreeSet<String> {
    let module = Regex::new(r"(?m)^pub mod (\w+);").expect("it is valid");
    let definition =
        Regex::new(r"(?m)^pub (?:const )?(?:unsafe )?(?:fn|struct|enum|trait|type|const|static|union) (\w+)");
    let (definition, reexport) =
        (definition.expect("it is valid"), Regex::new(r"(?m)^pub use ([^;]+);").expect("it is valid"));
    let files = files();
    let (mut names, mut waiting) = (BTreeSet::new(), vec![Module::new()]);
    while let Some(path) = waiting.pop() {
        let prefix: String = path.iter().map(|part| format!("{part}::")).collect();
        let text = &files.get(&path).unwrap_or_else(|| panic!("{prefix} is a file")).text;
        for found in module.captures_iter(text) {
            waiting.push(path.iter().cloned().chain([found[1].to_owned()]).collect());
        }
        names.extend(definition.captures_iter(text).map(|found| format!("{prefix}{}", &found[1])));
        for found in reexport.captures_iter(text) {
            for name in expanded(&found[1].split_whitespace().collect::<String>()) {
                names.insert(format!("{prefix}{}", name.rsplit("::").next().expect("a path has an end")));
            }
        }
    }
    names
}

#[test]
fn the_public_interface_is_the_recorded_one() {
    let names: String = public_names().into_iter().map(|name| name + "\n").collect();
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/architecture/public.txt");
    if std::env::var_os("DEDUP_PUBLIC").is_some_and(|value| value == "record") {
        std::fs::write(&recorded, &names).unwrap();
    }
    let before = std::fs::read_to_string(&recorded).unwrap_or_default();
    let [before, now]: [BTreeSet<&str>; 2] = [before.lines().collect(), names.lines().collect()];
    let gone: Vec<&&str> = before.difference(&now).collect();
    let new: Vec<&&str> = now.difference(&before).collect();
    assert!(now.len() > 100, "the interface is read");
    assert!(
        gone.is_empty() && new.is_empty(),
        "names that programs may use are gone: {gone:?}, new: {new:?}; if you mean it, record them: DEDUP_PUBLIC=record cargo test --test architecture public"
    );
}
